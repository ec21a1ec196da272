"""Independent checks of the games: a naive second implementation, OpenSpiel, and exact counts."""
