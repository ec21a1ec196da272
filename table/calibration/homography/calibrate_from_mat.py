"""Calibration from the printed mat: the homography, and all findings about camera and light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from table.calibration.homography.check_findings import Finding
from table.calibration.homography.homography_checks import check_view, measure_view
from table.calibration.homography.mat_design import RULER_MM
from table.calibration.homography.mat_finder import MIN_MARKERS, FoundMat, count_markers, find_mat
from table.calibration.image_quality import check_mat_quality
from table.config.settings import Matrix
from table.errors import TableError
from table.observed_facts import Image
from table.phrase import make_phrase

MAX_RESIDUAL_MM: Final = 1.5
"""The largest acceptable residual.

Corners are found within 0.2 mm at 1.8 pixels a millimetre, 0.5 mm at 0.7; lens distortion, or paper that does not lie
flat, gives more.
"""


@dataclass(frozen=True, slots=True)
class MatCalibration:
    """The result of a calibration from the mat."""

    mat: FoundMat
    homography: Matrix
    """Millimetres on the table to pixels, as ``table.toml`` has it."""
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether a table can be played with this calibration, in better light if need be."""
        return all(finding.good for finding in self.findings if finding.part in ("mat", "view"))

    @property
    def keys(self) -> dict[str, Any]:
        """The values for ``table.toml``."""
        turn = round(self.mat.turn_deg, 2)
        return {"homography": self.homography, "mat": self.mat.sheet.paper, "mat_turn": turn}


def calibrate_from_mat(frames: Sequence[Image], ruler_mm: float = RULER_MM) -> MatCalibration:
    """Calibrate from pictures of a still camera, at least one, the latest last; `TableError` if they show no mat."""
    mat = find_mat(frames[-1], ruler_mm / RULER_MM)
    if mat is None:
        marker_count = count_markers(frames[-1])
        raise TableError(make_phrase("calibrate.no_mat", seen=marker_count, least=MIN_MARKERS))
    height, width = frames[-1].shape[:2]
    homography = mat.table_homography()
    view = measure_view(homography, (width, height))
    return MatCalibration(
        mat, homography, (_check_mat(mat), check_view(view), *check_mat_quality(frames, mat))
    )


def _check_mat(mat: FoundMat) -> Finding:
    good = mat.residual_mm <= MAX_RESIDUAL_MM
    message = make_phrase(
        "calibrate.markers" if good else "calibrate.markers_off",
        found=len(mat.markers),
        markers=len(mat.sheet.markers),
        paper=mat.sheet.paper,
        off=mat.residual_mm,
        most=MAX_RESIDUAL_MM,
    )
    return Finding("mat", good, message)
