"""``cardtable history``: lists the games that were played, finished and unfinished."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

from table.commands.translated_arguments import argument_help, checked_type, command_help, parse_game
from table.display.pages.bar_chart_picture import render_bar_chart
from table.display.window import save_picture
from table.errors import TableError, print_error
from table.files.atomic_writing import make_folder
from table.files.safe_reading import is_folder
from table.games.registry import GAMES
from table.history.archive import Summary, games_folder, has_lines, list_journals, read_summary
from table.history.statistics import Statistics, add_journal
from table.history.statistics_charts import make_charts
from table.i18n.terminal_output import phrase_text, print_line, print_phrase
from table.names import normalize_name
from table.phrase import Phrase, expected_error, make_phrase

MAX_NAME_LENGTH = 60
"""The most characters of a name that are printed."""


def add_parser(subparsers: Any) -> None:
    """Add the ``history`` sub-command."""
    parser = subparsers.add_parser("history", **command_help("history"))
    parser.add_argument("--json", action="store_true", help=argument_help("usage.history_json"))
    parser.add_argument(
        "--player",
        metavar="NAME",
        action="append",
        default=[],
        help=argument_help("usage.history_player"),
    )
    parser.add_argument(
        "--game",
        type=checked_type(parse_game),
        metavar="G",
        help=argument_help("usage.history_game", games=tuple(GAMES)),
    )
    parser.add_argument(
        "--since",
        metavar="DATE",
        type=checked_type(_date),
        help=argument_help("usage.history_since"),
    )
    parser.add_argument("--statistics", action="store_true", help=argument_help("usage.history_statistics"))
    parser.add_argument(
        "--plots",
        metavar="DIR",
        type=Path,
        help=argument_help("usage.history_plots"),
    )
    add_games_option(parser)
    parser.set_defaults(run=run)


def _date(value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise expected_error("expected.day", instead=value) from None


def add_games_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--games``, the folder of the games."""
    parser.add_argument(
        "--games",
        metavar="DIR",
        type=Path,
        help=argument_help("usage.games_folder"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each game, or the statistics, or draw the plots; return the exit status."""
    folder = arguments.games or games_folder()
    if arguments.games is not None and not is_folder(folder):
        raise TableError("file.no_folder", at=folder, expected=make_phrase("expected.games"))
    listed_count = 0
    statistics = Statistics()
    for path in list_journals(folder):
        if not has_lines(path):
            continue
        try:
            game = read_summary(path)
        except TableError as error:
            print_error(error)
            continue
        if game.damaged is not None:
            print_error(make_phrase("history.damaged", path=str(path), fault=game.damaged))
        if not _matches_filters(game, arguments):
            continue
        listed_count += 1
        if arguments.statistics or arguments.plots is not None:
            try:
                add_journal(statistics, path, game)
            except TableError as error:
                print_error(error)
            continue
        print_line(_format_json(game) if arguments.json else format_game(game))
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
    seats = {normalize_name(seat) for seat in game.seats}
    return (
        all(normalize_name(name) in seats for name in arguments.player)
        and arguments.game in (None, game.game)
        and (arguments.since is None or game.name[:10] >= arguments.since)
    )


def _save_plots(statistics: Statistics, plots_folder: Path, folder: Path) -> None:
    """Save the plots as pictures in a folder."""
    try:
        make_folder(plots_folder)
    except OSError as error:
        raise TableError("file.no_pictures", at=plots_folder, error=error) from None
    drawn = make_charts(statistics)
    for plot in drawn:
        path = plots_folder / f"{plot.name}.png"
        save_picture(render_bar_chart(plot), path)
        print_phrase("history.plot", path=str(path), title=plot.title)
    if not drawn:
        print_phrase("history.no_plot", folder=str(folder))


def _with_short_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "name": shorten_name(fields["name"])}


def _format_json(game: Summary) -> str:
    damaged = phrase_text(game.damaged.phrase) if game.damaged is not None else None
    return json.dumps({**asdict(replace(game, damaged=None)), "damaged": damaged}, ensure_ascii=False)


def format_game(game: Summary) -> Phrase:
    """Return a game as one line of text."""
    points = {
        shorten_name(seat): total for seat, total in sorted(game.totals.items(), key=lambda pair: -pair[1])
    }
    outcome = make_phrase("history.unfinished", hand=game.hand)
    if game.over:
        winners = tuple(map(shorten_name, game.winners))
        outcome = make_phrase("history.won" if winners else "history.nobody_won", winners=winners)
    if points:
        outcome = make_phrase("history.with_points", how=outcome, points=points)
    code = "history.game_undated" if game.unsure else "history.game"
    return make_phrase(
        code,
        name=shorten_name(game.name),
        game=shorten_name(game.game),
        seats=tuple(map(shorten_name, game.seats)),
        how=outcome,
    )


def shorten_name(name: str) -> str:
    """Return a name shortened for printing; in a damaged or foreign journal it may be long."""
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"
