"""Start-up of a view: an arm in the first picture must not become part of the background.

Later pictures are compared with the first one. When the table starts in the middle of a trick, the first picture may
show a hand that lays cards, takes them or rests over them. The hand would stay in the background as a ghost: hiding
cards, and looking like an arm that comes as it leaves. So the view begins anew with the first picture at rest where a
hand moved in the first one, and with the first picture that shows that an arm in the background has left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.facts import MS
from table.sight.arms import Arm
from table.sight.gate import STILL_MS, Mask, Planar
from table.sight.view import NUMBERS as VIEWING
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class OpeningNumbers:
    """The numbers of this module."""

    plain: float = 0.35
    """Where an arm has gone its place differs from what is around it by less than this share of what it did (of virtual
    arms .05 to .17; with an arm still near .58)."""
    bins: int = 16
    """Bins of a colour histogram."""


NUMBERS: Final = OpeningNumbers()
_ABOUT: Final = np.ones((15, 15), np.uint8)


class Opening:
    """Follows a view until its background is known to show no arm."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._since_ns = view.now_ns
        self._restless = False
        """Whether a hand moved in the first pictures, and has done since."""
        self._crossed = False
        """Whether something that reaches in from the border was in front of the background, or missing from it."""
        self._clean = False
        """Whether the background shows no arm: one crossed it and left it as it was, or its own was taken out."""

    def follow(self) -> bool:
        """Follow the view's latest picture; return whether the view has begun anew with it."""
        view = self._view
        if self._clean:
            return False
        arms = [arm for arm in view.arms() if arm.angles]
        if cv2.countNonZero(view.gate.moving()) >= VIEWING.hand_px:
            self._crossed |= bool(arms)
            self._restless |= view.now_ns - self._since_ns <= STILL_MS * MS
            return False
        gone = bool(arms) and all(self._has_gone(arm) for arm in arms)
        anew = gone or self._restless
        self._clean = gone or (self._crossed and not (arms or self._restless))
        if anew:
            view.begin_anew()
            self._crossed = self._restless = False
        return anew

    def _has_gone(self, arm: Arm) -> bool:
        """Whether the difference between picture and background is an arm in the background: it rests, and its colours
        stand out there and not here."""
        view = self._view
        moving = cv2.bitwise_and(view.gate.moving(), arm.mask)
        if cv2.countNonZero(moving) >= VIEWING.moving_px:
            return False
        before, now = (
            _apart(one, arm.mask, view.square) for one in (view.backdrop.table.picture, view.now.small)
        )
        return now < NUMBERS.plain * before


def _apart(picture: Planar, mask: Mask, square: Mask) -> float:
    """How different the colours within ``mask`` are from those around it, 0..1.

    Args:
        picture: a small picture.
        mask: some of its pixels.
        square: the pixels of the mark; they do not count, since cards may lie there.
    """
    outside = ~square
    within = mask & outside
    about = np.asarray(cv2.dilate(mask, _ABOUT), np.uint8) & ~mask & outside
    colours = np.split(picture, 3)
    return sum(_distance(colour, within, about) for colour in colours) / len(colours)


def _distance(colour: Planar, one: Mask, other: Mask) -> float:
    """The Bhattacharyya distance of a colour's histograms in two places, 0..1."""
    bins = NUMBERS.bins
    these, those = (cv2.calcHist([colour], [0], place, [bins], [0, 256]) for place in (one, other))
    return float(cv2.compareHist(these, those, cv2.HISTCMP_BHATTACHARYYA))
