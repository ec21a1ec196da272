"""What people did over many games: games won, bids made, over and under, the time that they took.

Who comes back is one person, whatever the case and the accents of a name were written like.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from table.config import like
from table.errors import TableError
from table.journals.archive import Summary, hand_rows
from table.journals.waits import Wait, waits
from table.referee.rows import scan

ACCENTS = range(0x300, 0x370)
"""Unicode's combining diacritical marks; those of other scripts make other letters."""


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
        return sorted(self._people.values(), key=lambda one: (-one.games, like(one.name)))

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
        here = _Here(tuple(seats), self._people)
        for seat in here.seats:
            person = here.of(seat)
            person.games += 1
            person.finished += over
        for winner in winners if over else ():
            here.of(winner).won += 1
        for row in rows:
            bid, tricks = row["bid"], row["tricks"]
            bid = 0 if bid == "double nil" else bid
            if isinstance(bid, int) and isinstance(tricks, int):
                person = here.of(row["seat"])
                person.hands += 1
                person.made += tricks == bid
                person.over += tricks > bid
                person.under += tricks < bid
                self.by_size[row["cards"]].count(bid, tricks)
                self.by_place[_place(row, rows)].count(bid, tricks)
        for wait in took:
            here.of(wait.seat).waits[wait.what].append(wait.ns)


class _Here:
    """The people of one game: two of its players are never one."""

    def __init__(self, seats: tuple[str, ...], people: dict[str, Person]) -> None:
        self.seats, self._people = seats, people
        plain = [person_of(seat) for seat in seats]
        self._alike = {key for key in plain if plain.count(key) > 1}

    def of(self, seat: str) -> Person:
        key = person_of(seat)
        person = self._people.setdefault(like(seat) if key in self._alike else key, Person(seat))
        person.name = seat
        return person


def person_of(name: str) -> str:
    """What all the ways share in which one person's name is written: no case, no accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", like(name)) if ord(letter) not in ACCENTS
    )


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
