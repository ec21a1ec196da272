"""Undetected cards: proposals for what no detection in this frame shows, beneath others, face down or mirrored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from table.observed_facts import MS
from table.table_geometry import polygon_mask
from table.tracking.cards.cards_covered_as_they_land import find_occluded_births
from table.tracking.cards.detection_scheduler import DetectionScheduler
from table.tracking.cards.landing import LandingDetector
from table.tracking.cards.publish_card_facts import ReadyCards
from table.tracking.cards.run_detector_on_mark import DetectorClient
from table.tracking.hands.carried_card_evidence import NUMBERS as CARRIED
from table.tracking.hands.hand_payload import find_occluder_of_undetected
from table.tracking.imaging.face_down_cards import find_card_shapes
from table.tracking.imaging.recent_frame import (
    DIFFERENT_LEVELS,
    MIN_CORRELATION,
    colour_difference_mask,
    correlation,
)
from table.tracking.scene.background_model import cards_mask
from table.tracking.scene.landing_order import cards_overlap
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_CONFIRMED, TrackedCard


@dataclass(frozen=True, slots=True)
class UndetectedParameters:
    """Parameters of the proposals for undetected cards."""

    puzzled_ns: int = 230 * MS
    """For this long at rest an unexplained object, which may be another card, is waited for."""
    sliver_px: int = 25
    """Minimum unexplained static area, small pixels, of a card that was seen to come ..."""
    unexplained_px: int = 110
    """... and of one that was not (a tenth of a card)."""
    unreadable_ms: int = 200
    """Time at rest after which what no detection pass could read may be a card face down ..."""
    shapes_every_ns: int = 200 * MS
    """... and the time between two searches for its shape."""
    in_sight: float = 0.25
    """If the unexplained area is at least this share of a card, it is a visible card that is not detected yet, and no
    hidden one is inferred (.43; of 9 that were brought and lie beneath another up to .1)."""


NUMBERS: Final = UndetectedParameters()


class UndetectedCards:
    """Proposes cards that detection in the present frame cannot find."""

    def __init__(
        self,
        scene: SceneState,
        client: DetectorClient,
        scheduler: DetectionScheduler,
        landing_detector: LandingDetector,
    ) -> None:
        self._scene = scene
        self._client = client
        self._scheduler = scheduler
        self._landing_detector = landing_detector
        self._shapes_searched_ns = 0
        """Stamp at which shapes of cards were searched for last."""

    def find_face_down_if_due(self) -> None:
        """Search for cards face down now and then, while nothing else is to be detected, and when motion starts.

        A hand that moves may cover them. So the search does not wait then until missed cards are judged: those may lie
        beneath one.
        """
        scene, scheduler = self._scene, self._scheduler
        if scene.tracks.tentative:
            return
        interval_is_over = scene.now_ns - self._shapes_searched_ns >= NUMBERS.shapes_every_ns
        if (interval_is_over and not scheduler.awaits_detection()) or (
            scene.motion_starts and not scheduler.needs_detection()
        ):
            self.find_face_down()

    def search_beneath(self, ready: ReadyCards | None) -> list[TrackedCard]:
        """Search for cards beneath those that are ``ready``; return the ready ones if there can be none.

        Confirmed cards don't wait for what else is seen at rest: that is published when it is known.
        """
        if ready is None:
            return []
        confirmed = all(card.is_confirmed for card in ready.cards)
        if ready.may_wait and not confirmed and not self._nothing_unexplained():
            return []
        return ready.cards if not self._add_cards_beneath(ready) and ready.are_known else []

    def _nothing_unexplained(self) -> bool:
        """Return whether nothing unexplained may be another card, or the time to look for one is over."""
        scene, least = self._scene, self._min_unexplained_px()
        return (
            scene.still_for_ns > NUMBERS.puzzled_ns
            or cv2.countNonZero(scene.unexplained_static_mask(least)) < least
        )

    def _add_cards_beneath(self, ready: ReadyCards) -> bool:
        """Add cards beneath those that are ready; return whether there are some, or may be while a hand stays."""
        scene = self._scene
        stays = scene.has_motion and not ready.are_taken
        hands = self._landing_detector.find_hands(ready.cards)
        if hands.surplus > 0 and stays and ready.may_wait:
            return True  # a hand that is still there may hide it
        self._scheduler.detect_in_past_frames(hands.frames)
        beneath = find_occluded_births(scene, self._client.carried, hands.surplus)
        if not beneath and hands.surplus > 0 and not stays:
            beneath = self._find_delivered_card()
        for card in beneath:
            scene.tracks.tentative.insert(0, card)
            scene.invalidate_arms()
        return bool(beneath)

    def _min_unexplained_px(self) -> int:
        """Return the minimum unexplained area (small pixels) that may be a card."""
        since_ns = self._scene.now_ns - CARRIED.kept_ns
        coming = self._client.carried.probable_names(since_ns).difference(self._scene.tracks.names)
        return NUMBERS.sliver_px if coming else NUMBERS.unexplained_px

    def _find_delivered_card(self) -> list[TrackedCard]:
        """Return a new track for a card that a hand delivered unseen, beneath one that landed with it; at most one.

        A confirmed reading of a carried card that was taken for a misreading of a known one was that card. None is
        returned if an unexplained object may be the delivered card, not detected yet.
        """
        scene = self._scene
        cover = find_occluder_of_undetected(scene)
        if cover is None:
            return []
        least = round(NUMBERS.in_sight * cv2.countNonZero(scene.geometry.small_polygon_mask(cover.quad)))
        if cv2.countNonZero(scene.unexplained_static_mask(least)) >= least:
            return []
        card = TrackedCard(
            cover.quad,
            cover.first_detected_ns,
            mark_before=scene.render_staying(),
            occluded_at_birth=True,
            no_visible_face=True,
        )
        card.hide_under(cover)
        way = self._client.carried.detections_of_unknown_card(scene.tracks.names)
        for detection in way:
            card.add_readings(detection.detection.readings)
        self._client.carried.relabel(way, card.name)
        return [card]

    def find_face_down(self) -> bool:
        """Add cards for unreadable objects that have been at rest and have the shape and the edges of a card.

        Return whether there are some.
        """
        scene = self._scene
        self._shapes_searched_ns = scene.now_ns
        leaving = scene.tracks.leaving
        bare = scene.render_staying()
        known = cards_mask([card for card in scene.tracks.published if card not in leaving])
        _, changed = cv2.threshold(
            cv2.absdiff(scene.now.grey, bare), DIFFERENT_LEVELS - 1, 255, cv2.THRESH_BINARY
        )
        changed_beside_cards = colour_difference_mask(scene.now.mark, scene.background.mark_image) & ~known
        at_rest = scene.geometry.warp_mask_to_mark(scene.motion.static_mask(NUMBERS.unreadable_ms))
        hidden = scene.find_arm_mask() | scene.tracks.unknown_area(leaving)
        unexplained = (np.asarray(changed, np.uint8) | changed_beside_cards) & at_rest & ~hidden
        for quad in find_card_shapes(unexplained, known, scene.now.grey):
            place = polygon_mask(quad) > 0
            if correlation(scene.now.grey[place], bare[place]) >= MIN_CORRELATION:
                continue  # (what lay there before, out of focus or in a shadow)
            face_down = TrackedCard(quad, scene.now_ns, no_visible_face=True, mark_before=bare)
            self._add_tentative(face_down)
            for card in leaving:  # (it may lie beneath: the next pass judges it again)
                if cards_overlap(card, face_down):
                    card.mark_present()
        if not scene.tracks.tentative:
            return False
        self._detect_mirrored()
        if leaving:  # (they may lie beneath it)
            self._scheduler.request(scene.now_ns)
        return True

    def _detect_mirrored(self) -> None:
        """Detect face-down or unreadable cards in the mirrored image, to find out whether the camera mirrors."""
        scene = self._scene
        picture = np.ascontiguousarray(scene.now.mark[:, ::-1])
        known = {card.name for card in scene.tracks.all}
        self._client.record_handedness(
            [
                replace(detection, handedness=-1)
                for detection in self._client.run_detector(picture)
                if detection.readings[0].confidence >= P_CONFIRMED and detection.name not in known
            ]
        )

    def _add_tentative(self, card: TrackedCard) -> None:
        self._scene.tracks.tentative.append(card)
        self._scene.capture_template(card)
        self._scene.invalidate_arms()
