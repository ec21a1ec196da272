"""Outlines of objects on the table that are not cards, seen from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from table.simulation.rendering.motions_over_time import to_table_mm
from table.simulation.rendering.vector_shapes import Colour, Points, ellipse_points, rounded_rectangle
from tests.simulation.scene_motions import TableObject

FilledOutline = tuple[Points, Colour]
"""An outline in mm and its fill colour."""

_OUTLINES_BY_KIND: Mapping[str, Sequence[FilledOutline]] = {
    "phone": [
        (rounded_rectangle(73, 150, 9), (34, 32, 32)),
        (rounded_rectangle(68, 144, 6), (58, 46, 40)),
        (rounded_rectangle(58, 16, 3) + (0, -50), (150, 140, 128)),
        (rounded_rectangle(58, 30, 3) + (0, -20), (186, 190, 188)),
        (rounded_rectangle(58, 30, 3) + (0, 20), (210, 206, 200)),
        (ellipse_points(0, 66, 3, 3), (120, 120, 120)),
    ],
    "die": [
        (rounded_rectangle(16, 16, 2.5), (222, 230, 234)),
        *((ellipse_points(x, y, 1.5, 1.5), (40, 34, 30)) for x in (-4.2, 4.2) for y in (-4.2, 4.2)),
        (ellipse_points(0, 0, 1.5, 1.5), (40, 34, 30)),
    ],
    "cup": [
        (rounded_rectangle(34, 12, 5) + (44, 0), (214, 212, 206)),
        (ellipse_points(0, 0, 41, 41), (226, 224, 218)),
        (ellipse_points(0, 0, 37, 37), (196, 192, 186)),
        (ellipse_points(0, 0, 34, 34), (24, 38, 62)),
    ],
}


@lru_cache(maxsize=64)
def object_outlines(thing: TableObject) -> list[FilledOutline]:
    """Return an object's outlines in table mm with their colours, in the order of painting."""
    return [(to_table_mm(outline, thing.pose), colour) for outline, colour in _OUTLINES_BY_KIND[thing.kind]]
