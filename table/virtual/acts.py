"""What people do at the virtual table, as they meant it: nothing here was seen, heard or guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from table.events.happenings import BidValue


@dataclass(frozen=True, slots=True)
class Bade:
    """Somebody bids by taps or a hold."""

    t_ns: int
    """The first edge."""
    end_ns: int
    """When the burst ended."""
    seat: str
    bid: BidValue


@dataclass(frozen=True, slots=True)
class Rapped:
    """Somebody raps the table."""

    t_ns: int
    seat: str


@dataclass(frozen=True, slots=True)
class Called:
    """Somebody calls what the own dial shows: ``6C`` or ``pass`` in an auction, or the suit of a led joker."""

    t_ns: int
    seat: str
    call: str
    turned_ns: int | None = None
    """The first press that turned the dial; None where nobody has."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Somebody lays a card on the mark."""

    t_ns: int
    """When it comes to rest."""
    id: int
    """Names this physical card until it leaves the mark."""
    seat: str
    card: str
    face_up: bool
    upon: tuple[int, ...]
    """The cards that it lies upon."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Somebody takes cards off the mark."""

    t_ns: int
    """When they begin to move."""
    ids: tuple[int, ...]
    seat: str
    to_hand: bool
    """Back to the hands that they came from; else the trick is picked up, or the turned card goes to the stock."""


Act: TypeAlias = Bade | Rapped | Called | Laid | Taken


def in_order(acts: Sequence[Act], seats: Sequence[str]) -> list[Act]:
    """Acts as they happened; at the same moment words before cards, then by seat or by card."""

    def key(act: Act) -> tuple[int, int, int]:
        if isinstance(act, Laid):
            return (act.t_ns, 1, act.id)
        if isinstance(act, Taken):
            return (act.t_ns, 1, min(act.ids))
        return (act.t_ns, 0, seats.index(act.seat))

    return sorted(acts, key=key)
