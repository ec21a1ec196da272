"""The Q as playing cards have it and hardly a font: a tall oval whose tail curls through its foot."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.synth.glyphs import CAP, Font, Mask

Points = npt.NDArray[np.float64]
FINE = 4
"""Drawn so many times larger, with so many bits below the pixel."""

# Tails from end to end: across in half widths of the oval from its middle, down in its heights from its top; before
# them each one's share.
TAILS: dict[str, tuple[float, list[tuple[float, float]]]] = {
    "arch": (0.4, [(-1.65, 0.83), (-0.95, 0.74), (-0.1, 0.70), (0.65, 0.74), (1.2, 0.86), (1.5, 1.02)]),
    "wave": (0.2, [(-1.25, 0.82), (-0.55, 0.70), (0.10, 0.79), (0.40, 0.97), (0.90, 1.06), (1.45, 0.95)]),
    "loop": (
        0.16,
        [
            (-0.2, 0.99),
            (-0.85, 0.93),
            (-0.80, 0.74),
            (-0.05, 0.76),
            (0.35, 0.95),
            (0.85, 1.06),
            (1.4, 0.96),
        ],
    ),
    "hook": (0.1, [(-0.45, 0.80), (-0.15, 0.68), (0.25, 0.78), (0.55, 1.00), (1.00, 1.07), (1.40, 0.97)]),
    "slash": (0.07, [(-0.15, 0.66), (0.35, 0.83), (1.15, 1.08)]),
    "foot": (0.07, [(-0.55, 1.00), (-0.1, 0.93), (0.4, 1.02), (0.9, 1.08), (1.3, 1.0)]),
}


def curve(points: Points, steps: int = 12) -> Points:
    """A smooth line (Catmull-Rom) through points (n, 2), ``steps`` to each stretch."""
    p = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    out = []
    for k in range(len(points) - 1):
        a, b, c, d = p[k : k + 4]
        out.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    return np.concatenate([*out, points[-1:]])


def stroke_of(font: Font) -> float:
    """How thick the font's upright strokes are: the first run across the middle of its 0, in pixels of ``CAP``."""
    row = font.masks["0"][font.masks["0"].shape[0] // 2] > 127
    start = int(np.argmax(row))
    run = np.flatnonzero(~row[start:])
    return float(run[0] if len(run) else row.sum())


def card_queen(rng: np.random.Generator, font: Font) -> Mask:
    """A Q to go with a font's figures: as wide as its 0, as thick."""
    zero = font.masks["0"]
    stroke = float(np.clip(stroke_of(font) * rng.uniform(0.7, 1.15), 5, 26))
    wide = float(np.clip(zero.shape[1] * rng.uniform(0.6, 1.15), 0.34 * CAP, 0.85 * CAP))
    high = CAP * rng.uniform(0.88, 1.0)
    thin = stroke * rng.uniform(0.45, 1.0)
    kind = str(rng.choice(list(TAILS), p=[share for share, _ in TAILS.values()]))
    canvas = np.zeros((round(CAP * 1.5) * FINE, round(CAP * 2) * FINE), np.uint8)
    middle = np.array([CAP, CAP * 0.1 + high / 2])
    turn = np.linspace(0, 2 * np.pi, 90)
    # More or less square shoulders: a superellipse, or straight sides between round ends.
    ring = np.stack([np.cos(turn), np.sin(turn)], 1)
    ring = np.sign(ring) * np.abs(ring) ** rng.uniform(0.75, 1.05)
    straight = rng.uniform(0.3, 1.0) * max(high - wide, 0.0) / 2 if rng.random() < 0.5 else 0.0
    sides = np.sign(np.sin(turn))[:, None] * [0.0, straight]
    outer, inner = (
        middle + ring * [wide / 2 - by * stroke, high / 2 - straight - by * thin] + sides for by in (0.0, 1.0)
    )
    cv2.fillPoly(canvas, [_fixed(outer)], 255, cv2.LINE_AA, 4)
    cv2.fillPoly(canvas, [_fixed(inner)], 0, cv2.LINE_AA, 4)
    points = np.array(TAILS[kind][1])
    tail = points + rng.normal(0, 0.04, points.shape) * [2, 1]
    reach = rng.uniform(0.75, 1.05)
    tail = tail * [reach * wide / 2, high] + [middle[0], middle[1] - high / 2]
    # Many tails begin as a hairline.
    end = stroke * rng.uniform(0.4, 0.95)
    line = curve(tail)
    for k, weight in enumerate(np.linspace(end * rng.uniform(0.3, 1.0), end, len(line) - 1)):
        thick = max(FINE * 2, round(weight * FINE))
        cv2.polylines(canvas, [_fixed(line[k : k + 2])], False, 255, thick, cv2.LINE_AA, 4)
    ys, xs = np.nonzero(canvas > 100)
    cut = canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    size = (round(cut.shape[1] / FINE), round(cut.shape[0] / FINE))
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)


def _fixed(points: Points) -> npt.NDArray[np.int32]:
    return np.round(points * FINE * 16).astype(np.int32)
