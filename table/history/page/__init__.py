"""A game as a page to take home: one self-contained HTML file."""
