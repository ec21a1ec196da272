"""The games that the table plays, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.games.game import Game, game_of_kind
from table.games.israeli_whist import ISRAELI_WHIST
from table.games.oh_hell import OH_HELL
from table.games.oh_shit import OH_SHIT
from table.games.prediction_whist import PREDICTION_WHIST
from table.games.rules import Kind
from table.games.whysteria import WHYSTERIA
from table.phrase import WrongValueError

GAMES: dict[str, Kind] = {
    kind.name: kind for kind in (WHYSTERIA, ISRAELI_WHIST, OH_SHIT, PREDICTION_WHIST, OH_HELL)
}
"""Every game by its name."""


def make_game(name: str, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Game:
    """The game of that name; ``WrongValueError`` says what is wrong with name, seats or options."""
    if name not in GAMES:
        raise WrongValueError("wrong.no_game", at=name, games=tuple(GAMES))
    return game_of_kind(GAMES[name], seats, options)
