"""Type checks of event values: events come from journals and people, and may hold anything."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import Card
from table.events.game_events import BidValue
from table.games.engine.game_state import Refusal, refuse


def all_distinct(values: Sequence[object]) -> bool:
    """Return whether no value occurs twice (values of any kind)."""
    return all(value not in values[:index] for index, value in enumerate(values))


def bids_by_seat(bids: object) -> dict[str, BidValue] | None:
    """Return bids by seat, or None where the value is not a tuple of seats and bids."""
    if not isinstance(bids, tuple):
        return None
    by_seat: dict[str, BidValue] = {}
    for pair in bids:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            return None
        by_seat[pair[0]] = pair[1]
    return by_seat


def refuse_unknown_card(card: object) -> Refusal:
    """Return the refusal of a card that is not in the pack."""
    return refuse("no_such_card", card=card if isinstance(card, Card) else str(card))
