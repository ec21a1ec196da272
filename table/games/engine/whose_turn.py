"""Whose turn it is and what players may do now, by rules and state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from table.cards import DENOMINATIONS, NO_TRUMP, BidValue, Card, Contract, tricks_of_bid
from table.games.engine.game_state import Expected, Phase, State
from table.games.engine.ruleset import Bidding, Rules
from table.games.engine.trick_rules import cards_following_suit, next_player, suit_to_follow
from table.phrase import Phrase, make_phrase


@dataclass(frozen=True, eq=False)
class Turns:
    """Whose turn it is in a game and what players may do now, by its rules."""

    rules: Rules

    def expected(self, state: State) -> Expected:
        """Return what may happen next, and which players may do it."""
        phase = state.phase
        match phase:
            case Phase.FOLLOW:
                return _expect_one(phase, next_player(state))
            case Phase.PICK_UP:
                return _expect_one(phase, state.trick.winner)
            case Phase.LEAD if state.trick.leader is None:
                order = state.seats_from(self.default_leader(state))
                return _expect_first_of(state, order, free=self.rules.free_leads)
            case Phase.LEAD | Phase.NAME_SUIT:
                return _expect_one(phase, state.trick.leader)
            case Phase.BID:
                free = self.rules.bidding is Bidding.FREELY
                return _expect_first_of(state, self.players_to_bid(state), free=free)
            case Phase.AUCTION:
                order = state.seats_from(state.dealer)
                return _expect_one(phase, order[len(state.calls) % len(order)])
            case Phase.DEAL | Phase.TURN_UP:
                return _expect_one(phase, state.dealer)
            case Phase.PASS_CARDS | Phase.SECRET_BID:
                order = state.seats_from(state.left_of(state.dealer))
                return Expected(phase, tuple(seat for seat in order if seat not in state.raps) or order, None)
            case Phase.OVER:
                return Expected(phase, (), None)

    def players_to_bid(self, state: State) -> tuple[str, ...]:
        """Return the players who have still to bid, the next first: with free bids who is left of the last bidder."""
        after_free_bid = self.rules.bidding is Bidding.FREELY and state.bids
        first = state.left_of(state.bids[-1][0]) if after_free_bid else self.rules.first_bidder(state)
        have_bid = state.bids_by_seat
        return tuple(seat for seat in state.seats_from(first) if seat not in have_bid)

    def default_leader(self, state: State) -> str:
        """Return the player who leads next, or with free leads the one who must lead when nobody wants to."""
        winner = state.tricks[-1].winner if state.tricks else None
        return self.rules.next_leader(state, winner) if winner else self.rules.first_leader(state)

    def turns_up_trump(self, state: State) -> bool:
        """Return whether a card is turned up for trumps in this hand."""
        return self.rules.trump_of_turned_card is not None and self.rules.fixed_trump(state) is None

    def legal_bids(self, state: State, seat: str) -> tuple[BidValue, ...]:
        """Return the bids that ``seat`` may make now; empty when it may not bid."""
        if state.phase is Phase.SECRET_BID:
            return self.rules.possible_bids(state) if state.all_have_rapped and seat in state.players else ()
        if state.phase not in (Phase.BID, Phase.AUCTION) or seat not in self.expected(state).seats:
            return ()
        if state.phase is Phase.AUCTION:
            highest = state.highest_call
            return _bids_above(highest and highest[1], self.rules.lowest_auction_bid(state), state.cards)
        hooked = self._hooked_number(state)
        return tuple(
            bid for bid in self.rules.possible_bids(state) if hooked is None or tricks_of_bid(bid) != hooked
        )

    def _hooked_number(self, state: State) -> int | None:
        """Return the number that the hook forbids the last bidder: the bids would add up to the tricks."""
        is_last = state.phase is Phase.BID and len(state.bids) == len(state.players) - 1
        if not self.rules.has_hook or not is_last:
            return None
        tricks_left = state.cards - sum(tricks_of_bid(bid) for _, bid in state.bids)
        return tricks_left if tricks_left >= 0 else None

    def legal_plays(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""
        if not state.phase.is_play or seat not in self.expected(state).seats:
            return ()
        if state.trump == NO_TRUMP and len(hand) > 1 and any(card.is_joker for card in hand):
            return self.rules.joker_rules.legal_cards(state, seat, hand)
        return cards_following_suit(hand, suit_to_follow(state), state.trump)

    def legal_suits(self, state: State, seat: str, hand: Sequence[Card] | None = None) -> tuple[str, ...]:
        """Return the suits that ``seat`` may name for its joker; ``hand``: the rest of its hand, where known."""
        if state.phase is not Phase.NAME_SUIT or seat != state.trick.leader:
            return ()
        return self.rules.joker_rules.suits_to_name(state, hand)

    def awaited_action_phrase(self, state: State) -> Phrase:
        """Return the phrase that says what the table waits for."""
        next_action = self.expected(state)
        code = f"waits.{state.phase.value.replace(' ', '_')}"
        if state.phase in (Phase.BID, Phase.LEAD) and not next_action.must_act:
            code += "_open"
        return make_phrase(code, seat=next_action.default_seat, cards=state.cards)


@cache
def _expect_one(phase: Phase, seat: str | None) -> Expected:
    assert seat is not None
    return Expected(phase, (seat,), seat)


def _expect_first_of(state: State, order: tuple[str, ...], *, free: bool) -> Expected:
    """Expect the first of ``order``; the others too where any player may act and nobody is bound."""
    if not free or state.forced or all(seat in state.raps for seat in order[1:]):
        return _expect_one(state.phase, order[0])
    return Expected(state.phase, order, order[0], anyone_may_act=True)


@cache
def _bids_above(last: Contract | None, lowest: int, highest: int) -> tuple[Contract, ...]:
    """Return the bids of ``lowest`` to ``highest`` tricks that may follow the last one, from low to high."""
    bids = (Contract(tricks, trump) for tricks in range(lowest, highest + 1) for trump in DENOMINATIONS)
    return tuple(bid for bid in bids if last is None or bid > last)
