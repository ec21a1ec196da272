"""Reads photographs: pictures whose scale is known only roughly, and that may show cards from the side.

At the table the camera's picture is rectified and a detection pass has to be quick. Here there is time: several scales
are tried, every doubtful index is classified twice, and the picture is stretched for cards that look foreshortened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import CardDetection, score_detections
from table.detection.combined_posteriors import SURE, SURE_ALONE, average_readings
from table.detection.detector import Detector, check_image
from table.detection.group_indices_to_cards import estimate_card_width, group_indices
from table.detection.indices import joker_exceptions
from table.detection.indices.class_labels import CARDS, CARDS_OF_63, JOKER
from table.detection.indices.index_pair_geometry import ReadIndex

MAX_SIDE_PX: Final = 8000
"""The longest side, in pixels, to which a picture is scaled when its cards are 100 wide."""
_SCALES: Final = (1.0, 1.6, 0.625)
"""The scales at which a photograph is read; also at their squares, where it seems worth it."""
_NEIGHBOUR_FACTOR: Final = 2.0
"""Scales that differ by less than this factor show the same indices."""
_STRETCHES: Final = ((1.7, 1.0), (1.0, 1.7))
"""Stretch factors of a photograph, across and along, to detect foreshortened cards that lie far aside."""
_SECOND_COPY_PRIOR: Final = 0.1
"""The prior of a second copy of a card that is certainly detected elsewhere in a photograph."""
_NO_CARDS_FACTOR: Final = 0.7
"""The factor on the confidence of a single index in a picture where nothing is certainly a card."""
_SAME_INDEX_DISTANCE: Final = 0.6
"""Indices nearer than this, in distances from rank to suit, are the same one."""


@dataclass(frozen=True)
class _ScaleReading:
    """The indices that were read at one scale of a photograph, and the score of that scale."""

    score: float
    card_px: float
    indices: list[ReadIndex]


def read_still(detector: Detector, image: NDArray[np.uint8], card_px: float = 100.0) -> list[CardDetection]:
    """Detect the cards in a photograph.

    Tries the given scale and its neighbours. The result is the best of them, whose readings' confidences sum to most,
    with the certain indices of its neighbours and of the stretched picture added. This costs some ten times the work of
    `Detector.read`; more where nothing is read, or more at a neighbouring scale.

    Args:
        detector: reads the indices at each scale.
        image: (H, W, 3) BGR.
        card_px: the short side of a card in the picture, in pixels; within a factor of two of the truth is enough.

    Returns:
        As `Detector.read` does.
    """
    check_image(image, card_px)
    passes = _read_at_scales(detector, image, [card_px * factor for factor in _SCALES])
    if not passes:
        return []
    # Of equally good ones the first: the given scale, then its neighbours.
    best = max(passes, key=lambda scale_pass: scale_pass.score)
    if best.score <= 0.0 or best.card_px != card_px:
        farther = [card_px * factor**2 for factor in _SCALES[1:]]
        passes += _read_at_scales(
            detector,
            image,
            [
                scaled_px
                for scaled_px in farther
                if best.score <= 0.0 or _neighbouring(scaled_px, best.card_px)
            ],
        )
        best = max(passes, key=lambda scale_pass: scale_pass.score)
    indices = list(best.indices)
    neighbours = [
        scale_pass
        for scale_pass in passes
        if scale_pass is not best and _neighbouring(scale_pass.card_px, best.card_px)
    ]
    for scale_pass in neighbours:
        for index in scale_pass.indices:
            if index.confidence > SURE_ALONE and not any(_same_place(index, other) for other in indices):
                indices.append(index)
    indices = average_readings(indices, [scale_pass.indices for scale_pass in neighbours])
    for index in _read_stretched(detector, image, best.card_px):
        same_place = [other for other in indices if _same_place(index, other)]
        # The new index replaces less certain ones in the same place.
        if all(other.confidence <= SURE_ALONE for other in same_place):
            indices = [other for other in indices if not any(other is dropped for dropped in same_place)] + [
                index
            ]
    card_width_px = estimate_card_width(indices) or best.card_px
    detections = detector.assemble_detections(indices, card_width_px, flat=False)
    return _discount_weak(
        detector.assemble_detections(apply_one_pack_prior(indices, detections), card_width_px, flat=False)
    )


def apply_one_pack_prior(indices: list[ReadIndex], detections: list[CardDetection]) -> list[ReadIndex]:
    """Reweight the uncertain indices by the cards that are certainly detected elsewhere in the photograph.

    A pack has each card once (jokers come in pairs). And the more cards are detected of which none is an 11, 12 or 13,
    the less probable is a pack of 63 cards: each card is 52 / 63 times as likely from one.
    """
    certain = [
        detection for detection in detections if detection.confidence > SURE and detection.card != JOKER
    ]
    certain_ranks = {index.rank for detection in certain for index in detection.indices}
    weights = np.ones(len(CARDS))
    if not any(detection.card in CARDS_OF_63 for detection in certain):
        weights[[CARDS.index(card) for card in CARDS_OF_63]] = (52 / 63) ** len(
            {detection.card for detection in certain}
        )
    weights[[CARDS.index(detection.card) for detection in certain]] = _SECOND_COPY_PRIOR
    result = []
    for index in indices:
        if index.confidence < SURE_ALONE and tuple(index.rank) not in certain_ranks:
            probabilities = index.probabilities * weights
            index = replace(index, probabilities=probabilities / probabilities.sum())
        result.append(index)
    return result


def _discount_weak(detections: list[CardDetection]) -> list[CardDetection]:
    """Lower the confidence of weak detections by what the rest of the picture shows; return all, the best first.

    If nothing is certainly a card, the picture most likely shows none, because a picture with cards has some plain
    index: then single weak indices are discounted. So are weak jokers where many other cards are certain.
    """
    certain = [detection for detection in detections if detection.confidence > SURE_ALONE]
    many_others = sum(detection.card != JOKER for detection in certain) >= joker_exceptions.MIN_OTHER_CARDS

    def share(detection: CardDetection) -> float:
        if not certain:
            return _NO_CARDS_FACTOR if len(detection.indices) == 1 else 1.0
        return (
            joker_exceptions.WEAK_JOKER_FACTOR
            if many_others
            and detection.card == JOKER
            and detection.confidence < joker_exceptions.CERTAIN_JOKER
            else 1.0
        )

    discounted = [_scale_confidence(detection, share(detection)) for detection in detections]
    return sorted(discounted, key=lambda detection: -detection.confidence)


def _scale_confidence(detection: CardDetection, share: float) -> CardDetection:
    """Return a copy with the confidence of every reading multiplied by ``share``."""
    if share == 1.0:
        return detection
    return replace(
        detection,
        readings=tuple(
            replace(reading, confidence=reading.confidence * share) for reading in detection.readings
        ),
    )


def _neighbouring(px: float, other: float) -> bool:
    """Return whether two scales are so near that they show the same indices."""
    return 1 / _NEIGHBOUR_FACTOR < px / other < _NEIGHBOUR_FACTOR


def _read_at_scales(detector: Detector, image: NDArray[np.uint8], scales: list[float]) -> list[_ScaleReading]:
    """Read the picture at each scale that its size allows."""
    passes = []
    for card_px in scales:
        if not 5.0 <= card_px <= 5000.0 or max(image.shape) * 100.0 / card_px > MAX_SIDE_PX:
            continue
        indices = detector.read_indices(image, card_px, still=True)
        # The indices' distances tell the scale better than the caller does.
        detections = detector.assemble_detections(
            indices, estimate_card_width(indices) or card_px, flat=False
        )
        passes.append(_ScaleReading(score_detections(detections), card_px, indices))
    return passes


def _read_stretched(detector: Detector, image: NDArray[np.uint8], px: float) -> list[ReadIndex]:
    """Return indices of foreshortened cards, read in the picture stretched one way or the other.

    Only certain readings at two corners of a card or more count: stretched, much may look like another index.
    """
    indices_found = []
    for across, along in _STRETCHES:
        if max(image.shape[1] * across, image.shape[0] * along) * 100.0 / px > MAX_SIDE_PX:
            continue
        stretched = np.asarray(cv2.resize(image, None, fx=across, fy=along), np.uint8)
        indices = [
            index for index in detector.read_indices(stretched, px, still=True) if index.confidence > SURE
        ]
        factors = np.array([1 / across, 1 / along])
        for members in group_indices(indices, estimate_card_width(indices) or px, flat=False):
            cards = {int(indices[k].probabilities.argmax()) for k in members}
            if len(members) > 1 and len(cards) == 1:
                indices_found += [_unstretch(indices[k], factors) for k in members]
    return indices_found


def _unstretch(index: ReadIndex, factors: NDArray[np.float64]) -> ReadIndex:
    """Return a copy of the index in the pixels of the unstretched picture."""
    box = index.box * np.tile(factors, 2)
    return replace(index, rank=index.rank * factors, suit=index.suit * factors, box=box)


def _same_place(index: ReadIndex, other: ReadIndex) -> bool:
    """Return whether two indices lie in the same place."""
    return float(np.hypot(*(index.middle - other.middle))) <= _SAME_INDEX_DISTANCE * index.rank_to_suit_px
