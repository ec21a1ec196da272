"""Finds the printed mat in a picture: which sheet, which markers, and the homography they tell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import Matrix
from table.facts import Image
from table.setup.mat import MATS, Marker, Mat
from table.sight.geometry import Points, transform

LEAST_MARKERS: Final = 4
STRAY_MM: Final = 3.0
"""A corner farther than this from where the others put it belongs to no marker of the mat (or to one that is bent)."""


@dataclass(frozen=True, slots=True)
class FoundMat:
    """The mat as a picture shows it."""

    mat: Mat
    markers: tuple[Marker, ...]
    """Those that were found where they should be, in the mat's order."""
    corners: Points
    """Their corners in the picture, 4 N x 2, in the same order."""
    homography: NDArray[np.float64]
    """Millimetres on the mat to pixels of the picture as it was given, 3 x 3."""
    residual_mm: float
    """Root of the mean square of the corners' distances from where the homography puts them."""
    mirrored: bool

    @property
    def turn_deg(self) -> float:
        """How far the mat's x axis is turned clockwise from the picture's, at the mark, -180..180.

        The rotation nearest to the homography's derivative there (the orthogonal part of its polar decomposition).
        """
        matrix = self.homography / self.homography[2, 2]
        local = matrix[:2, :2] - np.outer(matrix[:2, 2], matrix[2, :2])
        return math.degrees(math.atan2(local[1, 0] - local[0, 1], local[0, 0] + local[1, 1]))

    def table_homography(self, mat_turn_deg: float | None = None) -> Matrix:
        """The table's plane to pixels, where the mat lies turned by so much on the table.

        Without ``mat_turn_deg`` the table's axes are the picture's: x right, y down.
        """
        turn = math.radians(self.turn_deg if mat_turn_deg is None else mat_turn_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        mat_of_table = np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
        matrix = self.homography @ mat_of_table
        matrix = matrix / matrix[2, 2]
        a, b, c = ((float(row[0]), float(row[1]), float(row[2])) for row in matrix)
        return a, b, c


def find_mat(image: Image, printed: float = 1.0, *, mirrors: bool = True) -> FoundMat | None:
    """The mat of which most markers are seen; None where fewer than four are, or they don't surround the mark.

    ``printed``: the size in which it came out of the printer, 1 being right. ``mirrors``: look for a mirrored one too,
    which costs as much again.
    """
    grey = _grey(image)
    straight = _best(_markers(grey), printed)
    if not mirrors:
        return straight
    # A marker seen in a mirror is no marker, or now and then another one: the whole mat tells.
    width = image.shape[1]
    flipped = _best(_markers(np.ascontiguousarray(grey[:, ::-1])), printed)
    if flipped is not None and (straight is None or len(flipped.markers) > len(straight.markers)):
        back = np.array([[-1.0, 0.0, width - 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        return FoundMat(
            flipped.mat,
            flipped.markers,
            transform(back, flipped.corners),
            back @ flipped.homography,
            flipped.residual_mm,
            mirrored=True,
        )
    return straight


def markers_seen(image: Image) -> int:
    """How many markers of any mat there are in the picture."""
    known = {marker.number for mat in MATS for marker in mat.markers}
    return len(known & set(_markers(_grey(image))))


def _grey(image: Image) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A window of a few pixels and less than a module: it must see no other corner.
    parameters.cornerRefinementWinSize = 5
    parameters.relativeCornerRefinmentWinSize = 0.7
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _markers(grey: NDArray[np.uint8]) -> dict[int, Points]:
    corners, numbers, _ = _detector().detectMarkers(grey)
    if numbers is None:
        return {}
    found: dict[int, Points] = {}
    twice = set()
    for quad, number in zip(corners, np.asarray(numbers).ravel(), strict=True):
        if int(number) in found:
            twice.add(int(number))
        found[int(number)] = np.asarray(quad, dtype=np.float64).reshape(4, 2)
    return {number: quad for number, quad in found.items() if number not in twice}


def _best(seen: dict[int, Points], printed: float) -> FoundMat | None:
    fits = [fit for sheet in MATS for mat in [sheet.scaled(printed)] if (fit := _fit(mat, seen)) is not None]
    return max(fits, key=lambda fit: len(fit.markers), default=None)


def _fit(mat: Mat, seen: dict[int, Points]) -> FoundMat | None:
    markers = [marker for marker in mat.markers if marker.number in seen]
    if len(markers) < LEAST_MARKERS:
        return None
    pixels = np.concatenate([seen[marker.number] for marker in markers])
    places = np.concatenate([marker.corners for marker in markers])
    # From pixels to millimetres, so that what counts as stray is a length on the table.
    inverse, _ = cv2.findHomography(pixels, places, cv2.RANSAC, STRAY_MM)
    if inverse is None or abs(float(np.linalg.det(inverse))) < 1e-15:
        return None
    apart = np.hypot(*(transform(np.asarray(inverse, np.float64), pixels) - places).T).reshape(-1, 4)
    good = apart.max(axis=1) <= STRAY_MM
    markers = [marker for marker, keep in zip(markers, good, strict=True) if keep]
    if len(markers) < LEAST_MARKERS or not _surround(markers):
        return None
    keep = np.repeat(good, 4)
    pixels, places = pixels[keep], places[keep]
    # Errors are the picture's: least squares are taken there.
    matrix, _ = cv2.findHomography(places, pixels, 0)
    if matrix is None:
        return None
    homography = np.asarray(matrix, np.float64)
    off = transform(np.asarray(np.linalg.inv(homography), np.float64), pixels) - places
    residual = float(np.sqrt((off**2).sum(axis=1).mean()))
    return FoundMat(mat, tuple(markers), pixels, homography, residual, mirrored=False)


def _surround(markers: list[Marker]) -> bool:
    """Whether the mark lies among them: beyond them a homography is a guess."""
    places = np.concatenate([marker.corners for marker in markers]).astype(np.float32)
    return cv2.pointPolygonTest(cv2.convexHull(places), (0.0, 0.0), False) > 0
