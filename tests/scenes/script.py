"""Writes a scene: people lay, throw, push and take cards at times of their own, and what is true is noted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from table.cards import pack
from table.config.settings import SeatConfig
from table.directions import direction_vector
from table.observed_facts import MS
from table.simulation.players.player_strategy import choose_card_pose, overlap_share
from table.simulation.rendering.card_artwork import STYLES
from table.simulation.rendering.hand_outlines import SKINS
from table.simulation.rendering.motions_over_time import (
    IDLE_HAND_DISTANCE_MM,
    CardPose,
    Lay,
    Motion,
    Take,
)
from table.simulation.simulated_config import make_simulated_config, random_room
from tests.scenes.scenario import START_NS, Scenario, Tie, TrueCard
from tests.simulation.scene_camera import SceneAppearance
from tests.simulation.scene_motions import Hold, Put, Reach, TableObject, Throw

SIZE = (960, 640)
"""The mark's square in full and a hand's breadth around it, at 1.6 pixels a millimetre."""
FPS = 30.0
BARE_MS = 600.0
"""So long nothing lies there, at first."""
AFTER_MS = 900.0
"""So long the last picture is held, in the end."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a hand brings, stays and leaves: the least and the most, ms."""

    bring: tuple[float, float] = (320.0, 470.0)
    stay: tuple[float, float] = (60.0, 250.0)
    leave: tuple[float, float] = (260.0, 360.0)


EASY = Pace()
FAST = Pace((215.0, 260.0), (20.0, 80.0), (180.0, 260.0))
"""A child's: 120 ms from the picture's border to the mark."""
SLOW = Pace((600.0, 900.0), (80.0, 250.0), (260.0, 360.0))
"""A card slid over the cloth."""


class Script:
    """A scene under way; ``t_ns`` is the moment up to which things have happened."""

    def __init__(
        self, stream: str, kind: str, number: int, rng: np.random.Generator, players: int | None = None
    ):
        self._title = (stream, kind, number)
        self.rng = rng
        self.seed = int(rng.integers(2**31))
        count = players or int(rng.integers(2, 8))
        self.config = make_simulated_config("whysteria", count, seed=self.seed, size=SIZE, fps=FPS)
        self.seats: dict[str, SeatConfig] = {seat.name: seat for seat in self.config.seats}
        self.style = str(rng.choice(list(STYLES)))
        self.photographed = bool(rng.random() < 0.5)
        self.look = self._room()
        self._deck = [str(name) for name in rng.permutation([str(card) for card in pack()])]
        self.t_ns = START_NS + round(BARE_MS * MS)
        self.poses: dict[int, CardPose] = {}
        """What lies on the mark, from the lowest to the topmost."""
        self._strokes: list[Motion] = []
        self.cards: dict[int, TrueCard] = {}
        self._ties: list[Tie] = []
        self.free: dict[str, int] = dict.fromkeys(self.seats, START_NS)
        self._next = 1

    # --- the room ---------------------------------------------------------------------------------------------

    def _room(self) -> SceneAppearance:
        rng = self.rng
        return SceneAppearance.of_room(
            random_room(int(rng.integers(2**31))),
            mark=("ring", "ring", "ring", "joker", "none")[int(rng.integers(5))],
            noise=float(rng.uniform(1.5, 3.2)),
            noise_fields=1,
            exposure_ms=float(rng.uniform(4, 12)),
            readout_ms=float(rng.choice([0.0, rng.uniform(8, 25)])),
            lit_arms=True,
        )

    def dim(self) -> None:
        """A single weak lamp: darker, noisier, and the shutter open for longer."""
        light = float(self.rng.uniform(0.35, 0.55))
        blue, green, red = (part * light for part in self.look.warmth)
        self.look = replace(
            self.look,
            warmth=(blue, green, red),
            noise=float(self.rng.uniform(3.5, 5.5)),
            exposure_ms=float(self.rng.uniform(14, 28)),
        )

    def warm(self) -> None:
        """The yellow light of an old bulb."""
        self.look = replace(self.look, warmth=(float(self.rng.uniform(0.55, 0.72)), 0.9, 1.02))

    def alike(self) -> None:
        """Sleeves of the cloth's own colour, or bare arms upon a cloth of the skin's."""
        near = float(self.rng.uniform(0.85, 1.18))
        if self.rng.random() < 0.5:
            self.look = replace(self.look, sleeve=_shade(self.look.cloth, near))
        else:
            skin = SKINS[int(self.rng.integers(len(SKINS)))]
            self.look = replace(self.look, cloth=_shade(skin, near), skin=skin, sleeve=skin)

    def glass(self) -> None:
        """Somebody's glass stands near the mark."""
        self.look = replace(self.look, glass=True)

    # --- choices ----------------------------------------------------------------------------------------------

    def someone(self, *but: str) -> str:
        """Anybody, but not these where there are others."""
        others = [name for name in self.seats if name not in but] or list(self.seats)
        return str(self.rng.choice(others))

    def uniform(self, low: float, high: float) -> float:
        """A number between these."""
        return float(self.rng.uniform(low, high))

    def wait(self, low_ms: float, high_ms: float) -> None:
        """Time passes."""
        self.t_ns += round(self.uniform(low_ms, high_ms) * MS)

    def usual(self, seat: str) -> CardPose:
        """Where somebody lays a card who wants all to see the trick."""
        return choose_card_pose(
            self.rng,
            self.seats[seat].angle,
            list(self.poses.values()),
            players=min(7, max(3, len(self.seats))),
        )

    # --- acts -------------------------------------------------------------------------------------------------

    def lay(
        self,
        seat: str,
        pose: CardPose | None = None,
        pace: Pace = EASY,
        *,
        slid: bool = False,
        at_ns: int | None = None,
        name: str | None = None,
        face_down: bool = False,
        motion: Callable[..., Lay] = Lay,
    ) -> int:
        """A hand brings a card and goes; its id. Not before that arm is free, unless ``at_ns`` is given.

        ``motion`` makes the motion from what ``Lay`` takes.
        """
        pose = pose or self.usual(seat)
        bring, stay, leave = (round(self.uniform(*part) * MS) for part in (pace.bring, pace.stay, pace.leave))
        t_ns = max(self.t_ns, self.free[seat] + bring + 40 * MS) if at_ns is None else at_ns
        number, name = self.new_card(name)
        angle = self.seats[seat].angle
        dx, dy = direction_vector(angle)
        aside = self.uniform(-40, 40)
        self.do(
            motion(
                t_ns,
                seat,
                angle,
                number,
                None if face_down else name,
                pose,
                bring,
                stay,
                leave,
                0.0 if slid else 26.0,
                (
                    dx * (IDLE_HAND_DISTANCE_MM + 30) - dy * aside,
                    dy * (IDLE_HAND_DISTANCE_MM + 30) + dx * aside,
                ),
            )
        )
        self.landed(number, "" if face_down else name, seat, t_ns, pose)
        return number

    def throw(self, seat: str, pose: CardPose | None = None, *, at_ns: int | None = None) -> int:
        """A card is let go at the table's edge and comes to rest with no hand near it."""
        pose = pose or self.usual(seat)
        fly, bring = round(self.uniform(220, 420) * MS), round(self.uniform(220, 320) * MS)
        t_ns = max(self.t_ns, self.free[seat] + fly + bring + 40 * MS) if at_ns is None else at_ns
        number, name = self.new_card(None)
        angle = self.seats[seat].angle
        dx, dy = direction_vector(angle)
        far, spin = self.uniform(170, 230), self.uniform(-160, 160)
        self.do(Throw(t_ns, seat, angle, number, name, pose, (dx * far, dy * far), fly, spin, bring))
        self.landed(number, name, seat, t_ns, pose)
        return number

    def tie(
        self,
        overlapped: float,
        pace: Pace = EASY,
        *,
        crossing: bool = False,
        thrown: bool = False,
        seats: tuple[str, str] | None = None,
    ) -> tuple[int, int]:
        """Two lead at once, the second's card covering that share of the first's; their ids."""
        one = seats[0] if seats else self.someone()
        other = seats[1] if seats else self.someone(one)
        gap_ms = 0.0 if self.rng.random() < 0.12 else self.uniform(0, 250)
        first, second = self._pair(one, other, overlapped, crossing)
        at = max(self.t_ns, max(self.free[one], self.free[other]) + round((pace.bring[1] + 40) * MS))
        if thrown:
            at += 750 * MS
        # At the very same moment, too, one comes to lie below.
        then = at + max(1, round(gap_ms * MS))
        if thrown:
            ids = self.throw(one, first, at_ns=at), self.throw(other, second, at_ns=then)
        else:
            ids = self.lay(one, first, pace, at_ns=at), self.lay(other, second, pace, at_ns=then)
        self._ties.append(Tie(*ids, gap_ms, overlap_share(first, second)))
        return ids

    def take(self, seat: str, ids: Sequence[int], *, back: bool = False) -> None:
        """A hand takes cards off the mark."""
        reach, stay, leave = (round(self.uniform(*part) * MS) for part in ((260, 420), (60, 160), (280, 420)))
        t_ns = max(self.t_ns, self.free[seat] + reach + stay + 40 * MS)
        middle = np.mean([(self.poses[one].x, self.poses[one].y) for one in ids], axis=0)
        grip = float(middle[0]), float(middle[1])
        self.do(Take(t_ns, seat, self.seats[seat].angle, tuple(ids), grip, reach, stay, leave))
        for one in ids:
            del self.poses[one]
            self.cards[one] = replace(self.cards[one], taken_ns=t_ns, taken_by=seat, taken_back=back)
        self.t_ns = t_ns

    def gather(self) -> None:
        """Somebody sweeps up everything."""
        self.wait(800, 1300)
        self.take(self.someone(), list(self.poses))

    def push(self, seat: str, moved: Sequence[tuple[int, CardPose]]) -> None:
        """A hand pushes cards about; they stay the same cards."""
        reach, stay = round(self.uniform(260, 400) * MS), round(self.uniform(180, 350) * MS)
        t_ns = max(self.t_ns, self.free[seat] + reach + 40 * MS)
        old = self.poses[moved[0][0]]
        dx, dy = direction_vector(self.seats[seat].angle)
        tip = old.x + dx * 36, old.y + dy * 36
        self.do(Reach(t_ns, seat, self.seats[seat].angle, tip, tuple(moved), reach, stay))
        self.poses.update(moved)
        self.t_ns = t_ns + 150 * MS

    def reach(self, seat: str, place: tuple[float, float], stay_ms: float, *, cup: bool = False) -> None:
        """A hand comes over the table and goes again, perhaps with a cup in it."""
        reach = round(self.uniform(300, 450) * MS)
        t_ns = max(self.t_ns, self.free[seat] + reach + 40 * MS)
        held: Literal["cup"] | None = "cup" if cup else None
        angle = self.seats[seat].angle
        self.do(Reach(t_ns, seat, angle, place, (), reach, round(stay_ms * MS), held=held))
        self.t_ns = t_ns + round(stay_ms * MS)

    def put(self, seat: str, thing: TableObject, *, before: bool = False) -> None:
        """Somebody sets a thing down; ``before``: it stood there from the start."""
        t_ns = START_NS - 5_000 * MS if before else max(self.t_ns, self.free[seat] + 480 * MS)
        self.do(Put(t_ns, seat, self.seats[seat].angle, thing))
        if not before:
            self.t_ns = t_ns

    def hold(self, seat: str) -> None:
        """Somebody holds a fan of cards so that the camera sees part of it at the picture's border."""
        angle = self.seats[seat].angle
        dx, dy = direction_vector(angle)
        far = self.border(angle) + 44 - self.uniform(20, 55)
        up = self.rng.random() < 0.5
        names = [self.new_card(None) for _ in range(int(self.rng.integers(2, 6)))]
        fan = tuple((number, name if up else None) for number, name in names)
        sway = self.uniform(2, 8), round(self.uniform(1_500, 4_000) * MS)
        end = START_NS + 60_000 * MS
        self._strokes.append(
            Hold(START_NS - 1_000 * MS, seat, angle, end, fan, (dx * far, dy * far), sway[0], sway[1])
        )

    def scenario(self) -> Scenario:
        """The finished scene."""
        ends = [stroke.end_ns for stroke in self._strokes if not isinstance(stroke, Hold)]
        stream, kind, number = self._title
        return Scenario(
            kind=kind,
            stream=stream,
            number=number,
            config=self.config,
            seed=self.seed,
            look=self.look,
            style=self.style,
            photographed=self.photographed,
            strokes=tuple(self._strokes),
            end_ns=max([self.t_ns, *ends]) + round(AFTER_MS * MS),
            cards=tuple(sorted(self.cards.values(), key=lambda card: card.landed_ns)),
            ties=tuple(self._ties),
        )

    # --- small things -----------------------------------------------------------------------------------------

    def new_card(self, name: str | None) -> tuple[int, str]:
        number = self._next
        self._next += 1
        return number, name or self._deck.pop()

    def do(self, stroke: Motion) -> None:
        """Let a motion happen; its arm is busy meanwhile."""
        self._strokes.append(stroke)
        self.free[stroke.seat] = max(self.free[stroke.seat], stroke.end_ns)

    def landed(self, number: int, name: str, seat: str, t_ns: int, pose: CardPose) -> None:
        upon = tuple(other for other, lying in self.poses.items() if overlap_share(pose, lying) > 0.004)
        self.poses[number] = pose
        self.cards[number] = TrueCard(number, name, seat, t_ns, (pose.x, pose.y), upon)
        self.t_ns = max(self.t_ns, t_ns)

    def _pair(self, one: str, other: str, share: float, crossing: bool) -> tuple[CardPose, CardPose]:
        """Where two tied cards come to lie."""
        rng = self.rng
        turn, turn_other = self.seats[one].angle, self.seats[other].angle
        if crossing:  # each reaches across to the other's side
            (x, y), (x2, y2) = direction_vector(turn_other), direction_vector(turn)
            out = self.uniform(18, 36)
            way = np.array([x2 - x, y2 - y])
        else:
            x, y = direction_vector(turn)
            out = self.uniform(-5, 25)
            way = np.array(direction_vector(turn_other + self.uniform(-60, 60)))
        angle = (turn + 180 + float(rng.normal(0, 11))) % 360
        first = CardPose(x * out + float(rng.normal(0, 6)), y * out + float(rng.normal(0, 6)), angle)
        way = way / np.linalg.norm(way)
        turned = (turn_other + 180 + float(rng.normal(0, 11))) % 360
        if overlap_share(first, replace(first, angle=turned)) < share + 0.02:
            # Only a card that lies nearly as the first does can cover so much of it.
            turned = (angle + 180 * int(rng.integers(2)) + float(rng.normal(0, 2.0))) % 360
        low, high = 0.0, 120.0
        for _ in range(24):
            far = (low + high) / 2
            common = overlap_share(first, CardPose(first.x + way[0] * far, first.y + way[1] * far, turned))
            low, high = (far, high) if common > share else (low, far)
        far = high + (0.0 if share > 0 else self.uniform(2, 30))
        if share == 0:  # both stay well on the mark
            first = CardPose(first.x - way[0] * far / 2, first.y - way[1] * far / 2, angle)
        return first, CardPose(first.x + float(way[0]) * far, first.y + float(way[1]) * far, turned)

    def border(self, degrees: float) -> float:
        """How far from the mark the picture ends in that direction, mm."""
        matrix, size = np.array(self.config.camera.homography), self.config.camera.size
        dx, dy = direction_vector(degrees)
        for far in range(100, 400, 2):
            x, y, w = matrix @ (dx * far, dy * far, 1.0)
            if not (0 <= x / w < size[0] and 0 <= y / w < size[1]):
                return float(far)
        return 400.0


def _shade(colour: tuple[int, int, int], by: float) -> tuple[int, int, int]:
    blue, green, red = (int(np.clip(round(part * by), 0, 255)) for part in colour)
    return blue, green, red
