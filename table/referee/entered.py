"""Calls that somebody enters in the panel for another seat: one broken button never stops a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from table.events.happenings import Bid, BidValue, Event, Passed, Rapped, SuitNamed
from table.games.base import Phase
from table.phrase import Phrase, say
from table.referee.blackboard import Blackboard
from table.referee.levels import Choice, Level, opening


class Calls(Protocol):
    """Who judges calls."""

    @property
    def unbid(self) -> tuple[str, ...]:
        """Who has still to bid, where bids are being made in secret."""

    def enter(self, event: Event, t_ns: int, by: str) -> None:
        """``by`` says what the seat of ``event`` calls."""


class EnteredCalls:
    """Offers, for each seat, the calls that its buttons could make now."""

    def __init__(self, blackboard: Blackboard, calls: Calls) -> None:
        self.blackboard = blackboard
        self._calls = calls

    def choices(self, by: str) -> Iterator[Choice]:
        """The panel's line: a call itself where it is the only one, else whose and which."""
        seats = {
            seat: calls for seat in self.blackboard.expected.seats if (calls := tuple(self._of(seat, by)))
        }
        levels = {seat: Level(say("panel.which_call"), calls) for seat, calls in seats.items()}
        if len(seats) > 1:
            names = tuple(opening(say("panel.name", name=seat), level) for seat, level in levels.items())
            yield opening(say("panel.press_for_somebody"), Level(say("panel.for_whom"), names))
            return
        for seat, calls in seats.items():
            yield calls[0] if len(calls) == 1 else opening(say("panel.press_for", seat=seat), levels[seat])

    def _of(self, seat: str, by: str) -> Iterator[Choice]:
        """What a seat may call."""
        game, state = self.blackboard.game, self.blackboard.state
        if state.phase is Phase.DEAL:
            yield self._call(say("panel.has_dealt", seat=seat), Rapped(seat), by)
        if self.blackboard.could(Rapped(seat)):
            yield self._call(say("panel.raps", seat=seat), Rapped(seat), by)
        if self.blackboard.could(Passed(seat)):
            yield self._call(say("panel.passes", seat=seat), Passed(seat), by)
        if state.phase is Phase.SECRET_BID:
            yield from self._secret(seat, by)
            return
        bids = game.legal_bids(state, seat)
        if state.phase is Phase.AUCTION:
            yield from self._by_tricks(seat, bids, by)
        else:
            yield from (self._bid(seat, bid, by) for bid in bids)
        for suit in game.legal_suits(state, seat):
            yield self._call(say("panel.suit", suit=suit), SuitNamed(seat, suit), by)

    def _by_tricks(self, seat: str, bids: tuple[BidValue, ...], by: str) -> Iterator[Choice]:
        """An auction's bids by their number of tricks."""
        numbers = dict.fromkeys(str(bid).rstrip("CDHSNT") for bid in bids)
        for number in numbers:
            calls = (bid for bid in bids if str(bid).rstrip("CDHSNT") == number)
            level = Level(say("panel.which_call"), tuple(self._bid(seat, bid, by) for bid in calls))
            yield opening(say("panel.number", bid=int(number)), level)

    def _secret(self, seat: str, by: str) -> Iterator[Choice]:
        """A bid that is made in secret: where others have still to bid they will see it, so it asks once more."""
        unbid = self._calls.unbid
        if seat not in unbid:
            return
        legal = self.blackboard.game.legal_bids(self.blackboard.state, seat)
        bids = tuple(self._bid(seat, bid, by) for bid in legal)
        if set(unbid) == {seat}:
            yield from bids
            return
        level = Level(say("panel.which_call"), bids)
        text = say("panel.press_for", seat=seat)
        sure = opening(say("panel.yes", what=text), level)
        warning = Level(say("panel.sure"), (Choice(say("panel.no")), sure), say("panel.others_see"))
        yield opening(text, warning)

    def _bid(self, seat: str, bid: BidValue, by: str) -> Choice:
        return self._call(say("panel.bids_now", seat=seat, bid=bid), Bid(seat, bid), by)

    def _call(self, text: Phrase, event: Event, by: str) -> Choice:
        def do(t_ns: int) -> None:
            self._calls.enter(event, t_ns, by)

        return Choice(text, do)
