"""Taking what was given for what it should be: events come from journals and people, and may hold anything."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import Card
from table.events.happenings import BidValue
from table.games.base import Refusal, refuse


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


def no_such_card(card: object) -> Refusal:
    """The refusal of a card that is not in the pack."""
    return refuse("no_such_card", card=card if isinstance(card, Card) else str(card))
