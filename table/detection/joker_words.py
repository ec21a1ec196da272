"""Joker words set across the card: detected as words that run down it, and read once they are turned.

A word by itself does not show whether it runs along its card or across. Only the reading decides, or another word that
is placed like the card's other corner. The finder gives the two points in the word's own direction, so for a word
across the card they are off by a quarter turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.detection.indices import joker_exceptions
from table.detection.indices.class_labels import CARDS, JOKER, NONE, apply_priors
from table.detection.indices.classifier import ClassPosteriors, TwoStageClassifier
from table.detection.indices.index_pair_geometry import IndexKeypoints, placement_error
from table.detection.indices.keypoints import FoundIndices

_SECOND_POINT_DISTANCE: Final = 1.2
"""The second point's distance below a word across, in distances of the two points along the word (as in training)."""
_MAX_CARD_PROBABILITY: Final = 0.25
"""An index read as a numbered or court card with at least this probability is no word."""
_POSSIBLE_JOKER: Final = 0.3
"""An index may be a joker, with another corner's help, if equal priors would make it one more probably than this."""
_PRIOR_POWER: Final = 6.0
"""A joker's prior counts this many times for a word across: much print resembles some word from some side."""
_PRIOR_POWER_AT_EDGE: Final = 3.5
"""The same for a word at what seems to be a card's edge: print on papers seldom lies at an edge at both ends."""
_BEYOND_EDGE: Final = (0.3, 0.5)
"""This far out from a word at a card's edge, in card widths, there is no more of the card ..."""
_MIN_COLOUR_DIFFERENCE: Final = 25.0
"""... but something that differs from its paper by at least this many levels in some colour."""
_MAX_CANDIDATES: Final = 12
"""At most this many indices of a picture, those of the highest finder score, are tried as words."""
_NUMBERED_CARDS: Final = np.array([card not in (JOKER, NONE) for card in CARDS])


@dataclass(frozen=True)
class _Rotation:
    """One rotation of an index: its keypoints, its class posterior, and the priors that the posterior contains."""

    corner: IndexKeypoints
    chances: NDArray[np.float64]
    expected: NDArray[np.float64]

    @cached_property
    def may_be_joker(self) -> bool:
        """Whether this may be a joker's word or star: its joker probability under equal priors is high enough."""
        posterior = apply_priors(self.chances[None], 1.0 / self.expected)[0]
        return float(posterior[joker_exceptions.JOKER_CLASS]) > _POSSIBLE_JOKER


def turn_by_quarters(indices: FoundIndices) -> FoundIndices:
    """Turn each index by a quarter, as for a word set across, with the card's foot to one side and to the other.

    Returns:
        Two indices for each, one after the other.
    """
    rank_to_suit = indices.rank_to_suit
    down = _SECOND_POINT_DISTANCE * np.stack([-rank_to_suit[:, 1], rank_to_suit[:, 0]], axis=1)
    twice = np.repeat(np.arange(len(indices)), 2)
    centre = indices.middle[twice]
    offsets = np.stack([down, -down], axis=1).reshape(-1, 2)
    return replace(indices[twice], rank=centre, suit=centre + offsets)


def classify_as_words(
    classifier: TwoStageClassifier,
    image: NDArray[np.uint8],
    indices: FoundIndices,
    posteriors: ClassPosteriors,
    card_px: float,
) -> tuple[FoundIndices, ClassPosteriors]:
    """Classify indices that read as no card, or as a joker, once more as words set across the card.

    Such a joker has a lower prior than others: alone it is no more than a guess, at two corners of a card it is a joker
    (table/detection/combined_posteriors.py). Where two words fit a card's corners only in certain rotations, they get
    these.

    Args:
        classifier: classifies the turned indices.
        image: the picture.
        indices: the indices, best first.
        posteriors: their class posteriors.
        card_px: the short side of a card in the picture.

    Returns:
        The indices and posteriors, with other keypoints and another reading where a word across is likelier.
    """
    candidates = np.flatnonzero(
        posteriors.probabilities[:, _NUMBERED_CARDS].max(axis=1) < _MAX_CARD_PROBABILITY
    )[:_MAX_CANDIDATES]
    if not len(candidates):
        return indices, posteriors
    # As detected, and turned only what may be a joker: all other indices stay as they were detected.
    unturned = zip(
        indices[candidates].to_keypoints(),
        posteriors.probabilities[candidates],
        posteriors.priors[candidates],
        strict=True,
    )
    turned = _classify_turned(classifier, image, indices[candidates], card_px)
    rotations = [
        [_Rotation(*rotation), *(other for other in turned[2 * k : 2 * k + 2] if other.may_be_joker)]
        for k, rotation in enumerate(unturned)
    ]
    chosen = [
        max(options, key=lambda rotation: float(rotation.chances[joker_exceptions.JOKER_CLASS]))
        for options in rotations
    ]
    for first, second, ways_of_both in _pairs_of_corners(rotations, card_px):
        chosen[first], chosen[second] = ways_of_both
    rank, suit = indices.rank.copy(), indices.suit.copy()
    chances, expected = posteriors.probabilities.copy(), posteriors.priors.copy()
    for index, rotation in zip(candidates, chosen, strict=True):
        rank[index], suit[index] = rotation.corner.rank, rotation.corner.suit
        chances[index], expected[index] = rotation.chances, rotation.expected
    return replace(indices, rank=rank, suit=suit), replace(posteriors, probabilities=chances, priors=expected)


def _classify_turned(
    classifier: TwoStageClassifier, image: NDArray[np.uint8], indices: FoundIndices, card_px: float
) -> list[_Rotation]:
    """Classify each index as a word set across, seen from its one side and from the other."""
    turned_indices = turn_by_quarters(indices)
    posteriors = classifier.classify(image, turned_indices, thorough=True)
    possible = (
        posteriors.equal_prior_probabilities[:, joker_exceptions.JOKER_CLASS] > _POSSIBLE_JOKER
    )  # (the others are not turned)
    keypoints = turned_indices.to_keypoints()
    edge_flags = np.array(
        [
            is_possible and is_at_card_edge(image, word, card_px)
            for word, is_possible in zip(keypoints, possible, strict=True)
        ]
    )
    power = np.where(edge_flags, _PRIOR_POWER_AT_EDGE, _PRIOR_POWER)[:, None]
    chances = apply_priors(posteriors.probabilities, posteriors.priors ** (power - 1))
    return [
        _Rotation(*rotation) for rotation in zip(keypoints, chances, posteriors.priors**power, strict=True)
    ]


def is_at_card_edge(image: NDArray[np.uint8], word: IndexKeypoints, card_px: float) -> bool:
    """Return whether the area beyond a word, away from its card's middle, differs from the paper around the word."""
    down = word.rank_to_suit / max(word.rank_to_suit_px, 1e-6)
    right = np.array([down[1], -down[0]])
    sideways = np.linspace(-0.12, 0.12, 7) * card_px

    def colour(out: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the median levels this far out from the word's middle; None if most of it is outside the image."""
        places = word.rank - out[:, None, None] * card_px * down + sideways[:, None] * right
        columns, rows = places.reshape(-1, 2).round().astype(int).T
        inside = (columns >= 0) & (rows >= 0) & (columns < image.shape[1]) & (rows < image.shape[0])
        return np.median(image[rows[inside], columns[inside]], axis=0) if inside.mean() > 0.5 else None

    # The paper is the lightest colour around; letters are darker.
    around = [colour(np.array([out])) for out in np.linspace(-0.15, 0.15, 7)]
    papers = [levels for levels in around if levels is not None]
    beyond = colour(np.linspace(*_BEYOND_EDGE, 7))
    if beyond is None or not papers:
        return False
    paper = max(papers, key=lambda levels: float(levels.sum()))
    return bool(np.abs(beyond - paper).max() >= _MIN_COLOUR_DIFFERENCE)


def _pairs_of_corners(
    rotations: list[list[_Rotation]], card_px: float
) -> list[tuple[int, int, tuple[_Rotation, _Rotation]]]:
    """Return pairs of indices placed like two corners of a joker, with the rotations of both; each index once."""
    joker_rotations = [[first for first in options if first.may_be_joker] for options in rotations]
    fits = []
    for i, j in combinations(range(len(joker_rotations)), 2):
        for first, second in product(joker_rotations[i], joker_rotations[j]):
            error = placement_error(first.corner, second.corner, card_px)
            if error < joker_exceptions.MAX_PLACEMENT_ERROR:
                fits.append((error, i, j, (first, second)))
    paired: set[int] = set()
    pairs = []
    for _, i, j, pair in sorted(fits, key=lambda fit: fit[:3]):
        if not {i, j} & paired:
            paired |= {i, j}
            pairs.append((i, j, pair))
    return pairs
