"""What a filmed scene looks like: camera, table top, light, lens, encoder and people, all from one seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from table.config.settings import Matrix
from table.simulation.rendering.card_artwork import WIDTH_MM

Codec = Literal["mpeg4", "libx264"]
TableTop = Literal["black", "white", "wood", "pattern", "cloth"]
TABLE_TOPS: Final[tuple[TableTop, ...]] = ("black", "white", "wood", "pattern", "cloth")
SIZES: Final = ((640, 480), (848, 480), (960, 640))
CARD_PX: Final = (70.0, 110.0)
"""Short side of a card on the mark, pixels."""
MAX_PERSPECTIVE: Final = 1.3
"""How much larger the near border of the table is than the far one ..."""
PERSPECTIVE_REACH_MM: Final = 250.0
"""... both so far from the mark."""
SQUARE_MM: Final = 300.0
"""What the picture's shorter side shows at least."""


@dataclass(frozen=True, slots=True)
class FocusHunt:
    """A lens loses its focus and finds it again."""

    start_ms: float
    """Since the first picture."""
    duration_ms: float
    blur_px: float
    """Standard deviation of the blur at its worst."""

    def blur_at(self, t_ms: float) -> float:
        """Return the blur that it adds, pixels."""
        share = (t_ms - self.start_ms) / self.duration_ms
        return self.blur_px * float(np.sin(np.pi * share)) if 0 < share < 1 else 0.0


@dataclass(frozen=True, slots=True)
class FilmLook:
    """Appearance of a filmed scene."""

    size: tuple[int, int]
    homography: Matrix
    table: TableTop
    seed: int
    """Of the table top, the people and the noise."""
    ring: bool
    """Whether the mark is drawn on the table."""
    lamp_at: tuple[float, float]
    """Brightest place of the picture, as shares of its width and height."""
    falloff: float
    """Brightness lost from the brightest place to the darkest corner, as a share."""
    light: tuple[float, float, float]
    """Gains of blue, green and red."""
    shadow_per_mm: tuple[float, float]
    """How far a shadow lies from what casts it, mm in x and y for each mm of height."""
    contrast: float
    """Exponent of the tone curve about its middle: above 1 dark parts are darker."""
    saturation: float
    exposure_ms: float
    noise: float
    """Standard deviation of the sensor noise, grey levels."""
    blur_px: float
    """Standard deviation of the lens blur, pixels."""
    hunts: tuple[FocusHunt, ...]
    kbit_s: int
    """Bit rate of the film; 0: it is not compressed."""
    codec: Codec
    back: int
    """Colours of the cards' backs."""

    def blur_at(self, t_ms: float) -> float:
        """Return what the lens's hunting adds to its blur, pixels."""
        return max((hunt.blur_at(t_ms) for hunt in self.hunts), default=0.0)


def random_look(rng: np.random.Generator) -> FilmLook:
    """Return a random appearance."""
    card_px = float(rng.uniform(*CARD_PX))
    px_per_mm = card_px / WIDTH_MM
    sizes = [size for size in SIZES if size[1] >= SQUARE_MM * px_per_mm]
    size = sizes[int(rng.integers(len(sizes)))]
    table = TABLE_TOPS[int(rng.integers(len(TABLE_TOPS)))]
    gain = float(rng.uniform(0.72, 1.02))
    warm = float(rng.uniform(-0.16, 0.06))
    strong = rng.random() < 0.3  # overdriven colours, as old web cameras have them
    hunts: tuple[FocusHunt, ...] = ()
    if rng.random() < 0.25:
        hunts = tuple(
            FocusHunt(float(start), float(rng.uniform(350, 900)), float(rng.uniform(1.2, 3.0)))
            for start in np.sort(rng.uniform(500, 6000, int(rng.integers(1, 4))))
        )
    compressed = rng.random() < 0.75
    return FilmLook(
        size=size,
        homography=random_homography(rng, size, px_per_mm),
        table=table,
        seed=int(rng.integers(2**31)),
        ring=bool(rng.random() < 0.35),
        lamp_at=(float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.1, 0.9))),
        falloff=float(rng.uniform(0.05, 0.4)),
        light=(gain * (1 + warm), gain, gain * (1 - 0.4 * warm)),
        shadow_per_mm=(float(rng.uniform(-0.6, 0.6)), float(rng.uniform(-0.6, 0.6))),
        contrast=float(rng.uniform(1.25, 1.6) if strong else rng.uniform(0.95, 1.15)),
        saturation=float(rng.uniform(1.3, 1.9) if strong else rng.uniform(0.7, 1.15)),
        exposure_ms=float(rng.uniform(10, 20)),
        noise=float(rng.uniform(0.8, 3.5)),
        blur_px=float(rng.uniform(0.5, 0.9)),
        hunts=hunts,
        kbit_s=int(rng.uniform(300, 1000)) if compressed else 0,
        codec="libx264" if rng.random() < 0.6 else "mpeg4",
        back=int(rng.integers(6)),
    )


def random_homography(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> Matrix:
    """Return the homography from table mm to pixels of a pinhole camera that looks at the mark from aside."""
    width, height = size
    distance_mm = float(rng.uniform(800, 1200))
    perspective = float(rng.uniform(1.0, MAX_PERSPECTIVE))
    tilt = (perspective - 1) / (perspective + 1) * distance_mm / PERSPECTIVE_REACH_MM  # sine of the angle
    # Mostly it stands at one side of the table that the picture shows below or above.
    towards = np.radians(float(rng.choice([0.0, 180.0]) + rng.normal(0, 25)))
    axis = np.array([np.cos(towards), np.sin(towards), 0.0])
    turn = _rotation(axis, float(np.arcsin(tilt))) @ _rotation(
        np.array([0.0, 0.0, 1.0]), np.radians(rng.uniform(-8, 8))
    )
    focal = px_per_mm * distance_mm
    x0, y0 = width * (0.5 + rng.uniform(-0.04, 0.04)), height * (0.5 + rng.uniform(-0.04, 0.04))
    camera = np.array([[focal, 0, x0], [0, focal, y0], [0, 0, 1]])
    matrix = camera @ np.column_stack([turn[:, 0], turn[:, 1], [0, 0, distance_mm]])
    a, b, c = (tuple(round(float(number), 8) for number in row) for row in matrix / matrix[2, 2])
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])


def _rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Return the matrix that turns about a unit vector (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn: np.ndarray = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turn
