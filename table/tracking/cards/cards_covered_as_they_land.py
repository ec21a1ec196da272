"""Cards covered as they land: another one covers them in the same instant, so that nobody sees them lie.

Their hands have left without them, so they lie there. What remains of such a card are its readings while it was
carried. A tracklet that belongs to none of the known cards (`carried_card_association`) ends beneath those that
landed, if more hands came than cards are known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.table_geometry import Points, polygon_mask
from table.tracking.hands.carried_card_association import find_unassigned_tracklets, relabel_carried
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.hands.carried_card_tracklet import CarriedDetection
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.quad_geometry import (
    INDEX_ERROR_PX,
    MAX_SAME_PLACE_PX,
    distance_to_index,
    quad_centre,
)
from table.tracking.scene.background_model import cards_mask
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True)
class OccludedBirthParameters:
    """Parameters of occluded births; chosen on the scene bench's tuning set."""

    hidden: float = 0.6
    """Minimum covered share of the place of a hidden card."""
    comes_px: float = 220.0
    """Maximum distance from which a carried card that was approaching came to lie."""


NUMBERS: Final = OccludedBirthParameters()


def find_occluded_births(scene: SceneState, carried: CarriedObservations, surplus: int) -> list[TrackedCard]:
    """Return new tracks for cards that were read while carried and can only lie beneath those that have just landed.

    A badly read tentative card may be one of these, with a corner visible: it gets the readings of its tracklet.

    Args:
        surplus: the number of hands in excess of the cards; no more cards than that are returned.
    """
    upon = [card for card in scene.tracks.tentative if card.template_image is not None]
    if not upon:
        return []
    relabel_carried(scene, carried)
    _complete_badly_read(scene, carried, upon)
    found: list[TrackedCard] = []
    while len(found) < surplus:  # (what is known of each card tells of the next)
        hidden = _find_hidden_tracklets([*scene.tracks.all, *found], upon, scene, carried)
        if not hidden:
            break
        tracklet, end = hidden[0]
        found.append(_make_track(tracklet, end, scene))
        carried.relabel(tracklet, found[-1].name)
    return found


def _find_hidden_tracklets(
    known: Sequence[TrackedCard], upon: Sequence[TrackedCard], scene: SceneState, carried: CarriedObservations
) -> list[tuple[Sequence[CarriedDetection], Points]]:
    """Return the tracklets that belong to none of the ``known`` cards and end beneath those that came ``upon`` them.

    The surest first, each with the outline where its card lies, mark pixels.
    """
    over = cards_mask(upon)
    ends = [
        (tracklet, _find_end(tracklet, over, upon, carried.last_detection_ns))
        for tracklet in find_unassigned_tracklets(known, scene, carried)
    ]
    return [(tracklet, end) for tracklet, end in ends if end is not None]


def _complete_badly_read(
    scene: SceneState, carried: CarriedObservations, upon: Sequence[TrackedCard]
) -> None:
    """Add the readings of their tracklets to badly read cards, which may show one corner where they lie."""
    badly_read = [card for card in upon if card.readings and not card.is_confirmed]
    if not badly_read:
        return
    known = [card for card in scene.tracks.all if card not in badly_read]
    for tracklet, end in _find_hidden_tracklets(known, upon, scene, carried):
        card = next((card for card in badly_read if _may_end_at(tracklet, end, card)), None)
        if card is None:
            continue
        badly_read.remove(card)
        sure = card.combine_readings()[0].confidence
        for readings in (detection.detection.readings for detection in tracklet):
            if readings[0].confidence > sure:
                card.add_readings(readings)
        if len(tracklet[-1].detection.index_boxes) > card.index_count:
            scene.move_card(card, end, tracklet[-1].detection)
        carried.relabel(tracklet, card.name)


def _may_end_at(tracklet: Sequence[CarriedDetection], end: Points, card: TrackedCard) -> bool:
    """Return whether a tracklet with that ``end`` may be of a badly read ``card``, by a name or by its indices."""
    if not {detection.name for detection in tracklet}.isdisjoint(card.possible_names):
        return True
    seen = card.best_detection
    return seen is not None and all(
        distance_to_index(end, spot) < INDEX_ERROR_PX for spot in seen.index_boxes
    )


def _find_end(
    tracklet: Sequence[CarriedDetection], over: Mask, upon: Sequence[TrackedCard], looked_ns: int
) -> Points | None:
    """Return the outline where a tracklet ends, hidden by cards that cover ``over``; None if it doesn't end there.

    A card that is still carried in the newest detected frame, of ``looked_ns``, is not at its end yet.
    """
    if tracklet[-1].t_ns >= looked_ns:
        return None
    quad = tracklet[-1].detection.quad
    if _covered_share(quad, over) >= NUMBERS.hidden:
        return quad
    centre = np.array(tracklet[-1].detection.centre)
    target = min((card.centre for card in upon), key=lambda at: math.dist(at, centre))
    far, farther = math.dist(target, centre), math.dist(target, tracklet[0].detection.centre)
    if far > min(NUMBERS.comes_px, farther - MAX_SAME_PLACE_PX):
        return None  # (it did not approach)
    quad = quad + target - centre
    return quad if _covered_share(quad, over) >= NUMBERS.hidden else None


def _landed_ns(tracklet: Sequence[CarriedDetection], end: Points) -> int:
    """Return the stamp at which the card of a tracklet was first seen at its ``end``, or last seen if it never was."""
    there = (
        seen.t_ns
        for seen in tracklet
        if math.dist(seen.detection.centre, quad_centre(end)) < MAX_SAME_PLACE_PX
    )
    return next(there, tracklet[-1].t_ns)


def _covered_share(quad: Points, over: Mask) -> float:
    """Return the share of a card's place that others cover."""
    place = polygon_mask(quad)
    return float(np.count_nonzero(place & over) / np.count_nonzero(place))


def _make_track(tracklet: Sequence[CarriedDetection], end: Points, scene: SceneState) -> TrackedCard:
    """Return a track for the card, with the appearance of its last detection with the most indices."""
    detection = max(tracklet, key=lambda carried: (len(carried.detection.index_boxes), carried.t_ns))
    card = TrackedCard(
        end, _landed_ns(tracklet, end), mark_before=scene.render_staying(), occluded_at_birth=True
    )
    for carried in tracklet:
        card.add_readings(carried.detection.readings)
    seen = scene.history.all[scene.history.index_at(detection.t_ns)]
    hand = scene.arm_finder.arm_mask(scene.arm_finder.find(seen.small, [detection.detection.quad]))
    onto = cv2.getAffineTransform(detection.detection.quad[:3].astype(np.float32), end[:3].astype(np.float32))
    size = (seen.grey.shape[1], seen.grey.shape[0])
    look = np.asarray(cv2.warpAffine(seen.grey, onto, size), dtype=np.uint8)
    own = np.asarray(polygon_mask(detection.detection.quad) & ~hand, dtype=np.uint8)
    mask = np.asarray(cv2.warpAffine(own, onto, size, flags=cv2.INTER_NEAREST), dtype=np.uint8)
    card.capture_template(look, mask & card.outline_mask, detection.t_ns)
    return card
