"""Copies of immutable values with some fields changed.

The referee makes thousands of states and hypotheses for each card that is played, and ``dataclasses.replace`` sets
every field of a frozen value one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["evolve"]

if TYPE_CHECKING:
    from dataclasses import replace as evolve  # type checkers check its fields
else:

    def evolve(value, /, **fields):
        """Do ``dataclasses.replace`` in a tenth of the time, for values without slots that hold nothing but fields."""
        copy = object.__new__(type(value))
        object.__setattr__(copy, "__dict__", value.__dict__ | fields)
        return copy
