"""What lamp and camera do to a picture: uneven warm light, glare, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np

from models.synth.packs import Floats, Image


def light(rng: np.random.Generator, picture: Image) -> Image:
    """Uneven lamp light, its colour, and shadows of what stands outside the picture."""
    h, w = picture.shape[:2]
    cells = int(rng.integers(2, 5))
    low, high = sorted(rng.uniform(0.55, 1.15, 2))
    field = rng.uniform(low, high, (cells, cells)).astype(np.float32)
    if rng.random() < 0.25:  # the edge of a shadow, as of an arm above the lamp's cone
        ys, xs = np.mgrid[0:24, 0:24].astype(np.float32) / 24
        angle = rng.uniform(0, 2 * np.pi)
        side = (xs - rng.uniform(0.2, 0.8)) * np.cos(angle) + (ys - rng.uniform(0.2, 0.8)) * np.sin(angle)
        step = 1 / (1 + np.exp(-side * rng.uniform(6, 60)))
        field = cv2.resize(field, (24, 24), interpolation=cv2.INTER_CUBIC) * (
            1 - rng.uniform(0.15, 0.55) * step
        )
    gain = cv2.resize(field.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    warmth = rng.normal(0.12, 0.22)
    tint = np.array([1 - 0.75 * warmth, 1 - 0.12 * warmth, 1 + 0.28 * warmth], np.float32)
    tint *= rng.uniform(0.94, 1.06, 3).astype(np.float32)
    tint = np.clip(tint / tint.max(), 0.3, 1) * np.float32(rng.uniform(0.85, 1.2))
    planes = [cv2.multiply(picture[:, :, c], gain, scale=float(tint[c]), dtype=cv2.CV_8U) for c in range(3)]
    return np.asarray(cv2.merge(planes), np.uint8)


def glare(rng: np.random.Generator, picture: Image) -> Image:
    """One to three bright reflections."""
    h, w = picture.shape[:2]
    small = np.zeros((h // 4, w // 4), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        layer = np.zeros_like(small)
        centre = (int(rng.integers(0, w // 4)), int(rng.integers(0, h // 4)))
        axes = (int(rng.integers(3, 26)), int(rng.integers(3, 14)))
        cv2.ellipse(layer, centre, axes, rng.uniform(0, 180), 0, 360, float(rng.uniform(40, 190)), -1)
        small += cv2.GaussianBlur(layer, (0, 0), rng.uniform(2, 10))
    bright = cv2.resize(np.minimum(small, 230), (w, h), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    return np.asarray(cv2.add(picture, cv2.merge([bright, bright, bright])), np.uint8)


def motion_kernel(rng: np.random.Generator, length: float) -> Floats:
    """A straight smear of ``length`` pixels."""
    n = int(np.ceil(length)) | 1
    k = np.zeros((n + 2, n + 2), np.float32)
    c = (n + 1) / 2
    a = rng.uniform(0, np.pi)
    d = length / 2
    p = (round((c - d * np.cos(a)) * 16), round((c - d * np.sin(a)) * 16))
    q = (round((c + d * np.cos(a)) * 16), round((c + d * np.sin(a)) * 16))
    cv2.line(k, p, q, 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(k / max(float(k.sum()), 1e-3), np.float32)


def blur(rng: np.random.Generator, picture: Image, strength: float) -> Image:
    """Out of focus, moved, or thrown away resolution; ``strength`` 1 for a card of 100 px."""
    kind = rng.random()
    if kind < 0.45:
        sigma = abs(rng.normal(0, 0.75)) * strength
        return picture if sigma < 0.25 else np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)
    if kind < 0.62:
        return np.asarray(
            cv2.filter2D(picture, -1, motion_kernel(rng, rng.uniform(1.2, 5.5) * strength)), np.uint8
        )
    if kind < 0.85:
        h, w = picture.shape[:2]
        f = 1 - rng.uniform(0.05, 0.5) * min(1.0, strength)
        small = cv2.resize(picture, (round(w * f), round(h * f)), interpolation=cv2.INTER_AREA)
        way = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(small, (w, h), interpolation=way), np.uint8)
    return picture


def tone(rng: np.random.Generator, picture: Image) -> Image:
    """Gamma, contrast, black level and saturation of a camera."""
    x = np.arange(256, dtype=np.float32) / 255
    x = x ** rng.uniform(0.7, 1.5)
    x = (x - 0.5) * rng.uniform(0.7, 1.25) + 0.5 + rng.uniform(-0.08, 0.08)
    if rng.random() < 0.3:
        x = x + 0.12 * np.sin(2 * np.pi * x) * -rng.uniform(0, 0.8)
    picture = np.asarray(cv2.LUT(picture, np.clip(x * 255, 0, 255).astype(np.uint8)), np.uint8)
    if rng.random() < 0.5:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        s = rng.uniform(0.45, 1.35)
        picture = np.asarray(cv2.addWeighted(picture, s, grey, 1 - s, 0), np.uint8)
    return picture


def noise(rng: np.random.Generator, picture: Image) -> Image:
    """Sensor noise, finer in luma than in colour."""
    sigma = abs(rng.normal(0, 5.5))
    if sigma < 0.7:
        return picture
    h, w = picture.shape[:2]
    # One sheet of numbers serves many pictures: cut anew at a random place, it is cheaper than fresh numbers.
    sheet = _noise_sheet()
    y, x = rng.integers(0, sheet.shape[0] - h), rng.integers(0, sheet.shape[1] - w)
    part = sheet[y : y + h, x : x + w]
    if rng.random() < 0.4:
        part = cv2.GaussianBlur(part, (0, 0), 0.8) * 1.8
    return np.asarray(cv2.addWeighted(picture, 1.0, part, float(sigma / 20), 0, dtype=cv2.CV_8U), np.uint8)


_SHEET: list[Floats] = []


def _noise_sheet() -> Floats:
    if not _SHEET:
        rng = np.random.default_rng(90210)
        sheet = rng.standard_normal((1024, 1024, 3)).astype(np.float32) * 20
        sheet = 0.5 * sheet + 0.7 * rng.standard_normal((1024, 1024, 1)).astype(np.float32) * 20
        _SHEET.append(sheet.astype(np.float32))
    return _SHEET[0]


def compress(rng: np.random.Generator, picture: Image) -> Image:
    """JPEG, whose blocks stand in for the video's too."""
    quality = int(np.clip(rng.normal(72, 20), 22, 98))
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(data, cv2.IMREAD_COLOR) if ok else None
    return picture if back is None else np.asarray(back, np.uint8)


def far(rng: np.random.Generator, picture: Image, card_px: float) -> Image:
    """A camera far away, its small picture enlarged to the table's scale: noise and compression are enlarged too."""
    h, w = picture.shape[:2]
    f = rng.uniform(38, 62) / card_px
    small = np.asarray(
        cv2.resize(picture, (round(w * f), round(h * f)), interpolation=cv2.INTER_AREA), np.uint8
    )
    if rng.random() < 0.4:
        small = np.asarray(cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 0.8)), np.uint8)
    small = noise(rng, small)
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(small, (0, 0), 1.0)
        small = np.asarray(cv2.addWeighted(small, 1.8, soft, -0.8, 0), np.uint8)
    if rng.random() < 0.7:
        small = compress(rng, small)
    way = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, (w, h), interpolation=way), np.uint8)


def film(rng: np.random.Generator, picture: Image, card_px: float) -> Image:
    """Return the picture as a frame of a strongly compressed film.

    It is small, often smaller in one direction (the camera looks aslant), in coarse blocks that are smoothed.
    """
    h, w = picture.shape[:2]
    share = min(1.0, float(np.exp(rng.uniform(np.log(32), np.log(90)))) / card_px)
    squeeze = rng.uniform(0.45, 1.0) if rng.random() < 0.6 else 1.0
    wide, high = (share, share * squeeze) if rng.random() < 0.5 else (share * squeeze, share)
    small = cv2.resize(
        picture, (max(48, round(w * wide)), max(48, round(h * high))), interpolation=cv2.INTER_AREA
    )
    if rng.random() < 0.2:
        small = cv2.filter2D(small, -1, motion_kernel(rng, rng.uniform(1.2, 5.0)))
    small = noise(rng, np.asarray(small, np.uint8))
    for _ in range(int(rng.integers(1, 3))):
        # The second time the blocks lie elsewhere, as those of things that moved since the frame before.
        by = tuple(int(n) for n in rng.integers(0, 8, 2))
        small = np.roll(small, by, (0, 1))
        quality = int(np.clip(np.exp(rng.normal(3.4, 0.5)), 8, 80))
        ok, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
        back = cv2.imdecode(data, cv2.IMREAD_COLOR) if ok else None
        small = np.roll(small if back is None else np.asarray(back, np.uint8), (-by[0], -by[1]), (0, 1))
        if rng.random() < 0.5:
            small = np.asarray(cv2.bilateralFilter(small, 5, float(rng.uniform(8, 30)), 2.0), np.uint8)
    way = cv2.INTER_CUBIC if rng.random() < 0.3 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, (w, h), interpolation=way), np.uint8)


def photograph(
    rng: np.random.Generator,
    picture: Image,
    card_px: float = 100.0,
    glare_share: float = 0.22,
    *,
    filmed: bool = False,
) -> Image:
    """The whole way from the lit table to the compressed picture; uint8 (H, W, 3) in and out.

    ``filmed``: as a frame of a strongly compressed film (``film``).
    """
    if rng.random() < 0.92:
        picture = light(rng, picture)
    if rng.random() < glare_share:
        picture = glare(rng, picture)
    if rng.random() < 0.8:
        picture = tone(rng, picture)
    if filmed:
        return film(rng, picture, card_px)
    if rng.random() < 0.16 and card_px > 60:
        return far(rng, picture, card_px)
    picture = blur(rng, picture, float(np.clip(card_px / 100, 0.35, 1.3)))
    picture = noise(rng, picture)
    if rng.random() < 0.15:  # sharpening, as phones do
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(cv2.addWeighted(picture, 1.7, soft, -0.7, 0), np.uint8)
    if rng.random() < 0.8:
        picture = compress(rng, picture)
    return picture
