"""Unassigned tracklets: links carried detections by motion, and scores how likely each is a card not yet known.

A card moves and turns no faster than a hand does. A detection counts for another card as far as none of the known
ones can have been read there: each was elsewhere at that time, or in another hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from table.observed_facts import MS
from table.tracking.hands.carried_card_association import NUMBERS as ASSOCIATION
from table.tracking.hands.carried_card_association import is_detection_of
from table.tracking.hands.carried_card_evidence import NUMBERS as CARRIED
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.hands.carried_card_tracklet import CarriedDetection
from table.tracking.imaging.quad_geometry import INDEX_ANGLE_ERROR_DEG, rotation_between
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_CONFIRMED, P_PROBABLE, TrackedCard


@dataclass(frozen=True, slots=True)
class UnassignedParameters:
    """Parameters of unassigned tracklets; chosen on the scene bench's tuning set."""

    told: tuple[tuple[float, float], ...] = ((P_CONFIRMED, 4.0), (P_PROBABLE, 2.0), (0.0, 0.7))
    """Log-likelihood ratio, in nats, of each detection that is none of the known cards, by its probability, ..."""
    corner: float = 2.0
    """... of each further index with the same reading in one detection, ..."""
    name: float = 0.55
    """... and, if a known card may have been there, of the name alone: this share of the log-odds of a misreading."""
    strides_px: float = 3.5
    """Maximum speed of a card in pixels per millisecond (2.2 metres a second) ..."""
    turns_deg: float = 0.3
    """... and its maximum angular speed in degrees per millisecond."""


NUMBERS: Final = UnassignedParameters()


@dataclass(frozen=True, slots=True, eq=False)
class ScoredObservation:
    """A carried detection with its log-likelihood ratio (nats) for a card that is not yet known."""

    carried: CarriedDetection
    position_llr: float
    """Because no known card can have been there, ..."""
    name_llr: float
    """... or by the name alone."""


def find_unassigned_tracklets(
    cards: Sequence[TrackedCard], scene: SceneState, carried: CarriedObservations, enough: float
) -> list[tuple[list[CarriedDetection], float]]:
    """Return the tracklets that belong to none of the ``cards``, with their log-likelihood ratio (nats), best first.

    ``enough``: minimum ratio.
    """
    detections = carried.since(scene.now_ns - CARRIED.kept_ns)
    seen = [
        ScoredObservation(detection, *_score(detection, cards, scene, carried)) for detection in detections
    ]
    surest = sorted(
        link_tracklets(
            [observation for observation in seen if observation.position_llr or observation.name_llr]
        ),
        key=_llr,
        reverse=True,
    )
    return [
        ([observation.carried for observation in way], told)
        for way in surest
        if (told := _llr(way)) >= enough
    ]


def link_tracklets(detections: Sequence[ScoredObservation]) -> list[list[ScoredObservation]]:
    """Link detections to the tracklets of single cards: each as near to the previous one as a hand can move.

    One image shows each card once: the detection that is nearest to a tracklet, and has a name in common, is linked
    first.
    """
    found: list[list[ScoredObservation]] = []
    for _, picture in groupby(detections, key=lambda observation: observation.carried.t_ns):
        fresh = list(picture)
        steps = [
            (off, observation, way)
            for way in found
            for observation in fresh
            if (off := _link_distance(way, observation)) is not None
        ]
        for _, observation, way in sorted(steps, key=lambda step: step[0]):
            if observation in fresh and way[-1].carried.t_ns < observation.carried.t_ns:
                way.append(observation)
                fresh.remove(observation)
        found += [[observation] for observation in fresh]
    return found


def _link_distance(way: Sequence[ScoredObservation], observation: ScoredObservation) -> float | None:
    """Return the distance (mark pixels) of a detection from a tracklet, less a bonus for a common name.

    None if no card moves or turns that fast.
    """
    here, past = observation.carried.detection, way[-1].carried.detection
    far = math.dist(here.centre, past.centre)
    passed_ms = (observation.carried.t_ns - way[-1].carried.t_ns) / MS
    reach = far <= ASSOCIATION.same_px + NUMBERS.strides_px * passed_ms
    turns = rotation_between(here.quad, past.quad) <= INDEX_ANGLE_ERROR_DEG + NUMBERS.turns_deg * passed_ms
    if not (reach and turns):
        return None
    named = any(other.carried.name == observation.carried.name for other in way)
    return far - ASSOCIATION.same_px * named


def _llr(way: Sequence[ScoredObservation]) -> float:
    """Return the log-likelihood ratio of a tracklet (nats).

    Several detections of a carried card misread it alike: names, unlike places, tell no more for being many.
    """
    return sum(observation.position_llr for observation in way) + max(
        observation.name_llr for observation in way
    )


def _score(
    detection: CarriedDetection, cards: Sequence[TrackedCard], scene: SceneState, carried: CarriedObservations
) -> tuple[float, float]:
    """Return the log-likelihood ratios of one detection, given the known ``cards``, as in ``ScoredObservation``."""
    sure = detection.detection.readings[0].confidence
    known = [is_detection_of(detection, card, scene, carried) for card in cards]
    if any(known):
        return 0.0, 0.0
    if None in known:
        return 0.0, -NUMBERS.name * math.log(1.005 - sure)
    told = next(nats for least, nats in NUMBERS.told if sure >= least)
    return told + NUMBERS.corner * (len(detection.detection.index_boxes) - 1) * (sure >= P_CONFIRMED), 0.0
