"""Missed cards: whether a known card that the detector missed still lies at its place.

Which published cards have gone is told by the likelihood of the whole scene (`which_cards_have_gone`), once enough of a
card's place is visible. A tentative card is judged by its own place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.tracking.imaging.motion_detection import Mask
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.scene.which_cards_have_gone import (
    MIN_UNCOVERED_SHARE,
    BackgroundMatch,
    find_gone_cards,
)


@dataclass(frozen=True, slots=True)
class MissedCardParameters:
    """Parameters of the judgement of missed cards."""

    judged: float = 0.25
    """Minimum visible share of a card's place to judge whether the card has gone, ..."""
    little: float = 0.1
    """... or the minimum if the whole mark is explained best without the card."""
    open: float = 0.7
    """Where the background is unknown: minimum uncovered share of the place that shows nothing of the card."""


NUMBERS: Final = MissedCardParameters()


def find_departed(scene: SceneState, unseen: Sequence[TrackedCard], opened: Mask) -> list[TrackedCard]:
    """Return the undetected cards (``unseen``) that have gone, according to the likelihood of the whole scene."""
    tracks = scene.tracks
    doubtful = [card for card in tracks.published if card in unseen]
    if not doubtful:
        return []
    shown = [card for card in tracks.all if card.occluder is None]
    return find_gone_cards(scene.now, scene.background.mark_image, shown, doubtful, opened)


def judge_missed_card(
    scene: SceneState, card: TrackedCard, present: bool, opened: Mask, away: Sequence[TrackedCard]
) -> None:
    """Update the state of a known card that the detector missed; the cards ``find_departed`` have gone.

    A published card gets or loses its leaving stamp, a tentative one counts a miss.
    """
    if not card.is_published:
        if card.occluded_at_birth or scene.tracks.is_occluded_by_newer(card):
            card.forget_misses()
        elif card.template_image is None or _is_uncovered(card, opened):
            card.miss()
        else:
            _judge_place(scene, card, present, opened, away)
    elif _judge_place(scene, card, present, opened, away):
        card.mark_missing(scene.now_ns)
    else:
        card.mark_present()


def _is_uncovered(card: TrackedCard, opened: Mask) -> bool:
    """Return whether the place where a card was read is uncovered."""
    if card.no_visible_face or card.last_detection is None:
        return False
    x1, y1, x2, y2 = (max(0, int(value)) for value in card.last_detection.box)
    part = opened[y1:y2, x1:x2]
    return bool(part.size and np.count_nonzero(part) >= 0.9 * part.size)


def _visible_and_uncovered(
    scene: SceneState, card: TrackedCard, opened: Mask, away: Sequence[TrackedCard]
) -> tuple[float, float]:
    """Return the visible share of a card's place, and the share of it that shows the background."""
    if card.mark_before is None or card.template_image is None:
        return 0.0, 0.0
    beneath = scene.render_without([card, *away])
    opened = opened & ~scene.tracks.unknown_area([card, *away])
    place = BackgroundMatch(card, scene.now.grey, beneath, opened)
    return place.visible_share, place.uncovered_share


def _judge_place(
    scene: SceneState, card: TrackedCard, present: bool, opened: Mask, away: Sequence[TrackedCard]
) -> bool:
    """Return whether a published card has gone, and count or forget a card's miss by what its place shows.

    The place of a published card is missed only where nobody has seen what is beneath; of a tentative card the misses
    decide whether it is dropped.
    """
    for other in [
        *scene.tracks.published_after(card),
        *(other_card for other_card in scene.tracks.tentative if other_card is not card),
    ]:
        if other not in away and not other.missed_detections and other.occluder is None:
            opened = opened & ~other.outline_mask
    judged, share = _visible_and_uncovered(scene, card, opened, away)
    # (A look that was taken with a hand over the card may fit the bare cloth here and there.)
    if present and card not in away:
        card.forget_misses()
        return False
    if judged >= (NUMBERS.little if card in away else NUMBERS.judged):
        if not card.is_published and (share >= MIN_UNCOVERED_SHARE or card.missed_detections):
            card.miss()
        return card in away
    # Nobody has seen what is beneath, or how the card looks where it lies now: its place lies bare to view, and
    # neither looks nor reads like itself.
    free = np.count_nonzero(opened & card.outline_mask) > NUMBERS.open * np.count_nonzero(card.outline_mask)
    if free:
        card.miss()
    else:
        card.forget_misses()
    return bool(free) and card in away
