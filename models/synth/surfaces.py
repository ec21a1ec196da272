"""Table tops drawn by procedure: wood, felt, cloth, patterns, marble, plain paint, gradients and noise."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from models.synth.packs import Floats, Image, default_cache, encode

POOL = 48
"""Surfaces kept in memory; a scene takes a turned, scaled and recoloured part of one."""
SIDE = 640


def smooth_noise(rng: np.random.Generator, side: int, cells: int) -> Floats:
    """Noise of about ``cells`` blobs across, (side, side), from 0 to 1."""
    small = rng.random((cells + 2, cells + 2), dtype=np.float32)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def fractal(rng: np.random.Generator, side: int, octaves: tuple[int, ...] = (3, 7, 19, 53)) -> Floats:
    """Several octaves of noise, about 0 to 1."""
    total = np.zeros((side, side), np.float32)
    weight = 0.0
    for k, cells in enumerate(octaves):
        w = 0.6**k
        total += w * smooth_noise(rng, side, cells)
        weight += w
    return total / np.float32(weight)


def colour(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Floats:
    """A random colour, (3,) B, G, R from 0 to 255."""
    hsv = np.array(
        [[[rng.uniform(0, 180), rng.uniform(*saturation) * 255, rng.uniform(*value) * 255]]], np.uint8
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _mix(a: Floats, b: Floats, t: Floats) -> Floats:
    return a + (b - a) * np.clip(t, 0, 1)[:, :, None]


def _wood(rng: np.random.Generator) -> Floats:
    base = np.array([rng.uniform(20, 110), rng.uniform(50, 150), rng.uniform(90, 210)], np.float32)
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    warp = 60 * fractal(rng, SIDE, (2, 4)) + 6 * fractal(rng, SIDE, (9, 31))
    rings = 0.5 + 0.5 * np.sin((ys + warp + 0.02 * xs) * rng.uniform(0.05, 0.35))
    grain = cv2.resize(rng.random((SIDE, 24), dtype=np.float32), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    tone = np.asarray(0.6 * rings + 0.4 * grain, np.float32)
    out = np.ascontiguousarray(_mix(base * np.float32(rng.uniform(0.55, 0.85)), base, tone), np.float32)
    if rng.random() < 0.5:
        step = int(rng.integers(70, 240))
        for y in range(int(rng.integers(0, step)), SIDE, step):
            cv2.line(out, (0, y), (SIDE, y), (base * 0.35).tolist(), int(rng.integers(1, 4)))
            out[y : y + step] *= np.float32(rng.uniform(0.85, 1.1))
    return out


def _felt(rng: np.random.Generator) -> Floats:
    hue = rng.choice([60.0, 65.0, 75.0, 110.0, 120.0, 0.0, 175.0, 140.0])
    hsv = np.array([[[hue, rng.uniform(90, 230), rng.uniform(40, 170)]]], np.uint8)
    base = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    fuzz = cv2.GaussianBlur(
        rng.standard_normal((SIDE, SIDE)).astype(np.float32), (0, 0), rng.uniform(0.5, 1.3)
    )
    tone = 1 + 0.16 * fuzz + 0.25 * (fractal(rng, SIDE, (2, 5)) - 0.5)
    return np.asarray(base * tone[:, :, None], np.float32)


def _cloth(rng: np.random.Generator) -> Floats:
    base = colour(rng, (0.0, 0.7), (0.15, 0.98))
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    f = rng.uniform(0.5, 1.8)
    weave = np.sin(xs * f) * np.sin(ys * f)
    folds = fractal(rng, SIDE, (2, 4, 7)) - 0.5
    tone = 1 + rng.uniform(0.02, 0.14) * weave + rng.uniform(0.1, 0.7) * folds
    return np.asarray(base * tone[:, :, None], np.float32)


def _pattern(rng: np.random.Generator) -> Floats:
    a, b = colour(rng, (0, 0.9), (0.1, 1)), colour(rng, (0, 0.9), (0.1, 1))
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    step = rng.uniform(14, 110)
    kind = rng.integers(0, 6)
    if kind == 0:
        t = ((xs // step + ys // step) % 2).astype(np.float32)
    elif kind == 1:
        t = ((xs // step) % 2).astype(np.float32)
    elif kind == 2:
        t = (0.5 * ((xs // step) % 2) + 0.5 * ((ys // step) % 2)).astype(np.float32)
    elif kind == 3:
        t = ((((xs % step) - step / 2) ** 2 + ((ys % step) - step / 2) ** 2) < (step * 0.3) ** 2).astype(
            np.float32
        )
    elif kind == 4:
        t = np.asarray(0.5 + 0.5 * np.sin(xs / step * 6) * np.sin(ys / step * 6), np.float32)
    else:
        t = (fractal(rng, SIDE, (6, 13, 29)) > 0.5).astype(np.float32)
    out = np.ascontiguousarray(_mix(np.broadcast_to(a, (SIDE, SIDE, 3)).astype(np.float32), b, t), np.float32)
    if rng.random() < 0.35:
        c = colour(rng, (0.2, 1), (0.1, 1))
        for _ in range(int(rng.integers(8, 60))):
            x, y = rng.uniform(0, SIDE, 2)
            petals = int(rng.integers(3, 9))
            r = rng.uniform(5, 40)
            for p in range(petals):
                t2 = 2 * np.pi * p / petals
                centre = (round(x + r * np.cos(t2)), round(y + r * np.sin(t2)))
                cv2.circle(out, centre, max(1, round(r * 0.45)), c.tolist(), -1, cv2.LINE_AA)
    return out


def _marble(rng: np.random.Generator) -> Floats:
    base, vein = colour(rng, (0, 0.25), (0.1, 1)), colour(rng, (0, 0.4), (0.1, 0.9))
    n = fractal(rng, SIDE, (3, 7, 17, 41, 97))
    t = np.exp(-((n - 0.5) ** 2) / rng.uniform(0.0005, 0.02)) * rng.uniform(0.2, 0.8)
    return _mix(np.broadcast_to(base, (SIDE, SIDE, 3)).astype(np.float32), vein, t.astype(np.float32))


def _speckle(rng: np.random.Generator) -> Floats:
    base = colour(rng, (0, 0.6), (0.1, 0.95))
    grains = rng.standard_normal((SIDE, SIDE, 3)).astype(np.float32)
    sigma = rng.uniform(0.6, 3)
    grains = np.asarray(cv2.GaussianBlur(grains, (0, 0), sigma), np.float32) * np.float32(sigma * 22)
    return np.asarray(base + grains + 30 * (fractal(rng, SIDE)[:, :, None] - 0.5), np.float32)


def _plain(rng: np.random.Generator) -> Floats:
    base = (
        colour(rng, (0, 0.8), (0.05, 1.0))
        if rng.random() < 0.6
        else np.full(3, rng.uniform(15, 250), np.float32)
    )
    tone = 1 + 0.15 * (fractal(rng, SIDE, (2, 3)) - 0.5)
    return np.asarray(base * tone[:, :, None], np.float32)


def _leather(rng: np.random.Generator) -> Floats:
    base = colour(rng, (0, 0.6), (0.08, 0.55))
    n = smooth_noise(rng, SIDE, int(rng.integers(60, 160)))
    gx = cv2.Sobel(n, cv2.CV_32F, 1, 1, ksize=3)
    tone = 1 + np.clip(gx * 1.6, -0.4, 0.5) + 0.4 * (fractal(rng, SIDE, (2, 4)) - 0.5)
    return np.asarray(base * tone[:, :, None], np.float32)


_KINDS = (_wood, _felt, _cloth, _pattern, _marble, _speckle, _plain, _leather)


def photographed(cache: Path | None = None) -> tuple[Image, ...]:
    """Card-free parts of real photographs from the cache, uint8 (SIDE, SIDE, 3); none without a cache."""
    path = (cache or default_cache()) / "surfaces.npz"
    if not path.exists():
        return ()
    with np.load(path) as file:
        return tuple(np.asarray(cv2.imdecode(file[n], cv2.IMREAD_COLOR), np.uint8) for n in file.files)


def save_photographed(parts: Iterable[Image], cache: Path | None = None) -> None:
    """Write such parts to the cache."""
    coded = {f"p{k}": encode(".jpg", part, cv2.IMWRITE_JPEG_QUALITY, 88) for k, part in enumerate(parts)}
    np.savez((cache or default_cache()) / "surfaces.npz", **coded)  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def pool() -> tuple[Image, ...]:
    """The surfaces, each uint8 (SIDE, SIDE, 3); the same in every process, the cache's photographed ones last."""
    out = []
    for k in range(POOL):
        rng = np.random.default_rng([7401, k])
        picture = _KINDS[k % len(_KINDS)](rng)
        out.append(np.clip(picture, 0, 255).astype(np.uint8))
    return tuple(out) + photographed()


def surface(rng: np.random.Generator, size: int) -> Image:
    """A table top, uint8 (size, size, 3), cut at a random place, angle and scale, its colours changed."""
    pictures = pool()
    picture = pictures[int(rng.integers(0, len(pictures)))]
    side = min(picture.shape[:2])
    reach = size * 1.42
    scale = rng.uniform(max(reach / side * 1.02, 0.75), max(1.9, reach / side * 1.1))
    angle = rng.uniform(0, 360)
    room = max(0.0, (side - reach / scale) / 2)
    cx, cy = picture.shape[1] / 2 + rng.uniform(-room, room), picture.shape[0] / 2 + rng.uniform(-room, room)
    m = cv2.getRotationMatrix2D((cx, cy), angle, scale)
    m[:, 2] += np.array([size / 2 - cx, size / 2 - cy])
    out = cv2.warpAffine(picture, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    gain = rng.uniform(0.6, 1.3) * rng.uniform(0.85, 1.15, 3)
    table = np.clip(
        np.arange(256)[None, :, None] * gain[None, None, :] + rng.uniform(-20, 20), 0, 255
    ).astype(np.uint8)
    return np.asarray(cv2.LUT(out, table), np.uint8)
