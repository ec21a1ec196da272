"""Calibrating without a mat: from one card's known size, laid at four places or more.

The reader says where cards lie, roughly; their edges are then found in the picture, and the homography is the one by
which all of them are cards: rectangles of one known size. What is unknown are eight numbers of the homography and three
of each card's place, less three for where the table's plane begins; each card brings eight. The first card's middle is
the mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import Matrix
from table.errors import TableError
from table.facts import Image
from table.reader.detector import Detector
from table.reader.sightings import Sighting
from table.reader.stills import read_still
from table.sight.geometry import CARD_MM, Points, transform

PLACES: Final = 4
LEAST_SURE: Final = 0.5
LEAST_APART: Final = 0.8
"""Two places lie farther apart than this share of a card's length."""
MOST_RESIDUAL_MM: Final = 2.0
"""A card that is bent, or of another size, shows as more."""
_SIDE: Final = 25
"""So many places along each side are looked at for its edge."""
_WORN: Final = 0.15
"""This share of a side next to a corner is round."""
_ROUNDS: Final = 40


@dataclass(frozen=True, slots=True)
class ByCards:
    """What came of it."""

    homography: Matrix
    """Millimetres on the table to pixels; the axes are the picture's, as at the first card."""
    residual_mm: float
    """Root of the mean square of the corners' distances from where the homography puts them."""
    corners: Points
    """The cards' corners in the picture, 4 N x 2."""


def cards_in(image: Image, detector: Detector, card_px: float = 100.0) -> list[Points]:
    """The outlines (4 x 2 pixels, upper left of the face first) of the cards that lie open and whole in a picture.

    The one nearest to the picture's middle comes first.
    """
    centre = (image.shape[1] / 2, image.shape[0] / 2)
    found = []
    for sighting in read_still(detector, image, card_px):
        if sighting.confidence >= LEAST_SURE and sighting.quad is not None:
            quad = edges(image, sighting)
            if quad is not None:
                found.append(quad)
    return sorted(found, key=lambda quad: math.dist(quad.mean(axis=0), centre))


def edges(image: Image, sighting: Sighting) -> Points | None:
    """A card's corners where its edges meet; None where it has no four clear edges.

    The card is what stands out from the ground around it, in the colour that parts them best, and hangs together with
    its middle.
    """
    assert sighting.quad is not None
    guess = np.array(sighting.quad, np.float64)
    middle = guess.mean(axis=0)
    wide = (middle + (guess - middle) * 1.5).astype(np.float32)
    height, width = image.shape[:2]
    low = np.maximum(np.floor(wide.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(wide.max(axis=0)).astype(int) + 1, (width, height))
    if (high - low < 16).any():
        return None
    part = image[low[1] : high[1], low[0] : high[0]]
    outline = _outline(part, guess - low)
    if outline is None:
        return None
    quad = _four_sides(outline, guess - low)
    return None if quad is None else quad + low


def _outline(part: Image, guess: Points) -> NDArray[np.float64] | None:
    """The card's contour in a part of the picture, N x 2."""
    inside = np.zeros(part.shape[:2], np.uint8)
    middle = guess.mean(axis=0)
    cv2.fillConvexPoly(inside, np.rint(middle + (guess - middle) * 0.8).astype(np.int32), 255)
    around = np.full(part.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(around, np.rint(middle + (guess - middle) * 1.25).astype(np.int32), 0)
    paper = np.percentile(part[inside > 0], 75, axis=0)
    ground = np.median(part[around > 0], axis=0)
    towards = paper - ground
    if float(np.hypot.reduce(towards)) < 30:
        return None
    # Each pixel's colour along the line from the ground's to the paper's; print is filled in afterwards.
    share = (part.astype(np.float64) - ground) @ towards / float(towards @ towards)
    mask = (cv2.GaussianBlur(share, (0, 0), 0.8) > 0.5).astype(np.uint8) * 255
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    at = (float(middle[0]), float(middle[1]))
    around_middle = [one for one in contours if cv2.pointPolygonTest(cv2.convexHull(one), at, False) > 0]
    if not around_middle:
        return None
    largest = max(around_middle, key=cv2.contourArea)
    points = np.asarray(largest, np.float64).reshape(-1, 2)
    border = (points < 1).any(axis=1) | (points >= np.array(part.shape[1::-1]) - 2).any(axis=1)
    return None if border.any() else _to_the_edge(points, share)


def _to_the_edge(points: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rim's pixels moved to where the colour is half of both: a contour runs through its own pixels' middles."""
    soft = cv2.GaussianBlur(share, (0, 0), 0.8)
    middle = points.mean(axis=0)
    slope = np.stack([cv2.Sobel(soft, cv2.CV_64F, 1, 0), cv2.Sobel(soft, cv2.CV_64F, 0, 1)], axis=-1) / 8
    at = points.astype(int)
    value, gradient = soft[at[:, 1], at[:, 0]], slope[at[:, 1], at[:, 0]]
    steep = np.maximum((gradient**2).sum(axis=1), 1e-3)
    step = -gradient * ((value - 0.5) / steep)[:, None]
    step = np.clip(step, -1.5, 1.5)
    return np.asarray(np.where(np.isfinite(step), points + step, middle))


def _four_sides(outline: NDArray[np.float64], guess: Points) -> Points | None:
    """The corners in which the contour's four sides would meet were they sharp."""
    box = cv2.boxPoints(cv2.minAreaRect(cv2.convexHull(outline.astype(np.float32)))).astype(np.float64)
    # As the guess lists them: the face's upper left first, and round the same way.
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
        far, off = (outline - start) @ along / length, np.abs((outline - start) @ across)
        near = outline[(far > _WORN) & (far < 1 - _WORN) & (off < 0.12 * length + 2)]
        if len(near) < _SIDE / 2:
            return None
        fitted = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
        right, down, x, y = (float(one) for one in np.ravel(fitted))
        lines.append(np.cross((x, y, 1.0), (x + right, y + down, 1.0)))
    corners = []
    for before, after in zip([lines[3], *lines[:3]], lines, strict=True):
        x, y, w = np.cross(before, after)
        if abs(w) < 1e-9:
            return None
        corners.append((x / w, y / w))
    return np.array(corners)


def calibrate_by_cards(quads: Sequence[Points], card_mm: tuple[float, float] = CARD_MM) -> ByCards:
    """The homography by which all ``quads`` (4 x 2 pixels each, the mark's first) are cards of one size.

    ``TableError`` for too few, for places too near to each other, and for cards that are none of that size.
    """
    if len(quads) < PLACES:
        raise TableError("calibrate.few_places", n=len(quads), least=PLACES)
    middles = [quad.mean(axis=0) for quad in quads]
    for number, middle in enumerate(middles):
        for other in middles[:number]:
            if math.dist(middle, other) < LEAST_APART * float(np.hypot(*(quads[0][3] - quads[0][0]))):
                raise TableError("calibrate.same_place")
    x, y = card_mm[0] / 2, card_mm[1] / 2
    card = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    first, _ = cv2.findHomography(card, quads[0], 0)
    inverse = np.asarray(np.linalg.inv(first), np.float64)
    # A bad guess of the perspective from one small card is put right by all of them.
    poses = []
    for quad in quads[1:]:
        place = transform(inverse, quad)
        side = place[1] - place[0]
        poses += [*place.mean(axis=0), math.atan2(side[1], side[0])]
    # The first card lies at the origin: by that the plane's place and turn are fixed.
    start = np.concatenate([(first / first[2, 2]).ravel()[:8], poses])
    pixels = np.concatenate(quads)

    def off(values: NDArray[np.float64]) -> NDArray[np.float64]:
        places = [card]
        for px, py, turn in values[8:].reshape(-1, 3):
            cos, sin = math.cos(turn), math.sin(turn)
            places.append(card @ np.array([[cos, sin], [-sin, cos]]) + (px, py))
        return (transform(_matrix(values), np.concatenate(places)) - pixels).ravel()

    values = _least_squares(off, start)
    matrix = _matrix(values)
    local = matrix[:2, :2] - np.outer(matrix[:2, 2], matrix[2, :2])
    scale = math.sqrt(abs(float(np.linalg.det(local))))
    residual = float(np.sqrt((off(values).reshape(-1, 2) ** 2).sum(axis=1).mean())) / max(scale, 1e-9)
    if not math.isfinite(residual) or residual > MOST_RESIDUAL_MM:
        width, height = card_mm
        raise TableError("calibrate.no_fit", off=residual, most=MOST_RESIDUAL_MM, width=width, height=height)
    turn = math.atan2(local[1, 0] - local[0, 1], local[0, 0] + local[1, 1])
    cos, sin = math.cos(turn), math.sin(turn)
    matrix = matrix @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    a, b, c = ((float(row[0]), float(row[1]), float(row[2])) for row in matrix)
    return ByCards((a, b, c), residual, pixels)


def _matrix(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.append(values[:8], 1.0).reshape(3, 3)


def _least_squares(
    off: Callable[[NDArray[np.float64]], NDArray[np.float64]], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The values near ``start`` whose ``off`` has the least sum of squares (Levenberg and Marquardt)."""
    values, damping = start, 1e-3
    error = off(values)
    for _ in range(_ROUNDS):
        slope = np.empty((len(error), len(values)))
        for k in range(len(values)):
            step = 1e-6 * max(abs(float(values[k])), 1e-3)
            nudged = values.copy()
            nudged[k] += step
            slope[:, k] = (off(nudged) - error) / step
        normal, towards = slope.T @ slope, slope.T @ error
        while damping < 1e9:
            damped = normal + damping * np.diag(np.diag(normal) + 1e-12)
            tried = values - np.linalg.lstsq(damped, towards, rcond=None)[0]
            now = off(tried)
            if np.isfinite(now).all() and now @ now < error @ error:
                break
            damping *= 10
        else:
            break
        gain = float(error @ error - now @ now)
        values, error, damping = tried, now, damping / 10
        if gain < 1e-10 * float(error @ error) + 1e-12:
            break
    return values
