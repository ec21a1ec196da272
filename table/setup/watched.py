"""Sight whose camera may be moved: where the mat's markers are seen, the view is put right at the next rest.

Like sight itself a function of the frames and their stamps, so a recording shows what the live table did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from table.config import CameraConfig
from table.errors import TableError
from table.facts import MS, Frame
from table.phrase import Phrase, say
from table.setup.moved import Lookout, Moved
from table.setup.view import fault, measure
from table.sight.fitness import MOVED
from table.sight.seen import Seen
from table.sight.sight import Sight


@dataclass(frozen=True, slots=True)
class WatchNumbers:
    """The numbers of this module."""

    every_ns: int = 2_000 * MS
    """Time between two looks for the markers; a look takes some 20 ms of a desktop's core ..."""
    unseen_ns: int = 10_000 * MS
    """... and is taken more seldom while the mat is not there."""
    told_ns: int = 20_000 * MS
    """For so long it is said that the view has been put right."""


NUMBERS: Final = WatchNumbers()


class Watched:
    """A sight and the lookout for its camera; feed it as sight."""

    def __init__(self, sight: Sight, camera: CameraConfig, lookout: Lookout) -> None:
        """``lookout``: of the same ``camera``."""
        self._sight = sight
        self._camera = camera
        self._lookout = lookout
        self._next_ns = 0
        self._moved: Moved | None = None
        """Where the camera looks, until sight goes by it."""
        self._unfit: Phrase | str | None = None
        self._righted: tuple[int, float] | None = None
        """When the view was put right, and by how many millimetres."""
        self._now_ns = 0

    def see(self, frame: Frame) -> Seen:
        """Take the next frame."""
        self._now_ns = frame.t_ns
        if frame.t_ns >= self._next_ns:
            self._look(frame)
        if self._moved is not None:
            self._put_right(self._moved)
        return self._told(self._sight.see(frame))

    def without_frames(self, until_ns: int) -> Seen:
        """No frame stamped before ``until_ns`` will come any more."""
        return self._told(self._sight.without_frames(until_ns))

    def end(self) -> Seen:
        """No more frames come."""
        return self._sight.end()

    def _look(self, frame: Frame) -> None:
        moved = self._lookout.see(frame.image)
        self._next_ns = frame.t_ns + (NUMBERS.every_ns if self._lookout.sees else NUMBERS.unseen_ns)
        if moved is not None:
            self._unfit = _unfit(moved, self._camera)
            self._moved = None if self._unfit else moved

    def _put_right(self, moved: Moved) -> None:
        camera = replace(self._camera, homography=moved.homography)
        if self._sight.aim(camera):
            self._camera, self._moved = camera, None
            self._righted = (self._now_ns, moved.mm)

    def _told(self, seen: Seen) -> Seen:
        """What sight tells, with what is known here instead of its guess that the camera has been moved."""
        said = self._said()
        if said is None:
            return seen
        others = tuple(trouble for trouble in seen.troubles if trouble != MOVED)
        return replace(seen, troubles=(said, *others))

    def _said(self) -> Phrase | None:
        if self._unfit is not None:
            return say("camera.unfit", why=self._unfit)
        if self._moved is not None:
            return say("camera.moved_by", mm=self._moved.mm)
        if self._righted is not None and self._now_ns - self._righted[0] < NUMBERS.told_ns:
            return say("camera.righted", mm=self._righted[1])
        return None


def _unfit(moved: Moved, camera: CameraConfig) -> Phrase | None:
    """Why nobody could play with the new view."""
    try:
        return fault(measure(moved.homography, camera.size))
    except TableError as error:
        return error.phrase
