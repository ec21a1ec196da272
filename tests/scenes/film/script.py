"""Writes a filmed scene: the acts of every scene, and those that are done at a real table with a pile."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from table.directions import direction_vector
from table.observed_facts import MS
from table.simulation.rendering.motions_over_time import (
    PUSH_DURATION_NS,
    CardPose,
    HandPose,
    offset_point,
)
from tests.scenes.film.look import random_look
from tests.scenes.film.motions import Deal, HoldPack, LayAndPush, LayWithLeftHand, Linger, Place
from tests.scenes.scenario import START_NS, Scenario
from tests.scenes.script import EASY, FAST, Pace, Script
from tests.simulation.scene_motions import TableObject

SQUARE_MM: Final = 10.0
"""A card laid squarely lies so near the pile's place ..."""
SQUARE_DEG: Final = 10.0
"""... and so much in its direction at most."""
INTERVAL_MS: Final = (500.0, 2000.0)
"""Between two landings on a pile."""


class FilmScript(Script):
    """A filmed scene under way."""

    def __init__(
        self, stream: str, kind: str, number: int, rng: np.random.Generator, players: int | None = None
    ):
        super().__init__(stream, kind, number, rng, players)
        self.film = random_look(rng)
        camera = replace(self.config.camera, size=self.film.size, homography=self.film.homography)
        self.config = replace(self.config, camera=camera)
        self._pile = CardPose(float(rng.normal(0, 7)), float(rng.normal(0, 7)), float(rng.uniform(0, 360)))

    def scenario(self) -> Scenario:
        """The finished scene."""
        return replace(super().scenario(), film=self.film)

    # --- the room -----------------------------------------------------------------------------------------------

    def dim(self) -> None:
        """A single weak lamp: darker, noisier, and the shutter open for longer."""
        gain = self.uniform(0.45, 0.65)
        blue, green, red = (part * gain for part in self.film.light)
        self.film = replace(
            self.film, light=(blue, green, red), noise=self.uniform(3, 5), exposure_ms=self.uniform(18, 28)
        )

    def warm(self) -> None:
        """The yellow light of an old bulb."""
        self.film = replace(self.film, light=(self.uniform(0.5, 0.65), 0.85, 0.98))

    def glass(self) -> None:
        """Somebody's cup stands near the mark."""
        x, y = offset_point((0, 0), self.uniform(0, 360), self.uniform(135, 150))
        self.put(self.someone(), TableObject("cup", CardPose(x, y, 0)), before=True)

    # --- a pile ---------------------------------------------------------------------------------------------------

    def pile_from(self, seat: str) -> None:
        """The pile lies as somebody at that seat lays a card."""
        angle = self.seats[seat].angle + 180 + float(self.rng.normal(0, 12))
        self._pile = replace(self._pile, angle=angle % 360)

    def on_pile(self, *, turned: bool = False) -> CardPose:
        """Return the pose of the next card that is laid squarely; ``turned``: perhaps upside down."""
        dx, dy, turn = np.clip(self.rng.normal(0, 3.6, 3), -7, 7).tolist()
        half = 180 * float(turned and self.rng.random() < 0.5)
        pile = self._pile
        return CardPose(pile.x + dx, pile.y + dy, (pile.angle + half + turn) % 360)

    def lay_squarely(self, seat: str, pace: Pace, *, left: bool = False, turned: bool = False) -> int:
        """Somebody lays a card squarely onto the pile, with the left hand or the right; its id."""
        pose = self.on_pile(turned=turned)
        if not left:
            return self.lay(seat, pose, pace)
        return self.lay(seat, pose, pace, motion=LayWithLeftHand)

    def pause(self) -> None:
        """Time passes as it does between two cards on a pile."""
        self.wait(*INTERVAL_MS)

    def deal(self, seat: str, count: int) -> None:
        """Somebody with the pack in the left hand deals so many cards squarely onto the pile."""
        angle = self.seats[seat].angle
        far = min(self.border(angle + 28) - 35, 230.0)
        x, y = direction_vector(angle + self.uniform(20, 38))
        pack: Place = (x * max(120.0, far), y * max(120.0, far))
        self.pile_from(seat)
        times = [self.t_ns + round(self.uniform(300, 900) * MS)]
        for _ in range(count - 1):
            times.append(times[-1] + round(self.uniform(650, 1600) * MS))
        since = START_NS - 1_000 * MS
        for number, t_ns in enumerate(times):
            last = number == len(times) - 1
            stay_ns, leave_ns = round(self.uniform(40, 160) * MS), round(self.uniform(200, 300) * MS)
            until = 0 if last else t_ns + stay_ns + leave_ns
            card_id, name = self.new_card(None)
            pose = self.on_pile()
            bring_ns = round(self.uniform(230, 330) * MS)
            self.do(
                Deal(
                    t_ns,
                    seat,
                    angle,
                    card_id,
                    name,
                    pose,
                    bring_ns,
                    stay_ns,
                    leave_ns,
                    24.0,
                    None,
                    pack,
                    since,
                    until,
                )
            )
            self.landed(card_id, name, seat, t_ns, pose)
            since = until
        stack = tuple((self.new_card("")[0], None) for _ in range(3))
        end = times[-1] + round(self.uniform(600, 1000) * MS)
        hold = HoldPack(START_NS - 1_000 * MS, seat, angle, end, stack, pack, self.uniform(1, 4), 2_200 * MS)
        self.do(hold)
        self.t_ns = end

    # --- hands ----------------------------------------------------------------------------------------------------

    def linger(
        self,
        seat: str,
        place: Place,
        stay_ms: float,
        pose: HandPose,
        *,
        before: bool = False,
        other_hand: bool = False,
    ) -> None:
        """A hand rests, points or drums at a place, while others act; ``before``: it is there in the first picture.

        ``other_hand``: it is the left one, and the player has the right one free meanwhile.
        """
        reach_ns = round(self.uniform(300, 450) * MS)
        t_ns = max(self.t_ns, self.free[seat] + reach_ns + 40 * MS)
        if before:
            t_ns = START_NS - 500 * MS
        sway_mm, sway_ms = (3.0, 210.0) if pose == "drum" else (self.uniform(0, 2.5), self.uniform(900, 2500))
        angle = self.seats[seat].angle
        stay_ns = round(stay_ms * MS)
        busy_ns = self.free[seat]
        self.do(
            Linger(
                t_ns, seat, angle, place, (), reach_ns, stay_ns, pose=pose, sway_mm=sway_mm,
                sway_ns=round(sway_ms * MS), left=other_hand,
            )
        )  # fmt: skip
        if other_hand:
            self.free[seat] = busy_ns

    def lay_and_push(self, seat: str) -> int:
        """Somebody lays a card, holds it for 0.3 s and pushes it 50 mm with the same fingers; its id."""
        there = self.usual(seat)
        dx, dy = direction_vector(self.uniform(0, 360))
        start = replace(there, x=there.x - 50 * dx, y=there.y - 50 * dy)
        if np.hypot(start.x, start.y) > 90:  # towards the middle rather than from the border
            start = replace(there, x=there.x * 0.2, y=there.y * 0.2)
            there = replace(start, x=start.x + 50 * dx, y=start.y + 50 * dy)
        held_ns = round(self.uniform(250, 400) * MS)
        card_id = self.lay(seat, start, EASY, motion=partial(LayAndPush, pushed_to=there, held_ns=held_ns))
        self.poses[card_id] = there
        # Its place may be told as before the push or as after it.
        middle = ((start.x + there.x) / 2, (start.y + there.y) / 2)
        self.cards[card_id] = replace(self.cards[card_id], place=middle)
        self.t_ns += held_ns + PUSH_DURATION_NS
        return card_id

    def drop_and_pick_up(self, seat: str) -> None:
        """A card falls from somebody's hand, is picked up at once and laid again."""
        card_id = self.lay(seat, pace=FAST)
        name = self.cards[card_id].name
        self.wait(350, 900)
        self.take(seat, [card_id], back=True)
        self.wait(300, 700)
        self.lay(seat, name=name)
