"""One frame of the recent past, in the pictures that sight works on."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Frame, Image
from table.sight.gate import Mask, Planar, planar
from table.sight.geometry import MARK_PX, Cut, Geometry
from table.sight.rest import Grey
from table.sight.steady import divided, straight

LEVELS: Final = 26
"""Levels from which a pixel of the mark picture shows something else."""

_ROOM: Final = 2 * 3 * MARK_PX**2
"""Bytes from which a part of a frame is too much to keep when the mark picture of it is less."""


class RecentFrame:
    """A frame's small picture, and its mark picture once somebody asks for it."""

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
        """``pose`` and ``light``: what is taken out (see `table.sight.steady`); ``small`` where it is made already."""
        self.index, self.t_ns = frame.index, frame.t_ns
        self._geometry, self._small = geometry, small
        self._pose, self._light = pose, light
        self._frame: Image | None = frame.image
        self._cut: Cut | None = None
        """What the frame shows of the mark, from when the frame has been let go until the mark picture is made."""
        self._mark: Image | None = None
        self._grey: Grey | None = None

    def let_go(self) -> None:
        """Let the frame go: what is kept of it is no larger than it need be."""
        if self._frame is None:
            return
        self._small = self.small
        if self._mark is None:
            self._cut = self._geometry.cut(self._frame, self._pose)
            if self._cut.picture.size <= _ROOM:
                self._cut = self._cut.copy()
            else:
                self._mark = self._make_mark()
        self._frame = None

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
        if self._mark is None:
            self._mark = self._make_mark()
        return self._mark

    @property
    def grey(self) -> Grey:
        """The same in grey."""
        if self._grey is None:
            if self._mark is None and self._light is None:  # most are asked for nothing else
                self._grey = self._seen_of_mark().grey()
            else:
                self._grey = grey_of(self.mark)
        return self._grey

    def _seen_of_mark(self) -> Cut:
        if self._cut is not None:
            return self._cut
        assert self._frame is not None
        return self._geometry.cut(self._frame, self._pose)

    def _make_mark(self) -> Image:
        mark, self._cut = self._seen_of_mark().mark(), None
        return mark if self._light is None else divided(mark, self._geometry.light_at_mark(self._light))


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
