"""The set of tracked cards: matching detections to tracks, stacking, and rendering of what they should look like."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import Box
from table.observed_facts import END_NS
from table.table_geometry import MARK_PX
from table.tracking.imaging.card_registration import Grey, Mask, card_is_at_place
from table.tracking.imaging.quad_geometry import (
    MIN_OVERLAP_PX2,
    all_boxes_coincide,
    box_centre_is_inside,
    covers_most_of,
    overlap_area,
    same_place,
)
from table.tracking.imaging.recent_frame import colour_difference_mask
from table.tracking.scene.detections import Detection
from table.tracking.scene.tracked_card import P_CONFIRMED, TrackedCard

MIN_TEMPLATE_SHARE: Final = 0.5
"""Minimum share of a card's template cells that match; no other card laid upon it reaches this."""
_PUSH_KERNEL: Final = np.ones((13, 13), np.uint8)
"""Kernel of the uncertainty of a pushed card: it lies within 4 mm of its occluder's place."""
MIN_OCCLUDED_SHARE: Final = 0.25
"""A tentative card that is occluded to this share by a later one can be published without another detection."""


class TrackSet:
    """All tracked cards: the published ones on the mark, lowest first, and the tentative ones."""

    def __init__(self, published: Iterable[TrackedCard] = (), last_id: int = 0) -> None:
        self.published = [*published]
        """Published cards on the mark, lowest first."""
        self.tentative: list[TrackedCard] = []
        """Tentative cards: detected or inferred, not yet published."""
        self.last_id = last_id
        """Id of the last published card."""

    def copy_for_new_view(self) -> TrackSet:
        """Return the published cards for a new camera view, which has no background for them yet."""
        tracks = TrackSet(self.published, self.last_id)
        for card in tracks.published:
            card.reset_background()
        return tracks

    def begin_anew(self, grey: Grey) -> None:
        """Keep the cards that were told of and those that ``grey`` shows; what they lie upon is not known any more."""
        self.tentative = [card for card in self.tentative if shows(grey, card, card.index_boxes)]
        for card in self.all:
            card.reset_background()

    @property
    def all(self) -> list[TrackedCard]:
        """All tracked cards, the published ones first."""
        return [*self.published, *self.tentative]

    @property
    def leaving(self) -> list[TrackedCard]:
        """Published cards whose places have been seen without them."""
        return [card for card in self.published if card.missing_since_ns is not None]

    @property
    def names(self) -> list[str]:
        """Likeliest names of the cards, in the order of `all`."""
        return [card.name for card in self.all]

    def is_untracked_name(self, seen: Detection, sure: float) -> bool:
        """Return whether a detection, read with at least the probability ``sure``, has the name of no tracked card."""
        return seen.readings[0].confidence >= sure and seen.name not in self.names

    def drop_unverified(self, seen: Iterable[Detection]) -> list[TrackedCard]:
        """Drop and return the tentative cards that were not confirmed.

        They were not detected again, or their indices are, as ``seen`` shows now, those of published cards.
        """
        known = [
            (detection, card) for detection in seen for card in self.published if card.name == detection.name
        ]
        shown = [
            spot
            for detection, card in known
            if self.indices_inside_outline(card, detection)
            for spot in detection.index_boxes
        ]
        dropped = [
            card
            for card in self.tentative
            if card.is_unverified or all_boxes_coincide(card.index_boxes, shown)
        ]
        self.tentative = [card for card in self.tentative if card not in dropped]
        return dropped

    def publish(self, card: TrackedCard, landed_ns: int, now_ns: int) -> None:
        """Publish a tentative card that has landed, as the topmost one."""
        self.last_id += 1
        card.publish(self.last_id, landed_ns, now_ns, self.published_names(card))
        self.tentative.remove(card)
        self.published.append(card)

    def remove(self, cards: Collection[TrackedCard]) -> None:
        """Remove published cards that have gone."""
        self.published = [card for card in self.published if card not in cards]

    def published_names(self, but: TrackedCard) -> list[str]:
        """Return the published names of all cards except ``but``."""
        return [
            card.published_readings[0].card
            for card in self.published
            if card is not but and card.published_readings
        ]

    def find_track_of(
        self,
        seen: Detection,
        present: Mapping[TrackedCard, float],
        taken: Sequence[TrackedCard],
        grey: Grey,
        named: Collection[str] = (),
        others: Collection[str] = (),
        still_ns: int = END_NS,
        sure: float = 0.0,
    ) -> TrackedCard | None:
        """Return the track that the detection ``seen`` belongs to, or None for a new card.

        Preferred are a track with the same indices, then one at the same place, then one of the same name; the
        nearest first. A card of the same name elsewhere is the same card moved, unless its own place still shows it.

        Args:
            present: the cards whose own places still show them, with the share of each that matches.
            taken: the cards that other detections of this pass are.
            grey: the present mark image.
            named: the names of all detections of this pass: a card of such a name belongs to that detection.
            others: cards that were detected at once with the name of ``seen``: it is none of those.
            still_ns: stamp since which nothing has moved over the mark: since then no card has come.
            sure: highest probability with which the card was read, now or while it was carried.
        """
        free = [card for card in self.all if card not in taken]
        free.sort(key=lambda card: math.dist(card.centre, seen.centre))
        namesakes = [card for card in free if card.name == seen.name]
        candidates = [
            card
            for card in free
            if present.get(card, 0.0) >= MIN_TEMPLATE_SHARE or not card.is_covered_by(seen, grey, sure)
        ]
        read_there = next((card for card in candidates if card.shares_indices_with(seen)), None)
        if read_there is not None:
            pushed = (card for card in namesakes if card.id and card.is_confirmed and card not in present)
            # (What is no card yet, and was not surely read, was that one from the beginning.)
            return next(pushed, read_there) if self._is_corrected_by(read_there, sure) else read_there
        at_place = [card for card in free if same_place(card.quad, seen.quad)]
        for card in (*(card for card in namesakes if card in at_place), *namesakes):
            if card in at_place or self._is_namesake(card, seen, grey, card in present):
                return card
        # (What is read as a card that lies elsewhere, as ever, is another, be it one that was seen at once with that.)
        lies = any(card.id and card.is_confirmed and card in present for card in namesakes)
        taken_names = {*named} if lies else {*named, *others}
        # What nobody could read, or saw lie, comes to light.
        for card in () if any(card in present for card in at_place) else free:
            to_light = card.is_unidentified and (
                card.occluder not in present or card.published_ns >= still_ns
            )
            if to_light and overlap_area(card.quad, seen.quad) >= MIN_OVERLAP_PX2:
                return card
            moved = self._is_uncovered(card, seen, present) or self._has_moved_to(card, seen, present)
            if card.name not in taken_names and moved:
                return card
        for card in (card for card in candidates if card.name not in taken_names):
            if self._is_misread(card, seen, sure):
                return card
        for card in (card for card in at_place if card.name not in taken_names):
            fits = present.get(card, 0.0)
            if fits and card in candidates:
                return card
        return None

    @staticmethod
    def _is_corrected_by(card: TrackedCard, sure: float) -> bool:
        """Return whether a detection with the probability ``sure`` corrects a tentative, unconfirmed ``card``."""
        return not card.id and not card.is_confirmed and sure >= P_CONFIRMED

    def _is_uncovered(self, card: TrackedCard, seen: Detection, present: Collection[TrackedCard]) -> bool:
        """Return whether ``seen`` is an inferred card whose occluder has been taken away."""
        if not (card.is_inferred and card.id):
            return False
        upon = [
            other_card
            for other_card in self.published_after(card)
            if overlap_area(other_card.quad, card.quad) >= MIN_OVERLAP_PX2
        ]
        gone = any(other_card not in present for other_card in upon)
        return gone and covers_most_of(card.quad, seen.quad)

    @staticmethod
    def _has_moved_to(card: TrackedCard, seen: Detection, present: Collection[TrackedCard]) -> bool:
        """Return whether ``seen`` is an unconfirmed card of a possible name that no longer lies at its place."""
        if card in present or card.is_confirmed or seen.name not in card.possible_names:
            return False
        return covers_most_of(card.quad, seen.quad)

    @staticmethod
    def _is_misread(card: TrackedCard, seen: Detection, sure: float) -> bool:
        """Return whether ``seen`` is a misreading of ``card``, which no other card covers, at its place."""
        # (Hardly ever a card comes to lie so that its index is where another one's is, and turned alike.)
        if sure < P_CONFIRMED and card.pose_fits_indices_of(seen):
            return True
        return card.id == 0 and covers_most_of(card.quad, seen.quad)

    @classmethod
    def _is_namesake(cls, card: TrackedCard, seen: Detection, grey: Grey, present: bool) -> bool:
        """Return whether ``seen``, of the card's own name, is that card: moved, or with a poorly known outline.

        An index that was read where the card's own face is unchanged belongs to that face, and to nothing laid upon
        it.
        """
        if not present or cls.indices_inside_outline(card, seen) or card.is_localized_better_by(seen):
            return True
        return any(
            box_centre_is_inside(spot, card.quad) and not card.place_has_changed(spot, grey)
            for spot in seen.index_boxes
        )

    @staticmethod
    def indices_inside_outline(card: TrackedCard, seen: Detection) -> bool:
        """Return whether all indices of a detection are inside the card's outline.

        One index localizes a card only roughly, so the outlines themselves may differ.
        """
        return all(box_centre_is_inside(spot, card.quad) for spot in seen.index_boxes)

    def published_after(self, card: TrackedCard) -> list[TrackedCard]:
        """Return the published cards that came after ``card``."""
        if card in self.published:
            return self.published[self.published.index(card) + 1 :]
        return []

    def is_occluded_by_newer(self, card: TrackedCard) -> bool:
        """Return whether a confirmed tentative card is occluded by newer tentative cards."""
        return (
            not card.no_visible_face
            and card.last_detection is not None
            and card.is_confirmed
            and self.occluded_share(card) >= MIN_OCCLUDED_SHARE
        )

    def occluded_share(self, card: TrackedCard) -> float:
        """Return the share of ``card`` that later tentative cards occlude."""
        place = card.outline_mask
        covered = np.zeros_like(place)
        for other in self.tentative:
            if other.static_since_ns > card.static_since_ns and not other.missed_detections:
                covered |= place & other.outline_mask
        return np.count_nonzero(covered) / np.count_nonzero(place)

    def render_without(self, background: Grey, gone: Collection[TrackedCard] = ()) -> Grey:
        """Render the grey mark image without the cards in ``gone``: the background and the other cards' faces."""
        picture = background.copy()
        for _, face, mask in self._faces_without(gone):
            np.copyto(picture, face, where=mask > 0)
        return picture

    def unknown_area(self, gone: Collection[TrackedCard]) -> Mask:
        """Return the mask where a card of unknown place or face may show once the cards in ``gone`` are away."""
        mask = np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)
        for other in self.published:
            if other.occluder is not None:
                mask |= np.asarray(cv2.dilate(other.outline_mask, _PUSH_KERNEL), dtype=np.uint8)
            elif other not in gone and other.face is not None and other.face_mask is not None:
                mask = (mask | other.outline_mask) & ~other.face_mask
        return mask

    def _faces_without(self, gone: Collection[TrackedCard]) -> list[tuple[TrackedCard, Grey, Mask]]:
        return [
            (other, other.face, other.face_mask)
            for other in self.published
            if other not in gone and other.face is not None and other.face_mask is not None
        ]


def shows(grey: Grey, card: TrackedCard, spots: Iterable[Box]) -> bool:
    """Whether a card lies at its place in ``grey``, by its whole look or by one of its indices at ``spots``.

    A card that lies nearly all beneath another one, or a hand, hardly fits, but has not moved for that.
    """
    if card.template_image is None:
        return False
    return card_is_at_place(card.template, grey) or any(
        card.match_face_in(spot, grey).share >= MIN_TEMPLATE_SHARE for spot in spots
    )


def changed_share(
    box: tuple[float, float, float, float], image: NDArray[np.uint8], back: NDArray[np.uint8]
) -> float:
    """Return the share of pixels of ``box`` that differ from the background in any colour."""
    x1, y1 = max(0, int(box[0])), max(0, int(box[1]))
    x2, y2 = min(MARK_PX, math.ceil(box[2])), min(MARK_PX, math.ceil(box[3]))
    if x2 - x1 < 2 or y2 - y1 < 2:
        return 0.0
    different = colour_difference_mask(image[y1:y2, x1:x2], back[y1:y2, x1:x2])
    return cv2.countNonZero(different) / different.size
