"""A game with its players and options: the interface that referee, screen, commands and simulated players use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table.cards import Card
from table.events import game_events as events
from table.games.engine import apply_bidding_events as bidding
from table.games.engine import apply_play_events as play
from table.games.engine import dealing_and_scoring as dealing
from table.games.engine.change import Change
from table.games.engine.game_state import (
    Phase,
    Refusal,
    RefusedError,
    State,
    Step,
    refuse,
)
from table.games.engine.ruleset import GameOptions, GameSpec
from table.games.engine.whose_turn import Turns

HANDLERS: Mapping[type, Callable[[Change, Any], None]] = {
    events.Dealt: bidding.apply_dealt,
    events.TurnedUp: bidding.apply_turned_up,
    events.CardsPassed: bidding.apply_cards_passed,
    events.Rapped: bidding.apply_rapped,
    events.Bid: bidding.apply_bid,
    events.Passed: bidding.apply_passed,
    events.BidsTied: bidding.apply_bids_tied,
    events.BidsRevealed: bidding.apply_bids_revealed,
    events.LeadsTied: play.apply_leads_tied,
    events.Played: play.apply_played,
    events.TakenBack: play.apply_taken_back,
    events.SuitNamed: play.apply_suit_named,
    events.TrickTaken: play.apply_trick_taken,
    events.ThrownIn: dealing.apply_thrown_in,
    events.Left: dealing.apply_left,
    events.Came: dealing.apply_came,
    events.Reseated: dealing.apply_reseated,
    events.Ended: dealing.apply_ended,
    events.Rescored: dealing.apply_rescored,
}
"""The functions that apply each event: they change the state and announce lines, or raise a refusal."""


@dataclass(frozen=True, eq=False)
class Game(Turns):
    """A game with its players and options. Immutable; all methods are pure."""

    spec: GameSpec
    seats: tuple[str, ...]
    """The players in playing order: each next one sits to the left of the one before."""
    settled: GameOptions
    """Every option with its value, defaults filled in."""

    @property
    def name(self) -> str:
        """The name in ``table.toml``."""
        return self.spec.name

    @property
    def options(self) -> dict[str, Any]:
        """Every option by name, as the journal has them."""
        return self.settled.by_name()

    def start(self) -> Step:
        """Begin the game: return the first hand before its deal, announced by ``game_started`` and the hand's lines."""
        before = State(
            phase=Phase.DEAL,
            hand=0,
            cards=0,
            dealer=self.settled.first_dealer,
            seats=self.seats,
            players=self.seats,
            trump=None,
            totals=dict.fromkeys(self.seats, self.rules.start_total),
        )
        change = Change(self, before)
        change.announce_line("game_started", game=self.name, seats=list(self.seats), options=self.options)
        dealing.start_first_hand(change)
        return Step(change.state, tuple(change.announcements))

    def apply(self, state: State, event: events.Event) -> Step | Refusal:
        """Apply an event: return the next state, or a refusal. Never raises for any event, however impossible."""
        handler = HANDLERS.get(type(event))
        if handler is None:
            return refuse("no_such_event", event=type(event).__name__)
        if state.phase is Phase.OVER and not isinstance(event, events.Rescored):
            return refuse("game_over")
        if hasattr(event, "seat"):
            seat = event.seat
            if not isinstance(seat, str) or seat not in self.seats:
                return refuse("no_such_seat", seat=str(seat))
            if seat not in state.players and not isinstance(event, events.Left | events.Came):
                return refuse("not_in_hand", seat=seat)
        change = Change(self, state)
        try:
            handler(change, event)
        except RefusedError as error:
            return error.refusal
        return Step(change.state, tuple(change.announcements))

    # --- the rules as people see them

    def pack(self) -> tuple[Card, ...]:
        """Return every card that the game is played with."""
        return self.rules.pack

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The sizes of the hands, where they are fixed beforehand; empty where they depend on the play."""
        return self.settled.all_hands

    def rules_page_values(self) -> dict[str, Any]:
        """Return the values that its page of rules may name: the options, and what follows from them."""
        return {"players": len(self.seats), **self.options, **self.settled.rules_page_values()}

    def has_lives(self, state: State) -> bool:
        """Return whether the totals are lives, which run out."""
        tally = self.rules.elimination_tally(state)
        return tally is not None and tally.kind == "lives"

    def tied_players(self, state: State) -> tuple[str, ...]:
        """Return the tied players whom the hand of ``state`` is played to part; empty for an ordinary hand."""
        if state.phase is Phase.OVER:
            return ()
        return state.players if state.play_off else self.rules.tied_players(state)
