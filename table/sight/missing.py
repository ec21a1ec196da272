"""Cards that are known and that the reader did not see: do they still lie there?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.sight.bared import Bared
from table.sight.explained import gone
from table.sight.gate import Mask
from table.sight.tracked import TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class Missing:
    """The numbers of this module."""

    judged: float = 0.25
    """From so much of a card's place it can be judged whether the card has gone, ..."""
    little: float = 0.1
    """... or from so much where the whole mark is explained best without it ..."""
    gone: float = 0.6
    """... which it has where so much of that shows what lies beneath."""
    open: float = 0.7
    """Where what lies beneath is unknown: so much of its place must lie open and show nothing of the card; ..."""
    looks: int = 2
    """... in so many looks, where nobody knows either what the mark was like without it."""


NUMBERS: Final = Missing()


def away(view: View, unseen: Sequence[TrackedCard], opened: Mask) -> list[TrackedCard]:
    """Those of the cards that were not read now that have gone, by what the whole mark shows."""
    pile = view.pile
    doubtful = [card for card in pile.lying if card in unseen]
    if not doubtful:
        return []
    shown = [card for card in pile.all if card.cover is None]
    return gone(view.now, view.backdrop.mark, shown, doubtful, opened)


def judge(view: View, card: TrackedCard, present: bool, opened: Mask, away: Sequence[TrackedCard]) -> None:
    """The reader did not see a card that is known: is it still there? Others have gone ``away``."""
    if card.id == 0:
        if card.buried or view.pile.covered_since(card):
            card.missed = 0
        elif card.grey is None or _spot_open(card, opened):
            card.missed += 1
        else:
            _judge_gone(view, card, present, opened, away)
    else:
        leaves = _judge_gone(view, card, present, opened, away)
        card.leaving_ns = (card.leaving_ns or view.now_ns) if leaves else None


def _spot_open(card: TrackedCard, opened: Mask) -> bool:
    """Whether the place where a card was read lies open to view."""
    if card.hidden or card.box is None:
        return False
    x1, y1, x2, y2 = (max(0, int(value)) for value in card.box)
    part = opened[y1:y2, x1:x2]
    return bool(part.size and np.count_nonzero(part) >= 0.9 * part.size)


def _shown_without(
    view: View, card: TrackedCard, opened: Mask, away: Sequence[TrackedCard]
) -> tuple[float, float]:
    """How much of a card's place could be judged, and the share of it that shows what lies beneath, and no hand."""
    if card.without is None or card.grey is None:
        return 0.0, 0.0
    beneath = view.without([card, *away])
    opened = opened & ~view.pile.unknown([card, *away])
    place = Bared(card, view.now.grey, beneath, opened)
    # (What has been at rest for long is no hand: there the cloth itself may have been shifted, or the camera pushed.)
    hand = place.share >= NUMBERS.gone and not view.long_quiet and place.by_hand()
    return place.judged, 0.0 if hand else place.share


def _judge_gone(
    view: View, card: TrackedCard, present: bool, opened: Mask, away: Sequence[TrackedCard]
) -> bool:
    """Whether a card has gone from its place; one that was not announced is doubted instead."""
    for other in [*view.pile.above(card), *(one for one in view.pile.coming if one is not card)]:
        if other not in away and not other.missed and other.cover is None:
            opened = opened & ~other.polygon
    judged, share = _shown_without(view, card, opened, away)
    # (A look that was taken with a hand over the card may fit the bare cloth here and there.)
    if present and card not in away:
        card.missed = 0
        return False
    if judged >= (NUMBERS.little if card in away else NUMBERS.judged):
        leaves = share >= NUMBERS.gone
        if card.id == 0:
            card.missed += leaves or card.missed > 0
        return leaves and (card.id == 0 or card in away)
    # Nobody has seen what is beneath, or how the card looks where it lies now: its place lies bare to view, and
    # neither looks nor reads like itself.
    free = np.count_nonzero(opened & card.polygon) > NUMBERS.open * np.count_nonzero(card.polygon)
    card.missed = card.missed + 1 if free else 0
    if card.without is not None:
        return bool(free) and card in away
    return card.missed >= NUMBERS.looks
