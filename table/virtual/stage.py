"""The stage of a virtual game: hands, mark, clock, and the house, who is told exactly what happens.

The director writes what people do into it: presses and motions at exact times. The house rules on what they did, not
on what could be seen of it, so its rulings are what really happened, and what the players react to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from table.cards import Card, cards
from table.config import SeatConfig, TableConfig
from table.events.happenings import BidValue
from table.facts import MS, Call, CardFact, CardGone, CardLanded, Edge, Gesture, Reading
from table.games.base import Expected, State
from table.virtual.acts import Act, Bade, Called, Laid, Rapped, Taken
from table.virtual.buttons import Fingers
from table.virtual.house import House, Windows
from table.virtual.players import Mind, lay_pose, overlap, readable
from table.virtual.scene import Lay, Pose, Reach, Stroke, Take, direction
from table.virtual.standing import expected_of, legal_bids, legal_plays, state_of
from table.virtual.world import FrameClock, World

REACTION_NS = 350 * MS
"""Nobody reaches for a card sooner after it, or another, has come to lie on the mark."""

LONGEST_NS = 3 * 3600 * 1_000 * MS
"""No virtual game takes longer."""


@dataclass(frozen=True, slots=True)
class OnMark:
    """A card that somebody laid on the mark."""

    id: int
    seat: str
    card: Card
    pose: Pose


class Stage:
    """Everything that the director acts upon."""

    def __init__(self, config: TableConfig, seed: int, pace: float, start_ns: int) -> None:
        self.config = config
        self.seed = seed
        self.pace = pace
        self.rng = np.random.default_rng((seed, 21))
        self.seats: dict[str, SeatConfig] = {seat.name: seat for seat in config.seats}
        windows = Windows(config.buttons.tie_window_ms * MS, config.camera.tie_window_ns)
        self.house = House(config.game, config.names, config.options, windows, start_ns)
        self.fingers = Fingers(self.rng, config.buttons)
        self.minds = {
            name: Mind(name, float(self.rng.normal(0, 0.25)), float(self.rng.uniform(0.75, 1.3)))
            for name in config.names
        }
        self.start_ns = start_ns
        self.t_ns = start_ns
        """What has happened up to here has been seen by all."""
        self.settled_ns = start_ns
        """The house has ruled on everything up to here; nothing new is stamped before it."""
        self.hands: dict[str, list[Card]] = {name: [] for name in config.names}
        """The cards in the players' hands."""
        self.mark: dict[int, OnMark] = {}
        self._edges: list[Edge] = []
        self._calls: list[Call] = []
        self._cards: list[CardFact] = []
        self._strokes: list[Stroke] = []
        self._acts: list[Act] = []
        """What the house has not ruled on yet."""
        self._arm_free: dict[str, int] = {}
        self._landed_ns = start_ns
        self._fingers_free: dict[str, int] = {}
        self._next_id = 1
        self._clock = FrameClock(start_ns, start_ns + LONGEST_NS, config.camera.fps, seed)

    # --- what the director asks ---------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """Where the game stands."""
        return state_of(self.house)

    @property
    def expected(self) -> Expected:
        """What may happen next."""
        return expected_of(self.house)

    def chance(self, probability: float) -> bool:
        """A throw of the dice."""
        return float(self.rng.random()) < probability

    def pick(self, seats: Sequence[str]) -> str:
        """One of several."""
        return seats[int(self.rng.integers(len(seats)))]

    def after(self, low_ms: float, high_ms: float, seat: str | None = None) -> int:
        """A moment so long after what all have seen, at this game's pace and that player's tempo."""
        tempo = self.minds[seat].tempo if seat else 1.0
        wait = float(self.rng.uniform(low_ms, high_ms)) * self.pace * tempo
        return max(self.t_ns + round(wait * MS), self.settled_ns + 40 * MS)

    def pack(self) -> list[Card]:
        """All cards, in order."""
        return list(cards(self.house.naive.pack()))

    def legal(self, seat: str, *more: Card) -> tuple[Card, ...]:
        """The cards that ``seat`` may play now by the rules, of its hand (and ``more`` that were in it just now)."""
        return legal_plays(self.house, seat, [*self.hands[seat], *more])

    def legal_bids(self, seat: str) -> list[BidValue]:
        """The bids that ``seat`` may make now."""
        return legal_bids(self.house, seat)

    # --- what the director does ---------------------------------------------------------------------------------

    def press(self, seat: str, gesture: Gesture, count: int, t_ns: int) -> Call:
        """Somebody uses the buttons."""
        t_ns = max(t_ns, self._fingers_free.get(seat, 0))
        pressed = self.fingers.press(self.seats[seat], gesture, count, t_ns)
        gap = self.config.buttons.tap_gap_ms * MS
        self._fingers_free[seat] = max(pressed.call.end_ns, pressed.edges[-1].t_ns + gap) + 60 * MS
        self._edges += pressed.edges
        self._calls.append(pressed.call)
        self.seen(pressed.call.end_ns)
        return pressed.call

    def bid(self, seat: str, number: BidValue, t_ns: int) -> Call:
        """Somebody bids."""
        if number == "double nil":
            call = self.press(seat, Gesture.DOUBLE_NIL, 0, t_ns)
        else:
            count = int(number)
            call = self.press(seat, Gesture.TAPS if count else Gesture.ZERO, count, t_ns)
        self._acts.append(Bade(call.t_ns, call.end_ns, seat, number))
        return call

    def rap(self, seat: str, t_ns: int) -> Call:
        """Somebody raps the table."""
        call = self.press(seat, Gesture.RAP, 0, t_ns)
        self._acts.append(Rapped(call.t_ns, seat))
        return call

    def call(self, seat: str, called: str, t_ns: int, turned: Call | None = None) -> Call:
        """Somebody calls what the own dial shows, by a rap, since ``turned``; with nothing on it that is a pass."""
        call = self.press(seat, Gesture.RAP, 0, t_ns)
        self._acts.append(Called(call.t_ns, seat, called, None if turned is None else turned.t_ns))
        return call

    def landing(self, seat: str, t_ns: int) -> int:
        """When the seat's arm can lay a card down, at ``t_ns`` or later."""
        return max(t_ns, self._arm_free.get(seat, 0) + 480 * MS)

    def lay(
        self,
        seat: str,
        card: Card,
        t_ns: int,
        *,
        upon: int | None = None,
        apart: bool = False,
        face_down: bool = False,
    ) -> OnMark:
        """Somebody lays a card on the mark, so that it comes to rest at exactly ``t_ns`` (see ``landing``)."""
        pile = [lying.pose for lying in self.mark.values()]
        below = self.mark[upon].pose if upon is not None else None
        side = self.seats[seat].angle
        pose = lay_pose(self.rng, side, pile, players=len(self.state.players), upon=below, apart=apart)
        lying = OnMark(self._next_id, seat, card, pose)
        self._next_id += 1
        beneath = tuple(other.id for other in self.mark.values() if overlap(pose, other.pose) > 0.004)
        self.mark[lying.id] = lying
        self.hands[seat].remove(card)
        bring, stay, leave = self.rng.uniform((320, 90, 260), (470, 200, 360))
        stroke = Lay(
            t_ns,
            seat,
            side,
            lying.id,
            None if face_down else str(card),
            pose,
            round(bring * MS),
            round(stay * MS),
            round(leave * MS),
        )
        self._stroke(stroke)
        self._landed_ns = t_ns
        self._acts.append(Laid(t_ns, lying.id, seat, str(card), not face_down, beneath))
        self._cards.append(
            CardLanded(
                t_ns=t_ns,
                id=lying.id,
                readings=() if face_down else (Reading(str(card), 1.0),),
                place_mm=(pose.x, pose.y),
                angle_deg=pose.angle,
                arm_deg=side,
                arm_sure=1.0,
                frame=self._clock.first_at(t_ns),
                upon=beneath,
                overlaps=beneath,
            )
        )
        self.seen(t_ns)
        return lying

    def take(self, seat: str, ids: Sequence[int], t_ns: int, *, to_hand: bool) -> None:
        """Somebody takes cards from the mark, which begin to move at ``t_ns`` or, the arm busy, later."""
        reach = 420 * MS
        t_ns = max(t_ns, self._arm_free.get(seat, 0) + reach + 40 * MS, self._landed_ns + REACTION_NS + reach)
        taken = [self.mark.pop(one) for one in ids]
        middle = np.mean([(lying.pose.x, lying.pose.y) for lying in taken], axis=0)
        side = self.seats[seat].angle
        self._stroke(Take(t_ns, seat, side, tuple(ids), (float(middle[0]), float(middle[1]))))
        self._acts.append(Taken(t_ns, tuple(ids), seat, to_hand))
        for lying in taken:
            self._cards.append(CardGone(t_ns, lying.id, side, not self.mark))
            if to_hand:
                self.hands[lying.seat].append(lying.card)
        self.seen(t_ns + 380 * MS)

    def reach(self, seat: str, t_ns: int, stay_ms: float) -> None:
        """Somebody's hand comes over the mark, stays for a while and goes, having done nothing."""
        t_ns = max(t_ns, self._arm_free.get(seat, 0) + 400 * MS)
        side = self.seats[seat].angle
        dx, dy = direction(side)
        near = float(self.rng.uniform(-15, 45))
        self._stroke(Reach(t_ns, seat, side, (dx * near, dy * near), stay_ns=round(stay_ms * MS)))
        self.seen(self._arm_free[seat])

    def nudge(self, seat: str, number: int, t_ns: int) -> None:
        """Somebody pushes a card on the mark a little; it stays the same card, and all stay readable."""
        t_ns = max(t_ns, self._arm_free.get(seat, 0) + 400 * MS)
        pile = list(self.mark.values())
        at = next(place for place, lying in enumerate(pile) if lying.id == number)
        old = pile[at].pose
        for _ in range(40):
            dx, dy, turn = self.rng.normal(0, (7, 7, 5))
            new = Pose(old.x + float(dx), old.y + float(dy), old.angle + float(turn))
            poses = [new if lying.id == number else lying.pose for lying in pile]
            if abs(complex(dx, dy)) > 4 and readable(poses):
                break
        else:
            return
        self.mark[number] = replace(pile[at], pose=new)
        side = self.seats[seat].angle
        dx, dy = direction(side)
        tip = (old.x + dx * 38, old.y + dy * 38)
        self._stroke(Reach(t_ns, seat, side, tip, ((number, new),)))
        self.seen(self._arm_free[seat])

    def same_frame(self, t_ns: int) -> int:
        """A moment, not before ``t_ns``, that lies well before a frame and well after the one before it."""
        number = self._clock.first_at(t_ns) + 1
        return (self._clock.time_of(number - 1) + self._clock.time_of(number)) // 2

    def seen(self, t_ns: int) -> None:
        """Everybody has seen what happened up to ``t_ns``."""
        self.t_ns = max(self.t_ns, t_ns)

    def settle(self) -> None:
        """The house rules on what has happened."""
        window = max(self.config.camera.tie_window_ns, self.config.buttons.tie_window_ms * MS)
        # A tie window is open for so long after a landing; nothing else may happen in it by accident.
        until = max(
            [self.t_ns + 30 * MS, self.settled_ns, *(act.t_ns + window + 60 * MS for act in self._acts)]
        )
        self.house.settle(self._acts)
        self._acts = []
        self.settled_ns = until

    def wait(self, ms: float) -> None:
        """Nothing happens for a while."""
        self.seen(self.t_ns + round(ms * MS))
        self.settle()

    def world(self) -> World:
        """The finished game."""
        last = max([self.t_ns, *(stroke.end_ns for stroke in self._strokes)])
        return World(
            config=self.config,
            seed=self.seed,
            start_ns=self.start_ns,
            end_ns=last + 1_500 * MS,
            edges=tuple(sorted(self._edges, key=lambda edge: edge.t_ns)),
            strokes=tuple(self._strokes),
            calls=tuple(self._calls),
            cards=tuple(sorted(self._cards, key=lambda fact: (fact.t_ns, fact.id))),
            truth=tuple(self.house.truth),
        )

    def _stroke(self, stroke: Stroke) -> None:
        self._strokes.append(stroke)
        self._arm_free[stroke.seat] = stroke.end_ns
