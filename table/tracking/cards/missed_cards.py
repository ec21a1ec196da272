"""Missed cards: whether a known card that the detector missed still lies at its place.

Which cards have gone is told by the likelihood of the whole scene (`which_cards_have_gone`). A published card has, once
enough of its place is visible; a tentative one counts a miss.
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
    BackgroundMatch,
    find_gone_cards,
)


@dataclass(frozen=True, slots=True)
class MissedCardParameters:
    """Parameters of the judgement of missed cards."""

    judged: float = 0.1
    """Minimum visible share of a card's place to judge whether the card has gone."""
    open: float = 0.7
    """Where the background is unknown: minimum uncovered share of the place that shows nothing of the card."""


NUMBERS: Final = MissedCardParameters()


def find_departed(scene: SceneState, unseen: Sequence[TrackedCard], opened: Mask) -> list[TrackedCard]:
    """Return the undetected cards (``unseen``) that have gone, according to the likelihood of the whole scene.

    A tentative card that was covered as it landed cannot be detected where it lies, and stays.
    """
    tracks = scene.tracks
    doubtful = [
        card for card in tracks.all if card in unseen and (card.is_published or not card.occluded_at_birth)
    ]
    if not doubtful:
        return []
    shown = [card for card in tracks.all if card.occluder is None]
    return find_gone_cards(scene.now, scene.background.mark_image, shown, doubtful, opened)


def judge_missed_card(
    scene: SceneState, card: TrackedCard, present: bool, opened: Mask, away: Sequence[TrackedCard]
) -> None:
    """Update the state of a known card that the detector missed.

    A published card gets or loses its leaving stamp, a tentative one counts a miss.

    Args:
        present: whether its place shows it.
        opened: the static pixels that no arm covers.
        away: the cards that have gone, by `find_departed`.
    """
    if not card.is_published:
        if card.occluded_at_birth or scene.tracks.is_occluded_by_newer(card):
            card.forget_misses()
        elif card in away or card.template_image is None or _is_uncovered(card, opened):
            card.miss()
        elif present:
            card.forget_misses()
    elif _judge_published(scene, card, present, opened, away):
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


def _visible_share(scene: SceneState, card: TrackedCard, opened: Mask, away: Sequence[TrackedCard]) -> float:
    """Return the visible share of a card's place; 0 where nobody has seen what is beneath."""
    if card.mark_before is None or card.template_image is None:
        return 0.0
    beneath = scene.render_without([card, *away])
    opened = opened & ~scene.tracks.unknown_area([card, *away])
    return BackgroundMatch(card, scene.now.grey, beneath, opened).visible_share


def _judge_published(
    scene: SceneState, card: TrackedCard, present: bool, opened: Mask, away: Sequence[TrackedCard]
) -> bool:
    """Return whether a published card has gone, and count a miss if its place is open to view without it."""
    for other in [*scene.tracks.published_after(card), *scene.tracks.tentative]:
        if other not in away and not other.missed_detections and other.occluder is None:
            opened = opened & ~other.outline_mask
    # (A look that was taken with a hand over the card may fit the bare cloth here and there.)
    if present and card not in away:
        card.forget_misses()
        return False
    if card in away and _visible_share(scene, card, opened, away) >= NUMBERS.judged:
        return True
    # Nobody has seen what is beneath, or how the card looks where it lies now: its place lies bare to view, and
    # neither looks nor reads like itself.
    free = np.count_nonzero(opened & card.outline_mask) > NUMBERS.open * np.count_nonzero(card.outline_mask)
    if free:
        card.miss()
    else:
        card.forget_misses()
    return bool(free) and card in away
