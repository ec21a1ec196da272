"""Outlines of a hand and its sleeve, seen from above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from table.simulation.rendering.motions_over_time import Hand
from table.simulation.rendering.vector_shapes import Colour, Points, bezier_points, ellipse_points

SKINS: tuple[Colour, ...] = (
    (150, 178, 224),
    (66, 92, 140),
    (112, 144, 198),
    (42, 60, 96),
    (92, 122, 176),
    (132, 160, 210),
)
SLEEVES: tuple[Colour, ...] = (
    (48, 44, 150),
    (150, 140, 30),
    (70, 90, 200),
    (60, 60, 66),
    (170, 110, 60),
    (80, 130, 70),
    (150, 70, 110),
    (200, 200, 196),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an arm: its outline in table mm and its kind."""

    kind: Literal["skin", "sleeve", "cuff", "line", "nail"]
    outline: Points
    line_mm: float = 0.0
    """Line width, if the part is a line; 0: a filled outline."""

    @property
    def casts_shadow(self) -> bool:
        """Whether the part casts a shadow."""
        return self.kind in ("skin", "sleeve")

    def colour(self, skin: Colour, sleeve: Colour) -> Colour:
        """Return the part's colour for a skin and a sleeve colour."""
        if self.kind == "sleeve":
            return sleeve
        if self.kind == "cuff":
            return _adjust_colour(sleeve, 0.78, 0)
        if self.kind == "line":
            return _adjust_colour(skin, 0.74, 0)
        if self.kind == "nail":
            return _adjust_colour(skin, 0.85, 36)
        return skin


def _adjust_colour(colour: Colour, gain: float, lift: int) -> Colour:
    blue, green, red = (min(255, round(part * gain + lift)) for part in colour)
    return blue, green, red


# A right hand in mm: along the arm from the finger tips (0) outwards, and across it. Four fingers lie together on
# the card, the thumb is beneath at one side.
_PALM = bezier_points(
    (30, -33), (46, -38), (66, -37), (82, -33), (98, -28), (108, -25), (118, -24), (118, -8), (118, 8), (118, 24),
    (106, 26), (92, 30), (78, 33), (62, 36), (46, 38), (30, 33), (26, 12), (26, -12), (30, -33),
)  # fmt: skip
_FINGERS = ((-24.0, 13.0, 8.6), (-8.2, 4.0, 9.2), (8.2, 2.0, 9.2), (24.0, 9.0, 9.0))
"""For each finger: position across the hand, start of its tip along the arm, half its width."""


def hand_parts(hand: Hand) -> list[Part]:
    """Return the parts of an arm in table mm, in the order of painting."""
    tip, home = np.array(hand.tip), np.array(hand.home)
    along = (home - tip) / max(1e-9, float(np.linalg.norm(home - tip)))
    across = np.array([-along[1], along[0]])

    def place(points: Points) -> Points:
        placed: Points = tip + points[:, :1] * along + points[:, 1:] * across
        return placed

    thumb = bezier_points(
        (70, 34), (50, 50), (34, 50), (20, 42), (12, 38), (10, 30), (20, 28), (34, 26), (50, 20), (70, 10)
    )
    parts = [Part("skin", place(thumb))]
    for side, start, half_width in _FINGERS:
        finger = np.concatenate(
            [
                ellipse_points(start + half_width, side, half_width, half_width, 90, 270, 14),
                np.array([(48, side - half_width), (48, side + half_width)]),
            ]
        )
        parts.append(Part("skin", place(finger)))
    parts.append(Part("skin", place(_PALM)))
    for side, start, half_width in _FINGERS:
        nail = ellipse_points(start + 6.0, side, 4.2, half_width * 0.55, steps=16)
        parts.append(Part("nail", place(nail)))
    for side in (-16.2, 0.0, 16.4):
        parts.append(Part("line", place(np.array([(12.0, side), (52.0, side * 0.86)])), 0.9))
    sleeve = np.array([(108.0, -31.0), (760.0, -62.0), (760.0, 62.0), (108.0, 31.0)])
    parts.append(Part("sleeve", place(sleeve)))
    parts.append(
        Part("cuff", place(np.array([(108.0, -31.5), (120.0, -32.2), (120.0, 32.2), (108.0, 31.5)])))
    )
    return parts
