"""The session at the real table: one game after the other, the menu between them, and the store of the games."""
