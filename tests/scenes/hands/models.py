"""Everything that Blender renders for one sprite: meshes with colours, camera and lamps, all from one seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from tests.scenes.hands.hand_mesh import CHAINS, Array, Indices, RiggedHand, vertex_normals
from tests.scenes.hands.poses import KINDS, PlacedPose, place_pose

SKINS: Final = (
    (232, 198, 174), (226, 186, 160), (220, 176, 146), (214, 168, 134), (214, 166, 130), (205, 156, 118),
    (190, 140, 104), (176, 124, 88), (158, 108, 74), (138, 92, 62), (116, 76, 52), (94, 62, 44), (72, 48, 36),
    (222, 170, 148), (208, 160, 132),
)  # fmt: skip
"""Skin tones, sRGB, of the back of a hand."""
CLOTHS: Final = (
    (28, 30, 36), (52, 56, 66), (232, 230, 224), (196, 198, 200), (30, 44, 84), (62, 92, 140), (128, 30, 36),
    (176, 60, 52), (44, 78, 52), (108, 116, 70), (150, 120, 84), (92, 64, 46), (190, 152, 70), (124, 74, 120),
    (206, 140, 150), (66, 132, 140), (150, 152, 158), (222, 206, 178),
)  # fmt: skip
"""Cloth colours, sRGB."""
Cloth = Literal["plain", "rings", "lengthwise", "check", "knit", "heather", "quilt", "denim"]
DRESSES: Final = (
    "plain", "rings", "lengthwise", "check", "knit", "heather", "quilt", "denim", "cuffed", "rolled", "bare", "watch",
    "bracelet",
)  # fmt: skip
PERSON_POSES: Final = (
    "lay_over", "lay_thumb", "push", "leave", "hold", "rest", "lay_over", "lay_thumb", "point", "drum",
)  # fmt: skip
"""Kinds of the sprites of one person, who has the same skin and sleeve in all of them."""
CAMERA_HEIGHT_MM: Final = (950.0, 1300.0)


@dataclass
class Part:
    """A mesh with a colour (linear) and a place at rest for each vertex."""

    material: Literal["skin", "cloth", "metal", "leather"]
    vertices: Array
    faces: Indices
    colours: Array
    places: Array
    gloss: Array
    relief: Array
    """Height of fine wrinkles, mm."""
    above: Array
    """For each vertex, 1: above the held card, 0: beneath it."""


@dataclass
class Lamp:
    """A square area lamp that shines at the hand."""

    place: Array
    size_mm: float
    watts: float
    colour: tuple[float, float, float]


@dataclass
class Model:
    """One sprite's world."""

    number: int
    kind: str
    left: bool
    person: int
    parts: list[Part]
    camera: Array
    lamps: list[Lamp]
    world: tuple[float, float, float]
    placed: PlacedPose
    skin: int
    dress: str

    def seen_at(self, point: Array) -> Array:
        """Return where on the table's plane the camera sees a point."""
        seen: Array = self.seen_at_all(point[None])[0]
        return seen

    def seen_at_all(self, points: Array) -> Array:
        """Return where on the table's plane the camera sees each point."""
        factor = self.camera[2] / (self.camera[2] - points[:, 2:])
        seen: Array = self.camera[:2] + (points[:, :2] - self.camera[:2]) * factor
        return seen


def make_model(coarse: RiggedHand, fine: RiggedHand, seed: int, number: int) -> Model:
    """Return the model of sprite ``number``."""
    person, turn = divmod(number, len(PERSON_POSES))
    kind = PERSON_POSES[turn]
    rng = np.random.default_rng((seed, 1, number))
    # A pack is held in the hand that doesn't lay.
    left = (person % 2 == 1) != (kind == "hold")
    placed = place_pose(fine, KINDS[kind](coarse, rng), rng)
    tone = person * 7 % len(SKINS)
    dress = DRESSES[person * 5 % len(DRESSES)]
    parts = [
        _skin_part(fine, placed, SKINS[tone], np.random.default_rng((seed, 2, person))),
        *_dress_parts(fine, placed, dress, np.random.default_rng((seed, 3, person)), rng),
    ]
    looks = np.random.default_rng((seed, 4, person))
    size = looks.normal(1.0, 0.045) * (0.86 if looks.random() < 0.12 else 1.0)
    camera = np.array([*rng.uniform(-170, 170, 2), rng.uniform(*CAMERA_HEIGHT_MM)])
    camera[1] -= 100
    lamps = _lamps(rng)
    mirror = np.array([-1.0 if left else 1.0, 1.0, 1.0]) * size
    for part in parts:
        part.vertices = part.vertices * mirror
        part.vertices[:, 2] = np.maximum(part.vertices[:, 2], 0.25)
        if left:
            part.faces = part.faces[:, ::-1]
    placed.tip = placed.tip * mirror
    placed.wrist = placed.wrist * mirror
    placed.tips = {name: place * mirror for name, place in placed.tips.items()}
    if placed.card_centre is not None and placed.card_ahead is not None:
        placed.card_centre = placed.card_centre * mirror
        placed.card_ahead = placed.card_ahead * mirror
    shade = rng.uniform(0.25, 0.6)
    world = (shade, shade * rng.uniform(0.96, 1.03), shade * rng.uniform(0.9, 1.1))
    return Model(number, kind, left, person, parts, camera, lamps, world, placed, tone, dress)


def _lamps(rng: np.random.Generator) -> list[Lamp]:
    """Return soft lamps: one main one anywhere above, and perhaps a weak one."""
    lamps = []
    for share in (1.0, rng.uniform(0.0, 0.45)):
        if share < 0.08:
            continue
        away, turn, high = rng.uniform(100, 1100), rng.uniform(0, 2 * np.pi), rng.uniform(1100, 1800)
        place = np.array([away * np.cos(turn), away * np.sin(turn) - 50, high])
        warm = rng.uniform(-0.04, 0.10)
        distance = float(np.linalg.norm(place))
        lamps.append(
            Lamp(
                place,
                float(rng.uniform(250, 800)),
                share * (distance / 1000) ** 2,
                (1.0 + warm, 1.0, 1.0 - warm),
            )
        )
    return lamps


# --- colours ------------------------------------------------------------------------------------------------------


def linear(colour: tuple[int, int, int]) -> Array:
    """Return an sRGB colour as linear light."""
    parts = np.array(colour) / 255
    light: Array = np.where(parts < 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return light


def _bump(distance: Array, width: float) -> Array:
    gauss: Array = np.exp(-0.5 * (distance / width) ** 2)
    return gauss


def _skin_part(
    hand: RiggedHand, placed: PlacedPose, tone: tuple[int, int, int], rng: np.random.Generator
) -> Part:
    rest, base = hand.vertices, linear(tone)
    normals = vertex_normals(rest, hand.faces)
    back = np.clip(normals[:, 2] * 0.5 + 0.5, 0, 1)
    colours = np.tile(base, (len(rest), 1))
    is_hand = hand.weights[:, -1] < 0.5
    # Palms are paler and redder, most of all those of dark hands.
    palm = np.clip(-normals[:, 2] * 1.6, 0, 1) * is_hand
    pale = base * 0.45 + np.array([0.62, 0.36, 0.26]) * 0.55
    colours = colours * (1 - 0.8 * palm[:, None]) + pale * 0.8 * palm[:, None]
    red, crease, gloss = np.zeros(len(rest)), np.zeros(len(rest)), np.zeros(len(rest))
    for chain in CHAINS:
        own = hand.weights[:, [hand.index(joint) for joint in chain]].sum(axis=1) > 0.5
        for joint in chain[1:-1]:
            x, y, z = _local(hand, joint)
            near = _bump(z, 7) * own
            dorsal = np.clip(y / 8 + 0.2, 0, 1)
            red += near * dorsal * 0.8
            if joint != chain[1] or chain[0].startswith("thumb"):
                strength = 1.0 if "intermediate" in joint else 0.7
                folds = np.cos(z * 2 * np.pi / 2.9 + 0.25 * np.abs(x)) * _bump(z, 4.2)
                crease += folds * dorsal * own * strength
            palmar = np.clip(-y / 8, 0, 1)
            crease -= 1.4 * _bump(z + 1, 0.9) * palmar * own
        x, y, z = _local(hand, chain[-1])
        wide = 7.0 if chain[0].startswith("thumb") else 5.6
        nail = (np.abs(x) / wide) ** 3 + (np.abs(-z - 4.5) / 6.6) ** 3
        on_nail = np.clip((1.15 - nail) / 0.3, 0, 1) * (y > 0) * own
        rim = np.clip(1 - np.abs(nail - 1.15) / 0.5, 0, 1) * (y > 0) * own
        white = np.clip((-z - 9.0) / 1.2, 0, 1) * on_nail
        pink = base * 0.62 + np.array([0.70, 0.40, 0.36]) * 0.38
        colours = colours * (1 - on_nail[:, None]) + pink * on_nail[:, None]
        colours = colours * (1 - 0.6 * white[:, None]) + np.array([0.78, 0.70, 0.62]) * 0.6 * white[:, None]
        colours *= 1 - 0.22 * rim[:, None]
        gloss += on_nail
        crease -= 0.8 * rim
        red += np.clip((-z - 2) / 10, 0, 1) * own * 0.5 * (1 - on_nail)
    blush = np.array([0.16, -0.10, -0.12])
    colours *= 1 + np.clip(red, 0, 1)[:, None] * blush * (0.6 if base.mean() > 0.15 else 0.35)
    colours *= 1 + 0.17 * np.clip(crease, -1.5, 0)[:, None]
    # Veins and tendons on the back, and blotches.
    blotch = _noise(rng, rest / 22.0) * 0.06 + _noise(rng, rest / 7.0) * 0.03
    colours *= 1 + blotch[:, None] * np.array([0.8, 1.0, 1.1])
    vein = np.abs(_noise(rng, rest * [1 / 16, 1 / 42, 1 / 16]))
    vein = (
        np.clip(1 - vein / 0.14, 0, 1)
        * (back > 0.75)
        * np.clip((60 - rest[:, 1]) / 40, 0, 1)
        * rng.uniform(0, 1)
    )
    colours *= 1 - vein[:, None] * np.array([0.13, 0.05, 0.02])
    tendons = _tendons(hand)
    relief = (
        crease * 0.42 + vein * 0.5 * is_hand + tendons * rng.uniform(0.3, 1.5) + _noise(rng, rest / 14) * 0.25
    )
    above = np.ones(len(rest))
    if placed.card_centre is not None and placed.card_normal is not None:
        above = np.clip((placed.vertices - placed.card_centre) @ placed.card_normal / 2.0 + 0.5, 0, 1)
        if placed.pose.kind == "hold":
            # The pack lies upon the palm; only the thumb and the finger tips reach over it.
            over = [
                number
                for number, joint in enumerate(hand.joints)
                if "distal" in joint or "tip" in joint or joint == "thumb-phalanx-proximal"
            ]
            above = above * np.clip(hand.weights[:, over].sum(axis=1) * 6 - 2.5, 0, 1)
    shaped = vertex_normals(placed.vertices, hand.faces)
    vertices = placed.vertices + shaped * relief[:, None]
    return Part("skin", vertices, hand.faces, np.clip(colours, 0.003, 0.95), rest, gloss, crease, above)


def _tendons(hand: RiggedHand) -> Array:
    """Return the ridges from the knuckles to the wrist on the hand's back."""
    ridge = np.zeros(len(hand.vertices))
    for chain in CHAINS[1:]:
        near, far = (hand.frames[hand.index(joint), :3, 3] for joint in chain[:2])
        along = np.clip((hand.vertices[:, 1] - near[1]) / (far[1] - near[1]), 0, 1.1)
        centre = near[0] + (far[0] - near[0]) * along
        ridge += _bump(hand.vertices[:, 0] - centre, 2.6) * _bump(along - 0.75, 0.28)
        # The knuckle itself.
        ridge += 1.0 * _bump(hand.vertices[:, 0] - far[0], 5.0) * _bump(hand.vertices[:, 1] - far[1], 5.0)
    ridge *= hand.vertices[:, 2] > 0
    return ridge


def _local(hand: RiggedHand, joint: str) -> tuple[Array, Array, Array]:
    frame = hand.frames[hand.index(joint)]
    places = (hand.vertices - frame[:3, 3]) @ frame[:3, :3]
    return places[:, 0], places[:, 1], places[:, 2]


def _noise(rng: np.random.Generator, places: Array, waves: int = 28) -> Array:
    """Return smooth noise of variance 1 at places of any dimension."""
    total = np.zeros(len(places))
    for _ in range(waves):
        direction = rng.normal(0, 1, places.shape[1])
        total += np.cos(places @ (direction * 2.2) + rng.uniform(0, 2 * np.pi))
    scaled: Array = total * np.sqrt(2 / waves)
    return scaled


# --- sleeves ------------------------------------------------------------------------------------------------------


def _dress_parts(
    hand: RiggedHand, placed: PlacedPose, dress: str, rng: np.random.Generator, moved: np.random.Generator
) -> list[Part]:
    """Return sleeve and jewellery: ``rng`` is the person's, ``moved`` the moment's (folds, how far it has slid)."""
    colour = CLOTHS[int(rng.integers(len(CLOTHS)))]
    other = CLOTHS[int(rng.integers(len(CLOTHS)))]
    slid = moved.normal(0, 7)
    start = max(4.0, rng.uniform(8, 45) + slid)
    if dress in ("bare", "watch", "bracelet"):
        parts = []
        if dress != "bare":
            parts += _band(hand, placed, dress, rng)
        if rng.random() < 0.6:
            parts.append(
                _sleeve(hand, placed, "plain", colour, other, rng.uniform(150, 260) + slid, rng, moved)
            )
        return parts
    if dress == "rolled":
        return [
            _sleeve(hand, placed, "plain", colour, other, rng.uniform(90, 170) + slid, rng, moved, hem=24)
        ]
    if dress == "cuffed":
        shirt = _sleeve(
            hand, placed, "plain", (226, 228, 232), other, start, rng, moved, length=70, slack=0.6
        )
        return [
            shirt,
            _sleeve(
                hand, placed, "heather", colour, other, start + rng.uniform(10, 22), rng, moved, slack=1.3
            ),
        ]
    kind: Cloth = dress  # type: ignore[assignment]
    return [_sleeve(hand, placed, kind, colour, other, start, rng, moved)]


def _arm_radius(hand: RiggedHand, behind: Array) -> Callable[[Array], Array]:
    """Return a function from angles (around the forearm) to the forearm's radius at each distance behind the wrist."""
    rest = hand.vertices[hand.weights[:, -1] > 0.2]
    bins = 24
    angle = np.arctan2(rest[:, 2], rest[:, 0])
    table = []
    for distance in behind:
        near = np.abs(-rest[:, 1] - distance) < 12
        if near.sum() < 30:
            near = -rest[:, 1] > ARM_TABLE_END_MM
        radius = np.hypot(rest[near, 0], rest[near, 2])
        edges = np.linspace(-np.pi, np.pi, bins + 1)
        slot = np.clip(np.digitize(angle[near], edges) - 1, 0, bins - 1)
        total, count = np.bincount(slot, radius, bins), np.bincount(slot, minlength=bins)
        known = count > 0
        mids = (edges[:-1] + edges[1:]) / 2
        table.append(np.interp(mids, mids[known], (total / np.maximum(count, 1))[known], period=2 * np.pi))
    grid = np.array(table)
    mids = np.linspace(-np.pi, np.pi, bins + 1)[:-1] + np.pi / bins

    def radius_at(angles: Array) -> Array:
        radius: Array = np.array([np.interp(angles, mids, row, period=2 * np.pi) for row in grid])
        return radius

    return radius_at


ARM_TABLE_END_MM: Final = 420.0


def _tube(
    placed: PlacedPose, behind: Array, radius: Array, angles: Array, inner: Array | None
) -> tuple[Array, Indices, Array]:
    """Return vertices, faces and places (around, along) of a tube about the forearm; ``inner``: its mouth's lining."""
    along, radii = behind, radius
    if inner is not None:
        along = np.concatenate([[behind[0] + 14, behind[0] + 1.2, behind[0]], behind])
        radii = np.concatenate([inner[None] - 0.5, inner[None], (inner[None] + radius[:1]) / 2, radius])
    rest = np.stack(
        [radii * np.cos(angles), np.broadcast_to(-along[:, None], radii.shape), radii * np.sin(angles)],
        axis=2,
    )
    rows, columns = radii.shape
    around = np.broadcast_to(angles * 42, radii.shape)
    places = np.stack([around, rest[:, :, 1], np.zeros_like(around)], axis=2).reshape(-1, 3)
    number = np.arange(rows * columns).reshape(rows, columns)
    a, b = number[:-1], number[1:]
    a2, b2 = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    faces = np.concatenate([np.stack([a, a2, b2], 2).reshape(-1, 3), np.stack([a, b2, b], 2).reshape(-1, 3)])
    vertices = rest.reshape(-1, 3) @ placed.turned_arm.T + placed.wrist
    return vertices, faces, places


def _sleeve(
    hand: RiggedHand,
    placed: PlacedPose,
    kind: Cloth,
    colour: tuple[int, int, int],
    other: tuple[int, int, int],
    start: float,
    rng: np.random.Generator,
    moved: np.random.Generator,
    *,
    length: float = 470.0,
    slack: float = 1.0,
    hem: float | None = None,
) -> Part:
    """Return a sleeve with folds and a hem, from ``start`` mm behind the wrist."""
    behind = np.arange(start, min(start + length, 466.0), 1.7)
    angles = np.linspace(-np.pi, np.pi, 129)[:-1]
    arm = _arm_radius(hand, behind)(angles)
    loose = rng.uniform(3, 7) * slack
    grown = np.clip((behind - start) / 60, 0, 1)[:, None]
    gap = 2.0 + loose * (0.35 + 0.65 * grown)
    tight = kind in ("knit", "rings") and rng.random() < 0.6
    if tight:
        gap = 1.6 + 0.4 * loose * grown
    field = np.stack(
        [
            np.repeat(behind / 26, len(angles)),
            np.tile(1.3 * np.cos(angles), len(behind)),
            np.tile(1.3 * np.sin(angles), len(behind)),
        ],
        1,
    )
    folds = (1 - np.abs(_noise(moved, field)).reshape(arm.shape)).clip(-0.6, 1)
    folds = folds + 0.5 * (1 - np.abs(_noise(moved, field * 2.1)).reshape(arm.shape)).clip(-0.6, 1)
    deep = loose * rng.uniform(0.25, 0.7) * (0.3 + 0.7 * grown)
    radius = arm + gap + deep * folds
    hem_mm = rng.uniform(8, 28) if hem is None else hem
    at_hem = ((behind - start) < hem_mm)[:, None]
    radius = radius + np.where(at_hem, 1.2 if hem is None else 3.0, 0.0)
    radius = np.maximum(radius, arm + 1.2)
    u, v = np.meshgrid(angles * 42, behind)
    pattern, raised = _pattern(kind, u, v, linear(colour), linear(other), rng)
    if kind == "knit" and not tight:
        raised = raised * 1.4
    radius = radius + raised
    # Cloth hangs down from the arm.
    inner = np.maximum(arm[0] + 0.8, radius[0] - 2.0)
    vertices, faces, places = _tube(placed, behind, radius, angles, inner)
    seam = np.where(at_hem & ((behind - start) > hem_mm - 1.8)[:, None], 0.72, 1.0)[..., None]
    colours = pattern * seam
    lining = np.repeat(colours[:1] * 0.8, 3, axis=0)
    colours = np.concatenate([lining, colours]).reshape(-1, 3)
    none = np.zeros(len(vertices))
    return Part("cloth", vertices, faces, colours, places, none, none, none + 1)


def _pattern(
    kind: Cloth, u: Array, v: Array, colour: Array, other: Array, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return a cloth's colours and how far it is raised in mm, at places around (u) and along (v) the arm."""
    flat = np.zeros_like(u)
    plain = np.broadcast_to(colour, (*u.shape, 3)).copy()
    if kind == "rings":
        pitch, share = rng.uniform(10, 34), rng.uniform(0.25, 0.6)
        return np.where(((v / pitch) % 1 < share)[..., None], other, plain), flat
    if kind == "lengthwise":
        count = int(rng.integers(16, 48))
        share = rng.uniform(0.2, 0.5)
        return np.where(((u / (2 * np.pi * 42) * count) % 1 < share)[..., None], other, plain), flat
    if kind == "check":
        count, pitch = int(rng.integers(10, 18)), rng.uniform(15, 30)
        crossing = ((u / (2 * np.pi * 42) * count) % 1 < 0.42) * 0.5 + ((v / pitch) % 1 < 0.42) * 0.5
        return plain * (1 - crossing[..., None]) + other * crossing[..., None], flat
    if kind == "knit":
        wale, row = 2 * np.pi * 42 / 44, rng.uniform(5.5, 8)
        across = (u / wale) % 1
        stitch = np.cos(2 * np.pi * (v / row + 0.5 * np.abs(across - 0.5) * 2))
        groove = np.clip(1 - np.abs(across - 0.5) * 2, 0, 1) ** 0.5
        raised = 0.9 * groove + 0.35 * stitch
        dark = 0.72 + 0.28 * np.clip(raised / 1.1, 0, 1)
        return plain * dark[..., None], raised
    if kind in ("heather", "denim"):
        speck = rng.normal(0, 1, u.shape)
        fine = (speck + np.roll(speck, 1, 0) + np.roll(speck, 1, 1)) / 1.7
        size = 0.16 if kind == "heather" else 0.10
        base = plain if kind == "heather" else np.broadcast_to(linear((62, 82, 122)), plain.shape)
        slant = 0.06 * np.sin((u + v) * 2 * np.pi / 3.4) if kind == "denim" else flat
        return base * np.clip(1 + size * fine + slant, 0.3, 1.8)[..., None], flat
    if kind == "quilt":
        pitch = rng.uniform(34, 60)
        puff = np.abs(np.sin(np.pi * v / pitch)) ** 0.6
        return plain * (0.75 + 0.25 * puff)[..., None], puff * 7
    return plain, flat


def _band(hand: RiggedHand, placed: PlacedPose, dress: str, rng: np.random.Generator) -> list[Part]:
    """Return a watch or a bracelet."""
    wide = rng.uniform(14, 20) if dress == "watch" else rng.uniform(3, 8)
    start = rng.uniform(26, 44)
    behind = np.linspace(start, start + wide, 14)
    angles = np.linspace(-np.pi, np.pi, 97)[:-1]
    arm = _arm_radius(hand, behind)(angles)
    round_edge = np.sqrt(np.clip(1 - (2 * (behind - start) / wide - 1) ** 4, 0, 1))[:, None]
    radius = arm + 0.6 + 2.2 * round_edge
    vertices, faces, places = _tube(placed, behind, radius, angles, None)
    steel = rng.random() < 0.5
    colour = linear((176, 176, 172) if steel else ((44, 34, 30) if rng.random() < 0.6 else (122, 74, 44)))
    if dress == "bracelet":
        colour = linear(
            ((198, 160, 80), (186, 188, 190), CLOTHS[int(rng.integers(len(CLOTHS)))])[int(rng.integers(3))]
        )
    links = 0.8 + 0.2 * np.sign(np.sin(angles * 16)) if steel else np.ones_like(angles)
    colours = (np.broadcast_to(colour, (len(behind), len(angles), 3)) * links[:, None]).reshape(-1, 3)
    none = np.zeros(len(vertices))
    material: Literal["metal", "leather"] = "metal" if steel else "leather"
    parts = [Part(material, vertices, faces, colours, places, none, none, none + 1)]
    if dress == "watch":
        parts.append(
            _dial(placed, start + wide / 2, float(arm[6][np.argmin(np.abs(angles - np.pi / 2))]), rng)
        )
    return parts


def _dial(placed: PlacedPose, behind: float, height: float, rng: np.random.Generator) -> Part:
    """Return a watch's case and dial, on the back of the wrist."""
    size = rng.uniform(14, 20)
    radii = np.array([size, size, size * 0.97, size * 0.86, size * 0.84, size * 0.6, size * 0.3, 0.2])
    heights = np.array([-2.0, 6.0, 8.0, 8.2, 7.4, 7.4, 7.4, 7.4])
    face = linear(((24, 26, 32), (232, 232, 226), (40, 58, 98))[int(rng.integers(3))])
    ring = linear((170, 170, 168))
    angles = np.linspace(-np.pi, np.pi, 61)[:-1]
    rest = np.stack(
        [
            radii[:, None] * np.cos(angles),
            radii[:, None] * np.sin(angles) - behind,
            np.broadcast_to(height + heights[:, None], (len(radii), len(angles))),
        ],
        axis=2,
    )
    number = np.arange(rest[:, :, 0].size).reshape(rest.shape[:2])
    a, b = number[:-1], number[1:]
    a2, b2 = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    faces = np.concatenate([np.stack([a, a2, b2], 2).reshape(-1, 3), np.stack([a, b2, b], 2).reshape(-1, 3)])
    colours = np.where((np.arange(len(radii)) < 4)[:, None, None], ring, face) * np.ones((1, len(angles), 1))
    colours[5] = np.where((np.arange(len(angles)) % 5 == 0)[:, None], linear((200, 200, 196)), colours[5])
    vertices = rest.reshape(-1, 3) @ placed.turned_arm.T + placed.wrist
    none = np.zeros(len(vertices))
    return Part("metal", vertices, faces, colours.reshape(-1, 3), rest.reshape(-1, 3), none, none, none + 1)
