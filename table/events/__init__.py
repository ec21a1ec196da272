"""The events of a game, each described once: what anything needs to know of one is looked up here."""
