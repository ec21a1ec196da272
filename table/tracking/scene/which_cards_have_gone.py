"""Scene likelihood: decides which cards have gone by the subset that explains the present image best.

One card's departure can't be judged alone: what it lay upon may have gone with it, what lay upon it may still be
there. So the image is compared with renderings of the scene with some of the cards and without the others: each
card's face as far as it is known, upper ones before lower ones, the empty mark behind. A card that is out of sight
explains nothing, and is taken to be where it was. How much of one card's place shows the background beneath it is a
`BackgroundMatch`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import Image
from table.table_geometry import MARK_PX, bounding_slices
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS, RecentFrame
from table.tracking.scene.tracked_card import TrackedCard

_Costs = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LikelihoodParameters:
    """Parameters of the scene likelihood; chosen on the scene bench's tuning set."""

    coarse: int = 4
    """Downscaling factor of the comparison: edges that are a pixel off must not count."""
    most: float = 20.0
    """Maximum cost of a pixel, levels: from this difference on it shows something else altogether."""
    unknown: float = 9.0
    """Cost of a pixel where a card's face is unknown, and maximum cost where the table is: more than noise, less than
    another thing ..."""
    paper: float = 4.0
    """... and the lower cost where such a pixel shows paper, as most of any card does, ..."""
    alike: float = 12.0
    """... within this many levels of the card's paper ..."""
    light: float = 75.0
    """... whose lightness is this percentile of the card's known pixels, for print is darker."""
    goes: float = 0.02
    """Share of a card's area that its departure must explain."""


NUMBERS: Final = LikelihoodParameters()
MIN_UNCOVERED_SHARE: Final = 0.6
"""A card has gone if at least this share of its visible place shows the background."""
_MIN_JUDGED_PX: Final = 30
"""Minimum number of pixels to judge by how much of a place shows the background."""


def find_gone_cards(
    now: RecentFrame,
    bare: Image,
    cards: Sequence[TrackedCard],
    doubtful: Collection[TrackedCard],
    opened: Mask,
) -> list[TrackedCard]:
    """Return those of the ``doubtful`` cards whose absence explains the present image best.

    Args:
        now: the present frame.
        bare: colour image of the mark without any card (colour, because a hand may be as bright as the table).
        cards: all that may lie there, the lowest first.
        doubtful: those of them that may have gone.
        opened: the static pixels that no arm covers.
    """
    open_px = _downscale(opened) > 250
    grey = _downscale(now.grey)
    shown = [_CardCosts(card, grey) for card in cards]
    unseen = [card_costs.place for card_costs in shown if card_costs.card.mark_before is None]
    table = _table_costs(now, bare, unseen)

    def cost(away: Collection[TrackedCard]) -> float:
        total = table
        for card_costs in shown:
            if card_costs.card not in away:
                total = np.where(card_costs.place, card_costs.costs, total)
        leaves = sum(card_costs.leaves for card_costs in shown if card_costs.card in away)
        return float(total[open_px].sum()) + leaves

    ways = [_descend(start, doubtful, cost) for start in ([], list(doubtful))]
    away = min(ways, key=cost)
    return [card for card in cards if card in away]


def _descend(
    start: list[TrackedCard],
    doubtful: Collection[TrackedCard],
    cost: Callable[[Collection[TrackedCard]], float],
) -> list[TrackedCard]:
    """Return a local minimum of the cost, reached from ``start`` by adding or removing one card at a time."""
    best, least = start, cost(start)
    better = True
    while better:
        better = False
        for card in doubtful:
            tried = (
                [other_card for other_card in best if other_card is not card]
                if card in best
                else [*best, card]
            )
            value = cost(tried)
            if value < least:
                best, least, better = tried, value, True
    return best


class _CardCosts:
    """The pixel costs of one card in the coarse image."""

    def __init__(self, card: TrackedCard, now: _Costs) -> None:
        self.card = card
        self.place = _downscale(card.outline_mask) > 128
        self.leaves = NUMBERS.goes * NUMBERS.most * np.count_nonzero(self.place)
        self.costs = np.full_like(now, NUMBERS.unknown)
        if card.face is not None and card.face_mask is not None:
            known, face = _downscale(card.face_mask) > 250, _downscale(card.face)
            if known.any():
                paper = np.percentile(face[known], NUMBERS.light)
                self.costs[np.abs(now - paper) < NUMBERS.alike] = NUMBERS.paper
            self.costs = np.where(known, _difference(now, face), self.costs)


def _table_costs(now: RecentFrame, bare: Image, unseen: Sequence[NDArray[np.bool_]]) -> _Costs:
    """Return the pixel costs of the bare table.

    ``unseen``: where nobody has seen it, because a card lay there from the first. It is expected to look as around.
    """
    table = _downscale(bare)
    hidden = np.zeros(table.shape[:2], np.uint8)
    for place in unseen:
        hidden[place] = 255
    if unseen:
        hidden = np.asarray(cv2.dilate(hidden, np.ones((5, 5), np.uint8)), np.uint8)
        known = np.asarray(table.round(), np.uint8)
        table = np.asarray(cv2.inpaint(known, hidden, 3, cv2.INPAINT_TELEA), np.float32)
    costs = np.asarray(_difference(_downscale(now.mark), table).mean(axis=2), np.float32)
    return np.where(hidden > 0, np.minimum(costs, NUMBERS.unknown), costs)


def _difference(now: _Costs, expected: _Costs) -> _Costs:
    return np.asarray(np.minimum(np.abs(now - expected), np.float32(NUMBERS.most)), dtype=np.float32)


def _downscale(picture: NDArray[np.uint8]) -> _Costs:
    # (By twos is the fast way.)
    side = MARK_PX // NUMBERS.coarse
    half = cv2.resize(picture, (MARK_PX // 2, MARK_PX // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, (side, side), interpolation=cv2.INTER_AREA), dtype=np.float32)


class BackgroundMatch:
    """Comparison of a card's place with the card and with the background beneath it."""

    def __init__(
        self, card: TrackedCard, grey: Grey, without: Grey, opened: Mask, upon: Mask | None = None
    ) -> None:
        """Compare the place of ``card``, whose template is known.

        Args:
            grey: the mark image.
            without: the mark as it would look without the card.
            opened: the static pixels that nothing known covers.
            upon: pixels to ignore: other cards lie there, or the background is unknown.
        """
        assert card.template_image is not None
        assert card.template_mask is not None
        box = bounding_slices(card.quad)
        look, image, background = card.template_image[box], grey[box], without[box]
        other = cv2.absdiff(look, background)
        telling = (other >= DIFFERENT_LEVELS) & (card.template_mask[box] > 0)
        open_to_view = telling & (opened[box] > 0)
        off = cv2.absdiff(image, background)
        uncovered = open_to_view & (off < cv2.absdiff(image, look)) & (off < other * 0.5)
        if upon is not None:
            telling &= upon[box] == 0
        count = np.count_nonzero(open_to_view)
        enough = count >= _MIN_JUDGED_PX
        self.visible_share = count / np.count_nonzero(telling) if enough else 0.0
        """Share of the card's telling pixels that are visible and could be judged."""
        self.uncovered_share = np.count_nonzero(uncovered) / count if enough else 0.0
        """Share of those that show, by their lightness, the background."""
