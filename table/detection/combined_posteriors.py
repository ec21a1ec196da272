"""Class posteriors of cards, combined from the readings of several corner indices."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.detection.indices.class_labels import apply_priors
from table.detection.indices.classifier import ClassPosteriors
from table.detection.indices.index_pair_geometry import ReadIndex, placement_error
from table.detection.indices.keypoints import FoundIndices

SURE: Final = 0.95
"""A card with a higher probability than this counts as certain."""
SURE_ALONE: Final = 0.9
"""A card known by one index only counts as certain from this probability."""
_CERTAIN_SCORE: Final = 0.2
"""The finder's score from which an index is accepted without a discount."""
_MISREAD_PROBABILITY: Final = 0.2
"""The probability that the reading of an index of score 0 is of another card, because part of the index is covered.

It falls with the square of 1 - score. In ten simulated games, of the readings above .95, 2 of 18 were wrong
at a score under .5, 2 of 173 from there to .8, and none of 4,925 above.
"""

Posterior = NDArray[np.float64]
"""Probabilities over `CARDS`; the last is "none"."""


def same_card_probability(a: ReadIndex, b: ReadIndex) -> float:
    """Return the probability that two indices show the same card (0 where both are sure of different cards)."""
    return float(a.probabilities[:-1] @ b.probabilities[:-1])


def combine_posteriors(readings: list[Posterior]) -> Posterior:
    """Combine the class posteriors of one card's corners into one.

    The corners share print, lamp and blur, so their errors are not independent: the product of the probabilities is
    taken to a power a little under 1.
    """
    if len(readings) == 1:
        return readings[0]
    log_sum = np.sum([np.log(np.maximum(chances, 1e-9)) for chances in readings], axis=0) * 0.85
    combined = np.exp(log_sum - log_sum.max())
    return np.asarray(combined / combined.sum())


def _with_misread_share(index: ReadIndex) -> Posterior:
    """Return an index's posterior with a share for other cards, because part of the index may be covered.

    It is for use where the card's other indices can contradict it.
    """
    misread = _MISREAD_PROBABILITY * (1.0 - min(1.0, index.score)) ** 2
    posterior = index.probabilities * (1.0 - misread)
    posterior[:-1] += misread / (len(posterior) - 1)
    return np.asarray(posterior)


def card_posterior(indices: list[ReadIndex]) -> Posterior:
    """Return the class posterior of one card from its corners.

    A single index is discounted where the finder was not sure of it or the reading is not sure: without confirmation it
    is more often no index at all.
    """
    if len(indices) > 1:
        return combine_posteriors([_with_misread_share(index) for index in indices])
    posterior = indices[0].probabilities
    weight = min(1.0, indices[0].score / _CERTAIN_SCORE) ** 0.3 * indices[0].confidence ** 0.5
    posterior = posterior * weight
    posterior[-1] += 1.0 - weight
    return np.asarray(posterior)


def apply_priors_once_per_card(
    indices: FoundIndices, posteriors: ClassPosteriors, card_px: float
) -> Posterior:
    """Apply the prior of each card once per card instead of once per corner.

    Print that resembles a joker is common; two such prints placed like a card's corners are not. So indices that read
    as the same uncommon card and are placed like its corners share the card's prior.

    Args:
        indices: the indices.
        posteriors: their class posteriors.
        card_px: the short side of a card in the picture.

    Returns:
        (n, len(CARDS)) probabilities.
    """
    unweighted = posteriors.equal_prior_probabilities
    best = unweighted.argmax(axis=1)
    uncommon = np.flatnonzero(posteriors.priors[np.arange(len(indices)), best] < 1.0)
    keypoints = dict(zip(uncommon, indices[uncommon].to_keypoints(), strict=True))
    corner_counts = np.ones(len(indices))
    for k in uncommon:
        same_card = [
            j
            for j in uncommon
            if best[j] == best[k] and placement_error(keypoints[j], keypoints[k], card_px) < 1.0
        ]
        corner_counts[k] += min(len(same_card), 3)  # (an index is never placed like another corner of itself)
    return apply_priors(unweighted, posteriors.priors ** (1.0 / corner_counts[:, None]))


def average_readings(indices: list[ReadIndex], other_passes: list[list[ReadIndex]]) -> list[ReadIndex]:
    """Average the posterior of each index with those of the same index in other detection passes.

    The finder's errors of place and angle differ from scale to scale, and with them the classifiers' errors.
    """
    result = []
    for index in indices:
        index_size = index.rank_to_suit_px
        readings = [index.probabilities]
        for detection_pass in other_passes:
            same = [
                other
                for other in detection_pass
                if float(np.hypot(*(other.middle - index.middle))) < 0.35 * index_size
                and other.down @ index.down > 0.9
            ]
            readings += [other.probabilities for other in same[:1]]
        result.append(replace(index, probabilities=np.mean(readings, axis=0)))
    return result
