"""A camera out of focus: how soft its pictures are, and pictures as they would be in focus.

A lens that is out of focus makes a disc of each point; all else that is soft about a picture (lens, sensor, codec)
makes about a bell of it. How large both are is seen at the edges of cards, which lie before the cloth as sharply as
anything: the median of what many of them look like across is the edge spread function (by which ISO 12233 measures
cameras). What the reader is given has it taken out again by Wiener's filter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import MS, Image
from table.sight.gate import Mask
from table.sight.geometry import PX_PER_MM
from table.sight.rest import Grey

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Focusing:
    """The numbers of this module, in mark pixels: chosen on the two shared recordings, made soft by discs and bells."""

    again_ns: int = 2000 * MS
    """Focus drifts; it is measured so often at most."""
    reach_px: float = 10.0
    """An edge is looked at so far to both sides ..."""
    step_px: float = 0.5
    """... at places so far apart."""
    ends: int = 5
    """So many of them at either end show what lies on that side, ..."""
    flat: float = 0.1
    """... and nothing else, where they differ by no more than this share of the edge's height."""
    height: float = 60.0
    """An edge is at least so many levels high: a card on cloth is."""
    most: int = 400
    """So many places are looked at, the steepest."""
    least: int = 20
    """Fewer edges tell nothing, ..."""
    alike: float = 1.5
    """... nor do those of which a tenth are so many times as steep as the middling one: the softer ones move."""
    discs: tuple[float, float, float] = (0.0, 9.0, 0.5)
    bells: tuple[float, float, float] = (0.6, 5.0, 0.2)
    """Radii of the disc and standard deviations of the bell that are tried: from, to, and between."""
    soft_px: float = 1.4
    """Pictures softer than this (standard deviation) are sharpened, where the camera's own pixels are no larger, ..."""
    left_px: float = 1.5
    """... so that about this is left, ..."""
    noise: float = 0.005
    """... where noise has this share of the power at ten pixels to a wave: detail has the less, the finer it is."""


NUMBERS: Final = Focusing()
_ACROSS: Final = np.arange(-NUMBERS.reach_px, NUMBERS.reach_px + NUMBERS.step_px / 2, NUMBERS.step_px)
_FINE_PX: Final = 0.1
_FINE: Final = np.arange(-24.0, 24.01, _FINE_PX)
_SIDE: Final = 128
_KERNEL_PX: Final = 24
"""What a pixel is told by lies so far away at most."""


@dataclass(frozen=True, slots=True)
class Softness:
    """What a picture makes of a point."""

    disc: float
    """The radius of a disc, mark pixels ..."""
    bell: float
    """... and the standard deviation of the bell that it is smoothed with."""

    @property
    def spread(self) -> float:
        """The standard deviation of both, along any direction."""
        return float(np.hypot(self.disc / 2, self.bell))


class Focus:
    """Knows how soft the pictures are."""

    def __init__(self, camera_px_per_mm: float) -> None:
        self._soft_px = NUMBERS.soft_px * max(1.0, PX_PER_MM / camera_px_per_mm)
        self._measured_ns: int | None = None
        self.softness: Softness | None = None
        """What was measured last; None as long as no edges told."""

    def look(self, grey: Grey, still: Mask, t_ns: int) -> None:
        """Measure in a picture of the mark of ``t_ns``, where it is ``still``, if it is time to."""
        if self._measured_ns is not None and t_ns - self._measured_ns < NUMBERS.again_ns:
            return
        seen = measured(grey, still)
        if seen is not None:
            self.softness, self._measured_ns = seen, t_ns

    def sharpened(self, picture: Image) -> Image:
        """A picture of the mark, or of a part of it, as it would be in focus; itself where it is in focus."""
        if self.softness is None or self.softness.spread <= self._soft_px:
            return picture
        kernel = _kernel(self.softness)
        return np.asarray(cv2.filter2D(picture, -1, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


def measured(grey: Grey, where: Mask) -> Softness | None:
    """How soft a picture of the mark is by the edges ``where`` it is to be looked at; None where there are too few."""
    edges = _edges(grey, where)
    if len(edges) < NUMBERS.least:
        return None
    slopes = edges[:, _ACROSS.size // 2 + 1] - edges[:, _ACROSS.size // 2 - 1]
    middling, steep = np.quantile(slopes, (0.5, 0.9))
    if steep > NUMBERS.alike * middling:
        return None
    off = np.square(_edges_of_all() - np.median(edges, axis=0)).sum(axis=1)
    return _tried()[int(off.argmin())]


def _edges(grey: Grey, where: Mask) -> Floats:
    """What the steepest edges look like across, from 0 on the dark side to 1, half way in the middle: n x places."""
    n = NUMBERS
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    dx, dy = (np.asarray(cv2.Sobel(smooth, cv2.CV_32F, *axis, scale=1 / 8)) for axis in ((1, 0), (0, 1)))
    steepness = np.sqrt(dx * dx + dy * dy)
    top = (
        (steepness >= cv2.dilate(steepness, np.ones((5, 5), np.uint8)))
        & (steepness > n.height / 15)
        & (where > 0)
    )
    margin = int(n.reach_px) + 2
    top[:margin], top[-margin:], top[:, :margin], top[:, -margin:] = False, False, False, False
    rows, columns = np.nonzero(top)
    if len(rows) < n.least:
        return np.empty((0, _ACROSS.size))
    steepest = np.argsort(-steepness[rows, columns], kind="stable")[: n.most]
    rows, columns = rows[steepest, None], columns[steepest, None]
    steep = steepness[rows, columns]
    x = columns + dx[rows, columns] / steep * _ACROSS
    y = rows + dy[rows, columns] / steep * _ACROSS
    seen = cv2.remap(grey.astype(np.float32), x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    low, height = _ends(np.asarray(seen, np.float64))
    high = height[:, 0] >= n.height
    return _middled((seen[high] - low[high]) / height[high])


def _ends(edges: Floats) -> tuple[Floats, Floats]:
    """What lies on the dark side of edges, and how much higher the other side is: n x 1 each."""
    low, high = edges[:, : NUMBERS.ends].mean(axis=1), edges[:, -NUMBERS.ends :].mean(axis=1)
    return low[:, None], (high - low)[:, None]


def _middled(edges: Floats) -> Floats:
    """Those of the edges that are nothing but edges, shifted so that they are half way up in the middle."""
    n = NUMBERS
    plain = (np.abs(edges[:, : n.ends]) < n.flat).all(axis=1) & (
        np.abs(edges[:, -n.ends :] - 1.0) < n.flat
    ).all(axis=1)
    edges = edges[plain]
    rises = (edges[:, :-1] < 0.5) & (edges[:, 1:] >= 0.5)
    once = rises.sum(axis=1) == 1
    edges, at = edges[once], rises[once].argmax(axis=1)
    before, after = (edges[np.arange(len(edges)), at + more] for more in (0, 1))
    middles = _ACROSS[at] + n.step_px * (0.5 - before) / (after - before)
    near = np.abs(middles) < 2.0
    shifted = [
        np.interp(_ACROSS, _ACROSS - middle, edge)
        for middle, edge in zip(middles[near], edges[near], strict=True)
    ]
    return np.array(shifted).reshape(-1, _ACROSS.size)


@lru_cache(maxsize=1)
def _tried() -> list[Softness]:
    discs, bells = _steps()
    return [Softness(float(disc), float(bell)) for disc in discs for bell in bells]


def _steps() -> tuple[Floats, Floats]:
    """The radii of discs and standard deviations of bells that are tried."""
    discs, bells = (
        np.arange(low, high + step / 2, step) for low, high, step in (NUMBERS.discs, NUMBERS.bells)
    )
    return discs, bells


@lru_cache(maxsize=1)
def _edges_of_all() -> Floats:
    """What an edge looks like across with each softness that is tried, as `_edges` has it."""
    discs, bells = _steps()
    # The disc makes many edges of one, and the bell each of those as soft as itself: at each place across they add up.
    soft = np.cumsum(_bell(bells[:, None]), axis=1)
    off = np.rint((_ACROSS[:, None] - _FINE) / _FINE_PX).astype(np.intp) + _FINE.size // 2
    soft = np.pad(soft, ((0, 0), (1, 0)))[:, np.clip(off + 1, 0, _FINE.size)]
    edges = np.tensordot(_disc(discs[:, None]), soft, axes=(1, 2)).reshape(-1, _ACROSS.size)
    low, height = _ends(edges)
    return np.asarray((edges - low) / height)


def _disc(radii: Floats) -> Floats:
    """What a disc makes of a thin line, across it: n x places, for radii n x 1."""
    disc = np.sqrt(np.clip(np.square(radii) - np.square(_FINE), 0.0, None))
    disc[~disc.any(axis=1), _FINE.size // 2] = 1.0
    return np.asarray(disc)


def _bell(deviations: Floats) -> Floats:
    """What a bell makes of one: n x places, for standard deviations n x 1."""
    return np.asarray(np.exp(-np.square(_FINE / deviations) / 2))


def _line(softness: Softness) -> Floats:
    """What becomes of a thin line, across it: sums to 1."""
    disc, bell = _disc(np.array([[softness.disc]])), _bell(np.array([[softness.bell]]))
    line = np.convolve(disc[0], bell[0], mode="same")
    return np.asarray(line / line.sum())


@lru_cache(maxsize=16)
def _kernel(softness: Softness) -> NDArray[np.float32]:
    """Wiener's filter for that: H T / (H² + N), with T what is to be left."""
    n = NUMBERS
    steps = np.fft.fftfreq(_SIDE)
    frequency = np.hypot(steps[:, None], steps[None])
    some = np.linspace(0.0, 0.75, 300)
    # (Of what is round in the picture, the spectrum along any direction is that of its projection: of a line.)
    passed = np.interp(frequency, some, np.cos(2 * np.pi * some[:, None] * _FINE) @ _line(softness))
    left = np.exp(-2 * np.square(np.pi * n.left_px * frequency))
    wiener = passed * left / (np.square(passed) + n.noise * frequency / 0.1)
    kernel = np.fft.fftshift(np.fft.ifft2(wiener).real)
    middle = slice(_SIDE // 2 - _KERNEL_PX, _SIDE // 2 + _KERNEL_PX + 1)
    return np.asarray(kernel[middle, middle] / kernel[middle, middle].sum(), dtype=np.float32)
