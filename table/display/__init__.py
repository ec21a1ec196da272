"""The screen: draws views as pictures with pygame. A picture depends on the view alone."""
