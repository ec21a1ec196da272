"""Random tables: a game with random players, options and length, and where the players sit."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from table.games.game import Game
from table.games.registry import make_game

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
LONG = 0.35
"""The share of games of the usual length; the others are a few hands of any size."""


def random_table(name: str, rng: random.Random) -> tuple[Game, dict[str, float]]:
    """A game of that name, and each seat's angle (degrees clockwise from the picture's top)."""
    while True:
        players, options = _OPTIONS[name](rng)
        seats = NAMES[:players]
        options["first_dealer"] = rng.choice(seats)
        try:
            game = make_game(name, seats, options)
        except ValueError:
            continue  # options that don't go together, or too many cards for so many players
        turn = rng.uniform(0, 360)
        return game, {
            seat: (turn + 360 * at / players + rng.uniform(-4, 4)) % 360 for at, seat in enumerate(seats)
        }


def _hands(rng: random.Random, most: int) -> list[int]:
    return [rng.randint(1, most) for _ in range(rng.randint(2, 4))]


def _whysteria(rng: random.Random) -> tuple[int, dict[str, Any]]:
    players = rng.randint(2, 7)
    options: dict[str, Any] = {"mark": rng.random() < 0.85}
    if rng.random() < LONG:
        options["start"] = rng.choice((7, 7, 10))
    else:
        options["hands"] = _hands(rng, 8)
    return players, options


def _oh_hell(rng: random.Random) -> tuple[int, dict[str, Any]]:
    options: dict[str, Any] = {
        "scoring": rng.choice(("standard", "harsh", "quick", "catastrophe")),
        "made_all_bonus": rng.random() < 0.2,
        "hook": rng.random() < 0.8,
        "trump": rng.choice(("turned", "turned", "progressive")),
        "no_trump_every": rng.choice((None, None, 3)),
        "joker": rng.random() < 0.25,
        "exchange": rng.choice((0, 0, 0, 1, 2)),
        "forehead": rng.random() < 0.2,
        "nullo": rng.random() < 0.1,
        "packs": rng.choice((1, 1, 1, 1, 2)),
    }
    if rng.random() < LONG:
        options |= {"shape": rng.choice(("down-up", "down", "up-down")), "start": rng.randint(4, 7)}
    else:
        options["hands"] = _hands(rng, 9)
    return rng.randint(3, 8 if options["packs"] == 2 else 7), options


def _oh_shit(rng: random.Random) -> tuple[int, dict[str, Any]]:
    options: dict[str, Any] = {"joker": rng.random() < 0.3, "pack": rng.choice((52, 52, 63))}
    if rng.random() < LONG:
        options["half"] = True
    else:
        options["hands"] = _hands(rng, 9)
    return rng.randint(3, 7), options


def _prediction_whist(rng: random.Random) -> tuple[int, dict[str, Any]]:
    options: dict[str, Any] = {
        "lives": rng.randint(1, 4),
        "return": rng.choice(("jump", "climb")),
        "double_nil": rng.random() < 0.4,
    }
    if rng.random() >= LONG:
        options["hands"] = _hands(rng, 8)
    return rng.randint(2, 8), options


def _israeli_whist(rng: random.Random) -> tuple[int, dict[str, Any]]:
    options: dict[str, Any] = {
        "hands": [13] * rng.randint(1, 3) if rng.random() < LONG else [rng.randint(4, 13), rng.randint(4, 9)],
        "gulash": rng.choice(("off", "plain", "rising")),
        "scoring": rng.choice(("standard", "elhanani")),
    }
    return 4, options


_OPTIONS: dict[str, Callable[[random.Random], tuple[int, dict[str, Any]]]] = {
    "whysteria": _whysteria,
    "oh-hell": _oh_hell,
    "israeli-whist": _israeli_whist,
    "oh-shit": _oh_shit,
    "prediction-whist": _prediction_whist,
}
