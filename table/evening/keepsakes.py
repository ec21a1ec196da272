"""What the menu tells of the games that are kept: the last ones, what was counted, copies on a stick."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from table.errors import TableError
from table.games.registry import GAMES
from table.host.stick import find_stick
from table.journals.archive import games_folder, holds_something, journals, summary
from table.journals.copies import FOLDER, copy
from table.journals.plots import plots
from table.journals.statistics import Statistics, count
from table.menu.menu import Kept
from table.menu.plot import Plot
from table.menu.view import Line
from table.phrase import Phrase, say

MOST_EVENINGS: Final = 12
MOST_COUNTED: Final = 100
"""So many games are counted while people wait before the menu; `history` counts all."""


def evenings() -> tuple[Kept, ...]:
    """The last games that were kept, the latest first."""
    found = []
    for path in reversed(journals(games_folder())):
        try:
            game = summary(path) if holds_something(path) else None
        except TableError:
            continue
        if game is None or game.game not in GAMES:
            continue
        how = say("history.unfinished", hand=game.hand)
        if game.over:
            how = say("history.won" if game.winners else "history.nobody_won", winners=game.winners)
        told = say("menu.evening", game=game.game, how=how)
        totals = tuple(sorted(game.totals.items(), key=lambda item: -item[1]))
        found.append(Kept(game.name, told, totals, game.over, game.unsure))
        if len(found) == MOST_EVENINGS:
            break
    return tuple(found)


def statistics() -> tuple[Plot, ...]:
    """The bids and the times of the last games that were kept."""
    counts = Statistics()
    for path in journals(games_folder())[-MOST_COUNTED:]:
        with suppress(TableError):  # history says what is wrong with it
            if holds_something(path):
                count(counts, path, summary(path))
    return plots(counts)


def copied() -> tuple[Line, ...]:
    """All games that are kept, copied to the stick; what there is to say of it."""
    said: list[Phrase] = []
    done = 0
    try:
        stick = find_stick() / FOLDER
    except TableError as error:
        return (Line(say("menu.not_copied", error=error)),)
    for path in journals(games_folder()):
        try:
            if holds_something(path):
                copy(path, stick)
                done += 1
        except TableError as error:
            said.append(say("menu.not_copied", error=error))
    return tuple(map(Line, (say("history.copied", n=done, folder=str(stick)), *said)))
