"""Whose turn it is and what players may do now, by rules and state."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import NO_TRUMP, Card
from table.events.game_events import BidValue
from table.games.engine import auction
from table.games.engine.game_state import Expected, Phase, Refusal, State, refuse, tricks_of_bid
from table.games.engine.ruleset import Bidding, Rules
from table.games.engine.trick_rules import cards_following_suit, next_player, suit_to_follow
from table.phrase import Phrase, make_phrase


def expected(rules: Rules, state: State) -> Expected:
    """Return what may happen next, and which players may do it."""
    phase = state.phase
    match phase:
        case Phase.FOLLOW:
            return _expect_one(phase, next_player(state))
        case Phase.PICK_UP:
            return _expect_one(phase, state.trick.winner)
        case Phase.LEAD if state.leader is None:
            return _expect_first_of(
                state, state.seats_from(default_leader(rules, state)), free=rules.free_leads
            )
        case Phase.LEAD | Phase.NAME_SUIT:
            return _expect_one(phase, state.leader)
        case Phase.BID:
            return _expect_first_of(state, players_to_bid(rules, state), free=rules.bidding is Bidding.FREELY)
        case Phase.AUCTION:
            return _expect_one(phase, auction.next_caller(state))
        case Phase.DEAL | Phase.TURN_UP:
            return _expect_one(phase, state.dealer)
        case Phase.PASS_CARDS | Phase.SECRET_BID:
            order = state.seats_from(state.left_of(state.dealer))
            return Expected(phase, tuple(seat for seat in order if seat not in state.raps) or order, None)
        case Phase.OVER:
            return Expected(phase, (), None)


def _expect_one(phase: Phase, seat: str | None) -> Expected:
    """Expect one player, who must act."""
    assert seat is not None
    return Expected(phase, (seat,), seat, must_act=True)


def _expect_first_of(state: State, order: tuple[str, ...], *, free: bool) -> Expected:
    """Expect the first of ``order``; the others too where any player may act and nobody is bound."""
    must_act = not free or state.forced or all(seat in state.raps for seat in order[1:])
    return Expected(
        state.phase,
        order[:1] if must_act else order,
        order[0],
        anyone_may_act=not must_act,
        must_act=must_act,
    )


def players_to_bid(rules: Rules, state: State) -> tuple[str, ...]:
    """Return the players who have still to bid, the next first: with free bids the player left of the last bidder."""
    after_free_bid = rules.bidding is Bidding.FREELY and state.bids
    first = state.left_of(state.bids[-1][0]) if after_free_bid else rules.first_bidder(state)
    have_bid = state.bids_by_seat
    return tuple(seat for seat in state.seats_from(first) if seat not in have_bid)


def default_leader(rules: Rules, state: State) -> str:
    """Return the player who leads next, or with free leads the one who must lead when nobody wants to."""
    winner = state.tricks[-1].winner if state.tricks else None
    return rules.next_leader(state, winner) if winner else rules.first_leader(state)


def turns_up_card(rules: Rules, state: State) -> bool:
    """Return whether a card is turned up for trumps in this hand."""
    return rules.trump_of_turned_card is not None and rules.fixed_trump(state) is None


# --- legal actions ----------------------------------------------------------------------------------------


def legal_bids(rules: Rules, state: State, seat: str) -> tuple[BidValue, ...]:
    """Return the bids that ``seat`` may make now; empty when it may not bid."""
    if state.phase is Phase.SECRET_BID:
        return rules.possible_bids(state) if state.all_have_rapped and seat in state.players else ()
    if state.phase not in (Phase.BID, Phase.AUCTION) or seat not in expected(rules, state).seats:
        return ()
    if state.phase is Phase.AUCTION:
        return auction.bids_above(auction.last_bid(state.calls), rules.lowest_auction_bid(state), state.cards)
    hooked = hooked_number(rules, state)
    return tuple(bid for bid in rules.possible_bids(state) if hooked is None or tricks_of_bid(bid) != hooked)


def hooked_number(rules: Rules, state: State) -> int | None:
    """Return the number that the hook forbids the last bidder, because the sum of the bids would equal the tricks."""
    if not rules.has_hook or state.phase is not Phase.BID or len(state.bids) != len(state.players) - 1:
        return None
    tricks_left = state.cards - sum(tricks_of_bid(bid) for _, bid in state.bids)
    return tricks_left if tricks_left >= 0 else None


def legal_plays(rules: Rules, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""
    if state.phase not in (Phase.LEAD, Phase.FOLLOW) or seat not in expected(rules, state).seats:
        return ()
    if state.trump == NO_TRUMP and len(hand) > 1 and any(card.is_joker for card in hand):
        return rules.joker_rules.legal_cards(state, seat, hand)
    return cards_following_suit(hand, suit_to_follow(state), state.trump)


def legal_suits(rules: Rules, state: State, seat: str, hand: Sequence[Card] | None) -> tuple[str, ...]:
    """Return the suits that ``seat`` may name now for the joker it has led; empty when it may not name one."""
    if state.phase is not Phase.NAME_SUIT or seat != state.leader:
        return ()
    return rules.joker_rules.suits_to_name(state, hand)


# --- messages ---------------------------------------------------------------------------------------------


def awaited_action_phrase(rules: Rules, state: State) -> Phrase:
    """Return the phrase that says what the table waits for."""
    next_action = expected(rules, state)
    code = f"waits.{state.phase.value.replace(' ', '_')}"
    if state.phase in (Phase.BID, Phase.LEAD) and not next_action.must_act:
        code += "_open"
    return make_phrase(code, seat=next_action.default_seat, cards=state.cards)


def refuse_wrong_phase(rules: Rules, state: State, why: str, **fields: object) -> Refusal:
    """Return the refusal of an event that is impossible in this phase, with what the table waits for."""
    not_dealt = state.phase in (Phase.DEAL, Phase.TURN_UP)
    return refuse(
        "not_dealt" if not_dealt else "wrong_phase", why, waits=awaited_action_phrase(rules, state), **fields
    )
