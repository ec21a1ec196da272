"""Reads the cards in a picture.

Small networks: the *finder* (a YOLO-pose of one class) finds corner indices with rank centre and suit centre, so with
place, size and reading direction; two *namers* read the upright cut-outs (table/reader/naming.py). The indices are then
put together to cards by geometry (table/reader/grouping.py). How the networks are made and how well they read stands in
models/README.md.

Canonical scale: a card's short side is 100 px; the finder sees the picture at 69 px, which is enough to find an index
and costs half; cut-outs come from the full picture.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import COURTS
from table.errors import TableError
from table.facts import Reading
from table.reader.enrolled import EnrolledPack
from table.reader.evidence import SURE, once_a_card
from table.reader.grouping import Mark, combine, group, outline
from table.reader.labels import CARDS
from table.reader.naming import NEAR, Naming
from table.reader.network import Network
from table.reader.sightings import IndexSeen, Sighting, ornaments, within
from table.reader.words import as_words

FINDER_CARD_PX: Final = 100.0 * 352 / 512
"""Short side of a card, in pixels, at which the finder sees a picture: the mark's 512 px square becomes 352 px, a
multiple of the grid, so that nothing is padded. (Trained around 75; it takes a third more or less.)"""
_GRID: Final = 16
"""The finder's input sides are multiples of this."""
_TILE: Final = 1280
"""Larger pictures are looked at in parts of at most this side, in finder pixels ..."""
_LAP: Final = 96
"""... that overlap by this much (an index is about 25 px long)."""
_PLAIN: Final = 0.2
"""The finder's score from which an index is taken for one without further ado."""
_FAINT: Final = 0.03
"""With an enrolled pack the finder's score may be this low, for an index that looks like one of the pack's ..."""
_MOST_FAINT: Final = 8
"""... of so many in a picture at most; the surest first."""
WEIGHTS: Final = Path(__file__).with_name("weights")


def decode_finder(output: NDArray[np.float32], threshold: float) -> NDArray[np.float32]:
    """Turn the finder's raw output into indices, each once, the surest first.

    Non-maximum suppression goes by the distance of the middles, counted in the rank-to-suit distance: boxes of
    neighbouring indices in a fan overlap, their middles don't.

    Args:
        output: (9, N): box centre x y, width, height, score, rank x y, suit x y; pixels of the finder's picture.
        threshold: the least score.

    Returns:
        (n, 9): score, x1, y1, x2, y2, rank x, rank y, suit x, suit y.
    """
    rows = output[:, output[4] >= threshold].T
    rows = rows[np.argsort(-rows[:, 4], kind="stable")][:2000]
    boxes = np.concatenate([rows[:, :2] - rows[:, 2:4] / 2, rows[:, :2] + rows[:, 2:4] / 2], axis=1)
    table = np.concatenate([rows[:, 4:5], boxes, rows[:, 5:9]], axis=1).astype(np.float32)
    return suppress(table)


def suppress(table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Keep of the rows that mean the same index the surest one; rows come and go best first."""
    middle = (table[:, 5:7] + table[:, 7:9]) / 2
    step = table[:, 7:9] - table[:, 5:7]
    reach = np.maximum(np.hypot(step[:, 0], step[:, 1]), 3.0)
    alive = np.ones(len(table), bool)
    keep = []
    for k in range(len(table)):
        if not alive[k]:
            continue
        keep.append(k)
        gap = np.hypot(middle[:, 0] - middle[k, 0], middle[:, 1] - middle[k, 1])
        alive &= gap > 0.5 * np.maximum(reach[k], np.minimum(reach, 1.5 * reach[k]))
    return table[keep]


class Detector:
    """Reads the cards in pictures; one thread, no state between pictures."""

    def __init__(
        self,
        weights: Path | None = None,
        courts: str = "JQK",
        *,
        threshold: float | None = None,
        pack: Collection[str] | None = None,
        enrolled: EnrolledPack | None = None,
    ) -> None:
        """Load the networks.

        Args:
            weights: a folder with finder.onnx, namer.onnx and model.json; the packaged one by default.
            courts: the court cards' letters on the pack in use ("JQK", "BDK", "VDR").
            threshold: the least score of the finder; the weights' own by default.
            pack: the names of the cards in play, where they are known.
            enrolled: a pack whose faces count most (`cardtable enrol`).

        Raises:
            TableError: weights missing or damaged, unknown court letters, an enrolled pack that is empty.
        """
        if courts not in COURTS:
            raise TableError(f'courts: unknown letters {courts!r} (expected "JQK", "BDK" or "VDR")')
        folder = weights or WEIGHTS
        self._finder = Network(folder / "finder.onnx")
        try:
            settings: dict[str, Any] = json.loads((folder / "model.json").read_text())
            self._threshold = float(settings["finder_threshold"]) if threshold is None else threshold
            self._still_threshold = float(settings["still_threshold"]) if threshold is None else threshold
            self._least = float(settings["least_confidence"])
            self._naming = Naming(folder, settings, pack)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise TableError(f"{folder / 'model.json'}: not the detector's settings ({error})") from None
        self.courts = courts
        if courts != "JQK":
            self._naming.learn_letters(courts)
        self._enrolled = enrolled is not None
        if enrolled is not None:
            self._naming.learn(enrolled)

    def learn(self, pack: EnrolledPack) -> list[tuple[str, str]]:
        """Count an enrolled pack's faces most from now on; says which of its cards read as others all the same."""
        self._naming.learn(pack)
        self._enrolled = True
        return self._naming.mistakes(pack)

    def read(self, image: NDArray[np.uint8], card_px: float = 100.0) -> list[Sighting]:
        """Read the cards in a picture.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in this picture, in pixels; within a third of the truth will do.

        Returns:
            One entry for each physical card, the surest first. Entries surer than 0.5 are readings to rely on;
            less sure ones are there for who knows what cards can be expected.
        """
        check(image, card_px)
        marks, rows = self.look(image, card_px)
        return self.gather(marks, rows, card_px)

    def look(
        self, image: NDArray[np.uint8], card_px: float, *, still: bool = False
    ) -> tuple[list[Mark], list[NDArray[np.float32]]]:
        """The indices that are one, as the grouping wants them, and their rows of `find`.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in this picture, in pixels.
            still: there is time, and several scales are tried: fainter finds count, and all is looked at twice.
        """
        plain = self._still_threshold if still else self._threshold
        # In a still picture, whose scale is tried, faint finds are too many to be told from print.
        faint = self._enrolled and not still
        found = self.find(image, card_px, min(plain, _FAINT) if faint else plain)
        found = found[: int((found[:, 0] >= plain).sum()) + _MOST_FAINT]
        if not len(found):
            return [], []
        names, expected, nearness = self._naming.name(image, found, plain, thorough=still)
        found, names, expected = as_words(self._naming, image, found, names, expected, card_px)
        names = once_a_card(found, names, expected, card_px)
        marks, rows = [], []
        for row, chances, near in zip(found, names, nearness, strict=True):
            if row[0] < plain and (near < NEAR or chances[:-1].max() < SURE):
                continue
            # What is most likely no index says nothing about cards.
            if chances[-1] <= 0.9:
                marks.append(Mark(row[5:7].astype(np.float64), row[7:9].astype(np.float64), chances))
                rows.append(row)
        return marks, rows

    def gather(
        self, marks: list[Mark], rows: list[NDArray[np.float32]], card_px: float, *, flat: bool = True
    ) -> list[Sighting]:
        """Put indices together to cards, the surest first; `flat` as in the grouping."""
        sightings = []
        for members in group(marks, card_px, flat=flat):
            sighting = self._sighting([marks[k] for k in members], [rows[k] for k in members], card_px)
            if sighting is not None:
                sightings.append(sighting)
        sure = [np.array(s.quad, np.float32) for s in sightings if len(s.indices) > 1 and s.confidence > SURE]
        sightings = [
            s for s in sightings if not (len(s.indices) == 1 and s.confidence < 0.9 and within(s, sure))
        ]
        sightings.sort(key=lambda sighting: -sighting.confidence)
        return [one for k, one in enumerate(sightings) if not ornaments(one, sightings[:k], card_px)]

    def find(
        self, image: NDArray[np.uint8], card_px: float, threshold: float | None = None
    ) -> NDArray[np.float32]:
        """Find the indices: (n, 9) score, box, rank, suit in the picture's own pixels, best first."""
        threshold = self._threshold if threshold is None else threshold
        scale = FINDER_CARD_PX / card_px
        height, width = image.shape[:2]
        small_w, small_h = max(1, round(width * scale)), max(1, round(height * scale))
        small = image
        if (small_w, small_h) != (width, height):
            method = cv2.INTER_AREA if scale < 0.6 else cv2.INTER_LINEAR
            small = np.asarray(cv2.resize(image, (small_w, small_h), interpolation=method), dtype=np.uint8)
        parts = []
        for top in _starts(small_h):
            for left in _starts(small_w):
                part = small[top : top + _TILE, left : left + _TILE]
                rows = decode_finder(self._finder(_finder_input(part))[0][0], threshold)
                rows[:, 1::2] += left
                rows[:, 2::2] += top
                parts.append(rows)
        table = parts[0]
        if len(parts) > 1:
            table = np.concatenate(parts)
            table = suppress(table[np.argsort(-table[:, 0], kind="stable")])
        # Pixel centres stay on pixel centres.
        sx, sy = small_w / width, small_h / height
        table[:, 1::2] = (table[:, 1::2] + 0.5) / sx - 0.5
        table[:, 2::2] = (table[:, 2::2] + 0.5) / sy - 0.5
        middle = (table[:, 5:7] + table[:, 7:9]) / 2
        inside = ((middle >= 0) & (middle < [width, height])).all(axis=1)
        return np.asarray(table[inside], dtype=np.float32)

    def name(self, image: NDArray[np.uint8], found: NDArray[np.float32]) -> NDArray[np.float64]:
        """Read the found indices: (n, len(CARDS)) probabilities, the last for "no index"."""
        return self._naming.name(image, found)[0]

    def _sighting(
        self, marks: list[Mark], rows: list[NDArray[np.float32]], card_px: float
    ) -> Sighting | None:
        chances = combine([mark.probabilities for mark in marks])
        if len(marks) == 1:
            # One index alone is worth less than its reading says where the finder was not sure of it, or the
            # reading itself is not: with nothing to confirm it, it is more often no index at all.
            worth = min(1.0, float(rows[0][0]) / _PLAIN) ** 0.3 * float(chances[:-1].max()) ** 0.5
            chances = chances * worth
            chances[-1] += 1.0 - worth
        readings = _readings(chances)
        if not readings or readings[0].confidence < self._least:
            return None
        best = CARDS.index(readings[0].card)
        doubt = any(
            int(m.probabilities[:-1].argmax()) != best and float(m.probabilities[:-1].max()) > 0.5
            for m in marks
        )
        quad = outline(marks, card_px)
        low = np.min([row[1:3] for row in rows], axis=0)
        high = np.max([row[3:5] for row in rows], axis=0)
        if len(marks) > 1:  # opposite corners seen: the card between them was
            low, high = np.minimum(low, quad.min(axis=0)), np.maximum(high, quad.max(axis=0))
        edge = quad[1] - quad[0]
        indices = tuple(
            IndexSeen(
                (float(row[5]), float(row[6])),
                (float(row[7]), float(row[8])),
                (float(row[1]), float(row[2]), float(row[3]), float(row[4])),
                float(row[0]),
                _readings(mark.probabilities),
            )
            for row, mark in zip(rows, marks, strict=True)
        )
        return Sighting(
            readings,
            (float(low[0]), float(low[1]), float(high[0]), float(high[1])),
            tuple((float(x), float(y)) for x, y in quad),
            float(np.degrees(np.arctan2(edge[1], edge[0])) % 360.0),
            indices,
            doubt,
        )


def check(image: NDArray[np.uint8], card_px: float) -> None:
    """Refuse what is no colour picture and scales that make no sense."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or 0 in image.shape:
        raise TableError(
            f"not a colour picture: shape {image.shape}, {image.dtype} (expected (H, W, 3) uint8)"
        )
    if not 5.0 <= card_px <= 5000.0:
        raise TableError(f"a card's short side of {card_px:g} px is out of reach (expected 5 to 5000)")


def _readings(chances: NDArray[np.float64]) -> tuple[Reading, ...]:
    order = np.argsort(-chances[:-1], kind="stable")[:4]
    return tuple(Reading(CARDS[k], float(chances[k])) for k in order if k == order[0] or chances[k] >= 0.001)


def _starts(side: int) -> list[int]:
    """Where the parts of a long side begin."""
    if side <= _TILE:
        return [0]
    count = -(-(side - _LAP) // (_TILE - _LAP))
    return [round(k * (side - _TILE) / (count - 1)) for k in range(count)]


def _finder_input(part: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A picture as the finder's input (1, 3, H, W), RGB, padded to a multiple of the grid with grey."""
    height, width = part.shape[:2]
    full_h, full_w = -(-height // _GRID) * _GRID, -(-width // _GRID) * _GRID
    if (full_h, full_w) != (height, width):
        padded = np.full((full_h, full_w, 3), 114, np.uint8)
        padded[:height, :width] = part
        part = padded
    return np.asarray(cv2.dnn.blobFromImage(part, 1 / 255.0, swapRB=True), dtype=np.float32)
