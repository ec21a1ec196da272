"""How good the camera's pictures are, measured on the printed mat: what is white and black there is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Image
from table.phrase import Phrase, say
from table.setup.findings import Finding
from table.setup.findmat import FoundMat
from table.setup.mat import samples
from table.sight.geometry import Points, transform

MOST_EDGE_MM: Final = 3.0
"""Width of a printed edge in the picture. With 3.3 mm the reader still names 12 of 12 drawn cards, with 4.1 mm 11, with
4.9 mm 6 (Gaussian blur, cards of 100 px); blur of 3.6 mm measures as 3.0 between the modules of the mat."""
CLIPPED: Final = 250
"""From this level of any colour on nothing is told apart any more."""
MOST_CLIPPED: Final = 0.25
"""A larger share of the paper at the end of the scale is too much light; ..."""
MOST_GLARE: Final = 0.004
"""... a smaller one, beyond this, is a lamp's reflection. (0.4 % of A4 is 2.5 cm2.)"""
LEAST_WHITE: Final = 110.0
"""Paper darker than this leaves the print's grey levels too few."""
LEAST_CONTRAST: Final = 70.0
MOST_UNEVEN: Final = 2.5
"""The brightest part of the paper to its darkest."""
MOST_FLICKER: Final = 0.02
"""A row's brightness may change from picture to picture by this share (standard deviation)."""
FLICKER_FRAMES: Final = 6
"""In fewer pictures nothing can be said about flicker."""
_ROWS: Final = 12
"""A rolling shutter shows flicker in bands: the paper is looked at in so many."""
GREY_SPREAD: Final = 6
"""Levels between a pixel's colours up to which it counts as grey; noise and JPEG alone make 2 to 4 of a blurred one."""
LEAST_COLOURED: Final = 0.001


@dataclass(frozen=True, slots=True)
class Photo:
    """What was measured."""

    edge_mm: float
    """10 to 90 % of a printed edge."""
    white: float
    """Median level of the paper's brightest colour, 0..255."""
    black: float
    """Median level of the ink."""
    clipped: float
    """Share of the paper at the end of the scale, 0..1."""
    glare_mm: tuple[float, float] | None
    """Where on the mat most of that lies, if it is not all over; x right and y down as in the picture."""
    uneven: float
    """Brightest to darkest part of the paper."""
    flicker: float | None
    """Standard deviation of a band's brightness from picture to picture, as a share; None for too few pictures."""
    coloured: float
    """Share of the picture that is not grey."""


def measure_photo(frames: Sequence[Image], found: FoundMat) -> Photo:
    """Measure ``frames`` (at least one) of a camera that stands still; the mat is ``found`` in the last."""
    last = frames[-1]
    white_mm, black_mm = samples(found.mat)
    white_px, black_px = (transform(found.homography, places) for places in (white_mm, black_mm))
    free = _uncovered(last, found, white_px)
    white_px = white_px[free]
    # A lamp's colour is no fault: the brightest of the three is what clips.
    white = _levels(last, white_px).max(axis=1)
    black = _levels(last, black_px).max(axis=1)
    clipped = white >= CLIPPED
    share = float(clipped.mean())
    glare = None
    if MOST_GLARE < share <= MOST_CLIPPED:
        to_table = np.linalg.inv(np.array(found.table_homography()))
        place = transform(to_table, np.median(white_px[clipped], axis=0)[None])[0]
        glare = (float(place[0]), float(place[1]))
    low, high = np.percentile(white, [3, 97])
    return Photo(
        edge_mm=_edge_mm(last, found),
        white=float(np.median(white)),
        black=float(np.median(black)),
        clipped=share,
        glare_mm=glare,
        uneven=float(high / max(1.0, low)),
        flicker=_flicker(frames, white_px),
        coloured=_coloured(last),
    )


def judge_photo(photo: Photo) -> list[Finding]:
    """What there is to say, each with what to do about it where it is bad."""
    return [_sharpness(photo), *_light(photo), _steadiness(photo), _colour(photo)]


def _sharpness(photo: Photo) -> Finding:
    good = photo.edge_mm <= MOST_EDGE_MM
    code = "photo.sharp" if good else "photo.unsharp"
    return Finding("sharpness", good, say(code, edge=photo.edge_mm, most=MOST_EDGE_MM))


def _light(photo: Photo) -> list[Finding]:
    levels = {"white": photo.white, "black": photo.black}
    wrong = None
    if photo.clipped > MOST_CLIPPED:
        wrong = say("photo.overexposed", share=photo.clipped)
    elif photo.white < LEAST_WHITE:
        wrong = say("photo.dark", **levels, least=LEAST_WHITE)
    elif photo.white - photo.black < LEAST_CONTRAST:
        wrong = say("photo.low_contrast", **levels, least=LEAST_CONTRAST)
    elif photo.uneven > MOST_UNEVEN:
        wrong = say("photo.uneven", times=photo.uneven, most=MOST_UNEVEN)
    exposure = Finding("exposure", wrong is None, wrong or say("photo.levels", **levels))
    if photo.glare_mm is None:
        return [exposure, Finding("glare", True, say("photo.no_glare"))]
    x, y = photo.glare_mm
    across = say("photo.right" if x >= 0 else "photo.left", mm=abs(x))
    down = say("photo.below" if y >= 0 else "photo.above", mm=abs(y))
    glare = say("photo.glare", across=across, down=down, share=photo.clipped)
    return [exposure, Finding("glare", False, glare)]


def _steadiness(photo: Photo) -> Finding:
    return steadiness(photo.flicker, say("photo.flicker_of_a_film", pictures=FLICKER_FRAMES))


def steadiness(share: float | None, not_looked_for: Phrase) -> Finding:
    """What there is to say of the light's flicker; ``share`` is None where it was not looked for."""
    if share is None:
        return Finding("flicker", True, not_looked_for)
    good = share <= MOST_FLICKER
    code = "photo.steady" if good else "photo.flickers"
    return Finding("flicker", good, say(code, share=share, most=MOST_FLICKER))


def _colour(photo: Photo) -> Finding:
    good = photo.coloured >= LEAST_COLOURED
    code = "photo.coloured" if good else "photo.colourless"
    return Finding("colour", good, say(code, share=photo.coloured))


# --- measuring --------------------------------------------------------------------------------------------


def _levels(image: Image, places: Points) -> NDArray[np.float64]:
    """The mean colour of the 3 x 3 pixels at each of the places, N x 3; places outside take the border's."""
    mean = cv2.blur(image, (3, 3))
    height, width = image.shape[:2]
    columns = np.clip(np.rint(places[:, 0]).astype(int), 0, width - 1)
    rows = np.clip(np.rint(places[:, 1]).astype(int), 0, height - 1)
    return np.asarray(mean[rows, columns], dtype=np.float64)


def _uncovered(image: Image, found: FoundMat, places: Points) -> NDArray[np.bool_]:
    """Which of these places on the paper are in the picture and show paper: nothing darker lies there."""
    height, width = image.shape[:2]
    inside = ((places >= 0) & (places <= (width - 1, height - 1))).all(axis=1)
    levels = _levels(image, places).max(axis=1)
    # Paper under a lamp that stands aside is darker at one end, but by less than a thing that lies on it.
    return np.asarray(inside & (levels > 0.3 * np.median(levels[inside])))


def _edge_mm(image: Image, found: FoundMat) -> float:
    """Width of the markers' outer edges, from 10 to 90 % of the step, in millimetres on the table; the median side's.

    Each side's profile is the mean of those at many places along it: finer than the pixels, and without their noise.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    reach = min(3.5, found.markers[0].side / 6)
    across = np.linspace(-reach, reach, 81)
    widths = []
    for marker in found.markers:
        corners = marker.corners
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = start + (end - start) * np.linspace(0.2, 0.8, 25)[:, None]
            outwards = (start + end) / 2 - (marker.x, marker.y)
            outwards /= np.hypot(*outwards)
            places = (along[:, None, :] + across[None, :, None] * outwards).reshape(-1, 2)
            pixels = transform(found.homography, places).astype(np.float32).reshape(25, 81, 2)
            profile = (
                cv2.remap(grey, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
                .astype(np.float64)
                .mean(axis=0)
            )
            low, high = profile[:8].mean(), profile[-8:].mean()
            if high - low < 20:
                continue
            share = (profile - low) / (high - low)
            begin = np.flatnonzero(share < 0.1)
            finish = np.flatnonzero(share > 0.9)
            finish = finish[finish > (begin[-1] if len(begin) else 0)]
            widths.append(across[finish[0]] - across[begin[-1]] if len(begin) and len(finish) else 2 * reach)
    return float(np.median(widths)) if widths else 2 * reach


def _flicker(frames: Sequence[Image], places: Points) -> float | None:
    if len(frames) < FLICKER_FRAMES:
        return None
    rows = places[:, 1]
    bands = np.clip((rows - rows.min()) / max(1e-9, np.ptp(rows)) * _ROWS, 0, _ROWS - 1).astype(int)
    counts = np.maximum(1, np.bincount(bands, minlength=_ROWS))
    brightness = np.array(
        [np.bincount(bands, _levels(frame, places).mean(axis=1), _ROWS) / counts for frame in frames]
    )
    used = brightness.mean(axis=0) > 1
    return float((brightness.std(axis=0)[used] / brightness.mean(axis=0)[used]).max())


def _coloured(image: Image) -> float:
    soft = cv2.blur(image, (5, 5)).astype(np.int16)
    return float((soft.max(axis=2) - soft.min(axis=2) > GREY_SPREAD).mean())
