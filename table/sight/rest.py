"""Does a card lie in this frame as it lies at rest, and if not by how much is it off?

A card's print and edges are compared in small cells. A cell that a hand covers, or that shows another part of the
card because the card is elsewhere, does not match; where enough cells match, the rest of a pixel that is
left of the card's way is found from the slope of the picture (Lucas and Kanade's least squares). So the answer is
good to a tenth of a pixel and doesn't mind what covers the other cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import MS
from table.sight.bypicture import ByPicture

Grey = NDArray[np.uint8]
Mask = NDArray[np.uint8]

CELL: Final = 12
"""Side of a cell in mark pixels: 7.6 mm."""
EDGE: Final = 8.0
"""Slope, in levels a pixel, from which a pixel tells something about place."""
NOISE: Final = 14.0
"""Levels that a pixel may differ for noise alone."""
SLACK_PX: Final = 0.8
"""A cell matches while it is off by less than about this."""
MEAN_ACROSS: Final = 2 / math.pi
"""A shift is seen, of slopes in all directions, by so much of itself: the mean of a cosine's size."""
SHADE: Final = 32.0
"""Levels by which a cell's mean may differ; in a deeper shadow nothing is sure."""
BOTH_WAYS: Final = 0.18
"""A card that is still at its place matches at least this much in every direction."""
MATCHED: Final = 0.25
"""The card is at its place where this share of its cells matches."""
FEW_CELLS: Final = 18
"""So many cells do not match, to a fraction of a pixel, by chance ..."""
LEAST_MATCHED: Final = 0.15
"""... if they are this share of all; a hand that lays a card down may hide the others."""
AT_REST_PX: Final = 0.13
"""A card that is off by more is still moving: a hand that lays a card down moves it by more in its last frame."""
SWAYING_PX: Final = 0.4
"""The same under a camera that moves: what its steadied pictures are off by."""
LEFT_PX: Final = 0.5
"""A card at rest that is off by more has begun to move."""
ABRUPT: Final = 0.45
TREMBLE_FRAMES: Final = 3
STEADY: Final = 0.7
"""A card at rest under a steady camera fits itself better than this."""
DAMPING: Final = 50.0
"""Keeps a shift small that little tells of (squares of slopes)."""
ONE: Final = np.array([1.0, 0.0, 1.0])
PAUSES: Final = 0.02
"""Nothing moves at a card's place if no more of it changes from one picture to the next (a hand that takes a card
changes a quarter of it and more)."""
PASSING_NS: Final = 400 * MS
"""For so long something may pass over a card that lies."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How a frame fits a card at rest."""

    share: float
    """The share of the telling cells that match, 0..1."""
    shift: tuple[float, float]
    """How far the card is off, mark pixels; only good where ``share`` is not near 0."""
    worst: float
    """The share of the slope that matches in the direction that matches worst, 0..1: near 0 where a card has slid
    along its own edges, which then lie where they lay."""

    @property
    def off_px(self) -> float:
        """The length of the shift."""
        return float(np.hypot(*self.shift))


NO_FIT: Final = Fit(0.0, (0.0, 0.0), 0.0)


class Patch:
    """A card at rest, ready to be looked for at its place in other frames."""

    def __init__(self, grey: Grey, mask: Mask, without: Grey | None = None) -> None:
        """``mask``: the mark's pixels where the card itself is seen (0 or 255).

        ``without``: the mark without this card, as far as known: cells that look the same there tell nothing.
        """
        x, y, width, height = cv2.boundingRect(mask)
        # The card's outline tells most about its place: look a little past it.
        limit = grey.shape
        self._top, self._left = max(0, y - 3), max(0, x - 3)
        self._bottom, self._right = min(limit[0], y + height + 3), min(limit[1], x + width + 3)
        rest = self._cut(grey).astype(np.float32)
        inside = cv2.dilate(
            mask[self._top : self._bottom, self._left : self._right], np.ones((3, 3), np.uint8)
        )
        smooth = cv2.GaussianBlur(rest, (3, 3), 0)
        dx = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8))
        dy = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8))
        # (OpenCV's magnitude rounds by where in memory its pictures lie.)
        slope = np.sqrt(dx * dx + dy * dy)
        telling = (slope > EDGE) & (np.asarray(inside) > 0)
        self._at = np.flatnonzero(telling)
        """Which pixels tell something; what follows is of these, one after another ..."""
        self._smooth = smooth[telling]
        steep = slope[telling]
        self._limit = NOISE + SLACK_PX * steep
        rows, columns = np.indices(rest.shape) // CELL
        cells = rows * (rest.shape[1] // CELL + 1) + columns
        self._cell = cells[telling]
        """... the cell that each is in ..."""
        across, down = dx[telling].astype(np.float64), dy[telling].astype(np.float64)
        self._slopes = np.stack([across, down])
        """... its slope, 2 x n ..."""
        self._squares = np.stack([across * across, across * down, down * down])
        """... and what it tells about place, 3 x n."""
        self._total = np.bincount(self._cell, minlength=int(cells.max(initial=0)) + 1)
        """How many are in each cell ..."""
        self._energies = np.stack([np.bincount(self._cell, row, len(self._total)) for row in self._squares])
        """... and what they tell together, 3 x cells."""
        self._most = SLACK_PX * MEAN_ACROSS * np.bincount(self._cell, steep, len(self._total))
        """... how much all of them may differ together ..."""
        self._rich = self._total >= 6
        if without is not None and self._rich.any():
            same, _ = self._compare(without)
            self._rich = self._rich & ~same
        self._fits: ByPicture[Fit] = ByPicture()

    def _cut(self, grey: Grey) -> Grey:
        return grey[self._top : self._bottom, self._left : self._right]

    @property
    def cells(self) -> int:
        """How many cells tell something."""
        return int(self._rich.sum())

    @property
    def enough(self) -> float:
        """The share of its cells that does not match, to a fraction of a pixel, by chance."""
        return max(LEAST_MATCHED, FEW_CELLS / max(1, self.cells))

    def fit(self, grey: Grey) -> Fit:
        """How the frame ``grey`` (the mark picture) fits; each is compared once."""
        return self._fits.of(grey, self._fit)

    def changed(self, before: Grey, grey: Grey) -> float:
        """The share of the card's place that looks otherwise in one frame than in another."""
        return float((cv2.absdiff(self._cut(before), self._cut(grey)) > NOISE).mean())

    def _fit(self, grey: Grey) -> Fit:
        if not self._rich.any():
            return NO_FIT
        matching, here = self._compare(grey)
        share = float(np.count_nonzero(matching) / np.count_nonzero(self._rich))
        chosen = matching[self._cell] & (np.abs(here) < self._limit)
        if np.count_nonzero(chosen) < 12:
            return Fit(share, (0.0, 0.0), 0.0)
        weights = chosen.astype(np.float64)
        xx, xy, yy = (self._squares @ weights).tolist()
        x, y = (self._slopes @ (weights * here)).tolist()
        # The picture moved by d shows at x what rested at x - d: the difference is -slope . d.
        xx, yy = xx + DAMPING, yy + DAMPING
        whole = xx * yy - xy * xy
        shift = ((xy * y - yy * x) / whole, (xy * x - xx * y) / whole)
        return Fit(share, shift, self._worst(matching))

    def _worst(self, matching: NDArray[np.bool_]) -> float:
        """How much of the slope the ``matching`` cells hold in the direction in which they hold the least: the smaller
        eigenvalue of (all of it)^-1 (theirs), both 2 x 2 and symmetric."""
        a, b, c = (self._energies[:, self._rich].sum(axis=1) + ONE).tolist()
        d, e, f = (self._energies[:, matching].sum(axis=1) + ONE).tolist()
        whole = a * c - b * b
        half = (c * d + a * f - 2 * b * e) / whole / 2
        return float(half - math.sqrt(max(0.0, half * half - (d * f - e * e) / whole)))

    def _compare(self, grey: Grey) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Which cells match, and how much each telling pixel differs."""
        now = np.asarray(cv2.GaussianBlur(self._cut(grey).astype(np.float32), (3, 3), 0))
        here = now.ravel()[self._at] - self._smooth
        # A shadow or a lamp changes all of a cell alike: compare about the cells' own means.
        total = np.maximum(self._total, 1)
        mean = np.bincount(self._cell, here, len(total)) / total
        here -= mean.astype(np.float32)[self._cell]
        off = np.abs(here)
        good = np.bincount(self._cell, off < self._limit, len(total)) / total
        near = np.bincount(self._cell, off, len(total)) <= self._most
        return self._rich & (good >= 0.9) & near & (np.abs(mean) <= SHADE), here


def at_place(fit: Fit) -> bool:
    """Whether what fits so is at its place."""
    return fit.share >= MATCHED and fit.off_px <= 1.0


def lies(patch: Patch, frame: Grey) -> bool:
    """Whether the card lies at its place in this frame."""
    return at_place(patch.fit(frame))


def arrival(patch: Patch, frames: Sequence[Grey], rest: int) -> int:
    """The position in ``frames`` from which on the card was within a pixel of its place, at ``rest`` at the latest.

    Shadows of what comes later blur the moment of rest; that it was there before they came stays plain.
    """
    share = patch.fit(frames[rest]).share
    k = rest
    while k > 0:
        fit = patch.fit(frames[k - 1])
        if fit.share < max(MATCHED, 0.4 * share) or fit.off_px > 1.0:
            break
        k -= 1
    return k


def first_at_rest(
    patch: Patch, frames: Sequence[Grey], stamps: Sequence[int], at_rest_px: float = AT_REST_PX
) -> int:
    """The position in ``frames``, taken at ``stamps``, from which on the card lies as in the last of them.

    ``at_rest_px``: how well places are known, mark pixels.
    """
    first = len(frames) - 1
    # The last frames are at rest: how they differ from the card's look is what a trembling camera does.
    known = [patch.fit(frame) for frame in frames[-TREMBLE_FRAMES:]]
    matched = min(MATCHED, patch.enough, 0.6 * min(fit.share for fit in known))
    at_rest = max(at_rest_px, 1.5 * max(fit.off_px for fit in known))
    trembling = min(fit.share for fit in known) < STEADY
    share = known[-1].share
    missed = False
    for k in range(first - 1, -1, -1):
        fit = patch.fit(frames[k])
        # A hand covers a card little by little; a card that has still to arrive loses most cells in one frame.
        near = fit.share >= (matched if trembling else max(matched, ABRUPT * share)) and fit.off_px <= at_rest
        if near and missed and k and not trembling:
            # After a gap (something passed over it) one frame may fit by chance.
            again = patch.fit(frames[k - 1])
            near = again.share >= matched and again.off_px <= at_rest
        if near and fit.share > 0:
            first, share, missed = k, fit.share, False
            continue
        missed = True
        if stamps[first] - stamps[k] > PASSING_NS:
            break
    return first


def last_at_rest(patch: Patch, frames: Sequence[Grey]) -> int:
    """The position in ``frames`` of the last one in which the card still lies at its place; -1: in none.

    A hand that takes it may hide most of it first; but then it pauses, and does not once it has begun to move it.
    """
    last = len(frames) - 1
    while last >= 0 and not _plainly_lies(patch.fit(frames[last])):
        last -= 1
    if last < 0:
        return -1
    for k in range(last + 1, len(frames)):
        fit = patch.fit(frames[k])
        if fit.share < patch.enough or fit.off_px > AT_REST_PX:
            break
        if patch.changed(frames[k - 1], frames[k]) <= PAUSES:
            last = k
    return last


def _plainly_lies(fit: Fit) -> bool:
    """Whether what fits so is at its place, and has not slid along its edges."""
    return fit.share >= MATCHED and fit.worst >= BOTH_WAYS and fit.off_px <= LEFT_PX
