"""The screen: pictures of a view, drawn with pygame. Drawing is a function of the view alone."""
