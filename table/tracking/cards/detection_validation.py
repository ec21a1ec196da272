"""Detection validation: whether a detection is at rest, shows a change, and is no part of a known card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.observed_facts import MS
from table.table_geometry import bounding_slices, polygon_mask
from table.tracking.hands.paper_colour import non_paper_mask
from table.tracking.imaging.card_registration import MAX_LYING_OFFSET_PX, CardTemplate
from table.tracking.imaging.quad_geometry import (
    INDEX_ERROR_PX,
    MAX_SAME_ANGLE_DEG,
    box_centre_is_inside,
    box_corners,
)
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS, colour_difference_mask, index_has_changed
from table.tracking.scene.background_model import cards_mask
from table.tracking.scene.detections import Detection, may_be_same_card
from table.tracking.scene.scene_state import FRAME_JITTER_NS, SceneState
from table.tracking.scene.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True)
class ValidationParameters:
    """Parameters of detection validation; chosen on the simulated table."""

    shade_px: int = 3
    """Indices are compared without pixels this near to a card that lies upon them: its edge throws a shadow."""
    rests: float = 0.8
    """Minimum share of a detection's box that must be static."""
    lies_ns: int = 66 * MS
    """A card that hardly moved in this time is at rest."""
    judged: float = 0.15
    """Minimum visible share of its place to judge whether a card came to lie there (less may be the cloth at its rim,
    for outlines are only roughly known: of true cards as little as .33 looks different then)."""
    changes: float = 0.1
    """A card came if at least this share of that looks different ("gathered singly:746": invented, .04), ..."""
    bares: float = 0.35
    """... and, whatever its reading, this share of the cloth there that doesn't look like paper (of 738 cards .5 and
    more)."""


NUMBERS: Final = ValidationParameters()


def is_static(scene: SceneState, detection: Detection) -> bool:
    """Return whether nothing moves in the box of a detection."""
    x1, y1, x2, y2 = (int(value) for value in detection.box)
    part = scene.static_mask[max(0, y1) : max(0, y2) + 1, max(0, x1) : max(0, x2) + 1]
    return bool(part.size and np.count_nonzero(part) >= NUMBERS.rests * part.size)


def is_precisely_at_rest(scene: SceneState, detection: Detection) -> bool:
    """Return whether a detected card is at rest to a fraction of a pixel, compared with a frame a moment ago."""
    past = scene.history.frames_between(0, scene.now_ns - NUMBERS.lies_ns + FRAME_JITTER_NS)
    if not past or scene.is_still:
        return True  # (with a trembling camera nothing ever rests to a fraction of a pixel)
    fit = CardTemplate(scene.now.grey, polygon_mask(box_corners(detection.box))).fit(past[-1].grey)
    return fit.share >= 0.5 and fit.off_px < MAX_LYING_OFFSET_PX


def indices_have_changed(scene: SceneState, detection: Detection, absent: Sequence[TrackedCard] = ()) -> bool:
    """Return whether most of a detection's indices look different from what the known cards would show there.

    Known cards in ``absent`` are left out. Tested at each index separately, because ornaments of a known card can be
    detected as the corners of a new one. Partial occlusion by a new card, or its shadow, at an index is not evidence
    of change. But if most indices are new, the others may look as expected inside a card that has just been
    published: this card may have lain upon that one already when its template was captured.
    """
    if scene.is_first_frame:
        return True
    expected, grey = scene.render_without([*scene.tracks.leaving, *absent]), scene.now.grey
    lately = scene.cards_since_settled()
    told = [card for card in lately if card.is_published]
    upon = cards_mask(told, NUMBERS.shade_px) & ~cards_mask(told)  # (how they themselves look is expected)
    upon |= cards_mask([card for card in lately if not card.is_published], NUMBERS.shade_px)
    same = [spot for spot in detection.index_boxes if not index_has_changed(spot, grey, expected, ~upon)]
    return 2 * len(same) < len(detection.index_boxes) and all(
        any(box_centre_is_inside(spot, card.quad) for card in told) for spot in same
    )


def place_has_changed(scene: SceneState, card: TrackedCard) -> bool:
    """Return whether the visible part of a card's place has changed since before it came.

    A corner that is read as another card's, with part of it hidden, may be taken for a new card. But that would lie
    where the empty mark is visible, or upon cards that look as they did. A card without a detection at rest passes
    untested, and so does one that is confirmed by opposite corners.
    """
    if card.mark_before is None or card.last_detection is None:
        return True
    if card.is_confirmed and not card.last_detection.has_one_sided_indices:
        return True
    box, place = bounding_slices(card.quad), card.outline_mask
    # (What came later may lie upon it, be it told of already.)
    later = [
        other_card
        for other_card in scene.tracks.all
        if not other_card.is_published or other_card.static_since_ns > card.static_since_ns
    ]
    others = cards_mask(
        [other_card for other_card in later if other_card is not card and other_card.occluder is None]
    )
    hidden = others | scene.find_arm_mask() | scene.tracks.unknown_area([])
    in_sight = place[box] & ~hidden[box]
    whole, shown = np.count_nonzero(place), np.count_nonzero(in_sight)
    if shown < NUMBERS.judged * whole:
        return True
    upon = (
        cards_mask([other_card for other_card in scene.tracks.published if other_card.occluder is None])[box]
        > 0
    )
    moved = cv2.absdiff(scene.now.grey[box], scene.render_staying()[box]) >= DIFFERENT_LEVELS
    other = colour_difference_mask(scene.now.mark[box], scene.background.mark_image[box]) > 0
    changed = np.count_nonzero(np.where(upon, moved, other) & (in_sight > 0))
    if changed < NUMBERS.changes * shown:
        return False
    cloth = (in_sight > 0) & ~upon & non_paper_mask(scene, scene.background.mark_image[box])
    bare = np.count_nonzero(cloth)
    return bool(bare < NUMBERS.judged * whole or np.count_nonzero(cloth & other) >= NUMBERS.bares * bare)


def is_corner_of(card: TrackedCard, detection: Detection, seen: Sequence[Detection]) -> bool:
    """Return whether a detection is one more corner of the known ``card``.

    Another corner of it must be among the detections of this pass, ``seen``.
    """
    read = any(other.name == card.name and may_be_same_card(other, detection) for other in seen)
    return (
        read
        and card.is_confirmed
        and detection.has_one_sided_indices
        and card.pose_fits_indices_of(detection, INDEX_ERROR_PX, MAX_SAME_ANGLE_DEG)
    )
