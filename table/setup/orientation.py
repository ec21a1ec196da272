"""Whether the camera's picture stands on its head: then cards come from opposite the seats of those who play them.

A card looks the same either way, and so does the table. But the arm that lays it comes from its player's seat, and who
is to lay the first card of a trick is known as a rule. Two hypotheses are compared by all the arms since the camera
began: as it was calibrated, or turned by half a circle. The evidence is the log likelihood ratio. Where seats lie
opposite each other and anyone may lead, an arm tells little, and it takes several.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Final

from table.facts import CardLanded
from table.games.base import Expected, Phase
from table.phrase import Phrase, say
from table.sight.geometry import angle_between


@dataclass(frozen=True, slots=True)
class OrientationNumbers:
    """The numbers of this module."""

    prior: float = 0.1
    """How often a picture stands on its head when a camera is put up or its software changed."""
    most: float = 6.0
    """The log odds never go beyond this, so a camera that is turned over in a game is noticed within a few cards."""
    spread_deg: float = 18.0
    """How far the arm of a player strays from the seat's direction (virtual and recorded arms: up to 40 degrees)."""
    mistaken: float = 0.02
    """The least share of arms that are another's."""
    anywhere: float = 0.125
    """The likelihood of such an arm: evenly all around, in terms of one that comes straight from its player's seat."""
    in_turn: float = 0.97
    """A lead is laid by the player whose turn it is ..."""
    freely: float = 0.5
    """... and so often where anyone may lead."""


NUMBERS: Final = OrientationNumbers()
UPSIDE_DOWN: Final = say("camera.upside_down")
_FIRST: Final = (Phase.LEAD, Phase.TURN_UP)


class Orientation:
    """Takes every card that lands, and says whether the picture stands on its head."""

    def __init__(self) -> None:
        self._evidence = log(NUMBERS.prior / (1 - NUMBERS.prior))
        """The log odds that it does."""

    @property
    def trouble(self) -> Phrase | None:
        """What there is to say."""
        return UPSIDE_DOWN if self._evidence > 0 else None

    def see(self, card: CardLanded, angles: Mapping[str, float], expected: Expected) -> None:
        """A card has landed; ``angles``: of the seats; ``expected``: what was waited for until then."""
        if card.arm_deg is None or not angles:
            return
        n = NUMBERS
        players = _players(angles, expected)
        own = min(card.arm_sure, 1 - n.mistaken)
        upright, turned = (
            own * _likelihood(card.arm_deg + by, angles, players) + (1 - own) * n.anywhere
            for by in (0.0, 180.0)
        )
        self._evidence = max(-n.most, min(n.most, self._evidence + log(turned / upright)))


def _players(angles: Mapping[str, float], expected: Expected) -> Mapping[str, float]:
    """How likely each player is to lay the next card."""
    if expected.phase not in _FIRST or expected.default not in angles or len(angles) < 2:
        return dict.fromkeys(angles, 1 / len(angles))
    first = NUMBERS.freely if expected.free else NUMBERS.in_turn
    rest = (1 - first) / (len(angles) - 1)
    return {seat: first if seat == expected.default else rest for seat in angles}


def _likelihood(arm_deg: float, angles: Mapping[str, float], players: Mapping[str, float]) -> float:
    """Of an arm from that direction, in terms of one that comes straight from its player's seat."""
    off = ((share, angle_between(arm_deg, angles[seat])) for seat, share in players.items())
    return sum(share * exp(-0.5 * (deg / NUMBERS.spread_deg) ** 2) for share, deg in off)
