"""The referee's desk: what its judges share, the book, the mark, the notices and the windows of judgement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from table.facts import MS
from table.games.base import Event, Expected, Game, Refusal, State
from table.referee.book import Book
from table.referee.inbox import Inbox
from table.referee.mark import Mark
from table.referee.view import Notice

NOTICES = 6
"""So many sentences are kept for the screen."""


@dataclass(frozen=True, slots=True)
class Times:
    """The windows of judgement, in nanoseconds."""

    bid_tie_ns: int = 30 * MS
    lead_tie_ns: int = 250 * MS
    tap_gap_ns: int = 500 * MS
    dial_ns: int = 2_500 * MS


class Desk:
    """The state of a game at a table, and how to change it."""

    def __init__(self, book: Book, angles: Mapping[str, float], times: Times) -> None:
        self.book = book
        self.angles = dict(angles)
        self.times = times
        self.inbox = Inbox(book.game.seats)
        self.mark = Mark()
        self.notices: list[Notice] = []
        self.now_ns = 0

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.book.game

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.book.state

    @property
    def expected(self) -> Expected:
        """What may happen next."""
        return self.game.expected(self.state)

    def apply(self, event: Event, t_ns: int, **extra: object) -> Refusal | None:
        """Apply an event of the game; ``extra`` fields go into its journal line."""
        return self.book.apply(event, t_ns, self.now_ns, extra)

    def remark(self, event: str, t_ns: int, fields: Mapping[str, Any]) -> None:
        """Say a journal line that changes no state."""
        self.book.remark(event, t_ns, self.now_ns, fields)

    def tell(self, t_ns: int, kind: Literal["ruling", "hint", "trouble"], text: str, *seats: str) -> None:
        """Put a sentence on the screen."""
        self.notices.insert(0, Notice(t_ns, kind, text, seats))
        del self.notices[NOTICES:]


def listed(names: Iterable[str]) -> str:
    """``Ada``, ``Ada and Ben``, ``Ada, Ben and Cleo``."""
    every = list(names)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)
