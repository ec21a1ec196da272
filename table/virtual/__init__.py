"""The virtual table: rendered cards, hands and buttons, and players who use them."""
