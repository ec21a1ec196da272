"""Notices that the camera has moved, by the markers of the mat that it was calibrated by.

The markers lie on the table, and so does the mark: where the picture shows them now tells the homography of now, in the
table's own axes of then, so seats and mark stay what they are. (A mat that was pushed can't be told from a camera that
was; the mark is printed on it, so it goes with it either way.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.config import CameraConfig, Matrix
from table.facts import Image
from table.setup.findmat import find_mat
from table.setup.mat import RULER_MM
from table.sight.geometry import transform

MOVED_MM: Final = 4.0
"""The markers are found within 0.3 mm even in a blurred picture, and the reader's outlines are good to a few."""
AGREE_MM: Final = 1.0
"""Two looks in a row that differ by less show a camera at rest."""
_AROUND: Final = np.array([(0.0, 0.0), (100.0, 0.0), (0.0, 100.0), (-100.0, 0.0), (0.0, -100.0)])
"""Places on the table at which a movement is measured; the largest counts."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The camera stands elsewhere than it did."""

    mm: float
    """How far what the table took for one place is from it now, at most, within 100 mm of the mark."""
    homography: Matrix
    """Millimetres on the table to pixels, from now on."""


class Lookout:
    """Compares the markers with what the table goes by; to be asked now and then while nothing covers the mat.

    A look takes some 20 ms of a desktop's core at 1280 x 720.
    """

    def __init__(
        self, homography: Matrix, paper: str, mat_turn_deg: float, ruler_mm: float = RULER_MM
    ) -> None:
        """``homography``: what the table goes by; the mat of that ``paper`` lies turned so on the table.

        ``ruler_mm``: what its line of 100 mm measures.
        """
        self._homography = homography
        self._paper = paper
        self._turn = mat_turn_deg
        self._printed = ruler_mm / RULER_MM
        self._last: Matrix | None = None

    @property
    def sees(self) -> bool:
        """Whether the last picture showed the mat."""
        return self._last is not None

    @classmethod
    def of(cls, camera: CameraConfig) -> Lookout | None:
        """For a camera that was calibrated by a mat; None for another."""
        if camera.homography is None or camera.mat is None:
            return None
        return cls(camera.homography, camera.mat, camera.mat_turn, camera.mat_ruler)

    def see(self, image: Image) -> Moved | None:
        """Look at a picture: a movement, once it is over and seen twice; None where all is well or nothing is seen.

        What was told is what the table goes by from then on, and is not told again.
        """
        now = self._now(image)
        before, self._last = self._last, now
        if now is None or before is None or _apart_mm(before, now) > AGREE_MM:
            return None
        mm = _apart_mm(self._homography, now)
        if mm <= MOVED_MM:
            return None
        self._homography = now
        return Moved(mm, now)

    def off_mm(self, image: Image) -> float | None:
        """How far this one picture is from what the table goes by; None where the mat is not seen."""
        now = self._now(image)
        return None if now is None else _apart_mm(self._homography, now)

    def _now(self, image: Image) -> Matrix | None:
        found = find_mat(image, self._printed, mirrors=False)
        if found is None or found.mat.paper != self._paper:
            return None
        return found.table_homography(self._turn)


def _apart_mm(one: Matrix, other: Matrix) -> float:
    """How far places by ``one`` are from where ``other`` has them, mm on the table, at most."""
    to_table: NDArray[np.float64] = np.asarray(np.linalg.inv(np.array(other)), np.float64)
    apart = transform(to_table, transform(np.array(one), _AROUND)) - _AROUND
    return float(np.hypot(apart[:, 0], apart[:, 1]).max())
