"""The stage of a simulated game: hands, mark, clock and the ground-truth referee.

The director calls the stage to make players act: presses and motions at exact times. The referee rules on the acts
themselves, not on what a camera could see, so its rulings are the true events, and players react to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from table.cards import Card, cards
from table.config.settings import SeatConfig, TableConfig
from table.events.game_events import BidValue
from table.games.engine.game_state import Expected, State
from table.observed_facts import MS, Call, CardFact, CardGone, CardLanded, Edge, Gesture, Reading
from table.simulation.players.button_presses import ButtonPresser
from table.simulation.players.ground_truth_referee import GroundTruthReferee, TieWindows
from table.simulation.players.player_strategy import (
    PlayerStyle,
    choose_card_pose,
    every_index_visible,
    overlap_share,
)
from table.simulation.players.simulated_game import FrameClock, World
from table.simulation.players.state_known_to_players import find_expected, legal_bids, legal_plays, make_state
from table.simulation.players.true_player_acts import Act, BidAct, DialAct, LayAct, RapAct, TakeAct
from table.simulation.rendering.motions_over_time import (
    CardPose,
    HandMotion,
    Lay,
    Reach,
    Take,
    direction_vector,
)

REACTION_NS = 350 * MS
"""Minimum time between any card's landing on the mark and a hand's start to take a card."""

MAX_GAME_NS = 3 * 3600 * 1_000 * MS
"""Upper limit of a simulated game's duration."""


@dataclass(frozen=True, slots=True)
class OnMark:
    """A card on the mark with its player and pose."""

    id: int
    seat: str
    card: Card
    pose: CardPose


class Stage:
    """State of a simulated game, with methods for every act that a player can do."""

    def __init__(self, config: TableConfig, seed: int, pace: float, start_ns: int) -> None:
        self.config = config
        self.seed = seed
        self.pace = pace
        self.rng = np.random.default_rng((seed, 21))
        self.seats: dict[str, SeatConfig] = {seat.name: seat for seat in config.seats}
        windows = TieWindows(config.buttons.tie_window_ms * MS, config.camera.tie_window_ns)
        self.referee = GroundTruthReferee(config.game, config.names, config.options, windows, start_ns)
        self.button_presser = ButtonPresser(self.rng, config.buttons)
        self.player_styles = {
            name: PlayerStyle(name, float(self.rng.normal(0, 0.25)), float(self.rng.uniform(0.75, 1.3)))
            for name in config.names
        }
        self.start_ns = start_ns
        self.t_ns = start_ns
        """All players have seen what happened up to this time."""
        self.ruled_until_ns = start_ns
        """The referee has ruled on everything up to this time; no new act is stamped before it."""
        self.hands: dict[str, list[Card]] = {name: [] for name in config.names}
        """The cards in each player's hand."""
        self.mark: dict[int, OnMark] = {}
        self._edges: list[Edge] = []
        self._calls: list[Call] = []
        self._cards: list[CardFact] = []
        self._motions: list[HandMotion] = []
        self._acts: list[Act] = []
        """Acts on which the referee has not ruled yet."""
        self._arm_free_ns: dict[str, int] = {}
        self._landed_ns = start_ns
        self._fingers_free_ns: dict[str, int] = {}
        self._next_id = 1
        self._clock = FrameClock(start_ns, start_ns + MAX_GAME_NS, config.camera.fps, seed)

    # --- queries ------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The game's public state."""
        return make_state(self.referee)

    @property
    def expected(self) -> Expected:
        """What may happen next, and which seats may do it."""
        return find_expected(self.referee)

    def happens_with(self, probability: float) -> bool:
        """Return True at random with the given probability."""
        return float(self.rng.random()) < probability

    def pick_seat(self, seats: Sequence[str]) -> str:
        """Return one of the seats at random."""
        return seats[int(self.rng.integers(len(seats)))]

    def time_after(self, low_ms: float, high_ms: float, seat: str | None = None) -> int:
        """Return a random time ``low_ms`` to ``high_ms`` after what all have seen, scaled by the pace and the tempo."""
        tempo = self.player_styles[seat].tempo if seat else 1.0
        wait = float(self.rng.uniform(low_ms, high_ms)) * self.pace * tempo
        return max(self.t_ns + round(wait * MS), self.ruled_until_ns + 40 * MS)

    def pack(self) -> list[Card]:
        """Return the game's whole pack, in order."""
        return list(cards(self.referee.reference.pack()))

    def legal_plays(self, seat: str, *more: Card) -> tuple[Card, ...]:
        """Return the cards that ``seat`` may play now, of its hand and ``more`` (cards just played)."""
        return legal_plays(self.referee, seat, [*self.hands[seat], *more])

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Return the bids that ``seat`` may make now."""
        return legal_bids(self.referee, seat)

    # --- acts of the players ------------------------------------------------------------------------------------

    def press(self, seat: str, gesture: Gesture, count: int, t_ns: int) -> Call:
        """Make a button gesture at ``t_ns``, or later if the player is still pressing; return the call."""
        t_ns = max(t_ns, self._fingers_free_ns.get(seat, 0))
        pressed = self.button_presser.press(self.seats[seat], gesture, count, t_ns)
        gap = self.config.buttons.tap_gap_ms * MS
        self._fingers_free_ns[seat] = max(pressed.call.end_ns, pressed.edges[-1].t_ns + gap) + 60 * MS
        self._edges += pressed.edges
        self._calls.append(pressed.call)
        self.advance_time(pressed.call.end_ns)
        return pressed.call

    def bid(self, seat: str, number: BidValue, t_ns: int) -> Call:
        """Make a bid with the buttons."""
        if number == "double nil":
            call = self.press(seat, Gesture.DOUBLE_NIL, 0, t_ns)
        else:
            count = int(number)
            call = self.press(seat, Gesture.TAPS if count else Gesture.ZERO, count, t_ns)
        self._acts.append(BidAct(call.t_ns, call.end_ns, seat, number))
        return call

    def rap(self, seat: str, t_ns: int) -> Call:
        """Make a rap."""
        call = self.press(seat, Gesture.RAP, 0, t_ns)
        self._acts.append(RapAct(call.t_ns, seat))
        return call

    def call(self, seat: str, called: str, t_ns: int, turned: Call | None = None) -> Call:
        """Call what the player's dial shows, by a rap (an empty dial passes); ``turned``: the call that turned it."""
        call = self.press(seat, Gesture.RAP, 0, t_ns)
        self._acts.append(DialAct(call.t_ns, seat, called, None if turned is None else turned.t_ns))
        return call

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
        face_down: bool = False,
    ) -> OnMark:
        """Lay a card on the mark; it comes to rest at exactly ``t_ns`` (see ``earliest_landing``)."""
        pile = [laid.pose for laid in self.mark.values()]
        pose_beneath = self.mark[upon].pose if upon is not None else None
        side = self.seats[seat].angle
        pose = choose_card_pose(
            self.rng, side, pile, players=len(self.state.players), upon=pose_beneath, apart=apart
        )
        laid = OnMark(self._next_id, seat, card, pose)
        self._next_id += 1
        beneath = tuple(lower.id for lower in self.mark.values() if overlap_share(pose, lower.pose) > 0.004)
        self.mark[laid.id] = laid
        self.hands[seat].remove(card)
        bring, stay, leave = self.rng.uniform((320, 90, 260), (470, 200, 360))
        motion = Lay(
            t_ns,
            seat,
            side,
            laid.id,
            None if face_down else str(card),
            pose,
            round(bring * MS),
            round(stay * MS),
            round(leave * MS),
        )
        self._add_motion(motion)
        self._landed_ns = t_ns
        self._acts.append(LayAct(t_ns, laid.id, seat, str(card), not face_down, beneath))
        self._cards.append(
            CardLanded(
                t_ns=t_ns,
                id=laid.id,
                readings=() if face_down else (Reading(str(card), 1.0),),
                place_mm=(pose.x, pose.y),
                angle_deg=pose.angle,
                arm_deg=side,
                arm_sure=1.0,
                frame=self._clock.first_frame_at(t_ns),
                upon=beneath,
                overlaps=beneath,
            )
        )
        self.advance_time(t_ns)
        return laid

    def take(self, seat: str, ids: Sequence[int], t_ns: int, *, to_hand: bool) -> None:
        """Take cards off the mark; they begin to move at ``t_ns``, or later if the arm is busy."""
        reach = 420 * MS
        t_ns = max(
            t_ns, self._arm_free_ns.get(seat, 0) + reach + 40 * MS, self._landed_ns + REACTION_NS + reach
        )
        taken = [self.mark.pop(card_id) for card_id in ids]
        centre = np.mean([(card.pose.x, card.pose.y) for card in taken], axis=0)
        side = self.seats[seat].angle
        self._add_motion(Take(t_ns, seat, side, tuple(ids), (float(centre[0]), float(centre[1]))))
        self._acts.append(TakeAct(t_ns, tuple(ids), seat, to_hand))
        for card in taken:
            self._cards.append(CardGone(t_ns, card.id, side, not self.mark))
            if to_hand:
                self.hands[card.seat].append(card.card)
        self.advance_time(t_ns + 380 * MS)

    def reach(self, seat: str, t_ns: int, stay_ms: float) -> None:
        """Move an empty hand over the mark, hold it there for ``stay_ms`` and withdraw it."""
        t_ns = max(t_ns, self._arm_free_ns.get(seat, 0) + 400 * MS)
        side = self.seats[seat].angle
        dx, dy = direction_vector(side)
        near = float(self.rng.uniform(-15, 45))
        self._add_motion(Reach(t_ns, seat, side, (dx * near, dy * near), stay_ns=round(stay_ms * MS)))
        self.advance_time(self._arm_free_ns[seat])

    def nudge(self, seat: str, number: int, t_ns: int) -> None:
        """Push a card on the mark a little; the card keeps its id, and all cards keep a visible index."""
        t_ns = max(t_ns, self._arm_free_ns.get(seat, 0) + 400 * MS)
        pile = list(self.mark.values())
        index = next(position for position, card in enumerate(pile) if card.id == number)
        old = pile[index].pose
        for _ in range(40):
            dx, dy, turn = self.rng.normal(0, (7, 7, 5))
            new = CardPose(old.x + float(dx), old.y + float(dy), old.angle + float(turn))
            poses = [new if card.id == number else card.pose for card in pile]
            if abs(complex(dx, dy)) > 4 and every_index_visible(poses):
                break
        else:
            return
        self.mark[number] = replace(pile[index], pose=new)
        side = self.seats[seat].angle
        dx, dy = direction_vector(side)
        tip = (old.x + dx * 38, old.y + dy * 38)
        self._add_motion(Reach(t_ns, seat, side, tip, ((number, new),)))
        self.advance_time(self._arm_free_ns[seat])

    def time_within_frame(self, t_ns: int) -> int:
        """Return a time midway between two frames, not before ``t_ns``, so that acts near it share a frame."""
        number = self._clock.first_frame_at(t_ns) + 1
        return (self._clock.frame_time(number - 1) + self._clock.frame_time(number)) // 2

    def advance_time(self, t_ns: int) -> None:
        """Advance the time up to which all players have seen what happened."""
        self.t_ns = max(self.t_ns, t_ns)

    def rule_on_acts(self) -> None:
        """Let the referee rule on the acts since the last call."""
        window = max(self.config.camera.tie_window_ns, self.config.buttons.tie_window_ms * MS)
        # A tie window stays open after each act; no other act may fall into it by accident.
        until = max(
            [self.t_ns + 30 * MS, self.ruled_until_ns, *(act.t_ns + window + 60 * MS for act in self._acts)]
        )
        self.referee.rule_on_acts(self._acts)
        self._acts = []
        self.ruled_until_ns = until

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
            calls=tuple(self._calls),
            card_facts=tuple(sorted(self._cards, key=lambda fact: (fact.t_ns, fact.id))),
            truth=tuple(self.referee.truth),
        )

    def _add_motion(self, motion: HandMotion) -> None:
        self._motions.append(motion)
        self._arm_free_ns[motion.seat] = motion.end_ns
