"""Colour of paper in the present light, measured on the lying cards, and where else paper is visible: in a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import Image
from table.tracking.imaging.motion_detection import Mask, Planar
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS, planar_to_colour
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard

Colour = NDArray[np.float64]
"""Blue, green and red, levels."""
Bools = NDArray[np.bool_]
"""A boolean mask."""


@dataclass(frozen=True, slots=True)
class PaperParameters:
    """Parameters of the paper colour; chosen on the scene bench's tuning set."""

    shown_px: int = 30
    """Minimum visible pixels of cards to measure the colour of paper."""
    light: tuple[float, float] = (0.6, 1.35)
    """Range of the lightness of paper, relative to that of the lying cards (a shadow, a lamp) ..."""
    tint: float = 0.05
    """... and maximum difference of its colour: the sum over the shares of blue, green and red."""
    nothing: float = 0.03
    """Hands over the mark hold no card if they show less of one (of 79 in which one was read 76 showed more)."""


NUMBERS: Final = PaperParameters()


def measure_paper_colour(scene: SceneState, cards: Sequence[TrackedCard]) -> Colour | None:
    """Return the colour of paper, measured on the visible parts of ``cards``; None if too little is visible.

    It is the mean of their lighter half, without glare. Face-up cards only: the colour of backs is unknown.
    """
    place = np.zeros_like(scene.mark_square)
    for card in cards:
        if card.readings:
            inner = cv2.erode(scene.geometry.small_polygon_mask(card.quad), np.ones((5, 5), np.uint8))
            place |= np.asarray(inner, np.uint8)
    for arm in scene.find_arms():
        place &= ~arm.mask
    shown = planar_to_colour(scene.now.small)[place > 0].astype(np.float64)
    if len(shown) < NUMBERS.shown_px:
        return None
    light = np.argsort(shown.sum(axis=1))
    colour = np.asarray(shown[light[len(light) // 2 : len(light) * 19 // 20]].mean(axis=0))
    return colour if colour.any() else None  # (a black table shows where a card was thought to lie)


def paper_mask(small: Planar, paper: Colour) -> Mask:
    """Return the mask of a small image where it has the colour of paper."""
    colours = small.reshape(3, small.shape[0] // 3, small.shape[1]).astype(np.float32)
    light = colours[0] + colours[1] + colours[2]
    dark, bright = (share * paper.sum() for share in NUMBERS.light)
    own = (paper / paper.sum()).astype(np.float32)
    # (Shares of the light, against the paper's, without dividing by it.)
    off = sum(np.abs(colour - share * light) for colour, share in zip(colours, own, strict=True))
    alike = (off < NUMBERS.tint * light) & (light > dark) & (light < bright)
    return np.asarray(alike.view(np.uint8) * np.uint8(255), dtype=np.uint8)


def non_paper_mask(scene: SceneState, picture: Image) -> Bools:
    """Return the mask of the mark image ``picture`` that plainly differs in colour from paper.

    It is empty if too little of the cards is visible to measure that.
    """
    paper = measure_paper_colour(scene, scene.tracks.all)
    if paper is None:
        return np.zeros(picture.shape[:2], np.bool_)
    return np.asarray((np.abs(picture.astype(np.float64) - paper) >= 2 * DIFFERENT_LEVELS).any(axis=2))


def holds_no_card(scene: SceneState) -> bool:
    """Return whether what is over the mark holds no card; False if the colour of paper is unknown."""
    cards = scene.tracks.all
    paper = measure_paper_colour(scene, cards)
    if paper is None:
        return False
    other = cv2.bitwise_and(paper_mask(scene.now.small, paper), scene.unexplained_mask(cards))
    whole = cv2.countNonZero(scene.geometry.small_polygon_mask(cards[-1].quad))
    return cv2.countNonZero(other) < NUMBERS.nothing * whole
