"""Suit signs as masks: outlines drawn with varied curves."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.uint8]
Curve = npt.NDArray[np.float64]
SIDE = 80


def _bezier(points: list[tuple[float, float]], n: int = 16) -> Curve:
    p = np.array(points, np.float64)
    t = np.linspace(0, 1, n)[:, None]
    curve: Curve = (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]
    return curve


def _both_sides(right: Curve) -> Curve:
    left = right[::-1].copy()
    left[:, 0] = -left[:, 0]
    return np.vstack([right, left])


def _fill(parts: list[Curve]) -> Mask:
    """Fill outlines given in a frame of about -1..1 and cut to what is drawn."""
    canvas = np.zeros((SIDE * 2, SIDE * 2), np.uint8)
    for part in parts:
        q = np.round((part * SIDE * 0.7 + SIDE) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [q], 255, cv2.LINE_AA, 4)
    ink = (canvas > 60).astype(np.uint8)
    x, y, w, h = cv2.boundingRect(ink)
    cut = canvas[y : y + h, x : x + w]
    return np.asarray(cv2.resize(cut, (max(8, round(cut.shape[1] * SIDE / cut.shape[0])), SIDE)), np.uint8)


def _heart_curve(rng: np.random.Generator) -> Curve:
    width, cleft = rng.uniform(0.78, 1.0), rng.uniform(-0.72, -0.42)
    top, belly, tip = rng.uniform(-1.1, -0.92), rng.uniform(-0.35, 0.15), rng.uniform(0.15, 0.75)
    a = _bezier([(0, cleft), (0.06, top - 0.05), (width, top - 0.15), (width, belly - 0.25)])
    b = _bezier([(width, belly - 0.25), (width, belly + 0.3), (rng.uniform(0.1, 0.45), tip), (0, 1.0)])
    return np.vstack([a, b[1:]])


def _stem(rng: np.random.Generator, top: float, bottom: float) -> Curve:
    foot, waist = rng.uniform(0.2, 0.55), rng.uniform(0.03, 0.10)
    side = _bezier(
        [
            (waist, top),
            (waist + 0.02, (top + bottom) / 2),
            (foot * rng.uniform(0.3, 0.7), bottom),
            (foot, bottom),
        ]
    )
    if rng.random() < 0.2:
        side = np.array([[waist, top], [foot, bottom]], np.float64)
    return _both_sides(side)


def heart(rng: np.random.Generator) -> Mask:
    """A heart."""
    return _fill([_both_sides(_heart_curve(rng))])


def spade(rng: np.random.Generator) -> Mask:
    """A spade: a heart upside down on a stem."""
    curve = _both_sides(_heart_curve(rng))
    curve[:, 1] = -1 + (1 - curve[:, 1]) * rng.uniform(0.76, 0.88)
    return _fill([curve, _stem(rng, 0.1, rng.uniform(0.85, 1.08))])


def diamond(rng: np.random.Generator) -> Mask:
    """A diamond with sides straight, hollow or (seldom) full."""
    width = rng.uniform(0.62, 0.95)
    bend = rng.choice([0.0, rng.uniform(-0.02, 0.22), rng.uniform(0.0, 0.14)])
    k = 0.5 - bend
    a = _bezier(
        [(0, -1), (width * k * 0.75, -1 + k * 0.75), (width - k * 0.75 * width, -k * 0.75), (width, 0)]
    )
    b = a[::-1].copy()
    b[:, 1] = -b[:, 1]
    return _fill([_both_sides(np.vstack([a, b[1:]]))])


def club(rng: np.random.Generator) -> Mask:
    """A club: three leaves and a stem."""
    r = rng.uniform(0.36, 0.47)
    side_r = r * rng.uniform(0.95, 1.08)
    x, y = rng.uniform(0.42, 0.56), rng.uniform(0.08, 0.25)
    t = np.linspace(0, 2 * np.pi, 40)
    leaf = np.stack([np.cos(t), np.sin(t)], 1)
    parts = [leaf * r + [0, -1 + r], leaf * side_r + [x, y], leaf * side_r + [-x, y]]
    if rng.random() < 0.8:  # where the leaves meet
        parts.append(
            np.array([[-x * 0.7, y - 0.05], [0, -1 + r], [x * 0.7, y - 0.05], [0, y + 0.2]], np.float64)
        )
    if rng.random() < 0.5:
        parts.append(leaf * rng.uniform(0.15, 0.3) + [0, -0.1])
    parts.append(_stem(rng, -0.1, rng.uniform(0.85, 1.05)))
    return _fill(parts)


MAKERS = {"S": spade, "H": heart, "D": diamond, "C": club}
