"""Hands over the mark: their payload, the tracklets of carried cards, and the assignment of carriers to cards."""
