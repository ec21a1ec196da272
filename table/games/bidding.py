"""Before the play: the cards dealt, turned up, handed on, and the bids."""

from __future__ import annotations

from table.cards import Card
from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidsTied,
    CardsPassed,
    Dealt,
    Passed,
    Rapped,
    TurnedUp,
)
from table.events.kind import Said
from table.events.known import said_of
from table.games import auction
from table.games.base import PASS, Change, Phase, Refusal, State, number_of, refuse
from table.games.copies import but
from table.games.given import distinct, no_such_card, pairs
from table.games.hands import redeal
from table.games.play import open_lead
from table.games.rules import Bidding, Rules
from table.games.turns import expected, hooked_number, turns_up, waits, wrong_phase

OPENS = {
    Bidding.FREELY: Phase.BID,
    Bidding.IN_TURN: Phase.BID,
    Bidding.AT_ONCE: Phase.SECRET_BID,
    Bidding.AUCTION: Phase.AUCTION,
}

# --- dealing ----------------------------------------------------------------------------------------------


def dealt(rules: Rules, state: State, event: Dealt) -> Change | Refusal:
    """The dealer raps: the cards are dealt."""
    if state.phase is not Phase.DEAL:
        return refuse("wrong_phase", "dealt_already", waits=waits(rules, state))
    if event.seat != state.dealer:
        return refuse("not_your_turn", "not_the_dealer", seat=event.seat, waits=waits(rules, state))
    said = [said_of(event)]
    if turns_up(rules, state) and state.turned is None:
        return but(state, phase=Phase.TURN_UP), said
    state, more = _open_bidding(rules, state)
    return state, said + more


def turned_up(rules: Rules, state: State, event: TurnedUp) -> Change | Refusal:
    """The turned-up card makes the trumps; it may come before the dealer's rap or after it."""
    if rules.turned is None or not turns_up(rules, state):
        return refuse("wrong_phase", "nothing_to_turn")
    if state.phase not in (Phase.DEAL, Phase.TURN_UP):
        return refuse("wrong_phase", "trumps_known", waits=waits(rules, state))
    if state.turned is not None:
        return refuse("already_turned", card=state.turned)
    if not isinstance(event.card, Card) or event.card not in rules.copies:
        return no_such_card(event.card)
    trump = rules.turned(event.card)
    if isinstance(trump, Refusal):
        return trump
    state = but(state, turned=event.card, trump=trump)
    said = [said_of(event, suit=trump)]
    if state.phase is Phase.DEAL:
        return state, said
    state, more = _open_bidding(rules, state)
    return state, said + more


def _open_bidding(rules: Rules, state: State) -> Change:
    """All is dealt: cards are handed on, or the bidding begins, or the play where there is none."""
    if rules.passes(state):
        return but(state, phase=Phase.PASS_CARDS, raps=frozenset()), []
    if rules.bidding is Bidding.ALL_ZERO:
        return _close_bidding(rules, but(state, bids=tuple((seat, 0) for seat in state.players)))
    return but(state, phase=OPENS[rules.bidding], raps=frozenset()), []


def cards_passed(rules: Rules, state: State, event: CardsPassed) -> Change | Refusal:
    """Everybody has handed the cards on."""
    if state.phase is not Phase.PASS_CARDS:
        return wrong_phase(rules, state, "no_passing_on")
    return _pass_cards(rules, state)


def _pass_cards(rules: Rules, state: State, **added: object) -> Change:
    said = said_of(CardsPassed(), cards=rules.passes(state), to="left", **added)
    passed = but(state, card_passes=state.card_passes + 1, calls=(), raps=frozenset())
    state, opened = _open_bidding(rules, passed)
    return state, [said, *opened]


def rapped(rules: Rules, state: State, event: Rapped) -> Change | Refusal:
    """A rap: no wish to bid or lead, the cards handed on, or the fist on the table."""
    seat, now = event.seat, expected(rules, state)
    gathers = state.phase in (Phase.PASS_CARDS, Phase.SECRET_BID)
    freely = (state.phase is Phase.BID and rules.bidding is Bidding.FREELY) or (
        state.phase is Phase.LEAD and rules.free_leads
    )
    if not gathers and not freely:
        return wrong_phase(rules, state, "rap", seat=seat)
    if seat in state.raps:
        return refuse("already_rapped", seat=seat)
    if seat not in now.seats:
        return refuse("not_your_turn", "rap", seat=seat, waits=waits(rules, state))
    if freely and now.must:
        return refuse("must_act", seat=seat, waits=waits(rules, state))
    state = but(state, raps=state.raps | {seat})
    said = [said_of(event)]
    if state.phase is Phase.PASS_CARDS and state.all_have_rapped:
        state, more = _pass_cards(rules, state, derived=True)
        return state, said + more
    return state, said


# --- bids -------------------------------------------------------------------------------------------------


def bid(rules: Rules, state: State, event: Bid) -> Change | Refusal:
    """A bid, or a bid in the auction."""
    seat = event.seat
    if state.phase is Phase.AUCTION:
        return _auction_bid(rules, state, event)
    if state.phase is Phase.SECRET_BID:
        return refuse("wrong_phase", "bid_alone", seat=seat, waits=waits(rules, state))
    if state.phase is not Phase.BID:
        early = state.phase in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS)
        return wrong_phase(rules, state, "bid_early" if early else "bid_late", seat=seat)
    if seat in state.bid_of:
        return refuse("already_bid", seat=seat, bid=state.bid_of[seat])
    if seat not in expected(rules, state).seats:
        return refuse("not_your_turn", "bid_now", seat=seat, waits=waits(rules, state))
    if refusal := _no_bid(rules, state, seat, event.bid):
        return refusal
    state = but(state, bids=(*state.bids, (seat, event.bid)), raps=frozenset(), forced=False)
    said = [said_of(event)]
    if len(state.bids) < len(state.players):
        return state, said
    state, more = _close_bidding(rules, state)
    return state, said + more


def _no_bid(rules: Rules, state: State, seat: str, given: object) -> Refusal | None:
    """Why this can't be bid, whoever's turn it is."""
    if isinstance(given, bool) or not isinstance(given, int | str):
        return refuse("no_such_bid", "no_bid", seat=seat, bid=str(given))
    if given not in rules.bids(state):
        if isinstance(given, int) and given > state.cards:
            return refuse("too_many", seat=seat, bid=given, cards=state.cards)
        return refuse("no_such_bid", seat=seat, bid=given)
    if number_of(given) == hooked_number(rules, state):
        return refuse("forbidden_bid", seat=seat, bid=given, cards=state.cards)
    return None


def bids_tied(rules: Rules, state: State, event: BidsTied) -> Change | Refusal:
    """Bids at the same time: void, and the default bidder must bid."""
    now = expected(rules, state)
    if state.phase is not Phase.BID or not now.free:
        return refuse("wrong_phase", "no_bids_tie", waits=waits(rules, state))
    seats = event.seats
    if not isinstance(seats, tuple) or len(seats) < 2 or not distinct(seats):
        return refuse("no_tie", "no_tie_of_bids")
    for seat in seats:
        if seat not in now.seats:
            return refuse("not_your_turn", "bid_ties", seat=str(seat))
    state = but(state, raps=frozenset(), forced=True)
    return state, [said_of(event, next=now.default)]


def bids_revealed(rules: Rules, state: State, event: BidsRevealed) -> Change | Refusal:
    """All the bids of a hand that is bid at once."""
    if state.phase is not Phase.SECRET_BID:
        return wrong_phase(rules, state, "no_secret_bids")
    if not state.all_have_rapped:
        return refuse("not_ready")
    bids = pairs(event.bids)
    if bids is None or set(bids) != set(state.players) or len(bids) != len(event.bids):
        return refuse("bids_missing")
    order = state.round_from(state.left_of(state.dealer))
    for seat in order:
        if refusal := _no_bid(rules, state, seat, bids[seat]):
            return refusal
    said = [said_of(BidsRevealed(tuple((seat, bids[seat]) for seat in state.players)))]
    said += [said_of(Bid(seat, bids[seat]), derived=True) for seat in order]
    state, more = _close_bidding(rules, but(state, bids=tuple((seat, bids[seat]) for seat in order)))
    return state, said + more


def _close_bidding(rules: Rules, state: State) -> Change:
    """All have bid: the play begins."""
    bids = state.bid_of
    over = sum(number_of(one) for one in bids.values()) - state.cards
    said = Said("bidding_over", {"bids": {seat: bids[seat] for seat in state.players}, "over": over})
    return open_lead(rules, state), [said]


# --- the auction ------------------------------------------------------------------------------------------


def _auction_bid(rules: Rules, state: State, event: Bid) -> Change | Refusal:
    """A bid in the auction."""
    seat, given = event.seat, event.bid
    if seat != auction.turn(state):
        return refuse("not_your_turn", "bid_now", seat=seat, waits=waits(rules, state))
    last, lowest = auction.last_bid(state.calls), rules.auction_from(state)
    if not isinstance(given, str) or given not in auction.every_bid(1, state.cards):
        return refuse("no_such_bid", "no_auction_bid", seat=seat, bid=str(given), lowest=lowest)
    if given not in auction.bids_above(last, lowest, state.cards):
        if last is not None and auction.rank(given) <= auction.rank(last[1]):
            return refuse("too_low", "not_above", seat=seat, bid=given, other=last[0], last=last[1])
        return refuse("too_low", seat=seat, bid=given, lowest=lowest)
    return but(state, calls=(*state.calls, (seat, given))), [said_of(event)]


def passed(rules: Rules, state: State, event: Passed) -> Change | Refusal:
    """A pass in the auction; when all have passed in a row it is over."""
    seat = event.seat
    if state.phase is not Phase.AUCTION:
        return wrong_phase(rules, state, "pass", seat=seat)
    if seat != auction.turn(state):
        return refuse("not_your_turn", "pass", seat=seat, waits=waits(rules, state))
    state = but(state, calls=(*state.calls, (seat, PASS)))
    said = [said_of(event)]
    if not auction.is_over(state):
        return state, said
    last = auction.last_bid(state.calls)
    if last is not None:
        declarer, (number, suit) = last[0], auction.split(last[1])
        state = but(state, phase=Phase.BID, declarer=declarer, trump=suit, bids=((declarer, number),))
        return state, [*said, Said("trump", {"suit": suit, "card": None})]
    if rules.passes(state):
        return but(state, phase=Phase.PASS_CARDS, raps=frozenset()), said
    state, more = redeal(rules, state, "all passed")
    return state, said + more
