"""Association: which tracked card each detection of a pass belongs to, or whether it starts a new track.

For each pair of a detection and a track the log-odds are summed that both are one card, against a card that has come
to lie there: of the names, of the pose, and of what the picture shows of the card. The pairs are taken best first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from table.observed_facts import END_NS, CardFact, CardReread
from table.tracking.cards.detection_validation import indices_have_changed, is_corner_of, is_precisely_at_rest
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.outline_refinement import refine_outline
from table.tracking.imaging.quad_geometry import (
    INDEX_ANGLE_ERROR_DEG,
    MIN_OVERLAP_PX2,
    box_centre_is_inside,
    overlap_area,
    rotation_between,
    same_place,
    would_hide_each_other,
)
from table.tracking.scene.detections import Detection, may_be_same_card
from table.tracking.scene.landing_order import cards_overlap
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_CONFIRMED, TrackedCard
from table.tracking.scene.tracked_cards import TrackSet, shows


@dataclass(frozen=True, slots=True)
class AssociationResult:
    """The result of associating one detection pass."""

    cards: list[TrackedCard]
    """The cards that the detections belong to."""
    facts: list[CardFact]
    """Corrections for published cards whose reading has changed."""
    moving: bool
    """Whether a detected card is not at rest yet and has to be detected again."""


@dataclass(frozen=True, slots=True)
class AssociationLogOdds:
    """Log-odds that a detection is a tracked card, against one that lies there newly.

    Fitted, as a multinomial logit, on 4,000 detections in 260 scenes of the set ``film-tuning``, some of them with a
    detector that takes cards for others: 92 are assigned wrongly.
    """

    bias: float = -2.2
    """Log-odds without evidence."""
    misread: float = 0.05
    """Probability that a card is detected by another name, however surely."""
    same_indices: float = 0.8
    """The card's last indices are those of the detection."""
    pose: float = 1.5
    """The card's outline has corner indices where those of the detection are, turned alike."""
    inside: float = 1.8
    """The indices of the detection are inside the card's outline."""
    turned: float = -0.6
    """The detection is turned otherwise than the card."""
    elsewhere: float = -2.6
    """The card's own place, which has another pose, shows it (times the share that matches)."""
    unchanged: float = 1.5
    """The card's face is known where the indices are, and looks as it did ..."""
    changed: float = -0.9
    """... or it looks different."""
    beneath: float = -2.5
    """A card that was published later lies where the indices are."""
    uncovered: float = 3.0
    """No detection has shown the card where it lies, and it may have been uncovered (chosen: such cards are rare)."""


LOG_ODDS: Final = AssociationLogOdds()


def assign_tracks(
    tracks: TrackSet,
    found: Sequence[Detection],
    present: Mapping[TrackedCard, float],
    grey: Grey,
    still_ns: int = END_NS,
) -> list[TrackedCard | None]:
    """Return for each detection the track that it belongs to, or None for a card that has come to lie there.

    The likeliest pair is assigned first; each track has one detection at most.

    Args:
        tracks: the tracked cards.
        found: the detections of one pass, all at rest.
        present: the cards whose own places still show them, with the share of each that matches.
        grey: the present mark image.
        still_ns: stamp since which nothing has moved over the mark: since then no card has come.
    """
    pairs = [
        (_log_odds(tracks, card, seen, present, grey, still_ns), number, card)
        for number, seen in enumerate(found)
        for card in tracks.all
    ]
    assigned: list[TrackedCard | None] = [None] * len(found)
    for log_odds, number, card in sorted(pairs, key=lambda pair: -pair[0]):
        if log_odds > 0 and assigned[number] is None and card not in assigned:
            assigned[number] = card
    return assigned


def _log_odds(
    tracks: TrackSet,
    card: TrackedCard,
    seen: Detection,
    present: Mapping[TrackedCard, float],
    grey: Grey,
    still_ns: int,
) -> float:
    """Return the log-odds that the detection ``seen`` is ``card``, against a card that has come to lie there."""
    odds = LOG_ODDS.bias + _name_log_odds(card, seen)
    if (
        _is_uncovered(tracks, card, present, still_ns)
        and overlap_area(card.quad, seen.quad) >= MIN_OVERLAP_PX2
    ):
        return odds + LOG_ODDS.uncovered  # (its place and its look are not known)
    same_indices = card.shares_indices_with(seen)
    if same_indices:
        odds += LOG_ODDS.same_indices
    # (A card of which only the shape was seen has no indices: its outline must do.)
    same_shape = card.has_only_shape and same_place(card.quad, seen.quad)
    if same_indices or same_shape or card.pose_fits_indices_of(seen):
        odds += LOG_ODDS.pose
    else:
        odds += LOG_ODDS.elsewhere * present.get(card, 0.0)
        if rotation_between(card.quad, seen.quad) > INDEX_ANGLE_ERROR_DEG:
            odds += LOG_ODDS.turned
    if tracks.indices_inside_outline(card, seen):
        odds += LOG_ODDS.inside
    if card.shows_face_at(seen.index_boxes):
        changed = card.face_has_changed(seen.index_boxes, grey)
        odds += LOG_ODDS.changed if changed else LOG_ODDS.unchanged
    upon = [other for other in tracks.published_after(card) if other in present]
    odds += LOG_ODDS.beneath * sum(
        any(box_centre_is_inside(spot, other.quad, 0.0) for spot in seen.index_boxes) for other in upon
    )
    return odds


def _name_log_odds(card: TrackedCard, seen: Detection) -> float:
    """Return the log-odds, by their names, that a detection is ``card``."""
    ratio = card.name_likelihood_ratio(seen.readings)
    return math.log(LOG_ODDS.misread + (1.0 - LOG_ODDS.misread) * ratio)


def _is_uncovered(
    tracks: TrackSet, card: TrackedCard, present: Collection[TrackedCard], still_ns: int
) -> bool:
    """Return whether a card that no detection has shown where it lies may have been uncovered.

    What lay upon it has gone, or nothing has moved since it was published and it was never identified.
    """
    if card.is_unidentified:
        return card.occluder not in present or card.published_ns >= still_ns
    upon = (other for other in tracks.published_after(card) if cards_overlap(other, card))
    return bool(card.id) and card.is_inferred and any(other not in present for other in upon)


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
        found = [self._carried.with_better_pose(detection) for detection in found]
        still_ns = scene.now_ns - scene.still_for_ns
        assigned = assign_tracks(scene.tracks, found, present, now.grey, still_ns)
        known = [card for card in assigned if card is not None]
        for detection, card in zip(found, assigned, strict=True):
            if not self._mark_has_changed(detection, card, present):
                continue
            if card not in present and not is_precisely_at_rest(scene, detection):
                if card is not None:
                    taken.append(card)
                    card.mark_moving()
                moving = True
                continue
            if card is None:
                sure = self._carried.highest_confidence(detection)
                card = self._start_track(detection, sure, [*known, *taken], seen)
                if card is None:
                    continue
            elif self._improves_pose(detection, card, card in present):
                quad = refine_outline(detection.quad, now.grey, detection.index_boxes)
                card.follow(detection, quad, now.t_ns)
            elif not card.outline_visible and len(detection.index_boxes) >= card.index_count:
                outlined.append((card, detection))
            taken.append(card)
            card.detect(detection, now.t_ns, at_long_rest=scene.is_still)
            if card.is_published and card.correct(scene.tracks.published_names(card)):
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
            taken: the cards that detections of this pass belong to. A card laid exactly upon one of those would show
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
        told = [card for card in taken if card.is_published] if detection.has_one_sided_indices else []
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
        without = None if scene.is_first_frame else scene.render_staying()
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
        # (Hidden, or in a shadow, it hardly fits; but it lies where it lay, and the edges about are another's.)
        return not card.is_published or not (present or card.indices_coincide_with(detection))
