"""Card detections: one for each group of corner indices, without those that are only print on a card."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.combined_posteriors import SURE, SURE_ALONE, card_posterior
from table.detection.group_indices_to_cards import estimate_outline, group_indices
from table.detection.indices import joker_exceptions
from table.detection.indices.class_labels import CARDS, JOKER
from table.detection.indices.index_pair_geometry import IndexKeypoints, ReadIndex, index_side
from table.observed_facts import Image, Reading

Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""
FaceLikelihoods = Callable[[NDArray[np.floating[Any]]], NDArray[np.float64]]
"""For the outline of a card, (4, 2) TL TR BR BL: how likely its face is for each of `CARDS`, up to a factor."""

_MAX_READINGS: Final = 4
"""A card has at most this many readings: ..."""
_MIN_READING: Final = 0.001
"""... the best one, and others of at least this probability."""
_CONFLICTING_READING: Final = 0.5
"""A corner that reads as another card with more than this probability sets the detection's doubt."""
_ALIGNED_DISTANCE: Final = 0.15
_ALIGNED_DEG: Final = 15.0
"""Two cards lie aligned if their centres (card widths) and their directions differ by less than these."""
_CERTAIN_CARD: Final = 0.95
"""A reading above this is a card (its outline may be wrong, and a turned card shows its corners) ..."""
_CORNERS_HIDDEN_DEG: Final = 7.5
"""... unless both cards show opposite corners and differ so little in angle that one would hide the other's corners."""
_SAME_SYMBOL: Final = 0.35
"""Two symbols nearer than this are the same one (unit: the distance from rank to suit)."""


@dataclass(frozen=True)
class DetectedIndex:
    """A card's corner index: rank centre, suit centre and box in pixels, detector score, readings best first."""

    rank: tuple[float, float]
    suit: tuple[float, float]
    box: Box
    score: float
    readings: tuple[Reading, ...]

    @property
    def middle(self) -> tuple[float, float]:
        """The point half way between rank and suit, in pixels."""
        return (self.rank[0] + self.suit[0]) / 2, (self.rank[1] + self.suit[1]) / 2


@dataclass(frozen=True)
class CardDetection:
    """One detected physical card.

    Attributes:
        readings: best first, at most four, calibrated.
        box: (x1, y1, x2, y2), pixels, around what was detected of the card.
        quad: the estimated outline of the whole card, TL TR BR BL of its upright face, or None.
        angle_deg: the reading direction, clockwise, 0 is upright.
        indices: the indices that the detection was assembled from.
        doubt: the card's corners read differently.
    """

    readings: tuple[Reading, ...]
    box: Box
    quad: tuple[tuple[float, float], ...] | None
    angle_deg: float
    indices: tuple[DetectedIndex, ...]
    indices_disagree: bool

    @property
    def card(self) -> str:
        """The name of the likeliest card."""
        return self.readings[0].card

    @property
    def confidence(self) -> float:
        """The probability of the likeliest card."""
        return self.readings[0].confidence

    @property
    def index_boxes(self) -> tuple[Box, ...]:
        """The boxes of the card's corner indices."""
        return tuple(index.box for index in self.indices)

    @property
    def index_side(self) -> int:
        """1 if the two indices stand as printed, -1 if they are mirrored, 0 if this cannot be decided.

        In a pack with indices in all four corners two may stand mirrored, but most of its cards show more than two.
        """
        if len(self.indices) != 2:
            return int(len(self.indices) > 2)
        first, second = (IndexKeypoints(np.array(index.rank), np.array(index.suit)) for index in self.indices)
        return index_side(first, second)


class CardReader(Protocol):
    """A card detector: the `Detector`, or a fake one in tests."""

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """Return one detection for each physical card; ``card_px`` is a card's short side in pixels."""


def assemble_detections(
    indices: list[ReadIndex],
    card_px: float,
    min_confidence: float,
    *,
    flat: bool = True,
    face_likelihoods: FaceLikelihoods | None = None,
) -> list[CardDetection]:
    """Group corner indices and return one detection for each card.

    Args:
        indices: the indices.
        card_px: the short side of a card in the picture.
        min_confidence: less certain detections are left out.
        flat: the picture is rectified (see the grouping).
        face_likelihoods: what the faces of cards tell whose indices are in doubt; None: they aren't looked at.

    Returns:
        One detection for each card, the most confident first.
    """
    cards = (
        _make_detection([indices[i] for i in members], card_px, face_likelihoods)
        for members in group_indices(indices, card_px, flat=flat)
    )
    detections = [detection for detection in cards if detection.confidence >= min_confidence]
    sure = [
        np.array(detection.quad, np.float32)
        for detection in detections
        if len(detection.indices) > 1 and detection.confidence > SURE
    ]
    detections = [
        detection
        for detection in detections
        if not (
            len(detection.indices) == 1
            and detection.confidence < SURE_ALONE
            and _first_index_inside(detection, sure)
        )
    ]
    detections.sort(key=lambda detection: -detection.confidence)
    return [
        detection
        for i, detection in enumerate(detections)
        if not is_ornament(detection, detections[:i], card_px)
    ]


def _make_detection(
    indices: list[ReadIndex], card_px: float, face_likelihoods: FaceLikelihoods | None
) -> CardDetection:
    """Make the detection of one card from its indices and, where they are in doubt, its pips.

    Opposite corners show that the face between them is this card's. Of a card with one corner in sight, most may lie
    beneath another.
    """
    posterior, quad = card_posterior(indices), estimate_outline(indices, card_px)
    if face_likelihoods is not None and len(indices) > 1 and posterior[:-1].max() <= SURE:
        posterior = posterior * face_likelihoods(quad)
        posterior /= posterior.sum()
    readings = _best_readings(posterior)
    best = CARDS.index(readings[0].card)
    doubt = any(
        int(index.probabilities[:-1].argmax()) != best and index.confidence > _CONFLICTING_READING
        for index in indices
    )
    top_left = np.min([index.box[:2] for index in indices], axis=0)
    bottom_right = np.max([index.box[2:] for index in indices], axis=0)
    if len(indices) > 1:  # with opposite corners the card between them is visible too
        top_left, bottom_right = (
            np.minimum(top_left, quad.min(axis=0)),
            np.maximum(bottom_right, quad.max(axis=0)),
        )
    top_edge = quad[1] - quad[0]
    return CardDetection(
        readings,
        (float(top_left[0]), float(top_left[1]), float(bottom_right[0]), float(bottom_right[1])),
        tuple((float(x), float(y)) for x, y in quad),
        float(np.degrees(np.arctan2(top_edge[1], top_edge[0])) % 360.0),
        tuple(_make_index(index) for index in indices),
        doubt,
    )


def _make_index(index: ReadIndex) -> DetectedIndex:
    """Convert a read index to plain numbers."""
    rx, ry, sx, sy, x1, y1, x2, y2 = (float(value) for value in (*index.rank, *index.suit, *index.box))
    return DetectedIndex(
        (rx, ry), (sx, sy), (x1, y1, x2, y2), index.score, _best_readings(index.probabilities)
    )


def _best_readings(posterior: NDArray[np.float64]) -> tuple[Reading, ...]:
    """Return the likeliest readings of a class posterior, best first."""
    order = np.argsort(-posterior[:-1], kind="stable")[:_MAX_READINGS]
    return tuple(
        Reading(CARDS[number], float(posterior[number]))
        for number in order
        if number == order[0] or posterior[number] >= _MIN_READING
    )


def _first_index_inside(detection: CardDetection, outlines: list[NDArray[np.float32]]) -> bool:
    """Return whether the first index of a detection lies inside one of the outlines.

    A weak single reading on a card whose corners are both read with certainty is part of that card's picture.
    """
    middle = detection.indices[0].middle
    return any(cv2.pointPolygonTest(quad.reshape(-1, 1, 2), middle, False) > 0 for quad in outlines)


def is_ornament(detection: CardDetection, stronger: list[CardDetection], card_px: float) -> bool:
    """Return whether a detection is only part of the print on a card of higher confidence.

    Three cases. All of its indices are parts of other indices: a suit with a pip beside it, a joker's star detected
    twice. Or all of its indices lie on a joker and read as one: the other two corners of that joker's word, because
    words may be too wide to stand where a card's indices do. Or the detection is aligned with another card: courts and
    ornaments are point-symmetric about the card's centre like its corners, but no two cards show opposite corners while
    they lie exactly on top of each other, the same way up or upside down.
    """
    other_indices = [(index, other.card == detection.card) for other in stronger for index in other.indices]
    if all(any(_share_print(own, index, same) for index, same in other_indices) for own in detection.indices):
        return True
    if detection.card == JOKER:
        middles = [index.middle for index in detection.indices]
        joker_quads = [other.quad for other in stronger if other.card == JOKER and len(other.indices) > 1]
        if any(joker_exceptions.all_inside_joker(middles, quad) for quad in joker_quads):
            return True
    if len(detection.indices) < 2:
        return False
    others = [other for other in stronger if len(other.indices) > 1]
    if detection.confidence <= _CERTAIN_CARD:
        return any(_aligned(detection, other, card_px, _ALIGNED_DEG) for other in others)
    of_known_side = [other for other in others if other.index_side and detection.index_side]
    return any(_aligned(detection, other, card_px, _CORNERS_HIDDEN_DEG) for other in of_known_side)


def _aligned(a: CardDetection, b: CardDetection, card_px: float, max_deg: float) -> bool:
    """Return whether two cards would lie exactly on top of each other, the same way up or upside down."""
    if a.quad is None or b.quad is None:
        return False
    angle = abs((a.angle_deg - b.angle_deg + 90.0) % 180.0 - 90.0)
    distance = math.dist(np.mean(a.quad, axis=0), np.mean(b.quad, axis=0))
    return angle < max_deg and distance < _ALIGNED_DISTANCE * card_px


def _share_print(a: DetectedIndex, b: DetectedIndex, same: bool) -> bool:
    """Return whether two indices share a symbol (rank or suit); for the ``same`` card nearness is enough."""
    reach = min(math.dist(index.rank, index.suit) for index in (a, b))
    distance = min(math.dist(p, q) for p in (a.rank, a.suit) for q in (b.rank, b.suit))
    return distance < _SAME_SYMBOL * reach or (same and math.dist(a.middle, b.middle) < reach)


def score_detections(detections: list[CardDetection]) -> float:
    """Score how much a detection pass detected, to compare passes at several scales.

    Confident readings add to the score, and a little more where several corners were joined to one card. The same card
    in two places subtracts: its corners are too far apart for the scale.
    """
    best_by_card: dict[str, float] = {}
    adjustment = 0.0
    for detection in detections:
        if detection.confidence < 0.5:
            continue
        if detection.card in best_by_card:
            adjustment -= 0.2
        best_by_card[detection.card] = max(best_by_card.get(detection.card, 0.0), detection.confidence**2)
        adjustment += 0.1 * (len(detection.indices) > 1) - 0.3 * detection.indices_disagree
    return sum(best_by_card.values()) + adjustment
