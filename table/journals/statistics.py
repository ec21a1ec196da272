"""What people did over many games: games won, bids made, over and under.

Who comes back is one person, whatever the case and the accents of a name were written like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from table.config import like


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


class Statistics:
    """Counts over games, to be given one after the other."""

    def __init__(self) -> None:
        self._people: dict[str, Person] = {}

    @property
    def people(self) -> list[Person]:
        """Everybody, who played most games first, then by name."""
        return sorted(self._people.values(), key=lambda one: (-one.games, like(one.name)))

    def add(
        self, seats: Iterable[str], winners: Iterable[str], rows: Iterable[Mapping[str, Any]], *, over: bool
    ) -> None:
        """A game: its ``seats``, its ``winners`` if it is ``over``, its hands as ``archive.hand_rows`` has them."""
        for seat in seats:
            person = self._of(seat)
            person.games += 1
            person.finished += over
        for winner in winners if over else ():
            self._of(winner).won += 1
        for row in rows:
            bid, tricks = row["bid"], row["tricks"]
            bid = 0 if bid == "double nil" else bid
            if isinstance(bid, int) and isinstance(tricks, int):
                person = self._of(row["seat"])
                person.hands += 1
                person.made += tricks == bid
                person.over += tricks > bid
                person.under += tricks < bid

    def _of(self, seat: str) -> Person:
        person = self._people.setdefault(like(seat), Person(seat))
        person.name = seat
        return person
