"""``cardtable history``: the games that were played, finished and unfinished."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

from table.commands.arguments import about, checked, game_named, usage
from table.display.plots import plot_picture
from table.display.screen import save_picture
from table.errors import TableError, complain
from table.files.reading import is_folder
from table.files.writing import make_folder
from table.games.registry import GAMES
from table.journals.archive import Summary, games_folder, holds_something, journals, summary
from table.journals.plots import plots
from table.journals.statistics import Statistics, count
from table.names import person_of
from table.phrase import Phrase, expected, say
from table.words.spoken import put, tell, text

LONGEST = 60
"""Letters of a name that are printed."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("history", **about("history"))
    parser.add_argument("--json", action="store_true", help=usage("usage.history_json"))
    parser.add_argument(
        "--player",
        metavar="NAME",
        action="append",
        default=[],
        help=usage("usage.history_player"),
    )
    parser.add_argument(
        "--game", type=checked(game_named), metavar="G", help=usage("usage.history_game", games=tuple(GAMES))
    )
    parser.add_argument(
        "--since",
        metavar="DATE",
        type=checked(_date),
        help=usage("usage.history_since"),
    )
    parser.add_argument("--statistics", action="store_true", help=usage("usage.history_statistics"))
    parser.add_argument(
        "--plots",
        metavar="DIR",
        type=Path,
        help=usage("usage.history_plots"),
    )
    add_folder(parser)
    parser.set_defaults(run=run)


def _date(value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise expected("expected.day", instead=value) from None


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where games are kept."""
    parser.add_argument(
        "--games",
        metavar="DIR",
        type=Path,
        help=usage("usage.games_folder"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    folder = arguments.games or games_folder()
    if arguments.games is not None and not is_folder(folder):
        raise TableError("file.no_folder", at=folder, expected=say("expected.games"))
    found = 0
    statistics = Statistics()
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
        if not _is_asked_for(game, arguments):
            continue
        found += 1
        if arguments.statistics or arguments.plots is not None:
            try:
                count(statistics, path, game)
            except TableError as error:
                complain(error)
            continue
        put(_as_json(game) if arguments.json else row_of(game))
    if arguments.plots is not None:
        _draw(statistics, arguments.plots, folder)
    for person in statistics.people if arguments.statistics else ():
        named = {name: value for name, value in asdict(person).items() if name != "waits"}
        put(
            json.dumps(named, ensure_ascii=False)
            if arguments.json
            else say("history.person", **_short(named))
        )
    if not found and not arguments.json:
        chosen = arguments.player or arguments.game or arguments.since
        tell("history.none_such" if chosen else "history.none", folder=str(folder))
    return 0


def _is_asked_for(game: Summary, arguments: argparse.Namespace) -> bool:
    seats = {person_of(seat) for seat in game.seats}
    return (
        all(person_of(name) in seats for name in arguments.player)
        and arguments.game in (None, game.game)
        and (arguments.since is None or game.name[:10] >= arguments.since)
    )


def _draw(statistics: Statistics, into: Path, folder: Path) -> None:
    """Leave the plots as pictures."""
    try:
        make_folder(into)
    except OSError as error:
        raise TableError("file.no_pictures", at=into, error=error) from None
    drawn = plots(statistics)
    for plot in drawn:
        path = into / f"{plot.name}.png"
        save_picture(plot_picture(plot), path)
        tell("history.plot", path=str(path), title=plot.title)
    if not drawn:
        tell("history.no_plot", folder=str(folder))


def _short(named: dict[str, Any]) -> dict[str, Any]:
    return {**named, "name": shown(named["name"])}


def _as_json(game: Summary) -> str:
    damaged = text(game.damaged.phrase) if game.damaged is not None else None
    return json.dumps({**asdict(replace(game, damaged=None)), "damaged": damaged}, ensure_ascii=False)


def row_of(game: Summary) -> Phrase:
    """A game in a line."""
    points = {shown(seat): total for seat, total in sorted(game.totals.items(), key=lambda pair: -pair[1])}
    how = say("history.unfinished", hand=game.hand)
    if game.over:
        winners = tuple(map(shown, game.winners))
        how = say("history.won" if winners else "history.nobody_won", winners=winners)
    if points:
        how = say("history.with_points", how=how, points=points)
    code = "history.game_undated" if game.unsure else "history.game"
    return say(
        code, name=shown(game.name), game=shown(game.game), seats=tuple(map(shown, game.seats)), how=how
    )


def shown(name: str) -> str:
    """A name as it is printed: a damaged or strange journal's may be long."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
