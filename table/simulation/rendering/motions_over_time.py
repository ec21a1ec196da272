"""Motions of arms and cards over the simulated table, as functions of time.

Lengths are millimetres in the table's plane (origin: the mark; x right, y down), directions degrees clockwise
from the picture's top edge, times nanoseconds.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from table.directions import direction_vector
from table.observed_facts import MS
from table.simulation.rendering.vector_shapes import Points

IDLE_HAND_DISTANCE_MM = 620.0
"""Distance from the mark at which an idle hand waits, outside every camera's view."""
GRIP_OFFSET_MM = 27.0
"""Distance from a carried card's centre to the finger tips on it."""


@dataclass(frozen=True, slots=True)
class CardPose:
    """Pose of a card: centre (mm), direction of its upper edge (degrees), height above the cloth (mm)."""

    x: float
    y: float
    angle: float
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A card at one moment, on the table or in the air."""

    id: int
    card: str | None
    """The card's name; None: face down."""
    pose: CardPose


HandPose: TypeAlias = Literal["lay", "take", "leave", "push", "rest", "point", "drum", "hold"]
"""What a hand does: it lays a card, takes cards, withdraws empty, pushes, rests, points, drums or holds a pack."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at one moment: its finger tips, the far end of its arm (``home``) and its height."""

    seat: str
    tip: tuple[float, float]
    home: tuple[float, float]
    lift: float
    pose: HandPose = "lay"
    left: bool = False


@dataclass(frozen=True, slots=True)
class MovingItems:
    """What moves at one moment: each motion adds what it moves."""

    carried: list[SceneCard]
    hands: list[Hand]


@dataclass(frozen=True, slots=True)
class Motion(ABC):
    """What a hand does with cards from ``start_ns`` until ``end_ns``."""

    t_ns: int
    """Time of the act: a card comes to rest or begins to move, a hand arrives."""
    seat: str
    seat_deg: float
    """The direction from which the arm comes."""

    @property
    def pushed(self) -> tuple[tuple[int, CardPose], ...]:
        """Cards that it pushes over the table, with the poses in which they end."""
        return ()

    @property
    def start_ns(self) -> int:
        """Time at which the hand starts to move."""
        return self.t_ns

    @property
    @abstractmethod
    def end_ns(self) -> int:
        """Time at which the hand and what it carries are out of view."""

    @property
    def push_ns(self) -> int:
        """Time at which it pushes."""
        return self.t_ns

    @abstractmethod
    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand, and what it carries, at ``t_ns``."""


@dataclass(frozen=True, slots=True)
class Laying(Motion):
    """A motion after which a card lies on the table; it comes to rest at exactly ``t_ns``."""

    id: int
    card: str | None
    """The card's name; None: face down."""
    rest: CardPose


@dataclass(frozen=True, slots=True)
class Lay(Laying):
    """Motion: a hand brings a card, lays it down at exactly ``t_ns`` and withdraws."""

    bring_ns: int = 380 * MS
    stay_ns: int = 110 * MS
    leave_ns: int = 300 * MS
    lift_mm: float = 26.0
    """Height at which the card is carried; 0: it slides over the cloth."""
    home: tuple[float, float] | None = None
    """Far end of the arm; None: in the seat's direction."""

    @property
    def start_ns(self) -> int:
        """Time at which the hand starts to move."""
        return self.t_ns - self.bring_ns

    @property
    def end_ns(self) -> int:
        """Time at which the hand is out of view."""
        return self.t_ns + self.stay_ns + self.leave_ns

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand, and the card until it lies."""
        target_tip = offset_point((self.rest.x, self.rest.y), self.seat_deg, GRIP_OFFSET_MM)
        home = self.home or offset_point(target_tip, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        away = share_away(t_ns, self.t_ns, self.bring_ns, self.stay_ns, self.leave_ns)
        fingertips = interpolate(target_tip, home, away)
        if t_ns < self.t_ns:
            pose = carried_pose(self.rest, fingertips, target_tip)
            turned = replace(pose, angle=pose.angle + 14 * away, lift=self.lift_mm * away)
            moving.carried.append(SceneCard(self.id, self.card, turned))
        leaves = t_ns >= self.t_ns + self.stay_ns
        moving.hands.append(Hand(self.seat, fingertips, home, 6 + 30 * away, "leave" if leaves else "lay"))


@dataclass(frozen=True, slots=True)
class Take(Motion):
    """Motion: a hand reaches for cards and begins to carry them off together at ``t_ns``."""

    ids: tuple[int, ...]
    grip: tuple[float, float]
    """The centre of the cards that are taken."""
    reach_ns: int = 330 * MS
    stay_ns: int = 90 * MS
    leave_ns: int = 380 * MS

    @property
    def start_ns(self) -> int:
        """Time at which the hand starts to move."""
        return self.t_ns - self.stay_ns - self.reach_ns

    @property
    def end_ns(self) -> int:
        """Time at which the hand and the cards are out of view."""
        return self.t_ns + self.leave_ns

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand, and the cards once it has them."""
        target_tip = offset_point(self.grip, self.seat_deg, 8.0)
        home = offset_point(target_tip, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        away = share_away(t_ns, self.t_ns - self.stay_ns, self.reach_ns, self.stay_ns, self.leave_ns)
        fingertips = interpolate(target_tip, home, away)
        if t_ns >= self.t_ns:
            for card_id in self.ids:
                pose = carried_pose(scene.resting_pose(card_id, self.t_ns), fingertips, target_tip)
                lifted = replace(pose, lift=min(30.0, 200 * away))
                moving.carried.append(SceneCard(card_id, scene.card_name(card_id), lifted))
        moving.hands.append(Hand(self.seat, fingertips, home, 6 + 30 * away, "take"))


@dataclass(frozen=True, slots=True)
class Reach(Motion):
    """Motion: a hand reaches over the table and withdraws; it may push cards (id, new pose) at ``t_ns``."""

    place: tuple[float, float]
    """Position of the finger tips while the hand stays, before it pushes."""
    pushed: tuple[tuple[int, CardPose], ...] = ()
    reach_ns: int = 350 * MS
    stay_ns: int = 400 * MS
    leave_ns: int = 330 * MS

    @property
    def start_ns(self) -> int:
        """Time at which the hand starts to move."""
        return self.t_ns - self.reach_ns

    @property
    def end_ns(self) -> int:
        """Time at which the hand is out of view."""
        return self.t_ns + self.stay_ns + self.leave_ns

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand."""
        target_tip = self.place
        if self.pushed and t_ns > self.t_ns:
            pushed, target = self.pushed[0]
            progress = min(1.0, (t_ns - self.t_ns) / PUSH_DURATION_NS)
            start = scene.resting_pose(pushed, self.t_ns)
            target_tip = (
                target_tip[0] + (target.x - start.x) * progress,
                target_tip[1] + (target.y - start.y) * progress,
            )
        home = offset_point(target_tip, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        away = share_away(t_ns, self.t_ns, self.reach_ns, self.stay_ns, self.leave_ns)
        fingertips = interpolate(target_tip, home, away)
        moving.hands.append(
            Hand(self.seat, fingertips, home, 12 + 30 * away, "push" if self.pushed else "rest")
        )


PUSH_DURATION_NS = 130 * MS
"""Duration of a push, until the card is at rest again."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything on and over the table at one moment."""

    resting: tuple[SceneCard, ...]
    """Cards at rest, from the lowest to the topmost."""
    carried: tuple[SceneCard, ...]
    hands: tuple[Hand, ...]


def to_table_mm(points: Points, pose: CardPose) -> Points:
    """Return points (mm from the centre of an upright card) in table mm."""
    (up_x, up_y), place = direction_vector(pose.angle), (pose.x, pose.y)
    table_points: Points = place + points[:, :1] * (-up_y, up_x) - points[:, 1:] * (up_x, up_y)
    return table_points


class Scene:
    """All motions of a game, from which the table at any moment can be computed."""

    def __init__(self, strokes: Iterable[Motion]) -> None:
        self.motions = tuple(sorted(strokes, key=lambda stroke: (stroke.t_ns, stroke.start_ns)))
        self._laying_motions = {stroke.id: stroke for stroke in self.motions if isinstance(stroke, Laying)}
        self._takes: dict[int, Take] = {
            taken: stroke for stroke in self.motions if isinstance(stroke, Take) for taken in stroke.ids
        }
        self._pushes: dict[int, list[Motion]] = {}
        for stroke in self.motions:
            for pushed, _ in stroke.pushed:
                self._pushes.setdefault(pushed, []).append(stroke)
        self._landing_ns = np.array([lay.t_ns for lay in self._laying_motions.values()], np.int64)
        self._ids = tuple(self._laying_motions)
        self._start_ns = np.array([stroke.start_ns for stroke in self.motions], np.int64)
        self._end_ns = np.array([stroke.end_ns for stroke in self.motions], np.int64)
        gone = [self._takes[laid].t_ns if laid in self._takes else 2**62 for laid in self._ids]
        self._taken_ns = np.array(gone, np.int64)

    def snapshot_at(self, t_ns: int) -> Snapshot:
        """Return everything on and over the table at ``t_ns``."""
        resting_indices = np.nonzero((self._landing_ns <= t_ns) & (t_ns < self._taken_ns))[0]
        resting = []
        for index in resting_indices:
            card_id = self._ids[index]
            resting.append(SceneCard(card_id, self.card_name(card_id), self.resting_pose(card_id, t_ns)))
        moving = MovingItems([], [])
        for index in np.nonzero((self._start_ns <= t_ns) & (t_ns < self._end_ns))[0]:
            self.motions[index].add_to(moving, t_ns, self)
        return Snapshot(tuple(resting), tuple(moving.carried), tuple(moving.hands))

    def card_name(self, card_id: int) -> str | None:
        """Return a card's name; None if it lies face down."""
        return self._laying_motions[card_id].card

    def resting_pose(self, card_id: int, t_ns: int) -> CardPose:
        """Return the pose of a card that rests at ``t_ns``, after all pushes until then."""
        pose = self._laying_motions[card_id].rest
        for push in self._pushes.get(card_id, ()):
            if push.push_ns <= t_ns:
                target = next(target for pushed, target in push.pushed if pushed == card_id)
                progress = min(1.0, (t_ns - push.push_ns) / PUSH_DURATION_NS)
                x, y = interpolate((pose.x, pose.y), (target.x, target.y), progress)
                turn_deg = (target.angle - pose.angle + 180) % 360 - 180
                pose = CardPose(x, y, pose.angle + turn_deg * progress)
        return pose


def share_away(t_ns: int, arrival_ns: int, coming_ns: int, stay_ns: int, leaving_ns: int) -> float:
    """Return the share of its way home that a hand is away from its target: it comes, stays and withdraws."""
    if t_ns < arrival_ns:
        return math.pow(1 - (t_ns - (arrival_ns - coming_ns)) / coming_ns, 1.7)
    return math.pow(max(0.0, (t_ns - arrival_ns - stay_ns) / leaving_ns), 1.5)


def carried_pose(
    rest: CardPose, fingertips: tuple[float, float], target_tip: tuple[float, float]
) -> CardPose:
    """Return the pose of what lies at ``rest`` once the finger tips are at ``target_tip``."""
    return replace(
        rest, x=rest.x + fingertips[0] - target_tip[0], y=rest.y + fingertips[1] - target_tip[1], lift=0.0
    )


def offset_point(place: tuple[float, float], degrees: float, length: float) -> tuple[float, float]:
    """Return the point so many mm from a place in a direction."""
    dx, dy = direction_vector(degrees)
    return place[0] + dx * length, place[1] + dy * length


def interpolate(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    """Return the point that divides the way from ``a`` to ``b`` by this share."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
