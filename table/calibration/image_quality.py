"""Quality of the camera's pictures, whatever they show; with the printed mat in them more can be checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.check_findings import Finding
from table.calibration.homography.mat_finder import find_mat
from table.calibration.homography.mat_image_quality import (
    CLIPPED,
    FLICKER_FRAMES,
    check_mat_quality,
    judge_flicker,
    measure_mat_quality,
)
from table.observed_facts import Frame, Image
from table.phrase import make_phrase

MAX_LOST_SHARE: Final = 0.02
"""The largest acceptable share of lost pictures; one in two seconds at 30 a second makes landings less exact."""
GAP_FACTOR: Final = 1.6
"""Two pictures farther apart than this many times the median interval have lost one between them."""
MIN_BRIGHTNESS: Final = 60.0
"""If the brightest part of a picture is darker than this, print is not visible."""
MAX_CLIPPED_SHARE: Final = 0.25
"""The largest acceptable share of a picture at the end of the scale."""
_CELLS: Final = (80, 48)
"""The number of cells, across and down, on which flicker is measured, each the mean of many pixels ..."""
_BANDS: Final = 12
"""... and of the bands they form: a rolling shutter turns flicker into stripes."""


def check_image_quality(frames: Sequence[Frame], printed: float = 1.0) -> Iterator[Finding]:
    """Check pictures in a row and yield the findings; each fault says what to do about it.

    ``frames``: at least two. ``printed``: the scale of the mat's print, 1 being right.
    """
    yield check_dropped_frames([frame.t_ns for frame in frames])
    images = [frame.image for frame in frames]
    mat = find_mat(images[-1], printed, mirrors=False)
    if mat is not None:
        yield from check_mat_quality(measure_mat_quality(images, mat))
        return
    yield _check_light(images[-1])
    yield _check_flicker(images)
    yield Finding("sharpness", True, make_phrase("photo.not_measured"))


def check_dropped_frames(stamps: Sequence[int]) -> Finding:
    """Check whether pictures are lost between the camera and here; ``stamps``: at least two, in nanoseconds."""
    intervals = [after - before for before, after in pairwise(stamps)]
    median = float(np.median(intervals))
    lost = sum(round(interval / median) - 1 for interval in intervals if interval > GAP_FACTOR * median)
    total = lost + len(stamps)
    good = lost / total <= MAX_LOST_SHARE
    return Finding("drops", good, make_phrase("photo.kept" if good else "photo.lost", lost=lost, every=total))


def _check_light(image: Image) -> Finding:
    levels = image.max(axis=2)
    bright, median = (float(value) for value in np.percentile(levels, [98, 50]))
    clipped = float((levels >= CLIPPED).mean())
    if clipped > MAX_CLIPPED_SHARE:
        return Finding("light", False, make_phrase("photo.picture_overexposed", share=clipped))
    if bright < MIN_BRIGHTNESS:
        return Finding("light", False, make_phrase("photo.picture_dark", bright=bright, least=MIN_BRIGHTNESS))
    return Finding("light", True, make_phrase("photo.picture_levels", bright=bright, middle=median))


def _check_flicker(images: Sequence[Image]) -> Finding:
    flicker_share = measure_flicker(images) if len(images) >= FLICKER_FRAMES else None
    return judge_flicker(flicker_share, make_phrase("photo.flicker_not_looked_for", pictures=FLICKER_FRAMES))


def measure_flicker(images: Sequence[Image]) -> float:
    """Return the largest change of a band's brightness from picture to picture: standard deviation, as a share.

    Of each band the median cell counts, so a moving hand counts as no flicker.
    """
    cells: NDArray[np.float64] = np.array(
        [
            cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), _CELLS, interpolation=cv2.INTER_AREA)
            for image in images
        ],
        dtype=np.float64,
    )
    ratio = (cells + 1.0) / (np.median(cells, axis=0) + 1.0)
    bands = ratio.reshape(len(images), _BANDS, -1)
    return float(np.median(bands, axis=2).std(axis=0).max())
