"""Detects the printed mat in a picture: which sheet, which markers, and their homography."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.homography_checks import derivative_at_mark, turn_at_mark, turn_table
from table.calibration.homography.mat_design import MATS, Marker, Mat
from table.config.settings import Matrix
from table.observed_facts import Image
from table.table_geometry import Points, transform_points

MIN_MARKERS: Final = 4
MAX_STRAY_MM: Final = 3.0
"""A corner farther than this from where the other corners put it belongs to no marker of the mat (or to a bent one)."""


@dataclass(frozen=True, slots=True)
class FoundMat:
    """The printed mat as detected in a picture."""

    sheet: Mat
    markers: tuple[Marker, ...]
    """The markers that were detected in their places, in the mat's order."""
    corners: Points
    """Their corners in the picture, 4 N x 2, in the same order."""
    homography: NDArray[np.float64]
    """Millimetres on the mat to pixels of the picture as it was given, 3 x 3."""
    residual_mm: float
    """The root mean square of the corners' distances from where the homography puts them."""

    @property
    def turn_deg(self) -> float:
        """The turn of the mat's x axis clockwise from the picture's, at the mark, -180..180."""
        return math.degrees(turn_at_mark(derivative_at_mark(self.homography / self.homography[2, 2])))

    def table_homography(self, mat_turn_deg: float | None = None) -> Matrix:
        """Return the homography from the table's plane to pixels, with the mat turned by ``mat_turn_deg`` on it.

        Without ``mat_turn_deg`` the table's axes are the picture's: x right, y down.
        """
        return turn_table(
            self.homography, math.radians(self.turn_deg if mat_turn_deg is None else mat_turn_deg)
        )


def find_mat(image: Image, printed: float = 1.0, *, mirrors: bool = True) -> FoundMat | None:
    """Return the mat with most detected markers; None if fewer than four are, or they do not surround the mark.

    ``printed``: the scale of the print, 1 being right. ``mirrors``: search for a mirrored mat too, at twice the cost.
    """
    grey = _to_grey(image)
    straight = _best_fit(_detect_markers(grey), printed)
    if not mirrors:
        return straight
    # A mirrored marker is no marker, or now and then another one: only the whole mat decides.
    width = image.shape[1]
    flipped = _best_fit(_detect_markers(np.ascontiguousarray(grey[:, ::-1])), printed)
    if flipped is not None and (straight is None or len(flipped.markers) > len(straight.markers)):
        back = np.array([[-1.0, 0.0, width - 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        corners = transform_points(back, flipped.corners)
        return replace(flipped, corners=corners, homography=back @ flipped.homography)
    return straight


def count_markers(image: Image) -> int:
    """Return how many markers of any mat the picture shows."""
    known = {marker.number for mat in MATS for marker in mat.markers}
    return len(known & set(_detect_markers(_to_grey(image))))


def _to_grey(image: Image) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@cache
def _marker_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A window of a few pixels and less than a module: it must see no other corner.
    parameters.cornerRefinementWinSize = 5
    parameters.relativeCornerRefinmentWinSize = 0.7
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _detect_markers(grey: NDArray[np.uint8]) -> dict[int, Points]:
    """Return the corners of each marker that is in the picture exactly once, by its number."""
    corners, numbers, _ = _marker_detector().detectMarkers(grey)
    if numbers is None:
        return {}
    quads: dict[int, Points] = {}
    twice = set()
    for quad, number in zip(corners, np.asarray(numbers).ravel(), strict=True):
        if int(number) in quads:
            twice.add(int(number))
        quads[int(number)] = np.asarray(quad, dtype=np.float64).reshape(4, 2)
    return {number: quad for number, quad in quads.items() if number not in twice}


def _best_fit(quads: dict[int, Points], printed: float) -> FoundMat | None:
    fits = [
        fit for sheet in MATS for mat in [sheet.scaled(printed)] if (fit := _fit_mat(mat, quads)) is not None
    ]
    return max(fits, key=lambda fit: len(fit.markers), default=None)


def _fit_mat(mat: Mat, quads: dict[int, Points]) -> FoundMat | None:
    """Fit the homography of one mat to detected markers; None if too few of them agree."""
    markers = [marker for marker in mat.markers if marker.number in quads]
    if len(markers) < MIN_MARKERS:
        return None
    pixels = np.concatenate([quads[marker.number] for marker in markers])
    places = np.concatenate([marker.corners for marker in markers])
    # From pixels to millimetres, so that what counts as stray is a length on the table.
    inverse, _ = cv2.findHomography(pixels, places, cv2.RANSAC, MAX_STRAY_MM)
    if inverse is None or abs(float(np.linalg.det(inverse))) < 1e-15:
        return None
    distances = np.hypot(*(transform_points(np.asarray(inverse, np.float64), pixels) - places).T).reshape(
        -1, 4
    )
    good = distances.max(axis=1) <= MAX_STRAY_MM
    markers = [marker for marker, keep in zip(markers, good, strict=True) if keep]
    if len(markers) < MIN_MARKERS or not _surround(markers):
        return None
    keep = np.repeat(good, 4)
    pixels, places = pixels[keep], places[keep]
    # Errors are the picture's: least squares are taken there.
    matrix, _ = cv2.findHomography(places, pixels, 0)
    if matrix is None:
        return None
    homography = np.asarray(matrix, np.float64)
    errors = transform_points(np.asarray(np.linalg.inv(homography), np.float64), pixels) - places
    residual = float(np.sqrt((errors**2).sum(axis=1).mean()))
    return FoundMat(mat, tuple(markers), pixels, homography, residual)


def _surround(markers: list[Marker]) -> bool:
    """Return whether the mark lies among the markers: beyond them a homography is a guess."""
    places = np.concatenate([marker.corners for marker in markers]).astype(np.float32)
    return cv2.pointPolygonTest(cv2.convexHull(places), (0.0, 0.0), False) > 0
