"""How good the camera's pictures are, whatever it looks at: with the printed mat in them more can be said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Frame, Image
from table.findings import Finding
from table.setup.findmat import find_mat
from table.setup.photo import CLIPPED, FLICKER_FRAMES, MOST_FLICKER, judge_photo, measure_photo

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
    yield Finding(
        "sharpness",
        True,
        "not measured: lay the mat on the table for that (cardtable calibrate --mat FILE.pdf)",
    )


def drops(stamps: Sequence[int]) -> Finding:
    """Whether pictures are lost between the camera and here; ``stamps``: at least two, in nanoseconds."""
    steps = [after - before for before, after in pairwise(stamps)]
    usual = float(np.median(steps))
    lost = sum(round(step / usual) - 1 for step in steps if step > GAP * usual)
    share = lost / (lost + len(stamps))
    if share > MOST_LOST:
        text = (
            f"{lost} of {lost + len(stamps)} pictures were lost: another USB port without a hub, a shorter cable, or a "
            "smaller camera.size or camera.fps"
        )
        return Finding("drops", False, text)
    return Finding("drops", True, f"{lost} of {lost + len(stamps)} pictures were lost")


def _light(image: Image) -> Finding:
    levels = image.max(axis=2)
    bright, middle = (float(value) for value in np.percentile(levels, [98, 50]))
    clipped = float((levels >= CLIPPED).mean())
    if clipped > MOST_CLIPPED:
        return Finding(
            "light",
            False,
            f"{clipped:.0%} of the picture is over-exposed: less light, or keep the sun off the table",
        )
    if bright < LEAST_BRIGHT:
        text = f"the brightest parts have {bright:.0f} of 255 (expected {LEAST_BRIGHT:.0f}): more light above the table"
        return Finding("light", False, text)
    return Finding("light", True, f"the brightest parts have {bright:.0f} of 255, the middle {middle:.0f}")


def _flicker(images: Sequence[Image]) -> Finding:
    if len(images) < FLICKER_FRAMES:
        return Finding("flicker", True, f"not looked for (takes {FLICKER_FRAMES} pictures)")
    share = flicker(images)
    if share > MOST_FLICKER:
        text = (
            f"the light changes by {share:.1%} from picture to picture (expected {MOST_FLICKER:.0%} at most): set "
            "camera.mains_hz to that of your mains (50 or 60), or use another lamp"
        )
        return Finding("flicker", False, text)
    return Finding("flicker", True, f"{share:.1%} from picture to picture")


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
