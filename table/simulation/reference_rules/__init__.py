"""Reference rules: a second, deliberately naive implementation of the games, written from their source texts alone.

Its author had not read the games under ``table/games``. Comparing two independent readings of one text finds every
error but a shared misunderstanding. Hence plain strings, lists and loops, and nothing imported from the rest of
``table``. The ground-truth referee of the simulation uses these rules, so simulated games test ``table/games`` too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.simulation.reference_rules.common import ReferenceGame
from table.simulation.reference_rules.israeli_whist import IsraeliWhist
from table.simulation.reference_rules.oh_hell import OhHell
from table.simulation.reference_rules.oh_shit import OhShit
from table.simulation.reference_rules.prediction_whist import PredictionWhist
from table.simulation.reference_rules.whysteria import Whysteria

REFERENCE_GAMES: dict[str, type[ReferenceGame]] = {
    "whysteria": Whysteria,
    "oh-hell": OhHell,
    "prediction-whist": PredictionWhist,
    "israeli-whist": IsraeliWhist,
    "oh-shit": OhShit,
}


def make_reference_game(
    name: str, seats: Sequence[str], options: Mapping[str, Any] | None = None
) -> ReferenceGame:
    """Return a new game at its first hand, before the deal, by its name and options."""
    return REFERENCE_GAMES[name](list(seats), dict(options or {}))
