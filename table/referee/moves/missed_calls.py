"""The calls that were made and not heard: what is assumed in their place until people say what they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from table.cards import PASS, BidValue, parse_call
from table.events.game_events import (
    Bid,
    BidsRevealed,
    Dealt,
    Event,
    Passed,
    Rapped,
    SuitNamed,
)
from table.games.engine.game_state import Phase, State
from table.games.game import Game
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis
from table.referee.model.search_context import Pins

CALL_PHASES = (
    Phase.DEAL,
    Phase.PASS_CARDS,
    Phase.AUCTION,
    Phase.BID,
    Phase.SECRET_BID,
    Phase.NAME_SUIT,
)
"""The phases in which play goes on only once somebody has called."""
DIAL_PHASES = (Phase.AUCTION, Phase.NAME_SUIT)
"""The phases in which a player's taps turn a dial."""


@dataclass(frozen=True, slots=True)
class MissedCalls:
    """An event that is assumed in the place of calls that were not heard."""

    event: Event
    seats: tuple[str, ...]
    """The players whose calls were missed and have not been named by people since."""
    guess_cost: float = 0.0
    """The cost in nats of its being this event, and no other that it may have been."""

    @property
    def line_fields(self) -> Mapping[str, Any]:
        """The fields that mark the journal line as not heard."""
        if not self.seats:
            return {}
        return {"unheard": list(self.seats)} if isinstance(self.event, BidsRevealed) else {"heard": False}


MAX_GUESSED_BIDS = 2
"""The number of bids that are tried in the place of a missed one: by the hook one alone could forbid what was heard."""


def assume_missed_calls(game: Game, hypothesis: Hypothesis, pins: Pins) -> list[MissedCalls]:
    """Return the assumed events that may take the game on from where it waits for a call, the likeliest first."""
    state = hypothesis.state
    if state.phase is Phase.DEAL:
        return [MissedCalls(Dealt(state.dealer), (state.dealer,))]
    if state.phase is Phase.PASS_CARDS:
        missing = [seat for seat in state.players if seat not in state.raps]
        return [MissedCalls(Rapped(seat), (seat,)) for seat in missing[:1]]
    if state.phase is Phase.SECRET_BID:
        secret = _assume_secret_bids(game, hypothesis, pins)
        return [secret] if secret is not None else []
    seat = game.expected(state).default_seat
    if seat is None:
        return []
    ways = {Phase.AUCTION: _assume_auction_call, Phase.NAME_SUIT: _assume_joker_suit}
    return ways.get(state.phase, _assume_bid)(game, hypothesis, seat, pins)


def _assume_auction_call(game: Game, hypothesis: Hypothesis, seat: str, pins: Pins) -> list[MissedCalls]:
    """Return the assumed call of an auction: what the dial showed, else a pass."""
    state = hypothesis.state
    said = pins.calls.get((state.deal, len(state.calls)))
    shown = hypothesis.dial_value[1] if hypothesis.dial_value is not None else PASS
    called = parse_call(shown) if said is None else said
    event: Event = Passed(seat) if called == PASS else Bid(seat, called)
    return [MissedCalls(event, (seat,) if said is None else ())]


def _assume_joker_suit(game: Game, hypothesis: Hypothesis, seat: str, pins: Pins) -> list[MissedCalls]:
    """Return the assumed suits of a led joker: what the dial showed, else any legal one; the cards that follow tell
    which.
    """
    state = hypothesis.state
    said = pins.suits.get((state.deal, len(state.tricks) + 1))
    if said is not None:
        return [MissedCalls(SuitNamed(seat, said), ())]
    if hypothesis.dial_value is not None:
        return [MissedCalls(SuitNamed(seat, hypothesis.dial_value[1]), (seat,))]
    suits = game.legal_suits(state, seat)
    return [MissedCalls(SuitNamed(seat, suit), (seat,), log(len(suits))) for suit in suits]


def _assume_bid(game: Game, hypothesis: Hypothesis, seat: str, pins: Pins) -> list[MissedCalls]:
    """Return the assumed bids of the player whose turn it is."""
    state = hypothesis.state
    said = pins.bids.get((state.deal, seat))
    if said is not None:
        return [MissedCalls(Bid(seat, said), ())]
    likely = likely_bids(state, game.legal_bids(state, seat))
    return [
        MissedCalls(Bid(seat, bid), (seat,), place * COSTS.unlikely_guess)
        for place, bid in enumerate(likely[:MAX_GUESSED_BIDS])
    ]


def _assume_secret_bids(game: Game, hypothesis: Hypothesis, pins: Pins) -> MissedCalls | None:
    """Return the bids that were made in secret, completed by assumed ones; None while a player has no legal bid."""
    state = hypothesis.state
    bids, seats = dict(hypothesis.secret_bids), []
    for seat in state.players:
        legal = game.legal_bids(state, seat)
        if not legal:
            return None
        said = pins.bids.get((state.deal, seat))
        if said is not None:
            bids[seat] = said
        elif seat not in bids:
            bids[seat] = likely_bids(state, legal)[0]
            seats.append(seat)
    return MissedCalls(BidsRevealed(tuple((seat, bids[seat]) for seat in state.players)), tuple(seats))


def likely_bids(state: State, legal: Sequence[BidValue]) -> list[BidValue]:
    """Return the legal bids by likelihood: the nearest to each player's share of the tricks first."""
    share = state.cards // len(state.players)
    numbers = [bid for bid in legal if isinstance(bid, int)]
    nearest = sorted(numbers, key=lambda bid: (abs(bid - share), bid))
    return [*nearest] if nearest else [*legal]
