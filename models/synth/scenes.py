"""Scenes: cards on a table as the camera over the mark sees them, with every index's place and how much of it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.synth import camera, clutter, surfaces
from models.synth.drawn import Studio
from models.synth.packs import Face, Floats, Image, Pack

Matrix = npt.NDArray[np.float64]
IdMap = npt.NDArray[np.int16]

EMPTY = -1
"""On the map of what is topmost: the bare table. Cards have their numbers, all else is ``clutter.THING``."""
GRID = 7
"""An index's rank and its suit are each looked at in GRID x GRID points."""


@dataclass
class SceneIndex:
    """One index as it lies in the picture (pixels); ``visible`` is the lesser of its rank's and its suit's share."""

    rank_xy: tuple[float, float]
    suit_xy: tuple[float, float]
    quad: Floats
    visible: float
    rank_visible: float
    suit_visible: float


@dataclass
class SceneCard:
    """A card in the picture: its name, its outline TL, TR, BR, BL of the upright face, (4, 2) pixels, its indices."""

    name: str
    quad: Floats
    indices: list[SceneIndex]


@dataclass
class Scene:
    """A picture, uint8 (H, W, 3) B, G, R, and the cards in it from the lowest to the topmost."""

    image: Image
    cards: list[SceneCard]
    card_px: float = 100.0


@dataclass
class Placed:
    """Where a card is to be laid: its centre and reading direction (degrees clockwise) in table pixels."""

    x: float
    y: float
    angle: float
    lift: float = 1.0


def project(matrix: Matrix, points: npt.ArrayLike) -> Floats:
    """Points (N, 2) through a homography (3, 3)."""
    p = np.asarray(points, np.float64).reshape(-1, 2)
    q = np.c_[p, np.ones(len(p))] @ matrix.T
    return np.asarray(q[:, :2] / q[:, 2:], np.float32)


def _warp_face(face: Face, matrix: Matrix, x0: int, y0: int, w: int, h: int, scale: float) -> Image:
    picture, level = face.level(scale)
    # Level k's pixel centre x stands at the face's (x + 0.5) / level - 0.5.
    shrink = np.array([[1 / level, 0, 0.5 / level - 0.5], [0, 1 / level, 0.5 / level - 0.5], [0, 0, 1]])
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
    way = cv2.INTER_AREA if scale < level * 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(picture, shift @ matrix @ shrink, (w, h), flags=way), np.uint8)


def _shade(rng: np.random.Generator, bgr: Image) -> Image:
    """A card's own light: it lies at its own angle to the lamp, is bent a little, shines a little."""
    if rng.random() < 0.5:
        return np.asarray(cv2.convertScaleAbs(bgr, alpha=rng.uniform(0.88, 1.0)), np.uint8)
    h, w = bgr.shape[:2]
    a, bend = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.22)
    ys, xs = np.mgrid[0:6, 0:6].astype(np.float32) / 5 - 0.5
    side = (np.cos(a) * xs + np.sin(a) * ys).astype(np.float32)
    field = np.asarray(
        np.float32(1 - bend / 2) + np.float32(bend) * (side if rng.random() < 0.6 else 2 * side**2 - 0.3)
    )
    gain = cv2.resize(field.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    out = cv2.multiply(bgr, cv2.merge([gain, gain, gain]), dtype=cv2.CV_8U)
    if rng.random() < 0.12:  # the lamp mirrored in a glossy face
        sheen = np.exp(-((side * 2 - rng.uniform(-0.8, 0.8)) ** 2) / rng.uniform(0.01, 0.12)) * rng.uniform(
            20, 110
        )
        bright = cv2.resize(sheen.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC).clip(0, 200)
        out = cv2.add(out, cv2.merge([bright.astype(np.uint8)] * 3))
    return np.asarray(out, np.uint8)


def _worn(rng: np.random.Generator, bgr: Image) -> None:
    """Scratches, creases, specks and stains, in place."""
    h, w = bgr.shape[:2]
    for _ in range(int(rng.integers(1, 7))):
        kind = rng.random()
        x, y = rng.uniform(0, w), rng.uniform(0, h)
        tint = rng.uniform(90, 250)
        ink = (tint * rng.uniform(0.75, 1), tint * rng.uniform(0.85, 1), tint)
        if kind < 0.4:
            a, n = rng.uniform(0, 2 * np.pi), rng.uniform(5, 60)
            end = (round(x + n * np.cos(a)), round(y + n * np.sin(a)))
            cv2.line(bgr, (round(x), round(y)), end, ink, 1, cv2.LINE_AA)
        elif kind < 0.8:
            cv2.circle(bgr, (round(x), round(y)), int(rng.integers(1, 3)), ink, -1, cv2.LINE_AA)
        else:
            r = int(rng.integers(4, 14))
            part = bgr[max(0, round(y) - r) : round(y) + r, max(0, round(x) - r) : round(x) + r]
            if part.size:
                part[:] = cv2.convertScaleAbs(part, alpha=rng.uniform(0.82, 0.97))


@dataclass(frozen=True)
class Bend:
    """A bowed card: seen from above, what is raised moves by ``shift`` (pixels) times the square of the way from the
    card's middle line, which runs at ``angle`` (radians) across the face; 1 at the corners' distance."""

    shift: tuple[float, float]
    angle: float

    def at(self, face_points: npt.NDArray[np.float64], width: int, height: int) -> npt.NDArray[np.float64]:
        """The displacement (N, 2) of points (N, 2) of a face of ``width`` x ``height`` pixels."""
        u, v = face_points[:, 0] / width * 2 - 1, (face_points[:, 1] / height * 2 - 1) * height / width
        way = (np.cos(self.angle) * u + np.sin(self.angle) * v) / np.hypot(1, height / width)
        return np.outer(way**2, self.shift)


def lie(face: Face, matrix: Matrix, points: npt.ArrayLike, bend: Bend | None = None) -> Floats:
    """Where points (N, 2) of a face lie in the picture."""
    flat = project(matrix, points)
    if bend is None:
        return flat
    h, w = face.rgba.shape[:2]
    return np.asarray(flat + bend.at(np.asarray(points, np.float64).reshape(-1, 2), w, h), np.float32)


def _warp_bent(
    face: Face, matrix: Matrix, bend: Bend, x0: int, y0: int, w: int, h: int, scale: float
) -> Image:
    """As ``_warp_face`` for a bowed card; the displacement is taken where the flat card would be seen."""
    picture, level = face.level(scale)
    ys, xs = np.mgrid[y0 : y0 + h, x0 : x0 + w].astype(np.float64)
    seen = np.stack([xs.ravel(), ys.ravel()], 1)
    back = np.asarray(np.linalg.inv(matrix), np.float64)
    fh, fw = face.rgba.shape[:2]
    shift = bend.at(project(back, seen).astype(np.float64), fw, fh)
    # Far from the card the square grows without bound and would fold other parts of the face into the picture.
    limit = float(np.hypot(*bend.shift))
    kept = np.minimum(1.0, limit / np.maximum(1e-9, np.hypot(shift[:, 0], shift[:, 1])))
    at = ((project(back, seen - shift * kept[:, None]) + 0.5) * level - 0.5).reshape(h, w, 2)
    way = cv2.INTER_LINEAR
    return np.asarray(
        cv2.remap(picture, at[:, :, 0], at[:, :, 1], way, borderMode=cv2.BORDER_CONSTANT), np.uint8
    )


class Canvas:
    """The picture under work and the map of what is topmost at each pixel."""

    def __init__(self, rng: np.random.Generator, image: Image) -> None:
        self.rng = rng
        self.image = image
        self.size = image.shape[0]
        self.ids: IdMap = np.full(image.shape[:2], EMPTY, np.int16)
        a = rng.uniform(0, 2 * np.pi)
        self.lamp = np.array([np.cos(a), np.sin(a)])
        self.shadow = rng.uniform(0.15, 0.6)
        self.softness = rng.uniform(1.0, 5.0)
        self.worn = float(rng.choice([0.0, 0.0, 0.15, 0.8]))

    def put(
        self, face: Face, matrix: Matrix, ident: int, lift: float = 1.0, bend: Bend | None = None
    ) -> None:
        """Lay a face (or anything with alpha) by the homography from its pixels to the picture's."""
        fh, fw = face.rgba.shape[:2]
        quad = lie(face, matrix, [[0, 0], [fw, 0], [fw, fh], [0, fh]], bend)
        scale = float(np.sqrt(max(cv2.contourArea(quad), 1.0) / (fw * fh)))
        offset = self.lamp * lift * self.softness * 0.9
        pad = 2 + int(np.ceil(3 * self.softness * lift**0.5 + np.abs(offset).max()))
        x0, y0 = (int(v) for v in np.maximum(np.floor(quad.min(0)) - pad, 0))
        x1, y1 = (int(v) for v in np.minimum(np.ceil(quad.max(0)) + pad, self.size))
        if x1 - x0 < 4 or y1 - y0 < 4:
            return
        w, h = x1 - x0, y1 - y0
        if bend is None:
            warped = _warp_face(face, matrix, x0, y0, w, h, scale)
        else:
            warped = _warp_bent(face, matrix, bend, x0, y0, w, h, scale)
        alpha = warped[:, :, 3]
        part = self.image[y0:y1, x0:x1]
        if lift > 0:
            moved = cv2.warpAffine(alpha, np.array([[1, 0, offset[0]], [0, 1, offset[1]]]), (w, h))
            dark = cv2.GaussianBlur(moved, (0, 0), max(0.6, self.softness * lift**0.5))
            keep = cv2.convertScaleAbs(dark, alpha=-self.shadow, beta=0)  # 255 * shadow where darkest
            keep = cv2.bitwise_not(keep)
            part[:] = cv2.multiply(part, cv2.merge([keep, keep, keep]), scale=1 / 255)
        card = _shade(self.rng, warped[:, :, :3])
        if self.worn and self.rng.random() < self.worn:
            _worn(self.rng, card)
        a3 = cv2.merge([alpha, alpha, alpha])
        over = cv2.multiply(card, a3, scale=1 / 255)
        under = cv2.multiply(part, cv2.bitwise_not(a3), scale=1 / 255)
        part[:] = cv2.add(over, under)
        self.ids[y0:y1, x0:x1][alpha > 96] = ident


def _loose(rng: np.random.Generator, n: int, size: int, card: float) -> list[Placed]:
    out: list[Placed] = []
    for _ in range(n):
        best, spot = -1.0, (0.0, 0.0)
        for _ in range(6):
            x, y = rng.uniform(0.08 * size, 0.92 * size, 2)
            d = min((np.hypot(x - p.x, y - p.y) for p in out), default=1e9)
            if d > best:
                best, spot = d, (x, y)
        out.append(Placed(spot[0], spot[1], rng.uniform(0, 360)))
    return out


def _pile(rng: np.random.Generator, n: int, size: int, card: float) -> list[Placed]:
    spread = card * rng.uniform(0.12, 0.75)
    cx, cy = size / 2 + rng.normal(0, 0.12 * size, 2)
    start, step = rng.uniform(0, 360), 360 / max(n, 2)
    seats = rng.random() < 0.6  # thrown from the seats round the table, else any way up
    out = []
    for k in range(n):
        a = start + k * step + rng.normal(0, 14) if seats else rng.uniform(0, 360)
        if seats and rng.random() < 0.5:
            t = np.radians(a)
            dx, dy = -np.sin(t) * spread * 0.9 + rng.normal(0, spread * 0.35), np.cos(t) * spread * 0.9
            dy += rng.normal(0, spread * 0.35)
        else:
            dx, dy = rng.normal(0, spread, 2)
        out.append(Placed(cx + dx, cy + dy, a, rng.uniform(0.6, 2.0)))
    return out


def _squared(rng: np.random.Generator, n: int, size: int, card: float) -> list[Placed]:
    """Cards dealt squarely onto one another: those below show little more than an edge and a part of an index."""
    off = card * rng.uniform(0.02, 0.13)
    cx, cy = size / 2 + rng.normal(0, 0.12 * size, 2)
    angle, turn = rng.uniform(0, 360), rng.uniform(0.5, 5.0)
    out = []
    for _ in range(n):
        around = 180 if rng.random() < 0.2 else 0
        dx, dy = rng.normal(0, off, 2)
        out.append(Placed(cx + dx, cy + dy, angle + around + rng.normal(0, turn), rng.uniform(0.5, 1.2)))
    return out


def _fan(rng: np.random.Generator, n: int, size: int, card: float) -> list[Placed]:
    radius = card * rng.uniform(1.0, 3.2)
    # The next card covers all but a strip; most strips are just wide enough for the index.
    strip = card * (rng.uniform(0.13, 0.34) if rng.random() < 0.75 else rng.uniform(0.3, 0.7))
    step = float(np.clip(np.degrees(strip / (radius + 0.65 * card)), 2.5, 17))
    middle = rng.uniform(0, 360)
    cx, cy = size / 2 + rng.normal(0, 0.1 * size, 2)
    out = []
    for k in range(n):
        a = middle + (k - (n - 1) / 2) * step + rng.normal(0, 1.2)
        t, m = np.radians(a), np.radians(middle)
        x = cx + radius * (np.sin(t) - np.sin(m)) + rng.normal(0, 0.01 * card)
        y = cy - radius * (np.cos(t) - np.cos(m)) + rng.normal(0, 0.01 * card)
        out.append(Placed(x, y, a))
    if rng.random() < 0.12:
        out.reverse()
    return out


def _row(rng: np.random.Generator, n: int, size: int, card: float) -> list[Placed]:
    a = rng.uniform(0, 360)
    across = rng.random() < 0.6
    step = card * (rng.uniform(0.16, 1.15) if across else rng.uniform(0.24, 1.6))
    t = np.radians(a)
    way = np.array([np.cos(t), np.sin(t)]) if across else np.array([-np.sin(t), np.cos(t)])
    c = size / 2 + rng.normal(0, 0.12 * size, 2)
    out = []
    for k in range(n):
        p = c + way * step * (k - (n - 1) / 2) + rng.normal(0, 0.02 * card, 2)
        out.append(Placed(p[0], p[1], a + rng.normal(0, 2.5)))
    return out


def _grid(rng: np.random.Generator, n: int, size: int, card: float) -> list[Placed]:
    a = rng.uniform(0, 360)
    t = np.radians(a)
    turn = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    dx, dy = card * rng.uniform(0.95, 1.3), card * rng.uniform(1.35, 1.8)
    cols = int(np.ceil(np.sqrt(n * 1.3)))
    c = size / 2 + rng.normal(0, 0.05 * size, 2)
    out = []
    for k in range(n):
        i, j = k % cols, k // cols
        p = c + turn @ np.array([(i - (cols - 1) / 2) * dx, (j - (n / cols - 1) / 2) * dy])
        p = p + rng.normal(0, 0.04 * card, 2)
        out.append(Placed(p[0], p[1], a + rng.normal(0, 4) + (180 if rng.random() < 0.3 else 0)))
    return out


def _layout(rng: np.random.Generator, size: int, card: float) -> list[Placed]:
    fit = (size / card) ** 2
    kind = rng.random()
    if kind < 0.20:
        return _loose(rng, int(rng.integers(1, max(2, min(12, round(fit * 0.55))) + 1)), size, card)
    if kind < 0.52:
        return _pile(rng, int(rng.integers(2, 8)), size, card)
    if kind < 0.79:
        return _fan(rng, int(rng.integers(3, 14)), size, card)
    if kind < 0.91:
        return _row(rng, int(rng.integers(2, 10)), size, card)
    return _grid(rng, int(rng.integers(2, max(3, min(14, round(fit * 0.5))) + 1)), size, card)


def _view(rng: np.random.Generator, size: int) -> Matrix:
    """A mild perspective from the table's plane (pixels) to the picture, about the picture's middle."""
    tilt = abs(rng.normal(0, 0.16)) / size
    if rng.random() < 0.12:  # seen from the side, as a camera on a shelf sees the table
        tilt = rng.uniform(0.2, 0.6) / size
    a = rng.uniform(0, 2 * np.pi)
    squeeze = 1 - rng.uniform(0, 0.08) if rng.random() < 0.5 else 1 - min(0.35, abs(rng.normal(0, 0.12)))
    c, s = np.cos(a), np.sin(a)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, squeeze, 0], [0, tilt, 1]])
    to, back = np.eye(3), np.eye(3)
    to[:2, 2], back[:2, 2] = -size / 2, size / 2
    return np.asarray(back @ turn @ lean @ turn.T @ to, np.float64)


def face_to_table(face: Face, spot: Placed, card_px: float) -> Matrix:
    """The homography (3, 3) from face pixels to table pixels, for a table where 63.5 mm are ``card_px``."""
    h, w = face.rgba.shape[:2]
    s = card_px * face.width_mm / 63.5 / w
    t = np.radians(spot.angle)
    c, n = np.cos(t) * s, np.sin(t) * s
    m = np.array([[c, -n, spot.x], [n, c, spot.y], [0, 0, 1]])
    m[0, 2] -= c * w / 2 - n * h / 2
    m[1, 2] -= n * w / 2 + c * h / 2
    return m


_U, _V = np.meshgrid((np.arange(GRID) + 0.5) / GRID, (np.arange(GRID) + 0.5) / GRID)
_WEIGHTS = np.stack([(1 - _U) * (1 - _V), _U * (1 - _V), _U * _V, (1 - _U) * _V], -1).reshape(-1, 4)


def _points(quad: Floats) -> npt.NDArray[np.int32]:
    return np.floor(_WEIGHTS @ quad).astype(np.int32)


def _seen(ids: IdMap, quad: Floats, ident: int) -> float:
    """The share of a quad's points that lie in the picture with ``ident`` topmost."""
    p = _points(quad)
    h, w = ids.shape
    inside = (p[:, 0] >= 0) & (p[:, 0] < w) & (p[:, 1] >= 0) & (p[:, 1] < h)
    p = p[inside]
    return float((ids[p[:, 1], p[:, 0]] == ident).sum() / len(_WEIGHTS))


def contrast(grey: Image, quad: Floats) -> float:
    """The span from the darkest to the brightest grey in a quad."""
    p = _points(quad)
    h, w = grey.shape
    p = p[(p[:, 0] >= 0) & (p[:, 0] < w) & (p[:, 1] >= 0) & (p[:, 1] < h)]
    if len(p) < 8:
        return 0.0
    v = grey[p[:, 1], p[:, 0]].astype(np.int32)
    return float(v.max() - v.min())


def scene_index(
    face: Face, k: int, matrix: Matrix, ids: IdMap, ident: int, bend: Bend | None = None
) -> SceneIndex:
    """Index ``k`` of a face laid by ``matrix``, and how much of it shows on the map."""
    index = face.indices[k]
    places = np.vstack([[index.rank_xy], [index.suit_xy], index.box, index.rank_box, index.suit_box])
    points = lie(face, matrix, places, bend)
    rank_visible, suit_visible = _seen(ids, points[6:10], ident), _seen(ids, points[10:14], ident)
    return SceneIndex(
        (float(points[0, 0]), float(points[0, 1])),
        (float(points[1, 0]), float(points[1, 1])),
        points[2:6],
        min(rank_visible, suit_visible),
        rank_visible,
        suit_visible,
    )


def pick(rng: np.random.Generator, packs: Sequence[Pack]) -> Pack:
    """One of the packs; where a studio stands in the list, a pack drawn anew."""
    pack = packs[int(rng.integers(0, len(packs)))]
    return pack.new(rng) if isinstance(pack, Studio) else pack


RARE = ("JOKER", "11", "12", "13")
"""How the names of the cards begin that most packs have few of or none."""


def _shuffled(
    rng: np.random.Generator, names: Sequence[str], rare: float, often: tuple[str, ...]
) -> npt.NDArray[np.int64]:
    """The numbers of ``names`` in an order by chance, those of ``often`` that many times as likely to be early."""
    if rare == 1:
        return rng.permutation(len(names))
    weights = np.array([rare if name.startswith(often) else 1.0 for name in names])
    return np.argsort(rng.exponential(1 / weights))


def _choose(
    rng: np.random.Generator, packs: Sequence[Pack], n: int, rare: float, often: tuple[str, ...]
) -> list[tuple[str, Face]]:
    """``n`` cards of one pack (seldom of two), none twice from one pack."""
    chosen: list[tuple[str, Face]] = []
    pack = pick(rng, packs)
    names = list(pack.faces)
    if len(names) < n or rng.random() < 0.05:
        other = pick(rng, packs)
        half = max(0, n - len(names) // 2)
        for k in _shuffled(rng, list(other.faces), rare, often)[:half]:
            name = list(other.faces)[int(k)]
            chosen.append((name, other.faces[name]))
    for k in _shuffled(rng, names, rare, often)[: n - len(chosen)]:
        chosen.append((names[int(k)], pack.faces[names[int(k)]]))
    return chosen


def label(name: str) -> str:
    """The card's name for the truth: a pack's second joker is a joker."""
    return "JOKER" if name.startswith("JOKER") else name


def make_scene(
    rng: np.random.Generator,
    packs: Sequence[Pack],
    size: int = 384,
    *,
    card_px: float | None = None,
    empty: float = 0.06,
    rare: float = 1.0,
    often: tuple[str, ...] = RARE,
    filmed: bool = False,
    most: int | None = None,
) -> Scene:
    """A scene of ``size`` x ``size`` pixels; the same ``rng`` state and packs give the same scene.

    ``card_px``: the short side of a poker card, else drawn anew (mostly 70 to 135, a share down to 40).
    ``empty``: how many scenes have no card, only what is no card.
    ``rare``: how many times as often as other cards those are laid whose names begin as one of ``often``; where
    it is not 1, there are also words that are no jokers'.
    ``filmed``: a frame of a strongly compressed film; half of them show a squared pile, and hands are more frequent.
    ``most``: at most this many cards lie there.
    """
    if card_px is None:
        low, high = (70, 135) if rng.random() < 0.8 else (38, 75)
        card_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    canvas = Canvas(rng, surfaces.surface(rng, size))
    view = _view(rng, size)
    without = rng.random() < empty
    if without or rng.random() < 0.3:
        clutter.scatter(rng, canvas, view, card_px, packs, int(rng.integers(1, 7 if without else 4)))
    if rare != 1 and rng.random() < 0.3:
        clutter.words(rng, canvas, view, card_px, int(rng.integers(1, 5)))
    laid: list[tuple[str, Face, Matrix, Bend | None]] = []
    bowed = rng.random() < 0.2  # a pack that has been played with
    if not without:
        squared = filmed and rng.random() < 0.5
        spots = (
            _squared(rng, int(rng.integers(2, 8)), size, card_px) if squared else _layout(rng, size, card_px)
        )
        spots = spots[:most]
        names = _choose(rng, packs, len(spots), rare, often)
        for (name, face), spot in zip(names, spots, strict=False):
            matrix = view @ face_to_table(face, spot, card_px)
            bend = None
            if bowed and rng.random() < 0.7:
                way, far = rng.uniform(0, 2 * np.pi), card_px * rng.uniform(0.01, 0.07)
                across = float(rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)]))
                bend = Bend((far * np.cos(way), far * np.sin(way)), across)
            canvas.put(face, matrix, len(laid), spot.lift, bend)
            laid.append((name, face, matrix, bend))
        if rng.random() < 0.12:
            clutter.scatter(rng, canvas, view, card_px, packs, int(rng.integers(1, 3)))
    if rng.random() < (0.4 if filmed else 0.25):
        clutter.hand(rng, canvas, card_px)
    image = camera.photograph(rng, canvas.image, card_px, filmed=filmed)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    cards = []
    for ident, (name, face, matrix, bend) in enumerate(laid):
        h, w = face.rgba.shape[:2]
        indices = []
        for k in range(len(face.indices)):
            seen = scene_index(face, k, matrix, canvas.ids, ident, bend)
            if seen.visible > 0 and contrast(grey, seen.quad) < 16:  # drowned in glare or darkness
                seen.visible *= 0.4
            indices.append(seen)
        quad = lie(face, matrix, [[0, 0], [w, 0], [w, h], [0, h]], bend)
        cards.append(SceneCard(label(name), quad, indices))
    return Scene(image, cards, card_px)
