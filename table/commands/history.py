"""``cardtable history``: the games that were played, finished and unfinished."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from table.archive import Summary, games_folder, holds_something, journals, summary
from table.errors import TableError, complain
from table.files import is_folder
from table.games.registry import GAMES
from table.phrase import Phrase, say
from table.words.spoken import tell, text

LONGEST = 60
"""Letters of a name that are printed."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "history",
        help="finished and unfinished games",
        description="List the games that are kept, the earliest first: when each began, who played, how it ended.",
    )
    parser.add_argument("--json", action="store_true", help="a JSON object for each game")
    add_folder(parser)
    parser.set_defaults(run=run)


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where games are kept."""
    parser.add_argument(
        "--games",
        metavar="DIR",
        type=Path,
        help="where games are kept (default: ~/.local/state/cardtable/games)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    folder = arguments.games or games_folder()
    if arguments.games is not None and not is_folder(folder):
        raise TableError(f"{folder}: no such folder: expected one with games")
    found = 0
    for path in journals(folder):
        if not holds_something(path):
            continue
        try:
            game = summary(path)
        except TableError as error:
            complain(error)
            continue
        if game.damaged is not None:
            complain(say("history.damaged", path=str(path), fault=game.damaged))
        found += 1
        print(json.dumps(asdict(game), ensure_ascii=False) if arguments.json else text(told(game)))
    if not found and not arguments.json:
        tell("history.none", folder=str(folder))
    return 0


def told(game: Summary) -> Phrase:
    """A game in a line."""
    title = GAMES[game.game].title if game.game in GAMES else shown(game.game)
    points = {shown(seat): total for seat, total in sorted(game.totals.items(), key=lambda pair: -pair[1])}
    how = say("history.unfinished", hand=game.hand)
    if game.over:
        winners = tuple(map(shown, game.winners))
        how = say("history.won" if winners else "history.nobody_won", winners=winners)
    if points:
        how = say("history.with_points", how=how, points=points)
    return say(
        "history.game", name=shown(game.name), title=title, seats=tuple(map(shown, game.seats)), how=how
    )


def shown(name: str) -> str:
    """A name as it may be printed: a damaged or strange journal's may be long, or steer the terminal."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in name[: LONGEST + 1])
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
