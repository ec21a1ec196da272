"""Motions of hands that only filmed scenes have."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from table.observed_facts import MS
from table.simulation.rendering.motions_over_time import (
    GRIP_OFFSET_MM,
    IDLE_HAND_DISTANCE_MM,
    PUSH_DURATION_NS,
    CardPose,
    Hand,
    HandPose,
    Lay,
    MovingItems,
    Scene,
    SceneCard,
    interpolate,
    offset_point,
    share_away,
)
from tests.simulation.scene_motions import Hold, Reach

Place = tuple[float, float]
_FACE_SHOWN: Final = 0.55
"""A dealt card is turned over so far from the pile, as a share of its way from the pack."""
_TAKEN_FROM_PACK: Final = 0.97
_WITHDRAWAL_NS: Final = 450 * MS
"""How long a hand that held a pack takes to withdraw."""


@dataclass(frozen=True, slots=True)
class LayWithLeftHand(Lay):
    """Motion: a card is laid by the left hand of somebody who uses both."""

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand, and the card until it lies."""
        Lay.add_to(self, moving, t_ns, scene)
        moving.hands[-1] = replace(moving.hands[-1], left=True)


@dataclass(frozen=True, slots=True)
class LayAndPush(Lay):
    """Motion: a card is laid, held down for a while and pushed on by the same fingers."""

    pushed_to: CardPose = CardPose(0, 0, 0)  # noqa: RUF009 - immutable
    held_ns: int = 300 * MS

    @property
    def pushed(self) -> tuple[tuple[int, CardPose], ...]:
        """The card, with the pose in which it ends."""
        return ((self.id, self.pushed_to),)

    @property
    def push_ns(self) -> int:
        """Time at which it pushes."""
        return self.t_ns + self.held_ns

    @property
    def end_ns(self) -> int:
        """Time at which the hand is out of view."""
        return self._pushed_ns + self.stay_ns + self.leave_ns

    @property
    def _pushed_ns(self) -> int:
        return self.push_ns + PUSH_DURATION_NS

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand, and the card until it lies."""
        if t_ns < self.t_ns:
            Lay.add_to(self, moving, t_ns, scene)
            return
        card = scene.resting_pose(self.id, min(t_ns, self._pushed_ns))
        target_tip = offset_point((card.x, card.y), self.seat_deg, GRIP_OFFSET_MM)
        home = self.home or offset_point(target_tip, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        away = share_away(max(t_ns, self._pushed_ns), self._pushed_ns, 1, self.stay_ns, self.leave_ns)
        pose: HandPose = "lay" if away == 0 else "leave"
        moving.hands.append(Hand(self.seat, interpolate(target_tip, home, away), home, 6 + 30 * away, pose))


@dataclass(frozen=True, slots=True)
class Linger(Reach):
    """Motion: a hand comes over the table, stays and moves a little."""

    pose: HandPose = "rest"
    sway_mm: float = 2.0
    sway_ns: int = 1_500 * MS
    left: bool = False

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand."""
        Reach.add_to(self, moving, t_ns, scene)
        hand = moving.hands[-1]
        sway = self.sway_mm * math.sin(2 * math.pi * (t_ns - self.t_ns) / self.sway_ns)
        moving.hands[-1] = replace(
            hand, tip=offset_point(hand.tip, self.seat_deg, sway), pose=self.pose, left=self.left
        )


@dataclass(frozen=True, slots=True)
class HoldPack(Hold):
    """Motion: a player's left hand holds the pack, and withdraws in the end."""

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand with the pack's topmost cards."""
        withdrawn = max(0.0, 1 - (self.end_ns - t_ns) / _WITHDRAWAL_NS)
        sway = self.sway_mm * math.sin(2 * math.pi * (t_ns - self.t_ns) / self.sway_ns)
        x, y = offset_point(self.place, self.seat_deg, sway + 500 * withdrawn**2)
        for number, (card_id, name) in enumerate(self.cards):
            pose = CardPose(x + 0.7 * number, y - 0.9 * number, self.seat_deg + 172, 40.0 + number)
            moving.carried.append(SceneCard(card_id, name, pose))
        tip = offset_point((x, y), self.seat_deg, 25.0)
        home = offset_point(self.place, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        moving.hands.append(Hand(self.seat, tip, home, 40.0, "hold", left=True))


@dataclass(frozen=True, slots=True)
class Deal(Lay):
    """Motion: a hand takes a card from the pack, turns it over, lays it and goes back to the pack."""

    pack: Place = (0.0, 0.0)
    """Where the cards of the pack are."""
    from_ns: int = 0
    """From then on the hand waits at the pack."""
    until_ns: int = 0
    """Then it takes the next card; 0: it does not go back but withdraws."""

    @property
    def start_ns(self) -> int:
        """Time at which the hand is first in view."""
        return self.from_ns

    @property
    def end_ns(self) -> int:
        """Time at which the next motion begins, or the hand is out of view."""
        return self.until_ns or self.t_ns + self.stay_ns + self.leave_ns

    def add_to(self, moving: MovingItems, t_ns: int, scene: Scene) -> None:
        """Add the hand, and the card until it lies."""
        target_tip = offset_point((self.rest.x, self.rest.y), self.seat_deg, GRIP_OFFSET_MM)
        at_pack = offset_point(self.pack, self.seat_deg, GRIP_OFFSET_MM)
        elbow = offset_point(target_tip, self.seat_deg, IDLE_HAND_DISTANCE_MM)
        start_ns = self.t_ns - self.bring_ns
        away = share_away(max(t_ns, start_ns), self.t_ns, self.bring_ns, self.stay_ns, self.leave_ns)
        back = elbow if t_ns > self.t_ns and not self.until_ns else at_pack
        tip = interpolate(target_tip, back, min(1.0, away))
        # The elbow follows the hand half of its way.
        home = interpolate(elbow, offset_point(at_pack, self.seat_deg, IDLE_HAND_DISTANCE_MM), 0.5 * away)
        leaves = t_ns >= self.t_ns + self.stay_ns
        if t_ns < self.t_ns and away < _TAKEN_FROM_PACK:
            x, y = (self.rest.x + tip[0] - target_tip[0], self.rest.y + tip[1] - target_tip[1])
            pose = CardPose(x, y, self.rest.angle + 30 * away, self.lift_mm * min(1.0, 2 * away))
            moving.carried.append(SceneCard(self.id, self.card if away < _FACE_SHOWN else None, pose))
        doing: HandPose = "leave" if leaves else "lay"
        moving.hands.append(Hand(self.seat, tip, home, 8 + 25 * away, doing))
