"""Calls that were made and not heard: what stands in their place until people say what they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.events.happenings import Bid, BidsRevealed, BidValue, Dealt, Event, Passed, Rapped
from table.games.base import PASS, Phase, State
from table.games.game import Game
from table.referee.explanation import Entry, Explanation
from table.referee.setting import Pins

CALLING = (Phase.DEAL, Phase.PASS_CARDS, Phase.AUCTION, Phase.BID, Phase.SECRET_BID)
"""While these last, play goes on only once somebody has called."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """What is put in the place of calls that nobody heard."""

    event: Event
    seats: tuple[str, ...]
    """Whose calls they are that nobody has told of since."""

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
    if state.phase is Phase.AUCTION:
        place = (state.hand, len(state.calls))
        said = pins.calls.get(place)
        shown = explanation.dialled[1] if explanation.dialled is not None else PASS
        called = shown if said is None else said
        event: Event = Passed(seat) if called == PASS else Bid(seat, called)
        return [Unheard(event, (seat,) if said is None else ())]
    said = pins.bids.get((state.hand, seat))
    if said is not None:
        return [Unheard(Bid(seat, said), ())]
    likely = likely_bids(state, game.legal_bids(state, seat))
    return [Unheard(Bid(seat, bid), (seat,)) for bid in likely[:GUESSES]]


def _in_secret(game: Game, explanation: Explanation, pins: Pins) -> Unheard | None:
    """The bids that were made in secret, with those that were not heard."""
    state = explanation.state
    bids, seats = dict(explanation.kept), []
    for seat in state.players:
        legal = game.legal_bids(state, seat)
        if not legal:
            return None
        said = pins.bids.get((state.hand, seat))
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
    place: int | None
    """Its place in the auction, from 0; None where it is a bid."""


def guessed(game: Game, entry: Entry) -> list[Guess]:
    """The calls of an entry that nobody heard."""
    cause, before = entry.cause, entry.before
    fields = entry.said[0].fields if entry.said else {}
    if isinstance(cause, BidsRevealed):
        stands = [(seat, bid) for seat, bid in cause.bids if seat in fields.get("unheard", ())]
    elif isinstance(cause, Bid | Passed) and fields.get("heard") is False:
        stands = [(cause.seat, cause.bid if isinstance(cause, Bid) else PASS)]
    else:
        return []
    auction = before.phase is Phase.AUCTION
    passes: tuple[BidValue, ...] = (PASS,) if auction else ()
    found = []
    for seat, stood in stands:
        every = (stood, *passes, *game.legal_bids(before, seat))
        choices = tuple(dict.fromkeys(str(one) for one in every))
        found.append(Guess(seat, choices, len(before.calls) if auction else None))
    return found
