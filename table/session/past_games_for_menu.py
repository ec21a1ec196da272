"""The stored games for the menu: a list of the last ones, statistics, copies on a USB stick."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from table.bar_chart_data import BarChart
from table.errors import TableError
from table.games.registry import GAMES
from table.history.archive import games_folder, has_lines, list_journals, read_summary
from table.history.export import STICK_FOLDER, export_game
from table.history.statistics import Statistics, add_journal
from table.history.statistics_charts import make_charts
from table.menu.menu import PlayedGame
from table.menu.menu_view_data import MenuLine
from table.phrase import Phrase, make_phrase
from table.system.disks import find_stick

MAX_GAMES_LISTED: Final = 12
MAX_GAMES_COUNTED: Final = 100
"""The most games that are counted while people wait before the menu; `history` counts all."""


def list_past_games() -> tuple[PlayedGame, ...]:
    """Return the last stored games, the latest first."""
    played_games = []
    for path in reversed(list_journals(games_folder())):
        try:
            game = read_summary(path) if has_lines(path) else None
        except TableError:
            continue
        if game is None or game.game not in GAMES:
            continue
        outcome = make_phrase("history.unfinished", hand=game.hand)
        if game.over:
            outcome = make_phrase(
                "history.won" if game.winners else "history.nobody_won", winners=game.winners
            )
        description = make_phrase("menu.evening", game=game.game, how=outcome)
        totals = tuple(sorted(game.totals.items(), key=lambda item: -item[1]))
        played_games.append(PlayedGame(game.name, description, totals, game.over, game.unsure))
        if len(played_games) == MAX_GAMES_LISTED:
            break
    return tuple(played_games)


def chart_past_games() -> tuple[BarChart, ...]:
    """Return charts of the bids and the times of the last stored games."""
    counts = Statistics()
    for path in list_journals(games_folder())[-MAX_GAMES_COUNTED:]:
        with suppress(TableError):  # `cardtable history` reports the fault
            if has_lines(path):
                add_journal(counts, path, read_summary(path))
    return make_charts(counts)


def copy_games_to_stick() -> tuple[MenuLine, ...]:
    """Copy all stored games to the USB stick; return the messages for the menu."""
    messages: list[Phrase] = []
    copied_count = 0
    try:
        stick = find_stick() / STICK_FOLDER
    except TableError as error:
        return (MenuLine(make_phrase("menu.not_copied", error=error)),)
    for path in list_journals(games_folder()):
        try:
            if has_lines(path):
                export_game(path, stick)
                copied_count += 1
        except TableError as error:
            messages.append(make_phrase("menu.not_copied", error=error))
    return tuple(map(MenuLine, (make_phrase("history.copied", n=copied_count, folder=str(stick)), *messages)))
