"""Motion detection by frame differencing on the small image, cheap enough for every frame.

Colour images are kept *planar* (blue, green, red stacked to one 3h x w image), which OpenCV filters fastest. Every
comparison allows for a pixel's shift: a value differs when it lies outside the range of its reference's 3 x 3
neighbourhood by more than a threshold, so a trembling camera moves nothing.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import MS, Image

Mask = NDArray[np.uint8]
"""An image that is zero where something does not hold."""
Planar = NDArray[np.uint8]
"""A colour image as one 3h x w image: blue, green and red planes stacked."""
Milliseconds = NDArray[np.int32]

MOTION_LEVELS: Final = 18
"""Levels (of 255) outside the reference's range from which a pixel differs; noise after averaging is a few."""
STATIC_MS: Final = 95
"""Time without change after which a pixel is static."""
_AROUND: Final = np.ones((7, 7), np.uint8)
_KERNEL: Final = np.ones((3, 3), np.uint8)
_NEIGHBOURS: Final = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.uint8)


def to_planar(image: Image) -> Planar:
    """Stack the blue, green and red planes of a colour image below each other."""
    return np.vstack(cv2.split(image)).astype(np.uint8, copy=False)


class ReferenceImage:
    """A reference image that others are compared with."""

    def __init__(self, picture: Planar) -> None:
        self.set_image(picture)

    def set_image(self, picture: Planar) -> None:
        """Set another reference image."""
        self.image = picture
        self._high = np.asarray(cv2.dilate(picture, _KERNEL))
        self._low = np.asarray(cv2.erode(picture, _KERNEL))

    def difference_mask(self, other: Planar, threshold: int = MOTION_LEVELS) -> Mask:
        """Return the mask, h x w, where ``other`` is outside the reference's range."""
        out = cv2.max(cv2.subtract(other, self._high), cv2.subtract(self._low, other))
        height = out.shape[0] // 3
        most = cv2.max(cv2.max(out[:height], out[height : 2 * height]), out[2 * height :])
        _, mask = cv2.threshold(most, threshold, 255, cv2.THRESH_BINARY)
        return np.asarray(mask, dtype=np.uint8)

    def replace_where(self, other: Planar, where: Mask) -> None:
        """Copy ``other`` into the reference where the mask ``where`` is set."""
        picture = self.image.copy()
        cv2.copyTo(other, np.vstack([where, where, where]), picture)
        self.set_image(picture)


def remove_noise(mask: Mask) -> Mask:
    """Return a mask without its isolated pixels: those are noise of the sensor."""
    return np.asarray(cv2.bitwise_and(mask, cv2.dilate(mask, _NEIGHBOURS)), dtype=np.uint8)


class MotionDetector:
    """Tracks when each pixel of the small image moved last."""

    def __init__(self, first: Planar, t_ns: int) -> None:
        self._last_ns = t_ns
        self._anchor = ReferenceImage(first)
        self._clock_ms = 0
        """Time that runs with the frames' stamps, without gaps in the recording."""
        self._moved_ms: Milliseconds = np.full(
            (first.shape[0] // 3, first.shape[1]), -STATIC_MS, dtype=np.int32
        )
        """When each pixel moved last."""

    def add_frame(self, picture: Planar, t_ns: int) -> Mask:
        """Add the next image, of ``t_ns``; return the mask where it differs from the last static state."""
        self.add_idle_frame(t_ns)
        moved = remove_noise(self._anchor.difference_mask(picture))
        if cv2.countNonZero(moved):
            self._moved_ms[moved > 0] = self._clock_ms
            # With its surroundings: taken pixel by pixel, old and new ones side by side would span every range.
            self._anchor.replace_where(picture, np.asarray(cv2.dilate(moved, _AROUND), dtype=np.uint8))
        return moved

    def add_idle_frame(self, t_ns: int) -> None:
        """Add a frame, of ``t_ns``, without motion; a gap in the recording doesn't count as rest."""
        self._clock_ms += min(max((t_ns - self._last_ns) // MS, 1), STATIC_MS)
        self._last_ns = t_ns

    def moving_mask(self, for_ms: int = STATIC_MS) -> Mask:
        """Return the mask of the pixels that have not been static for ``for_ms``."""
        return np.asarray(cv2.bitwise_not(self.static_mask(for_ms)), dtype=np.uint8)

    def static_mask(self, for_ms: int = STATIC_MS) -> Mask:
        """Return the mask of the pixels that have been static for ``for_ms``."""
        return (self._moved_ms <= self._clock_ms - for_ms).view(np.uint8) * np.uint8(255)
