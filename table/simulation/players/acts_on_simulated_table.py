"""The stage of a simulated game: hands, mark, clock and the ground-truth referee.

The director calls the stage to make players act: presses and motions at exact times. The referee rules on the acts
themselves, not on what a camera could see, so its rulings are the true events, and players react to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from table.cards import DOUBLE_NIL, Card, cards
from table.config.settings import SeatConfig, TableConfig
from table.directions import direction_vector
from table.games.engine.game_state import Phase
from table.observed_facts import MS, Call, Edge, Gesture
from table.simulation.players.button_presses import ButtonPresser
from table.simulation.players.ground_truth_referee import GroundTruthReferee
from table.simulation.players.player_strategy import choose_card_pose, every_index_visible, overlap_share
from table.simulation.players.simulated_game import Act, CallAct, FrameClock, LayAct, TakeAct, World
from table.simulation.reference_rules.common import BidValue
from table.simulation.rendering.motions_over_time import (
    CardPose,
    Lay,
    Motion,
    Reach,
    Take,
)

Choice = TypeVar("Choice")

REACTION_NS = 350 * MS
"""Minimum time between any card's landing on the mark and a hand's start to take a card."""

MAX_GAME_NS = 3 * 3600 * 1_000 * MS
"""Upper limit of a simulated game's duration."""


class Stage:
    """State of a simulated game, with methods for every act that a player can do."""

    def __init__(self, config: TableConfig, seed: int, pace: float, start_ns: int) -> None:
        self.config = config
        self.seed = seed
        self.pace = pace
        self.rng = np.random.default_rng((seed, 21))
        self.seats: dict[str, SeatConfig] = {seat.name: seat for seat in config.seats}
        self.referee = GroundTruthReferee(config, start_ns)
        self.game = self.referee.reference
        """The game as all players know it."""
        self.button_presser = ButtonPresser(self.rng, config.buttons)
        self.boldness: dict[str, float] = {}
        """Number that each player adds to the estimated tricks of a hand."""
        self._tempo: dict[str, float] = {}
        """Factor on each player's thinking time."""
        for seat in self.seats:
            self.boldness[seat] = float(self.rng.normal(0, 0.25))
            self._tempo[seat] = float(self.rng.uniform(0.75, 1.3))
        self.start_ns = start_ns
        self.t_ns = start_ns
        """All players have seen what happened up to this time."""
        self.ruled_until_ns = start_ns
        """The referee has ruled on everything up to this time; no new act is stamped before it."""
        self.hands: dict[str, list[Card]] = {name: [] for name in config.names}
        """The cards in each player's hand."""
        self.mark: dict[int, LayAct] = {}
        """The cards on the mark by id, each as it lies there now."""
        self.acts: list[Act] = []
        self.new_acts: list[Act] = []
        """Acts on which the referee has not ruled yet."""
        self.calls: list[Call] = []
        self._edges: list[Edge] = []
        self._motions: list[Motion] = []
        self._arm_free_ns: dict[str, int] = {}
        self._landed_ns = start_ns
        self._fingers_free_ns: dict[str, int] = {}
        self._next_id = 1
        self.clock = FrameClock(start_ns, start_ns + MAX_GAME_NS, config.camera.fps, seed)

    # --- queries ------------------------------------------------------------------------------------------------

    def happens_with(self, probability: float) -> bool:
        """Return True at random with the given probability."""
        return float(self.rng.random()) < probability

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """Return one of the choices at random."""
        return choices[int(self.rng.integers(len(choices)))]

    def pick_several(self, choices: Sequence[Choice], count: int) -> list[Choice]:
        """Return several of the choices in random order."""
        return [choices[number] for number in self.rng.permutation(len(choices))[:count]]

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Return the pack for a deal in random order."""
        return self.pick_several(pack, len(pack))

    def time_after(self, low_ms: float, high_ms: float, seat: str | None = None) -> int:
        """Return a random time ``low_ms`` to ``high_ms`` after what all have seen, scaled by the pace and the tempo."""
        wait = float(self.rng.uniform(low_ms, high_ms)) * self.pace * (self._tempo[seat] if seat else 1.0)
        return max(self.t_ns + round(wait * MS), self.ruled_until_ns + 40 * MS)

    def legal_plays(self, seat: str, *more: Card) -> tuple[Card, ...]:
        """Return the cards that ``seat`` may play now, of its hand and ``more`` (cards just played)."""
        if self.referee.phase not in (Phase.LEAD, Phase.FOLLOW) or seat not in self.game.who_may():
            return ()
        return cards(self.game.legal_plays(seat, [str(card) for card in [*self.hands[seat], *more]]))

    # --- acts of the players ------------------------------------------------------------------------------------

    def press(self, seat: str, gesture: Gesture, count: int, t_ns: int) -> Call:
        """Make a button gesture at ``t_ns``, or later if the player is still pressing; return the call."""
        t_ns = max(t_ns, self._fingers_free_ns.get(seat, 0))
        call, edges = self.button_presser.press(seat, gesture, count, t_ns)
        gap = self.config.buttons.tap_gap_ms * MS
        self._fingers_free_ns[seat] = max(call.end_ns, edges[-1].t_ns + gap) + 60 * MS
        self._edges += edges
        self.calls.append(call)
        self.advance_time(call.end_ns)
        return call

    def press_bid(self, seat: str, bid: BidValue, t_ns: int) -> Call:
        """Make the gesture of a bid."""
        if bid == DOUBLE_NIL:
            return self.press(seat, Gesture.DOUBLE_NIL, 0, t_ns)
        return self.press(seat, Gesture.TAPS if bid else Gesture.ZERO, int(bid), t_ns)

    def bid(self, seat: str, bid: BidValue, t_ns: int) -> None:
        """Make a bid with the buttons."""
        call = self.press_bid(seat, bid, t_ns)
        self.new_acts.append(CallAct(call.t_ns, call.end_ns, seat, bid))

    def turn_dial(self, seat: str, choices: Sequence[str], chosen: str, t_ns: int) -> Call | None:
        """Turn the dial from nothing up to ``chosen``, a tap a step; None if it shows that already."""
        return self.press(seat, Gesture.TAPS, choices.index(chosen) + 1, t_ns)

    def rap(self, seat: str, t_ns: int, *, call: str | None = None, turned: Call | None = None) -> None:
        """Make a rap. ``call``: what it calls, from the dial that the call ``turned`` has turned; else it is a pass."""
        rap = self.press(seat, Gesture.RAP, 0, t_ns)
        self.new_acts.append(CallAct(rap.t_ns, rap.end_ns, seat, call, turned.t_ns if turned else None))

    def countdown_end(self) -> int:
        """Return when the countdown before secret bids is over, once all have rapped."""
        return self.t_ns + 3_200 * MS

    def earliest_landing(self, seat: str, t_ns: int) -> int:
        """Return the earliest time, not before ``t_ns``, at which the seat's arm can lay a card down."""
        return max(t_ns, self._arm_free_ns.get(seat, 0) + 480 * MS)

    def lay(
        self,
        seat: str,
        card: Card,
        t_ns: int,
        *,
        upon: int | None = None,
        apart: bool = False,
        face_up: bool = True,
    ) -> LayAct:
        """Lay a card on the mark; it comes to rest at exactly ``t_ns`` (see ``earliest_landing``)."""
        pile = [laid.pose for laid in self.mark.values()]
        pose_beneath = self.mark[upon].pose if upon is not None else None
        side = self.seats[seat].angle
        players = len(self.game.players)
        pose = choose_card_pose(self.rng, side, pile, players=players, upon=pose_beneath, apart=apart)
        beneath = tuple(lower.id for lower in self.mark.values() if overlap_share(pose, lower.pose) > 0.004)
        laid = LayAct(t_ns, self._next_id, seat, card, face_up, beneath, pose)
        self._next_id += 1
        self.mark[laid.id] = laid
        self.hands[seat].remove(card)
        bring, stay, leave = (round(ms * MS) for ms in self.rng.uniform((320, 90, 260), (470, 200, 360)))
        shown = str(card) if face_up else None
        self._add_motion(Lay(t_ns, seat, side, laid.id, shown, pose, bring, stay, leave))
        self._landed_ns = t_ns
        self.new_acts.append(laid)
        self.advance_time(t_ns)
        return laid

    def take(self, seat: str, ids: Sequence[int], t_ns: int, *, to_hand: bool) -> None:
        """Take cards off the mark; they begin to move at ``t_ns``, or later if the arm is busy."""
        reach = 420 * MS
        t_ns = max(
            t_ns, self._arm_free_ns.get(seat, 0) + reach + 40 * MS, self._landed_ns + REACTION_NS + reach
        )
        taken = [self.mark.pop(card_id) for card_id in ids]
        x, y = np.mean([(card.pose.x, card.pose.y) for card in taken], axis=0)
        self._add_motion(Take(t_ns, seat, self.seats[seat].angle, tuple(ids), (float(x), float(y))))
        self.new_acts.append(TakeAct(t_ns, tuple(ids), seat, to_hand))
        if to_hand:
            for card in taken:
                self.hands[card.seat].append(card.card)
        self.advance_time(t_ns + 380 * MS)

    def reach(self, seat: str, t_ns: int, stay_ms: float) -> None:
        """Move an empty hand over the mark, hold it there for ``stay_ms`` and withdraw it."""
        dx, dy = direction_vector(self.seats[seat].angle)
        near = float(self.rng.uniform(-15, 45))
        self._reach(seat, t_ns, (dx * near, dy * near), stay_ns=round(stay_ms * MS))

    def nudge(self, seat: str, number: int, t_ns: int) -> None:
        """Push a card on the mark a little; the card keeps its id, and all cards keep a visible index."""
        old = self.mark[number].pose
        for _ in range(40):
            dx, dy, turn = self.rng.normal(0, (7, 7, 5))
            new = CardPose(old.x + float(dx), old.y + float(dy), old.angle + float(turn))
            poses = [new if card.id == number else card.pose for card in self.mark.values()]
            if abs(complex(dx, dy)) > 4 and every_index_visible(poses):
                break
        else:
            return
        self.mark[number] = replace(self.mark[number], pose=new)
        dx, dy = direction_vector(self.seats[seat].angle)
        self._reach(seat, t_ns, (old.x + dx * 38, old.y + dy * 38), pushed=((number, new),))

    def advance_time(self, t_ns: int) -> None:
        """Advance the time up to which all players have seen what happened."""
        self.t_ns = max(self.t_ns, t_ns)

    def rule_on_acts(self) -> None:
        """Let the referee rule on the acts since the last call."""
        window = max(self.config.camera.tie_window_ns, self.config.buttons.tie_window_ms * MS)
        acts, self.new_acts = self.new_acts, []
        self.acts += acts
        self.referee.rule_on_acts(acts)
        # A tie window stays open after each act; no other act may fall into it by accident.
        open_until_ns = max((act.t_ns + window + 60 * MS for act in acts), default=0)
        self.ruled_until_ns = max(self.t_ns + 30 * MS, self.ruled_until_ns, open_until_ns)

    def wait(self, ms: float) -> None:
        """Let ``ms`` milliseconds pass without any act, then let the referee rule."""
        self.advance_time(self.t_ns + round(ms * MS))
        self.rule_on_acts()

    def make_world(self) -> World:
        """Return the finished game."""
        last = max([self.t_ns, *(motion.end_ns for motion in self._motions)])
        return World(
            config=self.config,
            seed=self.seed,
            start_ns=self.start_ns,
            end_ns=last + 1_500 * MS,
            edges=tuple(sorted(self._edges, key=lambda edge: edge.t_ns)),
            motions=tuple(self._motions),
            truth=tuple(self.referee.truth),
            calls=tuple(self.calls),
            acts=tuple(self.acts),
        )

    def _reach(
        self,
        seat: str,
        t_ns: int,
        place: tuple[float, float],
        pushed: tuple[tuple[int, CardPose], ...] = (),
        stay_ns: int = 400 * MS,
    ) -> None:
        t_ns = max(t_ns, self._arm_free_ns.get(seat, 0) + 400 * MS)
        self._add_motion(Reach(t_ns, seat, self.seats[seat].angle, place, pushed, stay_ns=stay_ns))
        self.advance_time(self._arm_free_ns[seat])

    def _add_motion(self, motion: Motion) -> None:
        self._motions.append(motion)
        self._arm_free_ns[motion.seat] = motion.end_ns
