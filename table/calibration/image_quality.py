"""Quality of the camera's pictures: on the printed mat, whose white and black areas are known, and without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.check_findings import Finding
from table.calibration.homography.mat_design import sample_points
from table.calibration.homography.mat_finder import FoundMat, find_mat
from table.observed_facts import Frame, Image
from table.phrase import Phrase, make_phrase
from table.table_geometry import Points, transform_points

MAX_LOST_SHARE: Final = 0.02
"""The largest acceptable share of lost pictures; one in two seconds at 30 a second makes landings less exact."""
GAP_FACTOR: Final = 1.6
"""Two pictures farther apart than this many times the median interval have lost one between them."""
MIN_BRIGHTNESS: Final = 60.0
"""If the brightest part of a picture is darker than this, print is not visible."""
MAX_EDGE_MM: Final = 3.0
"""The largest acceptable width of a printed edge in the picture.

With 3.3 mm the detector still names 12 of 12 drawn cards, with 4.1 mm 11, with 4.9 mm 6 (Gaussian blur, cards of 100
px); blur of 3.6 mm measures as 3.0 between the modules of the mat.
"""
CLIPPED: Final = 250
"""From this level of any colour on, brightness cannot be distinguished any more."""
MAX_CLIPPED_SHARE: Final = 0.25
"""A larger share of the picture, or of the mat's paper, at the end of the scale is too much light; ..."""
MAX_GLARE_SHARE: Final = 0.004
"""... a smaller one, beyond this, is a lamp's reflection. (0.4 % of A4 is 2.5 cm2.)"""
MIN_PAPER_LEVEL: Final = 110.0
"""The least level of paper; darker paper leaves too few grey levels for the print."""
MIN_CONTRAST: Final = 70.0
MAX_UNEVENNESS: Final = 2.5
"""The largest acceptable ratio of the paper's brightest part to its darkest."""
MAX_FLICKER: Final = 0.02
"""The largest acceptable change of a row's brightness from picture to picture (standard deviation, as a share)."""
FLICKER_FRAMES: Final = 6
"""The least number of pictures in which flicker can be measured."""
_BANDS: Final = 12
"""The number of bands in which flicker is measured: a rolling shutter turns it into stripes ..."""
_CELLS: Final = (80, 48)
"""... and of cells, across and down, of which the bands of a picture consist."""
MAX_GREY_SPREAD: Final = 6
"""The largest difference between a grey pixel's colours; noise and JPEG alone make 2 to 4 in a blurred one."""
MIN_COLOURED_SHARE: Final = 0.001


def check_image_quality(frames: Sequence[Frame], printed: float = 1.0) -> Iterator[Finding]:
    """Yield the findings about pictures in a row, at least two; ``printed``: the scale of the mat's print."""
    yield check_dropped_frames([frame.t_ns for frame in frames])
    images = [frame.image for frame in frames]
    mat = find_mat(images[-1], printed, mirrors=False)
    if mat is not None:
        yield from check_mat_quality(images, mat)
        return
    yield _check_light(images[-1])
    yield _judge_flicker(images, make_phrase("photo.flicker_not_looked_for", pictures=FLICKER_FRAMES))
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


def _judge_flicker(images: Sequence[Image], unmeasured: Phrase) -> Finding:
    """Return the finding about the light's flicker; ``unmeasured``: the message for too few pictures."""
    if len(images) < FLICKER_FRAMES:
        return Finding("flicker", True, unmeasured)
    share = measure_flicker(images)
    good = share <= MAX_FLICKER
    code = "photo.steady" if good else "photo.flickers"
    return Finding("flicker", good, make_phrase(code, share=share, most=MAX_FLICKER))


def measure_flicker(images: Sequence[Image]) -> float:
    """Return the largest change of a band's median cell from picture to picture: standard deviation, as a share."""
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


# --- on the mat ---------------------------------------------------------------------------------------------------


def check_mat_quality(frames: Sequence[Image], mat: FoundMat) -> Iterator[Finding]:
    """Check ``frames`` (at least one) of a camera that stands still; ``mat`` is as detected in the last."""
    last = frames[-1]
    white_px, black_px = (transform_points(mat.homography, points) for points in sample_points(mat.sheet))
    white_px = white_px[_uncovered(last, white_px)]
    # A lamp's colour is no fault: the brightest of the three is what clips.
    white = _levels(last, white_px).max(axis=1)
    black = float(np.median(_levels(last, black_px).max(axis=1)))
    edge_mm = _measure_edge_mm(last, mat)
    sharp = edge_mm <= MAX_EDGE_MM
    code = "photo.sharp" if sharp else "photo.unsharp"
    yield Finding("sharpness", sharp, make_phrase(code, edge=edge_mm, most=MAX_EDGE_MM))
    yield _check_exposure(white, black)
    yield _check_glare(white_px[white >= CLIPPED], len(white), mat)
    unmeasured = make_phrase("photo.flicker_of_a_film", pictures=FLICKER_FRAMES)
    yield _judge_flicker(frames, unmeasured)
    smoothed = cv2.blur(last, (5, 5)).astype(np.int16)
    share = float((smoothed.max(axis=2) - smoothed.min(axis=2) > MAX_GREY_SPREAD).mean())
    coloured = share >= MIN_COLOURED_SHARE
    code = "photo.coloured" if coloured else "photo.colourless"
    yield Finding("colour", coloured, make_phrase(code, share=share))


def _check_exposure(paper: NDArray[np.float64], ink: float) -> Finding:
    """Return the finding about the levels of points on the paper, and the median level of the ink."""
    levels = {"white": float(np.median(paper)), "black": ink}
    clipped = float((paper >= CLIPPED).mean())
    low, high = np.percentile(paper, [3, 97])
    unevenness = float(high / max(1.0, low))
    wrong = None
    if clipped > MAX_CLIPPED_SHARE:
        wrong = make_phrase("photo.overexposed", share=clipped)
    elif levels["white"] < MIN_PAPER_LEVEL:
        wrong = make_phrase("photo.dark", **levels, least=MIN_PAPER_LEVEL)
    elif levels["white"] - ink < MIN_CONTRAST:
        wrong = make_phrase("photo.low_contrast", **levels, least=MIN_CONTRAST)
    elif unevenness > MAX_UNEVENNESS:
        wrong = make_phrase("photo.uneven", times=unevenness, most=MAX_UNEVENNESS)
    return Finding("exposure", wrong is None, wrong or make_phrase("photo.levels", **levels))


def _check_glare(clipped_px: Points, point_count: int, mat: FoundMat) -> Finding:
    """Return the finding about a lamp's reflection, and where it lies as seen from the mark."""
    share = len(clipped_px) / point_count
    if not MAX_GLARE_SHARE < share <= MAX_CLIPPED_SHARE:
        return Finding("glare", True, make_phrase("photo.no_glare"))
    to_table = np.linalg.inv(np.array(mat.table_homography()))
    x, y = map(float, transform_points(to_table, np.median(clipped_px, axis=0)[None])[0])
    across = make_phrase("photo.right" if x >= 0 else "photo.left", mm=abs(x))
    down = make_phrase("photo.below" if y >= 0 else "photo.above", mm=abs(y))
    return Finding("glare", False, make_phrase("photo.glare", across=across, down=down, share=share))


def _levels(image: Image, points: Points) -> NDArray[np.float64]:
    """Return the mean colour of the 3 x 3 pixels at each point, N x 3; points outside take the border's."""
    mean = cv2.blur(image, (3, 3))
    height, width = image.shape[:2]
    columns = np.clip(np.rint(points[:, 0]).astype(int), 0, width - 1)
    rows = np.clip(np.rint(points[:, 1]).astype(int), 0, height - 1)
    return np.asarray(mean[rows, columns], dtype=np.float64)


def _uncovered(image: Image, points: Points) -> NDArray[np.bool_]:
    """Return which of these points on the paper are in the picture and show paper, not a darker object on it."""
    height, width = image.shape[:2]
    inside = ((points >= 0) & (points <= (width - 1, height - 1))).all(axis=1)
    levels = _levels(image, points).max(axis=1)
    # Paper under a lamp that stands aside is darker at one end, but by less than an object that lies on it.
    return np.asarray(inside & (levels > 0.3 * np.median(levels[inside])))


def _measure_edge_mm(image: Image, mat: FoundMat) -> float:
    """Return the median width of the markers' outer edges, from 10 to 90 % of the step, in mm on the table.

    Each side's profile is the mean of those at many points along it: finer than the pixels, and without their noise.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    half_width = min(3.5, mat.markers[0].side / 6)
    across = np.linspace(-half_width, half_width, 81)
    widths = []
    for marker in mat.markers:
        corners = marker.corners
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = start + (end - start) * np.linspace(0.2, 0.8, 25)[:, None]
            outwards = (start + end) / 2 - (marker.x, marker.y)
            outwards /= np.hypot(*outwards)
            points = (along[:, None, :] + across[None, :, None] * outwards).reshape(-1, 2)
            pixels = transform_points(mat.homography, points).astype(np.float32).reshape(25, 81, 2)
            samples = cv2.remap(grey, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
            profile = samples.astype(np.float64).mean(axis=0)
            low, high = profile[:8].mean(), profile[-8:].mean()
            if high - low < 20:
                continue
            step_share = (profile - low) / (high - low)
            dark = np.flatnonzero(step_share < 0.1)
            bright = np.flatnonzero(step_share > 0.9)
            bright = bright[bright > (dark[-1] if len(dark) else 0)]
            found = len(dark) and len(bright)
            widths.append(across[bright[0]] - across[dark[-1]] if found else 2 * half_width)
    return float(np.median(widths)) if widths else 2 * half_width
