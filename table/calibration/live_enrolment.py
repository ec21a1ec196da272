"""Live enrolment: cards are laid on the mark one after another, and learned when they have come to rest.

Everything is a function of the frames and their stamps. A card may be laid upon the ones before or in their place:
only indices that have changed since the last card was learned are used. Another light changes none: a shadow falls on
a card that lies there, a cloud passes, a lamp is switched on. And the last card may be pushed: it is not the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2

from table.config.settings import CameraConfig
from table.detection.card_detections import Box
from table.detection.enrolment_examples import ExampleCollector, ShownCard
from table.observed_facts import MS, Frame
from table.table_geometry import CARD_PX, Geometry
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.motion_detection import MotionDetector, to_planar
from table.tracking.imaging.recent_frame import colour_to_grey, index_has_changed

MIN_REST_NS: Final = 400 * MS
"""A card is at rest when nothing has moved over the mark for this long."""
MIN_STAY_NS: Final = 4_000 * MS
"""A card that reads as another one counts as the requested one when it has lain for this long."""
_MOVING_PX: Final = 8
_MIN_CHANGE_LEVELS: Final = 14
"""Minimum difference in levels of a changed place ..."""
_MIN_CHANGED_SHARE: Final = 0.02
"""... and the minimum share of such places where something has been laid on the mark."""


@dataclass(frozen=True)
class EnrolmentStep:
    """The result of one card that was laid."""

    requested: str
    """Name of the requested card."""
    shown: ShownCard | None
    """The card as it was recognised; None: no corner was."""
    learned: bool
    """False with ``shown``: it reads as another card and is not learned yet."""


class LiveEnrolment:
    """Requests one card after another and learns each from the frames."""

    def __init__(self, camera: CameraConfig, learner: ExampleCollector, cards: Sequence[str]) -> None:
        """Start an enrolment; ``cards``: the names, in the order in which they are requested."""
        self._geometry = Geometry(camera)
        self._learner = learner
        self._cards = list(cards)
        self._square = self._geometry.mark_square_mask()
        self._motion: MotionDetector | None = None
        self._moved_ns = 0
        self._due = True
        """Whether something has moved since the mark was last checked."""
        self._contradicted = False
        """Whether the present card reads as another one than requested."""
        self._reference: Grey | None = None
        """The mark when the last card was learned, or the bare table."""
        self.shown: list[ShownCard] = []
        """The cards learned so far."""

    @property
    def requested_card(self) -> str | None:
        """The card to be laid next; None: all have been."""
        return self._cards[len(self.shown)] if len(self.shown) < len(self._cards) else None

    def see(self, frame: Frame) -> Iterator[EnrolmentStep]:
        """Process the next frame; yield the result when a card has come to rest."""
        self._geometry.check_frame_size(frame.image)
        small = to_planar(self._geometry.make_small_image(frame.image))
        if self._motion is None:
            self._motion = MotionDetector(small, frame.t_ns)
            self._moved_ns = frame.t_ns
        else:
            self._motion.add_frame(small, frame.t_ns)
            moving = cv2.bitwise_and(self._motion.moving_mask(), self._square)
            if cv2.countNonZero(moving) >= _MOVING_PX:
                self._moved_ns, self._due, self._contradicted = frame.t_ns, True, False
        asked, still = self.requested_card, frame.t_ns - self._moved_ns
        if asked is None or not (
            (self._due and still >= MIN_REST_NS) or (self._contradicted and still >= MIN_STAY_NS)
        ):
            return
        self._due = False
        picture = self._geometry.make_mark_image(frame.image)
        grey = colour_to_grey(picture)
        shown = self._learner.collect_single(
            picture, asked, CARD_PX, lambda box: self._has_changed(box, grey)
        )
        if shown is None:
            if self._reference is None or self._changed_share(grey) > _MIN_CHANGED_SHARE:
                yield EnrolmentStep(asked, None, False)
            if self._reference is None:
                self._reference = grey  # the bare table
            return
        if self.shown and shown.looks_like(self.shown[-1]):
            self._reference = grey
            return
        if shown.contradicts_name and not self._contradicted:
            self._contradicted = True
            yield EnrolmentStep(asked, shown, False)
            return
        self._contradicted = False
        self._reference = grey
        self.shown.append(shown)
        yield EnrolmentStep(asked, shown, True)

    def _has_changed(self, index: Box, grey: Grey) -> bool:
        """Return whether an index shows something else than when the last card was learned, whatever the light."""
        before = self._reference
        if before is None:
            return True
        # Either picture may be the darker one.
        return index_has_changed(index, grey, before) and index_has_changed(index, before, grey)

    def _changed_share(self, grey: Grey) -> float:
        """Return the share of the mark that has changed since the last card was learned."""
        if self._reference is None:
            return 1.0
        around = cv2.blur(cv2.absdiff(grey, self._reference), (15, 15))
        return float((around > _MIN_CHANGE_LEVELS).mean())
