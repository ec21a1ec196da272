"""What the camera did to a picture, and the picture without it.

A camera on a shelf trembles, sways, breathes and is knocked; its exposure and white balance wander, lamps flicker at
the mains' pace (brighter and darker rows), somebody's shadow passes. None of that is anything that people did with
cards. So every picture is compared with the table as it was last at rest, and what can be said of the whole view alike
is taken out before anything else looks at it: a *pose* (shift, turn and scale), a gain for each colour, one for each
row, and a slowly varying field of light. Hands and cards are what does not fit; a picture that hardly fits anywhere is
no picture of this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import MS, Image
from table.sight.gate import Mask

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Steadying:
    """The numbers of this module: chosen on the two shared recordings under `camera_faults`, not on the scene bench."""

    step: tuple[int, int] = (8, 4)
    """Light is measured on fields of so many pixels across and down: lamps make rows that differ, not columns."""
    dark: float = 6.0
    """Levels added to both sides of a ratio: the sensor's noise and black level."""
    cells: tuple[int, int] = (9, 16)
    """The field of light has so many cells down and across: a shadow's soft edge is some two cells wide."""
    like: float = 4.0
    """A pixel shows the table if it is off by no more levels than this, ..."""
    like_share: float = 0.08
    """... and by this share of what is expected: what a shadow's edge does within a frame."""
    row_gains: tuple[float, float, int] = (0.6, 1.6, 41)
    """The gain of a row against the whole view's is sought between these, in so many steps; ..."""
    row_like: float = 0.05
    """... its fields share it that are within this of it."""
    cell_open: float = 0.6
    """A cell of which less shows the table is hidden: it is taken to change as its neighbours do ..."""
    cell_step: float = 0.07
    """... as is one that changed by more than this share since the picture before: light glides, hands don't."""
    plain: float = 0.08
    """Gains within this of 1 are none."""
    gains: tuple[float, float] = (0.2, 5.0)
    """Beyond these a picture is too dark or too bright for anything."""
    white: int = 250
    """From this level on a pixel is as bright as it can be ..."""
    paper: int = 235
    """... and with less light would show at least what white paper does."""
    washed_out: float = 0.6
    """A picture of which so much is as bright as can be shows nothing."""
    grain: tuple[float, float] = (1.5, 0.3)
    """Of a table that shows detail of so many levels less than this share is left: cards were picked up, ..."""
    leap: float = 0.12
    """... or, where gains are off by more than this (natural logarithm), something lies before the lens."""
    fitting: float = 0.35
    """A view of which less fits is not this table: black, covered or washed out."""
    places: int = 3000
    """The pose is told from so many places, those where the picture is steepest: even a plain cloth has grain ..."""
    crowd: int = 200
    """... and no more than so many in one part: else cards that somebody holds over a plain cloth drown it."""
    odd: tuple[float, float] = (3.0, 1.5)
    """A place counts less the more it is off: half where it is off by some half of so many levels, or of so many times
    what the middling place is off by."""
    known_px: float = 0.08
    """A pose less well known than this (standard deviation, at the view's corners) is not taken."""
    better: float = 0.93
    """A camera has moved where most parts of the view are off by less than this share of what they were ..."""
    parts: tuple[int, int] = (5, 8)
    """... of so many parts down and across: an arm and its shadow fill few, a camera moves all alike."""
    part_places: int = 20
    """A part with fewer places tells nothing."""
    farthest: float = 0.1
    """No camera moves by more than this share of its view and is used on."""
    tries: int = 4
    calm_ns: int = 1000 * MS
    """A camera that has been level for so long is at rest ..."""
    trusted_ns: int = 120 * MS
    """... and is not asked again for so long."""
    lazy: tuple[float, float, float, float] = (0.0, 0.0, 3.0, 3.0)
    """Turn and scale change slowly if at all: so many pictures' worth of knowledge holds them where they were."""


NUMBERS: Final = Steadying()
_GAINS: Final = np.geomspace(*NUMBERS.row_gains).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Pose:
    """How the camera's picture lies against the calibrated one, in small pixels about the view's middle.

    A point p of the calibrated picture is seen at p + (dx - turn y + grow x, dy + turn x + grow y).
    """

    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    """Radians, clockwise in the picture."""
    grow: float = 0.0

    def matrix(self, middle: tuple[float, float]) -> NDArray[np.float64]:
        """From calibrated pixels to this picture's, 3 x 3."""
        x, y = middle
        a, b = 1.0 + self.grow, self.turn
        return np.array(
            [
                [a, -b, self.dx + x - a * x + b * y],
                [b, a, self.dy + y - b * x - a * y],
                [0.0, 0.0, 1.0],
            ]
        )

    def reach(self, middle: tuple[float, float]) -> float:
        """By how many small pixels it moves what it moves most."""
        far = float(np.hypot(*middle))
        return float(np.hypot(self.dx, self.dy)) + far * float(np.hypot(self.turn, self.grow))


LEVEL: Final = Pose()


@dataclass(frozen=True, slots=True)
class Steadied:
    """A picture without what the camera did."""

    small: Image
    """The small picture, h x w x 3."""
    pose: Pose
    light: Floats | None
    """The gain of each small pixel, h x w x 3; None where it is 1 everywhere."""
    fits: float
    """The share of the view that shows the table as it was."""
    usable: bool
    """Whether that is enough to go by."""


class Steady:
    """Knows how the table looks and follows what the camera does; feed it every small picture, in order."""

    def __init__(self, first: Image, numbers: Steadying = NUMBERS) -> None:
        """``first``: a small picture, h x w x 3, of the table; cards and hands in it do no harm."""
        self._numbers = numbers
        height, width = first.shape[:2]
        self._size = (width, height)
        self.middle = ((width - 1) / 2, (height - 1) / 2)
        self.pose = LEVEL
        self._moved_ns: int | None = None
        """When the camera was last not level; None: it is at rest."""
        self._trusted_until_ns = 0
        self._field = np.ones(numbers.cells, np.float32)
        self._even = True
        """Whether the last picture was taken as it was: the field was as good as none."""
        self._gain = np.ones(3, np.float32)
        self.settle(first)

    def settle(self, small: Image) -> None:
        """All is at rest and looks so (a picture that this steadied)."""
        n = self._numbers
        if self._even:
            self._field = np.ones(n.cells, np.float32)
        self._colours = self._few(small, LEVEL)
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
        x = (columns - self.middle[0]).astype(np.float32)
        y = (rows - self.middle[1]).astype(np.float32)
        gx, gy = dx.ravel()[places], dy.ravel()[places]
        self._places, self._levels = places, grey.ravel()[places]
        self._x, self._y = x, y
        # How the picture's level at each place changes with dx, dy, turn and grow.
        self._slopes = -np.column_stack([gx, gy, gy * x - gx * y, gx * x + gy * y]).astype(np.float64)
        self._parts = parts[chosen]
        filled = np.bincount(self._parts, minlength=n.parts[0] * n.parts[1])
        self._telling = filled >= n.part_places

    def take(self, small: Image, t_ns: int, stirred: Mask | None = None) -> Steadied:
        """The next picture, h x w x 3, of ``t_ns``.

        ``stirred``: where, h x w, something moved lately. A card may lie there that is about as light as the table, or
        the table where one lay: such a place tells nothing of the light.
        """
        light, fits = self._light(small, stirred)
        even = small if light is None else divided(small, light)
        usable = fits >= self._numbers.fitting
        if usable and t_ns >= self._trusted_until_ns:
            self._follow(_grey(even), t_ns)
            if self.pose is not LEVEL:
                even = straight(even, self.pose.matrix(self.middle))
        return Steadied(even, self.pose, light, fits, usable)

    @property
    def at_rest(self) -> bool:
        """Whether the camera is: else places are known less well, for its pose is an estimate."""
        return self._moved_ns is None

    def matrix(self, pose: Pose) -> NDArray[np.float64] | None:
        """A pose as a 3 x 3 matrix from calibrated small pixels to the seen ones; None for none."""
        return None if pose is LEVEL else pose.matrix(self.middle)

    # --- light --------------------------------------------------------------------------------------------

    def _few(self, small: Image, pose: Pose) -> Floats:
        """The colours of a small picture made smaller still, without the ``pose``: 3 x rows x columns."""
        step = self._numbers.step
        size = (self._size[0] // step[0], self._size[1] // step[1])
        few = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA))
        if pose is not LEVEL:
            wide = np.diag([*(float(one) for one in step), 1.0])
            wide[:2, 2] = [(one - 1) / 2 for one in step]
            few = straight(few, np.linalg.inv(wide) @ pose.matrix(self.middle) @ wide)
        return np.asarray(few.transpose(2, 0, 1) + np.float32(self._numbers.dark), dtype=np.float32)

    def _light(self, small: Image, stirred: Mask | None) -> tuple[Floats | None, float]:
        n = self._numbers
        seen = self._few(small, self.pose)
        if np.count_nonzero(seen >= n.white) >= n.washed_out * seen.size:
            return None, 0.0
        size = (seen.shape[2], seen.shape[1])
        field = np.asarray(cv2.resize(self._field, size, interpolation=cv2.INTER_LINEAR))
        gain = _medians((seen / (self._colours * field)).reshape(3, -1))
        if not n.gains[0] < float(gain.min()) <= float(gain.max()) < n.gains[1]:
            return None, 0.0
        grey = (seen / gain[:, None, None]).mean(axis=0)
        if self._is_covered(gain, grey):
            return None, 0.0
        expected = self._level_grey * field
        rows = _rows(grey / expected)
        rows = np.asarray(cv2.GaussianBlur(rows[:, None], (1, 5), 0.8), dtype=np.float32)
        expected = expected * rows
        like = np.asarray(np.abs(grey - expected) < n.like + n.like_share * expected)
        fits = np.count_nonzero(like) / like.size
        if fits < n.fitting:
            return None, fits
        if stirred is not None:
            like &= np.asarray(cv2.resize(stirred, size, interpolation=cv2.INTER_AREA)) == 0
        telling = np.asarray(like, dtype=np.float32)
        self._follow_field(grey * telling, expected * telling, telling)
        field = np.asarray(cv2.resize(self._field, size, interpolation=cv2.INTER_LINEAR)) * rows
        most, least = float(field.max() * gain.max()), float(field.min() * gain.min())
        self._even = max(abs(most - 1.0), abs(least - 1.0)) < n.plain
        if self._even:
            return None, fits
        light = cv2.resize(field[:, :, None] * gain, self._size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(light, dtype=np.float32), fits

    def _is_covered(self, gain: Floats, grey: Floats) -> bool:
        """Whether something plain is before the lens: the table's detail is gone, and the light is another since then.

        A lamp that is switched leaves the detail, cards that are picked up leave the light.
        """
        least, share = self._numbers.grain
        if self._detail <= least or _detail(grey) >= share * self._detail:
            self._gain = gain
            return False
        return float(np.abs(np.log(gain / self._gain)).max()) > self._numbers.leap

    def _follow_field(self, seen: Floats, expected: Floats, like: Floats) -> None:
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

    def _follow(self, grey: Floats, t_ns: int) -> None:
        """Find the pose; that of a camera at rest is none, and it rests where that explains the view as well."""
        n = self._numbers
        level = grey.ravel()[self._places] - self._levels
        pose, off, known = self.pose, level, False
        for _ in range(n.tries):
            if pose is not LEVEL:
                off = self._seen_at(grey, pose) - self._levels
            # Geman and McClure's weights: a hand, a card that is new there, hardly count.
            scale = max(n.odd[0], n.odd[1] * float(_medians(np.abs(off)[None])[0]))
            weights = (1.0 / np.square(1.0 + np.square(off / scale))).astype(np.float64)
            weighted = self._slopes * weights[:, None]
            told = self._slopes.T @ weighted
            spread = np.linalg.inv(told + np.diag(np.diag(told) * n.lazy + 1e-6))
            # (Rounded: the last digits of products hang on where in memory they lie, and one film is one game.)
            step = Pose(*np.round(spread @ (weighted.T @ off), 6).tolist())
            noise = float(np.square(off) @ weights / weights.sum())
            deviations = np.sqrt(np.diag(spread) * noise)
            pose = Pose(pose.dx + step.dx, pose.dy + step.dy, pose.turn + step.turn, pose.grow + step.grow)
            known = Pose(*(float(value) for value in deviations)).reach(self.middle) <= n.known_px
            if step.reach(self.middle) < 0.02:
                break
        known = known and pose.reach(self.middle) < n.farthest * self._size[0]
        if known and self._fits_better(self._seen_at(grey, pose) - self._levels, level):
            self.pose, self._moved_ns = pose, t_ns
        elif self._moved_ns is None:
            self._trusted_until_ns = t_ns + n.trusted_ns
        elif t_ns - self._moved_ns >= n.calm_ns:
            self.pose, self._moved_ns = LEVEL, None
        elif known:
            self.pose = pose

    def _seen_at(self, grey: Floats, pose: Pose) -> Floats:
        """The levels at the places as a camera of that ``pose`` sees them."""
        across, down = self.middle
        x = self._x * (1.0 + pose.grow) - self._y * pose.turn + (pose.dx + across)
        y = self._y * (1.0 + pose.grow) + self._x * pose.turn + (pose.dy + down)
        levels = cv2.remap(
            grey,
            x.astype(np.float32)[None],
            y.astype(np.float32)[None],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(levels[0], dtype=np.float32)

    def _fits_better(self, off: Floats, level: Floats) -> bool:
        """Whether most parts of the view are plainly less ``off`` than a level camera's would be."""
        if not self._telling.any():
            return False
        moved, rested = (self._misfit(one)[self._telling] for one in (off, level))
        return bool(_medians(((moved + 1e-3) / (rested + 1e-3))[None])[0] < self._numbers.better)

    def _misfit(self, off: Floats) -> NDArray[np.float64]:
        """How badly each part fits, summed; what is far off is something else and counts little."""
        size = self._numbers.parts[0] * self._numbers.parts[1]
        capped = np.minimum(np.abs(off), 15.0).astype(np.float64)
        return np.asarray(np.bincount(self._parts, capped, minlength=size), dtype=np.float64)


def _detail(grey: Floats) -> float:
    """How much the fields of a picture differ from those about them, in levels."""
    return float((grey - cv2.GaussianBlur(grey, (0, 0), 2.0)).std())


def _medians(values: NDArray[np.floating[Any]]) -> Floats:
    """The median of each row (NumPy's own takes longer than the work)."""
    middle = values.shape[1] // 2
    first = middle if values.shape[1] % 2 else max(0, middle - 1)
    parted = np.partition(values, (first, middle), axis=1)
    return np.asarray((parted[:, first] + parted[:, middle]) / 2, dtype=np.float32)


def _rows(ratios: NDArray[np.floating[Any]]) -> Floats:
    """The gain of each row (rows x columns): the one that most of its fields, and of the next rows', share.

    Where the middling one is another: an arm along a row may fill more than half of it, but the table fills it evenly.
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


def straight(picture: NDArray[Any], matrix: NDArray[np.float64]) -> NDArray[Any]:
    """A picture as a camera would see it that had not moved by ``matrix`` (3 x 3, affine)."""
    size = (picture.shape[1], picture.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(picture, matrix[:2], size, flags=flags, borderMode=cv2.BORDER_REPLICATE),
        dtype=picture.dtype,
    )


def _grey(image: Image) -> Floats:
    smooth = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    return np.asarray(smooth, dtype=np.float32)


def divided(picture: Image, light: Floats) -> Image:
    """``picture`` without the gain ``light`` of each of its pixels; what was too bright to be measured is paper."""
    even = np.asarray(cv2.multiply(picture, 1.0 / light, dtype=cv2.CV_8U), dtype=np.uint8)
    if float(light.max()) > 1.0:
        _, washed_out = cv2.threshold(picture, NUMBERS.white - 1, NUMBERS.paper, cv2.THRESH_BINARY)
        even = np.asarray(cv2.max(even, washed_out), dtype=np.uint8)
    return even
