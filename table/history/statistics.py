"""Statistics of people over many games: games won, bids made, over and under, thinking times.

A player who returns is the same person however the name is written (:func:`table.names.normalize_name`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from table.errors import TableError
from table.history.archive import Summary, hand_rows
from table.history.thinking_times import Wait, thinking_times
from table.names import normalize_name
from table.referee.records.checksummed_journal_rows import scan_rows


@dataclass(slots=True)
class BidTally:
    """The number of bids made, over and under."""

    made: int = 0
    over: int = 0
    """More tricks were taken than bid."""
    under: int = 0

    @property
    def total(self) -> int:
        """The number of all bids."""
        return self.made + self.over + self.under

    def count(self, bid: int, tricks: int) -> None:
        """Count one bid with the tricks taken."""
        self.made += tricks == bid
        self.over += tricks > bid
        self.under += tricks < bid


@dataclass(slots=True)
class Person:
    """One player's statistics over all games."""

    name: str
    """The name as it was written last."""
    games: int = 0
    finished: int = 0
    won: int = 0
    """The number of finished games won."""
    hands: int = 0
    """The number of hands with a bid for a number of tricks."""
    made: int = 0
    over: int = 0
    """Hands with more tricks than bid."""
    under: int = 0
    thinking_times_ns: dict[str, list[int]] = field(default_factory=lambda: {"bid": [], "card": []})
    """The thinking time of each bid and each card, in nanoseconds."""


class Statistics:
    """Counts over games, which are added one after the other."""

    def __init__(self) -> None:
        self._people: dict[str, Person] = {}
        self.by_hand_size: defaultdict[int, BidTally] = defaultdict(BidTally)
        """Bids by the number of cards in each player's hand."""
        self.by_seat_position: defaultdict[int, BidTally] = defaultdict(BidTally)
        """Bids by the seat: 1 is the dealer's left, 2 the next one; 0 is the dealer."""

    @property
    def people(self) -> list[Person]:
        """All persons, those with most games first, then by name."""
        return sorted(self._people.values(), key=lambda person: (-person.games, normalize_name(person.name)))

    def add(
        self,
        seats: Iterable[str],
        winners: Iterable[str],
        rows: Sequence[Mapping[str, Any]],
        *,
        over: bool,
        took: Iterable[Wait] = (),
    ) -> None:
        """Add a finished or unfinished game to the counts.

        ``seats``: its players; ``winners`` count if it is ``over``; ``rows``: its hands as ``archive.hand_rows``
        returns them.
        """
        for person in {normalize_name(seat): self._person(seat) for seat in seats}.values():
            person.games += 1
            person.finished += over
        for winner in winners if over else ():
            self._person(winner).won += 1
        for row in rows:
            bid, tricks = row["bid"], row["tricks"]
            bid = 0 if bid == "double nil" else bid
            if isinstance(bid, int) and isinstance(tricks, int):
                person = self._person(row["seat"])
                person.hands += 1
                person.made += tricks == bid
                person.over += tricks > bid
                person.under += tricks < bid
                self.by_hand_size[row["cards"]].count(bid, tricks)
                self.by_seat_position[_place(row, rows)].count(bid, tricks)
        for wait in took:
            self._person(wait.seat).thinking_times_ns[wait.action].append(wait.duration_ns)

    def _person(self, name: str) -> Person:
        """Return the person with this name, and store the name as the one written last."""
        person = self._people.setdefault(normalize_name(name), Person(name))
        person.name = name
        return person


def _place(row: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> int:
    """Return the number of seats to the left of the dealer, among those who bid in that hand."""
    bidders = [
        bidder_row["seat"]
        for bidder_row in rows
        if bidder_row["hand"] == row["hand"] and bidder_row["bid"] is not None
    ]
    if row["dealer"] not in bidders:
        return bidders.index(row["seat"]) + 1
    return (bidders.index(row["seat"]) - bidders.index(row["dealer"])) % len(bidders)


def add_journal(statistics: Statistics, path: Path, game: Summary) -> None:
    """Add the game whose journal is at ``path``; ``TableError`` for a line that lacks or garbles a field."""
    lines = scan_rows(path).lines
    try:
        rows = hand_rows(lines)
        statistics.add(game.seats, game.winners, rows, over=game.over, took=tuple(thinking_times(lines)))
    except (KeyError, TypeError, AttributeError) as error:
        raise TableError("row.garbled", at=path, error=error) from None
    except TableError as error:
        raise TableError(error, at=path) from None
