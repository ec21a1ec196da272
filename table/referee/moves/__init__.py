"""What a hypothesis can do next with an observation: cards landed or left, leads tied, calls missed."""
