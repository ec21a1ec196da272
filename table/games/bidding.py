"""Before the play: the cards dealt, turned up, handed on, and the bids."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.cards import Card
from table.events.happenings import Bid, BidsRevealed, BidsTied, CardsPassed, Dealt, Rapped, TurnedUp
from table.events.kind import Said
from table.games.base import Phase, Refusal
from table.games.play import Playing
from table.games.state import (
    Change,
    TableState,
    distinct,
    no_such_card,
    number_of,
    pairs,
)


class Bidding(Playing):
    """From the deal to the last bid."""

    # --- dealing ------------------------------------------------------------------------------------------

    def on_dealt(self, state: TableState, event: Dealt) -> Change | Refusal:
        """The dealer raps: the cards are dealt."""
        if state.phase is not Phase.DEAL:
            return Refusal("wrong_phase", f"the cards have been dealt: {self.waits_for(state)}")
        if event.seat != state.dealer:
            return Refusal("not_your_turn", f"{event.seat} does not deal: {self.waits_for(state)}")
        said = [Said("dealt", {"dealer": event.seat})]
        if self.turns_up(state) and state.turned is None:
            return replace(state, phase=Phase.TURN_UP), said
        state, more = self.open_bidding(state)
        return state, said + more

    def on_turned_up(self, state: TableState, event: TurnedUp) -> Change | Refusal:
        """The turned-up card makes the trumps; it may come before the dealer's rap or after it."""
        if not self.turns_up(state):
            return Refusal("wrong_phase", "no card is turned up in this hand")
        if state.phase not in (Phase.DEAL, Phase.TURN_UP):
            return Refusal("wrong_phase", f"the trumps are known: {self.waits_for(state)}")
        if state.turned is not None:
            return Refusal("already_turned", f"the {state.turned.sign} has been turned up already")
        if not isinstance(event.card, Card) or event.card not in self.copies:
            return no_such_card(event.card)
        trump = self.trump_turned(event.card)
        if isinstance(trump, Refusal):
            return trump
        turned = replace(state, turned=event.card, trump=trump)
        said = [Said("trump", {"suit": trump, "card": str(event.card)})]
        if state.phase is Phase.DEAL:
            return turned, said
        turned, more = self.open_bidding(turned)
        return turned, said + more

    def open_bidding(self, state: TableState) -> Change:
        """All is dealt: cards are handed on, or the bidding begins, or the play where there is none."""
        if self.cards_to_pass(state):
            return replace(state, phase=Phase.PASS_CARDS, raps=frozenset()), []
        phase = self.bid_phase(state)
        if phase is Phase.LEAD:
            return self.close_bidding(replace(state, bids=self.bids_by_rule(state)))
        return replace(state, phase=phase, raps=frozenset()), []

    def _pass_cards(self, state: TableState, **more: Any) -> Change:
        said = [Said("cards_passed", {"cards": self.cards_to_pass(state), "to": "left", **more})]
        state, opened = self.open_bidding(replace(state, card_passes=state.card_passes + 1, calls=()))
        return state, said + opened

    def on_cards_passed(self, state: TableState, event: CardsPassed) -> Change | Refusal:
        """Everybody has handed the cards on."""
        if state.phase is not Phase.PASS_CARDS:
            return self.wrong_phase(state, "no cards are passed now")
        return self._pass_cards(state)

    # --- bidding ------------------------------------------------------------------------------------------

    def on_rapped(self, state: TableState, event: Rapped) -> Change | Refusal:
        """A rap: no wish to bid or lead, the cards handed on, or the fist on the table."""
        seat = event.seat
        expected = self.expected(state)
        said = [Said("rap", {"seat": seat})]
        if state.phase in (Phase.DEAL, Phase.TURN_UP):
            return Refusal("not_dealt", f"{seat}'s rap means nothing yet: {self.waits_for(state)}")
        gathers = state.phase in (Phase.PASS_CARDS, Phase.SECRET_BID)
        if not gathers and not (self.free and state.phase in (Phase.BID, Phase.LEAD)):
            return Refusal("wrong_phase", f"{seat}'s rap means nothing here: {self.waits_for(state)}")
        if seat in state.raps:
            return Refusal("already_rapped", f"{seat} has rapped already")
        if seat not in expected.seats:
            return Refusal("not_your_turn", f"{seat}'s rap means nothing here: {self.waits_for(state)}")
        if not gathers and expected.must:
            return Refusal("must_act", f"{seat} can't rap: {self.waits_for(state)}")
        state = replace(state, raps=state.raps | {seat})
        if state.phase is Phase.PASS_CARDS and set(state.players) <= state.raps:
            state, more = self._pass_cards(replace(state, raps=frozenset()), derived=True)
            return state, said + more
        return state, said

    def on_bid(self, state: TableState, event: Bid) -> Change | Refusal:
        """A bid, or a bid in the auction."""
        seat, bid = event.seat, event.bid
        if state.phase is Phase.AUCTION:
            return self.auction_bid(state, event)
        if state.phase is Phase.SECRET_BID:
            return Refusal("wrong_phase", f"{seat} can't bid alone: {self.waits_for(state)}")
        if state.phase is not Phase.BID:
            over = state.phase not in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS)
            why = f"the bidding is over, {seat}" if over else f"{seat} can't bid yet"
            return self.wrong_phase(state, why)
        if seat in state.bid_of:
            return Refusal("already_bid", f"{seat} has bid {state.bid_of[seat]} already")
        expected = self.expected(state)
        if seat not in expected.seats:
            return Refusal("not_your_turn", f"{seat} can't bid now: {self.waits_for(state)}")
        if refusal := self._no_bid(state, seat, bid):
            return refusal
        said = [Said("bid", {"seat": seat, "bid": bid})]
        state = replace(state, bids=(*state.bids, (seat, bid)), raps=frozenset(), forced=False)
        if len(state.bids) < len(state.players):
            return state, said
        state, more = self.close_bidding(state)
        return state, said + more

    def _no_bid(self, state: TableState, seat: str, bid: object) -> Refusal | None:
        """Why this can't be bid, whoever's turn it is."""
        values = self.bid_values(state, seat)
        if isinstance(bid, bool) or not isinstance(bid, int | str):
            return Refusal("no_such_bid", f"{seat}: there is no bid {bid}")
        if bid not in values:
            if isinstance(bid, int) and bid > state.cards:
                tricks = "trick" if state.cards == 1 else "tricks"
                return Refusal("too_many", f"{seat} can't bid {bid}: the hand has {state.cards} {tricks}")
            return Refusal("no_such_bid", f"{seat} can't bid {bid} in this hand")
        barred = self.barred(state, seat)
        if barred is not None and number_of(bid) == barred:
            total = f"the bids would add up to {state.cards}"
            return Refusal("forbidden_bid", f"{seat} can't bid {bid}: {total}")
        return None

    def on_bids_tied(self, state: TableState, event: BidsTied) -> Change | Refusal:
        """Bids at the same time: void, and the default bidder must bid."""
        expected = self.expected(state)
        if state.phase is not Phase.BID or not expected.free:
            return Refusal("wrong_phase", f"no bids can tie now: {self.waits_for(state)}")
        seats = event.seats
        if not isinstance(seats, tuple) or len(seats) < 2 or not distinct(seats):
            return Refusal("no_tie", "a tie needs bids of two players or more")
        for seat in seats:
            if seat not in expected.seats:
                return Refusal("not_your_turn", f"{seat} may not bid now, so nothing ties with it")
        state = replace(state, raps=frozenset(), forced=True)
        default = self.expected(state).default
        return state, [Said("bids_tied", {"seats": list(seats), "next": default})]

    def on_bids_revealed(self, state: TableState, event: BidsRevealed) -> Change | Refusal:
        """All the bids of a hand that is bid at once."""
        if state.phase is not Phase.SECRET_BID:
            return self.wrong_phase(state, "no bids are shown at once now")
        if not set(state.players) <= state.raps:
            return Refusal("not_ready", "not everybody has put the fist on the table: all rap first")
        bids = pairs(event.bids)
        if bids is None or set(bids) != set(state.players) or len(bids) != len(event.bids):
            return Refusal("bids_missing", "the bids of all are shown at once: one bid of each player")
        order = self.round_from(self.after(state.dealer, state), state)
        for seat in order:
            if refusal := self._no_bid(state, seat, bids[seat]):
                return refusal
        said = [Said("bids_revealed", {"bids": {seat: bids[seat] for seat in state.players}})]
        said += [Said("bid", {"seat": seat, "bid": bids[seat], "derived": True}) for seat in order]
        state, more = self.close_bidding(replace(state, bids=tuple((seat, bids[seat]) for seat in order)))
        return state, said + more

    def close_bidding(self, state: TableState) -> Change:
        """All have bid: the play begins."""
        bids = state.bid_of
        over = sum(number_of(bid) for bid in bids.values()) - state.cards
        said = Said("bidding_over", {"bids": {seat: bids[seat] for seat in state.players}, "over": over})
        return self.open_lead(state), [said]
