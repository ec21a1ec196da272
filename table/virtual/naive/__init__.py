"""The games once more, written from their source texts alone, as naively as possible.

Whoever wrote this had not read the games under ``table/games``: two readings of one text are compared, so a
shared misunderstanding is the only thing that can hide. Hence plain strings, lists and loops, and nothing
imported from the rest of ``table``. The virtual table's truth is ruled by it, so that the games, too, are among what
that truth checks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.virtual.naive.common import Naive
from table.virtual.naive.israeli_whist import IsraeliWhist
from table.virtual.naive.oh_hell import OhHell
from table.virtual.naive.oh_shit import OhShit
from table.virtual.naive.prediction_whist import PredictionWhist
from table.virtual.naive.whysteria import Whysteria

NAIVE: dict[str, type[Naive]] = {
    "whysteria": Whysteria,
    "oh-hell": OhHell,
    "prediction-whist": PredictionWhist,
    "israeli-whist": IsraeliWhist,
    "oh-shit": OhShit,
}


def make_naive(name: str, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Naive:
    """A game at its first hand, before the deal."""
    return NAIVE[name](list(seats), dict(options or {}))
