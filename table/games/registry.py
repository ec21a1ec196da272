"""The games that the table plays, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.games.base import Game
from table.games.israeli_whist import IsraeliWhist
from table.games.oh_hell import OhHell
from table.games.oh_shit import OhShit
from table.games.prediction_whist import PredictionWhist
from table.games.whysteria import Whysteria

GAMES: dict[str, type[Game]] = {
    game.name: game for game in (Whysteria, IsraeliWhist, OhShit, PredictionWhist, OhHell)
}
"""Every game by its name."""


def make_game(name: str, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Game:
    """The game of that name; ``ValueError`` says in a line what is wrong with name, seats or options."""
    if name not in GAMES:
        raise ValueError(f"no game is called {name!r} (expected one of {', '.join(GAMES)})")
    return GAMES[name](seats, options)
