"""Table tops: pictures of 1 px a mm, made from a seed."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.scenes.film.look import TableTop

SIDE_MM: Final = 1000
Floats = NDArray[np.float32]
_WOODS: Final = ((46, 74, 112), (70, 112, 156), (96, 140, 178), (28, 44, 70), (120, 160, 190))
_CLOTHS: Final = ((62, 104, 40), (74, 54, 34), (48, 40, 112), (126, 128, 130), (110, 84, 60), (160, 170, 178))


def draw_table_top(kind: TableTop, seed: int) -> NDArray[np.uint8]:
    """Return a table top, ``SIDE_MM`` square, BGR; the mark is in the middle."""
    rng = np.random.default_rng((seed, 71))
    picture = {"black": _black, "white": _white, "wood": _wood, "pattern": _pattern, "cloth": _cloth}[kind](
        rng
    )
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _noise(rng: np.random.Generator, across: int, down: int) -> Floats:
    """Return smooth noise of mean 0 and standard deviation 1, of so many cells across and down."""
    coarse = rng.standard_normal((down + 3, across + 3)).astype(np.float32)
    smooth = cv2.resize(coarse, (SIDE_MM, SIDE_MM), interpolation=cv2.INTER_CUBIC)
    return np.asarray((smooth - smooth.mean()) / smooth.std(), np.float32)


def _plain(colour: tuple[float, ...], relief: Floats) -> Floats:
    return np.asarray(cv2.merge([(1 + relief) * np.float32(part) for part in colour]), np.float32)


def _black(rng: np.random.Generator) -> Floats:
    level = float(rng.uniform(4, 26))
    return _plain((level, level, level), 0.12 * _noise(rng, 14, 14) + 0.15 * _noise(rng, 400, 400))


def _white(rng: np.random.Generator) -> Floats:
    level = float(rng.uniform(186, 240))
    tint = rng.uniform(0.95, 1.0, 3)
    return _plain(tuple(level * tint), 0.02 * _noise(rng, 9, 9) + 0.012 * _noise(rng, 300, 300))


def _wood(rng: np.random.Generator) -> Floats:
    base = _WOODS[int(rng.integers(len(_WOODS)))]
    streaks = 0.10 * _noise(rng, 8, 160) + 0.08 * _noise(rng, 20, 420)
    y = np.arange(SIDE_MM, dtype=np.float32)[:, None] + 14 * _noise(rng, 3, 4)
    rings = 0.05 * np.sin(y * np.float32(rng.uniform(0.15, 0.5)))
    picture = _plain(base, np.asarray(streaks + rings, np.float32))
    plank = int(rng.integers(80, 220))
    for edge in range(int(rng.integers(0, plank)), SIDE_MM, plank):
        picture[edge : edge + plank] *= float(rng.uniform(0.85, 1.12))
        picture[edge : edge + 2] *= 0.45
    if rng.random() < 0.5:
        picture = np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), np.float32)
    return picture


def _pattern(rng: np.random.Generator) -> Floats:
    """Checks, stripes, dots or leaves in two or three colours."""
    colours = [tuple(float(part) for part in rng.uniform(20, 235, 3)) for _ in range(3)]
    picture = _plain(colours[0], 0.02 * _noise(rng, 200, 200))
    step = int(rng.integers(14, 60))
    kind = int(rng.integers(4))
    if kind < 2:
        for start in range(0, SIDE_MM, 2 * step):
            picture[:, start : start + step] = (
                picture[:, start : start + step] * 0.5 + np.array(colours[1]) * 0.5
            )
            if kind == 0:
                rows = picture[start : start + step]
                picture[start : start + step] = rows * 0.5 + np.array(colours[1]) * 0.5
    else:
        for row in range(0, SIDE_MM + step, step):
            for column in range(0, SIDE_MM + step, step):
                place = column + (row // step % 2) * step // 2, row
                if kind == 2:
                    cv2.circle(picture, place, max(2, step // 4), colours[1], -1, cv2.LINE_AA)
                else:
                    axes = max(2, step // 3), max(2, step // 8)
                    for turn in (0, 60, 120):
                        angle = turn + float(rng.uniform(-8, 8))
                        cv2.ellipse(
                            picture, place, axes, angle, 0, 360, colours[1 + turn // 90], -1, cv2.LINE_AA
                        )
    weave = 1 + 0.05 * _noise(rng, 500, 500)
    return np.asarray(picture * weave[..., None], np.float32)


def _cloth(rng: np.random.Generator) -> Floats:
    base = _CLOTHS[int(rng.integers(len(_CLOTHS)))]
    return _plain(base, 0.05 * _noise(rng, 9, 9) + 0.09 * _noise(rng, 480, 480))
