"""Scene model: tracked cards, arms, background and recent frames."""
