"""Start-up of a view: keeps an arm in the first frame from becoming part of the background.

Later frames are compared with the first one. When the table starts in the middle of a trick, the first frame may show
a hand that lays cards, takes them or rests over them. The hand would stay in the background as a ghost: hiding cards,
and looking like an arm that comes as it leaves. So the background restarts with the first frame at rest if a hand
moved in the first one, and with the first frame that shows that an arm in the background has left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.observed_facts import MS
from table.tracking.imaging.motion_detection import STATIC_MS, Mask, Planar
from table.tracking.scene.arm_detection import Arm
from table.tracking.scene.scene_state import NUMBERS as SCENE
from table.tracking.scene.scene_state import SceneState


@dataclass(frozen=True, slots=True)
class StartupParameters:
    """Parameters of the start-up phase."""

    plain: float = 0.35
    """Where an arm has gone, the contrast of its place to the surroundings falls below this share of the former one (of
    simulated arms .05 to .17; with an arm still near .58)."""
    bins: int = 16
    """Bins of a colour histogram."""


NUMBERS: Final = StartupParameters()
_ABOUT: Final = np.ones((15, 15), np.uint8)


class StartupPhase:
    """Watches a view until its background is known to contain no arm."""

    def __init__(self, scene: SceneState) -> None:
        self._scene = scene
        self._since_ns = scene.now_ns
        self._hand_moved = False
        """Whether a hand moved in the first frames, and has done since."""
        self._crossed = False
        """Whether something that reaches in from the border was in front of the background, or missing from it."""
        self._is_clean = False
        """Whether the background contains no arm: one crossed it and left it as it was, or its own was removed."""

    def check_frame(self) -> bool:
        """Check the view's latest frame; return whether the background has been restarted with it."""
        scene = self._scene
        if self._is_clean:
            return False
        arms = [arm for arm in scene.find_arms() if arm.entry_angles]
        if cv2.countNonZero(scene.motion.moving_mask()) >= SCENE.hand_px:
            self._crossed |= bool(arms)
            self._hand_moved |= scene.now_ns - self._since_ns <= STATIC_MS * MS
            return False
        gone = bool(arms) and all(self._has_gone(arm) for arm in arms)
        anew = gone or self._hand_moved
        self._is_clean = gone or (self._crossed and not (arms or self._hand_moved))
        if anew:
            scene.restart_background()
            self._crossed = self._hand_moved = False
        return anew

    def _has_gone(self, arm: Arm) -> bool:
        """Return whether the difference between frame and background is an arm in the background.

        So it is if it is static, and its colours stand out there and not here.
        """
        scene = self._scene
        moving = cv2.bitwise_and(scene.motion.moving_mask(), arm.mask)
        if cv2.countNonZero(moving) >= SCENE.moving_px:
            return False
        before, now = (
            _contrast(picture, arm.mask, scene.mark_square)
            for picture in (scene.background.empty_table.image, scene.now.small)
        )
        return now < NUMBERS.plain * before


def _contrast(picture: Planar, mask: Mask, square: Mask) -> float:
    """Return the contrast between the colours within ``mask`` and those around it, 0..1.

    Args:
        picture: a small image.
        mask: some of its pixels.
        square: the pixels of the mark; they do not count, since cards may lie there.
    """
    outside = ~square
    within = mask & outside
    about = np.asarray(cv2.dilate(mask, _ABOUT), np.uint8) & ~mask & outside
    colours = np.split(picture, 3)
    return sum(_distance(colour, within, about) for colour in colours) / len(colours)


def _distance(colour: Planar, mask: Mask, other: Mask) -> float:
    """Return the Bhattacharyya distance of a colour's histograms in two masks, 0..1."""
    bins = NUMBERS.bins
    these, those = (cv2.calcHist([colour], [0], place, [bins], [0, 256]) for place in (mask, other))
    return float(cv2.compareHist(these, those, cv2.HISTCMP_BHATTACHARYYA))
