"""Collects examples of corner indices from pictures of cards that the owner shows, for `cardtable enrol`.

A picture of one card of known name needs no reading: its indices are the two that lie like opposite corners of a card.
With several cards in one picture each is named by its reading, helped by a list of the cards that are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import Box, CardDetection, DetectedIndex
from table.detection.combined_posteriors import combine_posteriors
from table.detection.detector import Detector
from table.detection.indices import joker_exceptions
from table.detection.indices.class_labels import CARDS, JOKER, NONE
from table.detection.indices.enrolled_pack import PATCH_WINDOW, Example
from table.detection.indices.index_crop import crop_upright, upright_crop_matrix
from table.detection.indices.index_pair_geometry import (
    OPPOSITE_RANK_DISTANCE,
    IndexKeypoints,
    ReadIndex,
    placement_error,
)
from table.detection.photo_reading import MAX_SIDE_PX, read_still
from table.observed_facts import Image

_MIN_SCORE: Final = 0.03
"""The finder's score from which a detection may be a shown card's index."""
_MAX_CANDIDATES: Final = 60
"""At most this many indices of a picture are examined, those of the highest score."""
_SCALES: Final = (1.0, 1.6, 0.625, 2.5, 0.4)
"""The scales at which a still picture is searched."""
_ALONG_SHARE: Final = (0.7, 0.95)
"""How much of the distance between opposite ranks goes along the card (least, most).

Less is another card's corner, more the same side's.
"""
_RANK_TO_SUIT: Final = (0.07, 0.35)
"""The distance from rank to suit, in card widths (least, most)."""
_MIN_SINGLE_SCORE: Final = 0.8
"""The lowest value of one corner alone (2 is the most)."""
_CERTAIN_SCORE: Final = 0.3
"""The finder's score from which a shown card's index counts fully."""
_MAX_SIZE_RATIO: Final = 1.35
"""The largest ratio of the sizes of a card's two indices, as detected."""
_MAX_NEGATIVES: Final = 3
"""At most this many detections of a picture that are no index are stored, as negative examples."""
_MIN_LISTED_PROBABILITY: Final = 0.1
"""A listed card needs a reading of at least this probability to be told from the others."""
_CONTRADICTION: Final = 0.95
"""A reading that differs from the given name counts above this probability."""
_SAME_PATCH: Final = 0.95
"""The least correlation of the indices of one card that lies in two ways: 0.956 and more with a noisy camera.

Those of two cards come to 0.94 where letters differ, and to 0.99 for a 6 and an 8, which no detector reads alike.
"""
_PATCH_MARGIN_PX: Final = 30
"""By so much two patches of one index may be shifted, or show what lies around the card."""
_LETTERS: Final = frozenset("AJQK")
SURE: Final = 0.9
"""The lowest probability at which a card is learned without being named."""


@dataclass(frozen=True)
class ShownCard:
    """A shown card: its index examples, negative examples beside them, and what the detector read."""

    card: str
    corners: tuple[Example, ...]
    negatives: tuple[Example, ...]
    read: str
    confidence: float
    """The probability of ``read``."""
    position: tuple[float, float]
    """The position of its first corner, pixels."""

    @property
    def contradicts_name(self) -> bool:
        """Whether the detector is certain, by two corners, that this is another card."""
        return self.read != self.card and self.confidence > _CONTRADICTION and len(self.corners) > 1

    @property
    def is_other_card(self) -> bool:
        """Whether this is certainly another card, and not just one with an unknown letter.

        Packs differ in the letters of aces and court cards; the detector takes an unknown letter for a number, in the
        right suit. For jokers no reading proves anything: no two packs' jokers look alike.
        """
        if self.card == JOKER or self.read == self.card or self.confidence <= _CONTRADICTION:
            return False
        own_letter = self.card[:-1] in _LETTERS and self.read[:-1] not in _LETTERS
        return not (own_letter and self.card[-1] == self.read[-1])

    def looks_like(self, other: ShownCard) -> bool:
        """Return whether this is most likely the same card in another place: it reads the same, with the same index."""
        return self.read == other.read and any(
            _correlation(own.patch, its.patch) >= _SAME_PATCH for own in self.corners for its in other.corners
        )


@dataclass(frozen=True)
class _ScaleDetections:
    """The indices that were detected at one scale, with their readings."""

    indices: list[ReadIndex]
    certainties: NDArray[np.float32]
    """(n,): the finder's score as a share of a certain one, 0 to 1."""
    index_scores: NDArray[np.float64]
    """(n,): how probably each is an index, 0 to 1."""


class ExampleCollector:
    """Collects index examples from pictures with a detector."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector

    def collect_single(
        self,
        image: Image,
        card: str,
        card_px: float | None = None,
        is_new: Callable[[Box], bool] | None = None,
    ) -> ShownCard | None:
        """Return the only card in a picture, whose name is known; None if no corner can be made out.

        Args:
            image: the picture, BGR.
            card: its name.
            card_px: its short side in pixels; None: several scales are tried.
            is_new: whether an index in that box counts; None: all do.
        """
        best: tuple[float, list[int], _ScaleDetections] | None = None
        scales = (1.0,) if card_px is not None else _SCALES
        for scale in scales:
            scaled_card_px = (card_px or 100.0) * scale
            if max(image.shape) * 100.0 / scaled_card_px > MAX_SIDE_PX:
                continue
            detections = self._find_at_scale(image, scaled_card_px, is_new)
            value, members = _find_corners(
                detections, CARDS.index(card), scaled_card_px if card_px is not None else None
            )
            if members and (best is None or value > best[0]):
                best = (value, members, detections)
        if best is None:
            return None
        _, members, detections = best
        posterior = combine_posteriors([detections.indices[k].probabilities for k in members])
        read = int(posterior[:-1].argmax())
        first = detections.indices[members[0]].middle
        return ShownCard(
            card,
            tuple(Example(card, _cut_patch(image, detections.indices[k])) for k in members),
            tuple(
                Example(NONE, _cut_patch(image, detections.indices[k]))
                for k in _find_negatives(detections, members)
            ),
            CARDS[read],
            float(posterior[read]),
            (float(first[0]), float(first[1])),
        )

    def collect_several(self, image: Image, cards: Sequence[str] | None) -> list[ShownCard]:
        """Return the cards in a picture by their readings.

        Args:
            image: the picture, BGR.
            cards: the names of those that are there, each as often as it is; None: only certain readings count.
        """
        detections = read_still(self._detector, image)
        if cards is None:
            chosen = [
                (detection, detection.card)
                for detection in detections
                if detection.confidence >= SURE and not detection.indices_disagree
            ]
            doubled = {card for _, card in chosen if sum(card == other for _, other in chosen) > 1}
            chosen = [(detection, card) for detection, card in chosen if card not in doubled]
        else:
            chosen = _assign_cards(detections, cards)
        shown = []
        for detection, card in chosen:
            corners = [
                index
                for index in detection.indices
                if _probability_of(index, card) >= _MIN_LISTED_PROBABILITY
            ]
            if corners:
                examples = tuple(
                    Example(
                        card, _cut_patch(image, IndexKeypoints(np.array(index.rank), np.array(index.suit)))
                    )
                    for index in corners
                )
                best = detection.readings[0]
                shown.append(ShownCard(card, examples, (), best.card, best.confidence, corners[0].rank))
        return shown

    def _find_at_scale(
        self, image: Image, card_px: float, is_new: Callable[[Box], bool] | None
    ) -> _ScaleDetections:
        indices = self._detector.find_indices(image, card_px, _MIN_SCORE)[:_MAX_CANDIDATES]
        if is_new is not None:
            boxes = indices.box.astype(np.float64).tolist()
            indices = indices[np.array([is_new(tuple(box)) for box in boxes], np.bool_)]
        posteriors = (
            self._detector.classify_indices(image, indices) if len(indices) else np.zeros((0, len(CARDS)))
        )
        certainty = np.minimum(indices.score / _CERTAIN_SCORE, 1.0)
        return _ScaleDetections(
            indices.with_posteriors(posteriors), certainty, certainty * (1.0 - posteriors[:, -1])
        )


def _find_corners(detections: _ScaleDetections, card: int, card_px: float | None) -> tuple[float, list[int]]:
    """Find the indices of the one shown card; return their value and positions, none if undecidable."""
    indices, worths = detections.indices, detections.index_scores
    joker = card == joker_exceptions.JOKER_CLASS
    if joker:
        # No two packs' jokers look alike: the owner's word counts more than the networks' reading.
        worths = (
            1.0 - joker_exceptions.FINDER_SCORE_WEIGHT
        ) * worths + joker_exceptions.FINDER_SCORE_WEIGHT * detections.certainties
    values = [worths[k] + float(index.probabilities[card]) for k, index in enumerate(indices)]
    best: tuple[float, list[int]] = (0.0, [])
    for a in range(len(indices)):
        for b in range(a + 1, len(indices)):
            width = _opposite_width(indices[a], indices[b], joker=joker)
            if width is None or (card_px is not None and not 0.75 < width / card_px < 1.3):
                continue
            together = values[a] + values[b]
            if together > max(best[0], 0.5):
                best = (together, [a, b, *_other_corners(detections, a, b, width)])
    if not best[1] and values:
        k = int(np.argmax(values))
        if values[k] >= _MIN_SINGLE_SCORE:
            best = (values[k] / 2, [k])
    return best


def _opposite_width(a: ReadIndex, b: ReadIndex, *, joker: bool) -> float | None:
    """Return the card's short side in pixels if two indices lie like its opposite corners, else None."""
    if a.down @ b.down > -0.9:
        return None
    step = b.rank - a.rank
    distance = float(np.hypot(*step))
    along = float(step @ (a.down - b.down)) / 2
    width = distance / OPPOSITE_RANK_DISTANCE
    sizes = [a.rank_to_suit_px, b.rank_to_suit_px]
    max_size = joker_exceptions.MAX_WORD_LENGTH if joker else _RANK_TO_SUIT[1]
    if not all(_RANK_TO_SUIT[0] < size / max(width, 1e-9) < max_size for size in sizes):
        return None
    similar_sizes = max(sizes) < (joker_exceptions.MAX_SIZE_RATIO if joker else _MAX_SIZE_RATIO) * min(sizes)
    return width if similar_sizes and _ALONG_SHARE[0] < along / distance < _ALONG_SHARE[1] else None


def _other_corners(detections: _ScaleDetections, a: int, b: int, width: float) -> list[int]:
    """Return the other two indices of a pack that has four: they read like the first two, whatever those read as."""
    indices = detections.indices
    reading_of_pair = (indices[a].probabilities + indices[b].probabilities)[:-1]
    reach = indices[a].rank_to_suit_px
    others = []
    for k, index in enumerate(indices):
        if (
            k in (a, b)
            or detections.index_scores[k] < 0.3
            or float(index.probabilities[:-1] @ reading_of_pair) < 0.3
        ):
            continue
        similar_size = 0.75 < index.rank_to_suit_px / reach < _MAX_SIZE_RATIO
        if (
            similar_size
            and min(placement_error(index, indices[a], width), placement_error(index, indices[b], width))
            < 1.0
        ):
            others.append(k)
    return others[:2]


def _find_negatives(detections: _ScaleDetections, members: list[int]) -> list[int]:
    """Return detections that are no index, the best first; none for a card of which only one corner was detected."""
    if len(members) < 2:
        return []
    corners = [detections.indices[k] for k in members]
    size = corners[0].rank_to_suit_px
    return [
        k
        for k, index in enumerate(detections.indices)
        if index.probabilities[-1] > 0.5
        and all(float(np.hypot(*(index.middle - corner.middle))) > size for corner in corners)
    ][:_MAX_NEGATIVES]


def _assign_cards(detections: list[CardDetection], cards: Sequence[str]) -> list[tuple[CardDetection, str]]:
    """Assign the listed cards to detections, the most probable readings first."""
    pairs = [
        (reading.confidence, k, reading.card)
        for k, detection in enumerate(detections)
        for reading in detection.readings
        if reading.confidence >= _MIN_LISTED_PROBABILITY
    ]
    unassigned = list(cards)
    assigned: set[int] = set()
    pairs_chosen = []
    for _, k, card in sorted(pairs, key=lambda pair: -pair[0]):
        if k not in assigned and card in unassigned:
            assigned.add(k)
            unassigned.remove(card)
            pairs_chosen.append((detections[k], card))
    return pairs_chosen


def _probability_of(index: DetectedIndex, card: str) -> float:
    """Return the probability of a card in an index's readings."""
    return next((reading.confidence for reading in index.readings if reading.card == card), 0.0)


def _correlation(a: Image, b: Image) -> float:
    """Return the correlation of two patches, -1 to 1, where they agree best."""
    image, template = (np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8) for patch in (a, b))
    inside = slice(_PATCH_MARGIN_PX, -_PATCH_MARGIN_PX)
    return float(cv2.matchTemplate(image, template[inside, inside], cv2.TM_CCOEFF_NORMED).max())


def _cut_patch(image: Image, index: IndexKeypoints) -> NDArray[np.uint8]:
    """Cut the patch of an index that is stored in the pack."""
    rank, suit = (float(index.rank[0]), float(index.rank[1])), (float(index.suit[0]), float(index.suit[1]))
    return crop_upright(image, upright_crop_matrix(rank, suit, 0.0, 1.0, PATCH_WINDOW), PATCH_WINDOW)
