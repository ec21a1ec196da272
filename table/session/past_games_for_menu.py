"""The stored games for the menu: a list of the last ones, statistics, copies on a USB stick."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from table.chart_data import Figures
from table.errors import TableError
from table.games.registry import GAMES
from table.history.archive import games_folder, list_games, read_game, read_summary
from table.history.export import copy_to_stick
from table.history.statistics import Statistics, make_charts, make_table
from table.menu.menu import PlayedGame
from table.menu.menu_view_data import MenuLine
from table.phrase import make_phrase

MAX_GAMES_LISTED: Final = 12
MAX_GAMES_COUNTED: Final = 100
"""The most games that are counted while people wait before the menu; `history` counts all."""


def list_past_games() -> tuple[PlayedGame, ...]:
    """Return the last stored games, the latest first."""
    played_games: list[PlayedGame] = []
    for path in reversed(list_games(games_folder())):
        with suppress(TableError):
            game = read_summary(path)
            if game.game in GAMES:
                description = make_phrase("menu.evening", game=game.game, how=game.outcome)
                totals = tuple(game.totals.items())
                played_games.append(PlayedGame(game.name, description, totals, game.over, game.unsure))
        if len(played_games) == MAX_GAMES_LISTED:
            break
    return tuple(played_games)


def past_figures() -> tuple[Figures, ...]:
    """Return the statistics of the last stored games: a table, then charts of bids and times."""
    counts = Statistics()
    for path in list_games(games_folder())[-MAX_GAMES_COUNTED:]:
        with suppress(TableError):  # `cardtable history` reports the fault
            game, journal = read_game(path)
            counts.add_game(game, journal.lines)
    return (make_table(counts, brief=True), *make_charts(counts)) if counts.people else ()


def copy_games_to_stick() -> tuple[MenuLine, ...]:
    """Copy all stored games to the USB stick; return the messages for the menu."""
    try:
        copied, errors = copy_to_stick(list_games(games_folder()))
    except TableError as error:
        return (MenuLine(make_phrase("menu.not_copied", error=error)),)
    return (MenuLine(copied), *(MenuLine(make_phrase("menu.not_copied", error=error)) for error in errors))
