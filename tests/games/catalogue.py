"""Every game with the option sets that the generic tests run over."""

from __future__ import annotations

from typing import Any

from table.games.core import TrickGame
from table.games.registry import make_game

NAMES = ("North", "East", "South", "West", "Fay", "Gus", "Hal", "Ida")

Kind = tuple[str, int, dict[str, Any]]

WHYSTERIA: list[Kind] = [
    ("whysteria", 2, {"hands": [3, 2, 1, 2]}),
    ("whysteria", 3, {}),
    ("whysteria", 4, {"start": 10, "hands": [4, 1, 3]}),
    ("whysteria", 5, {"constant": 4}),
    ("whysteria", 7, {"hands": [7, 1], "mark": False, "first_dealer": "Gus"}),
]

KINDS: list[Kind] = [*WHYSTERIA]


def game_of(kind: Kind) -> TrickGame:
    """The game of one kind."""
    name, players, options = kind
    game = make_game(name, NAMES[:players], options)
    assert isinstance(game, TrickGame)
    return game


def label(kind: Kind) -> str:
    """A kind in a few words."""
    return f"{kind[0]}-{kind[1]}-" + ",".join(f"{key}={value}" for key, value in kind[2].items())
