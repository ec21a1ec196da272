"""Outlines of a hand and its sleeve, seen from above."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
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


PartKind = Literal["skin", "sleeve", "cuff", "line", "nail"]
FINGER_LINE_MM = 0.9
"""Width of the lines between the fingers; every other part is a filled outline."""


def part_colour(kind: PartKind, skin: Colour, sleeve: Colour) -> Colour:
    """Return the colour of a part for a skin and a sleeve colour."""
    base = sleeve if kind in ("sleeve", "cuff") else skin
    gain, lift = {"cuff": (0.78, 0), "line": (0.74, 0), "nail": (0.85, 36)}.get(kind, (1.0, 0))
    blue, green, red = (min(255, round(component * gain + lift)) for component in base)
    return blue, green, red


def _right_hand() -> list[tuple[PartKind, Points]]:
    """Return the parts of a right hand in the order of painting, in mm.

    x runs along the arm from the finger tips (0) outwards, y across it. Four fingers lie together on the card, the
    thumb is beneath at one side.
    """
    palm = bezier_points(
        (30, -33), (46, -38), (66, -37), (82, -33), (98, -28), (108, -25), (118, -24), (118, -8), (118, 8), (118, 24),
        (106, 26), (92, 30), (78, 33), (62, 36), (46, 38), (30, 33), (26, 12), (26, -12), (30, -33),
    )  # fmt: skip
    thumb = bezier_points(
        (70, 34), (50, 50), (34, 50), (20, 42), (12, 38), (10, 30), (20, 28), (34, 26), (50, 20), (70, 10)
    )
    parts: list[tuple[PartKind, Points]] = [("skin", thumb)]
    # For each finger: position across the hand, start of its tip along the arm, half its width.
    fingers = ((-24.0, 13.0, 8.6), (-8.2, 4.0, 9.2), (8.2, 2.0, 9.2), (24.0, 9.0, 9.0))
    for side, start, half_width in fingers:
        tip = ellipse_points(start + half_width, side, half_width, half_width, 90, 270, 14)
        parts.append(("skin", np.concatenate([tip, [(48, side - half_width), (48, side + half_width)]])))
    parts.append(("skin", palm))
    for side, start, half_width in fingers:
        parts.append(("nail", ellipse_points(start + 6.0, side, 4.2, half_width * 0.55, steps=16)))
    for side in (-16.2, 0.0, 16.4):
        parts.append(("line", np.array([(12.0, side), (52.0, side * 0.86)])))
    parts.append(("sleeve", np.array([(108.0, -31.0), (760.0, -62.0), (760.0, 62.0), (108.0, 31.0)])))
    parts.append(("cuff", np.array([(108.0, -31.5), (120.0, -32.2), (120.0, 32.2), (108.0, 31.5)])))
    return parts


_PARTS = _right_hand()
PART_KINDS = tuple(kind for kind, _ in _PARTS)
"""The kinds of an arm's parts in the order of painting."""
_POINTS = np.concatenate([outline for _, outline in _PARTS])
_ENDS = np.cumsum([len(outline) for _, outline in _PARTS])


@lru_cache(maxsize=64)
def arm_outlines(hand: Hand) -> list[Points]:
    """Return the outlines of an arm's parts in table mm, in the order of painting, as ``PART_KINDS``."""
    points = _place(_POINTS, hand)
    return [points[start:end] for start, end in pairwise([0, *_ENDS])]


def _place(points: Points, hand: Hand) -> Points:
    """Return points of the right hand in table mm."""
    tip, home = np.array(hand.tip), np.array(hand.home)
    along = (home - tip) / max(1e-9, float(np.linalg.norm(home - tip)))
    across = np.array([-along[1], along[0]])
    placed: Points = tip + points[:, :1] * along + points[:, 1:] * across
    return placed


def arm_shadow_outlines(hand: Hand) -> list[Points]:
    """Return the outlines of the parts of an arm that cast a shadow."""
    return [
        outline
        for kind, outline in zip(PART_KINDS, arm_outlines(hand), strict=True)
        if kind in ("skin", "sleeve")
    ]
