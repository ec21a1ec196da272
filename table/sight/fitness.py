"""Whether the camera's pictures are fit to go by.

Nothing is decided from pictures that show no table; from the others as much as they give. But people should know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.facts import MS, Image
from table.phrase import Phrase, say
from table.sight.geometry import SMALL_PX_PER_MM
from table.sight.steady import Pose


@dataclass(frozen=True, slots=True)
class FitnessNumbers:
    """The numbers of this module."""

    blind_ns: int = 1000 * MS
    """A hand before the lens, or a lamp switched over, is gone after this."""
    moved_mm: float = 8.0
    """A camera that has gone farther for good sees the mark elsewhere than people do."""
    moved_ns: int = 3000 * MS
    """... which is for good after this."""
    dark: float = 30.0
    plain: float = 6.0
    """A picture darker, or with less contrast, than this tells nothing of colours."""
    every_px: int = 4
    """Every so many pixels of the mark across and down are looked at for that."""
    colourless: float = 0.6
    """Mean levels between the colours of a picture; a colour camera's noise alone makes more."""


NUMBERS: Final = FitnessNumbers()

BLIND: Final = say("camera.blind")
MOVED: Final = say("camera.moved")
MIRRORED: Final = say("camera.mirrored")
COLOURLESS: Final = say("camera.colourless")


class Fitness:
    """Keeps what is wrong with the pictures."""

    def __init__(self) -> None:
        self._blind_since_ns: int | None = None
        self.blind = False
        """Whether nothing has been seen for a while."""
        self._moved_since_ns: int | None = None
        self._moved = False
        self._colourless = False
        self.mirrored = False
        """Whether a card was read in the mirror that could not be read as it was."""

    @property
    def troubles(self) -> tuple[Phrase, ...]:
        """What there is to say now."""
        if self.blind:
            return (BLIND,)
        checks = ((self._moved, MOVED), (self.mirrored, MIRRORED), (self._colourless, COLOURLESS))
        return tuple(said for wrong, said in checks if wrong)

    def unusable(self, t_ns: int) -> None:
        """A picture of ``t_ns`` showed no table."""
        self._blind_since_ns = self._blind_since_ns or t_ns
        self.blind = t_ns - self._blind_since_ns >= NUMBERS.blind_ns

    def usable(self, t_ns: int, pose: Pose) -> None:
        """A picture of ``t_ns`` shows the table, from there."""
        self._blind_since_ns, self.blind = None, False
        away_mm = float(np.hypot(pose.dx, pose.dy)) / SMALL_PX_PER_MM
        if away_mm < NUMBERS.moved_mm:
            self._moved_since_ns = None
        elif self._moved_since_ns is None:
            self._moved_since_ns = t_ns
        self._moved = self._moved_since_ns is not None and t_ns - self._moved_since_ns >= NUMBERS.moved_ns

    def look(self, mark: Image) -> None:
        """Look at a picture of the mark for its colours; some of its pixels tell as much as all."""
        mark = np.ascontiguousarray(mark[:: NUMBERS.every_px, :: NUMBERS.every_px])
        if float(mark.mean()) < NUMBERS.dark or float(mark.std()) < NUMBERS.plain:
            return
        blue, green, red = cv2.split(mark)
        apart = float(cv2.absdiff(blue, green).mean() + cv2.absdiff(red, green).mean())
        self._colourless = apart < NUMBERS.colourless
