"""Quality of the camera's pictures, measured on the printed mat, whose white and black areas are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.check_findings import Finding
from table.calibration.homography.mat_design import sample_points
from table.calibration.homography.mat_finder import FoundMat
from table.observed_facts import Image
from table.phrase import Phrase, make_phrase
from table.table_geometry import Points, transform_points

MAX_EDGE_MM: Final = 3.0
"""The largest acceptable width of a printed edge in the picture.

With 3.3 mm the detector still names 12 of 12 drawn cards, with 4.1 mm 11, with 4.9 mm 6 (Gaussian blur, cards of 100
px); blur of 3.6 mm measures as 3.0 between the modules of the mat.
"""
CLIPPED: Final = 250
"""From this level of any colour on, brightness cannot be distinguished any more."""
MAX_CLIPPED_SHARE: Final = 0.25
"""A larger share of the paper at the end of the scale is too much light; ..."""
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
"""The number of bands of the paper: a rolling shutter shows flicker in bands."""
MAX_GREY_SPREAD: Final = 6
"""The largest difference between a grey pixel's colours; noise and JPEG alone make 2 to 4 in a blurred one."""
MIN_COLOURED_SHARE: Final = 0.001


@dataclass(frozen=True, slots=True)
class MatImageQuality:
    """Measurements of a picture of the mat."""

    edge_mm: float
    """The width of a printed edge, from 10 to 90 %."""
    white: float
    """The median level of the paper's brightest colour, 0..255."""
    black: float
    """The median level of the ink."""
    clipped: float
    """The share of the paper at the end of the scale, 0..1."""
    glare_mm: tuple[float, float] | None
    """The centre of the clipped area on the mat, unless it is everywhere; x right and y down as in the picture."""
    uneven: float
    """The ratio of the brightest to the darkest part of the paper."""
    flicker: float | None
    """The standard deviation of a band's brightness between pictures, as a share; None for too few pictures."""
    coloured: float
    """The share of the picture that is not grey."""


def measure_mat_quality(frames: Sequence[Image], mat: FoundMat) -> MatImageQuality:
    """Measure ``frames`` (at least one) of a camera that stands still; ``mat`` is as detected in the last."""
    last = frames[-1]
    white_mm, black_mm = sample_points(mat.sheet)
    white_px, black_px = (transform_points(mat.homography, points) for points in (white_mm, black_mm))
    uncovered = _uncovered(last, mat, white_px)
    white_px = white_px[uncovered]
    # A lamp's colour is no fault: the brightest of the three is what clips.
    white = _levels(last, white_px).max(axis=1)
    black = _levels(last, black_px).max(axis=1)
    clipped = white >= CLIPPED
    share = float(clipped.mean())
    glare = None
    if MAX_GLARE_SHARE < share <= MAX_CLIPPED_SHARE:
        to_table = np.linalg.inv(np.array(mat.table_homography()))
        glare_point = transform_points(to_table, np.median(white_px[clipped], axis=0)[None])[0]
        glare = (float(glare_point[0]), float(glare_point[1]))
    low, high = np.percentile(white, [3, 97])
    return MatImageQuality(
        edge_mm=_measure_edge_mm(last, mat),
        white=float(np.median(white)),
        black=float(np.median(black)),
        clipped=share,
        glare_mm=glare,
        uneven=float(high / max(1.0, low)),
        flicker=_measure_flicker(frames, white_px),
        coloured=_coloured_share(last),
    )


def check_mat_quality(photo: MatImageQuality) -> list[Finding]:
    """Return the findings about a measured picture; each fault says what to do about it."""
    return [_check_sharpness(photo), *_check_light(photo), _check_flicker(photo), _check_colour(photo)]


def _check_sharpness(photo: MatImageQuality) -> Finding:
    good = photo.edge_mm <= MAX_EDGE_MM
    code = "photo.sharp" if good else "photo.unsharp"
    return Finding("sharpness", good, make_phrase(code, edge=photo.edge_mm, most=MAX_EDGE_MM))


def _check_light(photo: MatImageQuality) -> list[Finding]:
    levels = {"white": photo.white, "black": photo.black}
    wrong = None
    if photo.clipped > MAX_CLIPPED_SHARE:
        wrong = make_phrase("photo.overexposed", share=photo.clipped)
    elif photo.white < MIN_PAPER_LEVEL:
        wrong = make_phrase("photo.dark", **levels, least=MIN_PAPER_LEVEL)
    elif photo.white - photo.black < MIN_CONTRAST:
        wrong = make_phrase("photo.low_contrast", **levels, least=MIN_CONTRAST)
    elif photo.uneven > MAX_UNEVENNESS:
        wrong = make_phrase("photo.uneven", times=photo.uneven, most=MAX_UNEVENNESS)
    exposure = Finding("exposure", wrong is None, wrong or make_phrase("photo.levels", **levels))
    if photo.glare_mm is None:
        return [exposure, Finding("glare", True, make_phrase("photo.no_glare"))]
    x, y = photo.glare_mm
    across = make_phrase("photo.right" if x >= 0 else "photo.left", mm=abs(x))
    down = make_phrase("photo.below" if y >= 0 else "photo.above", mm=abs(y))
    glare = make_phrase("photo.glare", across=across, down=down, share=photo.clipped)
    return [exposure, Finding("glare", False, glare)]


def _check_flicker(photo: MatImageQuality) -> Finding:
    return judge_flicker(photo.flicker, make_phrase("photo.flicker_of_a_film", pictures=FLICKER_FRAMES))


def judge_flicker(share: float | None, not_looked_for: Phrase) -> Finding:
    """Return the finding about the light's flicker; ``share`` is None where it was not measured."""
    if share is None:
        return Finding("flicker", True, not_looked_for)
    good = share <= MAX_FLICKER
    code = "photo.steady" if good else "photo.flickers"
    return Finding("flicker", good, make_phrase(code, share=share, most=MAX_FLICKER))


def _check_colour(photo: MatImageQuality) -> Finding:
    good = photo.coloured >= MIN_COLOURED_SHARE
    code = "photo.coloured" if good else "photo.colourless"
    return Finding("colour", good, make_phrase(code, share=photo.coloured))


# --- measuring --------------------------------------------------------------------------------------------


def _levels(image: Image, points: Points) -> NDArray[np.float64]:
    """Return the mean colour of the 3 x 3 pixels at each point, N x 3; points outside take the border's."""
    mean = cv2.blur(image, (3, 3))
    height, width = image.shape[:2]
    columns = np.clip(np.rint(points[:, 0]).astype(int), 0, width - 1)
    rows = np.clip(np.rint(points[:, 1]).astype(int), 0, height - 1)
    return np.asarray(mean[rows, columns], dtype=np.float64)


def _uncovered(image: Image, mat: FoundMat, points: Points) -> NDArray[np.bool_]:
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
            profile = (
                cv2.remap(grey, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
                .astype(np.float64)
                .mean(axis=0)
            )
            low, high = profile[:8].mean(), profile[-8:].mean()
            if high - low < 20:
                continue
            step_share = (profile - low) / (high - low)
            dark = np.flatnonzero(step_share < 0.1)
            bright = np.flatnonzero(step_share > 0.9)
            bright = bright[bright > (dark[-1] if len(dark) else 0)]
            widths.append(
                across[bright[0]] - across[dark[-1]] if len(dark) and len(bright) else 2 * half_width
            )
    return float(np.median(widths)) if widths else 2 * half_width


def _measure_flicker(frames: Sequence[Image], places: Points) -> float | None:
    """Return the largest relative change of a band's brightness between frames; None for too few frames."""
    if len(frames) < FLICKER_FRAMES:
        return None
    rows = places[:, 1]
    bands = np.clip((rows - rows.min()) / max(1e-9, np.ptp(rows)) * _BANDS, 0, _BANDS - 1).astype(int)
    counts = np.maximum(1, np.bincount(bands, minlength=_BANDS))
    brightness = np.array(
        [np.bincount(bands, _levels(frame, places).mean(axis=1), _BANDS) / counts for frame in frames]
    )
    used = brightness.mean(axis=0) > 1
    return float((brightness.std(axis=0)[used] / brightness.mean(axis=0)[used]).max())


def _coloured_share(image: Image) -> float:
    """Return the share of pixels that are not grey."""
    smoothed = cv2.blur(image, (5, 5)).astype(np.int16)
    return float((smoothed.max(axis=2) - smoothed.min(axis=2) > MAX_GREY_SPREAD).mean())
