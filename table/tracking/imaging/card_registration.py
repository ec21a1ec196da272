"""Registration of a card at its place: does it lie there in this frame, and by how much is it off?

A card's print and edges are compared in small cells. A cell that a hand covers, or that shows another part of the
card because the card is elsewhere, does not match; if enough cells match, the remaining shift below a pixel follows
from the gradient of the image (least squares after Lucas and Kanade). So the result is good to a tenth of a pixel and
is robust to occlusion of the other cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import MS
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.result_cache import FrameCache

Grey = NDArray[np.uint8]

CELL_PX: Final = 12
"""Side of a cell in mark pixels: 7.6 mm."""
MIN_GRADIENT: Final = 8.0
"""Minimum gradient, levels per pixel, of a pixel that tells something about the position."""
NOISE_LEVELS: Final = 14.0
"""Difference in levels that noise alone may cause."""
SLACK_PX: Final = 0.8
"""A cell matches while it is off by less than about this."""
MEAN_COSINE: Final = 2 / math.pi
"""Share of a shift that is visible across gradients in all directions: the mean absolute cosine."""
MAX_SHADE_LEVELS: Final = 32.0
"""Maximum difference of a cell's mean, levels; in a deeper shadow nothing is certain."""
MIN_LEAST_CONSTRAINED_SHARE: Final = 0.18
"""Minimum least constrained share of a card that is still at its place."""
MIN_MATCHED_SHARE: Final = 0.25
"""Minimum share of matching cells of a card at its place."""
MIN_CELLS: Final = 18
"""Number of cells that do not all match, to a fraction of a pixel, by chance ..."""
MIN_PRECISE_SHARE: Final = 0.15
"""... if they are this share of all; a hand that lays a card down may hide the others."""
MAX_REST_OFFSET_PX: Final = 0.13
"""Maximum offset of a card at rest: a hand that lays a card down moves it by more in its last frame."""
MAX_REST_OFFSET_MOVING_CAMERA_PX: Final = 0.4
"""The same under a moving camera: the error of its stabilized images."""
MAX_LYING_OFFSET_PX: Final = 0.5
"""A card at rest that is off by more has begun to move."""
MIN_SHARE_OF_NEXT_FRAME: Final = 0.45
"""Minimum share of matching cells, relative to the next frame, of a card that was already there."""
TREMBLE_FRAMES: Final = 3
"""Number of last frames that show how much the camera trembles."""
MIN_SHARE_STEADY_CAMERA: Final = 0.7
"""Minimum share of matching cells of a card at rest under a steady camera."""
DAMPING: Final = 50.0
"""Damping of the shift where the gradients tell little (squares of gradients)."""
UNIT_MATRIX: Final = np.array([1.0, 0.0, 1.0])
"""The 2 x 2 unit matrix as (xx, xy, yy)."""
MAX_PAUSE_CHANGE: Final = 0.02
"""Maximum changed share of a card's place between two frames if nothing moves there (a hand that takes a card changes a
quarter of it and more)."""
MAX_PASSING_NS: Final = 400 * MS
"""Maximum time for which something passes over a lying card."""


@dataclass(frozen=True, slots=True)
class RegistrationFit:
    """How well a frame matches the template of a card at rest."""

    share: float
    """Share of the telling cells that match, 0..1."""
    shift: tuple[float, float]
    """Offset of the card, mark pixels; only meaningful if ``share`` is not near 0."""
    least_constrained_share: float
    """Least constrained share: share of the gradient energy that matches in the direction that matches worst, 0..1.

    Near 0 if a card has slid along its own edges, which then lie where they lay.
    """

    @property
    def off_px(self) -> float:
        """Length of the shift, mark pixels."""
        return float(np.hypot(*self.shift))


NO_FIT: Final = RegistrationFit(0.0, (0.0, 0.0), 0.0)
"""The result without any match."""


class CardTemplate:
    """The template of a card at rest, to be matched at its place in other frames."""

    def __init__(self, grey: Grey, mask: Mask, without: Grey | None = None) -> None:
        """Build a template; ``mask``: the mark pixels where the card itself is visible (0 or 255).

        ``without``: the mark without this card, as far as known: cells that look the same there are ignored.
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
        telling = (slope > MIN_GRADIENT) & (np.asarray(inside) > 0)
        self._at = np.flatnonzero(telling)
        """Indices of the telling pixels; the arrays below have one entry for each of them."""
        self._smooth = smooth[telling]
        steep = slope[telling]
        self._limit = NOISE_LEVELS + SLACK_PX * steep
        rows, columns = np.indices(rest.shape) // CELL_PX
        cells = rows * (rest.shape[1] // CELL_PX + 1) + columns
        self._cell = cells[telling]
        """The cell of each pixel."""
        across, down = dx[telling].astype(np.float64), dy[telling].astype(np.float64)
        self._slopes = np.stack([across, down])
        """The gradient of each pixel, 2 x n."""
        self._squares = np.stack([across * across, across * down, down * down])
        """The structure tensor (xx, xy, yy) of each pixel, 3 x n."""
        self._total = np.bincount(self._cell, minlength=int(cells.max(initial=0)) + 1)
        """Number of telling pixels in each cell."""
        self._energies = np.stack([np.bincount(self._cell, row, len(self._total)) for row in self._squares])
        """Structure tensor of each cell, 3 x cells."""
        self._most = SLACK_PX * MEAN_COSINE * np.bincount(self._cell, steep, len(self._total))
        """Maximum summed difference of each cell that matches."""
        self._telling_cells = self._total >= 6
        if without is not None and self._telling_cells.any():
            same, _ = self._compare(without)
            self._telling_cells = self._telling_cells & ~same
        self._fits: FrameCache[RegistrationFit] = FrameCache()

    def _cut(self, grey: Grey) -> Grey:
        return grey[self._top : self._bottom, self._left : self._right]

    @property
    def cell_count(self) -> int:
        """Number of telling cells."""
        return int(self._telling_cells.sum())

    @property
    def min_share(self) -> float:
        """Smallest share of matching cells that can't be chance in an image that fits to a fraction of a pixel."""
        return max(MIN_PRECISE_SHARE, MIN_CELLS / max(1, self.cell_count))

    def fit(self, grey: Grey) -> RegistrationFit:
        """Match the template against the grey mark image ``grey``; cached for each image."""
        return self._fits.get(grey, self._fit)

    def changed_share(self, before: Grey, grey: Grey) -> float:
        """Return the share of the card's place that differs between two frames."""
        return float((cv2.absdiff(self._cut(before), self._cut(grey)) > NOISE_LEVELS).mean())

    def _fit(self, grey: Grey) -> RegistrationFit:
        if not self._telling_cells.any():
            return NO_FIT
        matching, here = self._compare(grey)
        share = float(np.count_nonzero(matching) / np.count_nonzero(self._telling_cells))
        chosen = matching[self._cell] & (np.abs(here) < self._limit)
        if np.count_nonzero(chosen) < 12:
            return RegistrationFit(share, (0.0, 0.0), 0.0)
        weights = chosen.astype(np.float64)
        xx, xy, yy = (self._squares @ weights).tolist()
        x, y = (self._slopes @ (weights * here)).tolist()
        # The picture moved by d shows at x what rested at x - d: the difference is -slope . d.
        xx, yy = xx + DAMPING, yy + DAMPING
        whole = xx * yy - xy * xy
        shift = ((xy * y - yy * x) / whole, (xy * x - xx * y) / whole)
        return RegistrationFit(share, shift, self._least_constrained_share(matching))

    def _least_constrained_share(self, matching: NDArray[np.bool_]) -> float:
        """Return the share of the gradient that the ``matching`` cells hold in their least constrained direction.

        It is the smaller eigenvalue of (all of it)^-1 (theirs), both 2 x 2 and symmetric.
        """
        a, b, c = (self._energies[:, self._telling_cells].sum(axis=1) + UNIT_MATRIX).tolist()
        d, e, f = (self._energies[:, matching].sum(axis=1) + UNIT_MATRIX).tolist()
        whole = a * c - b * b
        half = (c * d + a * f - 2 * b * e) / whole / 2
        return float(half - math.sqrt(max(0.0, half * half - (d * f - e * e) / whole)))

    def _compare(self, grey: Grey) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Return which cells match, and by how much each telling pixel differs."""
        now = np.asarray(cv2.GaussianBlur(self._cut(grey).astype(np.float32), (3, 3), 0))
        here = now.ravel()[self._at] - self._smooth
        # A shadow or a lamp changes all of a cell alike: compare about the cells' own means.
        total = np.maximum(self._total, 1)
        mean = np.bincount(self._cell, here, len(total)) / total
        here -= mean.astype(np.float32)[self._cell]
        off = np.abs(here)
        good = np.bincount(self._cell, off < self._limit, len(total)) / total
        near = np.bincount(self._cell, off, len(total)) <= self._most
        return self._telling_cells & (good >= 0.9) & near & (np.abs(mean) <= MAX_SHADE_LEVELS), here


def is_at_place(fit: RegistrationFit) -> bool:
    """Return whether a fit shows the card at its place, to within a pixel."""
    return fit.share >= MIN_MATCHED_SHARE and fit.off_px <= 1.0


def card_is_at_place(patch: CardTemplate, frame: Grey) -> bool:
    """Return whether the card lies at its place in this frame."""
    return is_at_place(patch.fit(frame))


def find_arrival(patch: CardTemplate, frames: Sequence[Grey], rest: int) -> int:
    """Return the index in ``frames`` since which the card was within a pixel of its place; at most ``rest``.

    Shadows of what comes later blur the moment of rest; but not that the card was there before they came.
    """
    share = patch.fit(frames[rest]).share
    k = rest
    while k > 0:
        fit = patch.fit(frames[k - 1])
        if fit.share < max(MIN_MATCHED_SHARE, 0.4 * share) or fit.off_px > 1.0:
            break
        k -= 1
    return k


def find_first_at_rest(
    patch: CardTemplate, frames: Sequence[Grey], stamps: Sequence[int], at_rest_px: float = MAX_REST_OFFSET_PX
) -> int:
    """Return the index in ``frames``, taken at ``stamps``, since which the card lies at rest as in the last of them.

    ``at_rest_px``: tolerance of the position, mark pixels.
    """
    first = len(frames) - 1
    # The last frames are at rest: how they differ from the card's look is what a trembling camera does.
    known = [patch.fit(frame) for frame in frames[-TREMBLE_FRAMES:]]
    matched = min(MIN_MATCHED_SHARE, patch.min_share, 0.6 * min(fit.share for fit in known))
    at_rest = max(at_rest_px, 1.5 * max(fit.off_px for fit in known))
    trembling = min(fit.share for fit in known) < MIN_SHARE_STEADY_CAMERA
    share = known[-1].share
    missed = False
    for k in range(first - 1, -1, -1):
        fit = patch.fit(frames[k])
        # A hand covers a card little by little; a card that has still to arrive loses most cells in one frame.
        near = (
            fit.share >= (matched if trembling else max(matched, MIN_SHARE_OF_NEXT_FRAME * share))
            and fit.off_px <= at_rest
        )
        if near and missed and k and not trembling:
            # After a gap (something passed over it) one frame may fit by chance.
            again = patch.fit(frames[k - 1])
            near = again.share >= matched and again.off_px <= at_rest
        if near and fit.share > 0:
            first, share, missed = k, fit.share, False
            continue
        missed = True
        if stamps[first] - stamps[k] > MAX_PASSING_NS:
            break
    return first


def find_last_at_rest(patch: CardTemplate, frames: Sequence[Grey]) -> int:
    """Return the index in ``frames`` of the last one in which the card still lies at its place; -1 if none.

    A hand that takes it may hide most of it first; but then it pauses, which it doesn't once it has begun to move the
    card.
    """
    last = len(frames) - 1
    while last >= 0 and not _is_plainly_at_place(patch.fit(frames[last])):
        last -= 1
    if last < 0:
        return -1
    for k in range(last + 1, len(frames)):
        fit = patch.fit(frames[k])
        if fit.share < patch.min_share or fit.off_px > MAX_REST_OFFSET_PX:
            break
        if patch.changed_share(frames[k - 1], frames[k]) <= MAX_PAUSE_CHANGE:
            last = k
    return last


def _is_plainly_at_place(fit: RegistrationFit) -> bool:
    """Return whether a fit shows the card at its place, without having slid along its edges."""
    return (
        fit.share >= MIN_MATCHED_SHARE
        and fit.least_constrained_share >= MIN_LEAST_CONSTRAINED_SHARE
        and fit.off_px <= MAX_LYING_OFFSET_PX
    )
