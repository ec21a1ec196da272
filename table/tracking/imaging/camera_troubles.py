"""Image fitness: whether the camera's images are usable, and what to tell people if not.

Nothing is decided from images that don't show the table; the others are used as they are. But people should know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.table_geometry import SMALL_PX_PER_MM
from table.tracking.imaging.motion_detection import Planar
from table.tracking.imaging.stabilization import CameraPose


@dataclass(frozen=True, slots=True)
class FitnessParameters:
    """Parameters of the image checks."""

    blind_ns: int = 1000 * MS
    """A hand in front of the lens, or a switched lamp, is over after this time."""
    moved_mm: float = 8.0
    """A camera that has moved farther for good sees the mark elsewhere than people do ..."""
    moved_ns: int = 3000 * MS
    """... where "for good" is this time."""
    dark: float = 30.0
    """An image with a mean below this level tells nothing about colours."""
    every_px: int = 2
    """Step, in small pixels across and down, at which colours are sampled."""
    tint: float = 8.0
    """A converter may tint a grey image by this many levels, but all of it alike: ..."""
    colours: tuple[float, float] = (4.0, 0.995)
    """... it has colours if more than the rest of this share differs from that tint by this many levels."""


NUMBERS: Final = FitnessParameters()

BLIND: Final = make_phrase("camera.blind")
MOVED: Final = make_phrase("camera.moved")
MIRRORED: Final = make_phrase("camera.mirrored")
COLOURLESS: Final = make_phrase("camera.colourless")


class ImageFitness:
    """Tracks what is wrong with the camera's images."""

    def __init__(self) -> None:
        self._blind_since_ns: int | None = None
        self.is_blind = False
        """Whether no image has been usable for a while."""
        self._moved_since_ns: int | None = None
        self._moved = False
        self._coloured = False
        """Whether colours were ever seen: no camera loses them."""
        self._colourless = False
        self.mirrored = False
        """Whether the cards appear mirrored."""

    @property
    def troubles(self) -> tuple[Phrase, ...]:
        """The present problems, as phrases for the screen."""
        if self.is_blind:
            return (BLIND,)
        checks = ((self._moved, MOVED), (self.mirrored, MIRRORED), (self._colourless, COLOURLESS))
        return tuple(said for wrong, said in checks if wrong)

    @property
    def shows_cards(self) -> bool:
        """Whether the images show what lies on the mark."""
        return not (self.is_blind or self.mirrored)

    def set_mirrored(self, mirrored: bool) -> None:
        """Record whether the cards appear mirrored."""
        self.mirrored = mirrored

    def add_unusable_frame(self, t_ns: int) -> None:
        """Record that the image of ``t_ns`` did not show the table."""
        self._blind_since_ns = self._blind_since_ns or t_ns
        self.is_blind = t_ns - self._blind_since_ns >= NUMBERS.blind_ns

    def add_usable_frame(self, t_ns: int, pose: CameraPose) -> None:
        """Record that the image of ``t_ns`` shows the table, with that camera pose."""
        self._blind_since_ns, self.is_blind = None, False
        away_mm = float(np.hypot(pose.dx, pose.dy)) / SMALL_PX_PER_MM
        if away_mm < NUMBERS.moved_mm:
            self._moved_since_ns = None
        elif self._moved_since_ns is None:
            self._moved_since_ns = t_ns
        self._moved = self._moved_since_ns is not None and t_ns - self._moved_since_ns >= NUMBERS.moved_ns

    def check_colours(self, small: Planar, *, cards: bool) -> None:
        """Check a small image for colours, until there are some.

        A codec leaves none on a grey table. But if there are ``cards`` that were seen to come, hands have brought
        them, and a camera that saw no colours in all that has none.
        """
        if self._coloured:
            return
        n = NUMBERS
        height = small.shape[0] // 3
        blue, green, red = (
            small[k * height : (k + 1) * height : n.every_px, :: n.every_px].astype(np.int16).ravel()
            for k in range(3)
        )
        if float(green.mean()) < n.dark:
            return
        levels, share = n.colours
        for apart in (blue - green, red - green):
            tint = float(np.median(apart))
            self._coloured |= abs(tint) > n.tint
            self._coloured |= float(np.quantile(np.abs(apart - tint), share)) >= levels
        self._colourless = not self._coloured and (self._colourless or cards)
