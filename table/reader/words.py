"""A joker's word set across the card: found as a word that runs down it, and read once it is turned.

Seen by itself, a word does not tell whether it runs along its card or across; only the reading does, or another word
that stands like the card's other corner. The finder gives its two points in the word's own direction, so for a word
across they lie a quarter turn off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.reader import jokers
from table.reader.corners import Corner, placement
from table.reader.finder import Finds
from table.reader.labels import CARDS, JOKER, NONE, expect
from table.reader.naming import Names, Naming

_DROP: Final = 1.2
"""How far below such a word its second point is put, in distances between the two points along it (as in training)."""
_LIKELY: Final = 0.25
"""What is read as a card so surely is no word."""
_MAYBE: Final = 0.3
"""What would be a joker so surely, were jokers as common as other cards, may be one with another corner's help."""
_TIMES: Final = 6.0
"""So many times a joker's share counts for a word across: much that is printed looks like some word from some side."""
_TIMES_AT_EDGE: Final = 3.5
"""The same for a word that stands at a card's edge as far as can be seen: print on papers seldom does at two ends."""
_BEYOND: Final = (0.3, 0.5)
"""So far out from a word at a card's edge, in card widths, there is no more of the card ..."""
_OTHER: Final = 25.0
"""... but something that differs from its paper by so many levels in some colour."""
_MOST: Final = 12
"""So many finds of a picture are looked at as words at most, the finder's surest."""
_PLAYED: Final = np.array([card not in (JOKER, NONE) for card in CARDS])


@dataclass(frozen=True)
class _Way:
    """One way to see a find: where it is then, what it reads as, how much each card was expected in that."""

    corner: Corner
    chances: NDArray[np.float64]
    expected: NDArray[np.float64]

    @cached_property
    def may_be_joker(self) -> bool:
        """Whether this may be a joker's word or star: what it reads as when all cards are as common."""
        plain = expect(self.chances[None], 1.0 / self.expected)[0]
        return float(plain[jokers.NUMBER]) > _MAYBE


def quarter_turns(found: Finds) -> Finds:
    """Each find as a word set across would have it, with the card's foot to one side and to the other.

    Returns:
        Two for each, one after the other.
    """
    step = found.step
    down = _DROP * np.stack([-step[:, 1], step[:, 0]], axis=1)
    twice = np.repeat(np.arange(len(found)), 2)
    middle = found.middle[twice]
    ways = np.stack([down, -down], axis=1).reshape(-1, 2)
    return replace(found[twice], rank=middle, suit=middle + ways)


def as_words(
    naming: Naming, image: NDArray[np.uint8], found: Finds, names: Names, card_px: float
) -> tuple[Finds, Names]:
    """Look at what reads as no card, or as a joker, as a word set across too.

    Such a joker is expected less than others: alone it is no more than a guess, at two corners of a card it is one
    (`evidence.once_a_card`). Where two words stand like a card's corners only when they are seen in certain ways, those
    are theirs.

    Args:
        naming: reads them.
        image: the picture.
        found: what the finder found, best first.
        names: what it reads as.
        card_px: the short side of a card in the picture.

    Returns:
        Both, with another place and reading where a word across is likelier.
    """
    maybe = np.flatnonzero(names.chances[:, _PLAYED].max(axis=1) < _LIKELY)[:_MOST]
    if not len(maybe):
        return found, names
    # As found, and from its sides only what may be a joker: all else stays where it was found.
    straight = zip(found[maybe].corners(), names.chances[maybe], names.expected[maybe], strict=True)
    across = _across(naming, image, found[maybe], card_px)
    ways = [
        [_Way(*way), *(other for other in across[2 * k : 2 * k + 2] if other.may_be_joker)]
        for k, way in enumerate(straight)
    ]
    chosen = [max(some, key=lambda way: float(way.chances[jokers.NUMBER])) for some in ways]
    for first, second, ways_of_both in _corners(ways, card_px):
        chosen[first], chosen[second] = ways_of_both
    rank, suit = found.rank.copy(), found.suit.copy()
    chances, expected = names.chances.copy(), names.expected.copy()
    for one, way in zip(maybe, chosen, strict=True):
        rank[one], suit[one] = way.corner.rank, way.corner.suit
        chances[one], expected[one] = way.chances, way.expected
    return replace(found, rank=rank, suit=suit), replace(names, chances=chances, expected=expected)


def _across(naming: Naming, image: NDArray[np.uint8], found: Finds, card_px: float) -> list[_Way]:
    """Each find as a word set across, from its one side and from the other."""
    turned = quarter_turns(found)
    names = naming.name(image, turned, thorough=True)
    worth = names.plain[:, jokers.NUMBER] > _MAYBE  # (the others are not turned)
    corners = turned.corners()
    edged = np.array([may and at_edge(image, one, card_px) for one, may in zip(corners, worth, strict=True)])
    times = np.where(edged, _TIMES_AT_EDGE, _TIMES)[:, None]
    chances = expect(names.chances, names.expected ** (times - 1))
    return [_Way(*way) for way in zip(corners, chances, names.expected**times, strict=True)]


def at_edge(image: NDArray[np.uint8], word: Corner, card_px: float) -> bool:
    """Whether what lies beyond a word, away from its card's middle, is not the paper that lies about it."""
    down = word.step / max(word.reach, 1e-6)
    right = np.array([down[1], -down[0]])
    sideways = np.linspace(-0.12, 0.12, 7) * card_px

    def colour(out: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """The median of the levels so far out from the word's middle; None where that is not in the picture."""
        places = word.rank - out[:, None, None] * card_px * down + sideways[:, None] * right
        columns, rows = places.reshape(-1, 2).round().astype(int).T
        inside = (columns >= 0) & (rows >= 0) & (columns < image.shape[1]) & (rows < image.shape[0])
        return np.median(image[rows[inside], columns[inside]], axis=0) if inside.mean() > 0.5 else None

    # The paper is the lightest there is around: letters are not.
    near = [colour(np.array([out])) for out in np.linspace(-0.15, 0.15, 7)]
    papers = [one for one in near if one is not None]
    beyond = colour(np.linspace(*_BEYOND, 7))
    if beyond is None or not papers:
        return False
    paper = max(papers, key=lambda one: float(one.sum()))
    return bool(np.abs(beyond - paper).max() >= _OTHER)


def _corners(ways: list[list[_Way]], card_px: float) -> list[tuple[int, int, tuple[_Way, _Way]]]:
    """Pairs of finds that stand like two corners of a joker, each find once, and how both are then to be seen."""
    words = [[way for way in some if way.may_be_joker] for some in ways]
    fits = []
    for i, j in combinations(range(len(words)), 2):
        for way, other in product(words[i], words[j]):
            off = placement(way.corner, other.corner, card_px)
            if off < jokers.REACH:
                fits.append((off, i, j, (way, other)))
    settled: set[int] = set()
    pairs = []
    for _, i, j, both in sorted(fits, key=lambda fit: fit[:3]):
        if not {i, j} & settled:
            settled |= {i, j}
            pairs.append((i, j, both))
    return pairs
