"""What the finder is to say of a joker's word set across the card: the same as of one that runs along it.

Alone, a word does not show which of the two it is. Labelled each in its card's direction, the same print would have two
answers a quarter turn apart, and two boxes; the table turns words itself (`table/detection/joker_words.py`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.detection.indices.class_labels import CARDS, JOKER

_WIDE: Final = 0.72
"""A joker's index this wide for its height is a word across; letters one below another and stars are narrower."""


def along(indices: NDArray[np.float32]) -> NDArray[np.float32]:
    """Label words across as words that run down from their first letter.

    Args:
        indices: (n, 16) rows of a pool (`models.pool.INDEX_FIELDS`); a word across has its second point
            `word_drop` below its first, and a box around the word at both.

    Returns:
        The rows, those of words across with points in the middle of the word's two halves and a box around the word.
    """
    quads = indices[:, 4:12].reshape(-1, 4, 2)
    right, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    width, height = np.hypot(*right.T), np.hypot(*down.T)
    across = (indices[:, 13] == CARDS.index(JOKER)) & (width > _WIDE * height)
    if not across.any():
        return indices
    out = indices.copy()
    quads, right, down = quads[across], right[across], down[across]
    drop = np.hypot(*(indices[across, 2:4] - indices[across, 0:2]).T)
    down = down * np.clip(1 - drop / height[across], 0.1, 1.0)[:, None]
    first, middle = quads[:, 0], quads[:, 0] + down / 2
    out[across, 0:2] = middle + right / 4
    out[across, 2:4] = middle + right * 3 / 4
    # TL, TR, BR, BL of the word as it would stand were it to run down its card.
    out[across, 4:12] = np.stack([first + down, first, first + right, first + right + down], 1).reshape(-1, 8)
    return out
