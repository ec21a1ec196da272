"""Arm detection: the arms over the table, where they enter the image, and which of them touched a card.

A foreground component that is neither background nor a card, and reaches from a card's edge to the border of the
image, is an arm. The place where it enters the image, seen from the mark, is its direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.directions import angle_between, direction_deg
from table.table_geometry import Geometry, Points, transform_points
from table.tracking.imaging.motion_detection import Mask, Planar
from table.tracking.imaging.recent_frame import RecentFrame, empty_mark_mask
from table.tracking.imaging.result_cache import FrameCache
from table.tracking.scene.background_model import BackgroundModel

MIN_ARM_PX: Final = 30
"""Minimum area of an arm in small pixels: 1.5 cm2."""
MIN_ARM_SEPARATION_DEG: Final = 25.0
"""Minimum angle between the directions of two different arms."""
BORDER_PX: Final = 2
"""Width of the image border at which an arm enters, small pixels."""
MAX_CONTACT_DISTANCE_PX: Final = 3
"""Maximum distance between an arm and a card that it touches: small pixels, 6 mm."""
_CLOSE: Final = np.ones((7, 7), np.uint8)


@dataclass(frozen=True, slots=True)
class Arm:
    """One connected foreground component over the table that is no card."""

    mask: Mask
    """Its pixels in the small image."""
    entry_angles: tuple[float, ...]
    """Directions of the places where it enters the image; empty if it doesn't."""
    tip: tuple[float, float] | None = None
    """Its end, mm: the point farthest from the entry; None without an entry, or where several arms cross."""

    def touches(self, zone: Mask) -> bool:
        """Return whether a part of it is in a zone of the small image, such as a card's (see `contact_zone`)."""
        return bool(cv2.countNonZero(cv2.bitwise_and(self.mask, zone)))


@dataclass(frozen=True, slots=True)
class Direction:
    """The direction of an arm, with a confidence."""

    angle: float | None
    """Degrees clockwise from the image's top, seen from the mark; None if unknown."""
    confidence: float
    """Confidence, 0..1."""


UNKNOWN_DIRECTION: Final = Direction(None, 0.0)
"""An unknown direction."""


def contact_zone(geometry: Geometry, quad: Points) -> Mask:
    """Return the mask, in the small image, where an arm touches the card with the outline ``quad``."""
    return geometry.small_polygon_mask(quad, MAX_CONTACT_DISTANCE_PX)


def find_arms(foreground: Mask, geometry: Geometry) -> list[Arm]:
    """Return the arms in a foreground mask of the small image from which the cards have been removed."""
    # On a patterned table parts of an arm look like parts of the pattern: close the gaps.
    foreground = np.asarray(cv2.morphologyEx(foreground, cv2.MORPH_CLOSE, _CLOSE), dtype=np.uint8)
    if cv2.countNonZero(foreground) < MIN_ARM_PX:
        return []
    # (Areas are counted here: OpenCV's own statistics cost ten times as much as its labels.)
    _, found = cv2.connectedComponents(foreground, connectivity=8)
    labels = np.asarray(found, dtype=np.int32)
    inside = np.flatnonzero(foreground > 0)  # (what is true or false is found fastest)
    label_of = labels.ravel().take(inside)
    arms = []
    for label in np.flatnonzero(np.bincount(label_of) >= MIN_ARM_PX):
        mask = np.asarray(labels == label)
        places = geometry.small_pixel_positions_mm.take(inside[label_of == label], axis=0)
        entries = _entries(mask, geometry)
        tip = _farthest(places, entries[0].place) if len(entries) == 1 else None
        angles = tuple(entry.angle for entry in entries)
        arms.append(Arm(mask.view(np.uint8) * np.uint8(255), angles, tip))
    return arms


def is_same_arm_as_any(angle: float, others: Sequence[float]) -> bool:
    """Return whether ``angle`` is the direction of the same arm as one of ``others``."""
    return any(angle_between(angle, other) < MIN_ARM_SEPARATION_DEG for other in others)


def _farthest(places: Points, place: tuple[float, float]) -> tuple[float, float]:
    """Return the point of ``places`` (N x 2) that is farthest from ``place``."""
    away = places - place
    x, y = places[np.argmax(np.einsum("nk,nk->n", away, away))]
    return float(x), float(y)


@dataclass(frozen=True, slots=True)
class _Entry:
    """The place where an arm meets the border of the image."""

    angle: float
    place: tuple[float, float]
    """On the table, mm."""


def _entries(mask: NDArray[np.bool_], geometry: Geometry) -> list[_Entry]:
    """Return the places where ``mask`` meets the border of the image."""
    sides = (mask[:BORDER_PX], mask[-BORDER_PX:], mask[:, :BORDER_PX], mask[:, -BORDER_PX:])
    if not any(side.any() for side in sides):
        return []
    edge = mask.copy()
    edge[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX] = False
    # (Only where it is: a border is long, and an arm meets little of it.)
    left, top, width, height = cv2.boundingRect(edge.view(np.uint8))
    edge = np.ascontiguousarray(edge[top : top + height, left : left + width])
    joined = cv2.dilate(edge.view(np.uint8), np.ones((5, 5), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    met = np.flatnonzero(edge)
    label_of = labels.ravel()[met]
    entries = []
    for label in range(1, count):
        rows, columns = np.divmod(met[label_of == label], width)
        if len(rows) < 4:
            continue
        middle = np.array([[(columns + left).mean(), (rows + top).mean()]])
        x, y = transform_points(geometry.small_to_table, middle)[0]
        entries.append(_Entry(direction_deg(x, y), (float(x), float(y))))
    return entries


class ArmFinder:
    """Finds the arms in front of the background and the known cards."""

    def __init__(self, background: BackgroundModel) -> None:
        self._background = background
        self._geometry = background.geometry
        self._arms_by_cards: FrameCache[dict[frozenset[bytes], Sequence[Arm]]] = FrameCache()
        """Arms found in each foreground mask, by the set of known cards."""

    def find(self, small: Planar, cards: Sequence[Points]) -> Sequence[Arm]:
        """Return the arms in a small image that contains cards with the outlines ``cards``."""
        foreground = self._background.foreground_mask(small)
        # (Who laid cards, how many hands there were and who took them is asked of the same pictures.)
        found = self._arms_by_cards.get(foreground, lambda _: {})
        which = frozenset(np.asarray(quad, np.float64).tobytes() for quad in cards)
        if which not in found:
            there = np.zeros_like(foreground)
            for quad in cards:
                there |= self._geometry.small_polygon_mask(quad, 1)
            found[which] = find_arms(foreground & ~there, self._geometry)
        return found[which]

    def arm_mask(self, arms: Sequence[Arm]) -> Mask:
        """Return the mask, in the mark image, of those ``arms`` that enter from the image border."""
        joined = np.zeros((self._geometry.small_size[1], self._geometry.small_size[0]), dtype=np.uint8)
        for arm in arms:
            if arm.entry_angles:
                joined |= arm.mask
        if not joined.any():
            return empty_mark_mask()
        return self._geometry.warp_mask_to_mark(
            np.asarray(cv2.dilate(joined, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        )

    def directions(
        self, cards: Sequence[Points], frames: Sequence[RecentFrame], touched: Points | None = None
    ) -> list[Direction]:
        """Return the directions of the arms in each of the ``frames``, or of those that touch the card ``touched``.

        Each arm counts once in each frame: where several cross, which are one thing with several entries, each of the
        directions counts for its share.
        """
        zone = contact_zone(self._geometry, touched) if touched is not None else None
        return [
            Direction(angle, 1 / len(arm.entry_angles))
            for frame in frames
            for arm in self.find(frame.small, cards)
            if zone is None or arm.touches(zone)
            for angle in arm.entry_angles
        ]
