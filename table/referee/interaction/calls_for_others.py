"""Calls that a player enters in the panel for another seat, so that one broken button never stops a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from table.cards import BidValue, bid_to_json, tricks_of_bid
from table.events.game_events import Bid, Event, Passed, Rapped, SuitNamed
from table.games.engine.game_state import Phase
from table.phrase import Phrase, make_phrase
from table.referee.call_judge import CallJudge
from table.referee.model.option_levels import Choice, Level, level_choice
from table.referee.records.state_shared_by_judges import SharedState


class CallsForOthers:
    """Offers one player, for each seat, the calls that its buttons could make now."""

    def __init__(self, shared: SharedState, calls: CallJudge, by: str) -> None:
        self.shared = shared
        self._calls = calls
        self._by = by

    def choices(self) -> Iterator[Choice]:
        """Yield the panel's options for entering another seat's call: the call itself where it is the only one."""
        seats = {seat: calls for seat in self.shared.expected.seats if (calls := tuple(self._calls_of(seat)))}
        if len(seats) > 1:
            names = [
                choice
                for seat, calls in seats.items()
                for choice in level_choice(make_phrase("panel.name", name=seat), "panel.which_call", calls)
            ]
            yield from level_choice(make_phrase("panel.press_for_somebody"), "panel.for_whom", names)
            return
        for seat, calls in seats.items():
            if len(calls) == 1:
                yield calls[0]
            else:
                yield from level_choice(make_phrase("panel.press_for", seat=seat), "panel.which_call", calls)

    def _calls_of(self, seat: str) -> Iterator[Choice]:
        """Yield the calls that a seat may make."""
        game, state = self.shared.game, self.shared.state
        if state.phase is Phase.DEAL:
            yield self._call_choice(make_phrase("panel.has_dealt", seat=seat), Rapped(seat))
        if self.shared.is_allowed(Rapped(seat)):
            yield self._call_choice(make_phrase("panel.raps", seat=seat), Rapped(seat))
        if self.shared.is_allowed(Passed(seat)):
            yield self._call_choice(make_phrase("panel.passes", seat=seat), Passed(seat))
        if state.phase is Phase.SECRET_BID:
            yield from self._secret_calls(seat)
            return
        bids = game.legal_bids(state, seat)
        if state.phase is Phase.AUCTION:
            yield from self._by_tricks(seat, bids)
        else:
            yield from self._bid_choices(seat, bids)
        for suit in game.legal_suits(state, seat):
            yield self._call_choice(make_phrase("panel.suit", suit=suit), SuitNamed(seat, suit))

    def _by_tricks(self, seat: str, bids: tuple[BidValue, ...]) -> Iterator[Choice]:
        """Yield an auction's bids, grouped by their number of tricks."""
        for number in dict.fromkeys(map(tricks_of_bid, bids)):
            calls = self._bid_choices(seat, (bid for bid in bids if tricks_of_bid(bid) == number))
            yield from level_choice(make_phrase("panel.number", bid=number), "panel.which_call", calls)

    def _secret_calls(self, seat: str) -> Iterator[Choice]:
        """Yield the secret bids of a seat: where others have still to bid they will see it, so it asks for
        confirmation.
        """
        unbid = self._calls.seats_to_bid
        if seat not in unbid:
            return
        bids = tuple(self._bid_choices(seat, self.shared.game.legal_bids(self.shared.state, seat)))
        if set(unbid) == {seat}:
            yield from bids
            return
        text = make_phrase("panel.press_for", seat=seat)
        sure = level_choice(make_phrase("panel.yes", what=text), "panel.which_call", bids)
        choices = (Choice(make_phrase("panel.no")), *sure)
        warning = Level(make_phrase("panel.sure"), choices, make_phrase("panel.others_see"))
        yield Choice(text, open_level=lambda: warning)

    def _bid_choices(self, seat: str, bids: Iterable[BidValue]) -> Iterator[Choice]:
        for bid in bids:
            text = make_phrase("panel.bids_now", seat=seat, bid=bid_to_json(bid))
            yield self._call_choice(text, Bid(seat, bid))

    def _call_choice(self, text: Phrase, event: Event) -> Choice:
        return Choice(text, lambda t_ns: self._calls.enter_call(event, t_ns, self._by))
