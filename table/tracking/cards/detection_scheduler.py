"""Detection scheduling: when the detector runs, and how its detections update the tracked cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.observed_facts import MS, CardFact
from table.tracking.cards.association import Associator
from table.tracking.cards.detection_validation import NUMBERS as VALIDATION
from table.tracking.cards.detection_validation import is_static
from table.tracking.cards.missed_cards import find_departed, judge_missed_card
from table.tracking.cards.run_detector_on_mark import DetectorClient, window_around
from table.tracking.hands.paper_colour import holds_no_card
from table.tracking.imaging.card_registration import is_at_place
from table.tracking.imaging.outline_refinement import edge_share, refine_outline
from table.tracking.imaging.quad_geometry import overlap_area, same_place
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS, RecentFrame, index_has_changed
from table.tracking.scene.detections import Detection
from table.tracking.scene.landing_order import cards_overlap
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_PROBABLE, TrackedCard
from table.tracking.scene.tracked_cards import MIN_OCCLUDED_SHARE, MIN_TEMPLATE_SHARE


@dataclass(frozen=True, slots=True)
class SchedulerParameters:
    """Parameters of the detection schedule; chosen on the simulated table, like all in tracking that name no other
    source."""

    puzzled_ns: int = 990 * MS
    """For this long an unexplained object at rest keeps the scene undecided."""
    every_ns: int = 120 * MS
    """Minimum time between two detection passes (about as long as one takes on a Raspberry Pi) ..."""
    soon_ns: int = 60 * MS
    """... and the minimum where a card that was moving has come to rest."""
    read_ns: int = 25 * MS
    """No frame is detected this near to one that the detector has seen already."""
    bare_ms: int = 250
    """A published card's place is judged after it has been static for this long."""
    hinted: float = 0.3
    """A card that was read with no more than this probability while it was carried, and confirmed once it lies, is one
    card: by chance it is read as others."""


NUMBERS: Final = SchedulerParameters()


class DetectionScheduler:
    """Runs the detector when needed and updates the tracked cards with the detections."""

    def __init__(self, scene: SceneState, client: DetectorClient) -> None:
        self._scene = scene
        self._client = client
        self._carried = client.carried
        self._associator = Associator(scene, client.carried)
        self.detection_pending = True
        """Whether detection is pending: something has moved since the last pass."""
        self.redetect_at_ns: int | None = None
        """Stamp from which on a card that was moving is to be detected again; None without one."""
        self.moving_detections: list[Detection] = []
        """Detections of unknown cards of the last pass that were moving, or under a moving hand."""
        self.has_unverified_losses = False
        """Whether the last pass missed a published card whose place has not been static long enough to judge."""
        self._last_ns: int | None = None

    def request(self, from_ns: int | None = None) -> None:
        """Ask for a detection pass: as soon as one is due, or from ``from_ns`` on if none is awaited."""
        if from_ns is None:
            self.detection_pending = True
        else:
            self.redetect_at_ns = self.redetect_at_ns or from_ns

    @property
    def interval_is_over(self) -> bool:
        """Whether the minimum time since the last detection pass is over."""
        if self._last_ns is None:
            return True
        passed_ns = self._scene.now_ns - self._last_ns
        return passed_ns >= NUMBERS.every_ns or (passed_ns >= NUMBERS.soon_ns and self.is_redetection_due)

    @property
    def is_idle(self) -> bool:
        """Whether no detection is pending, now or later, unless something else moves."""
        return self.redetect_at_ns is None and not self.detection_pending

    @property
    def is_redetection_due(self) -> bool:
        """Whether it is time to repeat detection for what was moving."""
        return (
            self.redetect_at_ns is not None and self.redetect_at_ns <= self._scene.now_ns
        ) or self._has_come_to_rest()

    def needs_detection(self) -> bool:
        """Return whether there is something undetected to detect (costly: call it only where the answer matters)."""
        return self._scene.has_undetected_change() or self.is_redetection_due

    def awaits_detection(self) -> bool:
        """Return whether another detection pass is needed to know what lies there."""
        return self.has_unverified_losses or self.redetect_at_ns is not None or self.needs_detection()

    def _has_come_to_rest(self) -> bool:
        """Return whether something that was moving in the last pass is at rest now."""
        return any(is_static(self._scene, detection) for detection in self.moving_detections)

    def is_busy(self, *, undecided: bool) -> bool:
        """Return whether anything moves, waits for detection or, while something is ``undecided``, is unexplained."""
        scene = self._scene
        if (
            scene.has_motion
            or scene.tracks.tentative
            or scene.tracks.leaving
            or self.has_unverified_losses
            or self.detection_pending
            or self.needs_detection()
        ):
            return True
        if not undecided or scene.still_for_ns >= NUMBERS.puzzled_ns:
            return False
        # A hand that pauses, a card that can't be read yet: look again a few times before this is all.
        busy = scene.has_unexplained_object() or any(
            card.missed_detections for card in scene.tracks.published
        )
        self.detection_pending = busy and scene.is_time_to_repeat()
        return busy

    def detect_if_needed(self) -> list[CardFact]:
        """Run a detection pass if there is reason to, and return the corrections that follow."""
        scene = self._scene
        if scene.has_motion and not self.interval_is_over:
            return []
        if self.needs_detection():
            return self.detect() if self.interval_is_over else []
        if scene.has_motion:
            if scene.has_hand_sized_motion():
                self.detect_carried()
            return []
        if not self.detection_pending:
            return []
        if self._mark_is_known_empty():
            self.detection_pending = False
            return []
        if (
            scene.is_first_frame
            or scene.tracks.tentative
            or scene.tracks.leaving
            or scene.has_changed_since_settled()
        ):
            return self.detect()
        self.detection_pending = False
        return []

    def _mark_is_known_empty(self) -> bool:
        """Return whether all published cards are known to have gone and the mark is empty, with nothing to detect."""
        scene, tracks = self._scene, self._scene.tracks
        shown = [card for card in tracks.published if card.occluder is None]
        gone = all(card.missing_since_ns is not None and card.template_image is not None for card in shown)
        if self.has_unverified_losses or tracks.tentative or not (shown and gone and scene.mark_is_empty):
            return False
        # (One that in grey is like the cloth is told from it by its print.)
        return not any(is_at_place(card.template.fit(scene.now.grey)) for card in shown)

    def detect(self) -> list[CardFact]:
        """Run a detection pass on this frame, associate its detections, and judge the cards that it missed."""
        scene, now = self._scene, self._scene.now
        self._last_ns, self.redetect_at_ns = now.t_ns, None
        self.detection_pending = self.detection_pending and scene.has_motion
        seen = self._client.detect(now.mark, now.t_ns, self._client.window_to_detect())
        found, moving = self._split_by_motion(seen)
        scene.mark_as_detected()
        present = self._associator.find_present_cards(found)
        tucked = {card: card.occluder for card in scene.tracks.published if card.occluder is not None}
        matched = self._associator.associate(found, seen, present)
        taken = matched.cards
        if matched.moving:
            self.redetect_at_ns = now.t_ns + VALIDATION.lies_ns
        uncovered = [cover for card, cover in tucked.items() if card in taken and cover not in taken]
        for cover in uncovered:  # what lay beneath it has come to light
            cover.mark_missing(now.t_ns)
        scene.invalidate_arms()  # (the new cards are no arms)
        arms = scene.find_arm_mask()
        for card in taken:
            if card.template_image is None or not card.is_published:
                scene.capture_template(card)
        known = [card for card in scene.tracks.all if card.occluder is None and card not in uncovered]
        unseen = [card for card in known if card not in taken and not self._is_landing(card, moving)]
        # A hand pauses where it takes a card, and one of the table's colour looks like the bare table there.
        long = scene.geometry.warp_mask_to_mark(scene.motion.static_mask(NUMBERS.bare_ms)) & ~arms
        gone = find_departed(scene, unseen, long)
        for card in unseen:
            judge_missed_card(
                scene, card, card in present, long if card.is_published else scene.static_mask & ~arms, gone
            )
        early = scene.still_for_ns < NUMBERS.bare_ms * MS
        # (What fits but a little may be the bare table, where others have just gone.)
        lost = [
            card
            for card in unseen
            if early and card.is_published and present.get(card, 0.0) < MIN_TEMPLATE_SHARE
        ]
        self.has_unverified_losses = any(card.missing_since_ns is None for card in lost)
        if (
            self.has_unverified_losses and not scene.has_motion
        ):  # (while a hand is at it nothing more can be known)
            self.redetect_at_ns = self.redetect_at_ns or now.t_ns + NUMBERS.every_ns
        for card in scene.tracks.drop_unverified(seen):
            self._carried.drop_tracklet(card.name)  # (where it was seen to lie it does not lie)
        scene.invalidate_arms()
        return matched.facts

    def detect_carried(self) -> None:
        """Detect only the cards that are being carried; the cards on the mark are not updated."""
        scene = self._scene
        self._last_ns = scene.now_ns
        if holds_no_card(scene):
            return
        moving = [
            detection
            for detection in self._client.detect(
                scene.now.mark, scene.now_ns, window_around(~scene.static_mask)
            )
            if not is_static(scene, detection)
        ]
        moving = [
            detection for detection in moving if scene.tracks.is_untracked_name(detection, NUMBERS.hinted)
        ]
        self._client.record_carried(scene.now, moving, [card.quad for card in scene.tracks.all])

    def refine_released_outlines(self) -> None:
        """Refine the outlines of tentative cards whose hand has just left: their edges are visible only now."""
        scene = self._scene
        for card in scene.tracks.tentative:
            if scene.tracks.is_occluded_by_newer(card) or self.is_being_covered(card):
                continue  # (what shows there are the other card's edges)
            if (
                card.was_static
                and card.best_detection
                and not card.outline_visible
                and scene.is_clear_of_hands(card)
            ):
                scene.move_card(
                    card,
                    refine_outline(card.best_detection.quad, scene.now.grey, card.best_detection.index_boxes),
                )

    def is_being_covered(self, card: TrackedCard) -> bool:
        """Return whether another card is being laid upon this one, so that what is visible there is not its face."""
        return any(overlap_area(detection.quad, card.quad) > 0 for detection in self.moving_detections)

    def refine_overlapping(self, cards: Sequence[TrackedCard]) -> None:
        """Refine the outlines of overlapping ``cards`` in this frame, because their edges tell which lies on top.

        When the outlines were fitted, a hand that looks like the cloth may have been at them.
        """
        scene = self._scene
        for card in cards:
            upon = any(other is not card and cards_overlap(card, other) for other in scene.tracks.all)
            if (
                card.best_detection is None
                or not upon
                or scene.tracks.occluded_share(card) >= MIN_OCCLUDED_SHARE
            ):
                continue
            quad = refine_outline(card.best_detection.quad, scene.now.grey, card.best_detection.index_boxes)
            if edge_share(quad, scene.now.grey) > edge_share(card.quad, scene.now.grey):
                scene.move_card(card, quad)

    def detect_in_past_frames(self, moments: Sequence[RecentFrame]) -> None:
        """Detect carried cards in those of the past frames ``moments`` that the detector has not seen.

        While something moves, about every fourth frame is detected. That is too few for two cards that land at once,
        where one hides the other.
        """
        scene = self._scene
        lying = [card.quad for card in scene.tracks.published]
        known = {card.name for card in scene.tracks.published}
        bare = scene.render_staying()
        for moment in reversed(moments):
            if any(abs(moment.t_ns - at) < NUMBERS.read_ns for at in self._client.detected_stamps_ns):
                continue
            _, other = cv2.threshold(
                cv2.absdiff(moment.grey, bare), DIFFERENT_LEVELS - 1, 255, cv2.THRESH_BINARY
            )
            other = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
            found = self._client.detect(moment.mark, moment.t_ns, window_around(np.asarray(other, np.uint8)))
            moving = [
                detection
                for detection in found
                if detection.readings[0].confidence >= NUMBERS.hinted
                and detection.name not in known
                and all(index_has_changed(spot, moment.grey, bare) for spot in detection.index_boxes)
            ]
            self._client.record_carried(moment, moving, lying)
        self._improve_poses()

    def _improve_poses(self) -> None:
        """Improve the poses of covered tentative cards by earlier detections of more, or other, indices."""
        scene = self._scene
        for card in scene.tracks.tentative:
            better = self._carried.find_better_pose(card.best_detection) if card.best_detection else None
            if better is not None and scene.tracks.occluded_share(card) >= MIN_OCCLUDED_SHARE:
                # (What shows now are the other card's edges.)
                then = scene.history.all[scene.history.index_at(better.t_ns)]
                self._set_pose(card, better.detection, then)

    def _set_pose(self, card: TrackedCard, seen: Detection, moment: RecentFrame) -> None:
        """Move a tentative card to the pose of the detection ``seen``, refined to the edges in a frame."""
        self._scene.move_card(card, refine_outline(seen.quad, moment.grey, seen.index_boxes), seen)

    @staticmethod
    def _is_landing(card: TrackedCard, moving: Sequence[Detection]) -> bool:
        """Return whether a tentative card was detected at its place, though something still moves there."""
        return not card.is_published and any(
            detection.name == card.name and same_place(detection.quad, card.quad) for detection in moving
        )

    def _split_by_motion(self, seen: Sequence[Detection]) -> tuple[list[Detection], list[Detection]]:
        """Return the static detections, and the moving ones, which are recorded as carried."""
        scene = self._scene
        lie: list[Detection] = []
        moving: list[Detection] = []
        for detection in seen:
            (lie if is_static(scene, detection) else moving).append(detection)
        self._client.record_handedness(lie)
        self.moving_detections = [
            detection for detection in moving if scene.tracks.is_untracked_name(detection, P_PROBABLE)
        ]
        scene.set_moving_outlines([detection.quad for detection in self.moving_detections])
        carried = [
            detection for detection in moving if scene.tracks.is_untracked_name(detection, NUMBERS.hinted)
        ]
        self._client.record_carried(scene.now, carried, [card.quad for card in scene.tracks.all])
        return lie, moving
