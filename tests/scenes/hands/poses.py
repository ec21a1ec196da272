"""Poses of a hand over the table: joint angles, the turn of hand and forearm, and the card between the fingers.

Coordinates are millimetres: x right, y away from the player, z up, the table at z = 0, the wrist above the origin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from tests.scenes.hands.hand_mesh import Array, RiggedHand, bend_joints, rotation, skin

Angles: TypeAlias = dict[str, tuple[float, float, float]]
LONG: Final = ("index", "middle", "ring", "pinky")
CARD_LENGTH_MM: Final = 88.9
_PAD_DEPTH_MM: Final = 7.0
"""Distance from a finger tip's joint to the skin of its pad."""
_THUMB_PAD_DEPTH_MM: Final = 8.5


@dataclass
class Grip:
    """A card or pack between the fingers, in the frame of the hand: a point of its plane, its normal, its long axis."""

    point: Array
    normal: Array
    ahead: Array
    centre: Array
    thickness_mm: float = 0.4


@dataclass
class Pose:
    """A hand before it is put over the table."""

    kind: str
    angles: Angles
    roll: float = 0.0
    """Turn about the forearm: 0 the palm down, 90 the thumb up, 180 the palm up."""
    pitch: float = 0.0
    """How far the fingers point down (degrees); not used where a grip says how the hand is turned."""
    deviation: float = 0.0
    lift: float = 0.3
    """Height of the hand's lowest point over the table."""
    elevation: float = 6.0
    """Least rise of the forearm from the wrist to the elbow."""
    grip: Grip | None = None
    forward: float = 0.03
    """How much the held card's front edge hangs down."""
    tips: tuple[str, ...] = ("index", "middle", "ring")
    """Fingers whose tips are the place of the hand."""


@dataclass
class PlacedPose:
    """A hand over the table."""

    pose: Pose
    vertices: Array
    turned_hand: Array
    turned_arm: Array
    wrist: Array
    """Where the wrist is."""
    joints: Array
    """Frames of the joints in the hand's frame."""
    tip: Array
    card_centre: Array | None = None
    card_normal: Array | None = None
    card_ahead: Array | None = None
    tips: dict[str, Array] = field(default_factory=dict)
    """Pads of all finger tips."""


def _fingers(
    rng: np.random.Generator,
    knuckle: float,
    middle: float,
    last: float,
    spread: float = 0.0,
    loose: float = 4.0,
    step: float = 0.0,
) -> Angles:
    """Return angles of the long fingers; ``spread`` 0: side by side; ``step``: each bends more than the one before."""
    angles: Angles = {}
    together = (2.0, 0.0, -9.0, -9.0)
    for number, name in enumerate(LONG):
        aside = together[number] + spread * (-1.0, 0.0, 1.0, 2.0)[number]
        more = step * number
        a, b = rng.normal(0, loose, 2)
        angles[f"{name}-finger-phalanx-proximal"] = (knuckle + more + a, aside, 0.0)
        angles[f"{name}-finger-phalanx-intermediate"] = (max(-2.0, middle + more + b), 0.0, 0.0)
        angles[f"{name}-finger-phalanx-distal"] = (max(-4.0, last + more / 2 + b / 2), 0.0, 0.0)
    return angles


def _thumb(metacarpal: tuple[float, float, float], proximal: float, distal: float) -> Angles:
    return {
        "thumb-metacarpal": metacarpal,
        "thumb-phalanx-proximal": (proximal, 0.0, 0.0),
        "thumb-phalanx-distal": (distal, 0.0, 0.0),
    }


def pad(hand: RiggedHand, joints: Array, finger: str) -> Array:
    """Return the middle of a finger tip's pad, in the hand's frame."""
    thumb = finger == "thumb"
    frame = joints[hand.index("thumb-tip" if thumb else f"{finger}-finger-tip")]
    depth = _THUMB_PAD_DEPTH_MM if thumb else _PAD_DEPTH_MM
    place: Array = frame[:3, 3] - frame[:3, 1] * depth
    return place


def _nail_side(hand: RiggedHand, joints: Array, finger: str) -> Array:
    axis: Array = joints[hand.index("thumb-tip" if finger == "thumb" else f"{finger}-finger-tip"), :3, 1]
    return axis


def _unit(vector: Array) -> Array:
    unit: Array = vector / np.linalg.norm(vector)
    return unit


def _solve(
    hand: RiggedHand,
    angles: Angles,
    free: Sequence[tuple[str, int, float]],
    misses: Callable[[Array], Array],
) -> Angles:
    """Change the free angles (joint, axis, give in degrees) a little until ``misses`` of the joints is near zero."""
    start = np.array([angles.get(joint, (0.0, 0.0, 0.0))[axis] for joint, axis, _ in free])
    give = np.array([part[2] for part in free])

    def with_angles(values: Array) -> Angles:
        changed = dict(angles)
        for (joint, axis, _), value in zip(free, values, strict=True):
            old = list(changed.get(joint, (0.0, 0.0, 0.0)))
            old[axis] = float(value)
            changed[joint] = (old[0], old[1], old[2])
        return changed

    def cost(values: Array) -> Array:
        return np.concatenate([misses(bend_joints(hand, with_angles(values))), (values - start) / give])

    values = start
    for _ in range(12):
        now = cost(values)
        slope = np.stack([(cost(values + step) - now) for step in np.eye(len(free))], axis=1)
        change = np.linalg.lstsq(slope.T @ slope + 1e-3 * np.eye(len(free)), slope.T @ now, rcond=None)[0]
        values = values - np.clip(change, -15, 15)
    return with_angles(values)


_THUMB_FREE: Final = (
    ("thumb-metacarpal", 0, 14.0),
    ("thumb-metacarpal", 1, 14.0),
    ("thumb-metacarpal", 2, 14.0),
    ("thumb-phalanx-proximal", 0, 12.0),
    ("thumb-phalanx-distal", 0, 14.0),
)


def _lay_over(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """The fingers hold the card from above, the thumb from beneath."""
    angles = _fingers(rng, 12 + rng.normal(0, 5), 16 + rng.normal(0, 5), 5, rng.uniform(-1, 2), 3.0)
    if rng.random() < 0.4:
        # The little finger is spread away, and the ring finger with it.
        for name, bent in (("ring", 6.0), ("pinky", 14.0)):
            a, b, c = angles[f"{name}-finger-phalanx-proximal"]
            angles[f"{name}-finger-phalanx-proximal"] = (a - bent, b + bent / 2, c)
    angles |= _thumb((10, 30, 0), 10, 10)

    def misses(joints: Array) -> Array:
        pads = (pad(hand, joints, "index") + pad(hand, joints, "middle")) / 2
        nail = _unit(_nail_side(hand, joints, "index") + _nail_side(hand, joints, "middle"))
        back = joints[hand.index("index-finger-tip"), :3, 2] + joints[hand.index("middle-finger-tip"), :3, 2]
        target = pads - nail * 1.0 + _unit(back) * 12
        return np.concatenate(
            [(pad(hand, joints, "thumb") - target) / 2.0, (_nail_side(hand, joints, "thumb") + nail) * 1.2]
        )

    angles = _solve(hand, angles, _THUMB_FREE, misses)
    joints = bend_joints(hand, angles)
    point = (pad(hand, joints, "index") + pad(hand, joints, "middle")) / 2
    normal = _unit(_nail_side(hand, joints, "index") + _nail_side(hand, joints, "middle"))
    ahead = -joints[hand.index("middle-finger-tip"), :3, 2] - joints[hand.index("index-finger-tip"), :3, 2]
    grip = _held_card(rng, point, normal, ahead)
    return Pose(
        "lay_over",
        angles,
        0.0,
        0.0,
        rng.normal(0, 8),
        rng.uniform(0.3, 16),
        8.0,
        grip,
        0.22,
        ("index", "middle"),
    )


def _held_card(rng: np.random.Generator, point: Array, normal: Array, ahead: Array) -> Grip:
    ahead = _unit(ahead - normal * (ahead @ normal))
    side = np.cross(normal, ahead)
    turn = np.radians(rng.normal(0, 12))
    ahead = ahead * np.cos(turn) + side * np.sin(turn)
    inset = rng.uniform(9, 19)
    centre = point + ahead * (CARD_LENGTH_MM / 2 - inset) + np.cross(normal, ahead) * rng.normal(0, 6)
    return Grip(point, normal, ahead, centre)


def _lay_thumb(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """The thumb holds the card from above, the curled fingers from beneath."""
    angles = _fingers(rng, 38 + rng.normal(0, 6), 46 + rng.normal(0, 7), 22, 0.0, 3.0, step=4.0)
    angles |= _thumb((0, 10, 0), 8, 12)

    def misses(joints: Array) -> Array:
        contact, normal = _side_contact(hand, joints)
        return np.concatenate(
            [
                (pad(hand, joints, "thumb") - contact) / 2.0,
                (_nail_side(hand, joints, "thumb") - normal) * 1.5,
            ]
        )

    angles = _solve(hand, angles, _THUMB_FREE, misses)
    joints = bend_joints(hand, angles)
    contact, normal = _side_contact(hand, joints)
    thumb = -joints[hand.index("thumb-tip"), :3, 2]
    index = -joints[hand.index("index-finger-phalanx-intermediate"), :3, 2]
    grip = _held_card(rng, contact, normal, thumb * 0.6 + index * 0.6)
    return Pose(
        "lay_thumb",
        angles,
        80.0,
        0.0,
        rng.normal(0, 8),
        rng.uniform(0.3, 8),
        10.0,
        grip,
        0.16,
        ("thumb", "index"),
    )


def _side_contact(hand: RiggedHand, joints: Array) -> tuple[Array, Array]:
    """Return where the thumb presses on the index finger's side, and the normal there."""
    near, far = (joints[hand.index(f"index-finger-phalanx-{part}")] for part in ("intermediate", "distal"))
    normal = _unit(-far[:3, 0] - near[:3, 0] - 0.5 * far[:3, 1])
    contact: Array = near[:3, 3] * 0.35 + far[:3, 3] * 0.65 + normal * 8.0
    return contact, normal


def _hold(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """A pack lies in the palm, the fingers at its far side, the thumb upon it."""
    thickness = rng.uniform(3, 15)
    angles = _fingers(rng, 34 + rng.normal(0, 4), 66 - thickness, 34, 3.0, 3.0)
    a, b, c = angles["index-finger-phalanx-proximal"]
    angles["index-finger-phalanx-proximal"] = (a - 12, b - 4, c)
    angles |= _thumb((0, 10, 0), 10, 10)
    normal = _unit(np.array([-0.12, 0.0, -1.0]))
    # The pack lies against the palm just before the knuckles.
    point = hand.frames[hand.index("middle-finger-phalanx-proximal"), :3, 3] + normal * (17 + thickness)
    turn = np.radians(rng.normal(24, 6))
    ahead = np.array([-np.sin(turn), np.cos(turn), 0.0])
    ahead = _unit(ahead - normal * (ahead @ normal))
    centre = point + np.array([-6.0, 4.0, 0.0])
    target = centre + ahead * 12 + np.array([-13.0, 0.0, 0.0])

    def misses(joints: Array) -> Array:
        return np.concatenate(
            [(pad(hand, joints, "thumb") - target) / 3.0, (_nail_side(hand, joints, "thumb") - normal) * 1.5]
        )

    angles = _solve(hand, angles, _THUMB_FREE, misses)
    grip = Grip(centre, normal, ahead, centre, thickness)
    return Pose("hold", angles, 165.0, 0.0, rng.normal(0, 6), rng.uniform(5, 40), 10.0, grip, 0.0, ("thumb",))


def _push(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """Flat fingers push a card."""
    angles = _fingers(rng, 14 + rng.normal(0, 4), 8, 2, rng.uniform(-1, 3), 2.5)
    angles |= _thumb((float(rng.normal(4, 6)), float(rng.normal(4, 6)), 0), 8, 10)
    return Pose("push", angles, rng.normal(0, 4), rng.uniform(4, 16), rng.normal(0, 9), 0.4, 10.0)


def _rest(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """A hand lies flat."""
    angles = _fingers(rng, 4 + rng.normal(0, 3), 7, 3, rng.uniform(0, 8), 2.5)
    angles |= _thumb((float(rng.normal(-2, 6)), float(rng.normal(-2, 8)), 0), 5, 6)
    return Pose("rest", angles, rng.normal(0, 3), rng.uniform(0, 4), rng.normal(0, 9), 0.3, 4.0)


def _point(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """The index finger points at something."""
    angles = _fingers(rng, 62, 78, 40, -1.0, 4.0)
    angles["index-finger-phalanx-proximal"] = (float(rng.normal(12, 4)), 2.0, 0.0)
    angles["index-finger-phalanx-intermediate"] = (float(rng.normal(12, 4)), 0.0, 0.0)
    angles["index-finger-phalanx-distal"] = (float(rng.normal(5, 3)), 0.0, 0.0)
    angles |= _thumb((16, 22, 0), 22, 22)
    lift = 0.4 if rng.random() < 0.6 else float(rng.uniform(5, 40))
    return Pose(
        "point", angles, rng.normal(15, 10), rng.uniform(10, 26), rng.normal(0, 7), lift, 8.0, tips=("index",)
    )


def _drum(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """Bent fingers drum on the table."""
    angles = _fingers(rng, 18, 46, 26, rng.uniform(1, 6), 7.0)
    angles |= _thumb((float(rng.normal(8, 5)), float(rng.normal(8, 5)), 0), 10, 14)
    return Pose("drum", angles, rng.normal(-4, 5), rng.uniform(-4, 10), rng.normal(0, 8), 0.4, 6.0)


def _leave(hand: RiggedHand, rng: np.random.Generator) -> Pose:
    """A relaxed hand goes away empty."""
    angles = _fingers(rng, 30 + rng.normal(0, 8), 32 + rng.normal(0, 8), 16, rng.uniform(0, 4), 5.0, step=5.0)
    angles |= _thumb((float(rng.normal(8, 6)), float(rng.normal(12, 6)), 0), 12, 16)
    return Pose(
        "leave", angles, rng.uniform(-5, 60), rng.uniform(-5, 15), rng.normal(0, 8), rng.uniform(5, 50), 8.0
    )


KINDS: Final[dict[str, Callable[[RiggedHand, np.random.Generator], Pose]]] = {
    "lay_over": _lay_over,
    "lay_thumb": _lay_thumb,
    "hold": _hold,
    "push": _push,
    "rest": _rest,
    "point": _point,
    "drum": _drum,
    "leave": _leave,
}
"""What makes each kind of pose."""


def place_pose(hand: RiggedHand, pose: Pose, rng: np.random.Generator) -> PlacedPose:
    """Put a pose over the table, its forearm towards the player."""
    joints = bend_joints(hand, pose.angles)
    turned_hand = rotation(1, pose.roll)
    if pose.grip is None:
        turned_hand = rotation(0, -pose.pitch) @ turned_hand
    else:
        wanted = _unit(np.array([rng.normal(0, 0.08), rng.normal(pose.forward, 0.07), 1.0]))
        turned_hand = _turn_between(turned_hand @ pose.grip.normal, wanted) @ turned_hand
    turned_hand = rotation(2, pose.deviation) @ turned_hand
    elevation = pose.elevation + abs(rng.normal(0, 5))
    for _ in range(12):
        turned_arm = rotation(0, -elevation) @ rotation(1, pose.roll * 0.9)
        vertices = skin(hand, joints, turned_hand, turned_arm)
        is_hand = hand.weights[:, -1] < 0.5
        # What is soft is pressed flat: the palm's heel of a hand whose fingers touch the table.
        fingers = is_hand & (hand.vertices[:, 1] > (60 if pose.grip else -50))
        wrist = np.array([0.0, 0.0, pose.lift - vertices[fingers, 2].min()])
        if (vertices[~is_hand, 2] + wrist[2]).min() > -3 or elevation > 35:
            break
        elevation += 3
    vertices = vertices + wrist
    pads = {name: turned_hand @ pad(hand, joints, name) + wrist for name in ("thumb", *LONG)}
    tip = np.mean([pads[name] for name in pose.tips], axis=0)
    placed = PlacedPose(pose, vertices, turned_hand, turned_arm, wrist, joints, tip, tips=pads)
    if pose.grip is not None:
        placed.card_centre = turned_hand @ pose.grip.centre + wrist
        placed.card_normal = turned_hand @ pose.grip.normal
        placed.card_ahead = turned_hand @ pose.grip.ahead
        placed.tip = turned_hand @ pose.grip.point + wrist
    return placed


def _turn_between(start: Array, end: Array) -> Array:
    """Return the least rotation that takes one unit vector to another."""
    across, along = np.cross(start, end), float(start @ end)
    skew = np.array([[0, -across[2], across[1]], [across[2], 0, -across[0]], [-across[1], across[0], 0]])
    turned: Array = np.eye(3) + skew + skew @ skew / (1 + along)
    return turned
