"""Coordinate systems of the table, the camera and the working images, and the maps between them.

Four planes of coordinates, all x right and y down:

- *table*: millimetres from the mark;
- *camera*: pixels of the whole frame;
- *mark*: pixels of the rectified square around the mark, in which a card's short side is 100 px;
- *small*: pixels of the whole frame, downscaled by an integer factor, for motion and arm detection.
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

from table.config.settings import CameraConfig
from table.directions import direction_deg, direction_vector
from table.errors import TableError
from table.observed_facts import Image
from table.phrase import size_phrase

CARD_MM: Final = (63.5, 88.9)
"""Short and long side of a poker card; the reference for every length in this module."""
CARD_PX: Final = 100.0
"""Short side of a card in the mark image, pixels."""
PX_PER_MM: Final = CARD_PX / CARD_MM[0]
"""Resolution of the mark image."""
MARK_PX: Final = 512
"""Side of the mark image, pixels: about 325 mm of the table."""
SMALL_PX_PER_MM: Final = 0.45
"""Approximate resolution of the small image."""
MAX_SMALL_IMAGE_PIXELS: Final = 2 * 1024 * 1024
"""Maximum number of pixels of the small image: what 3840 x 2160 has when its cards are just readable (60 pixels
wide)."""

_CACHED_MASKS: Final = 128
"""Number of polygon masks cached for the small image: the outlines of the cards on the mark, dilated in a few ways."""
_LIGHT_STEP_PX: Final = 8
"""Mark pixels over which the illumination varies little: the light field is warped at this coarser step."""

Points = NDArray[np.float64]
"""N x 2 coordinates."""


def transform_points(matrix: NDArray[np.float64], points: Points) -> Points:
    """Map ``points`` (N x 2) through a 3 x 3 homography."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:3])


def mean_direction_deg(angles: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted circular mean of directions, degrees: the direction of the sum of their vectors."""
    radians, weight = np.deg2rad(angles), np.array(weights)
    return direction_deg(float((np.sin(radians) * weight).sum()), float(-(np.cos(radians) * weight).sum()))


_MARK_SQUARE: Final = np.array([[0, 0], [MARK_PX, 0], [MARK_PX, MARK_PX], [0, MARK_PX]], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class MarkCrop:
    """The part of a frame that shows the square around the mark: a view of the frame, or a downscaled copy of it."""

    image: Image
    from_mark: NDArray[np.float64]
    """3 x 3 matrix from pixels of the mark image to pixels of this image."""

    def copy(self) -> MarkCrop:
        """Return a copy that owns its memory, so that the frame can be released."""
        return MarkCrop(self.image.copy(), self.from_mark)

    def rectify_colour(self) -> Image:
        """Return the rectified colour image of the square, ``MARK_PX`` each way."""
        # (Warping four channels takes half the time of warping three.)
        bgra = np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2BGRA), dtype=np.uint8)
        return np.asarray(cv2.cvtColor(self._rectify(bgra), cv2.COLOR_BGRA2BGR), dtype=np.uint8)

    def rectify_grey(self) -> Image:
        """Return the rectified grey image of the square, for half the work of the colour image."""
        return self._rectify(np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8))

    def _rectify(self, picture: Image) -> Image:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(picture, self.from_mark, (MARK_PX, MARK_PX), flags=flags)
        return np.asarray(warped, dtype=np.uint8)


class Geometry:
    """Maps between the four coordinate planes for one calibrated camera."""

    def __init__(self, camera: CameraConfig) -> None:
        if camera.homography is None:
            raise TableError("set_up.not_calibrated", at="camera.homography")
        self.size = camera.size
        self.table_to_camera = np.array(camera.homography, dtype=np.float64)
        centre = (MARK_PX - 1) / 2
        mark_to_table = np.array(
            [[1 / PX_PER_MM, 0, -centre / PX_PER_MM], [0, 1 / PX_PER_MM, -centre / PX_PER_MM], [0, 0, 1]]
        )
        self.mark_to_table = mark_to_table
        self.mark_to_camera = self.table_to_camera @ mark_to_table
        self.camera_px_per_mm = scale = self._scale_at_mark()
        """Camera pixels per millimetre at the mark."""
        if not 0.2 <= scale <= 50:
            raise TableError("set_up.scale", at="camera.homography", scale=scale)
        width, height = camera.size
        self.downscale_factor = max(1, round(scale / SMALL_PX_PER_MM))
        self.small_size = (width // self.downscale_factor, height // self.downscale_factor)
        self._check_extent(min(width, height) / scale)
        shift = (self.downscale_factor - 1) / 2
        small_to_camera = np.array(
            [[self.downscale_factor, 0, shift], [0, self.downscale_factor, shift], [0, 0, 1]],
            dtype=np.float64,
        )
        self.small_to_camera = small_to_camera
        self.small_to_table = np.linalg.inv(self.table_to_camera) @ small_to_camera
        columns, rows = np.meshgrid(np.arange(self.small_size[0]), np.arange(self.small_size[1]))
        self.small_pixel_positions_mm = transform_points(
            self.small_to_table, np.column_stack([columns.ravel(), rows.ravel()])
        )
        """Position on the table of each small pixel, row by row, mm: N x 2."""
        self.mark_to_small = np.linalg.inv(small_to_camera) @ self.mark_to_camera
        self._mark_downscale = max(1, int(scale / PX_PER_MM / 1.5))
        self._polygon_in_small = lru_cache(_CACHED_MASKS)(self._draw_polygon_in_small)

    def _check_extent(self, short_mm: float) -> None:
        """Raise ``TableError`` unless the frame shows at least a card's length and the small image isn't too large."""
        size = size_phrase(self.size)
        if short_mm < max(CARD_MM):
            raise TableError(
                "set_up.too_near", at="camera.size", size=size, shows=short_mm, least=max(CARD_MM)
            )
        if self.small_size[0] * self.small_size[1] > MAX_SMALL_IMAGE_PIXELS:
            raise TableError("set_up.too_far", at="camera.size", size=size, scale=self.camera_px_per_mm)

    def _scale_at_mark(self) -> float:
        origin, right, down = transform_points(
            self.table_to_camera, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        )
        (a, c), (b, d) = right - origin, down - origin
        return math.sqrt(abs(a * d - b * c))

    def mark_point_to_mm(self, point: tuple[float, float] | NDArray[np.float64]) -> tuple[float, float]:
        """Map a point of the mark image to the table, mm."""
        x, y = transform_points(self.mark_to_table, np.array([point], dtype=np.float64))[0]
        return float(x), float(y)

    def ray_exit_direction(self, place: tuple[float, float], towards_deg: float) -> float:
        """Return where a ray from ``place`` (mm) leaves the camera image, as a direction seen from the mark.

        ``towards_deg``: the ray's direction, which is returned unchanged if ``place`` is outside the image.
        """
        width, height = self.size
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
        camera_to_table = np.asarray(np.linalg.inv(self.table_to_camera), dtype=np.float64)
        border = transform_points(camera_to_table, corners)
        ray = np.array(direction_vector(towards_deg))
        for start, end in zip(border, np.roll(border, -1, axis=0), strict=True):
            try:
                distance, along = np.linalg.solve(np.column_stack([ray, start - end]), start - place)
            except np.linalg.LinAlgError:  # the ray runs along this side
                continue
            if distance > 0 and 0 <= along <= 1:
                x, y = np.asarray(place) + distance * ray
                return direction_deg(float(x), float(y))
        return towards_deg

    def check_frame_size(self, image: Image) -> None:
        """Raise ``TableError`` unless the frame has the size that the homography was calibrated for."""
        height, width = image.shape[:2]
        if (width, height) != self.size:
            size, expected = size_phrase((width, height)), size_phrase(self.size)
            raise TableError("set_up.frame_size", at="camera.size", size=size, expected=expected)

    def make_small_image(self, image: Image) -> Image:
        """Return the whole frame downscaled to the small image, pixels averaged."""
        if self.downscale_factor == 1:
            return image
        if self.downscale_factor % 2 == 0:  # halving is the fast case of OpenCV
            half = cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA)
            if self.downscale_factor == 2:
                return np.asarray(half, dtype=np.uint8)
            image = np.asarray(half, dtype=np.uint8)
        return np.asarray(cv2.resize(image, self.small_size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def crop_mark(self, image: Image, pose: NDArray[np.float64] | None = None) -> MarkCrop:
        """Cut out the part of the frame ``image`` that shows the square around the mark.

        ``pose``: 3 x 3 matrix from pixels of the calibrated small image to those of this frame's small image, if the
        camera moved.
        """
        to_camera = self.mark_to_camera
        if pose is not None:
            to_camera = self.small_to_camera @ pose @ np.linalg.inv(self.small_to_camera) @ to_camera
        corners = transform_points(to_camera, _MARK_SQUARE)
        step = self._mark_downscale
        limit = np.array(image.shape[1::-1]) // step
        low = np.clip(np.floor(corners.min(axis=0) / step).astype(int) - 2, 0, limit - 1)
        high = np.clip(np.ceil(corners.max(axis=0) / step).astype(int) + 3, low + 1, limit)
        (left, top), (right, bottom) = low * step, high * step
        window = image[top:bottom, left:right]
        if step > 1:
            # A camera much finer than the mark image is averaged first: sampling it would alias the print into noise.
            size = (int(high[0] - low[0]), int(high[1] - low[1]))
            window = np.asarray(cv2.resize(window, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        to_window = np.array([[1 / step, 0, -low[0]], [0, 1 / step, -low[1]], [0, 0, 1]]) @ to_camera
        return MarkCrop(window, to_window)

    def make_mark_image(self, image: Image) -> Image:
        """Return the rectified colour image of the square around the mark, ``MARK_PX`` each way."""
        return self.crop_mark(image).rectify_colour()

    def warp_light_to_mark(self, light: NDArray[np.float32]) -> NDArray[np.float32]:
        """Resample a slowly varying light field of the small image, h x w x 3, to the mark image."""
        from_coarse = np.diag([_LIGHT_STEP_PX, _LIGHT_STEP_PX, 1.0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        side = MARK_PX // _LIGHT_STEP_PX
        coarse_light = cv2.warpPerspective(
            light,
            self.mark_to_small @ from_coarse,
            (side, side),
            flags=flags,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(
            cv2.resize(coarse_light, (MARK_PX, MARK_PX), interpolation=cv2.INTER_LINEAR), dtype=np.float32
        )

    def warp_mask_to_mark(self, small_mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Warp a mask of the small image to the mark image (0 or 255)."""
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(small_mask, self.mark_to_small, (MARK_PX, MARK_PX), flags=flags)
        return np.asarray(warped, dtype=np.uint8)

    def mark_square_mask(self) -> NDArray[np.uint8]:
        """Return the mask of the small pixels (0 or 255) that show the square around the mark."""
        return self.small_polygon_mask(_MARK_SQUARE)

    def small_polygon_mask(self, quad: Points, grow_px: float = 0.0) -> NDArray[np.uint8]:
        """Return the mask of the small pixels (0 or 255) inside ``quad`` (mark pixels), dilated by ``grow_px``.

        The mask is read-only and cached: cards lie for long, and their masks are needed for every frame.
        """
        return self._polygon_in_small(np.asarray(quad, dtype=np.float64).tobytes(), round(grow_px))

    def _draw_polygon_in_small(self, outline: bytes, grow_px: int) -> NDArray[np.uint8]:
        mask = np.zeros((self.small_size[1], self.small_size[0]), dtype=np.uint8)
        points = transform_points(self.mark_to_small, np.frombuffer(outline).reshape(-1, 2))
        cv2.fillConvexPoly(mask, np.rint(points * 16).astype(np.int32), 255, shift=4)
        if grow_px:
            size = 2 * grow_px + 1
            mask = np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)
        mask.flags.writeable = False
        return mask


def polygon_mask(quad: Points) -> NDArray[np.uint8]:
    """Return the mask of the mark pixels (0 or 255) inside ``quad``."""
    mask = np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.rint(np.asarray(quad) * 16).astype(np.int32), 255, shift=4)
    return mask


def bounding_slices(quad: Points) -> tuple[slice, slice]:
    """Return the row and column slices of the mark image that bound ``quad``."""
    low, high = np.floor(quad.min(axis=0)), np.ceil(quad.max(axis=0)) + 1
    (left, top), (right, bottom) = (
        np.clip(corner, 0, MARK_PX).astype(int).tolist() for corner in (low, high)
    )
    return slice(top, bottom), slice(left, right)


def card_quad(
    centre: tuple[float, float], angle_deg: float, size: tuple[float, float] | None = None
) -> Points:
    """Return the outline (TL, TR, BR, BL) of a card at ``centre``, rotated clockwise by ``angle_deg``.

    In mark pixels, or else in the unit of ``size`` (width, height).
    """
    width, height = size or (CARD_MM[0] * PX_PER_MM, CARD_MM[1] * PX_PER_MM)
    angle = math.radians(angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(centre, dtype=np.float64))
