"""The one trick-taking core: events in, states and announcements out.

It is stacked up from small parts, each knowing those below: the hooks by which games differ, turns, hands, play,
bidding, and here the door that every event comes through. A state is a value: every handler takes one and returns
another with what is announced, the event's own line first, or a refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidsTied,
    Came,
    CardsPassed,
    Dealt,
    Ended,
    Event,
    LeadsTied,
    Left,
    Passed,
    Played,
    Rapped,
    Rescored,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.games.base import Phase, Refusal, State, Step
from table.games.bidding import Bidding
from table.games.state import (
    Change,
    TableState,
    own,
)


class TrickGame(Bidding):
    """A game of tricks."""

    def __init__(self, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> None:
        super().__init__(seats, options)
        self._handlers: dict[type, Callable[[TableState, Any], Change | Refusal]] = {
            Dealt: self.on_dealt,
            TurnedUp: self.on_turned_up,
            Rapped: self.on_rapped,
            Bid: self.on_bid,
            Passed: self.passed,
            BidsTied: self.on_bids_tied,
            BidsRevealed: self.on_bids_revealed,
            LeadsTied: self.on_leads_tied,
            Played: self.on_played,
            TakenBack: self.on_taken_back,
            SuitNamed: self.on_suit_named,
            TrickTaken: self.on_trick_taken,
            CardsPassed: self.on_cards_passed,
            ThrownIn: self.on_thrown_in,
            Left: self.on_left,
            Came: self.on_came,
            Ended: self.on_ended,
            Rescored: self.on_rescored,
        }

    def apply(self, state: State, event: Event) -> Step | Refusal:
        """What comes of an event. Never raises for any event, however impossible."""
        state = own(state)
        handler = self._handlers.get(type(event))
        if handler is None:
            return Refusal("no_such_event", f"{type(event).__name__} is nothing that happens at a table")
        if state.phase is Phase.OVER and not isinstance(event, Rescored):
            return Refusal("game_over", "the game is over")
        if hasattr(event, "seat") and (refusal := self._stranger(state, event)):
            return refusal
        changed = handler(state, event)
        if isinstance(changed, Refusal):
            return changed
        return Step(changed[0], tuple(changed[1]))

    def _stranger(self, state: TableState, event: Any) -> Refusal | None:
        seat = event.seat
        if not isinstance(seat, str) or seat not in self.seats:
            return Refusal("no_such_seat", f"nobody called {seat} plays here")
        if seat not in state.players and not isinstance(event, Left | Came):
            return Refusal("not_in_hand", f"{seat} does not play in this hand")
        return None
