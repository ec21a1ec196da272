"""Packs drawn anew: other figures, suits, sizes, places, colours, pips and pictures for every scene.

``draw`` decides how a pack looks; its faces are painted when asked for. What it draws with, the kit, is the installed
fonts, signs and court pictures cut from published packs; without a cache OpenCV's strokes serve (tests).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.synth import glyphs, suits
from models.synth.packs import (
    HELD_PACKS,
    RANKS,
    Face,
    Image,
    Index,
    Pack,
    default_cache,
    load_pack,
    make_index,
    shifted,
    split_name,
    turned,
    word_drop,
)
from models.synth.queens import card_queen

Mask = npt.NDArray[np.uint8]
Box = tuple[float, float, float, float]
WIDTH = 220
"""Pixels across a drawn face."""
LETTERS = {"JQK": 0.86, "BDK": 0.08, "VDR": 0.06}
"""Shares of the court letters: English, German, French. Each is labelled by its meaning, as jack, queen, king."""
CARD_QUEENS = 0.45
"""How many drawn packs have a Q that is no font's; those that are held out have fonts' only, and stay as they were."""

JOKERS = (
    "letters one below another",
    "word turned",
    "star",
    "star over letters",
    "picture only",
    "word across",
)
"""How a drawn pack marks its jokers' corners, by `Style.joker`."""

HIGH_RANKS = ("11", "12", "13")
PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(0, 0)],
    "2": [(0, -1), (0, 1)],
    "3": [(0, -1), (0, 0), (0, 1)],
    "4": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "5": [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    "6": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "7": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "8": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    "9": [(-1, -1), (1, -1), (-1, -0.33), (1, -0.33), (0, 0), (-1, 0.33), (1, 0.33), (-1, 1), (1, 1)],
}
PIPS["10"] = [p for p in PIPS["9"] if p != (0, 0)] + [(0, -0.67), (0, 0.67)]
PIPS["11"] = [*PIPS["10"], (0, 0)]
PIPS["12"] = [(x, y) for y in (-1, -0.33, 0.33, 1) for x in (-1, 0, 1)]
PIPS["13"] = [p for p in PIPS["12"] if p[0] or abs(p[1]) == 1] + [(0, -0.5), (0, 0), (0, 0.5)]
"""Where the pips stand, from -1 to 1 across and down the pips' field; those below the middle stand on their heads."""


_STROKES = 4
"""How often the fonts of plain strokes stand among the others that training draws with."""


@dataclass(frozen=True)
class Kit:
    """What packs are drawn with."""

    fonts: list[glyphs.Font]
    signs: list[dict[str, Mask]]
    courts: dict[str, list[Image]]
    jokers: list[Image] = field(default_factory=list)


def _sign(face: Face, index: Index) -> Mask | None:
    """A suit's sign cut from a face's index as a mask."""
    x0, y0 = np.floor(index.suit_box.min(0)).astype(int)
    x1, y1 = np.ceil(index.suit_box.max(0)).astype(int)
    part = face.rgba[y0:y1, x0:x1, :3].astype(np.float32)
    if part.shape[0] < 10 or part.shape[1] < 8:
        return None
    ring = face.rgba[int(face.rgba.shape[0] * 0.03), int(face.rgba.shape[1] * 0.4), :3].astype(np.float32)
    far = np.abs(part - ring).max(2)
    mask = np.clip(far / max(60.0, float(np.percentile(far, 80))) * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(mask, (max(8, round(96 * mask.shape[1] / mask.shape[0])), 96)), np.uint8)


@lru_cache(maxsize=4)
def kit(held: bool = False, cache: Path | None = None) -> Kit:
    """The kit of a split: its fonts and its published packs' signs and pictures."""
    folder = cache or default_cache()
    fonts = [f for f in glyphs.load_fonts(folder) if glyphs.held_out(f.name) == held]
    signs: list[dict[str, Mask]] = []
    courts: dict[str, list[Image]] = {"J": [], "Q": [], "K": []}
    jokers: list[Image] = []
    faces = folder / "faces"
    for path in sorted(faces.glob("*.npz")) if faces.is_dir() else []:
        if (path.stem in HELD_PACKS) != held:
            continue
        pack = load_pack(faces, path.stem)
        found = {}
        for suit in "SHDC":
            face = pack.faces.get("2" + suit)
            mask = _sign(face, face.indices[0]) if face and face.indices else None
            if mask is not None:
                found[suit] = mask
        if len(found) == 4:
            signs.append(found)
        for name, face in pack.faces.items():
            h, w = face.rgba.shape[:2]
            if name[0] in "JQK" and name[:5] != "JOKER":
                x, y = round(w * 0.17), round(h * 0.055)
                courts[name[0]].append(np.ascontiguousarray(face.rgba[y : h - y, x : w - x, :3]))
            elif name.startswith("JOKER"):
                x, y = round(w * 0.19), round(h * 0.12)
                jokers.append(np.ascontiguousarray(face.rgba[y : h - y, x : w - x, :3]))
    # Plain strokes, as on home-made cards, are a few styles among many; the held-out packs stay what they were.
    strokes = glyphs.stroke_fonts() * (1 if held else _STROKES)
    return Kit(fonts if held and fonts else fonts + strokes, signs, courts, jokers)


@dataclass(frozen=True)
class Style:
    """How a drawn pack looks; lengths in face pixels."""

    width: int
    height: int
    width_mm: float
    radius: float
    paper: tuple[float, float, float]
    inks: dict[str, tuple[float, float, float]]
    font: glyphs.Font
    signs: dict[str, Mask]
    pips: dict[str, Mask]
    rank_h: float
    squeeze: float
    weight: int
    suit_h: float
    gap: float
    centre_x: float
    top: float
    tens_gap: float
    tens_squeeze: float
    widest: float
    corners: int
    suit_shift: float
    index_right: float
    pip_h: float
    pip_x: float
    pip_y: float
    frame: int
    court: int
    court_frame: bool
    ace: int
    plain: int
    joker: int
    letters: str
    seed: int


def _resize(mask: Mask, w: float, h: float) -> Mask:
    size = (max(1, round(w)), max(1, round(h)))
    way = cv2.INTER_AREA if size[1] < mask.shape[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(mask, size, interpolation=way), np.uint8)


def _stamp(image: Image, mask: Mask, x: float, y: float, ink: tuple[float, float, float]) -> None:
    """Paint ``ink`` through a mask whose top left corner is (x, y) (rounded), clipped at the edges."""
    x0, y0 = round(x), round(y)
    h, w = mask.shape
    ax, ay = max(0, -x0), max(0, -y0)
    bx, by = min(w, image.shape[1] - x0), min(h, image.shape[0] - y0)
    if bx <= ax or by <= ay:
        return
    part = image[y0 + ay : y0 + by, x0 + ax : x0 + bx]
    a = mask[ay:by, ax:bx]
    a4 = cv2.merge([a, a, a, a])
    flat = cv2.multiply(a4, np.array([*ink, 255.0]), scale=1 / 255)
    cv2.add(flat, cv2.multiply(part, cv2.bitwise_not(a4), scale=1 / 255), dst=part)


def _heavier(mask: Mask, weight: int) -> Mask:
    """Thicken (or, below 0, thin) the strokes by ``weight`` pixels."""
    if weight == 0:
        return mask
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(weight) + 1, 2 * abs(weight) + 1))
    if weight > 0:
        framed = cv2.copyMakeBorder(mask, weight, weight, weight, weight, cv2.BORDER_CONSTANT, value=0)
        return np.asarray(cv2.dilate(framed, kernel), np.uint8)
    thin = cv2.erode(mask, kernel)
    return mask if int(thin.max()) < 200 else np.asarray(thin, np.uint8)


def rank_mask(style: Style, rank: str) -> Mask:
    """The rank as it stands in the corner."""
    letters = []
    two = len(rank) == 2
    for char in rank:
        if char in "JQK":  # jack, queen and king under the letters of the pack's language
            char = style.letters["JQK".index(char)]
        glyph = _heavier(style.font.masks[char], style.weight)
        scale = style.rank_h / glyphs.CAP
        h = max(style.rank_h * 0.9, glyph.shape[0] * scale)
        w = glyph.shape[1] * scale * style.squeeze * (style.tens_squeeze if two else 1.0)
        if char == "1":
            w = max(w, 0.12 * style.rank_h)
        letters.append(_resize(glyph, min(w, style.widest), min(h, 1.2 * style.rank_h)))
    gap = round(style.tens_gap * style.rank_h)
    width = sum(m.shape[1] for m in letters) + gap * (len(letters) - 1)
    height = max(m.shape[0] for m in letters)
    out = np.zeros((height, max(width, 2)), np.uint8)
    x = 0
    for m in letters:
        h, w = m.shape
        w = min(w, out.shape[1] - x)
        out[:h, x : x + w] = np.maximum(out[:h, x : x + w], m[:, :w])
        x += w + gap
    limit = style.widest * (1.45 if two else 1.0)
    if out.shape[1] > limit:
        out = _resize(out, limit, out.shape[0])
    return out


def _paint_index(
    image: Image, style: Style, rank: Mask, sign: Mask, ink: tuple[float, float, float]
) -> Index:
    """Paint an index into the upper left corner."""
    rh, rw = rank.shape
    sw = style.suit_h * sign.shape[1] / sign.shape[0]
    sw = min(sw, 1.3 * style.suit_h)
    x = max(style.centre_x - rw / 2, 0.012 * style.width)
    y = style.top
    cx = x + rw / 2 if rw > 1.6 * style.centre_x else style.centre_x
    sx, sy = cx - sw / 2 + style.suit_shift, y + rh + style.gap
    small = _resize(sign, sw, style.suit_h)
    # A figure or frame keeps clear of the index: a little paper is left round it.
    clear = 1 + round(0.05 * style.rank_h)
    for px, py, mask in ((x, y, rank), (sx, sy, small)):
        part = image[max(0, round(py) - clear) : round(py) + mask.shape[0] + clear]
        part[:, max(0, round(px) - clear) : round(px) + mask.shape[1] + clear, :3] = np.array(
            style.paper, np.uint8
        )
    _stamp(image, rank, x, y, ink)
    _stamp(image, small, sx, sy, ink)
    x0, y0, x1, y1 = round(x), round(y), round(sx), round(sy)
    return make_index((x0, y0, x0 + rw, y0 + rh), (x1, y1, x1 + small.shape[1], y1 + small.shape[0]))


def _blank(style: Style) -> Image:
    planes = [np.full((style.height, style.width), int(v), np.uint8) for v in style.paper]
    mask = _card_mask(style.width, style.height, round(style.radius))
    return np.asarray(cv2.merge([*planes, mask]), np.uint8)


@lru_cache(maxsize=64)
def _card_mask(w: int, h: int, r: int) -> Mask:
    big = np.zeros((h * 2, w * 2), np.uint8)
    r2 = 2 * r
    cv2.rectangle(big, (r2, 0), (2 * w - r2, 2 * h), 255, -1)
    cv2.rectangle(big, (0, r2), (2 * w, 2 * h - r2), 255, -1)
    for x in (r2, 2 * w - r2 - 1):
        for y in (r2, 2 * h - r2 - 1):
            cv2.circle(big, (x, y), r2, 255, -1)
    return np.asarray(cv2.resize(big, (w, h), interpolation=cv2.INTER_AREA), np.uint8)


def _paint_pips(image: Image, style: Style, rank: str, suit: str) -> None:
    sign, ink = style.pips[suit], style.inks[suit]
    places = PIPS[rank]
    # Pips keep clear of the index's column, as on printed cards: they are moved in and made smaller.
    room = style.width / 2 - style.index_right - 1
    h = style.pip_h * (0.85 if rank in ("9", "10") else 0.7 if rank in HIGH_RANKS else 1.0)
    h = min(h, room * 0.95)
    pip_x = min(style.pip_x, room - h * 0.5)
    if rank == "A":
        h = style.pip_h * (1.0 + style.ace * 0.6)
    elif style.plain == 1:
        places, h = [(0.0, 0.0)], min(style.height * 0.3, 1.6 * room)
    elif style.plain == 2:
        return
    w = min(h * sign.shape[1] / sign.shape[0], 1.2 * h)
    pip = _resize(sign, w, h)
    upside = np.ascontiguousarray(pip[::-1, ::-1])
    for px, py in places:
        x = style.width / 2 + px * pip_x - pip.shape[1] / 2
        y = style.height / 2 + py * style.pip_y - pip.shape[0] / 2
        _stamp(image, upside if py > 0.01 else pip, x, y, ink)
    if rank == "A" and style.ace >= 2:
        r = round(style.width * 0.3)
        for k in range(style.ace - 1):
            cv2.circle(
                image,
                (style.width // 2, style.height // 2),
                r - 6 * k,
                (*style.inks[suit], 255),
                1 + k,
                cv2.LINE_AA,
            )


def _paint_court(image: Image, style: Style, rank: str, suit: str, tools: Kit) -> None:
    rng = np.random.default_rng([style.seed, ord(rank[0]), ord(suit)])
    mx = style.index_right + 1 if style.court_frame else style.width * rng.uniform(0.14, 0.2)
    mx = min(max(mx, style.width * 0.10), style.width * 0.26)
    my = style.height * (0.06 if style.court_frame else 0.05)
    x0, y0, x1, y1 = round(mx), round(my), round(style.width - mx), round(style.height - my)
    w, h = x1 - x0, y1 - y0
    pictures = tools.courts[rank]
    if style.court == 0 and pictures:
        k = (style.seed // 7 % max(1, len(pictures) // 4) * 4 + "SHDC".index(suit)) % len(pictures)
        image[y0:y1, x0:x1, :3] = cv2.resize(pictures[k], (w, h), interpolation=cv2.INTER_AREA)
    elif style.court == 3:  # a large letter and sign
        big = _resize(style.font.masks[style.letters["JQK".index(rank)]], w * 0.6, h * 0.4)
        _stamp(image, big, x0 + w * 0.2, y0 + h * 0.15, style.inks[suit])
        sign = _resize(style.pips[suit], w * 0.4, w * 0.4)
        _stamp(image, sign, x0 + w * 0.3, y0 + h * 0.62, style.inks[suit])
    else:
        half = np.empty((h // 2, w, 3), np.uint8)
        half[:] = np.array(style.paper, np.uint8)
        tints = [tuple(int(c) for c in rng.integers(0, 256, 3)) for _ in range(3)]
        tints += [(30, 30, 180), (160, 60, 20), (20, 190, 230), (20, 20, 20)]
        for _ in range(int(rng.integers(6, 18))):
            c = tints[int(rng.integers(0, len(tints)))]
            p = rng.uniform(0, 1, (int(rng.integers(3, 6)), 2)) * [w, h // 2]
            if rng.random() < 0.7:
                p[:, 0] = w / 2 + (p[:, 0] - w / 2) * rng.uniform(0.3, 1)
            cv2.fillPoly(half, [p.astype(np.int32)], c, cv2.LINE_AA)
            if rng.random() < 0.5:
                cv2.polylines(half, [p.astype(np.int32)], True, (15, 15, 15), 1, cv2.LINE_AA)
        head = (round(w * rng.uniform(0.4, 0.6)), round(h * 0.17))
        cv2.circle(half, head, round(w * 0.14), (170, 200, 235), -1, cv2.LINE_AA)
        cv2.circle(half, head, round(w * 0.14), (30, 30, 30), 1, cv2.LINE_AA)
        image[y0 : y0 + h // 2, x0:x1, :3] = half
        image[y1 - h // 2 : y1, x0:x1, :3] = half[::-1, ::-1]
    if style.court in (1, 2) or (style.court == 0 and style.seed % 3 == 0):
        ph = style.pip_h * 0.85
        pip = _resize(
            style.pips[suit], min(ph, ph * style.pips[suit].shape[1] / style.pips[suit].shape[0]), ph
        )
        _stamp(image, pip, x0 + 3, y0 + 3, style.inks[suit])
        _stamp(
            image, np.ascontiguousarray(pip[::-1, ::-1]), x1 - 3 - pip.shape[1], y1 - 3 - ph, style.inks[suit]
        )
    if style.court_frame:
        ink = style.inks[suit] if style.seed % 2 else (120.0, 60.0, 30.0)
        cv2.rectangle(image, (x0, y0), (x1, y1), (*ink, 255), 1 + style.seed % 3 // 2, cv2.LINE_AA)


def _word_mask(style: Style, rng: np.random.Generator, way: str) -> Mask:
    """JOKER: letter under letter (``"stack"``), turned to run up or down (``"turned"``), or ``"across"``."""
    letters = "JOKER"
    if rng.random() < 0.2 and all(c in style.font.masks for c in "oker"):
        letters = "Joker"
    masks = [_heavier(style.font.masks.get(c, style.font.masks["K"]), style.weight) for c in letters]
    size = style.rank_h * rng.uniform(0.35, 0.75)
    if way == "stack":
        small = [_resize(m, min(m.shape[1] * size / 96 * style.squeeze * 1.15, size), size) for m in masks]
        gap = max(1, round(size * rng.uniform(0.06, 0.3)))
        return glyphs.set_word(small, gap, stacked=True)
    row = [_resize(m, m.shape[1] * size / 96 * style.squeeze * 1.1, m.shape[0] * size / 96) for m in masks]
    gap = max(1, round(size * rng.uniform(0.05, 0.25)))
    word = glyphs.set_word(row, gap, stacked=False)
    if way == "across":
        return word
    return np.ascontiguousarray(np.rot90(word, 1 if rng.random() < 0.6 else 3))


def _star(rng: np.random.Generator, size: float) -> Mask:
    n = int(rng.choice([5, 5, 5, 6, 8]))
    t = np.arange(2 * n) * np.pi / n - np.pi / 2
    r = np.where(np.arange(2 * n) % 2 == 0, 1.0, rng.uniform(0.35, 0.55))
    p = np.stack([np.cos(t) * r, np.sin(t) * r], 1) * 44 + 48
    out = np.zeros((96, 96), np.uint8)
    if rng.random() < 0.3:
        cv2.circle(out, (48, 48), 47, 255, -1, cv2.LINE_AA)
        p = (p - 48) * 0.8 + 48
        cv2.fillPoly(out, [p.astype(np.int32)], 0, cv2.LINE_AA)
    else:
        cv2.fillPoly(out, [p.astype(np.int32)], 255, cv2.LINE_AA)
    return _resize(out, size, size)


def _paint_joker(style: Style, number: int, tools: Kit) -> Face:
    rng = np.random.default_rng([style.seed, 77, number])
    look = np.random.default_rng([style.seed, 78])
    image = _blank(style)
    ink = style.inks["S"] if number == 0 else style.inks["H"]
    if look.random() < 0.15:
        ink = tuple(float(c) for c in look.integers(0, 200, 3))  # type: ignore[assignment]
    x0, y0 = round(style.width * 0.2), round(style.height * 0.1)
    w, h = style.width - 2 * x0, style.height - 2 * y0
    if tools.jokers and look.random() < 0.55:
        picture = tools.jokers[(style.seed * 2 + number) % len(tools.jokers)]
        image[y0 : y0 + h, x0 : x0 + w, :3] = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
    else:
        for _ in range(int(rng.integers(5, 20))):
            p = rng.uniform(0.1, 0.9, (int(rng.integers(3, 7)), 2)) * [w, h] + [x0, y0]
            c = (*(int(v) for v in rng.integers(0, 256, 3)), 255)
            cv2.fillPoly(image, [p.astype(np.int32)], c, cv2.LINE_AA)
        cv2.circle(
            image, (style.width // 2, round(style.height * 0.42)), round(w * 0.24), (170, 205, 240, 255), -1
        )
    kind = style.joker
    if kind == 4:  # a picture and no index
        return Face(image, style.width_mm, [])
    if kind == 5:
        mask = _word_mask(style, look, "across")
        mask = _resize(mask, min(mask.shape[1], 0.42 * style.width), mask.shape[0])
        mh, mw = mask.shape
        xx, yy = round(max(style.width * 0.03, style.centre_x - mw / 2)), round(style.top)
        _stamp(image, mask, xx, yy, ink)
        drop = word_drop(mw, mh)
        index = make_index((xx, yy, xx + mw, yy + mh), (xx, yy + drop, xx + mw, yy + mh + drop))
        # The second point stands over the picture: only the word is repeated in the other corners.
        return _corners(image, style, [index], high=mh)
    if kind in (0, 1):
        mask = _word_mask(style, look, "stack" if kind == 0 else "turned")
        x = max(style.width * 0.02, style.centre_x - mask.shape[1] / 2)
        room = style.height * (0.42 if style.corners == 4 else 0.6)
        mask = _resize(mask, mask.shape[1], min(mask.shape[0], room))
        _stamp(image, mask, x, style.top, ink)
        mh, mw = mask.shape
        xx, yy = round(x), round(style.top)
        middle = yy + mh / 2
        index = make_index((xx, yy, xx + mw, middle), (xx, middle, xx + mw, yy + mh))
    else:
        star = _star(look, min(style.rank_h, style.width * 0.16))
        x = max(style.width * 0.02, style.centre_x - star.shape[1] / 2)
        _stamp(image, star, x, style.top, ink)
        s, xx, yy = star.shape[0], round(x), round(style.top)
        low = yy + 2 * s
        if kind == 3:  # the word below the star
            mask = _word_mask(style, look, "stack")
            mask = _resize(mask, min(mask.shape[1], s), min(mask.shape[0], 2.6 * s))
            _stamp(image, mask, xx + (s - mask.shape[1]) / 2, yy + s * 1.15, ink)
            low = round(yy + s * 1.15 + mask.shape[0])
            middle = (yy + low) / 2
            index = make_index((xx, yy, xx + s, middle), (xx, middle, xx + s, low))
        else:
            index = make_index((xx, yy, xx + s, yy + s), (xx, yy + s, xx + s, low))
    return _corners(image, style, [index])


def _corners(image: Image, style: Style, first: list[Index], high: int | None = None) -> Face:
    """Repeat what stands in the upper left corner (its upper ``high`` pixels) in the other corners in use."""
    h, w = image.shape[:2]
    indices = list(first)
    index = first[0]
    x0, y0 = np.floor(index.box.min(0)).astype(int)
    x1, y1 = np.ceil(index.box.max(0)).astype(int)
    if high is not None:
        y1 = y0 + high
    x0, y0, x1, y1 = max(0, x0 - 1), max(0, y0 - 1), min(w, x1 + 1), min(h, y1 + 1)
    part = image[y0:y1, x0:x1, :3].copy()
    if style.corners == 4:
        image[y0:y1, w - x1 : w - x0, :3] = part
        indices.append(shifted(index, float(w - x1 - x0), 0.0))
        image[h - y1 : h - y0, x0:x1, :3] = part[::-1, ::-1]
        indices.append(turned(indices[1], w, h))
    image[h - y1 : h - y0, w - x1 : w - x0, :3] = part[::-1, ::-1]
    indices.append(turned(index, w, h))
    return Face(image, style.width_mm, indices)


def paint(style: Style, name: str, tools: Kit) -> Face:
    """Paint one face of a drawn pack."""
    if name.startswith("JOKER"):
        return _paint_joker(style, 1 if name == "JOKER2" else 0, tools)
    rank, suit = split_name(name)
    assert suit is not None
    image = _blank(style)
    if style.frame:
        inset = round(style.width * (0.025 + 0.02 * (style.frame % 3)))
        frame_ink = (*(style.inks[suit] if style.frame % 2 else (150.0, 130.0, 110.0)), 255)
        corner = (style.width - 1 - inset, style.height - 1 - inset)
        cv2.rectangle(image, (inset, inset), corner, frame_ink, 1, cv2.LINE_AA)
    if rank in "JQK":
        _paint_court(image, style, rank, suit, tools)
    else:
        _paint_pips(image, style, rank, suit)
    index = _paint_index(image, style, rank_mask(style, rank), style.signs[suit], style.inks[suit])
    return _corners(image, style, [index])


class DrawnFaces(Mapping[str, Face]):
    """The faces of a drawn pack, painted when first asked for."""

    def __init__(self, style: Style, names: tuple[str, ...], tools: Kit) -> None:
        self.style, self.names, self.tools = style, names, tools
        self._painted: dict[str, Face] = {}

    def __getitem__(self, name: str) -> Face:
        if name not in self._painted:
            if name not in self.names:
                raise KeyError(name)
            self._painted[name] = paint(self.style, name, self.tools)
        return self._painted[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


NAMES_54 = (*(r + s for s in "SHDC" for r in RANKS), "JOKER", "JOKER2")
NAMES_63 = (*NAMES_54, *(r + s for r in ("11", "12") for s in "SHDC"), "13H", "13D")


def _inks(rng: np.random.Generator) -> dict[str, tuple[float, float, float]]:
    def bgr(h: float, s: float, v: float) -> tuple[float, float, float]:
        pixel = cv2.cvtColor(np.array([[[h % 180, s, v]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
        return (float(pixel[0]), float(pixel[1]), float(pixel[2]))

    dark = rng.uniform(0, 55)
    black = bgr(rng.uniform(90, 130), rng.uniform(0, 90), dark)
    red = bgr(rng.normal(0.5, 2.5), rng.uniform(185, 255), rng.uniform(140, 250))
    inks = {"S": black, "H": red, "D": red, "C": black}
    if rng.random() < 0.09:
        inks["C"] = bgr(rng.uniform(50, 80), rng.uniform(120, 255), rng.uniform(70, 160))
        if rng.random() < 0.75:
            inks["D"] = bgr(rng.uniform(100, 120), rng.uniform(150, 255), rng.uniform(130, 230))
        else:
            inks["D"] = bgr(rng.uniform(8, 17), rng.uniform(190, 255), rng.uniform(190, 250))
    return inks


def _signs(rng: np.random.Generator, tools: Kit) -> dict[str, Mask]:
    if tools.signs and rng.random() < 0.4:
        return tools.signs[int(rng.integers(0, len(tools.signs)))]
    return {s: suits.MAKERS[s](rng) for s in "SHDC"}


def draw(rng: np.random.Generator, held: bool = False, names: tuple[str, ...] | None = None) -> Pack:
    """A new pack; the same ``rng`` state gives the same pack. ``held``: with what the training never sees."""
    tools = kit(held=held)
    size = rng.random()
    if size < 0.52:
        wide, high = 63.5, 88.9
    elif size < 0.8:
        wide, high = 57.0, 88.9
    elif size < 0.92:
        wide, high = rng.uniform(56, 64), rng.uniform(86, 92)
    else:
        wide, high = rng.uniform(54, 70), rng.uniform(80, 110)
    mm = WIDTH / wide
    kind = rng.random()
    if kind < 0.22:
        rank_mm = rng.uniform(5.0, 7.2)
    elif kind < 0.72:
        rank_mm = rng.uniform(6.8, 10.0)
    elif kind < 0.9:
        rank_mm = rng.uniform(9.5, 14.5)
    else:
        rank_mm = rng.uniform(14, 22)
    paper_value = rng.uniform(222, 255)
    paper = np.array([1, 1, 1]) * paper_value
    if rng.random() < 0.4:
        paper = paper - np.array([rng.uniform(0, 28), rng.uniform(0, 8), 0])
    elif rng.random() < 0.2:
        paper = paper - np.array([0, rng.uniform(0, 6), rng.uniform(0, 16)])
    inks = _inks(rng)
    if rng.random() < 0.015:  # white on black
        paper = np.full(3, rng.uniform(10, 45))
        pale = (rng.uniform(200, 255),) * 3
        inks = {s: pale if s in "SC" else (60.0, 60.0, rng.uniform(200, 250)) for s in "SHDC"}
    signs = _signs(rng, tools)
    rank_h = rank_mm * mm
    narrow = rng.uniform(0.40, 0.78)  # the figures' width by their height, as most cards have it
    font = tools.fonts[int(rng.integers(0, len(tools.fonts)))]
    if not held and rng.random() < 0.3:
        font = glyphs.varied(font, rng)
    if not held and rng.random() < CARD_QUEENS:
        font = glyphs.Font(font.name, {**font.masks, "Q": card_queen(rng, font)})
    natural = float(np.median([font.masks[c].shape[1] for c in "235689"])) / glyphs.CAP
    squeeze = float(np.clip(narrow / natural, 0.5, 1.25))
    if rng.random() < 0.25:
        squeeze = 1.0
    rank_w = rank_h * natural * squeeze
    margin = rng.uniform(1.3, 4.5) * mm
    corners = 4 if rng.random() < 0.36 else 2
    widest = 0.30 * WIDTH if corners == 4 else 0.36 * WIDTH
    suit_h = rank_h * rng.uniform(0.5, 1.0) if rng.random() < 0.85 else rank_h * rng.uniform(0.35, 1.3)
    suit_h = min(suit_h, 0.3 * WIDTH)
    letters = str(rng.choice(list(LETTERS), p=list(LETTERS.values())))
    style = Style(
        width=WIDTH,
        height=round(high * mm),
        width_mm=wide,
        radius=rng.uniform(2.0, 4.5) * mm,
        paper=(float(paper[0]), float(paper[1]), float(paper[2])),
        inks=inks,
        font=font,
        signs=signs,
        pips=signs if rng.random() < 0.75 else _signs(rng, tools),
        rank_h=rank_h,
        squeeze=squeeze,
        weight=int(rng.choice([0, 0, 0, 1, 2, 4, 6, -1, -2])),
        suit_h=suit_h,
        gap=rank_h * rng.uniform(0.04, 0.30) + 1,
        centre_x=margin + min(rank_w, widest) / 2,
        top=rng.uniform(1.6, 6.0) * mm,
        tens_gap=rng.uniform(-0.06, 0.12),
        tens_squeeze=rng.uniform(0.55, 1.0),
        widest=widest,
        corners=corners,
        suit_shift=rng.normal(0, 0.03) * rank_h if rng.random() < 0.9 else rng.uniform(-0.2, 0.2) * rank_h,
        index_right=min(max(2 * margin + rank_w, margin + 1.1 * rank_w), 0.36 * WIDTH),
        pip_h=rng.uniform(9, 17) * mm,
        pip_x=WIDTH * rng.uniform(0.16, 0.25),
        pip_y=high * mm * rng.uniform(0.28, 0.36),
        frame=int(rng.integers(1, 7)) if rng.random() < 0.12 else 0,
        court=int(rng.choice([0, 0, 0, 0, 1, 1, 1, 3])),
        court_frame=bool(rng.random() < 0.65),
        ace=int(rng.choice([0, 1, 2, 3])),
        plain=int(rng.choice([0, 0, 0, 0, 0, 0, 0, 1, 2])),
        joker=int(rng.choice([0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 5])),
        letters=letters if all(c in font.masks for c in letters) else "JQK",
        seed=int(rng.integers(0, 2**31)),
    )
    chosen = names or (NAMES_63 if rng.random() < 0.6 else NAMES_54)
    return Pack(f"drawn-{style.seed}", DrawnFaces(style, chosen, tools))


class Studio(Pack):
    """Stands in a list of packs for packs that are drawn anew whenever it is chosen."""

    def __init__(
        self, held: bool = False, names: tuple[str, ...] | None = None, jokers: tuple[str, ...] = JOKERS
    ) -> None:
        super().__init__("drawn", {})
        self.held, self.names, self.jokers = held, names, jokers

    def new(self, rng: np.random.Generator) -> Pack:
        """Draw another pack, its jokers of one of the kinds in ``jokers``."""
        while True:
            pack = draw(rng, self.held, self.names)
            assert isinstance(pack.faces, DrawnFaces)
            if JOKERS[pack.faces.style.joker] in self.jokers:
                return pack
