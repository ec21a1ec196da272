"""What moves over the virtual table, and when: cards laid and taken by arms, as functions of time.

Lengths are millimetres in the table's plane (origin: the mark; x right, y down), directions degrees clockwise
from the picture's top edge, times nanoseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from table.facts import MS

HOME_MM = 620.0
"""How far from the mark a hand waits: out of every camera's sight."""
GRIP_MM = 27.0
"""From a carried card's centre to the finger tips upon it."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card is: its centre, the direction of its upper edge, and how high above the cloth."""

    x: float
    y: float
    angle: float
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table or in the air."""

    id: int
    card: str | None
    """None: face down."""
    pose: Pose


@dataclass(frozen=True, slots=True)
class Hand:
    """An arm over the table: where its finger tips are, and whence it reaches."""

    seat: str
    tip: tuple[float, float]
    home: tuple[float, float]
    lift: float


@dataclass(frozen=True, slots=True)
class Lay:
    """A hand brings a card, lays it down at ``t_ns`` exactly, and withdraws."""

    t_ns: int
    seat: str
    seat_deg: float
    id: int
    card: str | None
    rest: Pose
    bring_ns: int = 380 * MS
    stay_ns: int = 110 * MS
    leave_ns: int = 300 * MS

    @property
    def start_ns(self) -> int:
        """When the hand sets out."""
        return self.t_ns - self.bring_ns

    @property
    def end_ns(self) -> int:
        """When the hand is out of sight."""
        return self.t_ns + self.stay_ns + self.leave_ns


@dataclass(frozen=True, slots=True)
class Take:
    """A hand reaches for cards, and at ``t_ns`` begins to carry them off, all together."""

    t_ns: int
    seat: str
    seat_deg: float
    ids: tuple[int, ...]
    grip: tuple[float, float]
    """The middle of what is taken."""
    reach_ns: int = 330 * MS
    stay_ns: int = 90 * MS
    leave_ns: int = 380 * MS

    @property
    def start_ns(self) -> int:
        """When the hand sets out."""
        return self.t_ns - self.stay_ns - self.reach_ns

    @property
    def end_ns(self) -> int:
        """When hand and cards are out of sight."""
        return self.t_ns + self.leave_ns


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand comes over the table, stays and goes again; ``pushed``: a card that it moves at ``t_ns``, and whereto."""

    t_ns: int
    seat: str
    seat_deg: float
    place: tuple[float, float]
    """Where its finger tips are while it stays, before it pushes."""
    pushed: tuple[int, Pose] | None = None
    reach_ns: int = 350 * MS
    stay_ns: int = 400 * MS
    leave_ns: int = 330 * MS

    @property
    def start_ns(self) -> int:
        """When the hand sets out."""
        return self.t_ns - self.reach_ns

    @property
    def end_ns(self) -> int:
        """When the hand is out of sight."""
        return self.t_ns + self.stay_ns + self.leave_ns


Stroke: TypeAlias = Lay | Take | Reach

PUSH_NS = 130 * MS
"""A pushed card has come to rest again so long after."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at one moment."""

    resting: tuple[Lying, ...]
    """From the lowest to the topmost."""
    carried: tuple[Lying, ...]
    hands: tuple[Hand, ...]


def direction(degrees: float) -> tuple[float, float]:
    """The unit vector of a direction that is given clockwise from the picture's top."""
    return math.sin(math.radians(degrees)), -math.cos(math.radians(degrees))


class Scene:
    """All strokes of a game; asked for any moment."""

    def __init__(self, strokes: Iterable[Stroke]) -> None:
        self.strokes = tuple(sorted(strokes, key=lambda stroke: (stroke.t_ns, stroke.start_ns)))
        self._laid: dict[int, Lay] = {stroke.id: stroke for stroke in self.strokes if isinstance(stroke, Lay)}
        self._taken: dict[int, Take] = {
            taken: stroke for stroke in self.strokes if isinstance(stroke, Take) for taken in stroke.ids
        }
        self._pushes: dict[int, list[Reach]] = {}
        for stroke in self.strokes:
            if isinstance(stroke, Reach) and stroke.pushed is not None:
                self._pushes.setdefault(stroke.pushed[0], []).append(stroke)
        self._landings = np.array([lay.t_ns for lay in self._laid.values()], np.int64)
        self._ids = tuple(self._laid)
        self._starts = np.array([stroke.start_ns for stroke in self.strokes], np.int64)
        self._ends = np.array([stroke.end_ns for stroke in self.strokes], np.int64)
        gone = [self._taken[laid].t_ns if laid in self._taken else 2**62 for laid in self._ids]
        self._gone = np.array(gone, np.int64)

    def at(self, t_ns: int) -> Moment:
        """The table at ``t_ns``."""
        lying = np.nonzero((self._landings <= t_ns) & (t_ns < self._gone))[0]
        resting = []
        for index in lying:
            lay = self._laid[self._ids[index]]
            resting.append(Lying(lay.id, lay.card, self._pose(lay, t_ns)))
        carried: list[Lying] = []
        hands: list[Hand] = []
        for index in np.nonzero((self._starts <= t_ns) & (t_ns < self._ends))[0]:
            stroke = self.strokes[index]
            if isinstance(stroke, Lay):
                _lay_at(stroke, t_ns, carried, hands)
            elif isinstance(stroke, Take):
                self._take_at(stroke, t_ns, carried, hands)
            else:
                self._reach_at(stroke, t_ns, hands)
        return Moment(tuple(resting), tuple(carried), tuple(hands))

    def _pose(self, lay: Lay, t_ns: int) -> Pose:
        """Where a lying card is, having been pushed about."""
        pose = lay.rest
        for push in self._pushes.get(lay.id, ()):
            if push.pushed is not None and push.t_ns <= t_ns:
                u = min(1.0, (t_ns - push.t_ns) / PUSH_NS)
                x, y = _between((pose.x, pose.y), (push.pushed[1].x, push.pushed[1].y), u)
                turn = (push.pushed[1].angle - pose.angle + 180) % 360 - 180
                pose = Pose(x, y, pose.angle + turn * u)
        return pose

    def _reach_at(self, reach: Reach, t_ns: int, hands: list[Hand]) -> None:
        tip = reach.place
        if reach.pushed is not None and t_ns > reach.t_ns:
            u = min(1.0, (t_ns - reach.t_ns) / PUSH_NS)
            before = self._pose(self._laid[reach.pushed[0]], reach.t_ns)
            tip = tip[0] + (reach.pushed[1].x - before.x) * u, tip[1] + (reach.pushed[1].y - before.y) * u
        far = _beside(tip, reach.seat_deg, HOME_MM)
        if t_ns < reach.t_ns:
            gone = (1 - (t_ns - reach.start_ns) / reach.reach_ns) ** 1.7
        else:
            gone = max(0.0, (t_ns - reach.t_ns - reach.stay_ns) / reach.leave_ns) ** 1.5
        hands.append(Hand(reach.seat, _between(tip, far, gone), far, 12 + 30 * gone))

    def _take_at(self, take: Take, t_ns: int, carried: list[Lying], hands: list[Hand]) -> None:
        tip = _beside(take.grip, take.seat_deg, 8.0)
        far = _beside(tip, take.seat_deg, HOME_MM)
        if t_ns < take.t_ns:
            u = min(1.0, (t_ns - take.start_ns) / take.reach_ns)
            gone = (1 - u) ** 1.7
            hands.append(Hand(take.seat, _between(tip, far, gone), far, 6 + 30 * gone))
            return
        gone = ((t_ns - take.t_ns) / take.leave_ns) ** 1.5
        now = _between(tip, far, gone)
        for taken in take.ids:
            lay = self._laid[taken]
            pose = self._pose(lay, take.t_ns)
            moved = replace(
                pose, x=pose.x + now[0] - tip[0], y=pose.y + now[1] - tip[1], lift=min(30.0, 200 * gone)
            )
            carried.append(Lying(taken, lay.card, moved))
        hands.append(Hand(take.seat, now, far, 6 + 30 * gone))


def _lay_at(lay: Lay, t_ns: int, carried: list[Lying], hands: list[Hand]) -> None:
    rest = lay.rest
    tip = _beside((rest.x, rest.y), lay.seat_deg, GRIP_MM)
    far = _beside(tip, lay.seat_deg, HOME_MM)
    if t_ns < lay.t_ns:
        left = (1 - (t_ns - lay.start_ns) / lay.bring_ns) ** 1.7
        now = _between(tip, far, left)
        pose = Pose(rest.x + now[0] - tip[0], rest.y + now[1] - tip[1], rest.angle + 14 * left, 26 * left)
        carried.append(Lying(lay.id, lay.card, pose))
        hands.append(Hand(lay.seat, now, far, 6 + 30 * left))
        return
    gone = max(0.0, (t_ns - lay.t_ns - lay.stay_ns) / lay.leave_ns) ** 1.5
    hands.append(Hand(lay.seat, _between(tip, far, gone), far, 6 + 30 * gone))


def _beside(place: tuple[float, float], degrees: float, length: float) -> tuple[float, float]:
    dx, dy = direction(degrees)
    return place[0] + dx * length, place[1] + dy * length


def _between(a: tuple[float, float], b: tuple[float, float], u: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u
