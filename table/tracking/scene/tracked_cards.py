"""The set of tracked cards: their names, stacking, and rendering of what they should look like."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import cv2
import numpy as np

from table.detection.card_detections import Box
from table.table_geometry import MARK_PX
from table.tracking.imaging.card_registration import Grey, card_is_at_place
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.quad_geometry import (
    all_boxes_coincide,
    box_centre_is_inside,
)
from table.tracking.scene.detections import Detection
from table.tracking.scene.tracked_card import TrackedCard

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
        """Return the mask of what is unknown once the cards in ``gone`` are away.

        There a card of unknown place or face may show, or the table beneath a card that was there before it was seen.
        """
        mask = np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)
        for other in self.published:
            if other.occluder is not None:
                mask |= np.asarray(cv2.dilate(other.outline_mask, _PUSH_KERNEL), dtype=np.uint8)
            elif other in gone:
                if other.mark_before is None:
                    mask |= other.outline_mask
            elif other.face is not None and other.face_mask is not None:
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
