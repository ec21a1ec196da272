"""Held-out packs as they lie on the mark of the virtual table: what one look at a trick is worth.

The scenes of `models.synth` are as hard as their maker can make them, and many a card in them no eye could read. Here
one to five cards are thrown on the mark as players do, under a lamp and a camera of an evening, and each card counts of
which an index lies open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sets import TO_SQUARE, Sample
from models.synth.camera import compress, glare
from models.synth.drawn import Studio
from models.synth.packs import Face, Pack
from models.synth.scenes import EMPTY, label, scene_index
from models.synth.splits import load_packs
from models.virtualpack import faces_of
from table.directions import direction_vector
from table.simulation.rendering.camera_image import RoomAppearance, SimulatedCamera
from table.simulation.rendering.card_artwork import HEIGHT_MM, WIDTH_MM
from table.simulation.rendering.motions_over_time import CardPose, SceneCard, Snapshot
from table.simulation.simulated_config import make_homography, random_room
from table.table_geometry import MARK_PX

SIZE = (1280, 720)

LIGHTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "warm": {"warmth": (0.68, 0.92, 1.02)},
    "dim": {"warmth": (0.42, 0.48, 0.5), "noise": 5.0},
    "soft": {"blur_px": 1.0},
    "noisy": {"noise": 7.0},
    "glare": {},
    "compressed": {"blur_px": 0.7},
}
"""What an evening may bring; `glare` and `compressed` are done to the picture."""


def mark_samples(number: int, seed: int, packs: Sequence[Pack] | None = None) -> Iterator[Sample]:
    """`number` pictures of each pack (the held-out ones) in each light, the same ones every time."""
    for p, pack in enumerate(load_packs("held") if packs is None else packs):
        yield from pack_samples(pack, number, [seed, 31, p])


def pack_samples(pack: Pack, number: int, seed: list[int]) -> Iterator[Sample]:
    """`number` pictures of one pack in each light; a studio stands for a pack drawn anew for each."""
    for light in LIGHTS:
        for k in range(number):
            rng = np.random.default_rng([*seed, list(LIGHTS).index(light), k])
            one = pack.new(rng) if isinstance(pack, Studio) else pack
            names = [name for name in one.faces if label(name) == name]
            chosen = [str(name) for name in rng.permutation(names)[: int(rng.integers(1, 6))]]
            yield thrown(rng, one, chosen, light, f"{'-'.join([pack.name, str(seed[-1]), light])}-{k:02d}")


def thrown(rng: np.random.Generator, pack: Pack, names: list[str], light: str, title: str) -> Sample:
    """The cards of these names, thrown on the mark one after the other."""
    look: RoomAppearance = replace(
        random_room(int(rng.integers(1000))), faces=faces_of(pack), **LIGHTS[light]
    )
    to_image = np.array(make_homography(SIZE, rng))
    camera = SimulatedCamera(SIZE, to_image.tolist(), ["Ada"], look, int(rng.integers(1000)))
    poses = _places(rng, len(names))
    resting = tuple(SceneCard(k, one, pose) for k, (one, pose) in enumerate(zip(names, poses, strict=True)))
    frame = camera.render_snapshot(Snapshot(resting, (), ()), 0)
    flat = cv2.warpPerspective(frame, TO_SQUARE @ np.linalg.inv(to_image), (MARK_PX, MARK_PX))
    square = np.asarray(flat, np.uint8)
    if light == "glare":
        square = glare(rng, square)
    if light == "compressed":
        square = compress(rng, square)
    cards, optional, sizes = lying_open(pack, names, poses)
    groups = {"pack": pack.name.split("-")[0], "light": light, "lying": f"{len(names)} cards"}
    in_play = frozenset(label(name) for name in pack.faces)
    return Sample(title, square, 100.0, cards, optional, groups, sizes=sizes, pack=in_play)


def _places(rng: np.random.Generator, count: int) -> list[CardPose]:
    """Where the cards of a trick come to lie: each from its seat's side, none of the first quite under the last."""
    first = rng.uniform(0, 360)
    poses = []
    for k in range(count):
        seat = first + 360 / max(count, 3) * k
        x, y = direction_vector(seat)
        out = rng.uniform(10, 45)
        poses.append(
            CardPose(
                x * out + rng.normal(0, 8),
                y * out + rng.normal(0, 8),
                float(seat + 180 * rng.integers(2) + rng.normal(0, 14)),
            )
        )
    return poses


def lying_open(
    pack: Pack, names: list[str], poses: list[CardPose]
) -> tuple[list[str], list[str], dict[str, str]]:
    """The cards of which an index lies open; those of which only a part shows; how many indices each shows."""
    ids = np.full((MARK_PX, MARK_PX), EMPTY, np.int16)
    matrices = []
    for k, (name, pose) in enumerate(zip(names, poses, strict=True)):
        matrix = TO_SQUARE @ _face_to_mm(pack.faces[name], pose)
        height, width = pack.faces[name].rgba.shape[:2]
        corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
        outline = cv2.perspectiveTransform(corners, matrix)[0]
        cv2.fillPoly(ids, [np.round(outline).astype(np.int32)], k)
        matrices.append(matrix)
    cards, optional, sizes = [], [], {}
    for k, (name, matrix) in enumerate(zip(names, matrices, strict=True)):
        face = pack.faces[name]
        shown = [scene_index(face, i, matrix, ids, k).visible for i in range(len(face.indices))]
        clear = sum(share >= 0.9 for share in shown)
        if clear:
            cards.append(label(name))
            sizes[label(name)] = "one index" if clear == 1 else "two or more"
        else:
            optional.append(label(name))
    return cards, optional, sizes


def _face_to_mm(face: Face, pose: CardPose) -> NDArray[np.float64]:
    """The homography from a face's pixels to mm on the table; every face is drawn in the size of a poker card."""
    height, width = face.rgba.shape[:2]
    angle = np.radians(pose.angle)
    cos, sin = np.cos(angle), np.sin(angle)
    a, b = WIDTH_MM / width, HEIGHT_MM / height
    return np.array(
        [
            [cos * a, -sin * b, pose.x - cos * WIDTH_MM / 2 + sin * HEIGHT_MM / 2],
            [sin * a, cos * b, pose.y - sin * WIDTH_MM / 2 - cos * HEIGHT_MM / 2],
            [0, 0, 1],
        ]
    )
