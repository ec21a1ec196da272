"""Whose turn it is, and what may be done now: questions that rules and a state answer."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import NO_TRUMP, Card
from table.events.happenings import BidValue
from table.games import auction
from table.games.base import Expected, Phase, Refusal, State, number_of, refuse
from table.games.rules import Bidding, Rules
from table.games.tricks import following, next_to_play, suit_to_follow
from table.phrase import Phrase, say


def expected(rules: Rules, state: State) -> Expected:
    """What may happen next, and who may do it."""
    phase = state.phase
    match phase:
        case Phase.FOLLOW:
            return _alone(phase, next_to_play(state))
        case Phase.PICK_UP:
            return _alone(phase, state.trick.winner)
        case Phase.LEAD if state.leader is None:
            return _freely(state, state.round_from(default_leader(rules, state)), free=rules.free_leads)
        case Phase.LEAD | Phase.NAME_SUIT:
            return _alone(phase, state.leader)
        case Phase.BID:
            return _freely(state, waiting(rules, state), free=rules.bidding is Bidding.FREELY)
        case Phase.AUCTION:
            return _alone(phase, auction.turn(state))
        case Phase.DEAL | Phase.TURN_UP:
            return _alone(phase, state.dealer)
        case Phase.PASS_CARDS | Phase.SECRET_BID:
            order = state.round_from(state.left_of(state.dealer))
            return Expected(phase, tuple(seat for seat in order if seat not in state.raps) or order, None)
        case Phase.OVER:
            return Expected(phase, (), None)


def _alone(phase: Phase, seat: str | None) -> Expected:
    assert seat is not None
    return Expected(phase, (seat,), seat, must=True)


def _freely(state: State, order: tuple[str, ...], *, free: bool) -> Expected:
    """``order`` with its first as the default; the others only where anyone may and none is bound."""
    must = not free or state.forced or all(seat in state.raps for seat in order[1:])
    return Expected(state.phase, order[:1] if must else order, order[0], free=not must, must=must)


def waiting(rules: Rules, state: State) -> tuple[str, ...]:
    """Who has still to bid, the one whose turn it is first: with free bids who sits left of the last bidder."""
    freely = rules.bidding is Bidding.FREELY and state.bids
    first = state.left_of(state.bids[-1][0]) if freely else rules.first_bidder(state)
    have_bid = state.bid_of
    return tuple(seat for seat in state.round_from(first) if seat not in have_bid)


def default_leader(rules: Rules, state: State) -> str:
    """Who leads next, or with free leads must when nobody wants to."""
    winner = state.tricks[-1].winner if state.tricks else None
    return rules.later_leader(state, winner) if winner else rules.first_leader(state)


def turns_up(rules: Rules, state: State) -> bool:
    """Whether a card is turned up for trumps in this hand."""
    return rules.turned is not None and rules.trumps(state) is None


# --- what is legal ----------------------------------------------------------------------------------------


def legal_bids(rules: Rules, state: State, seat: str) -> tuple[BidValue, ...]:
    """The bids that ``seat`` may make now; empty when it may not bid."""
    if state.phase is Phase.SECRET_BID:
        return rules.bids(state) if state.all_have_rapped and seat in state.players else ()
    if state.phase not in (Phase.BID, Phase.AUCTION) or seat not in expected(rules, state).seats:
        return ()
    if state.phase is Phase.AUCTION:
        return auction.bids_above(auction.last_bid(state.calls), rules.auction_from(state), state.cards)
    barred = hooked_number(rules, state)
    return tuple(bid for bid in rules.bids(state) if barred is None or number_of(bid) != barred)


def hooked_number(rules: Rules, state: State) -> int | None:
    """The number that the hook forbids who bids now: the last bidder, whose bid would make the sum the tricks."""
    if not rules.hook or state.phase is not Phase.BID or len(state.bids) != len(state.players) - 1:
        return None
    left = state.cards - sum(number_of(bid) for _, bid in state.bids)
    return left if left >= 0 else None


def legal_plays(rules: Rules, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""
    if state.phase not in (Phase.LEAD, Phase.FOLLOW) or seat not in expected(rules, state).seats:
        return ()
    if state.trump == NO_TRUMP and len(hand) > 1 and any(card.is_joker for card in hand):
        return rules.joker.may_play(state, seat, hand)
    return following(hand, suit_to_follow(state), state.trump)


def legal_suits(rules: Rules, state: State, seat: str, hand: Sequence[Card] | None) -> tuple[str, ...]:
    """The suits that ``seat`` may name now for the joker it has led; empty when it may not."""
    if state.phase is not Phase.NAME_SUIT or seat != state.leader:
        return ()
    return rules.joker.may_name(state, hand)


# --- what the table waits for -----------------------------------------------------------------------------


def waits(rules: Rules, state: State) -> Phrase:
    """What the table waits for."""
    now = expected(rules, state)
    code = f"waits.{state.phase.value.replace(' ', '_')}"
    if state.phase in (Phase.BID, Phase.LEAD) and not now.must:
        code += "_open"
    return say(code, seat=now.default, cards=state.cards)


def wrong_phase(rules: Rules, state: State, why: str, **fields: object) -> Refusal:
    """The refusal of what can't be now, with what the table waits for."""
    undealt = state.phase in (Phase.DEAL, Phase.TURN_UP)
    return refuse("not_dealt" if undealt else "wrong_phase", why, waits=waits(rules, state), **fields)
