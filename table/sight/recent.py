"""One frame of the recent past, in the pictures that sight works on."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Frame, Image
from table.sight.gate import Mask, Planar, planar
from table.sight.geometry import MARK_PX, Geometry
from table.sight.rest import Grey
from table.sight.steady import divided, straight

LEVELS: Final = 26
"""Levels from which a pixel of the mark picture shows something else."""


class RecentFrame:
    """A frame's small picture, and its mark picture from when it is asked for: the frame itself is let go then."""

    __slots__ = ("_frame", "_geometry", "_grey", "_light", "_mark", "_pose", "_small", "index", "t_ns")

    def __init__(
        self,
        frame: Frame,
        geometry: Geometry,
        pose: NDArray[np.float64] | None = None,
        light: NDArray[np.float32] | None = None,
        small: Planar | None = None,
    ) -> None:
        """``pose`` and ``light``: what is taken out (see `table.sight.steady`); ``small`` where it is made already."""
        self.index, self.t_ns = frame.index, frame.t_ns
        self._geometry, self._small = geometry, small
        self._pose, self._light = pose, light
        self._frame: Image | None = frame.image
        self._mark: Image | None = None
        self._grey: Grey | None = None

    def rectify(self) -> None:
        """Make the mark picture and let the frame go."""
        if self._mark is None:
            assert self._frame is not None
            self._small = self.small
            self._mark = self._geometry.mark(self._frame, self._pose)
            if self._light is not None:
                self._mark = divided(self._mark, self._geometry.light_at_mark(self._light))
            self._grey = grey_of(self._mark)
            self._frame = self._light = None

    @property
    def frame(self) -> Image | None:
        """The frame itself, until it has been let go."""
        return self._frame

    @property
    def small(self) -> Planar:
        """The whole view, small and planar."""
        if self._small is None:
            assert self._frame is not None
            small = self._geometry.small(self._frame)
            if self._light is not None:
                small = divided(small, self._light)
            if self._pose is not None:
                small = straight(small, self._pose)
            self._small = planar(small)
        return self._small

    @property
    def mark(self) -> Image:
        """The rectified square around the mark, in colour."""
        assert self._mark is not None
        return self._mark

    @property
    def grey(self) -> Grey:
        """The same in grey."""
        assert self._grey is not None
        return self._grey


def colour_of(picture: Planar) -> Image:
    """A planar picture as a colour picture again."""
    height = picture.shape[0] // 3
    return np.asarray(cv2.merge([picture[k * height : (k + 1) * height] for k in range(3)]), dtype=np.uint8)


def grey_of(image: Image) -> Grey:
    """A colour picture in grey."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def nothing() -> Mask:
    """An empty mask of the mark picture."""
    return np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)


def far_from(a: Image, b: Image) -> Mask:
    """Where two colour pictures differ by ``LEVELS`` in any colour."""
    difference = cv2.absdiff(a, b)
    _, over = cv2.threshold(difference, LEVELS - 1, 255, cv2.THRESH_BINARY)
    blue, green, red = cv2.split(np.asarray(over))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)
