"""From indices to cards: which of the seen corner indices belong to one physical card.

Two indices are one card when they read alike and lie a card's width or length apart in the directions that the first
one's "down" gives (table/reader/corners.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from table.reader import jokers
from table.reader.corners import ACROSS, ALONG, DIAGONAL, LENGTH, NEAREST, Mark, Vector, apart, placement
from table.reader.evidence import agreement, combine

_REACH = {True: (NEAREST, 2.0), False: (0.15, 2.6)}
"""How far apart two corners of one card lie, in card widths, in a rectified picture and in any other: there cards may
be much shortened, and nearer or farther than most."""

_ALIKE = 0.6
"""So probably the same card by what is read, two marks are one card wherever a card's corners may stand."""
_PLAIN = 0.9
"""An index read more surely than this is not left over."""


def group(marks: list[Mark], card_px: float, *, flat: bool = True) -> list[list[int]]:
    """Put indices together to cards; each group is a list of numbers into `marks`, at most four.

    Pairs are joined greedily, the likeliest first. Equal readings forgive bent paper and perspective (a pack has
    each card once, but two jokers); different readings are joined only where place and angle fit closely and at
    least one of the two is unsure or the fit is perfect (a doubt, not two cards).

    Args:
        marks: the indices.
        card_px: the short side of a card in the picture.
        flat: the picture is rectified. In one that is not, such as a photograph from the side, cards differ in size and
            their corners stand askew; there equal readings near each other are one card.
    """
    pairs: list[tuple[float, int, int]] = []
    for i in range(len(marks)):
        for j in range(i + 1, len(marks)):
            gap = apart(marks[i], marks[j]) / card_px
            if not _REACH[flat][0] - 0.05 < gap < _REACH[flat][1] + 0.2:
                continue
            value = _together(marks[i], marks[j], card_px, flat)
            value = value or 0.05 * _same_card(marks[i], marks[j], card_px, flat)
            if value > 0:
                pairs.append((value, i, j))
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    where = list(range(len(marks)))
    groups: dict[int, list[int]] = {k: [k] for k in where}
    for _, i, j in pairs:
        a, b = where[i], where[j]
        if a == b or len(groups[a]) + len(groups[b]) > 4:
            continue
        alone = min(len(groups[a]), len(groups[b])) == 1
        near = alone or not (flat or jokers.both_jokers(marks[i], marks[j]))
        if all(
            _together(marks[m], marks[n], card_px, flat) > 0
            or (near and _same_card(marks[m], marks[n], card_px, flat))
            for m in groups[a]
            for n in groups[b]
        ):
            for n in groups[b]:
                where[n] = a
            groups[a] += groups.pop(b)
    jokers.join_words(marks, groups, card_px)
    if not flat:
        _join_alike(marks, groups, card_px)
    return [sorted(members) for members in groups.values()]


def _join_alike(marks: list[Mark], groups: dict[int, list[int]], card_px: float) -> None:
    """Join groups that are the same card by all that each of them reads: far cards, whose corners are each unsure.

    Seen from the side, a far card's four corners stand in two narrow pairs, which no usual place explains. Where a
    fifth index reads alike, the least sure is no part of the card.
    """
    whole = {k: combine([marks[m].probabilities for m in members]) for k, members in groups.items()}
    over: list[int] = []
    for a in list(groups):
        for b in list(groups):
            if a == b or a not in groups or b not in groups:
                continue
            alike = float(whole[a][:-1] @ whole[b][:-1]) > _ALIKE and not jokers.reads_joker(whole[a])
            if not alike or not all(
                _in_reach(marks[m], marks[n], card_px, False) for m in groups[a] for n in groups[b]
            ):
                continue
            both = sorted(groups[a] + groups[b], key=lambda k: -marks[k].sureness)
            left = both[4:]
            if len(left) > 1 or any(marks[k].probabilities.max() > _PLAIN for k in left):
                continue
            groups.pop(b)
            groups[a] = both[:4]
            whole[a] = combine([marks[m].probabilities for m in both[:4]])
            over += left
    groups.update({len(marks) + k: [k] for k in over})


def _in_reach(a: Mark, b: Mark, card_px: float, flat: bool) -> bool:
    """Whether two indices stand like corners of some card: the same way up or upside down, not too far apart."""
    gap = apart(a, b) / card_px
    return abs(float(a.down @ b.down)) > 0.8 and _REACH[flat][0] < gap < _REACH[flat][1]


def _together(a: Mark, b: Mark, card_px: float, flat: bool) -> float:
    """Strength with which two indices belong together; 0: they don't."""
    same = agreement(a, b)
    place = placement(a, b, card_px)
    if same >= 0.25:
        reach = jokers.REACH if jokers.both_jokers(a, b) else 3.0
        return 1.0 + same - place / reach if place < reach else 0.0
    unsure = 1.0 - min(a.sureness, b.sureness)
    # Both sure of different cards: one card only if it could hardly be placed better.
    limit = 0.35 + 0.9 * unsure
    if not flat and same < 0.02:
        # A photograph may show whole fans, where one index in some place or other always fits another by chance.
        limit = 0.15
    return 0.5 * (limit - place) / limit if place < limit else 0.0


def _same_card(a: Mark, b: Mark, card_px: float, flat: bool) -> bool:
    """Whether two indices are the same card by their readings and nearness alone.

    Seen from the side a card is shortened or skewed; a pack has each card once (but two jokers), so the same sure
    reading within a card's reach, the same way up or upside down, is still that card. Two packs shuffled together
    keep their equal cards apart by the better fit of each one's own corners, which are joined first.
    """
    if agreement(a, b) < _ALIKE:
        return False
    if jokers.both_jokers(a, b):
        return jokers.same_joker(a, b, card_px)
    return _in_reach(a, b, card_px, flat)


def card_width(marks: list[Mark]) -> float | None:
    """The cards' short side in pixels as the indices tell it, or None.

    Two indices that are surely read as the same card, upside down to each other, are its opposite corners; their
    ranks' distance is the hypotenuse of the usual distances across and along.
    """
    widths = []
    for i, a in enumerate(marks):
        for b in marks[i + 1 :]:
            if agreement(a, b) > 0.7 and a.down @ b.down < -0.9 and not jokers.reads_joker(a.probabilities):
                step = b.rank - a.rank
                along = abs(float(step @ (a.down - b.down))) / 2
                if (
                    0.7 < along / max(float(np.hypot(*step)), 1e-9) < 0.95
                ):  # neither one side's nor a neighbour's
                    widths.append(float(np.hypot(*step)) / DIAGONAL)
    return float(np.median(widths)) if widths else None


def outline(marks: list[Mark], card_px: float) -> NDArray[np.float64]:
    """The card's outline (4, 2): TL TR BR BL of the upright face, estimated from its indices.

    With opposite indices the centre and the direction come from their places; with one, the usual place of an
    index in the left upper corner is assumed.
    """
    width, length = card_px, LENGTH * card_px
    first = marks[0]
    down = first.down
    centre: Vector | None = None
    for m in marks:
        for n in marks:
            if m is n or m.down @ n.down >= 0:
                continue
            turn = m.down - n.down
            turn = turn / max(float(np.hypot(*turn)), 1e-9)
            right = np.array([turn[1], -turn[0]])
            if abs(float((n.rank - m.rank) @ right)) > 0.4 * width:
                # Opposite corners: their middle is the card's.
                centre, down, first = (m.rank + n.rank) / 2, turn, m
                break
        if centre is not None:
            break
    right = np.array([down[1], -down[0]])
    if centre is None:
        same = [m for m in marks if m.down @ down > 0]
        spread = [float((m.rank - first.rank) @ right) for m in same]
        sideways = (
            (min(spread) + max(spread)) / 2
            if max(spread) - min(spread) > 0.4 * width
            else ACROSS[1] / 2 * width
        )
        centre = first.rank + right * sideways + down * (ALONG[1] / 2 * width)
    half = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    return np.array([centre + right * (x * width) + down * (y * length) for x, y in half])
