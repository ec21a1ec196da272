"""Detections of carried cards: what hands bring to the mark, and with which arm.

A card that is covered in the instant in which it lands, or laid by one of two arms that cross, shows nothing any more
once it lies. A moment before, it was visible, in one hand that came from one side. So the detector runs a few times
while something moves over the mark, and every card seen there that does not lie there is recorded as a *carried
detection*: which card, when, where, and where the arm that touches it enters the image.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from table.directions import angle_between, direction_deg
from table.observed_facts import MS
from table.table_geometry import Geometry, Points, mean_direction_deg
from table.tracking.hands.carried_card_tracklet import NUMBERS as TRACKLET
from table.tracking.hands.carried_card_tracklet import CarriedDetection, Tracklet
from table.tracking.imaging.quad_geometry import (
    MAX_SAME_PLACE_PX,
    boxes_coincide,
    has_index_at,
    quad_centre,
)
from table.tracking.scene.arm_detection import (
    MAX_CONTACT_DISTANCE_PX,
    MIN_ARM_SEPARATION_DEG,
    UNKNOWN_DIRECTION,
    Arm,
    Direction,
)
from table.tracking.scene.detections import Detection, may_be_same_card
from table.tracking.scene.tracked_card import P_CONFIRMED, P_PROBABLE


@dataclass(frozen=True, slots=True)
class CarriedParameters:
    """Parameters of carried detections; chosen on the scene bench's tuning set."""

    kept_ns: int = 1500 * MS
    """Age up to which carried detections are kept."""
    brings_ns: int = 1000 * MS
    """Maximum time for which a card is carried before it lies."""
    alone: float = 0.3
    """An arm whose contact with a card is less than this share of another arm's is not at it."""
    way_mm: tuple[tuple[float, float], ...] = ((25.0, 0.975), (15.0, 0.9))
    """Confidence in the direction of approach by the distance from the landing place (of the tuning set's ties 135 of
    138 and 14 of 15 were within 17 degrees)."""
    guessed: float = 0.93
    """... and the maximum if the landing place was not seen."""
    way_ns: int = 400 * MS
    """Maximum time before landing for which a card tells its direction of approach, by detections or by its face."""


NUMBERS: Final = CarriedParameters()


class CarriedObservations:
    """The carried detections of the last moments."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._detections: list[CarriedDetection] = []
        self._seen_together_ns: dict[frozenset[str], int] = {}
        """Stamps at which two cards were seen in one image."""
        self.last_detection_ns = 0
        """Stamp of the newest frame in which carried cards were searched for."""

    def record_together(self, t_ns: int, found: Iterable[Detection]) -> None:
        """Record which cards one image showed together, unless two detections may be corners of one card."""
        for detection, other in combinations(found, 2):
            if detection.name != other.name and not may_be_same_card(detection, other):
                self._seen_together_ns[frozenset((detection.name, other.name))] = t_ns
        self._seen_together_ns = {
            pair: at for pair, at in self._seen_together_ns.items() if t_ns - at <= NUMBERS.kept_ns
        }

    def seen_together_with(self, name: str) -> set[str]:
        """Return the cards that were seen together with the named one, and so cannot be it."""
        return {other for pair in self._seen_together_ns if name in pair for other in pair if other != name}

    def add_frame(self, t_ns: int, found: Iterable[Detection], arms: Sequence[Arm]) -> None:
        """Add the moving detections of a frame, with the arms that touch them."""
        self.last_detection_ns = max(self.last_detection_ns, t_ns)
        self._detections = [
            detection for detection in self._detections if t_ns - detection.t_ns <= NUMBERS.kept_ns
        ]
        for detection in found:
            place = self._geometry.mark_point_to_mm(detection.centre)
            self._detections.append(
                CarriedDetection(t_ns, detection, self._entry_angles(detection, arms), place, detection.name)
            )
        self._detections.sort(key=lambda detection: detection.t_ns)

    def _entry_angles(self, found: Detection, arms: Sequence[Arm]) -> tuple[float, ...]:
        """Return the entry directions of the arms that touch the card most."""
        rim = self._geometry.small_polygon_mask(found.quad, MAX_CONTACT_DISTANCE_PX) > 0
        contacts = [np.count_nonzero(arm.mask[rim]) if arm.entry_angles else 0 for arm in arms]
        least = max(1.0, NUMBERS.alone * max(contacts, default=0))
        return tuple(
            angle
            for arm, contact in zip(arms, contacts, strict=True)
            if contact >= least
            for angle in arm.entry_angles
        )

    def since(self, t_ns: int) -> list[CarriedDetection]:
        """Return the carried detections since ``t_ns``, oldest first, without those of published cards."""
        return [
            detection for detection in self._detections if detection.t_ns >= t_ns and not detection.published
        ]

    def probable_names(self, since_ns: int) -> set[str]:
        """Return the names that were at least probable in carried detections since then."""
        return {
            detection.name
            for detection in self.since(since_ns)
            if detection.detection.readings[0].confidence >= P_PROBABLE
        }

    def tracklet_of(self, name: str) -> Tracklet:
        """Return the tracklet of the named card."""
        return Tracklet([detection for detection in self._detections if detection.name == name])

    def highest_confidence(self, found: Detection) -> float:
        """Return the highest probability with which a card was read, in ``found`` or while carried."""
        looks = [
            found,
            *(
                detection.detection
                for detection in self.since(0)
                if detection.name == detection.detection.name == found.name
            ),
        ]
        return max(detection.readings[0].confidence for detection in looks)

    def relabel(self, way: Sequence[CarriedDetection], name: str) -> None:
        """Relabel a tracklet: all its detections were the card ``name``, whatever they were read as."""
        seen = {id(detection) for detection in way}
        self._detections = [
            replace(detection, name=name) if id(detection) in seen else detection
            for detection in self._detections
        ]

    def detections_of_unknown_card(self, known: Collection[str]) -> list[CarriedDetection]:
        """Return the carried detections of a card that is none of the ``known``, if exactly one such was confirmed.

        Empty if the hand that held it also held a known card with a confirmed reading: a hand brings one card.
        """
        surely = [
            detection
            for detection in self.since(0)
            if detection.detection.readings[0].confidence >= P_CONFIRMED
        ]
        names = {detection.detection.name for detection in surely}.difference(known)
        way = [detection for detection in self.since(0) if names == {detection.detection.name}]
        own = [detection for detection in surely if detection.detection.name in known]
        hands = [detection.entry_angles[0] for detection in way if len(detection.entry_angles) == 1]
        return [] if any(detection.was_held_by(hand) for detection in own for hand in hands) else way

    def mark_published(self, name: str) -> None:
        """Mark the tracklet of the named card as published: it is no other card's."""
        self._detections = [
            replace(detection, published=True) if detection.name == name else detection
            for detection in self._detections
        ]

    def drop_tracklet(self, name: str) -> None:
        """Drop the tracklet of the named card, which was not laid down."""
        self._detections = [detection for detection in self._detections if detection.name != name]

    def with_better_pose(self, found: Detection) -> Detection:
        """Return a detection with the better outline of an earlier one at that place, if there is one."""
        better = self.find_better_pose(found)
        return replace(found, quad=better.detection.quad) if better else found

    def find_better_pose(self, found: Detection) -> CarriedDetection | None:
        """Return an earlier detection of the card at that place with more, or with other, indices; None without one.

        Packs have two or four indices to a card: those on one side do not tell which side that is. The earlier
        outline holds only if all indices seen since fit it.
        """
        since: list[Detection] = []
        for detection in (
            detection for detection in reversed(self._detections) if detection.name == found.name
        ):
            other_detection = detection.detection
            there = [
                any(boxes_coincide(spot, other) for other in other_detection.index_boxes)
                for spot in found.index_boxes
            ]
            more = all(there) and len(other_detection.index_boxes) > len(found.index_boxes)
            others = (
                any(there)
                and found.assumes_wrong_side_of(other_detection.quad)
                and not other_detection.assumes_wrong_side_of(found.quad)
            )
            lay = all(
                has_index_at(other_detection.quad, spot) for later in since for spot in later.index_boxes
            )
            if (more or others) and lay:
                return detection
            since.append(other_detection)
        return None

    def carrier_angle(self, name: str, rest_ns: int, quad: Points | None) -> float | None:
        """Return the entry direction of the arm that carried the named card, degrees; None if unknown.

        Detections at the landing place do not count: another hand may be there.

        Args:
            name: the card's name.
            rest_ns: stamp since which it lies.
            quad: its outline, mark pixels; None if nobody saw where it lies.
        """
        told = [
            detection.entry_angles[0]
            for detection in self._detections_on_way(name, rest_ns - NUMBERS.brings_ns, rest_ns, quad)
            if len(detection.entry_angles) == 1
            and not self._hand_holds_another(detection)
            and (
                quad is None or math.dist(detection.detection.centre, quad_centre(quad)) >= MAX_SAME_PLACE_PX
            )
        ]
        agree = [angle for angle in told if angle_between(angle, told[-1]) < MIN_ARM_SEPARATION_DEG]
        return round(mean_direction_deg(agree, [1.0] * len(agree)), 1) if agree else None

    def _hand_holds_another(self, detection: CarriedDetection) -> bool:
        """Return whether the same hand also holds another card in that frame, so that its carrier is ambiguous."""
        (hand,) = detection.entry_angles
        at_once = (
            other
            for other in self._detections
            if other.t_ns == detection.t_ns and other.name != detection.name
        )
        return any(other.was_held_by(hand) for other in at_once)

    def approach_direction(self, name: str, rest_ns: int, quad: Points | None) -> Direction:
        """Return the direction of approach of the named card, as a direction at the image border seen from the mark.

        Args:
            name: the card's name.
            rest_ns: stamp since which it lies.
            quad: its outline, mark pixels; None if nobody saw where it lies.
        """
        seen = self._detections_on_way(name, rest_ns - NUMBERS.way_ns, rest_ns, quad)
        if not seen:
            return UNKNOWN_DIRECTION
        x, y = self._geometry.mark_point_to_mm(quad_centre(quad)) if quad is not None else seen[-1].place_mm
        aside = np.array([(detection.place_mm[0] - x, detection.place_mm[1] - y) for detection in seen])
        off = np.hypot(*aside.T)
        # It came ever nearer: where it seems farther out than it was before, its outline was guessed wrongly.
        comes = off <= np.minimum.accumulate(off) + TRACKLET.back_mm
        sure = next((sure for least, sure in NUMBERS.way_mm if off[comes].max() >= least), 0.0)
        if not sure:
            return UNKNOWN_DIRECTION
        aside = aside[comes]
        sure = sure if quad is not None else min(sure, NUMBERS.guessed)
        side = direction_deg(*(float(value) for value in aside.sum(axis=0)))
        return Direction(round(self._geometry.ray_exit_direction((x, y), side), 1), sure)

    def _detections_on_way(
        self, name: str, from_ns: int, until_ns: int, quad: Points | None
    ) -> list[CarriedDetection]:
        """Return the carried detections of a card in that time, without those that assume the wrong side of it.

        By indices of one side alone the outline is ambiguous.
        """
        seen = [
            detection
            for detection in self._detections
            if detection.name == name and from_ns <= detection.t_ns <= until_ns
        ]
        if quad is None:
            return seen
        return [detection for detection in seen if not detection.detection.assumes_wrong_side_of(quad)]
