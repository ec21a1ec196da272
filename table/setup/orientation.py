"""Notices a picture that stands on its head.

A card looks the same both ways up, so cards don't tell. Arms do: in such a picture they come from opposite their
players' seats. Each card that lands adds a log-likelihood ratio of the two ways.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from table.facts import CardLanded
from table.phrase import Phrase, say
from table.referee.odds import SPREAD_DEG


@dataclass(frozen=True, slots=True)
class OrientationNumbers:
    """The numbers of this module."""

    in_turn: float = 0.8
    """The share of cards that somebody plays whose turn it is."""
    stray: float = 0.02
    """An arm from anywhere."""
    sure: float = 6.0
    """Nats from which on it is said, until nothing speaks for it any more."""
    arm_sure: float = 0.5
    """An arm that is known less surely adds nothing."""


NUMBERS: Final = OrientationNumbers()
UPSIDE_DOWN: Final = say("camera.upside_down")


class Orientation:
    """Adds up, over the cards that land, how much better their arms fit a picture that is turned by 180 degrees."""

    def __init__(self) -> None:
        self._nats = 0.0
        self._upside_down = False

    @property
    def trouble(self) -> Phrase | None:
        """What there is to say."""
        return UPSIDE_DOWN if self._upside_down else None

    def take(self, card: CardLanded, angles: Mapping[str, float], in_turn: Collection[str]) -> None:
        """A card has landed; ``angles``: the seats in degrees, by player; ``in_turn``: who may play now."""
        n = NUMBERS
        if card.arm_deg is None or card.arm_sure < n.arm_sure:
            return
        upright, turned = (_likelihood(card.arm_deg + by, angles, in_turn) for by in (0.0, 180.0))
        self._nats = min(max(self._nats + math.log(turned / upright), -n.sure), 2 * n.sure)
        self._upside_down = self._nats >= (0.0 if self._upside_down else n.sure)


def _likelihood(arm_deg: float, angles: Mapping[str, float], in_turn: Collection[str]) -> float:
    """How likely an arm comes from there, up to a factor."""
    n = NUMBERS
    others = len(angles) - len(in_turn)
    likelihood = n.stray
    for player, seat_deg in angles.items():
        share = n.in_turn / len(in_turn) if player in in_turn else (1 - n.in_turn) / max(others, 1)
        off_deg = (arm_deg - seat_deg + 180.0) % 360.0 - 180.0
        likelihood += share * math.exp(-(off_deg**2) / (2 * SPREAD_DEG**2))
    return likelihood
