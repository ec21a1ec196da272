"""Whose arm was that: the direction an arm came from, against the places where the players sit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NEAR_DEG = 40.0
"""An arm this far from a seat's direction may still be that player's."""
CLEAR_DEG = 20.0
"""The next seat must be this much farther off for the arm to tell the two apart."""
SURE = 0.5
"""Below this the arm was not seen well enough to overrule the turn."""


@dataclass(frozen=True, slots=True)
class Arm:
    """What an arm tells of the player."""

    seat: str | None
    """The nearest seat; None when no arm was seen or no seat is near."""
    sure: bool
    """Whether it is plain enough to hold against the turn order."""


def turn(a: float, b: float) -> float:
    """The angle between two directions, 0..180 degrees."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


def arm_of(arm_deg: float | None, arm_sure: float, angles: Mapping[str, float]) -> Arm:
    """The player whose arm came from ``arm_deg`` (degrees clockwise from the picture's top, seen from the mark)."""
    if arm_deg is None or not angles:
        return Arm(None, False)
    off = sorted((turn(arm_deg, angle), seat) for seat, angle in angles.items())
    nearest, seat = off[0]
    next_off = off[1][0] if len(off) > 1 else 180.0
    if nearest > NEAR_DEG and nearest > next_off - CLEAR_DEG:
        return Arm(None, False)
    return Arm(seat, arm_sure >= SURE and nearest <= NEAR_DEG and next_off - nearest >= CLEAR_DEG)
