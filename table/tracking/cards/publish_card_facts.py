"""Confirmation and publishing: when tentative cards are published as landed, and missing ones as gone.

Cards that came at once are published together, in their order. A card is published once it lies at rest, no hand is
at it, its name is certain, and nothing there may be another card that came with it and lies beneath. What may hide
one is waited for, but not for long, and not when a hand comes to take what lies there: then the card is published as
well as it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2

from table.observed_facts import CardFact, CardLanded
from table.tracking.cards.departure import DepartureDetector
from table.tracking.cards.detection_scheduler import DetectionScheduler
from table.tracking.cards.detection_validation import place_has_changed
from table.tracking.cards.landing import LandingDetector
from table.tracking.cards.occlusion_by_push import may_be_moved_card, merge_with_vanished
from table.tracking.scene.arm_detection import is_same_arm_as_any
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True)
class ReadyCards:
    """Tentative cards that lie at rest with no hand at them."""

    cards: list[TrackedCard]
    are_known: bool
    """Whether each one's identity is certain, or can be waited for no longer."""
    may_wait: bool
    """Whether they may be published later."""
    are_taken: bool
    """Whether a hand may be about to take them."""


class Publisher:
    """Decides which facts about the cards on the mark are published, and when."""

    def __init__(
        self, scene: SceneState, scheduler: DetectionScheduler, landing_detector: LandingDetector
    ) -> None:
        self._scene = scene
        self._scheduler = scheduler
        self._landing_detector = landing_detector
        self._departure_detector = DepartureDetector(scene)
        self.accounted_until_ns = 0
        """The facts just published account for everything up to this stamp, so the watermark may move there; 0: they
        don't."""

    def collect_facts(self, ready: Sequence[TrackedCard], until_ns: int) -> list[CardFact]:
        """Return the facts to publish after this frame; none is stamped before ``until_ns``.

        ``ready``: the cards that may be published as landed.
        """
        scene, tracks = self._scene, self._scene.tracks
        self.accounted_until_ns = 0
        facts: list[CardFact] = []
        if len(ready) > 1:
            self._scheduler.refine_overlapping(ready)
        chosen = [
            card for card in ready if not merge_with_vanished(scene, card) and self._drop_unless_landed(card)
        ]
        if chosen:
            facts += self._departure_detector.publish(tracks.leaving, until_ns)
            landed = self._landing_detector.publish(chosen, until_ns)
            facts += landed
            self._advance_accounted(landed)
        leaving = tracks.leaving
        if not self._departure_detector.has_timed_out(leaving):
            # (What comes may be one of them, that a hand pushed there.)
            come = {name for card in tracks.tentative for name in card.possible_names}
            # (And a hand that stays, of the cloth's colour, may be all that is seen there.)
            undecided = self._undecided() or any(scene.is_hand_at(card) for card in leaving)
            leaving = [] if undecided else [card for card in leaving if card.name not in come]
        if leaving:
            facts += self._departure_detector.publish(leaving, until_ns)
        return facts

    def collect_final_facts(self, until_ns: int) -> list[CardFact]:
        """Return the remaining facts after the last frame, as well as they are known."""
        tracks = self._scene.tracks
        certain = [
            card
            for card in tracks.tentative
            if card.was_static and (card.is_identified or card.has_only_shape)
        ]
        return [
            *self._landing_detector.publish(certain, until_ns),
            *self._departure_detector.publish(tracks.leaving, until_ns),
        ]

    def _undecided(self) -> bool:
        return self._scene.has_motion or self._scheduler.awaits_detection()

    def find_ready_cards(self) -> ReadyCards | None:
        """Return the cards to publish now: all tentative ones once all lie, or those that can wait no longer."""
        scene, scheduler, landing_detector = self._scene, self._scheduler, self._landing_detector
        if not scene.tracks.tentative:
            return None
        scheduler.refine_released_outlines()
        coming = scene.tracks.tentative
        # (What was seen to stir as another one fell upon it lies beneath that.)
        lie = [card for card in coming if card.was_static or scene.tracks.is_occluded_by_newer(card)]
        seen = [card for card in lie if card.is_localized]
        if seen and scheduler.needs_detection():
            seen = []
        ready = [card for card in seen if landing_detector.has_landed(card, scheduler.is_being_covered(card))]
        for card in coming:
            if landing_detector.needs_repetition(card):
                scheduler.request()
            if card not in ready and landing_detector.lacks_only_rest(card):
                scheduler.request(scene.now_ns + 1)
        taken = self._taking_may_start()
        waited = [
            card
            for card in ready
            if landing_detector.has_timed_out(card) or (taken and self._is_known(card, taken=True))
        ]
        if len(ready) < len(coming):
            ready = waited
        if not ready:
            return None
        known = bool(waited) or all(self._is_known(card, taken=taken) for card in ready)
        return ReadyCards(ready, known, may_wait=not waited, are_taken=taken)

    def _taking_may_start(self) -> bool:
        """Return whether a motion starts that is not the hand of a tentative card leaving: a card may be taken now."""
        scene = self._scene
        return scene.motion_starts and not any(scene.is_hand_at(card) for card in scene.tracks.tentative)

    def _is_known(self, card: TrackedCard, *, taken: bool) -> bool:
        """Return whether a card's identity is certain, and it is none of the cards that lie there already.

        Of a card that shows no face it is certain once the last repetition has not read one, or it may be ``taken``.
        """
        scene, scheduler = self._scene, self._scheduler
        may_be_read_later = not taken and (scene.will_repeat_detection or scheduler.detection_pending)
        identified = card.is_identified or (card.has_only_shape and not may_be_read_later)
        return identified and not may_be_moved_card(scene, card)

    def _drop_unless_landed(self, card: TrackedCard) -> bool:
        """Return whether a confirmed card has visibly landed; drop its track if not.

        Its tracklet is kept: it may land yet.
        """
        there = place_has_changed(self._scene, card)
        if not there:
            self._scene.tracks.tentative.remove(card)
            self._scene.invalidate_arms()
        return there

    def _advance_accounted(self, landed: Sequence[CardLanded]) -> None:
        """Advance the accounted stamp if all cards are published and no arms are there but those that laid them."""
        scene, scheduler = self._scene, self._scheduler
        if (
            scene.tracks.tentative
            or scene.tracks.leaving
            or scheduler.has_unverified_losses
            or scheduler.moving_detections
        ):
            return
        laid = [fact.arm_deg for fact in landed if fact.arm_deg is not None]
        if all(
            arm.entry_angles and all(is_same_arm_as_any(angle, laid) for angle in arm.entry_angles)
            for arm in scene.find_arms()
            if cv2.countNonZero(cv2.bitwise_and(arm.mask, scene.mark_square))
        ):
            told_ns = max(fact.t_ns for fact in landed) + 1
            self.accounted_until_ns = min(told_ns, scene.now_ns)
