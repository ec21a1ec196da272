"""The real table's evening: one game after the other, the menu between them, and where the games are kept."""
