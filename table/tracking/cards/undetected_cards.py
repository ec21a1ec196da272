"""Proposals for cards that the detector can't read: beneath others, face down, or in a mirrored image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from table.facts import MS
from table.geometry import Points, polygon_mask
from table.tracking.cards.detector_client import DetectorClient
from table.tracking.cards.occluded_births import find_occluded_births
from table.tracking.hands.carried_detections import NUMBERS as CARRIED
from table.tracking.hands.hand_payload import find_occluder_of_undetected
from table.tracking.imaging.edge_fit import refine_outline
from table.tracking.imaging.face_down import find_card_shape
from table.tracking.imaging.motion import Mask
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS, colour_difference_mask
from table.tracking.imaging.registration import find_first_at_rest
from table.tracking.scene.background_model import cards_mask
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_CONFIRMED, P_PROBABLE, TrackedCard


@dataclass(frozen=True, slots=True)
class UndetectedParameters:
    """Parameters of the proposals for undetected cards."""

    back_ns: tuple[int, ...] = (30 * MS, 95 * MS, 160 * MS, 260 * MS)
    """Times before the landing of a card at which frames are searched for another one beneath it."""
    sliver_px: int = 25
    """Minimum unexplained static area, small pixels, of a card that was seen to come ..."""
    unexplained_px: int = 110
    """... and of one that was not (a tenth of a card)."""
    in_sight: float = 0.25
    """If the unexplained area is at least this share of a card, it is a visible card that is not detected yet, and no
    hidden one is inferred (.43; of 9 that were brought and lie beneath another up to .1)."""


NUMBERS: Final = UndetectedParameters()


class UndetectedCards:
    """Proposes cards that detection in the present frame cannot find."""

    def __init__(self, scene: SceneState, client: DetectorClient) -> None:
        self._scene = scene
        self._client = client

    def least_px(self) -> int:
        """Return the minimum unexplained area (small pixels) that may be a card."""
        since_ns = self._scene.now_ns - CARRIED.kept_ns
        coming = self._client.carried.well(since_ns).difference(self._scene.pile.names)
        return NUMBERS.sliver_px if coming else NUMBERS.unexplained_px

    def look_back(self) -> None:
        """Detect a partly covered card in earlier frames, from before another one fell upon it."""
        scene = self._scene
        least = self.least_px()
        puzzle = scene.unexplained(least)
        newest = [card for card in scene.pile.coming if card.grey is not None]
        if cv2.countNonZero(puzzle) < least or not newest or len(scene.history) < 3:
            return
        past, stamps = scene.history.all, scene.history.stamps
        greys, still_px = scene.history.greys, scene.at_rest_px
        top = stamps[min(find_first_at_rest(card.patch, greys, stamps, still_px) for card in newest)]
        tried = -1
        for back_ns in NUMBERS.back_ns:
            at = scene.history.position(top - back_ns)
            if stamps[at] >= top or at == tried:
                continue
            tried = at
            found = self._client.read(past[at].mark)
            unseen = {card.name for card in scene.pile.all} - {detection.name for detection in found}
            for detection in found:
                quad = refine_outline(detection.quad, scene.now.grey)
                other = scene.pile.is_other(detection, P_PROBABLE) and not unseen & detection.likely
                if other and self._explains(quad, puzzle):
                    card = TrackedCard(quad, scene.now_ns, without=scene.without())
                    card.read(detection.readings)
                    card.seen, card.box = detection, detection.box
                    self._add_tentative(card)
                    return

    def _explains(self, quad: Points, puzzle: Mask) -> bool:
        """Return whether the unexplained small pixels ``puzzle`` may be the visible part of a card at ``quad``."""
        where = self._scene.geometry.to_mark(puzzle)
        within = np.count_nonzero(where & polygon_mask(quad))
        if within < 0.5 * np.count_nonzero(where):
            return False
        if cv2.countNonZero(puzzle) >= NUMBERS.unexplained_px:
            return True
        # So little may be of anything: it must be nearly all that can be in sight of the card.
        out = polygon_mask(quad) & ~cards_mask(self._scene.pile.all)
        return bool(np.count_nonzero(where & out) >= 0.5 * np.count_nonzero(out))

    def find_buried(self, hands: Sequence[float], left: int) -> None:
        """Add cards that were read while carried and now lie wholly beneath others.

        Args:
            hands: entry directions of hands that brought more than the known cards.
            left: the number of hands in excess of the known cards, whichever they are.
        """
        for card in find_occluded_births(self._scene, self._client.carried, hands, left):
            self._scene.pile.coming.insert(0, card)
            self._scene.cards_changed()

    def find_brought(self) -> None:
        """Add a card that a hand delivered unseen, beneath one that landed with it.

        A confirmed reading of a carried card that was taken for a misreading of a known one was that card. Nothing is
        added if an unexplained object may be the delivered card, not detected yet.
        """
        scene = self._scene
        cover = find_occluder_of_undetected(scene)
        if cover is None:
            return
        least = round(NUMBERS.in_sight * cv2.countNonZero(scene.geometry.polygon_in_small(cover.quad)))
        if cv2.countNonZero(scene.unexplained(least)) >= least:
            return
        card = TrackedCard(cover.quad, cover.first_ns, without=scene.without(), buried=True, hidden=True)
        card.tuck(cover)
        way = self._client.carried.way_of_another(scene.pile.names)
        for detection in way:
            card.read(detection.found.readings)
        self._client.carried.are_one(way, card.name)
        scene.pile.coming.insert(0, card)

    def find_face_down(self) -> None:
        """Add a face-down card if something unreadable at rest has the shape of a card."""
        scene = self._scene
        puzzle = scene.unexplained(NUMBERS.unexplained_px)
        if cv2.countNonZero(puzzle) < NUMBERS.unexplained_px:
            return
        bare = scene.without()
        _, changed = cv2.threshold(
            cv2.absdiff(scene.now.grey, bare), DIFFERENT_LEVELS - 1, 255, cv2.THRESH_BINARY
        )
        other = colour_difference_mask(scene.now.mark, scene.backdrop.mark)
        other = np.asarray(
            cv2.bitwise_and(other, cv2.bitwise_not(cards_mask(scene.pile.lying))), dtype=np.uint8
        )
        quad = find_card_shape(np.asarray(cv2.bitwise_or(changed, other), dtype=np.uint8))
        if quad is None or np.count_nonzero(scene.geometry.to_mark(puzzle) & polygon_mask(quad)) == 0:
            return
        self._add_tentative(TrackedCard(quad, scene.now_ns, hidden=True, without=bare))

    def look_in_mirror(self) -> None:
        """Detect face-down or unreadable cards in the mirrored image, to find out whether the camera mirrors."""
        scene = self._scene
        if not any(card.hidden for card in scene.pile.coming):
            return
        picture = np.ascontiguousarray(scene.now.mark[:, ::-1])
        known = {card.name for card in scene.pile.all}
        self._client.see_in_mirror(
            [
                replace(detection, side=-1)
                for detection in self._client.read(picture)
                if detection.readings[0].confidence >= P_CONFIRMED and detection.name not in known
            ]
        )

    def _add_tentative(self, card: TrackedCard) -> None:
        self._scene.pile.coming.append(card)
        self._scene.settle(card)
        self._scene.cards_changed()
