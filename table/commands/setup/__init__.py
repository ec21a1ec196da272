"""The sub-commands that set a table up and check it."""
