"""``cardtable history`` lists the games that were played; ``cardtable export`` prints or copies them."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import category, east_asian_width

from table.chart_data import FiguresTable
from table.commands.arguments import Parser, add_command, checked_type, parse_game, usage_text
from table.display.pages.charts import render_bar_chart
from table.display.picture_files import save_picture
from table.errors import TableError, convert_errors, print_error
from table.files.atomic_writing import make_folder
from table.files.safe_reading import is_file, is_folder
from table.games.registry import GAMES
from table.history.archive import Summary, games_folder, list_games, read_game
from table.history.export import STICK_FOLDER, copy_to_stick, csv_text, pbn_text
from table.history.moment_pictures import read_picture
from table.history.page.game_page import game_page
from table.history.statistics import Statistics, make_charts, make_table
from table.i18n.phrase_rendering import escape_unprintable
from table.i18n.terminal_output import phrase_text, print_line, print_phrase, terminal_renderer
from table.names import normalize_name
from table.phrase import Phrase, expected_error, make_phrase
from table.referee.records.checksummed_journal_rows import JournalScan

MAX_NAME_LENGTH = 60
"""The most characters of a name that are printed."""


def add_parser(subparsers: Any) -> None:
    """Add both sub-commands."""
    parser = add_command(subparsers, "history", run_history)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--player", metavar="NAME", action="append", default=[])
    games = {"games": tuple(GAMES)}
    parser.add_argument("--game", type=checked_type(parse_game), metavar="G", fields=games)
    parser.add_argument("--since", metavar="DATE", type=checked_type(_parse_day))
    parser.add_argument("--statistics", action="store_true")
    parser.add_argument("--plots", metavar="DIR", type=Path)
    _add_games_option(parser)
    parser = add_command(subparsers, "export", run_export)
    parser.add_argument("game", metavar="GAME", nargs="?")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help=usage_text("usage.export_csv"))
    form.add_argument("--html", action="store_true", help=usage_text("usage.export_html"))
    form.add_argument("--pbn", action="store_true", help=usage_text("usage.export_pbn"))
    stick_usage = usage_text("usage.export_stick", folder=STICK_FOLDER)
    form.add_argument("--stick", action="store_true", help=stick_usage)
    _add_games_option(parser)


def _add_games_option(parser: Parser) -> None:
    parser.add_argument("--games", metavar="DIR", type=Path, usage="usage.games_folder")


def _parse_day(value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise expected_error("expected.day", instead=value) from None


# --- history ------------------------------------------------------------------------------------------------------


def run_history(arguments: argparse.Namespace) -> int:
    """Print a line for each game, or the statistics, or draw the plots; return the exit status."""
    folder = arguments.games or games_folder()
    if arguments.games is not None and not is_folder(folder):
        raise TableError("file.no_folder", at=folder, expected=make_phrase("expected.games"))
    listed_count = 0
    statistics = Statistics()
    for path in list_games(folder):
        try:
            game, journal = read_game(path)
            if game.damaged is not None:
                print_error(make_phrase("history.damaged", path=str(path), fault=game.damaged))
            if not _matches_filters(game, arguments):
                continue
            listed_count += 1
            if arguments.statistics or arguments.plots is not None:
                with convert_errors(TableError, at=path):
                    statistics.add_game(game, journal.lines)
            else:
                print_line(_format_json(game) if arguments.json else _format_game(game))
        except TableError as error:
            print_error(error)
    if arguments.plots is not None:
        _save_plots(statistics, arguments.plots, folder)
    if arguments.statistics:
        _print_statistics(statistics, as_json=arguments.json)
    if not listed_count and not arguments.json:
        chosen = arguments.player or arguments.game or arguments.since
        print_phrase("history.none_such" if chosen else "history.none", folder=str(folder))
    return 0


def _matches_filters(game: Summary, arguments: argparse.Namespace) -> bool:
    seats = {normalize_name(seat) for seat in game.seats}
    return (
        all(normalize_name(name) in seats for name in arguments.player)
        and arguments.game in (None, game.game)
        and (arguments.since is None or (game.began is not None and game.began[0] >= arguments.since))
    )


def _save_plots(statistics: Statistics, plots_folder: Path, folder: Path) -> None:
    with convert_errors(OSError, "file.no_pictures", at=plots_folder):
        make_folder(plots_folder)
    drawn = make_charts(statistics)
    for plot in drawn:
        path = plots_folder / f"{plot.name}.png"
        save_picture(render_bar_chart(plot), path)
        print_phrase("history.plot", path=str(path), title=plot.title)
    if not drawn:
        print_phrase("history.no_plot", folder=str(folder))


def _print_statistics(statistics: Statistics, *, as_json: bool) -> None:
    if not as_json:
        _print_table(make_table(statistics))
        return
    for person in statistics.people:
        fields = {name: value for name, value in asdict(person).items() if name != "thinking_times_ns"}
        print_line(json.dumps(fields, ensure_ascii=False))


def _print_table(table: FiguresTable) -> None:
    """Print a table, the names to the left and the figures to the right of their columns."""
    rows = [table.columns, *((_shorten_name(name), *cells) for name, cells in table.rows)]
    texts = [[escape_unprintable(phrase_text(cell)) for cell in row] for row in rows] if table.rows else []
    widths = [max(map(_columns_wide, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        gaps = [" " * (width - _columns_wide(cell)) for width, cell in zip(widths, row, strict=True)]
        cells = [row[0] + gaps[0], *(gap + cell for gap, cell in zip(gaps[1:], row[1:], strict=True))]
        print_line("  ".join(cells))


def _columns_wide(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide letters take two, marks above others none."""
    return sum(
        2 if east_asian_width(letter) in "WF" else 1
        for letter in text
        if category(letter) not in ("Cf", "Me", "Mn")
    )


def _format_json(game: Summary) -> str:
    damaged = phrase_text(game.damaged.phrase) if game.damaged is not None else None
    return json.dumps({**asdict(replace(game, damaged=None)), "damaged": damaged}, ensure_ascii=False)


def _format_game(game: Summary) -> Phrase:
    points = {_shorten_name(seat): total for seat, total in game.totals.items()}
    outcome = replace(game, winners=tuple(map(_shorten_name, game.winners))).outcome
    if points:
        outcome = make_phrase("history.with_points", how=outcome, points=points)
    return make_phrase(
        "history.game_undated" if game.unsure else "history.game",
        name=_shorten_name(game.name),
        game=_shorten_name(game.game),
        seats=tuple(map(_shorten_name, game.seats)),
        how=outcome,
    )


def _shorten_name(name: str) -> str:
    """Return a name shortened for printing; in a damaged or foreign journal it may be long."""
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"


# --- export -------------------------------------------------------------------------------------------------------


def run_export(arguments: argparse.Namespace) -> int:
    """Print a game in the requested format, or copy games to the stick; return 1 where a journal is damaged."""
    folder = arguments.games or games_folder()
    if arguments.stick:
        games = [_find_game(arguments.game, folder)] if arguments.game else _stored_games(folder)
        return _copy_to_stick(games)
    path = _find_game(arguments.game, folder)
    game, journal = read_game(path)
    with convert_errors(TableError, at=path):
        if arguments.html:
            print_line(
                game_page(game, journal.lines, terminal_renderer(), partial(read_picture, path)), end=""
            )
        else:
            _print_game(arguments, path, game, journal)
    if journal.damage is not None:
        print_error(make_phrase("history.exported_before", path=str(path), fault=journal.damage))
        return 1
    return 0


def _print_game(arguments: argparse.Namespace, path: Path, game: Summary, journal: JournalScan) -> None:
    if arguments.csv:
        print_line(csv_text(journal.lines), end="")
    elif arguments.pbn:
        text, count, omitted = pbn_text(game, journal.lines)
        if not count:
            raise TableError("history.nothing_in_pbn")
        print_line(text, end="")
        if omitted:
            print_error(make_phrase("history.no_pbn", path=str(path), n=omitted))
    elif journal.lines:
        print_line(journal.head_bytes(len(journal.lines)).decode(), end="")


def _copy_to_stick(games: list[Path]) -> int:
    copied, errors = copy_to_stick(games)
    for error in errors:
        print_error(error)
    print_line(phrase_text(copied))
    return 1 if errors else 0


def _stored_games(folder: Path) -> list[Path]:
    paths = list_games(folder)
    if not paths:
        raise TableError("journal.none_kept", at=folder)
    return paths


def _find_game(name: str | None, folder: Path) -> Path:
    if name is None:
        return _stored_games(folder)[-1]
    for path in (folder / f"{name}.jsonl", Path(name)):
        if is_file(path):
            return path
    raise TableError("journal.no_such", at=name, folder=folder)
