"""Rigged mesh of a right hand with a forearm: reading, posing and subdividing it. NumPy only, as Blender runs it too.

Coordinates are millimetres about the wrist: x right, y along the fingers, z out of the hand's back. The hand lies
with its palm down, so that its thumb is at the left.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]

CHAINS: Final = tuple(
    tuple(f"{finger}-{part}" for part in parts)
    for finger, parts in (
        ("thumb", ("metacarpal", "phalanx-proximal", "phalanx-distal", "tip")),
        *(
            (
                f"{name}-finger",
                ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip"),
            )
            for name in ("index", "middle", "ring", "pinky")
        ),
    )
)
"""Joints of each finger, thumb first, from the wrist outwards."""
ARM_LENGTH_MM: Final = 470.0
_CUT_Y_MM: Final = -2.0
"""The mesh's own stump behind this is replaced by a forearm."""
_RING_STEP_MM: Final = 16.0
_FROM_FILE: Final = np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0]], np.float64)
"""Rotation from the file's axes (x out of the back, y to the wrist, z right) to ours."""


@dataclass(frozen=True)
class RiggedHand:
    """A mesh at rest with its joints. The last column of ``weights`` is the forearm's."""

    joints: tuple[str, ...]
    frames: Array
    """Joint frames at rest, joints x 4 x 4. Axes: x across the finger, y out of its nail, z backwards."""
    vertices: Array
    faces: Indices
    weights: Array

    def index(self, joint: str) -> int:
        """Return a joint's number."""
        return self.joints.index(joint)


def read_hand(path: Path) -> RiggedHand:
    """Read a right hand of the WebXR profile ``generic-hand`` (GLB) and join a forearm to it."""
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    tree, blob = json.loads(data[20 : 20 + length]), data[20 + length + 8 :]
    primitive, skin = tree["meshes"][0]["primitives"][0], tree["skins"][0]
    attributes = primitive["attributes"]
    positions = _accessor(tree, blob, attributes["POSITION"])
    _, first, merged = np.unique(np.round(positions, 5), axis=0, return_index=True, return_inverse=True)
    faces = merged.ravel()[_accessor(tree, blob, primitive["indices"]).astype(np.int64).reshape(-1, 3)]
    names = tuple(str(tree["nodes"][node]["name"]) for node in skin["joints"])
    inverse = _accessor(tree, blob, skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    frames = np.linalg.inv(inverse.astype(np.float64))
    wrist = frames[names.index("wrist"), :3, 3].copy()
    frames[:, :3, :3] = _FROM_FILE @ frames[:, :3, :3]
    frames[:, :3, 3] = (frames[:, :3, 3] - wrist) @ _FROM_FILE.T * 1000
    vertices = (positions[first].astype(np.float64) - wrist) @ _FROM_FILE.T * 1000
    weights = np.zeros((len(vertices), len(names) + 1))
    joint_numbers = _accessor(tree, blob, attributes["JOINTS_0"])[first].astype(np.int64)
    shares = _accessor(tree, blob, attributes["WEIGHTS_0"])[first]
    for column in range(4):
        np.add.at(weights, (np.arange(len(vertices)), joint_numbers[:, column]), shares[:, column])
    weights /= weights.sum(axis=1, keepdims=True)
    vertices, faces, weights = _join_forearm(vertices, faces, weights)
    # The wrist bends over a few centimetres.
    bend = np.clip((8 - vertices[:, 1]) / 30, 0, 1)
    bend = bend * bend * (3 - 2 * bend)
    weights[:, :-1] *= 1 - bend[:, None]
    weights[:, -1] = 1 - weights[:, :-1].sum(axis=1)
    return RiggedHand(names, frames, vertices, faces, weights)


def _accessor(tree: Mapping[str, Any], blob: bytes, number: int) -> NDArray[Any]:
    accessor = tree["accessors"][number]
    view = tree["bufferViews"][accessor["bufferView"]]
    dtype = {5126: "<f4", 5123: "<u2", 5121: "u1", 5125: "<u4"}[accessor["componentType"]]
    columns = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return np.frombuffer(blob, dtype, accessor["count"] * columns, start).reshape(-1, columns)


def _join_forearm(vertices: Array, faces: Indices, weights: Array) -> tuple[Array, Indices, Array]:
    """Cut the stump off behind the wrist and grow a forearm from the cut's edge."""
    faces = faces[(vertices[faces][:, :, 1] > _CUT_Y_MM).all(axis=1)]
    loop = _boundary_loop(faces)
    used = np.unique(faces)
    renumbered = np.full(len(vertices), -1)
    renumbered[used] = np.arange(len(used))
    vertices, weights, faces, loop = vertices[used], weights[used], renumbered[faces], renumbered[loop]
    edge = vertices[loop]
    middle = edge.mean(axis=0)
    angle = np.arctan2(edge[:, 2] - middle[2], edge[:, 0] - middle[0])
    rings = [edge]
    steps = np.arange(10.0, ARM_LENGTH_MM, _RING_STEP_MM)
    for behind in steps:
        grown = np.interp(behind, [0, 60, 130, 230, 320, 600], [0, 0.25, 0.7, 1.0, 1.0, 1.0])
        radius = np.stack(
            [forearm_half_width(behind) * np.cos(angle), forearm_half_height(behind) * np.sin(angle)], 1
        )
        at_wrist = edge[:, [0, 2]] - middle[[0, 2]]
        blend = np.clip(behind / 45, 0, 1)
        section = at_wrist * (1 - blend) + radius * blend
        centre = middle[[0, 2]] * (1 - grown)
        ring = np.empty_like(edge)
        ring[:, [0, 2]] = section + centre
        ring[:, 1] = np.minimum(edge[:, 1] * (1 - blend) + middle[1] * blend, _CUT_Y_MM + 14) - behind
        rings.append(ring)
    count = len(loop)
    start = len(vertices)
    numbers = [loop] + [start + count * number + np.arange(count) for number in range(len(steps))]
    new_faces = [faces]
    for near, far in pairwise(numbers):
        near_next, far_next = np.roll(near, -1), np.roll(far, -1)
        new_faces += [np.stack([near_next, near, far], 1), np.stack([near_next, far, far_next], 1)]
    arm = np.zeros((count * len(steps), weights.shape[1]))
    arm[:, -1] = 1
    return (
        np.concatenate([vertices, *rings[1:]]),
        np.concatenate(new_faces),
        np.concatenate([weights, arm]),
    )


def forearm_half_width(behind: float) -> float:
    """Return half the forearm's width in mm, so far behind the wrist."""
    return float(np.interp(behind, [0, 60, 130, 230, 320, 600], [28, 30.5, 37, 44, 45, 47]))


def forearm_half_height(behind: float) -> float:
    """Return half the forearm's height in mm, so far behind the wrist."""
    return float(np.interp(behind, [0, 60, 130, 230, 320, 600], [20.5, 24, 32, 40, 43, 46]))


def _boundary_loop(faces: Indices) -> Indices:
    """Return the vertices of the longest open edge, in the direction of its faces' edges."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    directed = {(int(a), int(b)) for a, b in edges}
    follow = {a: b for a, b in directed if (b, a) not in directed}
    longest: list[int] = []
    while follow:
        start, after = follow.popitem()
        loop = [start]
        while after != start:
            loop.append(after)
            after = follow.pop(after)
        longest = max(longest, loop, key=len)
    return np.array(longest)


def subdivide(values: Array, faces: Indices) -> tuple[Array, Indices]:
    """Subdivide a triangle mesh once by Loop's scheme; ``values`` has a row of numbers for each vertex."""
    count = len(values)
    corners = np.concatenate([faces[:, [0, 1, 2]], faces[:, [1, 2, 0]], faces[:, [2, 0, 1]]])
    edges, inverse, uses = np.unique(
        np.sort(corners[:, :2], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    inverse = inverse.ravel()
    opposite = np.zeros((len(edges), values.shape[1]))
    np.add.at(opposite, inverse, values[corners[:, 2]])
    ends = values[edges[:, 0]] + values[edges[:, 1]]
    inner = uses == 2
    middles = np.where(inner[:, None], 3 / 8 * ends + opposite / 8, ends / 2)
    degree = np.bincount(edges.ravel(), minlength=count)
    around = np.zeros_like(values)
    np.add.at(around, edges[:, 0], values[edges[:, 1]])
    np.add.at(around, edges[:, 1], values[edges[:, 0]])
    beta = (5 / 8 - (3 / 8 + np.cos(2 * np.pi / degree) / 4) ** 2) / degree
    moved = values * (1 - degree * beta)[:, None] + around * beta[:, None]
    border = np.zeros(count, bool)
    border[edges[~inner].ravel()] = True
    along = np.zeros_like(values)
    np.add.at(along, edges[~inner, 0], values[edges[~inner, 1]])
    np.add.at(along, edges[~inner, 1], values[edges[~inner, 0]])
    moved[border] = 0.75 * values[border] + along[border] / 8
    ab, bc, ca = (count + part for part in np.split(inverse, 3))
    a, b, c = faces.T
    finer = np.concatenate(
        [np.stack(face, 1) for face in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))]
    )
    return np.concatenate([moved, middles]), finer


def subdivide_hand(hand: RiggedHand, levels: int) -> RiggedHand:
    """Return the hand with a finer mesh."""
    values, faces = np.concatenate([hand.vertices, hand.weights], axis=1), hand.faces
    for _ in range(levels):
        values, faces = subdivide(values, faces)
    return RiggedHand(hand.joints, hand.frames, values[:, :3], faces, values[:, 3:])


def vertex_normals(vertices: Array, faces: Indices) -> Array:
    """Return unit normals of the vertices."""
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    across = np.cross(b - a, c - a)
    normals = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(normals, faces[:, corner], across)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    return normals


def rotation(axis: int, degrees: float) -> Array:
    """Return the rotation about a coordinate axis."""
    angle = np.radians(degrees)
    turned = np.eye(3)
    one, other = (axis + 1) % 3, (axis + 2) % 3
    turned[one, one] = turned[other, other] = np.cos(angle)
    turned[other, one], turned[one, other] = np.sin(angle), -np.sin(angle)
    return turned


def bend_joints(hand: RiggedHand, angles: Mapping[str, tuple[float, float, float]]) -> Array:
    """Return the joint frames of a pose, joints x 4 x 4, with the wrist at rest.

    ``angles`` has for a joint in degrees: how far it bends to the palm, to the right, and turns about its finger.
    """
    posed = hand.frames.copy()
    for chain in CHAINS:
        before = hand.index("wrist")
        for joint in chain:
            number = hand.index(joint)
            frame = posed[before] @ np.linalg.inv(hand.frames[before]) @ hand.frames[number]
            bend, aside, twist = angles.get(joint, (0.0, 0.0, 0.0))
            if bend or aside or twist:
                frame[:3, :3] = frame[:3, :3] @ rotation(1, -aside) @ rotation(0, -bend) @ rotation(2, twist)
            posed[number] = frame
            before = number
    return posed


def skin(hand: RiggedHand, posed: Array, turned_hand: Array, turned_arm: Array) -> Array:
    """Return the vertices of a pose, with the hand and the forearm each turned about the wrist."""
    moves = posed @ np.linalg.inv(hand.frames)
    moves[:, :3] = turned_hand @ moves[:, :3]
    arm = np.eye(4)
    arm[:3, :3] = turned_arm
    moves = np.concatenate([moves, arm[None]])
    blended = np.einsum("vj,jrc->vrc", hand.weights, moves[:, :3])
    vertices: Array = np.einsum("vrc,vc->vr", blended[:, :, :3], hand.vertices) + blended[:, :, 3]
    return vertices
