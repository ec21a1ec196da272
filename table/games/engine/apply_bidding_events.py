"""The events before the play: the deal, the turned-up card, cards handed on, and the bids."""

from __future__ import annotations

from table.cards import DOUBLE_NIL, PASS, Card, Contract, bid_to_json, tricks_of_bid
from table.events.game_events import Bid, BidsRevealed, BidsTied, CardsPassed, Dealt, Passed, Rapped, TurnedUp
from table.games.engine.apply_play_events import open_lead
from table.games.engine.change import Change, all_distinct, unknown_card, values_by_seat
from table.games.engine.copy_with_changes import evolve
from table.games.engine.dealing_and_scoring import redeal
from table.games.engine.game_state import Phase, RefusedError
from table.games.engine.ruleset import Bidding

PHASE_OF_BIDDING = {
    Bidding.FREELY: Phase.BID,
    Bidding.IN_TURN: Phase.BID,
    Bidding.AT_ONCE: Phase.SECRET_BID,
    Bidding.AUCTION: Phase.AUCTION,
}

# --- the deal ---------------------------------------------------------------------------------------------


def apply_dealt(change: Change, event: Dealt) -> None:
    """Apply the dealer's rap: the cards are dealt."""
    state = change.state
    if state.phase is not Phase.DEAL:
        raise change.refused_now("wrong_phase", "dealt_already")
    if event.seat != state.dealer:
        raise change.refused_now("not_your_turn", "not_the_dealer", seat=event.seat)
    change.announce(event)
    if change.turns.turns_up_trump(state) and state.turned is None:
        change.state = evolve(state, phase=Phase.TURN_UP)
    else:
        _open_bidding(change)


def apply_turned_up(change: Change, event: TurnedUp) -> None:
    """Apply the turned-up card, which makes the trumps; it may come before the dealer's rap or after it."""
    rules, state = change.rules, change.state
    if rules.trump_of_turned_card is None or not change.turns.turns_up_trump(state):
        raise RefusedError("wrong_phase", "nothing_to_turn")
    if not state.phase.is_deal:
        raise change.refused_now("wrong_phase", "trumps_known")
    if state.turned is not None:
        raise RefusedError("already_turned", card=state.turned)
    if not isinstance(event.card, Card) or event.card not in rules.card_counts:
        raise unknown_card(event.card)
    trump = rules.trump_of_turned_card(event.card)
    change.state = evolve(state, turned=event.card, trump=trump)
    change.announce(event, suit=trump)
    if state.phase is Phase.TURN_UP:
        _open_bidding(change)


def _open_bidding(change: Change) -> None:
    """Go on after the deal: with handing on cards, with the bidding, or with the play where there is no bidding."""
    rules, state = change.rules, change.state
    if rules.cards_to_pass(state):
        change.state = evolve(state, phase=Phase.PASS_CARDS, raps=frozenset())
    elif rules.bidding is Bidding.ALL_ZERO:
        change.state = evolve(state, bids=tuple((seat, 0) for seat in state.players))
        _close_bidding(change)
    else:
        change.state = evolve(state, phase=PHASE_OF_BIDDING[rules.bidding], raps=frozenset())


def apply_cards_passed(change: Change, event: CardsPassed) -> None:
    """Apply the handing on of cards by all players; the bidding follows."""
    if change.state.phase is not Phase.PASS_CARDS:
        raise change.wrong_phase("no_passing_on")
    _pass_cards(change)


def _pass_cards(change: Change, **added: object) -> None:
    rules, state = change.rules, change.state
    change.announce(CardsPassed(), cards=rules.cards_to_pass(state), to=rules.passes_to, **added)
    change.state = evolve(state, card_passes=state.card_passes + 1, calls=(), raps=frozenset())
    _open_bidding(change)


def apply_rapped(change: Change, event: Rapped) -> None:
    """Apply a rap: the player does not want to bid or lead, has handed on the cards, or is ready for a secret bid."""
    rules, state, seat = change.rules, change.state, event.seat
    now = change.turns.expected(state)
    everybody_raps = state.phase in (Phase.PASS_CARDS, Phase.SECRET_BID)
    freely = (state.phase is Phase.BID and rules.bidding is Bidding.FREELY) or (
        state.phase is Phase.LEAD and rules.free_leads
    )
    if not everybody_raps and not freely:
        raise change.wrong_phase("rap", seat=seat)
    if seat in state.raps:
        raise RefusedError("already_rapped", seat=seat)
    if seat not in now.seats:
        raise change.refused_now("not_your_turn", "rap", seat=seat)
    if freely and now.must_act:
        raise change.refused_now("must_act", seat=seat)
    change.state = state = evolve(state, raps=state.raps | {seat})
    change.announce(event)
    if state.phase is Phase.PASS_CARDS and state.all_have_rapped:
        _pass_cards(change, derived=True)


# --- bids -------------------------------------------------------------------------------------------------


def apply_bid(change: Change, event: Bid) -> None:
    """Apply a bid, in the bidding or in the auction."""
    state, seat, bid = change.state, event.seat, event.bid
    if state.phase is Phase.SECRET_BID or not _is_legal_bid(change, seat, bid):
        raise _why_not_now(change, seat, bid)
    change.announce(event)
    if state.phase is Phase.AUCTION:
        change.state = evolve(state, calls=(*state.calls, (seat, bid)))
        return
    change.state = state = evolve(state, bids=(*state.bids, (seat, bid)), raps=frozenset(), forced=False)
    if len(state.bids) == len(state.players):
        _close_bidding(change)


def _is_legal_bid(change: Change, seat: str, bid: object) -> bool:
    """Return whether a value is a legal bid; True and 1.0 are no 1."""
    return type(bid) in (int, str, Contract) and bid in change.turns.legal_bids(change.state, seat)


def _why_not_now(change: Change, seat: str, bid: object) -> RefusedError:
    """Return the reason why ``seat`` may not bid this now, where it is not among the legal bids."""
    state = change.state
    match state.phase:
        case Phase.SECRET_BID:
            return change.refused_now("wrong_phase", "bid_alone", seat=seat)
        case Phase.DEAL | Phase.TURN_UP | Phase.PASS_CARDS:
            return change.wrong_phase("bid_early", seat=seat)
        case Phase.BID | Phase.AUCTION:
            if seat in state.bids_by_seat:
                return RefusedError("already_bid", seat=seat, bid=state.bids_by_seat[seat])
            if seat not in change.turns.expected(state).seats:
                return change.refused_now("not_your_turn", "bid_now", seat=seat)
            return (_why_no_auction_bid if state.phase is Phase.AUCTION else _why_no_bid)(change, seat, bid)
    return change.wrong_phase("bid_late", seat=seat)


def _why_no_auction_bid(change: Change, seat: str, bid: object) -> RefusedError:
    lowest, highest = change.rules.lowest_auction_bid(change.state), change.state.highest_call
    if not isinstance(bid, Contract) or not 1 <= bid.tricks <= change.state.cards:
        return RefusedError("no_such_bid", "no_auction_bid", seat=seat, bid=str(bid), lowest=lowest)
    if highest is not None and not bid > highest[1]:
        fields = {"other": highest[0], "last": str(highest[1])}
        return RefusedError("too_low", "not_above", seat=seat, bid=str(bid), **fields)
    return RefusedError("too_low", seat=seat, bid=str(bid), lowest=lowest)


def _why_no_bid(change: Change, seat: str, bid: object) -> RefusedError:
    cards = change.state.cards
    if isinstance(bid, Contract):
        return RefusedError("no_such_bid", seat=seat, bid=str(bid))
    if type(bid) is not int and bid != DOUBLE_NIL:
        return RefusedError("no_such_bid", "no_bid", seat=seat, bid=str(bid))
    if bid in change.rules.possible_bids(change.state):
        return RefusedError("forbidden_bid", seat=seat, bid=bid, cards=cards)
    if isinstance(bid, int) and bid > cards:
        return RefusedError("too_many", seat=seat, bid=bid, cards=cards)
    return RefusedError("no_such_bid", seat=seat, bid=bid)


def apply_bids_tied(change: Change, event: BidsTied) -> None:
    """Apply simultaneous bids: none of them counts, and the default bidder must bid."""
    state, seats = change.state, event.seats
    now = change.turns.expected(state)
    if state.phase is not Phase.BID or not now.anyone_may_act:
        raise change.refused_now("wrong_phase", "no_bids_tie")
    if not isinstance(seats, tuple) or len(seats) < 2 or not all_distinct(seats):
        raise RefusedError("no_tie", "no_tie_of_bids")
    for seat in seats:
        if seat not in now.seats:
            raise RefusedError("not_your_turn", "bid_ties", seat=str(seat))
    change.state = evolve(state, raps=frozenset(), forced=True)
    change.announce(event, next=now.default_seat)


def apply_bids_revealed(change: Change, event: BidsRevealed) -> None:
    """Apply the secret bids of a hand, all at once."""
    state = change.state
    if state.phase is not Phase.SECRET_BID:
        raise change.wrong_phase("no_secret_bids")
    if not state.all_have_rapped:
        raise RefusedError("not_ready")
    bids = values_by_seat(event.bids)
    if bids.keys() != set(state.players) or len(bids) != len(event.bids):
        raise RefusedError("bids_missing")
    order = state.seats_from(state.left_of(state.dealer))
    for seat in order:
        if not _is_legal_bid(change, seat, bids[seat]):
            raise _why_no_bid(change, seat, bids[seat])
    change.announce(BidsRevealed(tuple((seat, bids[seat]) for seat in state.players)))
    for seat in order:
        change.announce(Bid(seat, bids[seat]), derived=True)
    change.state = evolve(state, bids=tuple((seat, bids[seat]) for seat in order))
    _close_bidding(change)


def _close_bidding(change: Change) -> None:
    state = change.state
    bids = {seat: bid_to_json(state.bids_by_seat[seat]) for seat in state.players}
    over = sum(tricks_of_bid(bid) for _, bid in state.bids) - state.cards
    change.announce_line("bidding_over", bids=bids, over=over)
    open_lead(change)


def apply_passed(change: Change, event: Passed) -> None:
    """Apply a pass in the auction; the auction is over when all have passed in a row."""
    rules, state, seat = change.rules, change.state, event.seat
    if state.phase is not Phase.AUCTION:
        raise change.wrong_phase("pass", seat=seat)
    if seat not in change.turns.expected(state).seats:
        raise change.refused_now("not_your_turn", "pass", seat=seat)
    change.state = state = evolve(state, calls=(*state.calls, (seat, PASS)))
    change.announce(event)
    players = len(state.players)
    if len(state.calls) < players or any(call != PASS for _, call in state.calls[-players:]):
        return
    if state.highest_call is not None:
        declarer, won = state.highest_call
        change.state = evolve(state, phase=Phase.BID, trump=won.trump, bids=((declarer, won.tricks),))
        change.announce_line("trump", suit=won.trump, card=None)
    elif rules.cards_to_pass(state):
        change.state = evolve(state, phase=Phase.PASS_CARDS, raps=frozenset())
    else:
        redeal(change, "all passed")
