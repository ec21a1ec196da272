"""``cardtable games``: the games, their options, and the rules as played with the defaults."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from table.config import load_config
from table.errors import TableError
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.pipeline import game_of
from table.words.pages import page


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "games",
        help="the games and their options with defaults",
        description="List the games; with a game's name, its options with defaults and a page of its rules.",
    )
    parser.add_argument("game", metavar="G", nargs="?", help="a game's name")
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="print the rules as played at the table of this table.toml",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.config is not None:
        config = load_config(arguments.config)
        if arguments.game not in (None, config.game):
            raise TableError(
                f"{arguments.config}: game.name: {config.game!r}, but {arguments.game!r} was asked for"
            )
        print(_page(game_of(config)))
        return 0
    if arguments.game is None:
        for name, game in GAMES.items():
            low, high = game.seat_range
            print(f"{name:18}{game.title}, {low} to {high} players")
        print("\nOptions and rules of one of them: cardtable games NAME")
        return 0
    if arguments.game not in GAMES:
        raise TableError(f"{arguments.game}: no such game: expected one of {', '.join(GAMES)}")
    found = GAMES[arguments.game]
    low, high = found.seat_range
    print(f"{found.title} (name = {json.dumps(found.name)}), {low} to {high} players\n\nOptions:")
    for option in found.options_offered:
        default = "none" if option.default is None else json.dumps(option.default)
        print(f"  {option.name} = {default}\n      {option.help} ({option.kind})")
    seats = [f"Player {number}" for number in range(1, max(low, min(high, 4)) + 1)]
    print("\n" + _page(make_game(arguments.game, seats, found.proposed)))
    return 0


def _page(game: Game) -> str:
    """The rules as played."""
    return page(game.name, game.page(), package=game.kind.pages)
