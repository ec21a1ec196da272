"""``cardtable games``: the games, their options, and the rules as played with the defaults."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from table.commands.arguments import about, game_named, usage
from table.config import load_config
from table.errors import TableError
from table.games.game import Game
from table.games.options import so_many
from table.games.registry import GAMES, make_game
from table.phrase import WrongValueError, say
from table.pipeline import game_of
from table.words.pages import page
from table.words.spoken import put, spoken, tell, text


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("games", **about("games"))
    parser.add_argument("game", metavar="G", nargs="?", help=usage("usage.games_game"))
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help=usage("usage.games_config"),
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    try:
        asked = None if arguments.game is None else game_named(arguments.game)
    except WrongValueError as error:
        raise TableError(error) from None
    if arguments.config is not None:
        config = load_config(arguments.config)
        if asked not in (None, config.game):
            where = (arguments.config, "game.name")
            raise TableError("set_up.other_game", at=where, game=config.game, asked=asked)
        put(_page(game_of(config)))
        return 0
    if asked is None:
        for name, game in GAMES.items():
            told = say("games.one", game=name, range=so_many(*game.seat_range))
            put(f"{name:18}{text(told)}")
        put("")
        tell("games.hint")
        return 0
    found = GAMES[asked]
    low, high = found.seat_range
    tell("games.options", game=found.name, name=json.dumps(found.name), range=so_many(low, high))
    for option in found.options_offered:
        default = text(say("games.no_default")) if option.default is None else json.dumps(option.default)
        put(
            f"  {option.name} = {default}\n      {text(option.about(found.name))} ({text(option.check.kind)})"
        )
    seats = [text(say("games.player", number=number)) for number in range(1, max(low, min(high, 4)) + 1)]
    put("\n" + _page(make_game(asked, seats, found.proposed)))
    return 0


def _page(game: Game) -> str:
    """The rules as played."""
    language = spoken().catalogue.language
    return page(game.name, game.page(), language, package=game.kind.pages)
