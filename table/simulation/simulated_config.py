"""Configuration of a simulated table: seats, camera and homography, generated from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from table.config.settings import ButtonsConfig, CameraConfig, Matrix, SeatConfig, TableConfig
from table.errors import TableError
from table.phrase import expected_error, range_phrase
from table.simulation.rendering.camera_image import CLOTHS, RoomAppearance
from table.simulation.rendering.card_artwork import CLASSIC, Style

PLAYER_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen")
IMAGE_SIZE = (1280, 720)
VISIBLE_HEIGHT_MM = 400.0
"""Height of the table area in the camera's view, in millimetres."""
MIN_PX_PER_MM = 1.5
"""Minimum image scale: a small image shows less of the table rather than smaller cards."""


def make_simulated_config(
    game: str = "whysteria",
    players: int = 3,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 1,
    size: tuple[int, int] = IMAGE_SIZE,
    fps: float = 30.0,
) -> TableConfig:
    """Return a configuration for a simulated table; ``TableError`` if there are too few or too many players."""
    if not 2 <= players <= len(PLAYER_NAMES):
        raise TableError(expected_error(range_phrase(2, len(PLAYER_NAMES)), at="players", instead=players))
    rng = np.random.default_rng((seed, 31))
    offset_deg = float(rng.uniform(20, 60))
    seats = []
    for number in range(players):
        angle = (offset_deg + number * 360 / players + float(rng.uniform(-6, 6))) % 360
        seats.append(SeatConfig(PLAYER_NAMES[number], round(angle, 1), bid=5 + number, rap=16 + number))
    camera = CameraConfig(source="virtual", size=size, fps=fps, homography=make_homography(size, rng))
    return TableConfig(game, dict(options or {}), tuple(seats), camera, ButtonsConfig())


def make_homography(size: tuple[int, int], rng: np.random.Generator) -> Matrix:
    """Return a random homography from table mm to pixels: a camera nearly overhead, slightly turned and tilted."""
    width, height = size
    scale = max(height / VISIBLE_HEIGHT_MM, MIN_PX_PER_MM) * float(rng.uniform(0.98, 1.02))
    angle = np.radians(float(rng.uniform(-3, 3)))
    off_x, off_y = rng.uniform(-0.02, 0.02, 2)
    tilt_x, tilt_y = rng.uniform(-1.2e-4, 1.2e-4, 2)
    cos, sin = float(np.cos(angle) * scale), float(np.sin(angle) * scale)
    x0, y0 = width * (0.5 + float(off_x)), height * (0.5 + float(off_y))
    # The optical axis is slightly tilted: by the last row, what is farther away is smaller.
    rows = (
        (cos + x0 * float(tilt_x), -sin + x0 * float(tilt_y), x0),
        (sin + y0 * float(tilt_x), cos + y0 * float(tilt_y), y0),
        (float(tilt_x), float(tilt_y), 1.0),
    )
    a, b, c = (tuple(round(number, 8) for number in row) for row in rows)
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])


def random_room(seed: int, style: Style = CLASSIC) -> RoomAppearance:
    """Return a random room appearance (cloth and lamp) for a seed."""
    rng = np.random.default_rng((seed, 41))
    cloth = CLOTHS[list(CLOTHS)[int(rng.integers(len(CLOTHS)))]]
    blue, red = float(rng.uniform(0.9, 1.03)), float(rng.uniform(0.96, 1.05))
    plain = RoomAppearance(cloth=cloth, style=style)
    return replace(plain, lamp=float(rng.uniform(0.08, 0.22)), warmth=(blue, 1.0, red))
