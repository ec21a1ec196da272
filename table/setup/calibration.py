"""Calibrating from the printed mat: the homography, and everything that can be said about camera and light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from table.config import Matrix
from table.errors import TableError
from table.facts import Image
from table.phrase import say
from table.setup.findings import Finding
from table.setup.findmat import LEAST_MARKERS, FoundMat, find_mat, markers_seen
from table.setup.mat import RULER_MM
from table.setup.photo import judge_photo, measure_photo
from table.setup.view import View, fault, measure, sentence

MOST_RESIDUAL_MM: Final = 1.5
"""Corners are found within 0.2 mm at 1.8 pixels a millimetre, 0.5 mm at 0.7; a lens that bends lines, or paper that
does not lie flat, shows as more."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What came of it."""

    found: FoundMat
    homography: Matrix
    """Millimetres on the table to pixels, as ``table.toml`` has it."""
    view: View
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether a table can be played with it, in better light if need be."""
        return all(finding.good for finding in self.findings if finding.part in ("mat", "view"))


def calibrate(frames: Sequence[Image], ruler_mm: float = RULER_MM) -> Calibration:
    """Calibrate from pictures (at least one, of one size) of a camera that stands still, the latest last.

    ``ruler_mm``: what the printed line of 100 mm measures in truth. ``TableError`` where no mat is found.
    """
    found = find_mat(frames[-1], ruler_mm / RULER_MM)
    if found is None:
        seen = markers_seen(frames[-1])
        raise TableError(say("calibrate.no_mat", seen=seen, least=LEAST_MARKERS))
    height, width = frames[-1].shape[:2]
    homography = found.table_homography()
    view = measure(homography, (width, height))
    wrong = fault(view)
    findings = (
        _mat(found),
        Finding("view", wrong is None, wrong or sentence(view)),
        *judge_photo(measure_photo(frames, found)),
    )
    return Calibration(found, homography, view, findings)


def _mat(found: FoundMat) -> Finding:
    good = found.residual_mm <= MOST_RESIDUAL_MM
    said = say(
        "calibrate.markers" if good else "calibrate.markers_off",
        found=len(found.markers),
        markers=len(found.mat.markers),
        paper=found.mat.paper,
        off=found.residual_mm,
        most=MOST_RESIDUAL_MM,
    )
    return Finding("mat", good, said)
