"""Whether the camera's pictures are fit to go by.

Nothing is decided from pictures that show no table; from the others as much as they give. But people should know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from table.facts import MS
from table.phrase import Phrase, say
from table.sight.gate import Planar
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
    """A picture darker than this tells nothing of colours."""
    every_px: int = 2
    """Every so many small pixels across and down are looked at for them."""
    tint: float = 8.0
    """A converter may tint a grey picture by so many levels, but all of it alike: ..."""
    colours: tuple[float, float] = (4.0, 0.995)
    """... where more than the rest of so large a share differs from that by so many levels it has colours."""


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
        self._coloured = False
        """Whether colours were ever seen: no camera loses them."""
        self._colourless = False
        self.mirrored = False
        """Whether cards were seen as in a mirror."""

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

    def look(self, small: Planar, *, cards: bool) -> None:
        """Look at a small picture for its colours, until there are some.

        A codec leaves none on a grey table. But where ``cards`` lie that were seen to come, hands have brought them,
        and who has seen no colours in all that sees none.
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
