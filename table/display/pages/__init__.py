"""Pages that fill the screen: the menu, the score sheet, the charts and the end of a game."""
