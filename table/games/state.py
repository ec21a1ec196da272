"""The state that the core keeps, and small functions on bids, seats and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from table.cards import Card
from table.events.happenings import BidValue
from table.events.kind import Said
from table.games.base import Refusal, State
from table.games.tricks import Revoke

DOUBLE_NIL = "double nil"


@dataclass(frozen=True)
class TableState(State):
    """What the core keeps besides."""

    forced: bool = False
    """A tie took the others' right to bid or lead: only the default may."""
    announced: tuple[Revoke, ...] = ()
    """The revokes of this hand that have been announced and whose proof has not been taken back."""
    card_passes: int = 0
    """How often cards have been handed on in this hand."""


Change: TypeAlias = tuple[TableState, list[Said]]
"""A new state and what is announced."""


def own(state: State) -> TableState:
    """The state as the core made it."""
    assert isinstance(state, TableState)
    return state


def number_of(bid: BidValue) -> int:
    """The tricks that a bid of the play stands for; a double nil counts 0."""
    return bid if isinstance(bid, int) else 0


def ranked(seats: Sequence[str], key: Callable[[str], Any]) -> list[list[str]]:
    """``seats`` by a key, the highest first, equal ones together in the given order."""
    values = {seat: key(seat) for seat in seats}
    return [
        [seat for seat in seats if values[seat] == value]
        for value in sorted(set(values.values()), reverse=True)
    ]


def said_revoke(revoke: Revoke) -> Said:
    """The journal's line of a revoke."""
    fields = {
        "seat": revoke.seat,
        "card": str(revoke.card),
        "trick": revoke.trick,
        "proved_by": str(revoke.proved_by),
    }
    return Said("revoke", fields)


def distinct(values: Sequence[object]) -> bool:
    """Whether no value comes twice (values of any kind)."""
    return all(value not in values[:at] for at, value in enumerate(values))


def pairs(bids: object) -> dict[str, BidValue] | None:
    """Bids by seat, or None for something else."""
    if not isinstance(bids, tuple):
        return None
    found: dict[str, BidValue] = {}
    for pair in bids:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            return None
        found[pair[0]] = pair[1]
    return found


def sign(card: object) -> str:
    """A card as people write it, whatever was given."""
    return card.sign if isinstance(card, Card) else str(card)


def no_such_card(card: object) -> Refusal:
    """The refusal of a card that is not in the pack."""
    return Refusal("no_such_card", f"the {sign(card)} is not in the pack that is played with")
