"""Calls that were made and not heard: what stands in their place until people say what they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidValue,
    Dealt,
    Event,
    Passed,
    Rapped,
    SuitNamed,
)
from table.games.base import PASS, Phase, State
from table.games.game import Game
from table.referee.explanation import Entry, Explanation
from table.referee.odds import ODDS
from table.referee.setting import Pins

CALLING = (
    Phase.DEAL,
    Phase.PASS_CARDS,
    Phase.AUCTION,
    Phase.BID,
    Phase.SECRET_BID,
    Phase.NAME_SUIT,
)
"""While these last, play goes on only once somebody has called."""
DIALLED = (Phase.AUCTION, Phase.NAME_SUIT)
"""While these last, one player's taps turn a dial."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """What is put in the place of calls that nobody heard."""

    event: Event
    seats: tuple[str, ...]
    """Whose calls they are that nobody has told of since."""
    guess: float = 0.0
    """Nats: what it costs that it was this, and nothing else that it may have been."""

    @property
    def extra(self) -> Mapping[str, Any]:
        """What the journal's line says of it."""
        if not self.seats:
            return {}
        return {"unheard": list(self.seats)} if isinstance(self.event, BidsRevealed) else {"heard": False}


GUESSES = 2
"""So many bids may stand in the place of one that nobody heard: by the hook one alone could forbid what was heard."""


def unheard(game: Game, explanation: Explanation, pins: Pins) -> list[Unheard]:
    """What may take the game on from where it waits for a call, the likeliest first."""
    state = explanation.state
    if state.phase is Phase.DEAL:
        return [Unheard(Dealt(state.dealer), (state.dealer,))]
    if state.phase is Phase.PASS_CARDS:
        missing = [seat for seat in state.players if seat not in state.raps]
        return [Unheard(Rapped(seat), (seat,)) for seat in missing[:1]]
    if state.phase is Phase.SECRET_BID:
        secret = _in_secret(game, explanation, pins)
        return [secret] if secret is not None else []
    seat = game.expected(state).default
    if seat is None:
        return []
    ways = {Phase.AUCTION: _in_auction, Phase.NAME_SUIT: _of_joker}
    return ways.get(state.phase, _in_turn)(game, explanation, seat, pins)


def _in_auction(game: Game, explanation: Explanation, seat: str, pins: Pins) -> list[Unheard]:
    """A call of the auction: what the dial showed, else a pass."""
    state = explanation.state
    said = pins.calls.get((state.deal, len(state.calls)))
    shown = explanation.dialled[1] if explanation.dialled is not None else PASS
    called = shown if said is None else said
    event: Event = Passed(seat) if called == PASS else Bid(seat, called)
    return [Unheard(event, (seat,) if said is None else ())]


def _of_joker(game: Game, explanation: Explanation, seat: str, pins: Pins) -> list[Unheard]:
    """The suit of a led joker: what the dial showed, else any that may be named; the cards that follow tell which."""
    state = explanation.state
    said = pins.suits.get((state.deal, len(state.tricks) + 1))
    if said is not None:
        return [Unheard(SuitNamed(seat, said), ())]
    if explanation.dialled is not None:
        return [Unheard(SuitNamed(seat, str(explanation.dialled[1])), (seat,))]
    suits = game.legal_suits(state, seat)
    return [Unheard(SuitNamed(seat, suit), (seat,), log(len(suits))) for suit in suits]


def _in_turn(game: Game, explanation: Explanation, seat: str, pins: Pins) -> list[Unheard]:
    """A bid."""
    state = explanation.state
    said = pins.bids.get((state.deal, seat))
    if said is not None:
        return [Unheard(Bid(seat, said), ())]
    likely = likely_bids(state, game.legal_bids(state, seat))
    return [
        Unheard(Bid(seat, bid), (seat,), place * ODDS.guessed) for place, bid in enumerate(likely[:GUESSES])
    ]


def _in_secret(game: Game, explanation: Explanation, pins: Pins) -> Unheard | None:
    """The bids that were made in secret, with those that were not heard."""
    state = explanation.state
    bids, seats = dict(explanation.kept), []
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
    return Unheard(BidsRevealed(tuple((seat, bids[seat]) for seat in state.players)), tuple(seats))


def likely_bids(state: State, legal: Sequence[BidValue]) -> list[BidValue]:
    """What may stand in the place of a bid that nobody heard: what is nearest to each player's share of the tricks."""
    share = state.cards // len(state.players)
    numbers = [bid for bid in legal if isinstance(bid, int)]
    nearest = sorted(numbers, key=lambda bid: (abs(bid - share), bid))
    return [*nearest] if nearest else [*legal]


@dataclass(frozen=True, slots=True)
class Guess:
    """A call in the book that nobody heard."""

    seat: str
    choices: tuple[str, ...]
    """What it may have been, what stands in its place first."""
    place: int | None = None
    """Its place in the auction, from 0; None elsewhere."""
    trick: int = 0
    """To which the joker was led whose suit it is; 0 elsewhere."""


def guessed(game: Game, entry: Entry) -> list[Guess]:
    """The calls of an entry that nobody heard."""
    cause, before = entry.cause, entry.before
    fields = entry.said[0].fields if entry.said else {}
    lost = fields.get("heard") is False
    if isinstance(cause, BidsRevealed):
        missing = fields.get("unheard", ())
        return [
            Guess(seat, _choices(bid, game.legal_bids(before, seat)))
            for seat, bid in cause.bids
            if seat in missing
        ]
    if lost and isinstance(cause, SuitNamed):
        suits = _choices(cause.suit, game.legal_suits(before, cause.seat))
        return [Guess(cause.seat, suits, trick=len(before.tricks) + 1)]
    if not lost or not isinstance(cause, Bid | Passed):
        return []
    legal = game.legal_bids(before, cause.seat)
    stood = cause.bid if isinstance(cause, Bid) else PASS
    if before.phase is Phase.AUCTION:
        return [Guess(cause.seat, _choices(stood, (PASS, *legal)), place=len(before.calls))]
    return [Guess(cause.seat, _choices(stood, legal))]


def _choices(stood: BidValue, every: Sequence[BidValue]) -> tuple[str, ...]:
    """What a call may have been: what stands in its place, then all else."""
    return tuple(dict.fromkeys(str(one) for one in (stood, *every)))
