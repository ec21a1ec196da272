"""The referee: decides from calls and card facts what happened in the game, and writes the journal."""
