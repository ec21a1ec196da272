"""The printed mat's design: what is on each sheet and where, shared by printing and calibration.

Lengths are millimetres from the mark, the middle of the sheet, x right and y down with the sheet in landscape. Each
sheet has markers of its own, so a picture shows which one it is. The markers are squares of OpenCV's dictionary
``DICT_4X4_50``: six by six modules, the outer ones black.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from table.phrase import Phrase, make_phrase

MARK_MM: Final = 120.0
"""The diameter of the mark's circle: a card laid anywhere over it is on the mark."""
MODULES: Final = 6
RULER_MM: Final = 100.0
"""The length of the line that shows whether the printer kept the size."""
_BLANK_BORDER_MM: Final = 10.0
"""The blank border; printers leave 4 to 7 mm blank."""
_LINE_HEIGHT_MM: Final = 4.8
"""The height of a line of text with the space above and below its letters."""

Paper: TypeAlias = Literal["A4", "letter", "A3"]


@dataclass(frozen=True, slots=True)
class Marker:
    """A square marker of the dictionary; ``number`` is its id there."""

    number: int
    x: float
    y: float
    """The position of its middle."""
    side: float

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners, 4 x 2: upper left, upper right, lower right, lower left, as OpenCV lists them."""
        half = self.side / 2
        return np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + (self.x, self.y)


@dataclass(frozen=True, slots=True)
class Mat:
    """One sheet with its markers."""

    paper: Paper
    width: float
    height: float
    markers: tuple[Marker, ...]

    def scaled(self, factor: float) -> Mat:
        """Return the sheet as printed larger or smaller by ``factor``."""
        if factor == 1.0:
            return self
        markers = (
            Marker(marker.number, marker.x * factor, marker.y * factor, marker.side * factor)
            for marker in self.markers
        )
        return Mat(self.paper, self.width * factor, self.height * factor, tuple(markers))


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; later ones cover earlier ones."""

    x: float
    y: float
    width: float
    height: float
    black: bool


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around the mark."""

    radius: float
    line: float


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text in the printing user's language, aligned inside a rectangle that it does not exceed."""

    x: float
    y: float
    width: float
    height: float
    text: Phrase


Shape: TypeAlias = Box | Circle | Label


def _make_sheet(
    paper: Paper, size: tuple[float, float], first: int, side: float, across: int, down: int
) -> Mat:
    """Make a sheet with markers along all edges: ``across`` along each long one, ``down`` more along each short one."""
    width, height = size
    x, y = width / 2 - _BLANK_BORDER_MM - side / 2, height / 2 - _BLANK_BORDER_MM - side / 2
    columns = np.linspace(-x, x, across)
    rows = np.linspace(-y, y, down + 2)[1:-1]
    places = [(float(column), edge) for edge in (-y, y) for column in columns]
    places += [(edge, float(row)) for row in rows for edge in (-x, x)]
    markers = (Marker(first + number, *place, side) for number, place in enumerate(places))
    return Mat(paper, width, height, tuple(markers))


MATS: Final = (
    _make_sheet("A4", (297.0, 210.0), 0, 24.0, 4, 1),
    _make_sheet("letter", (279.4, 215.9), 10, 24.0, 4, 1),
    _make_sheet("A3", (420.0, 297.0), 20, 30.0, 5, 2),
)


def mat_for_paper(paper: str) -> Mat:
    """Return the sheet of this paper, one of ``config.MATS``."""
    return next(mat for mat in MATS if mat.paper == paper)


@cache
def marker_modules(number: int) -> NDArray[np.bool_]:
    """Return a marker's modules, ``MODULES`` each way, True where white."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, MODULES)) > 127


def printed_shapes(mat: Mat) -> Iterator[Shape]:
    """Yield the shapes that are printed on the sheet, in drawing order."""
    for marker in mat.markers:
        yield from _marker_boxes(marker)
    yield Circle(MARK_MM / 2, 0.7)
    yield Box(-5.0, -0.15, 10.0, 0.3, black=True)
    yield Box(-0.15, -5.0, 0.3, 10.0, black=True)
    edge = mat.markers[-1].x - mat.markers[-1].side / 2
    below = MARK_MM / 2 + 4.0
    yield Box(-RULER_MM / 2, below, RULER_MM, 0.3, black=True)
    for end in (-RULER_MM / 2, RULER_MM / 2 - 0.3):
        yield Box(end, below - 1.5, 0.3, 3.3, black=True)
    left = -edge + 5.0
    width = -RULER_MM / 2 - 3.0 - left
    size = make_phrase("mat.size", paper=mat.paper, width=mat.width, height=mat.height)
    above = (make_phrase("mat.title"), size, make_phrase("mat.mark", mm=MARK_MM))
    beside = (make_phrase("mat.print"), make_phrase("mat.ruler", mm=RULER_MM))
    for top, lines in ((-below - 1.8, above), (below - 12.5, beside)):
        for number, text in enumerate(lines):
            yield Label(left, top + number * _LINE_HEIGHT_MM, width, _LINE_HEIGHT_MM, text)


def _marker_boxes(marker: Marker) -> Iterator[Box]:
    """Yield a black square and white runs of modules on it, so that there are no seams between black ones."""
    module = marker.side / MODULES
    left, top = marker.x - marker.side / 2, marker.y - marker.side / 2
    yield Box(left, top, marker.side, marker.side, black=True)
    for row, line in enumerate(marker_modules(marker.number)):
        ends = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            yield Box(left + start * module, top + row * module, (end - start) * module, module, black=False)


def sample_points(
    mat: Mat, step: float = 4.0, clear: float = 2.5
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points on the sheet that are white and points that are black, N x 2 each, ``clear`` of any edge.

    White points are on a grid of ``step``; black points in the middle of the markers' outer modules.
    """
    grid_x = np.arange(-mat.width / 2 + clear, mat.width / 2 - clear, step)
    grid_y = np.arange(-mat.height / 2 + clear, mat.height / 2 - clear, step)
    grid = np.stack(np.meshgrid(grid_x, grid_y), axis=-1).reshape(-1, 2)
    free = np.ones(len(grid), bool)
    for shape in printed_shapes(mat):
        if isinstance(shape, Circle):
            free &= np.abs(np.hypot(grid[:, 0], grid[:, 1]) - shape.radius) > clear
            continue
        top_left, bottom_right = (shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)
        outside = (grid < np.array(top_left) - clear) | (grid > np.array(bottom_right) + clear)
        free &= outside.any(axis=1)
    black = []
    for marker in mat.markers:
        half_side = marker.side / 2 * (1 - 1 / MODULES)
        for angle in np.arange(0.0, 2 * math.pi, math.pi / 2):
            cos, sin = math.cos(angle), math.sin(angle)
            for along in np.linspace(-half_side, half_side, MODULES)[:-1]:
                black.append(
                    (marker.x + cos * half_side - sin * along, marker.y + sin * half_side + cos * along)
                )
    return grid[free], np.array(black)
