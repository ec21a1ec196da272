"""Simulated card table: a rendered camera, simulated buttons and players, and the reference rules."""
