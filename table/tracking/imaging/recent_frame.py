"""One recent frame, with its small image and its mark images computed on demand."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import Box
from table.observed_facts import Frame, Image
from table.table_geometry import MARK_PX, Geometry, MarkCrop, bounding_slices
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.motion_detection import Mask, Planar, to_planar
from table.tracking.imaging.quad_geometry import box_corners
from table.tracking.imaging.stabilization import remove_light, remove_motion

DIFFERENT_LEVELS: Final = 26
"""Difference in levels from which a pixel of the mark image shows something else."""

_MAX_CUT_BYTES: Final = 2 * 3 * MARK_PX**2
"""Maximum size in bytes of a frame's part that is kept instead of its mark image."""
MIN_CHANGED_SHARE: Final = 0.05
"""Minimum share of an index's box that differs where it shows something else ..."""
MAX_PLAIN_CHANGE: Final = 0.03
"""... which it does if more than this share differs plainly, beyond a shadow (of one print to .01; 4 to 9 and hearts to
diamonds, just there, .04), ..."""
MIN_CORRELATION: Final = 0.75
"""... or if the prints correlate by less than this (one print with itself .87 and more; others .53 and less)."""
MIN_VISIBLE_SHARE: Final = 0.25
"""Minimum visible share of an index for a comparison of that alone."""


class RecentFrame:
    """A recent frame: its small image, and its mark image once it is accessed."""

    __slots__ = (
        "_cut",
        "_frame",
        "_geometry",
        "_grey",
        "_light",
        "_mark",
        "_pose",
        "_small",
        "index",
        "t_ns",
    )

    def __init__(
        self,
        frame: Frame,
        geometry: Geometry,
        pose: NDArray[np.float64] | None = None,
        light: NDArray[np.float32] | None = None,
        small: Planar | None = None,
    ) -> None:
        """Wrap a frame; ``pose`` and ``light`` are removed from its images (see `stabilization`).

        ``small``: the small image, if it exists already.
        """
        self.index, self.t_ns = frame.index, frame.t_ns
        self._geometry, self._small = geometry, small
        self._pose, self._light = pose, light
        self._frame: Image | None = frame.image
        self._cut: MarkCrop | None = None
        """The part of the frame that shows the mark, from the release of the frame until the mark image is made."""
        self._mark: Image | None = None
        self._grey: Grey | None = None

    def release_frame(self) -> None:
        """Release the frame, keeping no more than its small image and what shows the mark."""
        if self._frame is None:
            return
        self._small = self.small
        if self._mark is None:
            self._cut = self._geometry.crop_mark(self._frame, self._pose)
            if self._cut.image.size <= _MAX_CUT_BYTES:
                self._cut = self._cut.copy()
            else:
                self._mark = self._make_mark()
        self._frame = None

    @property
    def frame(self) -> Image | None:
        """The full frame, until it is released."""
        return self._frame

    @property
    def small(self) -> Planar:
        """The whole view, downscaled and planar."""
        if self._small is None:
            assert self._frame is not None
            small = self._geometry.make_small_image(self._frame)
            if self._light is not None:
                small = remove_light(small, self._light)
            if self._pose is not None:
                small = remove_motion(small, self._pose)
            self._small = to_planar(small)
        return self._small

    @property
    def mark(self) -> Image:
        """The rectified colour image of the square around the mark."""
        if self._mark is None:
            self._mark = self._make_mark()
        return self._mark

    @property
    def grey(self) -> Grey:
        """The rectified grey image of the square around the mark."""
        if self._grey is None:
            if self._mark is None and self._light is None:  # most are asked for nothing else
                self._grey = self._crop_of_mark().rectify_grey()
            else:
                self._grey = colour_to_grey(self.mark)
        return self._grey

    def _crop_of_mark(self) -> MarkCrop:
        if self._cut is not None:
            return self._cut
        assert self._frame is not None
        return self._geometry.crop_mark(self._frame, self._pose)

    def _make_mark(self) -> Image:
        mark, self._cut = self._crop_of_mark().rectify_colour(), None
        return (
            mark
            if self._light is None
            else remove_light(mark, self._geometry.warp_light_to_mark(self._light))
        )


def planar_to_colour(picture: Planar) -> Image:
    """Convert a planar image to a colour image."""
    height = picture.shape[0] // 3
    return np.asarray(cv2.merge([picture[k * height : (k + 1) * height] for k in range(3)]), dtype=np.uint8)


def colour_to_grey(image: Image) -> Grey:
    """Convert a colour image to grey."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def empty_mark_mask() -> Mask:
    """Return an empty mask of the mark image."""
    return np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)


def colour_difference_mask(a: Image, b: Image) -> Mask:
    """Return the mask where two colour images differ visibly in any colour."""
    difference = cv2.absdiff(a, b)
    _, over = cv2.threshold(difference, DIFFERENT_LEVELS - 1, 255, cv2.THRESH_BINARY)
    blue, green, red = cv2.split(np.asarray(over))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def index_has_changed(spot: Box, grey: Grey, expected: Grey, open_mask: Mask | None = None) -> bool:
    """Return whether an image shows something else in the box ``spot`` than ``expected``, allowing for a shadow.

    ``open_mask``: compare only there, unless too little of the box is inside.
    """
    box = bounding_slices(box_corners(spot))
    here, there = grey[box].astype(np.float32), expected[box].astype(np.float32)
    bare = open_mask[box] > 0 if open_mask is not None else np.ones_like(here, np.bool_)
    if np.count_nonzero(bare) < MIN_VISIBLE_SHARE * here.size:
        bare = np.ones_like(bare)
    here, there = here[bare], there[bare]
    if not here.size or (np.abs(here - there) >= DIFFERENT_LEVELS).mean() < MIN_CHANGED_SHARE:
        return False
    shade = min(1.0, float(here.mean()) / max(1.0, float(there.mean())))
    if (np.abs(here - shade * there) >= 2 * DIFFERENT_LEVELS).mean() > MAX_PLAIN_CHANGE:
        return True
    return correlation(here, there) < MIN_CORRELATION


def correlation(a: NDArray[np.generic], b: NDArray[np.generic]) -> float:
    """Return the correlation, -1 to 1, of the values of two lists of pixels; 0 if those of one are all the same."""
    here, there = a.astype(np.float32), b.astype(np.float32)
    here, there = here - here.mean(), there - there.mean()
    return float(here @ there) / max(1.0, math.sqrt(float(here @ here) * float(there @ there)))
