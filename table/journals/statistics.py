"""What people did over many games: games won, bids made, over and under, the time that they took.

Who comes back is one person however the name is written (:func:`table.names.person_of`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from table.errors import TableError
from table.journals.archive import Summary, hand_rows
from table.journals.waits import Wait, waits
from table.names import person_of
from table.referee.rows import scan


@dataclass(slots=True)
class Tally:
    """Bids for a number of tricks."""

    made: int = 0
    over: int = 0
    """More tricks were taken than bid."""
    under: int = 0

    @property
    def bids(self) -> int:
        """All of them."""
        return self.made + self.over + self.under

    def count(self, bid: int, tricks: int) -> None:
        """One more."""
        self.made += tricks == bid
        self.over += tricks > bid
        self.under += tricks < bid


@dataclass(slots=True)
class Person:
    """One player over all games."""

    name: str
    """As it was written last."""
    games: int = 0
    finished: int = 0
    won: int = 0
    """Of the finished ones."""
    hands: int = 0
    """With a bid for a number of tricks."""
    made: int = 0
    over: int = 0
    """Took more tricks than bid."""
    under: int = 0
    waits: dict[str, list[int]] = field(default_factory=lambda: {"bid": [], "card": []})
    """How long each bid and each card took, in nanoseconds."""


class Statistics:
    """Counts over games, to be given one after the other."""

    def __init__(self) -> None:
        self._people: dict[str, Person] = {}
        self.by_size: defaultdict[int, Tally] = defaultdict(Tally)
        """By the cards that each had in the hand."""
        self.by_place: defaultdict[int, Tally] = defaultdict(Tally)
        """By the seat: 1 is the dealer's left, 2 the next one; 0 is the dealer."""

    @property
    def people(self) -> list[Person]:
        """Everybody, who played most games first, then by name."""
        return sorted(self._people.values(), key=lambda one: (-one.games, person_of(one.name)))

    def add(
        self,
        seats: Iterable[str],
        winners: Iterable[str],
        rows: Sequence[Mapping[str, Any]],
        *,
        over: bool,
        took: Iterable[Wait] = (),
    ) -> None:
        """A game: its ``seats``, its ``winners`` if it is ``over``, its hands as ``archive.hand_rows`` has them."""
        for person in {person_of(seat): self._person(seat) for seat in seats}.values():
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
                self.by_size[row["cards"]].count(bid, tricks)
                self.by_place[_place(row, rows)].count(bid, tricks)
        for wait in took:
            self._person(wait.seat).waits[wait.what].append(wait.ns)

    def _person(self, name: str) -> Person:
        """Who has this name, which is now the one written last."""
        person = self._people.setdefault(person_of(name), Person(name))
        person.name = name
        return person


def _place(row: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> int:
    """How many seats to the left of the dealer, among those who bid in that hand."""
    around = [one["seat"] for one in rows if one["hand"] == row["hand"] and one["bid"] is not None]
    if row["dealer"] not in around:
        return around.index(row["seat"]) + 1
    return (around.index(row["seat"]) - around.index(row["dealer"])) % len(around)


def count(statistics: Statistics, path: Path, game: Summary) -> None:
    """Add the game whose journal lies at ``path``; ``TableError`` for a line that lacks or garbles a field."""
    lines = scan(path).lines
    try:
        rows = hand_rows(lines)
        statistics.add(game.seats, game.winners, rows, over=game.over, took=tuple(waits(lines)))
    except (KeyError, TypeError, AttributeError) as error:
        raise TableError("row.garbled", at=path, error=error) from None
    except TableError as error:
        raise TableError(error, at=path) from None
