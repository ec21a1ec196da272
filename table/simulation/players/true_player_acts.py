"""True acts of simulated players, as they are intended: input of the ground-truth referee, not observations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from table.events.game_events import BidValue


@dataclass(frozen=True, slots=True)
class BidAct:
    """A bid by taps or a hold."""

    t_ns: int
    """Time of the first edge."""
    end_ns: int
    """Time at which the burst of presses ends."""
    seat: str
    bid: BidValue


@dataclass(frozen=True, slots=True)
class RapAct:
    """A rap."""

    t_ns: int
    seat: str


@dataclass(frozen=True, slots=True)
class DialAct:
    """A call of what the player's dial shows: ``6C`` or ``pass`` in an auction, or the suit of a led joker."""

    t_ns: int
    seat: str
    call: str
    turned_ns: int | None = None
    """Time of the first press that turned the dial; None if the dial was not turned."""


@dataclass(frozen=True, slots=True)
class LayAct:
    """A player lays a card on the mark."""

    t_ns: int
    """Time at which the card comes to rest."""
    id: int
    """Identifies this physical card until it leaves the mark."""
    seat: str
    card: str
    face_up: bool
    upon: tuple[int, ...]
    """Ids of the cards that this card partly covers."""


@dataclass(frozen=True, slots=True)
class TakeAct:
    """A player takes cards off the mark."""

    t_ns: int
    """Time at which the cards begin to move."""
    ids: tuple[int, ...]
    seat: str
    to_hand: bool
    """True: back to their players' hands. False: a trick is picked up, or the turned card goes to the stock."""


Act: TypeAlias = BidAct | RapAct | DialAct | LayAct | TakeAct


def sort_acts(acts: Sequence[Act], seats: Sequence[str]) -> list[Act]:
    """Return acts sorted by time; at the same moment calls before cards, then by seat or by card."""

    def sort_key(act: Act) -> tuple[int, int, int]:
        if isinstance(act, LayAct):
            return (act.t_ns, 1, act.id)
        if isinstance(act, TakeAct):
            return (act.t_ns, 1, min(act.ids))
        return (act.t_ns, 0, seats.index(act.seat))

    return sorted(acts, key=sort_key)
