"""Upright cut-outs for the namer: an index as the finder hands it over, and what the finder mistakes for one.

Each cut-out is taken from a small scene of its own, at the table's scale and any angle, and turned upright with the
errors that a finder makes; only the patch around the index is drawn, so that a cut-out costs one or two milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.synth import camera, clutter, surfaces
from models.synth.packs import Face, Image, Pack, split_name
from models.synth.scenes import (
    Canvas,
    Matrix,
    Placed,
    contrast,
    face_to_table,
    label,
    pick,
    project,
    scene_index,
)
from table.sight.cutout import cut_upright, upright_matrix

NONE = "none"
Point = tuple[float, float]


@dataclass(frozen=True)
class CutoutSettings:
    """How the cut-outs vary: shares of all, and the finder's errors as standard deviations."""

    negatives: float = 0.22
    covered: float = 0.30
    angle_deg: float = 3.5
    shift: float = 0.055
    """of the distance from rank to suit, each keypoint, each direction."""


DEFAULT = CutoutSettings()


def _card_px(rng: np.random.Generator) -> float:
    low, high = (66, 135) if rng.random() < 0.78 else (36, 70)
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _patch(rng: np.random.Generator, half: int) -> Canvas:
    """A small piece of table, 2 x ``half`` pixels."""
    pictures = surfaces.pool()
    picture = pictures[int(rng.integers(0, len(pictures)))]
    n = 2 * half
    y, x = rng.integers(0, picture.shape[0] - n), rng.integers(0, picture.shape[1] - n)
    table = np.clip(
        np.arange(256)[None, :, None] * rng.uniform(0.6, 1.25) * rng.uniform(0.8, 1.2, (1, 1, 3)), 0, 255
    ).astype(np.uint8)
    return Canvas(rng, np.asarray(cv2.LUT(picture[y : y + n, x : x + n], table), np.uint8).copy())


def _squeeze(rng: np.random.Generator, half: int) -> Matrix:
    """A mild view at an angle, about the patch's middle."""
    a, q = rng.uniform(0, np.pi), 1 - min(0.35, abs(rng.normal(0, 0.1)))
    c, s = np.cos(a), np.sin(a)
    turn = np.array([[c, -s], [s, c]])
    m = np.eye(3)
    m[:2, :2] = turn @ np.diag([1, q]) @ turn.T
    m[:2, 2] = half - m[:2, :2] @ np.array([half, half])
    return m


def _face_at(face: Face, at: Point, angle: float, card: float, half: int) -> Matrix:
    """The homography that lays a face so that its point ``at`` comes to the patch's middle."""
    m = face_to_table(face, Placed(0, 0, angle), card)
    p = project(m, [at])[0]
    shift = np.array([[1, 0, half - p[0]], [0, 1, half - p[1]], [0, 0, 1]])
    return np.asarray(shift @ m, np.float64)


def _any_face(rng: np.random.Generator, packs: Sequence[Pack]) -> tuple[str, Face]:
    pack = pick(rng, packs)
    names = list(pack.faces)
    name = names[int(rng.integers(0, len(names)))]
    return name, pack.faces[name]


def _cover(
    rng: np.random.Generator, canvas: Canvas, packs: Sequence[Pack], card: float, half: int, near: float
) -> None:
    """Another card (or its back, or a finger) whose edge passes ``near`` pixels from the middle."""
    _, face = _any_face(rng, packs)
    if rng.random() < 0.12:
        face = clutter.back(rng, card)
    h, w = face.rgba.shape[:2]
    edge = rng.integers(0, 4)
    u = rng.uniform(0, 1)
    at = [(u * w, 0.0), (u * w, float(h)), (0.0, u * h), (float(w), u * h)][int(edge)]
    angle = rng.uniform(0, 360)
    m = _face_at(face, at, angle, card, half)
    inward = project(m, [[w / 2, h / 2]])[0] - half
    inward = inward / max(1e-6, float(np.hypot(*inward)))
    shift = np.eye(3)
    shift[:2, 2] = inward * near
    canvas.put(face, shift @ m, 1, rng.uniform(0.5, 1.8))


def _upright(
    rng: np.random.Generator,
    image: Image,
    rank: Point,
    suit: Point,
    settings: CutoutSettings,
    turn: float = 0.0,
) -> Image:
    reach = float(np.hypot(suit[0] - rank[0], suit[1] - rank[1]))
    jitter = rng.normal(0, settings.shift * reach, 4)
    a = (rank[0] + jitter[0], rank[1] + jitter[1])
    b = (suit[0] + jitter[2], suit[1] + jitter[3])
    matrix = upright_matrix(
        a, b, turn + rng.normal(0, settings.angle_deg), float(np.exp(rng.normal(0, 0.05)))
    )
    return cut_upright(image, matrix)


def _index_patch(
    rng: np.random.Generator, packs: Sequence[Pack], settings: CutoutSettings
) -> tuple[Image, Point, Point, float, str]:
    name, face = _any_face(rng, packs)
    while not face.indices:
        name, face = _any_face(rng, packs)
    index = face.indices[int(rng.integers(0, len(face.indices)))]
    card = _card_px(rng)
    reach = float(np.hypot(index.suit_xy[0] - index.rank_xy[0], index.suit_xy[1] - index.rank_xy[1]))
    reach *= card * face.width_mm / 63.5 / face.rgba.shape[1]
    half = int(np.clip(round(reach * 1.75), 16, 150))
    canvas = _patch(rng, half)
    middle = ((index.rank_xy[0] + index.suit_xy[0]) / 2, (index.rank_xy[1] + index.suit_xy[1]) / 2)
    angle = rng.uniform(0, 360)
    squeeze = _squeeze(rng, half)
    if rng.random() < 0.4:  # a card beneath, seen past the edge
        _cover(rng, canvas, packs, card, half, rng.uniform(-1.2, 1.2) * reach)
        canvas.ids[:] = -1
    matrix = squeeze @ _face_at(face, middle, angle, card, half)
    canvas.put(face, matrix, 0, rng.uniform(0.3, 1.5))
    if rng.random() < settings.covered:
        _cover(rng, canvas, packs, card, half, rng.uniform(-0.35, 1.5) * reach)
    k = next(k for k, other in enumerate(face.indices) if other is index)
    seen = scene_index(face, k, matrix, canvas.ids, 0)
    image = camera.photograph(rng, canvas.image, card, glare_share=0.05)
    if contrast(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), seen.quad) < 26:
        seen.visible = (
            0.5 if seen.visible > 0.4 else seen.visible
        )  # drowned in light or dark: neither one nor none
    return image, seen.rank_xy, seen.suit_xy, seen.visible, label(name)


def _nothing(rng: np.random.Generator, packs: Sequence[Pack]) -> tuple[Image, Point, Point]:
    """A place without an index: pips, court figures, card edges, papers, backs, the table."""
    card = _card_px(rng)
    reach = card * rng.uniform(0.08, 0.2)
    half = int(np.clip(round(reach * 1.75), 16, 60))
    canvas = _patch(rng, half)
    kind = rng.random()
    if kind < 0.62:
        for _ in range(8):
            _, face = _any_face(rng, packs)
            h, w = face.rgba.shape[:2]
            at = (rng.uniform(0.02, 0.98) * w, rng.uniform(0.02, 0.98) * h)
            px = card * face.width_mm / 63.5 / w
            if all(
                np.hypot(at[0] - i.box[:, 0].mean(), at[1] - i.box[:, 1].mean()) * px > 1.2 * reach
                and np.hypot(at[0] - i.rank_xy[0], at[1] - i.rank_xy[1]) * px > reach
                for i in face.indices
            ):
                break
        else:
            face, at = clutter.back(rng, card), (40.0, 40.0)
        angle = rng.uniform(0, 360)
        canvas.put(face, _squeeze(rng, half) @ _face_at(face, at, angle, card, half), 0, 1.0)
        t = np.radians(angle + rng.choice([0, 0, 180, 90, 270]) + rng.normal(0, 15))
    else:
        if kind < 0.82:
            thing = clutter.paper(rng, card)
        elif kind < 0.87:
            thing = clutter.disc(rng, card)
        elif kind < 0.90:
            thing = clutter.die(rng, card)
        elif kind < 0.96:
            thing = clutter.back(rng, card)
        else:
            thing = Face(np.zeros((8, 8, 4), np.uint8), 63.5, [])
        h, w = thing.rgba.shape[:2]
        m = np.eye(3)
        t = rng.uniform(0, 2 * np.pi)
        m[:2, :2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
        m[:2, 2] = half - m[:2, :2] @ np.array([rng.uniform(0, w), rng.uniform(0, h)])
        canvas.put(thing, m, 0, 1.0)
        t += rng.choice([0, 0, np.pi / 2, np.pi])
    if rng.random() < 0.15:
        _cover(rng, canvas, packs, card, half, rng.uniform(-0.8, 1.2) * reach)
    image = camera.photograph(rng, canvas.image, card, glare_share=0.05)
    down = np.array([-np.sin(t), np.cos(t)]) * reach / 2
    return image, (half - down[0], half - down[1]), (half + down[0], half + down[1])


def make_cutout(
    rng: np.random.Generator, packs: Sequence[Pack], settings: CutoutSettings = DEFAULT
) -> tuple[Image, str, str]:
    """One sample: uint8 (64, 48, 3) B, G, R, the rank's label, the suit's label (``"none"`` twice: no index).

    An index of which less than 0.4 of rank or suit shows is "none"; between 0.4 and 0.6 nothing is given out.
    A joker's suit is "none".
    """
    for _ in range(20):
        if rng.random() < settings.negatives:
            image, rank_at, suit_at = _nothing(rng, packs)
            return _upright(rng, image, rank_at, suit_at, settings), NONE, NONE
        image, rank_at, suit_at, visible, name = _index_patch(rng, packs, settings)
        wrong = rng.random()
        if visible < 0.4 or wrong < 0.03:
            turn = float(rng.choice([90, 180, 270])) if visible >= 0.4 else 0.0
            return _upright(rng, image, rank_at, suit_at, settings, turn), NONE, NONE
        if wrong < 0.05:  # beside the index
            way = rng.uniform(0, 2 * np.pi)
            reach = np.hypot(suit_at[0] - rank_at[0], suit_at[1] - rank_at[1])
            d: npt.NDArray[np.float64] = np.array([np.cos(way), np.sin(way)]) * reach * rng.uniform(0.95, 1.3)
            moved = (rank_at[0] + d[0], rank_at[1] + d[1]), (suit_at[0] + d[0], suit_at[1] + d[1])
            return _upright(rng, image, moved[0], moved[1], settings), NONE, NONE
        if visible < 0.6:
            continue
        rank, suit = split_name(name)
        return _upright(rng, image, rank_at, suit_at, settings), rank, suit or NONE
    image, rank_at, suit_at = _nothing(rng, packs)
    return _upright(rng, image, rank_at, suit_at, settings), NONE, NONE
