"""Calibration without a mat: from one card's known size, laid in four places or more.

The detector gives the cards' rough outlines; their edges are then located in the picture, and the homography is the one
by which all of them are cards: rectangles of one known size. Unknown are eight numbers of the homography and three of
each card's place, less three for the origin of the table's plane; each card contributes eight. The first card's middle
is the mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.homography_checks import derivative_at_mark, turn_at_mark, turn_table
from table.config.settings import Matrix
from table.detection.card_detections import CardDetection
from table.detection.detector import Detector
from table.detection.photo_reading import read_still
from table.errors import TableError
from table.observed_facts import Image
from table.table_geometry import CARD_MM, Points, card_quad, transform_points

PLACES: Final = 4
MIN_CONFIDENCE: Final = 0.5
MIN_DISTANCE_SHARE: Final = 0.8
"""Two places are at least this share of a card's length apart."""
MAX_RESIDUAL_MM: Final = 2.0
"""The largest acceptable residual; a card that is bent, or of another size, gives more."""
_POINTS_PER_SIDE: Final = 25
"""The number of points along each side at which its edge is sought; half of them are needed."""
_ROUND_CORNER: Final = 0.15
"""This share of a side next to a corner is round."""
_MAX_ITERATIONS: Final = 40


class CardCalibration(NamedTuple):
    """The result of a calibration by cards."""

    homography: Matrix
    """Millimetres on the table to pixels; the axes are the picture's, as at the first card."""
    residual_mm: float
    """The root mean square of the corners' distances from where the homography puts them."""


def find_card_outlines(image: Image, detector: Detector) -> list[Points]:
    """Return the outlines (4 x 2 pixels, the face's upper left first) of whole, open cards, the middle's first."""
    centre = (image.shape[1] / 2, image.shape[0] / 2)
    quads = []
    for detection in read_still(detector, image):
        if detection.confidence >= MIN_CONFIDENCE and detection.quad is not None:
            quad = fit_card_edges(image, detection)
            if quad is not None:
                quads.append(quad)
    return sorted(quads, key=lambda quad: math.dist(quad.mean(axis=0), centre))


def fit_card_edges(image: Image, detection: CardDetection) -> Points | None:
    """Return a card's corners, where its edges meet; None if it has no four clear edges.

    The card is the area around its middle that differs from the ground around it, in the colour that separates them
    best.
    """
    assert detection.quad is not None
    guess = np.array(detection.quad, np.float64)
    middle = guess.mean(axis=0)
    enlarged = (middle + (guess - middle) * 1.5).astype(np.float32)
    height, width = image.shape[:2]
    top_left = np.maximum(np.floor(enlarged.min(axis=0)).astype(int), 0)
    bottom_right = np.minimum(np.ceil(enlarged.max(axis=0)).astype(int) + 1, (width, height))
    if (bottom_right - top_left < 16).any():
        return None
    crop = image[top_left[1] : bottom_right[1], top_left[0] : bottom_right[0]]
    contour = _find_contour(crop, guess - top_left)
    if contour is None:
        return None
    quad = _fit_corners(contour, guess - top_left)
    return None if quad is None else quad + top_left


def _find_contour(crop: Image, guess: Points) -> NDArray[np.float64] | None:
    """Return the card's contour in a crop of the picture, N x 2."""
    inside = np.zeros(crop.shape[:2], np.uint8)
    middle = guess.mean(axis=0)
    cv2.fillConvexPoly(inside, np.rint(middle + (guess - middle) * 0.8).astype(np.int32), 255)
    around = np.full(crop.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(around, np.rint(middle + (guess - middle) * 1.25).astype(np.int32), 0)
    paper = np.percentile(crop[inside > 0], 75, axis=0)
    ground = np.median(crop[around > 0], axis=0)
    to_paper = paper - ground
    if float(np.hypot.reduce(to_paper)) < 30:
        return None
    # Each pixel's colour on the line from the ground's to the paper's; print is filled in by the outer contour.
    paper_share = (crop.astype(np.float64) - ground) @ to_paper / float(to_paper @ to_paper)
    mask = (cv2.GaussianBlur(paper_share, (0, 0), 0.8) > 0.5).astype(np.uint8) * 255
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    centre = (float(middle[0]), float(middle[1]))
    around_middle = [
        contour for contour in contours if cv2.pointPolygonTest(cv2.convexHull(contour), centre, False) > 0
    ]
    if not around_middle:
        return None
    largest = max(around_middle, key=cv2.contourArea)
    points = np.asarray(largest, np.float64).reshape(-1, 2)
    border = (points < 1).any(axis=1) | (points >= np.array(crop.shape[1::-1]) - 2).any(axis=1)
    return None if border.any() else _refine_contour(points, paper_share)


def _refine_contour(points: NDArray[np.float64], paper_share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move a contour's pixels to the sub-pixel edge, where the colour is half of both.

    A contour as OpenCV gives it runs through the middles of its own pixels.
    """
    smoothed = cv2.GaussianBlur(paper_share, (0, 0), 0.8)
    middle = points.mean(axis=0)
    slope = (
        np.stack([cv2.Sobel(smoothed, cv2.CV_64F, 1, 0), cv2.Sobel(smoothed, cv2.CV_64F, 0, 1)], axis=-1) / 8
    )
    pixels = points.astype(int)
    value, gradient = smoothed[pixels[:, 1], pixels[:, 0]], slope[pixels[:, 1], pixels[:, 0]]
    squared_norm = np.maximum((gradient**2).sum(axis=1), 1e-3)
    step = -gradient * ((value - 0.5) / squared_norm)[:, None]
    step = np.clip(step, -1.5, 1.5)
    return np.asarray(np.where(np.isfinite(step), points + step, middle))


def _fit_corners(contour: NDArray[np.float64], guess: Points) -> Points | None:
    """Fit lines to the contour's four sides and return the corners where they meet, as if these were sharp."""
    box = cv2.boxPoints(cv2.minAreaRect(cv2.convexHull(contour.astype(np.float32)))).astype(np.float64)
    # In the order of the guess: the face's upper left first, and round the same way.
    orders = [np.roll(box, shift, axis=0) for shift in range(4)]
    orders += [np.roll(box[::-1], shift, axis=0) for shift in range(4)]
    box = min(orders, key=lambda order: float(((order - guess) ** 2).sum()))
    lines = []
    for start, end in zip(box, np.roll(box, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        if length < 8:
            return None
        along = along / length
        across = np.array([along[1], -along[0]])
        position, distance = (contour - start) @ along / length, np.abs((contour - start) @ across)
        side_points = contour[
            (position > _ROUND_CORNER) & (position < 1 - _ROUND_CORNER) & (distance < 0.12 * length + 2)
        ]
        if len(side_points) < _POINTS_PER_SIDE / 2:
            return None
        fitted = cv2.fitLine(side_points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
        right, down, x, y = (float(value) for value in np.ravel(fitted))
        lines.append(np.cross((x, y, 1.0), (x + right, y + down, 1.0)))
    corners = []
    for before, after in zip([lines[3], *lines[:3]], lines, strict=True):
        x, y, w = np.cross(before, after)
        if abs(w) < 1e-9:
            return None
        corners.append((x / w, y / w))
    return np.array(corners)


def calibrate_by_cards(quads: Sequence[Points], card_mm: tuple[float, float] = CARD_MM) -> CardCalibration:
    """Return the homography by which ``quads`` (4 x 2 pixels, the mark's first) are cards, or raise `TableError`."""
    if len(quads) < PLACES:
        raise TableError("calibrate.few_places", n=len(quads), least=PLACES)
    middles = [quad.mean(axis=0) for quad in quads]
    for number, middle in enumerate(middles):
        for other in middles[:number]:
            if math.dist(middle, other) < MIN_DISTANCE_SHARE * float(np.hypot(*(quads[0][3] - quads[0][0]))):
                raise TableError("calibrate.same_place")
    card = card_quad((0.0, 0.0), 0.0, card_mm)
    first, _ = cv2.findHomography(card, quads[0], 0)
    inverse = np.asarray(np.linalg.inv(first), np.float64)
    # All cards together correct the bad guess of the perspective from one small card.
    poses = []
    for quad in quads[1:]:
        place = transform_points(inverse, quad)
        side = place[1] - place[0]
        poses += [*place.mean(axis=0), math.atan2(side[1], side[0])]
    # The first card lies at the origin, which fixes the plane's place and turn.
    start = np.concatenate([(first / first[2, 2]).ravel()[:8], poses])
    pixels = np.concatenate(quads)

    def residuals(values: NDArray[np.float64]) -> NDArray[np.float64]:
        others = (card_quad((x, y), math.degrees(turn), card_mm) for x, y, turn in values[8:].reshape(-1, 3))
        places = np.concatenate([card, *others])
        return (transform_points(_to_matrix(values), places) - pixels).ravel()

    values = _least_squares(residuals, start)
    matrix = _to_matrix(values)
    local = derivative_at_mark(matrix)
    scale = math.sqrt(abs(float(np.linalg.det(local))))
    residual = float(np.sqrt((residuals(values).reshape(-1, 2) ** 2).sum(axis=1).mean())) / max(scale, 1e-9)
    if not math.isfinite(residual) or residual > MAX_RESIDUAL_MM:
        width, height = card_mm
        raise TableError("calibrate.no_fit", off=residual, most=MAX_RESIDUAL_MM, width=width, height=height)
    return CardCalibration(turn_table(matrix, turn_at_mark(local)), residual)


def _to_matrix(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the homography that the first eight values describe."""
    return np.append(values[:8], 1.0).reshape(3, 3)


def _least_squares(
    residuals: Callable[[NDArray[np.float64]], NDArray[np.float64]], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the values near ``start`` with the least sum of squared residuals (Levenberg and Marquardt)."""
    values, damping = start, 1e-3
    error = residuals(values)
    for _ in range(_MAX_ITERATIONS):
        jacobian = np.empty((len(error), len(values)))
        for k in range(len(values)):
            step = 1e-6 * max(abs(float(values[k])), 1e-3)
            nudged = values.copy()
            nudged[k] += step
            jacobian[:, k] = (residuals(nudged) - error) / step
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ error
        while damping < 1e9:
            damped = normal + damping * np.diag(np.diag(normal) + 1e-12)
            candidate = values - np.linalg.lstsq(damped, gradient, rcond=None)[0]
            candidate_error = residuals(candidate)
            if np.isfinite(candidate_error).all() and candidate_error @ candidate_error < error @ error:
                break
            damping *= 10
        else:
            break
        gain = float(error @ error - candidate_error @ candidate_error)
        values, error, damping = candidate, candidate_error, damping / 10
        if gain < 1e-10 * float(error @ error) + 1e-12:
            break
    return values
