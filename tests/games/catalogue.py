"""Every game with the option sets that the generic tests run over."""

from __future__ import annotations

from typing import Any

from table.games.game import Game
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

ISRAELI: list[Kind] = [
    ("israeli-whist", 4, {"target": 40}),
    ("israeli-whist", 4, {"target": 30, "gulash": "plain", "scoring": "elhanani"}),
    ("israeli-whist", 4, {"hands": [4, 13], "gulash": "rising", "first_dealer": "South"}),
]

OH_SHIT: list[Kind] = [
    ("oh-shit", 3, {}),
    ("oh-shit", 5, {"half": True, "joker": True}),
    ("oh-shit", 6, {"hands": [2, 1]}),
    ("oh-shit", 7, {"pack": 63, "hands": [9, 1, 4]}),
    ("oh-shit", 4, {"joker": True, "hands": [13, 6, 2]}),
]

PREDICTION: list[Kind] = [
    ("prediction-whist", 2, {"lives": 2}),
    ("prediction-whist", 5, {"return": "climb", "double_nil": True}),
    ("prediction-whist", 8, {"double_nil": True}),
    ("prediction-whist", 3, {"hands": [3, 1, 2]}),
]

OH_HELL: list[Kind] = [
    ("oh-hell", 4, {}),
    ("oh-hell", 3, {"hands": [2, 1]}),
    ("oh-hell", 5, {"shape": "down", "start": 4, "scoring": "harsh", "exchange": 1, "made_all_bonus": True}),
    ("oh-hell", 3, {"shape": "up-down", "start": 5, "scoring": "quick", "hook": False, "forehead": True}),
    ("oh-hell", 4, {"scoring": "catastrophe", "trump": "progressive", "joker": True, "start": 6}),
    ("oh-hell", 4, {"joker": True, "no_trump_every": 2, "exchange": 2, "hands": [4, 2, 1, 6]}),
    (
        "oh-hell",
        4,
        {
            "hands": [1, 2, 1],
            "forehead": "final",
            "exchange": 1,
            "exchange_to": "right",
            "scoring": "tricks",
            "tie_break": "every",
        },
    ),
    ("oh-hell", 3, {"nullo": True, "hands": [3, 2, 1]}),
    ("oh-hell", 3, {"nullo": "race", "hands": [2, 1]}),
    ("oh-hell", 8, {"packs": 2, "joker": True, "start": 5, "shape": "down"}),
    ("oh-hell", 3, {"packs": 2, "hands": [30, 12], "made_all_bonus": 7}),
]

KINDS: list[Kind] = [*WHYSTERIA, *ISRAELI, *OH_SHIT, *PREDICTION, *OH_HELL]


def game_of(kind: Kind) -> Game:
    """The game of one kind."""
    name, players, options = kind
    return make_game(name, NAMES[:players], options)


def label(kind: Kind) -> str:
    """A kind in a few words."""
    return f"{kind[0]}-{kind[1]}-" + ",".join(f"{key}={value}" for key, value in kind[2].items())
