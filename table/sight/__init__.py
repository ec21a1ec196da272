"""Sight: from frames, one after another, to what happened to the cards on the mark."""
