"""Motions and objects that only the scene bench has: thrown cards, fans of cards, phones, dice and cups."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from table.directions import direction_vector
from table.observed_facts import MS
from table.simulation.rendering import motions_over_time
from table.simulation.rendering.motions_over_time import (
    GRIP_OFFSET_MM,
    IDLE_HAND_DISTANCE_MM,
    CardPose,
    Hand,
    Laying,
    Motion,
    MovingItems,
    Scene,
    SceneCard,
    Snapshot,
    carried_pose,
    interpolate,
    offset_point,
    share_away,
)


@dataclass(frozen=True, slots=True)
class TableObject:
    """An object on the table that is not a card."""

    kind: Literal["phone", "die", "cup"]
    pose: CardPose


@dataclass(frozen=True, slots=True)
class Moment(Snapshot):
    """Everything on and over the table at one moment, with the objects."""

    objects: tuple[TableObject, ...] = ()
    """Objects that stand on the table."""
    held_objects: tuple[TableObject, ...] = ()
    """Objects that hands hold."""


def moment_at(scene: Scene, t_ns: int) -> Moment:
    """Return everything on and over the table at ``t_ns``, with the objects."""
    snapshot = scene.snapshot_at(t_ns)
    standing = tuple(put.thing for put in scene.motions if isinstance(put, Put) and put.t_ns <= t_ns)
    held = (
        motion.held_at(t_ns)
        for motion in scene.motions
        if isinstance(motion, Put | Reach) and motion.start_ns <= t_ns < motion.end_ns
    )
    held_objects = tuple(thing for thing in held if thing is not None)
    return Moment(snapshot.resting, snapshot.carried, snapshot.hands, standing, held_objects)


@dataclass(frozen=True, slots=True)
class Throw(Laying):
    """Motion: a hand throws a card from the table's edge; the card comes to rest at exactly ``t_ns``."""

    release: tuple[float, float]
    """The card's centre when the hand lets it go."""
    fly_ns: int = 300 * MS
    spin_deg: float = 90.0
    """Rotation of the card during its flight."""
    bring_ns: int = 250 * MS
    leave_ns: int = 300 * MS

    @property
    def start_ns(self) -> int:
        """Time at which the hand starts to move."""
        return self.t_ns - self.fly_ns - self.bring_ns

    @property
    def end_ns(self) -> int:
        """Time at which the card is at rest and the hand out of view."""
        return max(self.t_ns, self.t_ns - self.fly_ns + self.leave_ns)

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand while it is in view, and the card until it lies."""
        rest, released = self.rest, self.t_ns - self.fly_ns
        target_tip = offset_point(self.release, self.seat_deg, GRIP_OFFSET_MM)
        home = offset_point(target_tip, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        if t_ns < released:
            # The hand accelerates until it lets the card go.
            remaining = 1 - ((t_ns - self.start_ns) / self.bring_ns) ** 1.5
            fingertips = interpolate(target_tip, home, remaining)
            place = (
                self.release[0] + fingertips[0] - target_tip[0],
                self.release[1] + fingertips[1] - target_tip[1],
            )
            pose = CardPose(*place, rest.angle - self.spin_deg, 24.0)
            moving.carried.append(SceneCard(self.id, self.card, pose))
            moving.hands.append(Hand(self.seat, fingertips, home, 30.0))
            return
        if t_ns < self.t_ns:
            # Friction alone slows the card down.
            remaining = (1 - (t_ns - released) / self.fly_ns) ** 2
            x, y = interpolate((rest.x, rest.y), self.release, remaining)
            pose = CardPose(x, y, rest.angle - self.spin_deg * remaining, 24 * remaining)
            moving.carried.append(SceneCard(self.id, self.card, pose))
        away = (t_ns - released) / self.leave_ns
        if away < 1:
            fingertips = interpolate(target_tip, home, away**1.5)
            moving.hands.append(Hand(self.seat, fingertips, home, 30.0, "leave"))


@dataclass(frozen=True, slots=True)
class Put(Motion):
    """Motion: a hand brings an object, puts it down at ``t_ns`` and withdraws; the object stays."""

    thing: TableObject
    bring_ns: int = 420 * MS
    stay_ns: int = 150 * MS
    leave_ns: int = 300 * MS

    @property
    def start_ns(self) -> int:
        """Time at which the hand starts to move."""
        return self.t_ns - self.bring_ns

    @property
    def end_ns(self) -> int:
        """Time at which the hand is out of view."""
        return self.t_ns + self.stay_ns + self.leave_ns

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand."""
        target_tip, home = self._way()
        away = self._share_away(t_ns)
        fingertips = interpolate(target_tip, home, away)
        moving.hands.append(Hand(self.seat, fingertips, home, 12 + 30 * away))

    def held_at(self, t_ns: int) -> TableObject | None:
        """Return the object in the hand at ``t_ns``; None once it stands."""
        if t_ns >= self.t_ns:
            return None
        target_tip, home = self._way()
        away = self._share_away(t_ns)
        carried = carried_pose(self.thing.pose, interpolate(target_tip, home, away), target_tip)
        return replace(self.thing, pose=replace(carried, lift=40 * away))

    def _way(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return where the finger tips put the object down, and where the arm comes from."""
        target_tip = offset_point((self.thing.pose.x, self.thing.pose.y), self.seat_deg, 6.0)
        return target_tip, offset_point(target_tip, self.seat_deg, IDLE_HAND_DISTANCE_MM)

    def _share_away(self, t_ns: int) -> float:
        return share_away(t_ns, self.t_ns, self.bring_ns, self.stay_ns, self.leave_ns)


@dataclass(frozen=True, slots=True)
class Hold(Motion):
    """Motion: a player holds a fan of cards over the table from ``t_ns`` to ``end_ns``, swaying a little."""

    end_ns: int = field()
    cards: tuple[tuple[int, str | None], ...]
    """Ids and names of the cards; None: the camera sees the back."""
    place: tuple[float, float]
    """The fan's centre."""
    sway_mm: float = 6.0
    sway_ns: int = 3_000 * MS

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand with its fan."""
        phase = 2 * math.pi * (t_ns - self.t_ns) / self.sway_ns
        dx, dy = direction_vector(self.seat_deg)
        along, sideways = self.sway_mm * math.sin(phase), self.sway_mm * math.cos(1.7 * phase)
        x, y = self.place[0] + dx * along - dy * sideways, self.place[1] + dy * along + dx * sideways
        for index, (card_id, card) in enumerate(self.cards):
            turn_deg = 11.0 * (index - (len(self.cards) - 1) / 2)
            # The cards of a fan turn about the hand that holds it.
            up = direction_vector(self.seat_deg + 180 + turn_deg)
            centre = x + dx * 40 + up[0] * 40, y + dy * 40 + up[1] * 40
            pose = CardPose(*centre, self.seat_deg + 180 + turn_deg, 60.0)
            moving.carried.append(SceneCard(card_id, card, pose))
        tip = offset_point((x, y), self.seat_deg, 25.0)
        home = offset_point(self.place, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        moving.hands.append(Hand(self.seat, tip, home, 60.0, "hold", left=True))


@dataclass(frozen=True, slots=True)
class Reach(motions_over_time.Reach):
    """Motion: a hand reaches over the table, perhaps with an object in it."""

    held: Literal["cup"] | None = None

    def held_at(self, t_ns: int) -> TableObject | None:
        """Return the object in the hand at ``t_ns``, at its finger tips."""
        if self.held is None:
            return None
        home = offset_point(self.place, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        away = share_away(t_ns, self.t_ns, self.reach_ns, self.stay_ns, self.leave_ns)
        return TableObject(self.held, CardPose(*interpolate(self.place, home, away), self.seat_deg, 60.0))
