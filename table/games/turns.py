"""Whose turn it is, what may be done, and what the table waits for."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import Card
from table.events.happenings import BidValue
from table.games.base import Expected, Phase, Refusal, State
from table.games.hooks import Hooks
from table.games.state import (
    TableState,
    number_of,
    own,
)


class Turns(Hooks):
    """The questions that a state answers."""

    def expected(self, state: State) -> Expected:
        """What may happen next, and who may do it."""
        state = own(state)
        phase = state.phase
        if phase in (Phase.DEAL, Phase.TURN_UP):
            return Expected(phase, (state.dealer,), state.dealer, must=True)
        if phase is Phase.PASS_CARDS or phase is Phase.SECRET_BID:
            order = self.round_from(self.after(state.dealer, state), state)
            waiting = tuple(seat for seat in order if seat not in state.raps)
            return Expected(phase, waiting or order, None)
        if phase is Phase.AUCTION:
            turn = self.auction_turn(state)
            return Expected(phase, (turn,), turn, must=True)
        if phase is Phase.BID:
            return self._freely(state, self.waiting(state))
        if phase is Phase.LEAD:
            if state.leader is not None:
                return Expected(phase, (state.leader,), state.leader, must=True)
            return self._freely(state, self.round_from(self.default_leader(state), state))
        if phase is Phase.NAME_SUIT:
            assert state.leader is not None
            return Expected(phase, (state.leader,), state.leader, must=True)
        if phase is Phase.FOLLOW:
            seat = self.turn(state)
            assert seat is not None
            return Expected(phase, (seat,), seat, must=True)
        if phase is Phase.PICK_UP:
            winner = state.trick.winner
            assert winner is not None
            return Expected(phase, (winner,), winner, must=True)
        return Expected(phase, (), None)

    def _freely(self, state: TableState, order: tuple[str, ...]) -> Expected:
        """``order`` with its first as the default; the others only where anyone may and none is bound."""
        default = order[0]
        must = not self.free or state.forced or all(seat in state.raps for seat in order[1:])
        return Expected(state.phase, order[:1] if must else order, default, free=not must, must=must)

    def auction_turn(self, state: TableState) -> str:
        """Whose turn it is in the auction."""
        order = self.round_from(state.dealer, state)
        return order[len(state.calls) % len(order)]

    def legal_bids(self, state: State, seat: str) -> tuple[BidValue, ...]:
        """The bids that ``seat`` may make now; empty when it may not bid."""
        state = own(state)
        if state.phase is Phase.SECRET_BID:
            ready = set(state.players) <= state.raps
            return self.bid_values(state, seat) if ready and seat in state.players else ()
        if state.phase not in (Phase.BID, Phase.AUCTION) or seat not in self.expected(state).seats:
            return ()
        barred = self.barred(state, seat)
        return tuple(
            bid for bid in self.bid_values(state, seat) if barred is None or number_of(bid) != barred
        )

    def barred(self, state: TableState, seat: str) -> int | None:
        """The number that the hook forbids ``seat`` now."""
        if (
            state.phase is not Phase.BID
            or len(state.bids) != len(state.players) - 1
            or not self.hooked(state)
        ):
            return None
        left = state.cards - sum(number_of(bid) for _, bid in state.bids)
        return left if left >= 0 else None

    def legal_plays(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""
        state = own(state)
        if state.phase not in (Phase.LEAD, Phase.FOLLOW) or seat not in self.expected(state).seats:
            return ()
        return self.playable(state, seat, hand)

    def legal_suits(self, state: State, seat: str, hand: Sequence[Card] | None = None) -> tuple[str, ...]:
        """The suits that ``seat`` may name now for the joker it has led; empty when it may not.

        ``hand``: the rest of its hand, where it is known.
        """
        state = own(state)
        if state.phase is not Phase.NAME_SUIT or seat != state.leader:
            return ()
        return self.may_name(state, hand)

    def waits_for(self, state: TableState) -> str:
        """What the table waits for, in words."""
        expected = self.expected(state)
        default = expected.default
        return {
            Phase.DEAL: f"{state.dealer} is to deal {state.cards} each and rap",
            Phase.TURN_UP: f"{state.dealer} is to lay the turned-up card on the mark",
            Phase.PASS_CARDS: "everybody is to pass the cards on and rap",
            Phase.AUCTION: f"it is {default}'s turn to bid",
            Phase.BID: f"{default} is to bid" if expected.must else "the bidding is not over",
            Phase.SECRET_BID: "everybody is to bid at once",
            Phase.LEAD: f"{default} is to lead" if expected.must else "the lead is open",
            Phase.NAME_SUIT: f"{default} is to name the joker's suit",
            Phase.FOLLOW: f"it is {default}'s turn to play",
            Phase.PICK_UP: f"{default} is to pick up the trick first",
            Phase.OVER: "the game is over",
        }[state.phase]

    def wrong_phase(self, state: TableState, what: str) -> Refusal:
        """The refusal of what can't be now, with what the table waits for."""
        if state.phase in (Phase.DEAL, Phase.TURN_UP):
            return Refusal("not_dealt", f"{what}: {self.waits_for(state)}")
        return Refusal("wrong_phase", f"{what}: {self.waits_for(state)}")
