"""Directions on the table: degrees clockwise from the top of the camera image (x right, y down)."""

from __future__ import annotations

import math


def direction_deg(x: float, y: float) -> float:
    """Return the direction from the mark to (x, y), 0..360 degrees."""
    return math.degrees(math.atan2(x, -y)) % 360.0


def direction_vector(degrees: float) -> tuple[float, float]:
    """Return the unit vector of a direction."""
    return math.sin(math.radians(degrees)), -math.cos(math.radians(degrees))


def angle_between(a: float, b: float) -> float:
    """Return the smaller angle between two directions, 0..180 degrees."""
    return abs((a - b + 180.0) % 360.0 - 180.0)
