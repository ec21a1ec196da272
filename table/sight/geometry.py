"""The table's plane, the camera's picture, and the two pictures that sight works on.

Four planes of coordinates, all x right and y down:

- *table*: millimetres from the mark;
- *camera*: pixels of the whole frame;
- *mark*: pixels of the rectified square around the mark, in which a card's short side is 100 px;
- *small*: pixels of the whole frame made smaller by a whole factor, for motion and arms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import CameraConfig
from table.errors import TableError
from table.facts import Image
from table.phrase import dimensions

CARD_MM: Final = (63.5, 88.9)
"""A poker card, the standard of every length here."""
CARD_PX: Final = 100.0
"""Its short side in the mark picture."""
PX_PER_MM: Final = CARD_PX / CARD_MM[0]
MARK_PX: Final = 512
"""Side of the mark picture: about 325 mm of the table."""
SMALL_PX_PER_MM: Final = 0.45
"""About the scale of the small picture."""
MOST_SMALL: Final = 2 * 1024 * 1024
"""Pixels of the small picture: as many as 3840 x 2160 has whose cards can just be read (60 pixels wide)."""

_KEPT: Final = 128
"""So many outlines are kept drawn in the small picture: those of the cards that lie there, grown in a few ways."""
_COARSE: Final = 8
"""Light varies little over so many mark pixels."""

Points = NDArray[np.float64]
"""N x 2."""


def transform(matrix: NDArray[np.float64], points: Points) -> Points:
    """``points`` (N x 2) through a 3 x 3 homography."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:3])


def direction_deg(x: float, y: float) -> float:
    """The direction of (x, y) seen from the mark, degrees clockwise from the picture's top, 0..360."""
    return math.degrees(math.atan2(x, -y)) % 360.0


def angle_between(a: float, b: float) -> float:
    """The smaller angle between two directions, 0..180 degrees."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


def mean_direction_deg(angles: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean of directions, degrees: that of the sum of their arrows."""
    turn, weight = np.deg2rad(angles), np.array(weights)
    return direction_deg(float((np.sin(turn) * weight).sum()), float(-(np.cos(turn) * weight).sum()))


_SQUARE: Final = np.array([[0, 0], [MARK_PX, 0], [MARK_PX, MARK_PX], [0, MARK_PX]], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Cut:
    """What a frame shows of the square around the mark: a part of it, in its own memory unless it was made smaller."""

    picture: Image
    from_mark: NDArray[np.float64]
    """From the mark picture's pixels to its own, 3 x 3."""

    def copy(self) -> Cut:
        """The same in memory of its own."""
        return Cut(self.picture.copy(), self.from_mark)

    def mark(self) -> Image:
        """The rectified square, ``MARK_PX`` each way."""
        # (Of four channels it takes half the time that it takes of three.)
        four = np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_BGR2BGRA), dtype=np.uint8)
        return np.asarray(cv2.cvtColor(self._rectified(four), cv2.COLOR_BGRA2BGR), dtype=np.uint8)

    def grey(self) -> Image:
        """The same in grey, for half the work."""
        return self._rectified(np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8))

    def _rectified(self, picture: Image) -> Image:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(picture, self.from_mark, (MARK_PX, MARK_PX), flags=flags)
        return np.asarray(warped, dtype=np.uint8)


class Geometry:
    """The maps between the four planes, for one calibrated camera."""

    def __init__(self, camera: CameraConfig) -> None:
        if camera.homography is None:
            raise TableError("set_up.not_calibrated", at="camera.homography")
        self.size = camera.size
        self.table_to_camera = np.array(camera.homography, dtype=np.float64)
        middle = (MARK_PX - 1) / 2
        mark_to_table = np.array(
            [[1 / PX_PER_MM, 0, -middle / PX_PER_MM], [0, 1 / PX_PER_MM, -middle / PX_PER_MM], [0, 0, 1]]
        )
        self.mark_to_table = mark_to_table
        self.mark_to_camera = self.table_to_camera @ mark_to_table
        self.scale = scale = self._scale_at_mark()
        """Camera pixels to a millimetre, at the mark."""
        if not 0.2 <= scale <= 50:
            raise TableError("set_up.scale", at="camera.homography", scale=scale)
        width, height = camera.size
        self.shrink = max(1, round(scale / SMALL_PX_PER_MM))
        self.small_size = (width // self.shrink, height // self.shrink)
        self._check_extent(min(width, height) / scale)
        shift = (self.shrink - 1) / 2
        small_to_camera = np.array(
            [[self.shrink, 0, shift], [0, self.shrink, shift], [0, 0, 1]], dtype=np.float64
        )
        self.small_to_camera = small_to_camera
        self.small_to_table = np.linalg.inv(self.table_to_camera) @ small_to_camera
        columns, rows = np.meshgrid(np.arange(self.small_size[0]), np.arange(self.small_size[1]))
        self.small_places = transform(self.small_to_table, np.column_stack([columns.ravel(), rows.ravel()]))
        """Where on the table each small pixel is, row by row, mm: N x 2."""
        self.mark_to_small = np.linalg.inv(small_to_camera) @ self.mark_to_camera
        self._halve = max(1, int(scale / PX_PER_MM / 1.5))
        self._polygon_in_small = lru_cache(_KEPT)(self._drawn_in_small)

    def _check_extent(self, short_mm: float) -> None:
        """``TableError`` unless the picture shows a card's length at least, and no more than can be followed."""
        size = dimensions(self.size)
        if short_mm < max(CARD_MM):
            raise TableError(
                "set_up.too_near", at="camera.size", size=size, shows=short_mm, least=max(CARD_MM)
            )
        if self.small_size[0] * self.small_size[1] > MOST_SMALL:
            raise TableError("set_up.too_far", at="camera.size", size=size, scale=self.scale)

    def _scale_at_mark(self) -> float:
        origin, right, down = transform(self.table_to_camera, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        (a, c), (b, d) = right - origin, down - origin
        return math.sqrt(abs(a * d - b * c))

    def place_mm(self, point: tuple[float, float] | NDArray[np.float64]) -> tuple[float, float]:
        """Where a point of the mark picture is on the table."""
        x, y = transform(self.mark_to_table, np.array([point], dtype=np.float64))[0]
        return float(x), float(y)

    def seen_from_mark(self, place: tuple[float, float], towards_deg: float) -> float:
        """Where a ray from ``place`` (mm) in that direction leaves the picture, as a direction seen from the mark.

        ``towards_deg`` itself where the place is out of the picture.
        """
        width, height = self.size
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
        camera_to_table = np.asarray(np.linalg.inv(self.table_to_camera), dtype=np.float64)
        border = transform(camera_to_table, corners)
        turn = math.radians(towards_deg)
        ray = np.array([math.sin(turn), -math.cos(turn)])
        for start, end in zip(border, np.roll(border, -1, axis=0), strict=True):
            try:
                far, along = np.linalg.solve(np.column_stack([ray, start - end]), start - place)
            except np.linalg.LinAlgError:  # the ray runs along this side
                continue
            if far > 0 and 0 <= along <= 1:
                x, y = np.asarray(place) + far * ray
                return direction_deg(float(x), float(y))
        return towards_deg

    def check(self, image: Image) -> None:
        """``TableError`` unless the frame has the size that the homography was made for."""
        height, width = image.shape[:2]
        if (width, height) != self.size:
            size, wanted = dimensions((width, height)), dimensions(self.size)
            raise TableError("set_up.frame_size", at="camera.size", size=size, expected=wanted)

    def small(self, image: Image) -> Image:
        """The whole frame made smaller, its pixels averaged."""
        if self.shrink == 1:
            return image
        if self.shrink % 2 == 0:  # by twos is the fast way
            half = cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA)
            if self.shrink == 2:
                return np.asarray(half, dtype=np.uint8)
            image = np.asarray(half, dtype=np.uint8)
        return np.asarray(cv2.resize(image, self.small_size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def cut(self, image: Image, pose: NDArray[np.float64] | None = None) -> Cut:
        """What the frame ``image`` shows of the square around the mark.

        ``pose``: from the calibrated small picture's pixels to those of ``image``'s, 3 x 3, where the camera moved.
        """
        to_camera = self.mark_to_camera
        if pose is not None:
            to_camera = self.small_to_camera @ pose @ np.linalg.inv(self.small_to_camera) @ to_camera
        corners = transform(to_camera, _SQUARE)
        step = self._halve
        limit = np.array(image.shape[1::-1]) // step
        low = np.clip(np.floor(corners.min(axis=0) / step).astype(int) - 2, 0, limit - 1)
        high = np.clip(np.ceil(corners.max(axis=0) / step).astype(int) + 3, low + 1, limit)
        (left, top), (right, bottom) = low * step, high * step
        window = image[top:bottom, left:right]
        if step > 1:
            # A camera much finer than the mark picture is averaged first: sampling it would make noise of print.
            size = (int(high[0] - low[0]), int(high[1] - low[1]))
            window = np.asarray(cv2.resize(window, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        to_window = np.array([[1 / step, 0, -low[0]], [0, 1 / step, -low[1]], [0, 0, 1]]) @ to_camera
        return Cut(window, to_window)

    def mark(self, image: Image) -> Image:
        """The rectified square around the mark, ``MARK_PX`` each way."""
        return self.cut(image).mark()

    def light_at_mark(self, light: NDArray[np.float32]) -> NDArray[np.float32]:
        """A slowly varying picture over the small one, h x w x 3, over the mark picture."""
        coarse = np.diag([_COARSE, _COARSE, 1.0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        side = MARK_PX // _COARSE
        few = cv2.warpPerspective(
            light, self.mark_to_small @ coarse, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(
            cv2.resize(few, (MARK_PX, MARK_PX), interpolation=cv2.INTER_LINEAR), dtype=np.float32
        )

    def to_mark(self, small_mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A mask of the small picture as a mask of the mark picture (0 or 255)."""
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(small_mask, self.mark_to_small, (MARK_PX, MARK_PX), flags=flags)
        return np.asarray(warped, dtype=np.uint8)

    def square_in_small(self) -> NDArray[np.uint8]:
        """Which pixels of the small picture (0 or 255) show the square around the mark."""
        return self.polygon_in_small(_SQUARE)

    def polygon_in_small(self, quad: Points, grow_px: float = 0.0) -> NDArray[np.uint8]:
        """Which pixels of the small picture (0 or 255) lie in ``quad`` (mark pixels), grown by small pixels.

        Not to be written to: cards lie for long, and are asked for in every picture.
        """
        return self._polygon_in_small(np.asarray(quad, dtype=np.float64).tobytes(), round(grow_px))

    def _drawn_in_small(self, outline: bytes, grow_px: int) -> NDArray[np.uint8]:
        mask = np.zeros((self.small_size[1], self.small_size[0]), dtype=np.uint8)
        points = transform(self.mark_to_small, np.frombuffer(outline).reshape(-1, 2))
        cv2.fillConvexPoly(mask, np.rint(points * 16).astype(np.int32), 255, shift=4)
        if grow_px:
            size = 2 * grow_px + 1
            mask = np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)
        mask.flags.writeable = False
        return mask


def polygon(quad: Points) -> NDArray[np.uint8]:
    """Which pixels of the mark picture (0 or 255) lie in ``quad``."""
    mask = np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.rint(np.asarray(quad) * 16).astype(np.int32), 255, shift=4)
    return mask


def reach_of(quad: Points) -> tuple[slice, slice]:
    """The rows and columns of the mark picture that ``quad`` reaches."""
    low, high = np.floor(quad.min(axis=0)), np.ceil(quad.max(axis=0)) + 1
    (left, top), (right, bottom) = (np.clip(one, 0, MARK_PX).astype(int).tolist() for one in (low, high))
    return slice(top, bottom), slice(left, right)


def card_quad(
    centre: tuple[float, float], angle_deg: float, size_px: tuple[float, float] | None = None
) -> Points:
    """The outline (TL, TR, BR, BL) of a card at ``centre``, turned clockwise by ``angle_deg``, in mark pixels."""
    width, height = size_px or (CARD_MM[0] * PX_PER_MM, CARD_MM[1] * PX_PER_MM)
    turn = math.radians(angle_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(centre, dtype=np.float64))
