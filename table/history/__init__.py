"""Finished and unfinished games: the archive of journals, export, statistics, comparison with the truth."""
