"""The registry of games by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.games.engine.option_checks import check_seats
from table.games.engine.ruleset import GameSpec
from table.games.game import Game
from table.games.israeli_whist import ISRAELI_WHIST
from table.games.oh_hell import OH_HELL
from table.games.oh_shit import OH_SHIT
from table.games.prediction_whist import PREDICTION_WHIST
from table.games.whysteria import WHYSTERIA
from table.phrase import WrongValueError, expected_error

GAMES: dict[str, GameSpec] = {
    spec.name: spec for spec in (WHYSTERIA, ISRAELI_WHIST, OH_SHIT, PREDICTION_WHIST, OH_HELL)
}


def make_game(name: str, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Game:
    """Make the game of that name; ``WrongValueError`` says what is wrong with name, players or options."""
    if name not in GAMES:
        raise WrongValueError("wrong.no_game", at=name, games=tuple(GAMES))
    spec, given = GAMES[name], options or {}
    allowed = spec.seats_allowed(given) if spec.seats_allowed is not None else spec.seat_range
    try:
        players = check_seats(seats, allowed)
        settled = spec.options.read(given, players).settle(len(players))
    except WrongValueError as wrong:
        raise WrongValueError(wrong, at=name) from None
    return Game(settled.make_rules(), spec, players, settled)


def game_begun_by(line: Mapping[str, Any]) -> Game:
    """Make the game of a journal's first line; ``WrongValueError`` where it begins none that is known."""
    if line.get("event") != "game_started":
        raise expected_error("expected.game_started")
    name, seats, options = line.get("game"), line.get("seats"), line.get("options")
    if not isinstance(name, str) or not isinstance(seats, list) or not isinstance(options, dict):
        raise expected_error("expected.game_fields")
    return make_game(name, tuple(map(str, seats)), options)
