"""Calls that a player enters in the panel for another seat, so that one broken button never stops a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from table.events.game_events import Bid, BidValue, Event, Passed, Rapped, SuitNamed
from table.games.engine.game_state import Phase
from table.phrase import Phrase, make_phrase
from table.referee.model.option_stepper import Choice, Level, make_level_choice
from table.referee.records.state_shared_by_judges import SharedState


class CallHandler(Protocol):
    """What accepts calls entered in the panel."""

    @property
    def seats_to_bid(self) -> tuple[str, ...]:
        """The players who have still to bid, where bids are being made in secret; empty otherwise."""

    def enter_call(self, event: Event, t_ns: int, by: str) -> None:
        """Take a call that player ``by`` enters for the seat of ``event``."""


class CallsForOthers:
    """Offers, for each seat, the calls that its buttons could make now."""

    def __init__(self, shared: SharedState, calls: CallHandler) -> None:
        self.shared = shared
        self._calls = calls

    def make_choices(self, by: str) -> Iterator[Choice]:
        """Yield the panel's options for entering another seat's call: the call itself where it is the only one."""
        seats = {
            seat: calls for seat in self.shared.expected.seats if (calls := tuple(self._calls_of(seat, by)))
        }
        levels = {seat: Level(make_phrase("panel.which_call"), calls) for seat, calls in seats.items()}
        if len(seats) > 1:
            names = tuple(
                make_level_choice(make_phrase("panel.name", name=seat), level)
                for seat, level in levels.items()
            )
            yield make_level_choice(
                make_phrase("panel.press_for_somebody"), Level(make_phrase("panel.for_whom"), names)
            )
            return
        for seat, calls in seats.items():
            yield (
                calls[0]
                if len(calls) == 1
                else make_level_choice(make_phrase("panel.press_for", seat=seat), levels[seat])
            )

    def _calls_of(self, seat: str, by: str) -> Iterator[Choice]:
        """Yield the calls that a seat may make."""
        game, state = self.shared.game, self.shared.state
        if state.phase is Phase.DEAL:
            yield self._call_choice(make_phrase("panel.has_dealt", seat=seat), Rapped(seat), by)
        if self.shared.is_allowed(Rapped(seat)):
            yield self._call_choice(make_phrase("panel.raps", seat=seat), Rapped(seat), by)
        if self.shared.is_allowed(Passed(seat)):
            yield self._call_choice(make_phrase("panel.passes", seat=seat), Passed(seat), by)
        if state.phase is Phase.SECRET_BID:
            yield from self._secret_calls(seat, by)
            return
        bids = game.legal_bids(state, seat)
        if state.phase is Phase.AUCTION:
            yield from self._by_tricks(seat, bids, by)
        else:
            yield from (self._bid_choice(seat, bid, by) for bid in bids)
        for suit in game.legal_suits(state, seat):
            yield self._call_choice(make_phrase("panel.suit", suit=suit), SuitNamed(seat, suit), by)

    def _by_tricks(self, seat: str, bids: tuple[BidValue, ...], by: str) -> Iterator[Choice]:
        """Yield an auction's bids, grouped by their number of tricks."""
        numbers = dict.fromkeys(str(bid).rstrip("CDHSNT") for bid in bids)
        for number in numbers:
            calls = (bid for bid in bids if str(bid).rstrip("CDHSNT") == number)
            level = Level(
                make_phrase("panel.which_call"), tuple(self._bid_choice(seat, bid, by) for bid in calls)
            )
            yield make_level_choice(make_phrase("panel.number", bid=int(number)), level)

    def _secret_calls(self, seat: str, by: str) -> Iterator[Choice]:
        """Yield the secret bids of a seat: where others have still to bid they will see it, so it asks for
        confirmation.
        """
        unbid = self._calls.seats_to_bid
        if seat not in unbid:
            return
        legal = self.shared.game.legal_bids(self.shared.state, seat)
        bids = tuple(self._bid_choice(seat, bid, by) for bid in legal)
        if set(unbid) == {seat}:
            yield from bids
            return
        level = Level(make_phrase("panel.which_call"), bids)
        text = make_phrase("panel.press_for", seat=seat)
        sure = make_level_choice(make_phrase("panel.yes", what=text), level)
        warning = Level(
            make_phrase("panel.sure"),
            (Choice(make_phrase("panel.no")), sure),
            make_phrase("panel.others_see"),
        )
        yield make_level_choice(text, warning)

    def _bid_choice(self, seat: str, bid: BidValue, by: str) -> Choice:
        return self._call_choice(make_phrase("panel.bids_now", seat=seat, bid=bid), Bid(seat, bid), by)

    def _call_choice(self, text: Phrase, event: Event, by: str) -> Choice:
        def do(t_ns: int) -> None:
            self._calls.enter_call(event, t_ns, by)

        return Choice(text, do)
