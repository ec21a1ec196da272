"""The table of the bench: the simulated players' acts reach the referee as facts, some of them damaged.

The same director as of the demo (``table.simulation.players.game_director``) lets them play, at random by the rules,
with ties, raps, second thoughts, cards out of turn (taken back at once) and, seldom, a revoke. Before each scene
people go on without looking (probability ``hurry``), else somebody looks at the screen first; what they do then is in
``heed``. Everybody always looks while anyone may bid, before bids with fists, and when a hand is over.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from table.cards import Card
from table.config.settings import ButtonsConfig, CameraConfig, SeatConfig, TableConfig
from table.games.engine.game_state import Phase
from table.observed_facts import MS, Call, Gesture
from table.simulation.players.acts_on_simulated_table import Stage
from table.simulation.players.game_director import Director
from table.simulation.players.simulated_game import LayAct, TakeAct
from table.simulation.reference_rules.common import BidValue
from tests.referee.faults.damage import Camera
from tests.referee.faults.eye import Laid
from tests.referee.faults.heed import Heed
from tests.referee.faults.truth import Truth
from tests.referee.faults.world import World
from tests.simulation.perfect import NO_MISHAPS

MISHAPS = replace(
    NO_MISHAPS,
    tied_bids=0.08,
    raps=0.15,
    tied_leads=0.15,
    apart_share=0.3,
    three_way_share=0.15,
    left_lying=0.4,
    out_of_turn=0.01,
    second_thoughts=0.015,
    revoke=0.01,
)
PASSES = 0.6
"""In the auction."""


class FaultyTable(Stage):
    """A stage whose camera and buttons fail; the referee under test is told as time goes on."""

    def __init__(
        self, truth: Truth, world: World, camera: Camera, angles: Mapping[str, float], seed: int, deals: str
    ) -> None:
        """``deals``: the seed of all deals, whatever else happens."""
        seats = tuple(SeatConfig(seat, angle, bid=1, rap=2) for seat, angle in angles.items())
        game = truth.game
        config = TableConfig(game.name, game.options, seats, CameraConfig(), ButtonsConfig())
        super().__init__(config, seed, 1.0, 0)
        self.truth = truth
        self.world = world
        self.camera = camera
        self.laid: dict[int, Laid] = {}
        """Every card that was laid, as the camera knows it, by the id of its act."""
        self.heed = Heed(self)
        self._deals = deals
        self._dial_calls: list[Call] = []
        self.truth.hear(self.referee.lines)

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Return the pack for a deal."""
        self.heed.new_hand()
        order = list(pack)
        random.Random(f"{self._deals}/{self.referee.deal_count}").shuffle(order)
        return order

    def time_after(self, low_ms: float, high_ms: float, seat: str | None = None) -> int:
        """Return a random time after what all have seen, or are waiting for."""
        self.advance_time(max(self.world.now_ns, self.camera.busy_ns))
        return max(super().time_after(low_ms, high_ms, seat), self.world.now_ns + 40 * MS)

    def turn_dial(self, seat: str, choices: Sequence[str], chosen: str, t_ns: int) -> Call | None:
        """Turn the dial; who turns it sees what it shows, also from a time before."""
        referee, game = self.world.referee, self.truth.game
        expected = referee.expected
        if expected.default_seat == seat and expected.phase in (Phase.AUCTION, Phase.NAME_SUIT):
            shown = [str(bid) for bid in game.legal_bids(referee.state, seat)]
            shown = shown or list(game.legal_suits(referee.state, seat))
            choices = shown if chosen in shown else choices
        taps = choices.index(chosen) + 1
        dial = referee.view(self.world.now_ns).dial
        if dial is not None and dial.seat == seat and dial.shown is not None:
            taps -= dial.choices.index(dial.shown) + 1
        if taps <= 0:
            return None
        self._dial_calls.append(self.press(seat, Gesture.TAPS, taps, t_ns))
        return self._dial_calls[-1]

    def countdown_end(self) -> int:
        """Return when the count on the screen is over; nobody bids before it has begun."""
        self.rule_on_acts()
        self.heed.pump()
        pump_ns = self.world.referee.view(self.world.now_ns).countdown_ends_ns
        return super().countdown_end() if pump_ns is None else max(self.time_after(0, 0), pump_ns)

    def rule_on_acts(self) -> None:
        """Let the ground-truth referee rule on the acts, and tell the facts that they make to the one under test."""
        acts, calls, lines = self.new_acts, self.calls, self.referee.lines
        self.calls, heard = [], len(lines)
        super().rule_on_acts()
        events = {line["event"] for line in lines[heard:]}
        for call in calls:
            safe = "bids_tied" in events or call in self._dial_calls
            self.camera.press(call.seat, call.gesture, call.count, call.t_ns, call.end_ns, safe=safe)
        lays = [act for act in acts if isinstance(act, LayAct)]
        for act in lays:
            self.laid[act.id] = Laid(act.seat, act.card, (act.pose.x, act.pose.y))
        if "leads_tied" in events:
            tied = [(self.laid[act.id], act.t_ns) for act in lays]
            self.camera.lay_tied(tied, pile=any(act.upon for act in lays))
        else:
            for act in lays:
                # What is turned up or laid out of turn is never damaged.
                plays = self.referee.cards_on_mark[act.id].status == "played"
                self.camera.lay(self.laid[act.id], act.t_ns, last="trick_won" in events, safe=not plays)
        for taking in acts:
            if isinstance(taking, TakeAct):
                self._show_taking(taking, picked_up="trick_taken" in events)
        self.truth.hear(lines[heard:])
        self.world.advance(max(self.t_ns + 30 * MS, self.ruled_until_ns))

    def _show_taking(self, act: TakeAct, *, picked_up: bool) -> None:
        laid = [self.laid[card_id] for card_id in act.ids]
        if not picked_up:
            for card in laid:
                self.camera.lift(card, act.t_ns)
            return
        end_ns, seen = self.camera.pick_up(laid, act.seat, act.t_ns)
        self.heed.new_trick()
        self.advance_time(end_ns)
        self.world.advance(end_ns + 20 * MS)
        if seen:
            self.truth.hand.arms.add(self.truth.part)


class Players(Director):
    """Players who bid and play at random by the rules, and look at the screen now and then."""

    def __init__(self, table: FaultyTable, hurry: float) -> None:
        super().__init__(table, MISHAPS)
        self.table = table
        self.hurry = hurry

    def act(self) -> None:
        """Play one scene, or do what the screen says."""
        truth = self.table.truth
        looks = not self.table.happens_with(self.hurry)
        free = truth.game.rules.free_leads and truth.state.phase is Phase.BID
        if not ((looks or free) and self.table.heed.looks()):
            self.play_scene()

    def choose_bid(self, seat: str) -> BidValue:
        """Return any legal bid."""
        return self.table.pick(self.table.game.legal_bids(seat))

    def choose_auction_bid(self, seat: str, legal: Sequence[str]) -> str | None:
        """Return one of the lowest bids, or None."""
        number = int(self.table.rng.exponential(2.0))
        return None if number >= len(legal) or self.table.happens_with(PASSES) else legal[number]

    def choose_card(self, seat: str) -> Card:
        """Return the card that was taken back to be laid again, or any that may be played."""
        again = self.table.heed.again.pop(seat, None)
        if again is not None and again in self.table.hands[seat]:
            return again
        return self.table.pick(self.table.legal_plays(seat))

    def _lead_trick(self) -> None:
        again = [seat for seat in self.table.game.who_may() if seat in self.table.heed.again]
        if again:
            self._play_card(again[0])
        else:
            super()._lead_trick()
