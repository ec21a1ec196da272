"""Tracklet of one carried card: its detections on the way to the mark, and its interpolated positions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.directions import angle_between
from table.observed_facts import MS
from table.table_geometry import Points
from table.tracking.imaging.quad_geometry import (
    MAX_SAME_PLACE_PX,
    boxes_coincide,
    distance_to_index,
    quad_centre,
)
from table.tracking.scene.arm_detection import MIN_ARM_SEPARATION_DEG
from table.tracking.scene.detections import Detection
from table.tracking.scene.tracked_card import MAX_STATIC_OFFSET_PX, P_CONFIRMED


@dataclass(frozen=True, slots=True)
class TrackletParameters:
    """Parameters of tracklets; chosen on the scene bench's tuning set."""

    back_mm: float = 10.0
    """Maximum distance by which a card moves back on its way."""
    backwards_ns: int = 100 * MS
    """Maximum time by which a position is extrapolated backwards, from a motion that lasts no longer: ..."""
    slower: float = 4.0
    """... a hand slows down, by this factor at most."""


NUMBERS: Final = TrackletParameters()


@dataclass(frozen=True, slots=True)
class CarriedDetection:
    """A detection of a carried card."""

    t_ns: int
    detection: Detection
    entry_angles: tuple[float, ...]
    """Entry directions of the arms that touch it."""
    place_mm: tuple[float, float]
    """Its centre on the table, mm."""
    name: str
    """The card: as it was read, unless association relabelled it."""
    published: bool = False
    """Whether the card has been published since: this detection is no other card's."""

    def was_held_by(self, hand_deg: float | None) -> bool | None:
        """Return whether the hand with that entry direction held the card; None if either is unknown."""
        if hand_deg is None or len(self.entry_angles) != 1:
            return None
        return angle_between(self.entry_angles[0], hand_deg) < MIN_ARM_SEPARATION_DEG


@dataclass(frozen=True, slots=True)
class Tracklet:
    """The detections of one carried card, in time. Its ``end``, where it came to lie, is an outline in mark pixels."""

    detections: Sequence[CarriedDetection]

    def position_range_at(self, t_ns: int, end: Points) -> Points | None:
        """Return the range of positions of the card at ``t_ns``, interpolated or extrapolated from later detections.

        The card was somewhere between the two points returned (2 x 2, mark pixels); None if unknown.
        """
        between = self.interpolate_at(t_ns, end)
        later = [detection for detection in self.detections if detection.t_ns >= t_ns]
        if between is not None or not later:
            return between
        after = later[0]
        then = next((detection for detection in later if detection.t_ns > after.t_ns), None)
        if then is None or max(after.t_ns - t_ns, then.t_ns - after.t_ns) > NUMBERS.backwards_ns:
            return None
        here, there = _centre(after.detection, end), _centre(then.detection, end)
        if math.dist(here, quad_centre(end)) < MAX_SAME_PLACE_PX:
            return None  # (it may have lain by then: from where it came is not told)
        went = (here - there) * (after.t_ns - t_ns) / (then.t_ns - after.t_ns)
        return np.array([here + went, here + NUMBERS.slower * went])

    def distance_from_path(self, seen: CarriedDetection, end: Points) -> float | None:
        """Return the distance (mark pixels) of the detection ``seen`` from where the card was then; None if unknown."""
        places = self.position_range_at(seen.t_ns, end)
        if places is None:
            return None
        start, along = places[0], places[1] - places[0]
        centre = np.array(seen.detection.centre)
        share = float(np.clip((centre - start) @ along / max(1e-9, float(along @ along)), 0.0, 1.0))
        return float(np.hypot(*(start + share * along - centre)))

    def interpolate_at(self, t_ns: int, end: Points) -> Points | None:
        """Return the interpolated range of positions at ``t_ns``; None without detections before and after.

        2 x 2, mark pixels. A hand moves with constant speed, or slows down until it rests where the card was detected
        next.
        """
        before = next((detection for detection in reversed(self.detections) if detection.t_ns <= t_ns), None)
        after = next((detection for detection in self.detections if detection.t_ns >= t_ns), None)
        if before is None or after is None:
            return None
        share = (t_ns - before.t_ns) / max(1, after.t_ns - before.t_ns)
        here, there = _centre(before.detection, end), _centre(after.detection, end)
        return np.array([here + part * (there - here) for part in (share, share * (2 - share))])

    def static_since(self, seen: Detection, until_ns: int) -> int:
        """Return since when, before ``until_ns``, a card was detected at the very place of the detection ``seen``."""
        since_ns = until_ns
        for detection in reversed(self.detections):
            if detection.t_ns >= until_ns:
                continue
            spots = detection.detection.index_boxes
            if not any(
                boxes_coincide(spot, at, MAX_STATIC_OFFSET_PX) for spot in spots for at in seen.index_boxes
            ):
                break
            since_ns = detection.t_ns
        return since_ns

    def last_moving_ns(self, end: Points, until_ns: int) -> int | None:
        """Return the stamp of the last confirmed detection away from ``end`` before ``until_ns``; None without one."""
        surely = (
            detection
            for detection in self.detections
            if detection.detection.readings[0].confidence >= P_CONFIRMED
        )
        elsewhere = (
            detection.t_ns
            for detection in surely
            if detection.t_ns < until_ns
            and detection.detection.name == detection.name
            and all(
                distance_to_index(end, spot) >= MAX_SAME_PLACE_PX for spot in detection.detection.index_boxes
            )
        )
        return max(elsewhere, default=None)


def _centre(found: Detection, end: Points) -> Points:
    """Return the detected centre of a card that came to lie at ``end``; the end's if it only assumed the wrong side."""
    return np.array(quad_centre(end) if found.assumes_wrong_side_of(end) else found.centre)
