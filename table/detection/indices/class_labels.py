"""Class labels of the classifier's rank head and suit head, and the pairs of them that are cards.

The classifier has one head for the rank and one for the suit, each with "none". Not every pair is a card: the 63-card
pack has 11 and 12 in four suits but 13 only in the red ones, the joker has no suit, and a crop without an index is
"none" in both. `CARDS` lists the pairs that exist; `card_probabilities` combines the heads over them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

RANKS: Final = (
    "A",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "11",
    "12",
    "13",
    "J",
    "Q",
    "K",
    "JOKER",
    "none",
)
SUITS: Final = ("S", "H", "D", "C", "none")

JOKER: Final = "JOKER"
NONE: Final = "none"


def _list_pairs() -> list[tuple[str, int, int]]:
    pairs = []
    for r, rank in enumerate(RANKS[:-2]):
        for s, suit in enumerate(SUITS[:-1]):
            if rank == "13" and suit in "SC":
                continue
            pairs.append((rank + suit, r, s))
    none = SUITS.index(NONE)
    pairs.append((JOKER, RANKS.index(JOKER), none))
    pairs.append((NONE, RANKS.index(NONE), none))
    return pairs


_PAIRS: Final = _list_pairs()
CARDS: Final = tuple(name for name, _, _ in _PAIRS)
"""Every card that can be read, then "none": the order of the last axis of all class probabilities."""
CARDS_OF_63: Final = frozenset(card for card in CARDS if card[:-1] in ("11", "12", "13"))
"""The cards that only a pack of 63 cards has."""
_RANK_OF: Final = np.array([r for _, r, _ in _PAIRS])
_SUIT_OF: Final = np.array([s for _, _, s in _PAIRS])


def head_labels(card: str) -> tuple[int, int]:
    """Return a card's labels in the two heads, as positions in `RANKS` and `SUITS` ("10H", also "none")."""
    if card in (JOKER, NONE):
        return RANKS.index(card), SUITS.index(NONE)
    return RANKS.index(card[:-1]), SUITS.index(card[-1])


def log_softmax(logits: NDArray[np.floating[Any]], temperature: float = 1.0) -> NDArray[np.float64]:
    """Return the logarithms of the softmax over the last axis, with the logits divided by ``temperature``."""
    scaled = logits.astype(np.float64) / temperature
    scaled -= scaled.max(axis=-1, keepdims=True)
    return np.asarray(scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True)))


def card_probabilities(
    rank_logits: NDArray[np.float32], suit_logits: NDArray[np.float32], temperature: float = 1.0
) -> NDArray[np.float64]:
    """Return the probability of each of `CARDS` from the logits of the two heads.

    The heads are treated as independent, pairs that are no card are left out, and the rest is normalised.

    Args:
        rank_logits: (N, 18).
        suit_logits: (N, 5).
        temperature: divides the logits; fitted on held-out crops.

    Returns:
        (N, len(CARDS)), each row summing to 1.
    """
    joint = (
        log_softmax(rank_logits, temperature)[:, _RANK_OF]
        + log_softmax(suit_logits, temperature)[:, _SUIT_OF]
    )
    joint -= joint.max(axis=1, keepdims=True)
    probabilities = np.exp(joint)
    return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))


def apply_priors(probabilities: NDArray[np.float64], priors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply class probabilities by the cards' priors at a table and normalise; training uses equal priors.

    Args:
        probabilities: (n, len(CARDS)).
        priors: (len(CARDS),) or one row for each reading.
    """
    probabilities = probabilities * priors
    return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))
