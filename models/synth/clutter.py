"""What lies on a table and is no card, and what moves above it: papers, phones, coins, dice, backs, hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from models.synth.drawn import kit
from models.synth.glyphs import set_word
from models.synth.packs import Face, Floats, Image, Pack
from models.synth.surfaces import colour, smooth_noise

Matrix = npt.NDArray[np.float64]
THING = -2
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
)


class Layable(Protocol):
    """Where things are laid: the scene's canvas."""

    image: Image
    ids: npt.NDArray[np.int16]
    size: int
    shadow: float
    softness: float
    lamp: npt.NDArray[np.float64]

    def put(self, face: Face, matrix: Matrix, ident: int, lift: float = 1.0) -> None:
        """Lay a picture with alpha."""


def _sheet(h: int, w: int, bgr: Floats) -> Image:
    out = np.empty((h, w, 4), np.uint8)
    out[:, :, :3] = np.clip(bgr, 0, 255).astype(np.uint8)
    out[:, :, 3] = 255
    return out


def _text(rng: np.random.Generator) -> str:
    kind = rng.integers(0, 5)
    if kind == 0:
        return "".join(rng.choice(list("0123456789"), int(rng.integers(1, 6))))
    if kind == 1:
        return "".join(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), int(rng.integers(1, 8))))
    if kind == 2:
        return "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz  "), int(rng.integers(4, 18))))
    if kind == 3:
        return f"{rng.integers(0, 24)}:{rng.integers(0, 60):02d}"
    return f"{rng.integers(0, 99)},{rng.integers(0, 99):02d} {rng.choice(['EUR', 'kg', 'A', 'x', '%', 'Q', 'J', 'K'])}"


def paper(rng: np.random.Generator, card: float) -> Face:
    """A score sheet, a letter, a label, a book: numbers and letters in lines or columns."""
    w, h = round(card * rng.uniform(0.6, 3.2)), round(card * rng.uniform(0.6, 3.2))
    light = rng.random() < 0.65
    ground = (
        np.full(3, rng.uniform(205, 255)) * rng.uniform(0.9, 1, 3)
        if light
        else colour(rng, (0, 0.8), (0.1, 0.7))
    )
    out = _sheet(h, w, ground.astype(np.float32))
    size = float(np.exp(rng.uniform(np.log(0.0022), np.log(0.035)))) * card
    font = _FONTS[int(rng.integers(0, len(_FONTS)))]
    thick = max(1, round(size * rng.uniform(0.8, 3)))
    ink = colour(rng, (0, 0.9), (0, 0.5)) if light else colour(rng, (0, 0.5), (0.7, 1))
    line = size * rng.uniform(26, 50)
    y = line
    while y < h - 3:
        x = size * 8.0
        while x < w * 0.9:
            words = _text(rng)
            cv2.putText(
                out, words, (round(x), round(y)), font, size, (*ink.tolist(), 255), thick, cv2.LINE_AA
            )
            x += size * 22 * (len(words) + rng.uniform(1, 6))
            if rng.random() < 0.3:
                break
        y += line
    if rng.random() < 0.4:
        step = max(6, round(line))
        pen = (*(ground * 0.75).tolist(), 255)
        for k in range(0, h, step):
            cv2.line(out, (0, k), (w, k), pen, 1)
        if rng.random() < 0.5:
            for k in range(0, w, step):
                cv2.line(out, (k, 0), (k, h), pen, 1)
    out[:, :, 3] = 255
    return Face(out, 63.5, [])


def phone(rng: np.random.Generator, card: float) -> Face:
    """A phone: a dark or lit screen with tiles and numbers."""
    w, h = round(card * rng.uniform(1.0, 1.25)), round(card * rng.uniform(2.0, 2.5))
    out = np.zeros((h, w, 4), np.uint8)
    r = round(w * 0.12)
    for a, b in (((r, 0), (w - r, h)), ((0, r), (w, h - r))):
        cv2.rectangle(out, a, b, (20, 20, 20, 255), -1)
    for x in (r, w - r):
        for y in (r, h - r):
            cv2.circle(out, (x, y), r, (20, 20, 20, 255), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        m = max(3, w // 20)
        c = colour(rng, (0, 0.8), (0.2, 1))
        cv2.rectangle(out, (m, m * 3), (w - m, h - m * 3), (*c.tolist(), 255), -1)
        for _ in range(int(rng.integers(2, 20))):
            x, y = int(rng.integers(m, w * 4 // 5)), int(rng.integers(m * 4, h * 9 // 10))
            s = int(rng.integers(w // 12, w // 4))
            cv2.rectangle(
                out, (x, y), (min(x + s, w - m), y + s), (*colour(rng, (0, 1), (0, 1)).tolist(), 255), -1
            )
        for _ in range(int(rng.integers(1, 6))):
            at = (int(rng.integers(m, w * 3 // 5)), int(rng.integers(m * 5, h * 9 // 10)))
            ink = (*colour(rng, (0, 0.5), (0, 1)).tolist(), 255)
            cv2.putText(
                out, _text(rng), at, 0, card * rng.uniform(0.004, 0.014), ink, 1 + int(card > 80), cv2.LINE_AA
            )
    return Face(out, 63.5, [])


def disc(rng: np.random.Generator, card: float) -> Face:
    """A coin, button, chip, glass seen from above or coaster."""
    d = round(card * rng.choice([rng.uniform(0.2, 0.45), rng.uniform(0.9, 1.6)]))
    k = max(12, d)
    out = np.zeros((k, k, 4), np.uint8)
    c = (k // 2, k // 2)
    ring = colour(rng, (0, 0.9), (0.1, 1))
    cv2.circle(out, c, k // 2 - 1, (*ring.tolist(), 255), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):
        pen = (*colour(rng, (0, 0.9), (0.1, 1)).tolist(), 255)
        width = max(1, round(k * rng.uniform(0.01, 0.08)))
        cv2.circle(out, c, max(2, round(k * rng.uniform(0.1, 0.46))), pen, width, cv2.LINE_AA)
    if rng.random() < 0.5:
        size = k / 60 * rng.uniform(0.5, 1.0)
        at = (round(k * 0.25), round(k * 0.65))
        ink = (*colour(rng, (0, 0.5), (0, 1)).tolist(), 255)
        cv2.putText(out, str(rng.integers(1, 100)), at, 0, size, ink, max(1, k // 30), cv2.LINE_AA)
    if rng.random() < 0.3:  # a glass: light shows through
        out[:, :, 3] = (out[:, :, 3] * rng.uniform(0.4, 0.8)).astype(np.uint8)
    return Face(out, 63.5, [])


def die(rng: np.random.Generator, card: float) -> Face:
    """A die's upper side."""
    k = max(12, round(card * rng.uniform(0.2, 0.32)))
    out = _sheet(k, k, np.full(3, rng.uniform(200, 255), np.float32))
    if rng.random() < 0.4:
        out[:, :, :3] = colour(rng, (0.5, 1), (0.2, 0.9)).astype(np.uint8)
    ink = (0, 0, 0, 255) if rng.random() < 0.7 else (240, 240, 240, 255)
    eyes = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}
    for e in eyes[int(rng.integers(1, 7))]:
        at = (round(k * (0.25 + 0.25 * (e % 3))), round(k * (0.25 + 0.25 * (e // 3))))
        cv2.circle(out, at, max(1, round(k * 0.09)), ink, -1, cv2.LINE_AA)
    return Face(out, 63.5, [])


def _print(out: Image, mask: Image, x: int, y: int, ink: Floats) -> None:
    """Paint through a mask with its upper left corner at (x, y), clipped at the sheet's far edges."""
    part = out[y : y + mask.shape[0], x : x + mask.shape[1], :3]
    a = mask[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = (part * (1 - a) + ink * a).astype(np.uint8)


def tile(rng: np.random.Generator, card: float) -> Face:
    """A game's tile, a label, a key: one letter or number alone on a light ground, and no suit with it."""
    tools = kit(held=False)
    font = tools.fonts[int(rng.integers(0, len(tools.fonts)))]
    word = str(rng.choice([*"0123456789AJQKEOR", "10", "11", "12", "13", "20", "EK", "QR"]))
    size = card * rng.uniform(0.1, 0.35)
    marks = [font.masks[c] for c in word if c in font.masks]
    s = size / 96
    marks = [
        np.asarray(cv2.resize(m, None, fx=s, fy=s, interpolation=cv2.INTER_AREA), np.uint8) for m in marks
    ]
    inner = sum(m.shape[1] + 2 for m in marks)
    w, h = round(inner + size * rng.uniform(0.3, 2.5)), round(size * rng.uniform(1.3, 3.0))
    out = _sheet(h, w, np.full(3, rng.uniform(190, 255), np.float32) * np.array([rng.uniform(0.75, 1), 1, 1]))
    ink = colour(rng, (0, 1), (0, 0.8))
    x = (w - inner) // 2
    y = int(rng.integers(0, max(1, h - marks[0].shape[0])))
    for m in marks:
        _print(out, m, x, y, ink)
        x += m.shape[1] + 2
    return Face(out, 63.5, [])


def column(rng: np.random.Generator, card: float) -> Face:
    """A word on a light ground, letter under letter or along an edge as a joker has its own, and a star or none."""
    tools = kit(held=False)
    font = tools.fonts[int(rng.integers(0, len(tools.fonts)))]
    letters = sorted(c for c in font.masks if c.isalpha())
    size = card * rng.uniform(0.045, 0.13)
    chosen = rng.choice(letters, int(rng.integers(2, 9)))
    stacked = rng.random() < 0.6
    masks: list[Image] = []
    for char in chosen:
        mask = font.masks[str(char)]
        share = size / mask.shape[0] * rng.uniform(0.9, 1.1)
        width = max(2, round(mask.shape[1] * share))
        small = cv2.resize(mask, (width, max(2, round(size))), interpolation=cv2.INTER_AREA)
        masks.append(np.asarray(small, np.uint8))
    if rng.random() < 0.25:
        dot = np.zeros((max(5, round(size)),) * 2, np.uint8)
        cv2.circle(dot, (len(dot) // 2, len(dot) // 2), len(dot) // 2, 255, -1, cv2.LINE_AA)
        masks.insert(0, dot)
    gap = max(1, round(size * rng.uniform(0.05, 0.35)))
    word = set_word(masks, gap, stacked=stacked)
    word = np.pad(word, ((gap, 0), (0, 0)) if stacked else ((0, 0), (gap, 0)))
    if not stacked and rng.random() < 0.7:
        word = np.ascontiguousarray(np.rot90(word, int(rng.choice([1, 3]))))
    h, w = (round(v + card * rng.uniform(0.1, 0.9)) for v in word.shape)
    out = _sheet(h, w, np.full(3, rng.uniform(190, 255), np.float32))
    ink = colour(rng, (0, 1), (0, 0.7))
    x, y = (round(card * rng.uniform(0.02, 0.08)) for _ in range(2))
    _print(out, word, x, y, ink)
    return Face(out, 63.5, [])


def back(rng: np.random.Generator, card: float) -> Face:
    """A card's back drawn anew: a frame and a pattern."""
    w = 150
    h = round(w * rng.choice([88.9 / 63.5, 88.9 / 57]))
    white = np.full(3, rng.uniform(225, 255), np.float32)
    out = _sheet(h, w, white)
    m = round(w * rng.uniform(0, 0.09))
    c = colour(rng, (0.4, 1), (0.2, 0.9))
    inner = out[m : h - m, m : w - m]
    inner[:, :, :3] = c.astype(np.uint8)
    step = int(rng.integers(5, 22))
    kind = rng.integers(0, 4)
    ink = (*(white if rng.random() < 0.7 else colour(rng, (0, 1), (0, 1))).tolist(), 255)
    ih, iw = inner.shape[:2]
    if kind < 2:
        for k in range(-ih, iw + ih, step):
            cv2.line(inner, (k, 0), (k + ih, ih), ink, int(rng.integers(1, 3)), cv2.LINE_AA)
            if kind == 0:
                cv2.line(inner, (k, ih), (k + ih, 0), ink, 1, cv2.LINE_AA)
    elif kind == 2:
        for y in range(step // 2, ih, step):
            for x in range(step // 2, iw, step):
                cv2.circle(inner, (x, y), max(1, step // 4), ink, -1, cv2.LINE_AA)
    else:
        for r in range(4, ih, step):
            cv2.circle(inner, (iw // 2, ih // 2), r, ink, 1, cv2.LINE_AA)
    return Face(out, 63.5, [])


def _lay(canvas: Layable, rng: np.random.Generator, view: Matrix, thing: Face, scale: float) -> None:
    h, w = thing.rgba.shape[:2]
    x, y, a = rng.uniform(0, canvas.size), rng.uniform(0, canvas.size), rng.uniform(0, 2 * np.pi)
    c, s = np.cos(a) * scale, np.sin(a) * scale
    m = np.array([[c, -s, x - c * w / 2 + s * h / 2], [s, c, y - s * w / 2 - c * h / 2], [0, 0, 1]])
    canvas.put(thing, view @ m, THING, rng.uniform(0.3, 2.5))


def scatter(
    rng: np.random.Generator, canvas: Layable, view: Matrix, card: float, packs: Sequence[Pack], n: int
) -> None:
    """Lay ``n`` things that are no cards with a face."""
    for _ in range(n):
        kind = rng.random()
        if kind < 0.12:
            _lay(canvas, rng, view, tile(rng, card), 1.0)
        elif kind < 0.38:
            _lay(canvas, rng, view, paper(rng, card), 1.0)
        elif kind < 0.48:
            _lay(canvas, rng, view, phone(rng, card), 1.0)
        elif kind < 0.62:
            _lay(canvas, rng, view, disc(rng, card), 1.0)
        elif kind < 0.70:
            _lay(canvas, rng, view, die(rng, card), 1.0)
        else:
            pack = packs[int(rng.integers(0, len(packs)))]
            thing = pack.back if pack.back is not None and rng.random() < 0.6 else back(rng, card)
            _lay(canvas, rng, view, thing, card / thing.rgba.shape[1])


def words(rng: np.random.Generator, canvas: Layable, view: Matrix, card: float, n: int) -> None:
    """Lay ``n`` words that are easily taken for a joker's."""
    for _ in range(n):
        _lay(canvas, rng, view, column(rng, card), 1.0)


def hand(rng: np.random.Generator, canvas: Layable, card: float) -> None:
    """An arm with sleeve and hand that reaches in from the edge over the cards."""
    size = canvas.size
    a = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(a), np.sin(a)])
    side = np.array([-way[1], way[0]])
    tip = size / 2 + rng.normal(0, size * 0.28, 2)
    palm = card * rng.uniform(0.55, 0.75)
    mask = np.zeros((size, size), np.uint8)
    sleeve = np.zeros((size, size), np.uint8)

    def dots(p: npt.NDArray[np.float64]) -> tuple[int, int]:
        return (round(float(p[0]) * 8), round(float(p[1]) * 8))

    wrist = tip - way * palm * rng.uniform(1.5, 2.2)
    spread = rng.uniform(0.06, 0.30)
    for k in range(4):
        t = (k - 1.5) * spread
        direction = way * np.cos(t) + side * np.sin(t)
        base = tip - way * palm * 0.7 + side * (k - 1.5) * palm * 0.25
        end = base + direction * palm * (rng.uniform(0.8, 1.0) if k in (1, 2) else rng.uniform(0.6, 0.85))
        cv2.line(mask, dots(base), dots(end), 255, max(3, round(palm * 0.23)), cv2.LINE_AA, 3)
    thumb = tip - way * palm * 0.9 + side * palm * 0.45 * rng.choice([-1, 1])
    cv2.line(
        mask,
        dots(tip - way * palm * 1.2),
        dots(thumb + way * palm * 0.4),
        255,
        round(palm * 0.26),
        cv2.LINE_AA,
        3,
    )
    angle = float(np.degrees(a))
    centre = tip - way * palm * 1.05
    cv2.ellipse(
        mask, dots(centre), (round(palm * 4.8), round(palm * 4.0)), angle, 0, 360, 255, -1, cv2.LINE_AA, 3
    )
    far = wrist - way * size * 1.5
    cv2.line(mask, dots(centre), dots(far), 255, max(3, round(palm * 0.62)), cv2.LINE_AA, 3)
    cuff = wrist - way * palm * rng.uniform(-0.4, 1.6)
    cv2.line(sleeve, dots(cuff), dots(far), 255, max(4, round(palm * rng.uniform(0.85, 1.3))), cv2.LINE_AA, 3)
    skins = np.array(
        [[170, 195, 235], [140, 170, 220], [110, 145, 205], [80, 110, 165], [50, 75, 120], [35, 50, 80]]
    )
    skin = skins[int(rng.integers(0, len(skins)))] * rng.uniform(0.8, 1.1)
    shade = 0.75 + 0.4 * smooth_noise(rng, size, 6)
    soft = cv2.GaussianBlur(mask, (0, 0), palm * 0.12).astype(np.float32) / 255
    flesh = (skin[None, None, :] * (shade * (0.55 + 0.45 * soft))[:, :, None]).clip(0, 255).astype(np.uint8)
    fabric_colour = colour(rng, (0, 0.8), (0.05, 0.95))
    fabric = (
        (fabric_colour * (0.7 + 0.5 * smooth_noise(rng, size, 14))[:, :, None]).clip(0, 255).astype(np.uint8)
    )
    both = cv2.max(mask, sleeve)
    height = rng.uniform(3, 12)
    shift = np.array([[1, 0, canvas.lamp[0] * height], [0, 1, canvas.lamp[1] * height]])
    dark = cv2.GaussianBlur(cv2.warpAffine(both, shift, (size, size)), (0, 0), rng.uniform(2, 9))
    keep = cv2.bitwise_not(cv2.convertScaleAbs(dark, alpha=canvas.shadow))
    canvas.image[:] = cv2.multiply(canvas.image, cv2.merge([keep] * 3), scale=1 / 255)
    if rng.random() < 0.4:  # the arm moves
        sigma = rng.uniform(1, 4)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.uint8)
        sleeve = np.asarray(cv2.GaussianBlur(sleeve, (0, 0), sigma), np.uint8)
        both = cv2.max(mask, sleeve)
    for cover, paint in ((mask, flesh), (sleeve, fabric)):
        a3 = cv2.merge([cover] * 3)
        over = cv2.multiply(paint, a3, scale=1 / 255)
        canvas.image[:] = cv2.add(over, cv2.multiply(canvas.image, cv2.bitwise_not(a3), scale=1 / 255))
    canvas.ids[both > 80] = THING
