"""The table killed at any moment, and what it knows when it comes up again."""
