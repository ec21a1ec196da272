"""Buttons: from raw edges to calls. Debounce, gestures; the GPIO source."""
