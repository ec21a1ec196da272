"""Detection scheduling: when the detector runs, and how its detections update the tracked cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from table.facts import MS, CardFact
from table.tracking.cards.association import Associator
from table.tracking.cards.detection_validation import NUMBERS as VALIDATION
from table.tracking.cards.detection_validation import index_has_changed, is_foreground, is_static
from table.tracking.cards.detector_client import DetectorClient, window_around
from table.tracking.cards.track_termination import find_departed, judge_missed_card
from table.tracking.hands.paper import holds_no_card
from table.tracking.imaging.edge_fit import edge_share, refine_outline
from table.tracking.imaging.quad_geometry import overlap_area, same_place
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS, RecentFrame
from table.tracking.imaging.registration import is_at_place
from table.tracking.scene.detections import Detection
from table.tracking.scene.landing_order import cards_overlap
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.track_set import MIN_OCCLUDED_SHARE, MIN_TEMPLATE_SHARE
from table.tracking.scene.tracked_card import P_PROBABLE, TrackedCard


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
        self.due = True
        """Whether detection is pending: something has moved since the last pass."""
        self.again_ns: int | None = None
        """Stamp from which on a card that was moving is to be detected again; None without one."""
        self.restless: list[Detection] = []
        """Detections of unknown cards of the last pass that were moving, or under a moving hand."""
        self.doubts = False
        """Whether the last pass missed a published card whose place has not been static long enough to judge."""
        self._last_ns: int | None = None

    @property
    def ready(self) -> bool:
        """Whether the minimum time since the last detection pass is over."""
        if self._last_ns is None:
            return True
        passed_ns = self._scene.now_ns - self._last_ns
        return passed_ns >= NUMBERS.every_ns or (passed_ns >= NUMBERS.soon_ns and self.called_for)

    @property
    def idle(self) -> bool:
        """Whether no detection is pending, now or later, unless something else moves."""
        return self.again_ns is None and not self.due

    @property
    def called_for(self) -> bool:
        """Whether it is time to repeat detection for what was moving."""
        return (self.again_ns is not None and self.again_ns <= self._scene.now_ns) or self._has_come_to_rest()

    def pending(self) -> bool:
        """Return whether there is something undetected to detect (costly: call it only where the answer matters)."""
        return self._scene.pending() or self.called_for

    def _has_come_to_rest(self) -> bool:
        """Return whether something that was moving in the last pass is at rest now."""
        return any(is_static(self._scene, detection) for detection in self.restless)

    def busy(self, *, undecided: bool) -> bool:
        """Return whether anything moves, waits for detection or, while something is ``undecided``, is unexplained."""
        scene = self._scene
        if (
            scene.active
            or scene.pile.coming
            or scene.pile.leaving
            or self.doubts
            or self.due
            or self.pending()
        ):
            return True
        if not undecided or scene.quiet_ns >= NUMBERS.puzzled_ns:
            return False
        # A hand that pauses, a card that can't be read yet: look again a few times before this is all.
        busy = scene.puzzling() or any(card.missed for card in scene.pile.lying)
        self.due = busy and scene.look_again()
        return busy

    def ask(self) -> list[CardFact]:
        """Run a detection pass if there is reason to, and return the corrections that follow."""
        scene = self._scene
        if scene.active and not self.ready:
            return []
        if self.pending():
            return self.look() if self.ready else []
        if scene.active:
            if scene.much_moves():
                self.glimpse()
            return []
        if not self.due:
            return []
        if self._mark_is_known_empty():
            self.due = False
            return []
        if scene.first or scene.pile.coming or scene.pile.leaving or scene.other_than_settled():
            return self.look()
        self.due = False
        return []

    def _mark_is_known_empty(self) -> bool:
        """Return whether all published cards are known to have gone and the mark is empty, with nothing to detect."""
        scene, pile = self._scene, self._scene.pile
        shown = [card for card in pile.lying if card.cover is None]
        gone = all(card.leaving_ns is not None and card.grey is not None for card in shown)
        if self.doubts or pile.coming or not (shown and gone and scene.bare):
            return False
        # (One that in grey is like the cloth is told from it by its print.)
        return not any(is_at_place(card.patch.fit(scene.now.grey)) for card in shown)

    def look(self) -> list[CardFact]:
        """Run a detection pass on this frame, associate its detections, and judge the cards that it missed."""
        scene, now = self._scene, self._scene.now
        self._last_ns, self.again_ns = now.t_ns, None
        self.due = self.due and scene.active
        if not scene.active:  # (what moves is softer than what lies)
            self._client.focus.look(now.grey, scene.still, now.t_ns)
        seen = self._client.look_at(now.mark, now.t_ns, self._client.worth_reading())
        found, moving = self._split_by_motion(seen)
        scene.looked()
        present = self._associator.present(found)
        tucked = {card: card.cover for card in scene.pile.lying if card.cover is not None}
        matched = self._associator.match(found, seen, present)
        taken = matched.cards
        if matched.moving:
            self.again_ns = now.t_ns + VALIDATION.lies_ns
        uncovered = [cover for card, cover in tucked.items() if card in taken and cover not in taken]
        for cover in uncovered:  # what lay beneath it has come to light
            cover.leaving_ns = cover.leaving_ns or now.t_ns
        scene.cards_changed()  # (the new cards are no arms)
        arms = scene.arm_mask()
        for card in taken:
            if card.grey is None or card.id == 0:
                scene.settle(card)
        known = [card for card in scene.pile.all if card.cover is None and card not in uncovered]
        unseen = [card for card in known if card not in taken and not self._is_landing(card, moving)]
        # A hand pauses where it takes a card, and one of the table's colour looks like the bare table there.
        long = scene.geometry.to_mark(scene.gate.resting(NUMBERS.bare_ms)) & ~arms
        gone = find_departed(scene, unseen, long)
        for card in unseen:
            judge_missed_card(scene, card, card in present, long if card.id else scene.still & ~arms, gone)
        early = scene.quiet_ns < NUMBERS.bare_ms * MS
        # (What fits but a little may be the bare table, where others have just gone.)
        lost = [card for card in unseen if early and card.id and present.get(card, 0.0) < MIN_TEMPLATE_SHARE]
        self.doubts = any(card.leaving_ns is None for card in lost)
        if self.doubts and not scene.active:  # (while a hand is at it nothing more can be known)
            self.again_ns = self.again_ns or now.t_ns + NUMBERS.every_ns
        for card in scene.pile.drop_doubtful(seen):
            self._carried.forget(card.name)  # (where it was seen to lie it does not lie)
        scene.cards_changed()
        return matched.facts

    def glimpse(self) -> None:
        """Detect only the cards that are being carried; the cards on the mark are not updated."""
        scene = self._scene
        self._last_ns = scene.now_ns
        if holds_no_card(scene):
            return
        moving = [
            detection
            for detection in self._client.look_at(scene.now.mark, scene.now_ns, window_around(~scene.still))
            if not is_static(scene, detection)
        ]
        moving = [detection for detection in moving if scene.pile.is_other(detection, NUMBERS.hinted)]
        self._client.see_carried(scene.now, moving, [card.quad for card in scene.pile.all])

    def outline(self) -> None:
        """Refine the outlines of tentative cards whose hand has just left: their edges are visible only now."""
        scene = self._scene
        for card in scene.pile.coming:
            if scene.pile.covered_since(card) or self.another_comes(card):
                continue  # (what shows there are the other card's edges)
            if card.settled and card.seen and not card.open and scene.clear_of(card):
                scene.place(card, refine_outline(card.seen.quad, scene.now.grey, card.seen.spots))

    def another_comes(self, card: TrackedCard) -> bool:
        """Return whether another card is being laid upon this one, so that what is visible there is not its face."""
        return any(overlap_area(detection.quad, card.quad) > 0 for detection in self.restless)

    def sharpen(self, cards: Sequence[TrackedCard]) -> None:
        """Refine the outlines of overlapping ``cards`` in this frame, because their edges tell which lies on top.

        When the outlines were fitted, a hand that looks like the cloth may have been at them.
        """
        scene = self._scene
        for card in cards:
            upon = any(other is not card and cards_overlap(card, other) for other in scene.pile.all)
            if card.seen is None or not upon or scene.pile.laid_upon(card) >= MIN_OCCLUDED_SHARE:
                continue
            quad = refine_outline(card.seen.quad, scene.now.grey, card.seen.spots)
            if edge_share(quad, scene.now.grey) > edge_share(card.quad, scene.now.grey):
                scene.place(card, quad)

    def catch_up(self, moments: Sequence[RecentFrame]) -> None:
        """Detect carried cards in those of the past frames ``moments`` that the detector has not seen.

        While something moves, about every fourth frame is detected. That is too few for two cards that land at once,
        where one hides the other.
        """
        scene = self._scene
        lying = [card.quad for card in scene.pile.lying]
        known = {card.name for card in scene.pile.lying}
        bare = scene.without([*scene.pile.leaving, *scene.pile.coming])
        for moment in reversed(moments):
            if any(abs(moment.t_ns - at) < NUMBERS.read_ns for at in self._client.read_at):
                continue
            _, other = cv2.threshold(
                cv2.absdiff(moment.grey, bare), DIFFERENT_LEVELS - 1, 255, cv2.THRESH_BINARY
            )
            other = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
            found = self._client.look_at(moment.mark, moment.t_ns, window_around(np.asarray(other, np.uint8)))
            for detection in found:
                self._add_uncovered_reading(detection, moment)
            moving = [
                detection
                for detection in found
                if detection.readings[0].confidence >= NUMBERS.hinted
                and detection.name not in known
                and all(index_has_changed(spot, moment.grey, bare) for spot in detection.spots)
            ]
            self._client.see_carried(moment, moving, lying)
        self._improve_poses()

    def _add_uncovered_reading(self, detection: Detection, moment: RecentFrame) -> None:
        """Add the detection of a tentative card in an earlier frame, where it was uncovered and read better."""
        unknown = detection.name not in self._scene.pile.names
        for card in self._scene.pile.coming:
            if card.name == detection.name and same_place(card.quad, detection.quad):
                card.read(detection.readings)
            elif unknown and card.read_better(detection):
                card.read(detection.readings)
                card.seen = detection  # (where it is covered now, another card's edges are refined to)
                self._scene.place(card, refine_outline(detection.quad, moment.grey, detection.spots))

    def _improve_poses(self) -> None:
        """Improve the poses of tentative cards with earlier detections of more, or other, indices."""
        for card in self._scene.pile.coming:
            better = self._carried.better(card.seen) if card.seen else None
            if better is None or card.seen is None:
                continue
            if not same_place(better.found.quad, card.quad):
                self._set_pose(card, replace(card.seen, quad=better.found.quad))
            elif (
                self._scene.pile.laid_upon(card) >= MIN_OCCLUDED_SHARE
            ):  # (what shows now are the other card's edges)
                then = self._scene.history.all[self._scene.history.position(better.t_ns)]
                card.seen = better.found
                self._scene.place(card, refine_outline(better.found.quad, then.grey, better.found.spots))

    def _set_pose(self, card: TrackedCard, seen: Detection) -> None:
        """Move a tentative card to the pose of the detection ``seen``."""
        card.seen = seen
        card.move(refine_outline(seen.quad, self._scene.now.grey, seen.spots))
        self._scene.cards_changed()
        self._scene.settle(card)

    @staticmethod
    def _is_landing(card: TrackedCard, moving: Sequence[Detection]) -> bool:
        """Return whether a tentative card was detected at its place, though something still moves there."""
        return card.id == 0 and any(
            detection.name == card.name and same_place(detection.quad, card.quad) for detection in moving
        )

    def _split_by_motion(self, seen: Sequence[Detection]) -> tuple[list[Detection], list[Detection]]:
        """Return the static foreground detections, and the moving ones, which are recorded as carried."""
        scene = self._scene
        lie: list[Detection] = []
        moving: list[Detection] = []
        for detection in seen:
            (lie if is_static(scene, detection) else moving).append(detection)
        self._client.see_in_mirror(lie)
        for detection in moving:
            self._correct_poses(detection)
        self.restless = [detection for detection in moving if scene.pile.is_other(detection, P_PROBABLE)]
        scene.see_pass([detection.quad for detection in self.restless])
        carried = [detection for detection in moving if scene.pile.is_other(detection, NUMBERS.hinted)]
        self._client.see_carried(scene.now, carried, [card.quad for card in scene.pile.all])
        return [detection for detection in lie if is_foreground(scene, detection)], moving

    def _correct_poses(self, detection: Detection) -> None:
        """Move tentative cards that a moving detection localizes better, even with a hand or another card at them."""
        for card in self._scene.pile.coming:
            if card.name == detection.name and card.placed_better(detection):
                self._set_pose(card, detection)
