"""Calls that a player enters in the panel for another seat, so that one broken button never stops a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from table.cards import BidValue, bid_to_json, tricks_of_bid
from table.events.game_events import Bid, Event, Passed, Rapped, SuitNamed
from table.games.engine.game_state import Phase
from table.phrase import Phrase, make_phrase
from table.referee.interaction.option_levels import Choice, Level, PanelContext, level_choice

_RAPS = {
    Phase.BID: "panel.lets_others_bid",
    Phase.LEAD: "panel.lets_others_lead",
    Phase.PASS_CARDS: "panel.has_passed_cards",
    Phase.SECRET_BID: "panel.is_ready",
}
"""The text for entering another seat's rap: what it means in each phase where it may be made."""


def call_choices(context: PanelContext) -> Iterator[Choice]:
    """Yield the panel's options for entering another seat's call: the call itself where it is the only one."""
    seats = {
        seat: calls for seat in context.shared.expected.seats if (calls := tuple(_calls_of(context, seat)))
    }
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


def _calls_of(context: PanelContext, seat: str) -> Iterator[Choice]:
    """Yield the calls that a seat may make."""
    game, state = context.shared.game, context.shared.state
    if state.phase is Phase.DEAL:
        yield _call_choice(context, make_phrase("panel.has_dealt", seat=seat), Rapped(seat))
    if context.shared.is_allowed(Rapped(seat)):
        yield _call_choice(context, make_phrase(_RAPS[state.phase], seat=seat), Rapped(seat))
    if context.shared.is_allowed(Passed(seat)):
        yield _call_choice(context, make_phrase("panel.passes", seat=seat), Passed(seat))
    if state.phase is Phase.SECRET_BID:
        yield from _secret_calls(context, seat)
        return
    bids = game.legal_bids(state, seat)
    if state.phase is Phase.AUCTION:
        yield from _by_tricks(context, seat, bids)
    else:
        yield from _bid_choices(context, seat, bids)
    for suit in game.legal_suits(state, seat):
        yield _call_choice(context, make_phrase("panel.suit", suit=suit), SuitNamed(seat, suit))


def _by_tricks(context: PanelContext, seat: str, bids: tuple[BidValue, ...]) -> Iterator[Choice]:
    """Yield an auction's bids, grouped by their number of tricks."""
    for number in dict.fromkeys(map(tricks_of_bid, bids)):
        calls = _bid_choices(context, seat, (bid for bid in bids if tricks_of_bid(bid) == number))
        yield from level_choice(make_phrase("panel.number", bid=number), "panel.which_call", calls)


def _secret_calls(context: PanelContext, seat: str) -> Iterator[Choice]:
    """Yield the secret bids of a seat: where others have still to bid they will see it, so it asks for
    confirmation.
    """
    unbid = context.calls.seats_to_bid
    if seat not in unbid:
        return
    bids = tuple(_bid_choices(context, seat, context.shared.game.legal_bids(context.shared.state, seat)))
    if set(unbid) == {seat}:
        yield from bids
        return
    text = make_phrase("panel.press_for", seat=seat)
    sure = level_choice(make_phrase("panel.yes", what=text), "panel.which_call", bids)
    choices = (Choice(make_phrase("panel.no")), *sure)
    warning = Level(make_phrase("panel.sure"), choices, make_phrase("panel.others_see"))
    yield Choice(text, open_level=lambda: warning)


def _bid_choices(context: PanelContext, seat: str, bids: Iterable[BidValue]) -> Iterator[Choice]:
    for bid in bids:
        text = make_phrase("panel.bids_now", seat=seat, bid=bid_to_json(bid))
        yield _call_choice(context, text, Bid(seat, bid))


def _call_choice(context: PanelContext, text: Phrase, event: Event) -> Choice:
    return Choice(text, lambda t_ns: context.calls.enter_call(event, t_ns, context.by))
