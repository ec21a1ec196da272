"""The events before the play: the deal, the turned-up card, cards handed on, and the bids."""

from __future__ import annotations

from table.cards import Card
from table.events.event_registry import announcement_of
from table.events.event_spec import Announcement
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    CardsPassed,
    Dealt,
    Passed,
    Rapped,
    TurnedUp,
)
from table.games.engine import auction
from table.games.engine.apply_play_events import open_lead
from table.games.engine.copy_with_changes import evolve
from table.games.engine.dealing_and_scoring import redeal
from table.games.engine.event_value_checks import all_distinct, bids_by_seat, refuse_unknown_card
from table.games.engine.game_state import PASS, Change, Phase, Refusal, State, refuse, tricks_of_bid
from table.games.engine.ruleset import Bidding, Rules
from table.games.engine.whose_turn import (
    awaited_action_phrase,
    expected,
    hooked_number,
    refuse_wrong_phase,
    turns_up_card,
)

PHASE_OF_BIDDING = {
    Bidding.FREELY: Phase.BID,
    Bidding.IN_TURN: Phase.BID,
    Bidding.AT_ONCE: Phase.SECRET_BID,
    Bidding.AUCTION: Phase.AUCTION,
}

# --- the deal ---------------------------------------------------------------------------------------------


def apply_dealt(rules: Rules, state: State, event: Dealt) -> Change | Refusal:
    """Apply the dealer's rap: the cards are dealt."""
    if state.phase is not Phase.DEAL:
        return refuse("wrong_phase", "dealt_already", waits=awaited_action_phrase(rules, state))
    if event.seat != state.dealer:
        return refuse(
            "not_your_turn", "not_the_dealer", seat=event.seat, waits=awaited_action_phrase(rules, state)
        )
    announcements = [announcement_of(event)]
    if turns_up_card(rules, state) and state.turned is None:
        return evolve(state, phase=Phase.TURN_UP), announcements
    state, more = _open_bidding(rules, state)
    return state, announcements + more


def apply_turned_up(rules: Rules, state: State, event: TurnedUp) -> Change | Refusal:
    """Apply the turned-up card, which makes the trumps; it may come before the dealer's rap or after it."""
    if rules.trump_of_turned_card is None or not turns_up_card(rules, state):
        return refuse("wrong_phase", "nothing_to_turn")
    if state.phase not in (Phase.DEAL, Phase.TURN_UP):
        return refuse("wrong_phase", "trumps_known", waits=awaited_action_phrase(rules, state))
    if state.turned is not None:
        return refuse("already_turned", card=state.turned)
    if not isinstance(event.card, Card) or event.card not in rules.card_counts:
        return refuse_unknown_card(event.card)
    trump = rules.trump_of_turned_card(event.card)
    if isinstance(trump, Refusal):
        return trump
    state = evolve(state, turned=event.card, trump=trump)
    announcements = [announcement_of(event, suit=trump)]
    if state.phase is Phase.DEAL:
        return state, announcements
    state, more = _open_bidding(rules, state)
    return state, announcements + more


def _open_bidding(rules: Rules, state: State) -> Change:
    """Go on after the deal: with handing on cards, with the bidding, or with the play where there is no bidding."""
    if rules.cards_to_pass(state):
        return evolve(state, phase=Phase.PASS_CARDS, raps=frozenset()), []
    if rules.bidding is Bidding.ALL_ZERO:
        return _close_bidding(rules, evolve(state, bids=tuple((seat, 0) for seat in state.players)))
    return evolve(state, phase=PHASE_OF_BIDDING[rules.bidding], raps=frozenset()), []


def apply_cards_passed(rules: Rules, state: State, event: CardsPassed) -> Change | Refusal:
    """Apply the handing on of cards by all players; the bidding follows."""
    if state.phase is not Phase.PASS_CARDS:
        return refuse_wrong_phase(rules, state, "no_passing_on")
    return _pass_cards(rules, state)


def _pass_cards(rules: Rules, state: State, **added: object) -> Change:
    announcement = announcement_of(CardsPassed(), cards=rules.cards_to_pass(state), to="left", **added)
    passed = evolve(state, card_passes=state.card_passes + 1, calls=(), raps=frozenset())
    state, more = _open_bidding(rules, passed)
    return state, [announcement, *more]


def apply_rapped(rules: Rules, state: State, event: Rapped) -> Change | Refusal:
    """Apply a rap: the player does not want to bid or lead, has handed on the cards, or is ready for a secret bid."""
    seat, now = event.seat, expected(rules, state)
    everybody_raps = state.phase in (Phase.PASS_CARDS, Phase.SECRET_BID)
    freely = (state.phase is Phase.BID and rules.bidding is Bidding.FREELY) or (
        state.phase is Phase.LEAD and rules.free_leads
    )
    if not everybody_raps and not freely:
        return refuse_wrong_phase(rules, state, "rap", seat=seat)
    if seat in state.raps:
        return refuse("already_rapped", seat=seat)
    if seat not in now.seats:
        return refuse("not_your_turn", "rap", seat=seat, waits=awaited_action_phrase(rules, state))
    if freely and now.must_act:
        return refuse("must_act", seat=seat, waits=awaited_action_phrase(rules, state))
    state = evolve(state, raps=state.raps | {seat})
    announcements = [announcement_of(event)]
    if state.phase is Phase.PASS_CARDS and state.all_have_rapped:
        state, more = _pass_cards(rules, state, derived=True)
        return state, announcements + more
    return state, announcements


# --- bids -------------------------------------------------------------------------------------------------


def apply_bid(rules: Rules, state: State, event: Bid) -> Change | Refusal:
    """Apply a bid, in the bidding or in the auction."""
    seat = event.seat
    if state.phase is Phase.AUCTION:
        return _auction_bid(rules, state, event)
    if state.phase is Phase.SECRET_BID:
        return refuse("wrong_phase", "bid_alone", seat=seat, waits=awaited_action_phrase(rules, state))
    if state.phase is not Phase.BID:
        early = state.phase in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS)
        return refuse_wrong_phase(rules, state, "bid_early" if early else "bid_late", seat=seat)
    if seat in state.bids_by_seat:
        return refuse("already_bid", seat=seat, bid=state.bids_by_seat[seat])
    if seat not in expected(rules, state).seats:
        return refuse("not_your_turn", "bid_now", seat=seat, waits=awaited_action_phrase(rules, state))
    if refusal := _refuse_bid(rules, state, seat, event.bid):
        return refusal
    state = evolve(state, bids=(*state.bids, (seat, event.bid)), raps=frozenset(), forced=False)
    announcements = [announcement_of(event)]
    if len(state.bids) < len(state.players):
        return state, announcements
    state, more = _close_bidding(rules, state)
    return state, announcements + more


def _refuse_bid(rules: Rules, state: State, seat: str, bid_value: object) -> Refusal | None:
    """Return why nobody could bid this now, whoever's turn it is; None where it is possible."""
    if isinstance(bid_value, bool) or not isinstance(bid_value, int | str):
        return refuse("no_such_bid", "no_bid", seat=seat, bid=str(bid_value))
    if bid_value not in rules.possible_bids(state):
        if isinstance(bid_value, int) and bid_value > state.cards:
            return refuse("too_many", seat=seat, bid=bid_value, cards=state.cards)
        return refuse("no_such_bid", seat=seat, bid=bid_value)
    if tricks_of_bid(bid_value) == hooked_number(rules, state):
        return refuse("forbidden_bid", seat=seat, bid=bid_value, cards=state.cards)
    return None


def apply_bids_tied(rules: Rules, state: State, event: BidsTied) -> Change | Refusal:
    """Apply simultaneous bids: none of them counts, and the default bidder must bid."""
    now = expected(rules, state)
    if state.phase is not Phase.BID or not now.anyone_may_act:
        return refuse("wrong_phase", "no_bids_tie", waits=awaited_action_phrase(rules, state))
    seats = event.seats
    if not isinstance(seats, tuple) or len(seats) < 2 or not all_distinct(seats):
        return refuse("no_tie", "no_tie_of_bids")
    for seat in seats:
        if seat not in now.seats:
            return refuse("not_your_turn", "bid_ties", seat=str(seat))
    state = evolve(state, raps=frozenset(), forced=True)
    return state, [announcement_of(event, next=now.default_seat)]


def apply_bids_revealed(rules: Rules, state: State, event: BidsRevealed) -> Change | Refusal:
    """Apply the secret bids of a hand, all at once."""
    if state.phase is not Phase.SECRET_BID:
        return refuse_wrong_phase(rules, state, "no_secret_bids")
    if not state.all_have_rapped:
        return refuse("not_ready")
    bids = bids_by_seat(event.bids)
    if bids is None or set(bids) != set(state.players) or len(bids) != len(event.bids):
        return refuse("bids_missing")
    order = state.seats_from(state.left_of(state.dealer))
    for seat in order:
        if refusal := _refuse_bid(rules, state, seat, bids[seat]):
            return refusal
    announcements = [announcement_of(BidsRevealed(tuple((seat, bids[seat]) for seat in state.players)))]
    announcements += [announcement_of(Bid(seat, bids[seat]), derived=True) for seat in order]
    state, more = _close_bidding(rules, evolve(state, bids=tuple((seat, bids[seat]) for seat in order)))
    return state, announcements + more


def _close_bidding(rules: Rules, state: State) -> Change:
    """End the bidding and begin the play."""
    bids = state.bids_by_seat
    over = sum(tricks_of_bid(bid_value) for bid_value in bids.values()) - state.cards
    announcement = Announcement(
        "bidding_over", {"bids": {seat: bids[seat] for seat in state.players}, "over": over}
    )
    return open_lead(rules, state), [announcement]


# --- the auction ------------------------------------------------------------------------------------------


def _auction_bid(rules: Rules, state: State, event: Bid) -> Change | Refusal:
    """Apply a bid in the auction."""
    seat, bid_value = event.seat, event.bid
    if seat != auction.next_caller(state):
        return refuse("not_your_turn", "bid_now", seat=seat, waits=awaited_action_phrase(rules, state))
    last, lowest = auction.last_bid(state.calls), rules.lowest_auction_bid(state)
    if not isinstance(bid_value, str) or bid_value not in auction.all_bids(1, state.cards):
        return refuse("no_such_bid", "no_auction_bid", seat=seat, bid=str(bid_value), lowest=lowest)
    if bid_value not in auction.bids_above(last, lowest, state.cards):
        if last is not None and auction.bid_rank(bid_value) <= auction.bid_rank(last[1]):
            return refuse("too_low", "not_above", seat=seat, bid=bid_value, other=last[0], last=last[1])
        return refuse("too_low", seat=seat, bid=bid_value, lowest=lowest)
    return evolve(state, calls=(*state.calls, (seat, bid_value))), [announcement_of(event)]


def apply_passed(rules: Rules, state: State, event: Passed) -> Change | Refusal:
    """Apply a pass in the auction; the auction is over when all have passed in a row."""
    seat = event.seat
    if state.phase is not Phase.AUCTION:
        return refuse_wrong_phase(rules, state, "pass", seat=seat)
    if seat != auction.next_caller(state):
        return refuse("not_your_turn", "pass", seat=seat, waits=awaited_action_phrase(rules, state))
    state = evolve(state, calls=(*state.calls, (seat, PASS)))
    announcements = [announcement_of(event)]
    if not auction.is_over(state):
        return state, announcements
    last = auction.last_bid(state.calls)
    if last is not None:
        declarer, (number, suit) = last[0], auction.split_bid(last[1])
        state = evolve(state, phase=Phase.BID, declarer=declarer, trump=suit, bids=((declarer, number),))
        return state, [*announcements, Announcement("trump", {"suit": suit, "card": None})]
    if rules.cards_to_pass(state):
        return evolve(state, phase=Phase.PASS_CARDS, raps=frozenset()), announcements
    state, more = redeal(rules, state, "all passed")
    return state, announcements + more
