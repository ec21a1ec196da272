"""Rendering of the simulated camera's frames: cards, hands and objects on the table."""
