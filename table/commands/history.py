"""``cardtable history``: lists the games that were played, finished and unfinished."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

from table.commands.arguments import about, checked, game_named, usage
from table.display.pages.bar_chart_picture import plot_picture
from table.display.window import save_picture
from table.errors import TableError, complain
from table.files.atomic_writing import make_folder
from table.files.safe_reading import is_folder
from table.games.registry import GAMES
from table.history.archive import Summary, games_folder, holds_something, journals, summary
from table.history.statistics import Statistics, count
from table.history.statistics_charts import plots
from table.i18n.terminal_output import phrase_text, print_line, print_phrase
from table.names import person_of
from table.phrase import Phrase, expected, make_phrase

LONGEST = 60
"""The most characters of a name that are printed."""


def add_parser(subparsers: Any) -> None:
    """Add the ``history`` sub-command."""
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
    """Add the option ``--games``, the folder of the games."""
    parser.add_argument(
        "--games",
        metavar="DIR",
        type=Path,
        help=usage("usage.games_folder"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each game, or the statistics, or draw the plots; return the exit status."""
    folder = arguments.games or games_folder()
    if arguments.games is not None and not is_folder(folder):
        raise TableError("file.no_folder", at=folder, expected=make_phrase("expected.games"))
    listed_count = 0
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
            complain(make_phrase("history.damaged", path=str(path), fault=game.damaged))
        if not _matches_filters(game, arguments):
            continue
        listed_count += 1
        if arguments.statistics or arguments.plots is not None:
            try:
                count(statistics, path, game)
            except TableError as error:
                complain(error)
            continue
        print_line(_format_json(game) if arguments.json else row_of(game))
    if arguments.plots is not None:
        _save_plots(statistics, arguments.plots, folder)
    for person in statistics.people if arguments.statistics else ():
        fields = {name: value for name, value in asdict(person).items() if name != "waits"}
        print_line(
            json.dumps(fields, ensure_ascii=False)
            if arguments.json
            else make_phrase("history.person", **_with_short_name(fields))
        )
    if not listed_count and not arguments.json:
        chosen = arguments.player or arguments.game or arguments.since
        print_phrase("history.none_such" if chosen else "history.none", folder=str(folder))
    return 0


def _matches_filters(game: Summary, arguments: argparse.Namespace) -> bool:
    seats = {person_of(seat) for seat in game.seats}
    return (
        all(person_of(name) in seats for name in arguments.player)
        and arguments.game in (None, game.game)
        and (arguments.since is None or game.name[:10] >= arguments.since)
    )


def _save_plots(statistics: Statistics, plots_folder: Path, folder: Path) -> None:
    """Save the plots as pictures in a folder."""
    try:
        make_folder(plots_folder)
    except OSError as error:
        raise TableError("file.no_pictures", at=plots_folder, error=error) from None
    drawn = plots(statistics)
    for plot in drawn:
        path = plots_folder / f"{plot.name}.png"
        save_picture(plot_picture(plot), path)
        print_phrase("history.plot", path=str(path), title=plot.title)
    if not drawn:
        print_phrase("history.no_plot", folder=str(folder))


def _with_short_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "name": shown(fields["name"])}


def _format_json(game: Summary) -> str:
    damaged = phrase_text(game.damaged.phrase) if game.damaged is not None else None
    return json.dumps({**asdict(replace(game, damaged=None)), "damaged": damaged}, ensure_ascii=False)


def row_of(game: Summary) -> Phrase:
    """Return a game as one line of text."""
    points = {shown(seat): total for seat, total in sorted(game.totals.items(), key=lambda pair: -pair[1])}
    outcome = make_phrase("history.unfinished", hand=game.hand)
    if game.over:
        winners = tuple(map(shown, game.winners))
        outcome = make_phrase("history.won" if winners else "history.nobody_won", winners=winners)
    if points:
        outcome = make_phrase("history.with_points", how=outcome, points=points)
    code = "history.game_undated" if game.unsure else "history.game"
    return make_phrase(
        code, name=shown(game.name), game=shown(game.game), seats=tuple(map(shown, game.seats)), how=outcome
    )


def shown(name: str) -> str:
    """Return a name shortened for printing; in a damaged or foreign journal it may be long."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
