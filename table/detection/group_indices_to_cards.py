"""Grouping of corner indices: which of the detected indices belong to one physical card.

Two indices belong to one card when they read the same and lie a card's width or length apart in the directions given by
the "down" of the first one (table/detection/indices/index_pair_geometry.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from table.detection.combined_posteriors import combine_posteriors, same_card_probability
from table.detection.indices import joker_exceptions
from table.detection.indices.index_pair_geometry import (
    ACROSS_RANGE,
    ALONG_RANGE,
    CARD_LENGTH,
    MIN_CORNER_DISTANCE,
    OPPOSITE_RANK_DISTANCE,
    ReadIndex,
    Vector,
    placement_error,
    rank_distance,
)

_CORNER_DISTANCE = {True: (MIN_CORNER_DISTANCE, 2.0), False: (0.15, 2.6)}
"""The distance between two corners of one card, in card widths (least, most), in a rectified picture and in any other:
there cards may be strongly foreshortened, and nearer or farther than most."""

_SAME_CARD_PROBABILITY = 0.6
"""Two indices that show the same card with at least this probability belong together wherever the corners may be."""
_CERTAIN_INDEX = 0.9
"""An index read with a higher probability than this is not left over."""


def group_indices(indices: list[ReadIndex], card_px: float, *, flat: bool = True) -> list[list[int]]:
    """Group corner indices by card; each group is a list of at most four positions in ``indices``.

    Pairs are joined greedily, the likeliest first. Equal readings tolerate bent paper. Different readings are joined
    only where place and angle fit closely and at least one of the two is unsure or the fit is perfect (one doubtful
    card, not two cards).

    Args:
        indices: the indices.
        card_px: the short side of a card in the picture.
        flat: the picture is rectified. In one that is not, such as a photograph from the side, cards differ in size and
            their corners are skewed; there equal readings near each other are one card (a pack has each card once, but
            two jokers).
    """
    pairs: list[tuple[float, int, int]] = []
    for i in range(len(indices)):
        for j in range(i + 1, len(indices)):
            distance = rank_distance(indices[i], indices[j]) / card_px
            if not _CORNER_DISTANCE[flat][0] - 0.05 < distance < _CORNER_DISTANCE[flat][1] + 0.2:
                continue
            strength = _pair_strength(indices[i], indices[j], card_px, flat)
            strength = strength or 0.05 * _same_by_reading(indices[i], indices[j], card_px, flat)
            if strength > 0:
                pairs.append((strength, i, j))
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    group_of = list(range(len(indices)))
    groups: dict[int, list[int]] = {i: [i] for i in group_of}
    for _, i, j in pairs:
        a, b = group_of[i], group_of[j]
        if a == b or len(groups[a]) + len(groups[b]) > 4:
            continue
        single = min(len(groups[a]), len(groups[b])) == 1
        by_reading = single or not (flat or joker_exceptions.both_read_joker(indices[i], indices[j]))
        if all(
            _pair_strength(indices[m], indices[n], card_px, flat) > 0
            or (by_reading and _same_by_reading(indices[m], indices[n], card_px, flat))
            for m in groups[a]
            for n in groups[b]
        ):
            for n in groups[b]:
                group_of[n] = a
            groups[a] += groups.pop(b)
    joker_exceptions.join_joker_pairs(indices, groups, card_px)
    if not flat:
        _join_same_readings(indices, groups, card_px)
    return [sorted(members) for members in groups.values()]


def _join_same_readings(indices: list[ReadIndex], groups: dict[int, list[int]], card_px: float) -> None:
    """Join groups that show the same card by the readings of all their indices.

    These are far cards, whose corners are each unsure. Seen from the side, a far card's four corners lie in two narrow
    pairs, which fit no usual placement. Where a fifth index reads the same, the least sure one is no part of the card.
    """
    posteriors = {
        k: combine_posteriors([indices[m].probabilities for m in members]) for k, members in groups.items()
    }
    leftover: list[int] = []
    for a in list(groups):
        for b in list(groups):
            if a == b or a not in groups or b not in groups:
                continue
            same_reading = float(
                posteriors[a][:-1] @ posteriors[b][:-1]
            ) > _SAME_CARD_PROBABILITY and not joker_exceptions.reads_joker(posteriors[a])
            if not same_reading or not all(
                _in_reach(indices[m], indices[n], card_px) for m in groups[a] for n in groups[b]
            ):
                continue
            joined = sorted(groups[a] + groups[b], key=lambda k: -indices[k].confidence)
            rest = joined[4:]
            if len(rest) > 1 or any(indices[k].probabilities.max() > _CERTAIN_INDEX for k in rest):
                continue
            groups.pop(b)
            groups[a] = joined[:4]
            posteriors[a] = combine_posteriors([indices[m].probabilities for m in joined[:4]])
            leftover += rest
    groups.update({len(indices) + k: [k] for k in leftover})


def _in_reach(a: ReadIndex, b: ReadIndex, card_px: float) -> bool:
    """Return whether two indices may be corners of some card: the same way up or upside down, not too far apart."""
    least, most = _CORNER_DISTANCE[False]
    return abs(float(a.down @ b.down)) > 0.8 and least < rank_distance(a, b) / card_px < most


def _pair_strength(a: ReadIndex, b: ReadIndex, card_px: float, flat: bool) -> float:
    """Return the strength with which two indices belong to one card; 0 if they do not."""
    same_probability = same_card_probability(a, b)
    misplacement = placement_error(a, b, card_px)
    if same_probability >= 0.25:
        limit = joker_exceptions.MAX_PLACEMENT_ERROR if joker_exceptions.both_read_joker(a, b) else 3.0
        return 1.0 + same_probability - misplacement / limit if misplacement < limit else 0.0
    unsure = 1.0 - min(a.confidence, b.confidence)
    # Both sure of different cards: one card only if it could hardly be placed better.
    limit = 0.35 + 0.9 * unsure
    if not flat and same_probability < 0.02:
        # A photograph may show whole fans, where one index in some place or other always fits another by chance.
        limit = 0.15
    return 0.5 * (limit - misplacement) / limit if misplacement < limit else 0.0


def _same_by_reading(a: ReadIndex, b: ReadIndex, card_px: float, flat: bool) -> bool:
    """Return whether two indices are on one card by their readings and distance alone.

    Seen from the side a card is foreshortened or skewed; a pack has each card once (but two jokers), so the same
    certain reading within a card's reach, the same way up or upside down, is still that card. In a rectified picture
    corners stand where they should: else they are of two equal cards of two packs.
    """
    if same_card_probability(a, b) < _SAME_CARD_PROBABILITY:
        return False
    if joker_exceptions.both_read_joker(a, b):
        return joker_exceptions.may_be_same_joker(a, b, card_px)
    return not flat and _in_reach(a, b, card_px)


def estimate_card_width(indices: list[ReadIndex]) -> float | None:
    """Estimate the cards' short side in pixels from the indices, or return None.

    Two indices that certainly read as the same card, upside down to each other, are its opposite corners; the distance
    of their ranks is the hypotenuse of the usual distances across and along the card.
    """
    widths = []
    for i, a in enumerate(indices):
        for b in indices[i + 1 :]:
            if (
                same_card_probability(a, b) > 0.7
                and a.down @ b.down < -0.9
                and not joker_exceptions.reads_joker(a.probabilities)
            ):
                step = b.rank - a.rank
                along = abs(float(step @ (a.down - b.down))) / 2
                if (
                    0.7 < along / max(float(np.hypot(*step)), 1e-9) < 0.95
                ):  # neither on one side nor of a neighbouring card
                    widths.append(float(np.hypot(*step)) / OPPOSITE_RANK_DISTANCE)
    return float(np.median(widths)) if widths else None


def estimate_outline(indices: list[ReadIndex], card_px: float) -> NDArray[np.float64]:
    """Estimate a card's outline (4, 2), TL TR BR BL of the upright face, from its indices.

    Opposite indices give the centre and the direction by their places; for a single index, the usual place of an index
    in the upper left corner is assumed.
    """
    width, length = card_px, CARD_LENGTH * card_px
    first = indices[0]
    down = first.down
    centre: Vector | None = None
    for m in indices:
        for n in indices:
            if m is n or m.down @ n.down >= 0:
                continue
            axis = m.down - n.down
            axis = axis / max(float(np.hypot(*axis)), 1e-9)
            right = np.array([axis[1], -axis[0]])
            if abs(float((n.rank - m.rank) @ right)) > 0.4 * width:
                # Opposite corners: their middle is the card's.
                centre, down, first = (m.rank + n.rank) / 2, axis, m
                break
        if centre is not None:
            break
    right = np.array([down[1], -down[0]])
    if centre is None:
        same = [m for m in indices if m.down @ down > 0]
        spread = [float((m.rank - first.rank) @ right) for m in same]
        sideways = (
            (min(spread) + max(spread)) / 2
            if max(spread) - min(spread) > 0.4 * width
            else ACROSS_RANGE[1] / 2 * width
        )
        centre = first.rank + right * sideways + down * (ALONG_RANGE[1] / 2 * width)
    half = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    return np.array([centre + right * (x * width) + down * (y * length) for x, y in half])
