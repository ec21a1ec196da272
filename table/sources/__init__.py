"""Sources of frames and edges: a recording, the live table, the simulated table."""
