"""Content of the chart of a game's totals: each player's totals from hand to hand, and round values for its axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

_MAX_STEPS = 6


class ScoredHand(Protocol):
    """The score of a finished hand."""

    @property
    def points(self) -> Mapping[str, int]:
        """The points of this hand by seat."""

    @property
    def totals(self) -> Mapping[str, int]:
        """The totals after it by seat."""

    @property
    def play_off(self) -> bool:
        """Whether the hand only decided a tie; its points are not in the totals."""


def running_totals(hands: Iterable[ScoredHand], seats: Sequence[str]) -> dict[str, list[int]]:
    """Return each player's totals before the first hand and after each hand that counts."""
    counted = [hand for hand in hands if not hand.play_off]
    totals_by_seat: dict[str, list[int]] = {}
    for seat in seats:
        first = counted[0].totals.get(seat, 0) - counted[0].points.get(seat, 0) if counted else 0
        totals_by_seat[seat] = [first]
        for hand in counted:
            totals_by_seat[seat].append(hand.totals.get(seat, totals_by_seat[seat][-1]))
    return totals_by_seat


def axis_ticks(low: int, high: int) -> list[int]:
    """Return round axis values from ``low`` or below to ``high`` or above, with few steps."""
    size = 1
    while (high - low) / size > _MAX_STEPS:
        power = 10 ** (len(str(size)) - 1)
        size = next(by * power for by in (2, 5, 10) if by * power > size)
    first = low // size * size
    last = -(-high // size) * size
    return list(range(first, max(last, first + size) + 1, size))
