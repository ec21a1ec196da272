"""Stabilization: estimates and removes what camera and light did to an image.

A camera on a shelf trembles, sways, breathes and is knocked; its exposure and white balance drift, lamps flicker at
the mains' frequency (brighter and darker rows), somebody's shadow passes. None of that is anything that people did
with cards. So every image is compared with the table as it was last at rest, and what is common to the whole view is
removed before any other step: a *pose* (shift, rotation and scale), a gain for each colour, one for each row, and a
slowly varying field of light. Hands and cards are outliers; an image that hardly fits anywhere doesn't show this
table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import MS, Image
from table.tracking.imaging.motion_detection import Mask

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class StabilizationParameters:
    """Parameters of stabilization: chosen on the two shared recordings in `camera_faults`, not on the scene bench."""

    step: tuple[int, int] = (8, 4)
    """Size, across and down, of the fields on which light is measured: lamps make rows that differ, not columns."""
    dark: float = 6.0
    """Levels added to both sides of a ratio: the sensor's noise and black level."""
    cells: tuple[int, int] = (9, 16)
    """Cells of the light field, down and across: a shadow's soft edge is some two cells wide."""
    like: float = 4.0
    """A pixel shows the table if it is off by at most this many levels, ..."""
    like_share: float = 0.08
    """... plus this share of the expected value: what a shadow's edge does within a frame."""
    row_gains: tuple[float, float, int] = (0.6, 1.6, 41)
    """Range, and number of steps, of the gain of a row relative to the whole view; ..."""
    row_like: float = 0.05
    """... fields of the row within this of a gain support it."""
    cell_open: float = 0.6
    """A cell of which a smaller share shows the table is hidden: its light is interpolated from its neighbours ..."""
    cell_step: float = 0.07
    """... as is one that changed by more than this share since the frame before: light changes slowly, hands don't."""
    plain: float = 0.08
    """Gains within this of 1 are ignored."""
    gains: tuple[float, float] = (0.2, 5.0)
    """Range of gains; outside it an image is too dark or too bright to be used."""
    white: int = 250
    """Level from which a pixel is saturated ..."""
    paper: int = 235
    """... and the level that it would at least have with less light: that of white paper."""
    washed_out: float = 0.6
    """An image with at least this share of saturated pixels shows nothing."""
    grain: tuple[float, float] = (1.5, 0.3)
    """A table with more than this many levels of detail has lost it if less than this share is left: cards were picked
    up, ..."""
    leap: float = 0.12
    """... or, if gains changed by more than this (natural logarithm), something covers the lens."""
    fitting: float = 0.35
    """Minimum share of the view that fits; below it the image doesn't show this table: black, covered or washed out."""
    places: int = 3000
    """Number of points from which the pose is estimated, those of steepest gradient: even a plain cloth has grain
    ..."""
    crowd: int = 200
    """... and the maximum in one part: otherwise cards that somebody holds over a plain cloth dominate."""
    odd: tuple[float, float] = (3.0, 1.5)
    """Scale of the robust weights: a point counts half if it is off by some half of this many levels, or of this
    multiple of the median residual."""
    known_px: float = 0.08
    """Maximum standard deviation of a pose, at the view's corners; a less certain one is rejected."""
    better: float = 0.93
    """A camera has moved if in most parts of the view the residual falls below this share ..."""
    parts: tuple[int, int] = (5, 8)
    """... of this many parts down and across: an arm and its shadow fill few, a camera moves all alike."""
    part_places: int = 20
    """Minimum number of points in a part that counts."""
    farthest: float = 0.1
    """Maximum displacement, as a share of the view's width, of a camera that is still used."""
    tries: int = 4
    """Maximum number of iterations of the pose estimate."""
    calm_ns: int = 1000 * MS
    """A camera whose pose has not changed for this long is at rest ..."""
    trusted_ns: int = 120 * MS
    """... and its pose is not estimated again for this long."""
    lazy: tuple[float, float, float, float] = (0.0, 0.0, 3.0, 3.0)
    """Damping of shift (2), rotation and scale, in frames' worth of evidence: rotation and scale change slowly if at
    all."""


NUMBERS: Final = StabilizationParameters()
_GAINS: Final = np.geomspace(*NUMBERS.row_gains).astype(np.float32)


@dataclass(frozen=True, slots=True)
class CameraPose:
    """Displacement of the camera image relative to the calibrated one, in small pixels about the view's centre.

    A point p of the calibrated image is seen at p + (dx - turn y + grow x, dy + turn x + grow y).
    """

    dx: float = 0.0
    dy: float = 0.0
    rotation: float = 0.0
    """Rotation, radians, clockwise in the image."""
    scale_change: float = 0.0
    """Relative change of scale."""

    def matrix(self, middle: tuple[float, float]) -> NDArray[np.float64]:
        """Return the 3 x 3 matrix from calibrated pixels to this image's; ``middle``: the view's centre."""
        x, y = middle
        a, b = 1.0 + self.scale_change, self.rotation
        return np.array(
            [
                [a, -b, self.dx + x - a * x + b * y],
                [b, a, self.dy + y - b * x - a * y],
                [0.0, 0.0, 1.0],
            ]
        )

    def max_displacement_px(self, middle: tuple[float, float]) -> float:
        """Return the largest displacement of any point of the view, small pixels."""
        far = float(np.hypot(*middle))
        return float(np.hypot(self.dx, self.dy)) + far * float(np.hypot(self.rotation, self.scale_change))


NO_DISPLACEMENT: Final = CameraPose()
"""The pose without displacement."""


@dataclass(frozen=True, slots=True)
class StabilizedImage:
    """An image without the effects of camera motion and light."""

    small: Image
    """Small colour image, h x w x 3."""
    pose: CameraPose
    """The estimated pose, which has been removed."""
    light: Floats | None
    """Gain of each small pixel, h x w x 3, which has been removed; None if it is 1 everywhere."""
    fitting_share: float
    """Share of the view that shows the table as it was."""
    usable: bool
    """Whether that share is large enough to use the image."""


class Stabilizer:
    """Estimates and removes camera motion and light relative to the table at rest; feed it every image, in order."""

    def __init__(self, first: Image, numbers: StabilizationParameters = NUMBERS) -> None:
        """Start from a first small image of the table, h x w x 3; cards and hands in it do no harm."""
        self._numbers = numbers
        height, width = first.shape[:2]
        self._size = (width, height)
        self.centre = ((width - 1) / 2, (height - 1) / 2)
        self.pose = NO_DISPLACEMENT
        self._moved_ns: int | None = None
        """Stamp at which the camera last moved; None if it is at rest, be it displaced or not."""
        self._trusted_until_ns = 0
        self._field = np.ones(numbers.cells, np.float32)
        self._is_evenly_lit = True
        """Whether the last image was used without a light correction: the gains were about 1."""
        self._gain = np.ones(3, np.float32)
        self.reference_is_dark = False
        """Whether the reference is too dark for the last image, which shows something."""
        self.set_reference(first)

    def set_reference(self, small: Image) -> None:
        """Set a new reference image, in which all is at rest (one that this stabilized)."""
        n = self._numbers
        if self._is_evenly_lit:
            self._field = np.ones(n.cells, np.float32)
        self._colours = self._light_samples(small, NO_DISPLACEMENT)
        self._level_grey = self._colours.mean(axis=0)
        self._detail = _detail(self._level_grey)
        grey = _grey(small)
        dx, dy = (np.asarray(cv2.Sobel(grey, cv2.CV_32F, *axis, scale=1 / 8)) for axis in ((1, 0), (0, 1)))
        slope = (dx * dx + dy * dy).ravel()
        width, height = self._size
        few = max(0, slope.size - 4 * n.places)
        steep = np.flatnonzero(slope >= np.partition(slope, few)[few])
        # (Exact squares in a stable order: else, by where in memory they lie, one film gives now this game, now that.)
        steep = steep[np.argsort(-slope[steep], kind="stable")]
        rows, columns = np.divmod(steep, width)
        parts = (rows * n.parts[0] // height) * n.parts[1] + columns * n.parts[1] // width
        by_part = np.argsort(parts, kind="stable")
        starts = np.searchsorted(parts[by_part], np.arange(n.parts[0] * n.parts[1]))
        crowded = np.zeros(steep.size, np.bool_)
        crowded[by_part] = np.arange(steep.size) - starts[parts[by_part]] >= n.crowd
        chosen = np.flatnonzero(~crowded)[: n.places]
        places, rows, columns = steep[chosen], rows[chosen], columns[chosen]
        x = (columns - self.centre[0]).astype(np.float32)
        y = (rows - self.centre[1]).astype(np.float32)
        gx, gy = dx.ravel()[places], dy.ravel()[places]
        self._places, self._levels = places, grey.ravel()[places]
        self._x, self._y = x, y
        # How the picture's level at each place changes with dx, dy, turn and grow.
        self._slopes = -np.column_stack([gx, gy, gy * x - gx * y, gx * x + gy * y]).astype(np.float64)
        self._parts = parts[chosen]
        filled = np.bincount(self._parts, minlength=n.parts[0] * n.parts[1])
        self._usable_parts = filled >= n.part_places

    def stabilize(self, small: Image, t_ns: int, stirred: Mask | None = None) -> StabilizedImage:
        """Remove the camera's motion and changes of light from the next image, h x w x 3, of ``t_ns``.

        ``stirred``: mask, h x w, of recent motion. A card may lie there that is about as light as the table, or the
        table where one lay: such a place is ignored in the estimate of the light.
        """
        light, fits = self._estimate_light(small, stirred)
        even = small if light is None else remove_light(small, light)
        usable = fits >= self._numbers.fitting
        if usable and t_ns >= self._trusted_until_ns:
            self._update_pose(_grey(even), t_ns)
        if usable and self.pose is not NO_DISPLACEMENT:
            even = remove_motion(even, self.pose.matrix(self.centre))
        return StabilizedImage(even, self.pose, light, fits, usable)

    @property
    def is_at_rest(self) -> bool:
        """Whether the camera is at rest; otherwise positions are less accurate, for its pose is an estimate."""
        return self._moved_ns is None

    def pose_matrix(self, pose: CameraPose) -> NDArray[np.float64] | None:
        """Return a pose as a 3 x 3 matrix from calibrated small pixels to the seen ones; None without displacement."""
        return None if pose is NO_DISPLACEMENT else pose.matrix(self.centre)

    # --- light --------------------------------------------------------------------------------------------

    def _light_samples(self, small: Image, pose: CameraPose) -> Floats:
        """Return a small image downscaled to light fields, with the ``pose`` removed: 3 x rows x columns."""
        step = self._numbers.step
        size = (self._size[0] // step[0], self._size[1] // step[1])
        few = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA))
        if pose is not NO_DISPLACEMENT:
            wide = np.diag([*(float(side) for side in step), 1.0])
            wide[:2, 2] = [(side - 1) / 2 for side in step]
            few = remove_motion(few, np.linalg.inv(wide) @ pose.matrix(self.centre) @ wide)
        return np.asarray(few.transpose(2, 0, 1) + np.float32(self._numbers.dark), dtype=np.float32)

    def _estimate_light(self, small: Image, stirred: Mask | None) -> tuple[Floats | None, float]:
        n = self._numbers
        self.reference_is_dark = False
        seen = self._light_samples(small, self.pose)
        if np.count_nonzero(seen >= n.white) >= n.washed_out * seen.size:
            return None, 0.0
        size = (seen.shape[2], seen.shape[1])
        field = np.asarray(cv2.resize(self._field, size, interpolation=cv2.INTER_LINEAR))
        gain = _medians((seen / (self._colours * field)).reshape(3, -1))
        self.reference_is_dark = float(gain.max()) >= n.gains[1]
        if self.reference_is_dark or float(gain.min()) <= n.gains[0]:
            return None, 0.0
        grey = (seen / gain[:, None, None]).mean(axis=0)
        if self._is_covered(gain, grey):
            return None, 0.0
        expected = self._level_grey * field
        rows = _row_gains(grey / expected)
        rows = np.asarray(cv2.GaussianBlur(rows[:, None], (1, 5), 0.8), dtype=np.float32)
        expected = expected * rows
        like = np.asarray(np.abs(grey - expected) < n.like + n.like_share * expected)
        fits = np.count_nonzero(like) / like.size
        if fits < n.fitting:
            return None, fits
        if stirred is not None:
            like &= np.asarray(cv2.resize(stirred, size, interpolation=cv2.INTER_AREA)) == 0
        telling = np.asarray(like, dtype=np.float32)
        self._update_light_field(grey * telling, expected * telling, telling)
        field = np.asarray(cv2.resize(self._field, size, interpolation=cv2.INTER_LINEAR)) * rows
        most, least = float(field.max() * gain.max()), float(field.min() * gain.min())
        self._is_evenly_lit = max(abs(most - 1.0), abs(least - 1.0)) < n.plain
        if self._is_evenly_lit:
            return None, fits
        light = cv2.resize(field[:, :, None] * gain, self._size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(light, dtype=np.float32), fits

    def _is_covered(self, gain: Floats, grey: Floats) -> bool:
        """Return whether something plain covers the lens: detail is lost and the light has changed since then.

        A lamp that is switched leaves the detail, cards that are picked up leave the light.
        """
        least, share = self._numbers.grain
        if self._detail <= least or _detail(grey) >= share * self._detail:
            self._gain = gain
            return False
        return float(np.abs(np.log(gain / self._gain)).max()) > self._numbers.leap

    def _update_light_field(self, seen: Floats, expected: Floats, like: Floats) -> None:
        n = self._numbers
        size = (n.cells[1], n.cells[0])
        few = cv2.resize(cv2.merge([seen, expected, like]), size, interpolation=cv2.INTER_AREA)
        seen, expected, shown = (np.asarray(part, dtype=np.float32) for part in cv2.split(few))
        ratio = (seen + 0.1) / (expected + 0.1)
        weight = np.where((shown >= n.cell_open) & (np.abs(ratio - 1.0) <= n.cell_step), shown, 0.01)
        change = cv2.GaussianBlur(weight * ratio, (0, 0), 0.8) / cv2.GaussianBlur(weight, (0, 0), 0.8)
        field = np.clip(self._field * change, *n.gains).astype(np.float32)
        self._field = field / _medians(field.reshape(1, -1))

    # --- pose ---------------------------------------------------------------------------------------------

    def _update_pose(self, grey: Floats, t_ns: int) -> None:
        """Estimate the pose; a camera at rest keeps its own unless another one explains the view better."""
        n = self._numbers
        rested = self._residuals_at(grey, self.pose)
        pose, off, known = self.pose, rested, False
        for _ in range(n.tries):
            if pose is not self.pose:
                off = self._residuals_at(grey, pose)
            # Geman and McClure's weights: a hand, a card that is new there, hardly count.
            scale = max(n.odd[0], n.odd[1] * float(_medians(np.abs(off)[None])[0]))
            weights = (1.0 / np.square(1.0 + np.square(off / scale))).astype(np.float64)
            weighted = self._slopes * weights[:, None]
            told = self._slopes.T @ weighted
            spread = np.linalg.inv(told + np.diag(np.diag(told) * n.lazy + 1e-6))
            # (Rounded: the last digits of products hang on where in memory they lie, and one film is one game.)
            step = CameraPose(*np.round(spread @ (weighted.T @ off), 6).tolist())
            noise = float(np.square(off) @ weights / weights.sum())
            deviations = np.sqrt(np.diag(spread) * noise)
            pose = CameraPose(
                pose.dx + step.dx,
                pose.dy + step.dy,
                pose.rotation + step.rotation,
                pose.scale_change + step.scale_change,
            )
            known = (
                CameraPose(*(float(value) for value in deviations)).max_displacement_px(self.centre)
                <= n.known_px
            )
            if step.max_displacement_px(self.centre) < 0.02:
                break
        known = known and pose.max_displacement_px(self.centre) < n.farthest * self._size[0]
        if known and self._fits_better(self._residuals_at(grey, pose), rested):
            self.pose, self._moved_ns = pose, t_ns
        elif self._moved_ns is None:
            self._trusted_until_ns = t_ns + n.trusted_ns
        elif t_ns - self._moved_ns >= n.calm_ns:
            self._moved_ns = None
            if not self._fits_better(rested, self._residuals_at(grey, NO_DISPLACEMENT)):
                self.pose = NO_DISPLACEMENT
        elif known:
            self.pose = pose

    def _residuals_at(self, grey: Floats, pose: CameraPose) -> Floats:
        """Return how far the levels at the points, as a camera of that ``pose`` sees them, are from the reference."""
        if pose is NO_DISPLACEMENT:
            return np.asarray(grey.ravel()[self._places] - self._levels)
        across, down = self.centre
        x = self._x * (1.0 + pose.scale_change) - self._y * pose.rotation + (pose.dx + across)
        y = self._y * (1.0 + pose.scale_change) + self._x * pose.rotation + (pose.dy + down)
        levels = cv2.remap(
            grey,
            x.astype(np.float32)[None],
            y.astype(np.float32)[None],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(levels[0] - self._levels, dtype=np.float32)

    def _fits_better(self, off: Floats, rest: Floats) -> bool:
        """Return whether most parts of the view have plainly smaller residuals in ``off`` than in ``rest``."""
        if not self._usable_parts.any():
            return False
        moved, rested = (self._residuals_by_part(residuals)[self._usable_parts] for residuals in (off, rest))
        return bool(_medians(((moved + 1e-3) / (rested + 1e-3))[None])[0] < self._numbers.better)

    def _residuals_by_part(self, off: Floats) -> NDArray[np.float64]:
        """Return the sum of the residuals in each part; large ones are outliers and are capped."""
        size = self._numbers.parts[0] * self._numbers.parts[1]
        capped = np.minimum(np.abs(off), 15.0).astype(np.float64)
        return np.asarray(np.bincount(self._parts, capped, minlength=size), dtype=np.float64)


def _detail(grey: Floats) -> float:
    """Return the standard deviation of an image from its local mean, in levels."""
    return float((grey - cv2.GaussianBlur(grey, (0, 0), 2.0)).std())


def _medians(values: NDArray[np.floating[Any]]) -> Floats:
    """Return the median of each row (NumPy's own takes longer than the rest of the work)."""
    middle = values.shape[1] // 2
    first = middle if values.shape[1] % 2 else max(0, middle - 1)
    parted = np.partition(values, (first, middle), axis=1)
    return np.asarray((parted[:, first] + parted[:, middle]) / 2, dtype=np.float32)


def _row_gains(ratios: NDArray[np.floating[Any]]) -> Floats:
    """Return the gain of each row (rows x columns): the one that most of its fields, and of the next rows', support.

    This matters if it isn't the median: an arm along a row may fill more than half of it, but the table fills it
    evenly.
    """
    middling = _medians(ratios)
    if float(np.abs(middling - 1.0).max()) < NUMBERS.row_like:
        return middling
    votes = ratios[:, :, None] / _GAINS  # (In place: new memory for each step would take most of the time.)
    votes -= 1.0
    np.abs(votes, out=votes)
    votes /= -NUMBERS.row_like
    votes += 1.0
    np.maximum(votes, 0.0, out=votes)
    best = _GAINS[np.argmax(cv2.blur(votes.sum(axis=1), (1, 3)), axis=1)][:, None]
    near = np.abs(ratios / best - 1.0) < NUMBERS.row_like
    return np.asarray(
        (np.where(near, ratios, 0.0).sum(axis=1) + best[:, 0]) / (near.sum(axis=1) + 1), np.float32
    )


def remove_motion(picture: NDArray[Any], matrix: NDArray[np.float64]) -> NDArray[Any]:
    """Remove the camera motion ``matrix`` (3 x 3, affine) from an image."""
    size = (picture.shape[1], picture.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(picture, matrix[:2], size, flags=flags, borderMode=cv2.BORDER_REPLICATE),
        dtype=picture.dtype,
    )


def _grey(image: Image) -> Floats:
    smooth = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    return np.asarray(smooth, dtype=np.float32)


def remove_light(picture: Image, light: Floats) -> Image:
    """Divide an image by the gain ``light`` of each pixel; saturated pixels become at least as bright as paper."""
    even = np.asarray(cv2.multiply(picture, 1.0 / light, dtype=cv2.CV_8U), dtype=np.uint8)
    if float(light.max()) > 1.0:
        _, washed_out = cv2.threshold(picture, NUMBERS.white - 1, NUMBERS.paper, cv2.THRESH_BINARY)
        even = np.asarray(cv2.max(even, washed_out), dtype=np.uint8)
    return even
