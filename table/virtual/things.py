"""Things on a card table that are no cards, seen from above, as outlines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from table.virtual.scene import Pose, Thing
from table.virtual.shapes import Colour, Points, oval, rounded

Painted = tuple[Points, Colour]
"""An outline in mm and what it is filled with."""


def thing_parts(thing: Thing) -> list[Painted]:
    """The pieces of a thing on the table, in the order of painting."""
    return [(_placed(outline, thing.pose), colour) for outline, colour in _DRAWN[thing.kind]()]


def _phone() -> list[Painted]:
    return [
        (rounded(73, 150, 9), (34, 32, 32)),
        (rounded(68, 144, 6), (58, 46, 40)),
        (rounded(58, 16, 3) + (0, -50), (150, 140, 128)),
        (rounded(58, 30, 3) + (0, -20), (186, 190, 188)),
        (rounded(58, 30, 3) + (0, 20), (210, 206, 200)),
        (oval(0, 66, 3, 3), (120, 120, 120)),
    ]


def _die() -> list[Painted]:
    pips = [(oval(x, y, 1.5, 1.5), (40, 34, 30)) for x in (-4.2, 4.2) for y in (-4.2, 4.2)]
    return [(rounded(16, 16, 2.5), (222, 230, 234)), *pips, (oval(0, 0, 1.5, 1.5), (40, 34, 30))]


def _cup() -> list[Painted]:
    handle = rounded(34, 12, 5) + (44, 0)
    body = [(oval(0, 0, 41, 41), (226, 224, 218)), (oval(0, 0, 37, 37), (196, 192, 186))]
    return [(handle, (214, 212, 206)), *body, (oval(0, 0, 34, 34), (24, 38, 62))]


_DRAWN: Mapping[str, Callable[[], list[Painted]]] = {"phone": _phone, "die": _die, "cup": _cup}


def _placed(points: Points, pose: Pose) -> Points:
    angle = np.radians(pose.angle)
    right, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    there: Points = np.array([pose.x, pose.y]) + points[:, :1] * right + points[:, 1:] * down
    return there
