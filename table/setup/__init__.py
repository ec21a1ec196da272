"""From a bare table to one that plays: its pins, its file, its mat and where its camera looks."""
