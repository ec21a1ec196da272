"""What moves over the virtual table, and when: cards laid and taken by arms, as functions of time.

Lengths are millimetres in the table's plane (origin: the mark; x right, y down), directions degrees clockwise
from the picture's top edge, times nanoseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

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
class Thing:
    """What people have on a table besides cards."""

    kind: Literal["phone", "die", "cup"]
    pose: Pose


@dataclass(frozen=True, slots=True)
class Hand:
    """An arm over the table: where its finger tips are, and whence it reaches."""

    seat: str
    tip: tuple[float, float]
    home: tuple[float, float]
    lift: float


class _Bringing:
    """A hand that brings something, is at it for a while, and withdraws."""

    __slots__ = ()
    t_ns: int
    bring_ns: int
    stay_ns: int
    leave_ns: int

    @property
    def start_ns(self) -> int:
        """When the hand sets out."""
        return self.t_ns - self.bring_ns

    @property
    def end_ns(self) -> int:
        """When the hand is out of sight."""
        return self.t_ns + self.stay_ns + self.leave_ns


@dataclass(frozen=True, slots=True)
class Lay(_Bringing):
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
    lift_mm: float = 26.0
    """How high the card is carried; 0: slid over the cloth."""
    home: tuple[float, float] | None = None
    """Whence the arm reaches; straight from the seat's direction unless given."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A hand lets a card go at the table's edge; it flies on alone and comes to rest at ``t_ns`` exactly."""

    t_ns: int
    seat: str
    seat_deg: float
    id: int
    card: str | None
    rest: Pose
    release: tuple[float, float]
    """Where the card's centre is when the hand lets it go."""
    fly_ns: int = 300 * MS
    spin_deg: float = 90.0
    """How far it turns on its way."""
    bring_ns: int = 250 * MS
    leave_ns: int = 300 * MS

    @property
    def start_ns(self) -> int:
        """When the hand sets out."""
        return self.t_ns - self.fly_ns - self.bring_ns

    @property
    def end_ns(self) -> int:
        """When the card rests and the hand is out of sight."""
        return max(self.t_ns, self.t_ns - self.fly_ns + self.leave_ns)


@dataclass(frozen=True, slots=True)
class Put(_Bringing):
    """A hand brings a thing, sets it down at ``t_ns``, and withdraws; the thing stays."""

    t_ns: int
    seat: str
    seat_deg: float
    thing: Thing
    bring_ns: int = 420 * MS
    stay_ns: int = 150 * MS
    leave_ns: int = 300 * MS


@dataclass(frozen=True, slots=True)
class Hold:
    """Somebody holds cards in a fan, from ``t_ns`` on; the hand is never quite still."""

    t_ns: int
    end_ns: int
    seat: str
    seat_deg: float
    cards: tuple[tuple[int, str | None], ...]
    """Their ids and names; None: the camera sees the back."""
    place: tuple[float, float]
    """The middle of the fan."""
    sway_mm: float = 6.0
    sway_ns: int = 3_000 * MS

    @property
    def start_ns(self) -> int:
        """When it begins."""
        return self.t_ns


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
    """A hand comes over the table, stays and goes again; ``pushed``: cards that it moves at ``t_ns``, and whereto."""

    t_ns: int
    seat: str
    seat_deg: float
    place: tuple[float, float]
    """Where its finger tips are while it stays, before it pushes."""
    pushed: tuple[tuple[int, Pose], ...] = ()
    reach_ns: int = 350 * MS
    stay_ns: int = 400 * MS
    leave_ns: int = 330 * MS
    held: Literal["cup"] | None = None
    """What the hand has in it."""

    @property
    def start_ns(self) -> int:
        """When the hand sets out."""
        return self.t_ns - self.reach_ns

    @property
    def end_ns(self) -> int:
        """When the hand is out of sight."""
        return self.t_ns + self.stay_ns + self.leave_ns


Stroke: TypeAlias = Lay | Throw | Take | Reach | Put | Hold

PUSH_NS = 130 * MS
"""A pushed card has come to rest again so long after."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment."""

    resting: tuple[Lying, ...]
    """From the lowest to the topmost."""
    carried: tuple[Lying, ...]
    hands: tuple[Hand, ...]
    things: tuple[Thing, ...] = ()
    """What stands on the table."""
    held: tuple[Thing, ...] = ()
    """What is in a hand."""


def direction(degrees: float) -> tuple[float, float]:
    """The unit vector of a direction that is given clockwise from the picture's top."""
    return math.sin(math.radians(degrees)), -math.cos(math.radians(degrees))


class Scene:
    """All strokes of a game; asked for any moment."""

    def __init__(self, strokes: Iterable[Stroke]) -> None:
        self.strokes = tuple(sorted(strokes, key=lambda stroke: (stroke.t_ns, stroke.start_ns)))
        self._laid: dict[int, Lay | Throw] = {
            stroke.id: stroke for stroke in self.strokes if isinstance(stroke, (Lay, Throw))
        }
        self._puts = tuple(stroke for stroke in self.strokes if isinstance(stroke, Put))
        self._taken: dict[int, Take] = {
            taken: stroke for stroke in self.strokes if isinstance(stroke, Take) for taken in stroke.ids
        }
        self._pushes: dict[int, list[Reach]] = {}
        for stroke in self.strokes:
            if isinstance(stroke, Reach):
                for pushed, _ in stroke.pushed:
                    self._pushes.setdefault(pushed, []).append(stroke)
        self._landings = np.array([lay.t_ns for lay in self._laid.values()], np.int64)
        self._ids = tuple(self._laid)
        self._starts = np.array([stroke.start_ns for stroke in self.strokes], np.int64)
        self._ends = np.array([stroke.end_ns for stroke in self.strokes], np.int64)
        gone = [self._taken[laid].t_ns if laid in self._taken else 2**62 for laid in self._ids]
        self._gone = np.array(gone, np.int64)

    def at(self, t_ns: int) -> Snapshot:
        """The table at ``t_ns``."""
        lying = np.nonzero((self._landings <= t_ns) & (t_ns < self._gone))[0]
        resting = []
        for index in lying:
            lay = self._laid[self._ids[index]]
            resting.append(Lying(lay.id, lay.card, self._pose(lay, t_ns)))
        carried: list[Lying] = []
        hands: list[Hand] = []
        held: list[Thing] = []
        for index in np.nonzero((self._starts <= t_ns) & (t_ns < self._ends))[0]:
            stroke = self.strokes[index]
            if isinstance(stroke, Lay):
                _lay_at(stroke, t_ns, carried, hands)
            elif isinstance(stroke, Throw):
                _throw_at(stroke, t_ns, carried, hands)
            elif isinstance(stroke, Take):
                self._take_at(stroke, t_ns, carried, hands)
            elif isinstance(stroke, Put):
                _put_at(stroke, t_ns, hands, held)
            elif isinstance(stroke, Hold):
                _hold_at(stroke, t_ns, carried, hands)
            else:
                self._reach_at(stroke, t_ns, hands, held)
        things = tuple(put.thing for put in self._puts if put.t_ns <= t_ns)
        return Snapshot(tuple(resting), tuple(carried), tuple(hands), things, tuple(held))

    def _pose(self, lay: Lay | Throw, t_ns: int) -> Pose:
        """Where a lying card is, having been pushed about."""
        pose = lay.rest
        for push in self._pushes.get(lay.id, ()):
            if push.t_ns <= t_ns:
                there = next(there for pushed, there in push.pushed if pushed == lay.id)
                u = min(1.0, (t_ns - push.t_ns) / PUSH_NS)
                x, y = _between((pose.x, pose.y), (there.x, there.y), u)
                turn = (there.angle - pose.angle + 180) % 360 - 180
                pose = Pose(x, y, pose.angle + turn * u)
        return pose

    def _reach_at(self, reach: Reach, t_ns: int, hands: list[Hand], held: list[Thing]) -> None:
        tip = reach.place
        if reach.pushed and t_ns > reach.t_ns:
            pushed, there = reach.pushed[0]
            u = min(1.0, (t_ns - reach.t_ns) / PUSH_NS)
            before = self._pose(self._laid[pushed], reach.t_ns)
            tip = tip[0] + (there.x - before.x) * u, tip[1] + (there.y - before.y) * u
        far = _beside(tip, reach.seat_deg, HOME_MM)
        if t_ns < reach.t_ns:
            gone = (1 - (t_ns - reach.start_ns) / reach.reach_ns) ** 1.7
        else:
            gone = max(0.0, (t_ns - reach.t_ns - reach.stay_ns) / reach.leave_ns) ** 1.5
        now = _between(tip, far, gone)
        hands.append(Hand(reach.seat, now, far, 12 + 30 * gone))
        if reach.held is not None:
            held.append(Thing(reach.held, Pose(*now, reach.seat_deg, 60.0)))

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
    far = lay.home or _beside(tip, lay.seat_deg, HOME_MM)
    if t_ns < lay.t_ns:
        left = (1 - (t_ns - lay.start_ns) / lay.bring_ns) ** 1.7
        now = _between(tip, far, left)
        pose = Pose(
            rest.x + now[0] - tip[0], rest.y + now[1] - tip[1], rest.angle + 14 * left, lay.lift_mm * left
        )
        carried.append(Lying(lay.id, lay.card, pose))
        hands.append(Hand(lay.seat, now, far, 6 + 30 * left))
        return
    gone = max(0.0, (t_ns - lay.t_ns - lay.stay_ns) / lay.leave_ns) ** 1.5
    hands.append(Hand(lay.seat, _between(tip, far, gone), far, 6 + 30 * gone))


def _throw_at(throw: Throw, t_ns: int, carried: list[Lying], hands: list[Hand]) -> None:
    rest, released = throw.rest, throw.t_ns - throw.fly_ns
    tip = _beside(throw.release, throw.seat_deg, GRIP_MM)
    far = _beside(tip, throw.seat_deg, HOME_MM)
    if t_ns < released:
        # A throw gathers speed up to the moment in which it lets go.
        left = 1 - ((t_ns - throw.start_ns) / throw.bring_ns) ** 1.5
        now = _between(tip, far, left)
        place = throw.release[0] + now[0] - tip[0], throw.release[1] + now[1] - tip[1]
        carried.append(Lying(throw.id, throw.card, Pose(*place, rest.angle - throw.spin_deg, 24.0)))
        hands.append(Hand(throw.seat, now, far, 30.0))
        return
    if t_ns < throw.t_ns:
        # Slowed down by friction alone.
        left = (1 - (t_ns - released) / throw.fly_ns) ** 2
        x, y = _between((rest.x, rest.y), throw.release, left)
        pose = Pose(x, y, rest.angle - throw.spin_deg * left, 24 * left)
        carried.append(Lying(throw.id, throw.card, pose))
    gone = (t_ns - released) / throw.leave_ns
    if gone < 1:
        hands.append(Hand(throw.seat, _between(tip, far, gone**1.5), far, 30.0))


def _put_at(put: Put, t_ns: int, hands: list[Hand], held: list[Thing]) -> None:
    pose = put.thing.pose
    tip = _beside((pose.x, pose.y), put.seat_deg, 6.0)
    far = _beside(tip, put.seat_deg, HOME_MM)
    if t_ns < put.t_ns:
        gone = (1 - (t_ns - put.start_ns) / put.bring_ns) ** 1.7
        now = _between(tip, far, gone)
        carried = replace(pose, x=pose.x + now[0] - tip[0], y=pose.y + now[1] - tip[1], lift=40 * gone)
        held.append(replace(put.thing, pose=carried))
    else:
        gone = max(0.0, (t_ns - put.t_ns - put.stay_ns) / put.leave_ns) ** 1.5
        now = _between(tip, far, gone)
    hands.append(Hand(put.seat, now, far, 12 + 30 * gone))


def _hold_at(hold: Hold, t_ns: int, carried: list[Lying], hands: list[Hand]) -> None:
    phase = 2 * math.pi * (t_ns - hold.t_ns) / hold.sway_ns
    dx, dy = direction(hold.seat_deg)
    along, aside = hold.sway_mm * math.sin(phase), hold.sway_mm * math.cos(1.7 * phase)
    x, y = hold.place[0] + dx * along - dy * aside, hold.place[1] + dy * along + dx * aside
    for number, (held, card) in enumerate(hold.cards):
        turn = 11.0 * (number - (len(hold.cards) - 1) / 2)
        # A fan turns about the hand that holds it.
        up = direction(hold.seat_deg + 180 + turn)
        pose = Pose(x + dx * 40 + up[0] * 40, y + dy * 40 + up[1] * 40, hold.seat_deg + 180 + turn, 60.0)
        carried.append(Lying(held, card, pose))
    tip = _beside((x, y), hold.seat_deg, 25.0)
    hands.append(Hand(hold.seat, tip, _beside(hold.place, hold.seat_deg, HOME_MM), 60.0))


def _beside(place: tuple[float, float], degrees: float, length: float) -> tuple[float, float]:
    dx, dy = direction(degrees)
    return place[0] + dx * length, place[1] + dy * length


def _between(a: tuple[float, float], b: tuple[float, float], u: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u
