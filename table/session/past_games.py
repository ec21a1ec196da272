"""The stored games for the menu: a list of the last ones, statistics, copies on a USB stick."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from table.bar_chart import BarChart
from table.errors import TableError
from table.games.registry import GAMES
from table.history.archive import games_folder, holds_something, journals, summary
from table.history.export import FOLDER, copy
from table.history.statistics import Statistics, count
from table.history.statistics_charts import plots
from table.menu.menu import PlayedGame
from table.menu.menu_view import MenuLine
from table.phrase import Phrase, make_phrase
from table.system.usb_stick import find_stick

MOST_EVENINGS: Final = 12
MOST_COUNTED: Final = 100
"""The most games that are counted while people wait before the menu; `history` counts all."""


def evenings() -> tuple[PlayedGame, ...]:
    """Return the last stored games, the latest first."""
    played_games = []
    for path in reversed(journals(games_folder())):
        try:
            game = summary(path) if holds_something(path) else None
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
        if len(played_games) == MOST_EVENINGS:
            break
    return tuple(played_games)


def statistics() -> tuple[BarChart, ...]:
    """Return charts of the bids and the times of the last stored games."""
    counts = Statistics()
    for path in journals(games_folder())[-MOST_COUNTED:]:
        with suppress(TableError):  # `cardtable history` reports the fault
            if holds_something(path):
                count(counts, path, summary(path))
    return plots(counts)


def copied() -> tuple[MenuLine, ...]:
    """Copy all stored games to the USB stick; return the messages for the menu."""
    messages: list[Phrase] = []
    copied_count = 0
    try:
        stick = find_stick() / FOLDER
    except TableError as error:
        return (MenuLine(make_phrase("menu.not_copied", error=error)),)
    for path in journals(games_folder()):
        try:
            if holds_something(path):
                copy(path, stick)
                copied_count += 1
        except TableError as error:
            messages.append(make_phrase("menu.not_copied", error=error))
    return tuple(map(MenuLine, (make_phrase("history.copied", n=copied_count, folder=str(stick)), *messages)))
