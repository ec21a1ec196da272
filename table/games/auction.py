"""An auction for the trumps: bids such as ``6C`` or ``9NT``, each above the last, until everybody passes in a row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from table.cards import NO_TRUMP
from table.games.base import PASS, State

DENOMINATIONS = ("C", "D", "H", "S", NO_TRUMP)
"""From low to high, as at bridge."""


@cache
def every_bid(lowest: int, highest: int) -> tuple[str, ...]:
    """The bids of so many tricks, from low to high."""
    return tuple(f"{number}{suit}" for number in range(lowest, highest + 1) for suit in DENOMINATIONS)


def bids_above(last: tuple[str, str] | None, lowest: int, highest: int) -> tuple[str, ...]:
    """The bids that may follow the last one, from low to high."""
    bids = every_bid(lowest, highest)
    if last is None:
        return bids
    above = rank(last[1])
    return tuple(bid for bid in bids if rank(bid) > above)


def last_bid(calls: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """The last call that was no pass: whose, and the bid."""
    return next((call for call in reversed(calls) if call[1] != PASS), None)


def is_over(state: State) -> bool:
    """Whether everybody has passed in a row, whoever made the last bid among them."""
    players = len(state.players)
    return len(state.calls) >= players and all(call == PASS for _, call in state.calls[-players:])


def turn(state: State) -> str:
    """Whose turn it is: the dealer calls first."""
    order = state.round_from(state.dealer)
    return order[len(state.calls) % len(order)]


def split(bid: str) -> tuple[int, str]:
    """``"10NT"`` -> ``(10, "NT")``."""
    suit = NO_TRUMP if bid.endswith(NO_TRUMP) else bid[-1:]
    return int(bid.removesuffix(suit)), suit


@cache
def rank(bid: str) -> tuple[int, int]:
    """What a bid is compared by."""
    number, suit = split(bid)
    return number, DENOMINATIONS.index(suit)
