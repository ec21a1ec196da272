"""Defocus: estimates how soft the camera's images are, and sharpens them.

A lens that is out of focus makes a disc of each point; all other blur (lens, sensor, codec) makes about a Gaussian of
it. Both sizes are measured at the edges of cards, which are as sharp against the cloth as anything: the median
profile across many of them is the edge spread function (by which ISO 12233 measures cameras). The blur is removed
from the detector's input by a Wiener filter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import MS, Image
from table.table_geometry import PX_PER_MM
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.motion_detection import Mask

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class DefocusParameters:
    """Parameters, in mark pixels: chosen on the two shared recordings, blurred by discs and Gaussians."""

    again_ns: int = 2000 * MS
    """Minimum time between measurements; focus drifts slowly."""
    reach_px: float = 10.0
    """Half the length of an edge profile ..."""
    step_px: float = 0.5
    """... and the distance of its samples."""
    ends: int = 5
    """Number of samples at either end that show what lies on that side, ..."""
    flat: float = 0.1
    """... and nothing else, if they differ by no more than this share of the edge's height."""
    height: float = 60.0
    """Minimum height of an edge, levels: a card on cloth has it."""
    most: int = 400
    """Maximum number of edge points, the steepest."""
    least: int = 20
    """Minimum number of edges for a measurement, ..."""
    alike: float = 1.5
    """... of which a tenth may not be steeper than this multiple of the median: the softer ones move."""
    discs: tuple[float, float, float] = (0.0, 9.0, 0.5)
    bells: tuple[float, float, float] = (0.6, 5.0, 0.2)
    """Radii of the disc and standard deviations of the Gaussian that are tried: from, to, and step."""
    soft_px: float = 1.4
    """Images softer than this (standard deviation) are sharpened, unless the camera's own pixels are larger, ..."""
    left_px: float = 1.5
    """... so that about this is left, ..."""
    noise: float = 0.005
    """... with this share of noise in the power at ten pixels to a wave: detail has the less, the finer it is."""


NUMBERS: Final = DefocusParameters()
_ACROSS: Final = np.arange(-NUMBERS.reach_px, NUMBERS.reach_px + NUMBERS.step_px / 2, NUMBERS.step_px)
_FINE_PX: Final = 0.1
_FINE: Final = np.arange(-24.0, 24.01, _FINE_PX)
_SIDE: Final = 128
_KERNEL_PX: Final = 24
"""Half the size of the filter kernel."""


@dataclass(frozen=True, slots=True)
class Softness:
    """The point spread of an image: a disc smoothed with a Gaussian."""

    disc_radius_px: float
    """Radius of the disc, mark pixels."""
    gaussian_sigma_px: float
    """Standard deviation of the Gaussian, mark pixels."""

    @property
    def sigma_px(self) -> float:
        """Standard deviation of both together, along any direction."""
        return float(np.hypot(self.disc_radius_px / 2, self.gaussian_sigma_px))


class DefocusEstimator:
    """Measures the softness of the images now and then, and sharpens what the detector gets."""

    def __init__(self, camera_px_per_mm: float) -> None:
        self._soft_px = NUMBERS.soft_px * max(1.0, PX_PER_MM / camera_px_per_mm)
        self._measured_ns: int | None = None
        self.softness: Softness | None = None
        """The last measurement; None until there were enough edges."""

    def measure_if_due(self, grey: Grey, still: Mask, t_ns: int) -> None:
        """Measure the softness of a grey mark image of ``t_ns``, in the mask ``still``, if a measurement is due."""
        if self._measured_ns is not None and t_ns - self._measured_ns < NUMBERS.again_ns:
            return
        seen = measure_softness(grey, still)
        if seen is not None:
            self.softness, self._measured_ns = seen, t_ns

    def sharpen(self, picture: Image) -> Image:
        """Return a sharpened image of the mark, or of a part of it; the same image if it is in focus."""
        if self.softness is None or self.softness.sigma_px <= self._soft_px:
            return picture
        kernel = _kernel(self.softness)
        return np.asarray(cv2.filter2D(picture, -1, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


def measure_softness(grey: Grey, where: Mask) -> Softness | None:
    """Return the softness of a mark image by the edges in the mask ``where``; None if there are too few."""
    edges = _edge_profiles(grey, where)
    if len(edges) < NUMBERS.least:
        return None
    slopes = edges[:, _ACROSS.size // 2 + 1] - edges[:, _ACROSS.size // 2 - 1]
    middling, steep = np.quantile(slopes, (0.5, 0.9))
    if steep > NUMBERS.alike * middling:
        return None
    off = np.square(_candidate_profiles() - np.median(edges, axis=0)).sum(axis=1)
    return _candidates()[int(off.argmin())]


def _edge_profiles(grey: Grey, where: Mask) -> Floats:
    """Return the profiles of the steepest edges, from 0 on the dark side to 1, half way in the middle: n x samples."""
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
    return _centred((seen[high] - low[high]) / height[high])


def _ends(edges: Floats) -> tuple[Floats, Floats]:
    """Return the level on the dark side of edges, and the height of the other side above it: n x 1 each."""
    low, high = edges[:, : NUMBERS.ends].mean(axis=1), edges[:, -NUMBERS.ends :].mean(axis=1)
    return low[:, None], (high - low)[:, None]


def _centred(edges: Floats) -> Floats:
    """Return the profiles that are nothing but edges, shifted so that they are half way up in the middle."""
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
def _candidates() -> list[Softness]:
    discs, bells = _steps()
    return [Softness(float(disc), float(bell)) for disc in discs for bell in bells]


def _steps() -> tuple[Floats, Floats]:
    """Return the radii of discs and standard deviations of Gaussians that are tried."""
    discs, bells = (
        np.arange(low, high + step / 2, step) for low, high, step in (NUMBERS.discs, NUMBERS.bells)
    )
    return discs, bells


@lru_cache(maxsize=1)
def _candidate_profiles() -> Floats:
    """Return the edge profile for each softness that is tried, in the form of `_edge_profiles`."""
    discs, bells = _steps()
    # The disc makes many edges of one, and the bell each of those as soft as itself: at each place across they add up.
    soft = np.cumsum(_gaussian(bells[:, None]), axis=1)
    off = np.rint((_ACROSS[:, None] - _FINE) / _FINE_PX).astype(np.intp) + _FINE.size // 2
    soft = np.pad(soft, ((0, 0), (1, 0)))[:, np.clip(off + 1, 0, _FINE.size)]
    edges = np.tensordot(_disc(discs[:, None]), soft, axes=(1, 2)).reshape(-1, _ACROSS.size)
    low, height = _ends(edges)
    return np.asarray((edges - low) / height)


def _disc(radii: Floats) -> Floats:
    """Return the line spread of discs: n x samples, for radii n x 1."""
    disc = np.sqrt(np.clip(np.square(radii) - np.square(_FINE), 0.0, None))
    disc[~disc.any(axis=1), _FINE.size // 2] = 1.0
    return np.asarray(disc)


def _gaussian(deviations: Floats) -> Floats:
    """Return the line spread of Gaussians: n x samples, for standard deviations n x 1."""
    return np.asarray(np.exp(-np.square(_FINE / deviations) / 2))


def _line(softness: Softness) -> Floats:
    """Return the line spread of a softness: sums to 1."""
    disc, bell = (
        _disc(np.array([[softness.disc_radius_px]])),
        _gaussian(np.array([[softness.gaussian_sigma_px]])),
    )
    line = np.convolve(disc[0], bell[0], mode="same")
    return np.asarray(line / line.sum())


@lru_cache(maxsize=16)
def _kernel(softness: Softness) -> NDArray[np.float32]:
    """Return the Wiener filter for a softness: H T / (H² + N), with T the spread that is to be left."""
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
