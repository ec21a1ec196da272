"""The one error that a user gets to see."""

from __future__ import annotations


class TableError(Exception):
    """Bad input or a wrong set-up, said in one line: what, where, and what was expected.

    The command line prints its text after the command's name and exits with status 2; nothing else may
    reach a user for bad input.
    """
