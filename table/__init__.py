"""Card table: real cards on an augmented table."""
