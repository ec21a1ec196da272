"""Landing: when a card lies at rest, since when, in which order cards landed, and whose arm laid them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final

import cv2

from table.observed_facts import END_NS, MS, CardLanded
from table.tracking.hands.approach_by_face_search import (
    FaceTemplate,
    find_approach_directions,
    make_coarse_image,
)
from table.tracking.hands.carried_card_evidence import NUMBERS as CARRIED
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.hands.carrier_assignment import CarrierEvidence, assign_carriers, several_hands
from table.tracking.imaging.card_registration import card_is_at_place, find_arrival, find_first_at_rest
from table.tracking.imaging.motion_detection import ReferenceImage
from table.tracking.imaging.quad_geometry import quad_angle
from table.tracking.imaging.recent_frame import RecentFrame
from table.tracking.scene.arm_detection import (
    UNKNOWN_DIRECTION,
    Direction,
)
from table.tracking.scene.background_model import FOREGROUND_LEVELS
from table.tracking.scene.hand_tracks import track_hands
from table.tracking.scene.landing_order import (
    Landing,
    cards_overlap,
    find_cards_beneath,
    sort_landings,
)
from table.tracking.scene.scene_state import FRAME_JITTER_NS, SceneState
from table.tracking.scene.scene_state import NUMBERS as SCENE
from table.tracking.scene.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True)
class LandingParameters:
    """Parameters of landing detection."""

    wait_ns: int = 1000 * MS
    """A card at rest is published after this time even if a hand still lies on it."""
    moving_share: float = 0.05
    """A card of which more than this share moves is not at rest."""
    rested_ns: int = 100 * MS
    """Minimum time at its place for a card while not everything is at rest."""
    touched_ns: tuple[int, int] = (70 * MS, 390 * MS)
    """The arm that laid a card is at it from this long before it rests until this long after."""
    flight_ns: int = 500 * MS
    """Maximum flight time of a thrown card."""
    came_ns: int = 250 * MS
    """The hand that brought a card was over the mark for this long before; if there were several, all frames of that
    time are detected."""
    hidden: float = 0.5
    """A card is hidden if hands cover at least this share of its place."""
    gap_ns: int = 200 * MS
    """Without a frame for this long, what landed meanwhile is stamped with the next frame and may have landed at any
    time."""
    plain: float = 0.95
    """If a single hand was seen with more than this confidence, the direction of approach isn't searched for."""


NUMBERS: Final = LandingParameters()


@dataclass(frozen=True, slots=True)
class HandsSeen:
    """The hands over the mark while cards landed."""

    surplus: int
    """Number of hands in excess of the cards that are known to have landed then."""
    frames: Sequence[RecentFrame]
    """Frames in which they brought the cards, without those that look like the next one."""


class LandingDetector:
    """Decides which cards have landed, and publishes them."""

    def __init__(self, scene: SceneState, carried: CarriedObservations) -> None:
        self._scene = scene
        self._carried = carried

    def has_landed(self, card: TrackedCard, being_covered: bool) -> bool:
        """Return whether a detected card lies at rest with no hand at it, or has waited too long for the hand to
        leave.

        ``being_covered``: whether another card is being laid upon it, so that what is visible there is not this card's
        face.
        """
        if self.has_timed_out(card):
            return not self._moves(card)
        if card.occluded_at_birth:
            return True
        if being_covered or card.missed_detections or not self._is_at_rest(card):
            return False
        upon = self._scene.tracks.is_occluded_by_newer(card)  # (then the hands are at that one)
        if (
            not (card.outline_visible or upon) and self._scene.has_motion
        ):  # (where the hand was its outline is not yet known)
            return False
        return not self._scene.is_hand_at(card)

    def has_timed_out(self, card: TrackedCard) -> bool:
        """Return whether a card has been there long enough to be published, whatever lies on it."""
        return self._scene.now_ns - card.first_detected_ns >= NUMBERS.wait_ns

    def needs_repetition(self, card: TrackedCard) -> bool:
        """Return whether it is time to repeat detection for a card that isn't identified yet."""
        return not card.is_identified and self._scene.is_time_to_repeat()

    def lacks_only_rest(self, card: TrackedCard) -> bool:
        """Return whether a card is ready to be published except for the minimum time at rest."""
        return (
            card.was_static
            and card.template_image is not None
            and card.is_identified
            and not self._is_at_rest(card)
        )

    def _moves(self, card: TrackedCard) -> bool:
        scene = self._scene
        region = scene.geometry.small_polygon_mask(card.quad)
        for other in scene.tracks.tentative:
            if other is not card:
                region = region & ~scene.geometry.small_polygon_mask(other.quad, 1)
        moving = cv2.countNonZero(cv2.bitwise_and(scene.motion.moving_mask(), region))
        return moving > NUMBERS.moving_share * cv2.countNonZero(region)

    def _is_at_rest(self, card: TrackedCard) -> bool:
        scene = self._scene
        if (
            card.mark_before is None
            and scene.now_ns - card.first_detected_ns < NUMBERS.rested_ns - FRAME_JITTER_NS
        ):
            return False  # (the first picture does not tell whether a hand carries it)
        if scene.is_still or scene.tracks.is_occluded_by_newer(card):
            return True
        recent = scene.history.frames_between(
            scene.now_ns - NUMBERS.rested_ns + FRAME_JITTER_NS, scene.now_ns + 1
        )
        return all(card_is_at_place(card.template, past.grey) for past in recent)

    # --- publishing ------------------------------------------------------------------------------------------

    def publish(self, cards: Sequence[TrackedCard], until_ns: int) -> list[CardLanded]:
        """Publish the cards as landed: stamp, order, pose and arm of each; nothing is stamped before ``until_ns``."""
        scene = self._scene
        moments = scene.history.all
        landings = sort_landings(
            [self._make_landing(card) for card in cards if card.is_localized], scene.now.grey
        )
        unseen = {landing.card: self._unobserved_for_ns(landing) for landing in landings}
        facts = []
        for lower, upper in combinations(landings, 2):
            lower.card.remove_occluded_face(upper.card, upper.rest_ns)
        for landing, direction in zip(landings, self._assign_carriers(landings), strict=True):
            card, first = landing.card, moments[landing.rest_index]
            overlaps = [other for other in scene.tracks.published if cards_overlap(other, card)]
            scene.tracks.publish(card, max(first.t_ns, until_ns), scene.now_ns)
            among = find_cards_beneath(card, overlaps, scene.now.grey)
            self._carried.mark_published(card.name)
            x, y = scene.geometry.mark_point_to_mm(card.centre)
            facts.append(
                CardLanded(
                    t_ns=card.landed_ns,
                    id=card.id,
                    readings=card.published_readings,
                    place_mm=(round(x, 1), round(y, 1)),
                    angle_deg=round(quad_angle(card.quad), 1),
                    arm_deg=direction.angle,
                    arm_sure=direction.confidence,
                    frame=first.index,
                    upon=tuple(other.id for other in among.beneath),
                    overlaps=tuple(other.id for other in overlaps),
                    order_sure=None if among.order_confidence is None else round(among.order_confidence, 2),
                    unseen_ns=unseen[card],
                )
            )
        for landing in landings:
            # The looks before had the hand in them that laid it down; who knows when all is at rest next.
            if not landing.card.missed_detections and landing.card.occluder is None:
                scene.capture_template(landing.card)
        return facts

    def _unobserved_for_ns(self, landing: Landing) -> int:
        """Return how long before its landing no frame shows a card's place.

        In that time no frame was taken, and then hands may have hidden the place. ``END_NS`` if no frame since the
        first shows the place without the card.
        """
        stamps = self._scene.history.stamps
        gaps = [
            then
            for then in range(1, landing.rest_index + 1)
            if stamps[then] - stamps[then - 1] >= NUMBERS.gap_ns
        ]
        if landing.card.mark_before is None:
            gaps.insert(0, 0)
        hidden_ns = self._hidden_since_ns(landing) if gaps else 0
        first = next((then for then in gaps if stamps[then] >= hidden_ns), None)
        if first is None:
            return 0
        return landing.rest_ns - stamps[first - 1] if first else END_NS

    @staticmethod
    def _came_after_start(landing: Landing) -> bool:
        """Return whether a card came, or became visible, after the first frame."""
        return landing.card.mark_before is not None or landing.rest_index > 0

    def _make_landing(self, card: TrackedCard) -> Landing:
        """Return since when a card has lain at its place."""
        greys, stamps = self._scene.history.greys, self._scene.history.stamps
        still_px = self._scene.max_rest_offset_px
        seen = self._scene.history.index_at(card.first_detected_ns)
        # (The reader may have seen more of its way meanwhile.)
        read = self._carried.tracklet_of(card.best_detection.name if card.best_detection else card.name)
        since_ns = card.static_since_ns
        if card.best_detection:
            since_ns = min(since_ns, read.static_since(card.best_detection, card.first_detected_ns))
        card.record_way(since_ns, self._carried.tracklet_of(card.name).last_moving_ns(card.quad, since_ns))
        if card.occluded_at_birth and card.occluder is not None:  # it came with what lies squarely upon it
            return replace(self._make_landing(card.occluder), card=card)
        if card.occluded_at_birth:  # nobody saw it lie
            return Landing(card, seen, stamps[seen], stamps[seen])
        if not card_is_at_place(card.template, greys[-1]):  # it was covered as soon as it lay
            greys, stamps = greys[: seen + 1], stamps[: seen + 1]
        at = find_first_at_rest(card.template, greys, stamps, still_px)
        if 0 < seen < at and card_is_at_place(card.template, greys[seen]):
            # A hand, or another card, hid it for long: it lay there when it was first seen.
            at = find_first_at_rest(card.template, greys[: seen + 1], stamps[: seen + 1], still_px)
        if card.best_detection:
            # Hands over most of it hide how it fits; an index that was read tells that it lay there already.
            came = card.mark_before is not None  # (of a card that was there before no frame shows a way)
            since_ns = read.static_since(card.best_detection, stamps[at]) if came else card.static_since_ns
            at = min(at, self._scene.history.index_at(since_ns))
        if card.last_moving_ns is not None:  # (one that lay there before may have fitted as well)
            at = max(at, self._scene.history.index_at(card.last_moving_ns) + 1)
        return Landing(card, at, stamps[at], stamps[find_arrival(card.template, greys, at)])

    def find_hands(self, cards: Sequence[TrackedCard]) -> HandsSeen:
        """Return the hands that were over the mark when the ``cards`` landed."""
        scene = self._scene
        landings = [self._make_landing(card) for card in cards if card.template_image is not None]
        if not landings:
            return HandsSeen(0, [])
        rests = [landing.rest_ns for landing in landings]
        quads = [card.quad for card in scene.tracks.all]
        span = scene.history.frames_between(min(rests) - NUMBERS.came_ns, max(rests) + NUMBERS.touched_ns[1])
        # (What comes once all lie is the next one's hand, or takes what lies there.)
        hands = track_hands((frame.t_ns, scene.arm_finder.find(frame.small, quads)) for frame in span)
        count = sum(
            hand.reached_alone(scene.mark_square) and hand.reached(scene.mark_square, max(rests))
            for hand in hands
        )
        # (The hand of one that lay a while before, and has been told of, may still have been there.)
        since_ns = min(rests) - NUMBERS.came_ns - NUMBERS.touched_ns[1]
        surplus = count - sum(
            not card.is_published or card.landed_ns >= since_ns for card in scene.tracks.all
        )
        if count < 2:
            return HandsSeen(surplus, [])
        first_ns = min(self._hidden_since_ns(landing) for landing in landings) - NUMBERS.came_ns
        brought = scene.history.frames_between(first_ns, max(rests) + 1)
        moments = [frame for frame, then in pairwise(brought) if self._next_frame_differs(frame, then)]
        return HandsSeen(surplus, moments)

    def _hidden_since_ns(self, landing: Landing) -> int:
        """Return since when a card lies, or since when hands hid its place until it was seen to lie."""
        scene = self._scene
        present = ReferenceImage(scene.now.small)
        place = scene.geometry.small_polygon_mask(landing.card.quad)
        least = NUMBERS.hidden * cv2.countNonZero(place)
        since_ns = landing.rest_ns
        for moment in reversed(scene.history.frames_between(0, since_ns)):
            changed = present.difference_mask(moment.small, FOREGROUND_LEVELS)
            if cv2.countNonZero(scene.background.foreground_mask(moment.small) & changed & place) < least:
                break
            since_ns = moment.t_ns
        return since_ns

    def _next_frame_differs(self, frame: RecentFrame, then: RecentFrame) -> bool:
        """Return whether the next frame looks different at the mark; of equal ones only the last is needed."""
        changed = cv2.bitwise_and(
            ReferenceImage(frame.small).difference_mask(then.small), self._scene.mark_square
        )
        return cv2.countNonZero(changed) >= SCENE.moving_px

    def _collect_evidence(self, landings: Sequence[Landing]) -> list[CarrierEvidence]:
        """Return the evidence about the hands that laid the cards, but for where their faces came from."""
        scene = self._scene
        quads = [card.quad for card in scene.tracks.all]
        before_ns, after_ns = NUMBERS.touched_ns
        collected = []
        for landing in landings:
            card, at_ns = landing.card, landing.rest_ns
            contacts: list[Direction] = []
            if self._came_after_start(landing):
                near = scene.history.frames_between(at_ns - before_ns, at_ns + after_ns)
                contacts = scene.arm_finder.directions(quads, near, touched=card.quad)
                if not contacts:  # thrown: no hand was at it; where did it come in?
                    flight = scene.history.frames_between(at_ns - NUMBERS.flight_ns, at_ns)
                    contacts = scene.arm_finder.directions(quads, flight)
            seen_at = None if card.occluded_at_birth else card.quad
            approach = self._carried.approach_direction(card.name, at_ns, seen_at)
            lies_deg = quad_angle(card.quad) if card.occluder is None else None
            collected.append(CarrierEvidence(contacts, (approach,), lies_deg))
        return collected

    def _assign_carriers(self, landings: Sequence[Landing]) -> list[Direction]:
        """Return the directions of the arms that laid the cards."""
        seen = self._collect_evidence(landings)
        told = assign_carriers(seen)
        if several_hands(seen) or any(direction.confidence < NUMBERS.plain for direction in told):
            by_face = self._approach_directions(landings)
            told = assign_carriers(
                [
                    replace(evidence, approach_directions=(*evidence.approach_directions, side))
                    for evidence, side in zip(seen, by_face, strict=True)
                ]
            )
        return [
            direction if self._came_after_start(landing) else UNKNOWN_DIRECTION
            for landing, direction in zip(landings, told, strict=True)
        ]

    def _approach_directions(self, landings: Sequence[Landing]) -> list[Direction]:
        """Return the directions of approach of the cards, found by their faces, as directions at the image border."""
        scene = self._scene
        sides = {}
        lie = [
            landing for landing in landings if not landing.card.occluded_at_birth
        ]  # (of the others nobody knows where)
        faces = [self._make_face_template(landing) for landing in lie]
        rests = [face.rest_ns for face in faces]
        flown = scene.history.frames_between(min(rests, default=0) - CARRIED.way_ns, max(rests, default=0))
        pictures = [(moment.t_ns, make_coarse_image(scene.geometry, moment.small)) for moment in flown]
        for card, side in zip(
            [landing.card for landing in lie], find_approach_directions(faces, pictures), strict=True
        ):
            sides[card] = side
            if side.angle is not None:
                place = scene.geometry.mark_point_to_mm(card.centre)
                sides[card] = Direction(
                    round(scene.geometry.ray_exit_direction(place, side.angle), 1), side.confidence
                )
        return [sides.get(landing.card, UNKNOWN_DIRECTION) for landing in landings]

    def _make_face_template(self, landing: Landing) -> FaceTemplate:
        """Return the face of a card from the frame in which it was first known, or from the present one."""
        card, history = landing.card, self._scene.history
        assert card.face_mask is not None
        kept = card.face_known_since_ns >= history.first_ns
        seen = history.all[history.index_at(card.face_known_since_ns)] if kept else history.now
        return FaceTemplate(
            make_coarse_image(self._scene.geometry, seen.small), card.face_mask, card.centre, landing.rest_ns
        )
