"""Tracklet association: which known card a carried detection belongs to, by position, carrying hand and readings.

Names alone tell little of a card in motion. But one image shows a card once, a hand brings one card, and what stands
where a card's indices were read is that card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.table_geometry import Points
from table.tracking.hands.carried_card_evidence import NUMBERS as CARRIED
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.hands.carried_card_tracklet import CarriedDetection
from table.tracking.imaging.card_registration import is_at_place
from table.tracking.imaging.quad_geometry import box_centre_is_inside
from table.tracking.scene.detections import may_be_same_card
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_CONFIRMED, TrackedCard
from table.tracking.scene.tracked_cards import MIN_TEMPLATE_SHARE


@dataclass(frozen=True, slots=True)
class AssociationParameters:
    """Parameters of tracklet association; chosen on the scene bench's tuning set."""

    same_px: float = 40.0
    """A carried detection within this distance of a known card's position at that time is that card."""
    elsewhere_px: float = 80.0
    """In the same hand it is another card only beyond this distance: indices of one side leave the outline
    ambiguous."""


NUMBERS: Final = AssociationParameters()


def relabel_carried(known: Sequence[TrackedCard], scene: SceneState, carried: CarriedObservations) -> None:
    """Relabel carried detections that belong to one of the ``known`` cards, whatever they were read as.

    Rules, in this order. (1) Same index positions as exactly one tracked card: that card, unless the reading is
    confirmed. (2) A name that is not tracked: the one known card whose name is possible and which can have been there,
    else the one that certainly was there.
    """
    names = {card.name for card in scene.tracks.all}
    seen = carried.since(scene.now_ns - CARRIED.kept_ns)
    for detection in seen:
        sure = detection.detection.readings[0].confidence
        at_rest = [
            card
            for card in scene.tracks.all
            if sure < P_CONFIRMED and card.indices_coincide_with(detection.detection)
        ]
        if len(at_rest) == 1:
            carried.relabel([detection], at_rest[0].name)
    for detection in reversed(carried.since(scene.now_ns - CARRIED.kept_ns)):
        if detection.name in names:
            continue
        told = [(card, is_detection_of(detection, card, scene, carried)) for card in known]
        can = [card for card, same in told if same is not False]
        # (Of which one is known to have been there, none is it for its name alone of whom nobody knows where it was.)
        there = [card for card in can if _was_near(detection, card, scene, carried)] or can
        like = [card for card in there if card.name in detection.detection.possible_names]
        same = like or [card for card, same in told if same]
        if len(same) == 1:
            carried.relabel([detection], same[0].name)


def is_detection_of(
    detection: CarriedDetection, card: TrackedCard, scene: SceneState, carried: CarriedObservations
) -> bool | None:
    """Return whether a carried detection was the known ``card``; None if that card's position then is unknown."""
    if card.name == detection.name:
        return True
    if card.indices_coincide_with(detection.detection) or (
        detection.t_ns >= card.static_since_ns and card.pose_fits_indices_of(detection.detection)
    ):
        return True  # (it lay there by then, whatever hand is at it now)
    route = carried.tracklet_of(card.name)
    beside = route.detection_at(detection.t_ns)
    if beside is not None and not may_be_same_card(detection.detection, beside):
        return False
    hand = _was_in_its_hand(detection, card, scene, carried)
    if not card.occluded_at_birth and route.was_farther_after(detection.t_ns, detection.detection, card.quad):
        # (What lay there before it came was another; but what is badly read may be placed so.)
        badly_read = detection.detection.readings[0].confidence < P_CONFIRMED
        return None if beside is not None or (hand and badly_read) else False
    if beside is not None:
        return hand or None  # (a hand brings one card)
    if card.is_published and detection.t_ns >= card.landed_ns:
        if card.is_confirmed and detection.detection.readings[0].confidence >= P_CONFIRMED:
            return False  # (both surely read, and not by where this one's indices are)
        return any(box_centre_is_inside(spot, card.quad) for spot in detection.detection.index_boxes)
    if card.name in carried.seen_together_with(detection.name):
        return False
    if hand:
        return not _was_elsewhere(detection, card, carried)
    near = _was_near(detection, card, scene, carried)
    if near and card.name in detection.detection.possible_names:
        return True  # (hands that cross are told apart less surely)
    if hand is False:
        return None if near else False
    return None if near and detection.detection.readings[0].confidence >= P_CONFIRMED else near


def _was_near(
    detection: CarriedDetection, card: TrackedCard, scene: SceneState, carried: CarriedObservations
) -> bool | None:
    """Return whether a known ``card`` was near the detection at that time; None if unknown."""
    route = carried.tracklet_of(card.name)
    places = route.position_range_at(detection.t_ns, card.quad)
    if (
        places is None
        and not card.occluded_at_birth
        and route.was_farther_after(detection.t_ns, detection.detection, card.quad)
    ):
        return False
    if places is None and card.template_image is not None:
        # (Another card that lies alike fits in part.)
        seen = scene.history.all[scene.history.index_at(detection.t_ns)]
        fit = card.template.fit(seen.grey)
        places = np.array([card.centre] * 2) if is_at_place(fit) and fit.share >= MIN_TEMPLATE_SHARE else None
    if places is None:
        soon = route.position_soon_after(detection.t_ns, card.quad)
        return (
            True
            if soon is not None and math.dist(soon, detection.detection.centre) < NUMBERS.same_px
            else None
        )
    return _segment_distance(detection.detection.centre, places) < NUMBERS.same_px


def _segment_distance(at: tuple[float, float], way: Points) -> float:
    """Return the distance of a point from the line segment between two others."""
    start, along = way[0], way[1] - way[0]
    share = float(np.clip((np.array(at) - start) @ along / max(1e-9, float(along @ along)), 0.0, 1.0))
    return float(np.hypot(*(start + share * along - at)))


def _was_elsewhere(detection: CarriedDetection, card: TrackedCard, carried: CarriedObservations) -> bool:
    """Return whether a known ``card``, by its detections before and after, was far from this one."""
    places = carried.tracklet_of(card.name).interpolate_at(detection.t_ns, card.quad)
    return (
        places is not None and _segment_distance(detection.detection.centre, places) >= NUMBERS.elsewhere_px
    )


def _was_in_its_hand(
    detection: CarriedDetection, card: TrackedCard, scene: SceneState, carried: CarriedObservations
) -> bool | None:
    """Return whether the hand that brought a known ``card`` held this detection; None if either hand is unknown."""
    theirs = carried.carrier_angle(card.name, scene.now_ns, None if card.occluded_at_birth else card.quad)
    if theirs is not None:
        return detection.was_held_by(theirs)
    # (It may have come after another one had laid the card: with one that it laid itself.)
    hand = carried.first_carrier_angle(card.name)
    if hand is None or carried.names_held_by(hand) - {card.name}:
        return None
    return detection.was_held_by(hand) or None
