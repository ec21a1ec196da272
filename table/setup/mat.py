"""The printed mat: what is on each sheet and where, in one description that printing and calibrating share.

Lengths are millimetres from the mark, the middle of the sheet, x right and y down with the sheet lying across. Each
sheet has markers of its own, so a picture says which one lies there. The markers are squares of OpenCV's dictionary
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

from table.phrase import Phrase, say

MARK_MM: Final = 120.0
"""Diameter of the mark's circle: a card laid anywhere over it is on the mark."""
MODULES: Final = 6
RULER_MM: Final = 100.0
"""Length of the line that tells whether the printer kept the size."""
_BORDER_MM: Final = 10.0
"""Printers leave a border of 4 to 7 mm blank."""
_LINE_MM: Final = 4.8
"""Of a line of text: its height, letters and what is above and below them."""

Paper: TypeAlias = Literal["A4", "letter", "A3"]


@dataclass(frozen=True, slots=True)
class Marker:
    """One square of the dictionary."""

    number: int
    x: float
    y: float
    """Its middle."""
    side: float

    @property
    def corners(self) -> NDArray[np.float64]:
        """4 x 2: upper left, upper right, lower right, lower left, as OpenCV lists them."""
        half = self.side / 2
        return np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + (self.x, self.y)


@dataclass(frozen=True, slots=True)
class Mat:
    """One sheet."""

    paper: Paper
    width: float
    height: float
    markers: tuple[Marker, ...]

    def scaled(self, factor: float) -> Mat:
        """The sheet's markers as they are on a print that came out larger or smaller by ``factor``."""
        if factor == 1.0:
            return self
        markers = (
            Marker(one.number, one.x * factor, one.y * factor, one.side * factor) for one in self.markers
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
class Ring:
    """A circle around the mark."""

    radius: float
    line: float


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text in the language of who prints, from one side of a rectangle: nowhere outside it."""

    x: float
    y: float
    width: float
    height: float
    says: Phrase


Shape: TypeAlias = Box | Ring | Label


def _sheet(paper: Paper, size: tuple[float, float], first: int, side: float, across: int, down: int) -> Mat:
    """Markers along all four edges: ``across`` along each long one, ``down`` more along each short one."""
    width, height = size
    x, y = width / 2 - _BORDER_MM - side / 2, height / 2 - _BORDER_MM - side / 2
    columns = np.linspace(-x, x, across)
    rows = np.linspace(-y, y, down + 2)[1:-1]
    places = [(float(column), edge) for edge in (-y, y) for column in columns]
    places += [(edge, float(row)) for row in rows for edge in (-x, x)]
    markers = (Marker(first + number, *place, side) for number, place in enumerate(places))
    return Mat(paper, width, height, tuple(markers))


MATS: Final = (
    _sheet("A4", (297.0, 210.0), 0, 24.0, 4, 1),
    _sheet("letter", (279.4, 215.9), 10, 24.0, 4, 1),
    _sheet("A3", (420.0, 297.0), 20, 30.0, 5, 2),
)


def mat_of(paper: str) -> Mat:
    """The sheet for one of ``config.MATS``."""
    return next(mat for mat in MATS if mat.paper == paper)


@cache
def modules(number: int) -> NDArray[np.bool_]:
    """The marker's modules, ``MODULES`` each way, True where white."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, MODULES)) > 127


def shapes(mat: Mat) -> Iterator[Shape]:
    """What is printed on the sheet, in the order in which it is drawn."""
    for marker in mat.markers:
        yield from _marker(marker)
    yield Ring(MARK_MM / 2, 0.7)
    yield Box(-5.0, -0.15, 10.0, 0.3, black=True)
    yield Box(-0.15, -5.0, 0.3, 10.0, black=True)
    edge = mat.markers[-1].x - mat.markers[-1].side / 2
    below = MARK_MM / 2 + 4.0
    yield Box(-RULER_MM / 2, below, RULER_MM, 0.3, black=True)
    for end in (-RULER_MM / 2, RULER_MM / 2 - 0.3):
        yield Box(end, below - 1.5, 0.3, 3.3, black=True)
    left = -edge + 5.0
    width = -RULER_MM / 2 - 3.0 - left
    size = say("mat.size", paper=mat.paper, width=mat.width, height=mat.height)
    above = (say("mat.title"), size, say("mat.mark", mm=MARK_MM))
    beside = (say("mat.print"), say("mat.ruler", mm=RULER_MM))
    for top, lines in ((-below - 1.8, above), (below - 12.5, beside)):
        for number, says in enumerate(lines):
            yield Label(left, top + number * _LINE_MM, width, _LINE_MM, says)


def _marker(marker: Marker) -> Iterator[Box]:
    """A black square, and white runs of modules upon it: no seams between black ones."""
    module = marker.side / MODULES
    left, top = marker.x - marker.side / 2, marker.y - marker.side / 2
    yield Box(left, top, marker.side, marker.side, black=True)
    for row, line in enumerate(modules(marker.number)):
        ends = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            yield Box(left + start * module, top + row * module, (end - start) * module, module, black=False)


def samples(
    mat: Mat, step: float = 4.0, clear: float = 2.5
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places on the sheet that are white and places that are black, N x 2 each, ``clear`` from any edge between them.

    White ones on a grid of ``step``; black ones in the middle of the markers' outer modules.
    """
    grid_x = np.arange(-mat.width / 2 + clear, mat.width / 2 - clear, step)
    grid_y = np.arange(-mat.height / 2 + clear, mat.height / 2 - clear, step)
    grid = np.stack(np.meshgrid(grid_x, grid_y), axis=-1).reshape(-1, 2)
    free = np.ones(len(grid), bool)
    for shape in shapes(mat):
        if isinstance(shape, Ring):
            free &= np.abs(np.hypot(grid[:, 0], grid[:, 1]) - shape.radius) > clear
            continue
        low, high = (shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)
        outside = (grid < np.array(low) - clear) | (grid > np.array(high) + clear)
        free &= outside.any(axis=1)
    black = []
    for marker in mat.markers:
        reach = marker.side / 2 * (1 - 1 / MODULES)
        for turn in np.arange(0.0, 2 * math.pi, math.pi / 2):
            cos, sin = math.cos(turn), math.sin(turn)
            for along in np.linspace(-reach, reach, MODULES)[:-1]:
                black.append((marker.x + cos * reach - sin * along, marker.y + sin * reach + cos * along))
    return grid[free], np.array(black)
