"""The registry of games by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.games.engine.ruleset import GameSpec
from table.games.game import Game, make_game_from_spec
from table.games.israeli_whist import ISRAELI_WHIST
from table.games.oh_hell import OH_HELL
from table.games.oh_shit import OH_SHIT
from table.games.prediction_whist import PREDICTION_WHIST
from table.games.whysteria import WHYSTERIA
from table.phrase import WrongValueError

GAMES: dict[str, GameSpec] = {
    kind.name: kind for kind in (WHYSTERIA, ISRAELI_WHIST, OH_SHIT, PREDICTION_WHIST, OH_HELL)
}
"""Every game by its name."""


def make_game(name: str, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Game:
    """Make the game of that name; ``WrongValueError`` says what is wrong with name, players or options."""
    if name not in GAMES:
        raise WrongValueError("wrong.no_game", at=name, games=tuple(GAMES))
    return make_game_from_spec(GAMES[name], seats, options)
