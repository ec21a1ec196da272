"""How good the camera's pictures are, whatever it looks at: with the printed mat in them more can be said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Frame, Image
from table.phrase import say
from table.setup.findings import Finding
from table.setup.findmat import find_mat
from table.setup.photo import CLIPPED, FLICKER_FRAMES, judge_photo, measure_photo, steadiness

MOST_LOST: Final = 0.02
"""Pictures lost on the way, as a share: one in two seconds at 30 a second makes landings less exact."""
GAP: Final = 1.6
"""Two pictures farther apart than so many times the usual have lost one between them."""
LEAST_BRIGHT: Final = 60.0
"""The brightest part of a picture darker than this shows no print."""
MOST_CLIPPED: Final = 0.25
"""The share of a picture that may be as bright as can be."""
_SMALL: Final = (80, 48)
"""Flicker is measured on so few cells, each the mean of many pixels ..."""
_BANDS: Final = 12
"""... in so many bands: a rolling shutter makes stripes of it."""


def judge_pictures(frames: Sequence[Frame], printed: float = 1.0) -> Iterator[Finding]:
    """What there is to say of pictures in a row, each with what to do about it where it is bad.

    ``frames``: at least two. ``printed``: the size in which the mat came out of the printer, 1 being right.
    """
    yield drops([frame.t_ns for frame in frames])
    images = [frame.image for frame in frames]
    found = find_mat(images[-1], printed, mirrors=False)
    if found is not None:
        yield from judge_photo(measure_photo(images, found))
        return
    yield _light(images[-1])
    yield _flicker(images)
    yield Finding("sharpness", True, say("photo.not_measured"))


def drops(stamps: Sequence[int]) -> Finding:
    """Whether pictures are lost between the camera and here; ``stamps``: at least two, in nanoseconds."""
    steps = [after - before for before, after in pairwise(stamps)]
    usual = float(np.median(steps))
    lost = sum(round(step / usual) - 1 for step in steps if step > GAP * usual)
    every = lost + len(stamps)
    good = lost / every <= MOST_LOST
    return Finding("drops", good, say("photo.kept" if good else "photo.lost", lost=lost, every=every))


def _light(image: Image) -> Finding:
    levels = image.max(axis=2)
    bright, middle = (float(value) for value in np.percentile(levels, [98, 50]))
    clipped = float((levels >= CLIPPED).mean())
    if clipped > MOST_CLIPPED:
        return Finding("light", False, say("photo.picture_overexposed", share=clipped))
    if bright < LEAST_BRIGHT:
        return Finding("light", False, say("photo.picture_dark", bright=bright, least=LEAST_BRIGHT))
    return Finding("light", True, say("photo.picture_levels", bright=bright, middle=middle))


def _flicker(images: Sequence[Image]) -> Finding:
    share = flicker(images) if len(images) >= FLICKER_FRAMES else None
    return steadiness(share, say("photo.flicker_not_looked_for", pictures=FLICKER_FRAMES))


def flicker(images: Sequence[Image]) -> float:
    """The worst band's change of brightness from picture to picture: standard deviation, as a share.

    Of each band the median cell counts, so a hand that moves somewhere makes no flicker.
    """
    small: NDArray[np.float64] = np.array(
        [
            cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), _SMALL, interpolation=cv2.INTER_AREA)
            for image in images
        ],
        dtype=np.float64,
    )
    ratio = (small + 1.0) / (np.median(small, axis=0) + 1.0)
    bands = ratio.reshape(len(images), _BANDS, -1)
    return float(np.median(bands, axis=2).std(axis=0).max())
