"""Enrolling at the table: card after card is laid on the mark, and learned when it has come to rest.

Everything is a function of the frames and their stamps. A card may be laid upon the ones before or in their place: only
what has changed since the last card was learned is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import CameraConfig
from table.facts import MS, Frame, Image
from table.reader.enrollearn import Learner, Shown
from table.sight.gate import Gate, planar
from table.sight.geometry import CARD_PX, Geometry

REST_NS: Final = 400 * MS
"""A card has come to rest when nothing has moved over the mark for so long."""
STAY_NS: Final = 4_000 * MS
"""A card that reads as another counts as the one asked for when it has lain for so long."""
_MOVING_PX: Final = 8
_CHANGED: Final = 14
"""Levels by which a place must differ from before to be looked at."""


@dataclass(frozen=True)
class Said:
    """What came of a card that was laid."""

    asked: str
    shown: Shown | None
    """None: no corner could be made out."""
    learned: bool
    """False with ``shown``: it reads as another card; it is waited for."""


class LiveEnrolment:
    """Asks for one card after the other and learns each from the frames."""

    def __init__(self, camera: CameraConfig, learner: Learner, cards: Sequence[str]) -> None:
        """``cards``: the names, in the order in which they are asked for."""
        self._geometry = Geometry(camera)
        self._learner = learner
        self._cards = list(cards)
        self._square = self._geometry.square_in_small()
        self._gate: Gate | None = None
        self._moved_ns = 0
        self._due = True
        """Something has moved since the mark was last looked at."""
        self._doubted = False
        """What lies there reads as another card than the one asked for."""
        self._before: Image | None = None
        self.shown: list[Shown] = []

    @property
    def wanted(self) -> str | None:
        """The card that is to be laid; None: all have been."""
        return self._cards[len(self.shown)] if len(self.shown) < len(self._cards) else None

    def see(self, frame: Frame) -> Iterator[Said]:
        """Take the next frame; says what came of a card where one has come to rest."""
        self._geometry.check(frame.image)
        small = planar(self._geometry.small(frame.image))
        if self._gate is None:
            self._gate = Gate(small, frame.t_ns)
            self._moved_ns = frame.t_ns
        else:
            self._gate.update(small, frame.t_ns)
            moving = cv2.bitwise_and(self._gate.moving(), self._square)
            if cv2.countNonZero(moving) >= _MOVING_PX:
                self._moved_ns, self._due, self._doubted = frame.t_ns, True, False
        asked, still = self.wanted, frame.t_ns - self._moved_ns
        if asked is None or not ((self._due and still >= REST_NS) or (self._doubted and still >= STAY_NS)):
            return
        self._due = False
        picture = self._geometry.mark(frame.image)
        shown = self._learner.one(picture, asked, CARD_PX, self._fresh(picture))
        if shown is None:
            if self._before is None or self._fresh_share(picture) > 0.02:
                yield Said(asked, None, False)
            if self._before is None:
                self._before = picture  # the bare table
            return
        if shown.contradicts and not self._doubted:
            self._doubted = True
            yield Said(asked, shown, False)
            return
        self._doubted = False
        self._before = picture
        self.shown.append(shown)
        yield Said(asked, shown, True)

    def _fresh(self, picture: Image) -> NDArray[np.bool_] | None:
        """Where the mark looks otherwise than when the last card was learned."""
        if self._before is None:
            return None
        apart = cv2.absdiff(picture, self._before).max(axis=2)
        around = cv2.blur(apart, (15, 15))
        return np.asarray(around > _CHANGED)

    def _fresh_share(self, picture: Image) -> float:
        fresh = self._fresh(picture)
        return 1.0 if fresh is None else float(fresh.mean())
