"""Simulated players: their decisions, presses and card movements, and the referee who knows what is true."""
