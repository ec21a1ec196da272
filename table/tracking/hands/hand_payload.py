"""Hand payload: whether hands bring or take cards, by the paper at their finger tips.

A hand lays a card down if there was paper at its tips when it came and none when it left, and takes one if it is the
other way round. The colour of paper in this light is measured on the cards that lie there. So a card is known to lie
there that fell beneath another one in the same instant, too quick or too dark to be read while it was carried: its
name is unknown, but not its carrier. And what is out of sight though the hands that were at it left empty has not
gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.observed_facts import MS
from table.table_geometry import Geometry
from table.tracking.hands.paper_colour import Colour, measure_paper_colour, paper_mask
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.recent_frame import RecentFrame
from table.tracking.scene.arm_detection import Arm, contact_zone
from table.tracking.scene.hand_tracks import ArmObservation, track_hands
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True)
class PayloadParameters:
    """Parameters of hand payloads; chosen on the scene bench's tuning set."""

    comes_ns: int = 700 * MS
    """Maximum time for which a hand carries a card before that lies."""
    tip_mm: float = 110.0
    """Maximum distance of a held card from the finger tip: it is 88 mm long."""
    card: float = 0.35
    """Minimum visible share of a card between fingers (in most of the tuning set's ties from .5 to .8)."""
    nothing: float = 0.08
    """A hand takes nothing if it leaves with no more than this much more of a card than it came with (having squared up
    22 piles .03 and less; of 88 leavings .23 and more)."""
    as_much: float = 0.7
    """A leaving hand is as visible as when it came if at least this share of its non-paper pixels is."""


NUMBERS: Final = PayloadParameters()


@dataclass(frozen=True, slots=True)
class _HandObservation:
    """A hand in one frame."""

    t_ns: int
    paper: int
    """Paper at its tip, small pixels."""
    rest: int
    """Non-paper pixels of the arm."""
    alone: bool
    """Whether it is connected with no other arm."""
    at_known: bool
    """Whether it touches a card that lay there before."""
    at_new: frozenset[TrackedCard]
    """The newly landed cards that it touches."""


def find_deliveries(scene: SceneState) -> list[frozenset[TrackedCard]]:
    """Return, for each hand that arrived with paper at the tip and left without it, the new cards that it touched."""
    since_ns, came = _recently_landed(scene)
    paper = measure_paper_colour(scene, scene.tracks.tentative)
    if paper is None:
        return []
    least = NUMBERS.card * cv2.countNonZero(scene.geometry.small_polygon_mask(came[-1].quad))
    return [
        frozenset[TrackedCard]().union(*(observation.at_new for observation in seen))
        for seen in _observe_hands(scene, since_ns, came, paper)
        if _delivered(seen, least)
    ]


def hands_left_empty(scene: SceneState, cards: Sequence[TrackedCard], since_ns: int) -> bool:
    """Return whether all hands that were at the cards since then were seen to leave empty-handed.

    False too if no hand was seen to leave: of one that is still there (`is_hand_still_there`) it is not known.

    ``cards``: those that certainly lie there still.
    """
    gains = [
        gain for seen in _hands_at_cards(scene, cards, since_ns) if (gain := _paper_gain(seen)) is not None
    ]
    whole = cv2.countNonZero(scene.geometry.small_polygon_mask(cards[-1].quad))
    return bool(gains) and max(gains) <= NUMBERS.nothing * whole


def is_hand_still_there(scene: SceneState, cards: Sequence[TrackedCard], since_ns: int) -> bool:
    """Return whether a hand that was at the cards since ``since_ns`` is still there, so that its payload is unknown.

    ``cards``: those that certainly lie there still.
    """
    return any(
        seen[-1].t_ns == scene.now_ns
        and _paper_gain(seen) is None
        and any(observation.at_new or observation.at_known for observation in seen)
        for seen in _hands_at_cards(scene, cards, since_ns)
    )


def _hands_at_cards(
    scene: SceneState, cards: Sequence[TrackedCard], since_ns: int
) -> list[list[_HandObservation]]:
    """Return the observations of each hand that may have been at the cards since then; none without a paper colour."""
    paper = measure_paper_colour(scene, cards)
    if paper is None:
        return []
    return _observe_hands(scene, since_ns - NUMBERS.comes_ns, cards, paper)


def _paper_gain(seen: Sequence[_HandObservation]) -> int | None:
    """Return how much more paper a hand left with than it came with; None if it touched no card or hasn't left."""
    there = [observation.t_ns for observation in seen if observation.at_new or observation.at_known]
    went = [
        observation.paper
        for observation in seen
        if there and observation.alone and observation.t_ns > there[-1]
    ]
    came = [
        observation.paper
        for observation in seen
        if there and observation.alone and observation.t_ns < there[0]
    ]
    return max(went) - max(came, default=0) if went else None


def find_occluder_of_undetected(scene: SceneState) -> TrackedCard | None:
    """Return the tentative card that hides an undetected one: more hands delivered a card than cards landed."""
    deliveries = find_deliveries(scene)
    _, came = _recently_landed(scene)
    coming = [card for card in reversed(scene.tracks.tentative) if card.template_image is not None]
    if len(deliveries) <= len(came) or not coming:
        return None
    at = {card: sum(card in touched for touched in deliveries) for card in coming}
    cover = max(coming, key=at.__getitem__)
    return cover if at[cover] > 1 else None


def _recently_landed(scene: SceneState) -> tuple[int, list[TrackedCard]]:
    """Return since when hands may have carried the tentative cards, and all cards that came since."""
    since_ns = (
        min((card.first_detected_ns for card in scene.tracks.tentative), default=scene.now_ns)
        - NUMBERS.comes_ns
    )
    return since_ns, [card for card in scene.tracks.all if card.first_detected_ns >= since_ns]


def _delivered(seen: Sequence[_HandObservation], least: float) -> bool:
    """Return whether a hand came with ``least`` of paper at its tip, and left, as visible as before, without it."""
    there = [observation.t_ns for observation in seen if observation.at_new]
    comes = (
        [
            observation
            for observation in seen
            if observation.alone and not observation.at_known and observation.t_ns <= there[0]
        ]
        if there
        else []
    )
    goes = (
        [observation for observation in seen if observation.alone and observation.t_ns > there[-1]]
        if there
        else []
    )
    for came in comes:
        went = [observation.paper for observation in goes if observation.rest >= NUMBERS.as_much * came.rest]
        if went and came.paper - max(went) >= least:
            return True
    return False


def _observe_hands(
    scene: SceneState, since_ns: int, cards: Sequence[TrackedCard], paper: Colour
) -> list[list[_HandObservation]]:
    """Return the observations, in time, of each hand over the table since then.

    ``cards``: those that came meanwhile.
    """
    lying = [card.quad for card in scene.tracks.published if card not in cards]
    known = [contact_zone(scene.geometry, quad) for quad in lying]
    new = {card: contact_zone(scene.geometry, card.quad) for card in cards}
    frames = scene.history.frames_between(since_ns, scene.now_ns + 1)
    paper_masks = {frame.t_ns: paper_mask(frame.small, paper) for frame in frames}

    def observe(seen: ArmObservation) -> _HandObservation:
        arm, white = seen.arm, paper_masks[seen.t_ns]
        return _HandObservation(
            seen.t_ns,
            _paper_at_tip(arm, white, scene.geometry),
            cv2.countNonZero(cv2.bitwise_and(arm.mask, cv2.bitwise_not(white))),
            seen.alone,
            any(arm.touches(zone) for zone in known),
            frozenset(card for card, zone in new.items() if arm.touches(zone)),
        )

    def find_arms(frame: RecentFrame) -> Sequence[Arm]:
        there = [card.quad for card in cards if card.first_detected_ns <= frame.t_ns]
        return scene.arm_finder.find(frame.small, [*lying, *there])

    hands = track_hands((frame.t_ns, find_arms(frame)) for frame in frames)
    return [[observe(seen) for seen in hand.observations] for hand in hands]


def _paper_at_tip(arm: Arm, white: Mask, geometry: Geometry) -> int:
    """Return the number of small pixels of paper at an arm's tip."""
    if arm.tip is None:
        return 0
    places = geometry.small_pixel_positions_mm.take(np.flatnonzero(cv2.bitwise_and(arm.mask, white)), axis=0)
    return int(np.count_nonzero(np.hypot(*(places - arm.tip).T) < NUMBERS.tip_mm))
