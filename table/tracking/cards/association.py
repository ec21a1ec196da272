"""Association: which tracked card each detection of a pass belongs to, or whether it starts a new track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from table.observed_facts import CardFact, CardReread
from table.tracking.cards.detection_validation import indices_have_changed, is_corner_of, is_precisely_at_rest
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.imaging.outline_refinement import refine_outline
from table.tracking.imaging.quad_geometry import same_place, would_hide_each_other
from table.tracking.scene.detections import Detection, may_be_same_card
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_CONFIRMED, TrackedCard
from table.tracking.scene.tracked_cards import shows


@dataclass(frozen=True, slots=True)
class AssociationResult:
    """The result of associating one detection pass."""

    cards: list[TrackedCard]
    """The cards that the detections belong to."""
    facts: list[CardFact]
    """Corrections for published cards whose reading has changed."""
    moving: bool
    """Whether a detected card is not at rest yet and has to be detected again."""


class Associator:
    """Assigns detections to tracked cards and starts new tracks for the others."""

    def __init__(self, scene: SceneState, carried: CarriedObservations) -> None:
        self._scene = scene
        self._carried = carried

    def find_present_cards(self, found: Sequence[Detection]) -> dict[TrackedCard, float]:
        """Return the cards whose places show them in this frame, with the share of each template that matches.

        A card that hardly matches counts too if an index of it that was ``found`` matches its own face.
        """
        grey = self._scene.now.grey
        present = {}
        for card in self._scene.tracks.all:
            spots = [
                spot for detection in found if detection.name == card.name for spot in detection.index_boxes
            ]
            if shows(grey, card, spots):
                present[card] = card.template.fit(grey).share
        return present

    def associate(
        self, found: Sequence[Detection], seen: Sequence[Detection], present: Mapping[TrackedCard, float]
    ) -> AssociationResult:
        """Associate the static detections ``found``, of all that were ``seen`` in this pass, with known or new cards.

        ``present``: the cards whose places show them in this frame, with the share of each that matches.
        """
        scene, now = self._scene, self._scene.now
        taken: list[TrackedCard] = []
        facts: list[CardFact] = []
        moving = False
        outlined: list[tuple[TrackedCard, Detection]] = []
        # (One that a hand is still at has its own sighting too.)
        at_hands = (detection.name for detection in seen if detection.readings[0].confidence >= P_CONFIRMED)
        named = {detection.name for detection in found}.union(at_hands)
        still_ns = scene.now_ns - scene.still_for_ns
        for detection in map(self._carried.with_better_pose, found):
            beside = self._carried.seen_together_with(detection.name)
            sure = self._carried.highest_confidence(detection)
            card = scene.tracks.find_track_of(
                detection, present, taken, now.grey, named, beside, still_ns, sure
            )
            if not self._mark_has_changed(detection, card, present):
                continue
            if card not in present and not is_precisely_at_rest(scene, detection):
                if card is not None:
                    taken.append(card)
                    card.mark_moving()
                moving = True
                continue
            if card is None:
                card = self._start_track(detection, sure, taken, seen)
                if card is None:
                    continue
            elif self._improves_pose(detection, card, card in present):
                quad = refine_outline(detection.quad, now.grey, detection.index_boxes)
                card.follow(detection, quad, now.t_ns)
            elif not card.outline_visible and len(detection.index_boxes) >= card.index_count:
                outlined.append((card, detection))
            taken.append(card)
            card.detect(detection, now.t_ns, at_long_rest=scene.is_still)
            if card.id and card.correct(scene.tracks.published_names(card)):
                facts.append(CardReread(now.t_ns, card.id, card.published_readings))
        for card, detection in outlined:  # a hand was at it when its outline was taken
            card.move_to(refine_outline(detection.quad, now.grey, detection.index_boxes))
        return AssociationResult(taken, facts, moving)

    def _mark_has_changed(
        self, detection: Detection, card: TrackedCard | None, present: Mapping[TrackedCard, float]
    ) -> bool:
        """Return whether the mark looks different, at a detection, from what it would be without its ``card``.

        The mark's own print may be read as the card that has just gone, where that had its index.
        """
        if card is None:
            return indices_have_changed(self._scene, detection)
        absent = [other for other in self._scene.tracks.published if other not in present]
        return card.missing_since_ns is None or indices_have_changed(self._scene, detection, absent)

    def _start_track(
        self, detection: Detection, sure: float, taken: Sequence[TrackedCard], seen: Sequence[Detection]
    ) -> TrackedCard | None:
        """Start a tentative track, or return None if the detection is another corner or a misreading of a known card.

        Args:
            detection: the new detection.
            sure: highest probability with which it was read, now or while it was carried.
            taken: the cards that this pass has detected already. A card laid exactly upon one of those would show
                corners of more than one side, and hide that one's.
            seen: all detections of this pass.
        """
        scene, grey = self._scene, self._scene.now.grey
        surely = {other.name for other in seen if min(sure, other.readings[0].confidence) >= P_CONFIRMED}
        # (A card that lay there before, and one that is surely read as another now, are two.)
        others = {card.name for card in scene.tracks.published} & (surely - detection.possible_names)
        if any(is_corner_of(card, detection, seen) for card in scene.tracks.all if card.name not in others):
            return None
        if sure < P_CONFIRMED and any(card.pose_fits_indices_of(detection) for card in taken):
            return None
        quad = refine_outline(detection.quad, grey, detection.index_boxes)
        beside = self._carried.seen_together_with(detection.name) | others
        if sure >= P_CONFIRMED:
            beside |= {
                other.name
                for other in seen
                if other.name != detection.name and not may_be_same_card(other, detection)
            }
        told = [card for card in taken if card.id] if detection.has_one_sided_indices else []
        near = [card for card in [*scene.tracks.tentative, *told] if same_place(card.quad, quad)]
        if any(
            card.name not in beside and (card in taken or not card.is_covered_by(detection, grey, sure))
            for card in near
        ):
            return None
        # (However surely each was read.)
        if any(
            card in taken and would_hide_each_other(card.quad, card.index_boxes, quad, detection.index_boxes)
            for card in near
        ):
            return None
        there_ns = self._carried.tracklet_of(detection.name).static_since(detection, scene.now_ns)
        without = None if scene.is_first_frame else scene.render_without()
        card = TrackedCard(quad, scene.now_ns, static_since_ns=there_ns, mark_before=without)
        scene.tracks.tentative.append(card)
        return card

    def _improves_pose(self, detection: Detection, card: TrackedCard, present: bool) -> bool:
        """Return whether a detection localizes a known card better than its track does."""
        if card.is_localized_better_by(detection):
            return True
        if len(detection.index_boxes) < card.index_count and self._scene.tracks.indices_inside_outline(
            card, detection
        ):
            return False  # part of it is covered now; what is in sight is where it was
        if len(detection.index_boxes) <= card.index_count and detection.assumes_wrong_side_of(card.quad):
            return False  # its indices are where they were, and of which side they are is but guessed
        # (Hidden, or in a shadow, it hardly fits; but it lies where it lay, and the edges about are another's.)
        return card.id == 0 or not (present or card.indices_coincide_with(detection))
