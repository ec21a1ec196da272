"""An auction for the trumps: bids such as ``6C`` or ``9NT``, each above the last, until everybody passes in a row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from table.cards import NO_TRUMP
from table.games.engine.game_state import PASS, State

DENOMINATIONS = ("C", "D", "H", "S", NO_TRUMP)
"""The denominations from low to high, as in bridge."""


@cache
def all_bids(lowest: int, highest: int) -> tuple[str, ...]:
    """Return all auction bids from ``lowest`` to ``highest`` tricks, from low to high."""
    return tuple(f"{number}{suit}" for number in range(lowest, highest + 1) for suit in DENOMINATIONS)


def bids_above(last: tuple[str, str] | None, lowest: int, highest: int) -> tuple[str, ...]:
    """Return the bids that may follow the last one, from low to high."""
    bids = all_bids(lowest, highest)
    if last is None:
        return bids
    above = bid_rank(last[1])
    return tuple(bid for bid in bids if bid_rank(bid) > above)


def last_bid(calls: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the last call that was not a pass: the player and the bid."""
    return next((call for call in reversed(calls) if call[1] != PASS), None)


def is_over(state: State) -> bool:
    """Return whether everybody has passed in a row, the last bidder included."""
    players = len(state.players)
    return len(state.calls) >= players and all(call == PASS for _, call in state.calls[-players:])


def next_caller(state: State) -> str:
    """Return the player whose turn it is; the dealer calls first."""
    order = state.seats_from(state.dealer)
    return order[len(state.calls) % len(order)]


def split_bid(bid: str) -> tuple[int, str]:
    """Split a bid into number and denomination: ``"10NT"`` -> ``(10, "NT")``."""
    suit = NO_TRUMP if bid.endswith(NO_TRUMP) else bid[-1:]
    return int(bid.removesuffix(suit)), suit


@cache
def bid_rank(bid: str) -> tuple[int, int]:
    """Return the key by which auction bids are compared: number, then denomination."""
    number, suit = split_bid(bid)
    return number, DENOMINATIONS.index(suit)
