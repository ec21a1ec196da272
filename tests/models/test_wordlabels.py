"""What the finder learns of jokers' words: the same print has one answer, however its card lies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from models.pool import rows
from models.synth.drawn import JOKERS, draw
from models.synth.packs import Face
from models.synth.scenes import Scene, SceneCard, SceneIndex
from models.wordlabels import along
from table.detection.indices.class_labels import JOKER


def drawn_jokers() -> Iterator[tuple[str, Face]]:
    """Jokers of packs drawn anew, and what marks their corners."""
    for seed in range(60):
        pack = draw(np.random.default_rng(seed), held=False)
        face = pack.faces[JOKER]
        if face.indices:
            yield JOKERS[pack.faces.style.joker], face  # type: ignore[attr-defined]


def labelled(face: Face) -> NDArray[np.float32]:
    """A pool's rows of a face that lies upright at its own scale."""
    height, width = face.rgba.shape[:2]
    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    indices = [SceneIndex(i.rank_xy, i.suit_xy, i.box, 1.0, 1.0, 1.0) for i in face.indices]
    return rows(Scene(face.rgba[:, :, :3], [SceneCard(JOKER, outline, indices)]))[0]


def test_a_word_across_is_labelled_along_its_letters_with_a_box_round_them() -> None:
    seen = 0
    for kind, face in drawn_jokers():
        if kind != "word across":
            continue
        seen += 1
        out = along(labelled(face))
        ink = (
            np.abs(face.rgba[:, :, :3].astype(int) - face.rgba[8, face.rgba.shape[1] // 2, :3]).max(axis=2)
            > 60
        )
        for row, index in zip(out, face.indices, strict=True):
            first, last = row[0:2], row[2:4]
            low, high = row[4:12].reshape(4, 2).min(axis=0), row[4:12].reshape(4, 2).max(axis=0)
            width, height = high - low
            # Both points on the line of letters, a quarter of the word from its two ends, in the order of reading.
            upright = index.suit_xy[1] > index.rank_xy[1]
            assert first[1] == pytest.approx(last[1]) == pytest.approx(index.rank_xy[1])
            assert (last[0] - first[0]) * (1 if upright else -1) == pytest.approx(width / 2, rel=0.01)
            # The box holds letters from top to bottom, and no more than the line of them.
            x0, y0, x1, y1 = (round(float(v)) for v in (*low, *high))
            printed = np.flatnonzero(ink[y0:y1, x0:x1].any(axis=1))
            assert printed[0] <= 1 + 0.1 * height
            assert printed[-1] >= 0.9 * height - 2
            assert index.rank_box[:, 1].max() - index.rank_box[:, 1].min() == pytest.approx(height, rel=0.02)
    assert seen >= 3


def test_other_marks_in_the_corner_keep_their_labels() -> None:
    kinds = set()
    for kind, face in drawn_jokers():
        if kind != "word across":
            kinds.add(kind)
            before = labelled(face)
            assert np.array_equal(along(before), before), kind
    assert len(kinds) >= 3
