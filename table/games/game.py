"""A game with its seats and options: all that referee, screen, commands and virtual players know of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.cards import Card
from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidsTied,
    BidValue,
    Came,
    CardsPassed,
    Dealt,
    Ended,
    Event,
    LeadsTied,
    Left,
    Passed,
    Played,
    Rapped,
    Rescored,
    Reseated,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.events.kind import Said
from table.games import bidding, hands, play, turns
from table.games.base import Change, Expected, Phase, Refusal, State, Step, Tally, refuse
from table.games.options import check_seats, resolve
from table.games.rules import Kind, Rules
from table.phrase import WrongValueError

HANDLERS: Mapping[type, Callable[[Rules, State, Any], Change | Refusal]] = {
    Dealt: bidding.dealt,
    TurnedUp: bidding.turned_up,
    CardsPassed: bidding.cards_passed,
    Rapped: bidding.rapped,
    Bid: bidding.bid,
    Passed: bidding.passed,
    BidsTied: bidding.bids_tied,
    BidsRevealed: bidding.bids_revealed,
    LeadsTied: play.leads_tied,
    Played: play.played,
    TakenBack: play.taken_back,
    SuitNamed: play.suit_named,
    TrickTaken: play.trick_taken,
    ThrownIn: hands.thrown_in,
    Left: hands.left,
    Came: hands.came,
    Reseated: hands.reseated,
    Ended: hands.ended,
    Rescored: hands.rescored,
}
"""What becomes of each event: a new state with what is announced, or a refusal."""


@dataclass(frozen=True, eq=False)
class Game:
    """The rules as played by these players. Immutable; all methods are pure."""

    kind: Kind
    seats: tuple[str, ...]
    """In playing order: each next one sits to the left of the one before."""
    options: Mapping[str, Any]
    """Every option with its value, defaults filled in."""
    rules: Rules

    @property
    def name(self) -> str:
        """As in ``table.toml``."""
        return self.kind.name

    def start(self) -> Step:
        """The first hand, to be dealt; says ``game_started``, ``hand_started``, and ``trump`` where fixed."""
        options = {name: list(v) if isinstance(v, tuple) else v for name, v in self.options.items()}
        opening = Said("game_started", {"game": self.name, "seats": list(self.seats), "options": options})
        state, said = hands.first_hand(self.rules, self.seats, self.options["first_dealer"])
        return Step(state, (opening, *said))

    def apply(self, state: State, event: Event) -> Step | Refusal:
        """What comes of an event. Never raises for any event, however impossible."""
        handler = HANDLERS.get(type(event))
        if handler is None:
            return refuse("no_such_event", event=type(event).__name__)
        if state.phase is Phase.OVER and not isinstance(event, Rescored):
            return refuse("game_over")
        if hasattr(event, "seat"):
            seat = event.seat
            if not isinstance(seat, str) or seat not in self.seats:
                return refuse("no_such_seat", seat=str(seat))
            if seat not in state.players and not isinstance(event, Left | Came):
                return refuse("not_in_hand", seat=seat)
        changed = handler(self.rules, state, event)
        if isinstance(changed, Refusal):
            return changed
        return Step(changed[0], tuple(changed[1]))

    # --- what may happen

    def expected(self, state: State) -> Expected:
        """What may happen next, and who may do it."""
        return turns.expected(self.rules, state)

    def legal_bids(self, state: State, seat: str) -> tuple[BidValue, ...]:
        """The bids that ``seat`` may make now; empty when it may not bid."""
        return turns.legal_bids(self.rules, state, seat)

    def legal_plays(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""
        return turns.legal_plays(self.rules, state, seat, hand)

    def legal_suits(self, state: State, seat: str, hand: Sequence[Card] | None = None) -> tuple[str, ...]:
        """The suits that ``seat`` may name now for the joker it has led; empty when it may not.

        ``hand``: the rest of its hand, where it is known.
        """
        return turns.legal_suits(self.rules, state, seat, hand)

    # --- what people are to know of it

    def pack(self) -> tuple[Card, ...]:
        """Every card that the game is played with."""
        return self.rules.pack

    @property
    def hands(self) -> tuple[int, ...]:
        """The hands that are dealt, where they are known beforehand; empty where the play tells."""
        return tuple(self.options["hands"] or ())

    @property
    def mark_tells(self) -> bool:
        """Whether, of leads at the same time, the card underneath stays."""
        return self.rules.mark

    def page(self) -> dict[str, Any]:
        """What its page of rules may name: the options, and what follows from them."""
        return {"players": len(self.seats), **self.options, **self.kind.page(self.options)}

    def turns_up(self, state: State) -> bool:
        """Whether a card is turned up for trumps in this hand."""
        return turns.turns_up(self.rules, state)

    def on_forehead(self, state: State) -> bool:
        """Whether each player holds the hand's only card to the forehead, seen by all the others."""
        return self.rules.forehead(state)

    def cards_to_pass(self, state: State) -> int:
        """How many cards everybody is to hand on now; 0 for none, and once it has been done."""
        return self.rules.passes(state)

    def tally(self, state: State) -> Tally | None:
        """What puts players out, where the game puts any out. Lives are its totals; faults are kept besides them."""
        return self.rules.tally(state)

    def level(self, state: State) -> tuple[str, ...]:
        """Who is level, where the hand of ``state`` is played to part them; nobody where it is one like any other."""
        if state.phase is Phase.OVER:
            return ()
        return state.players if state.play_off else self.rules.level(state)

    def ranking(self, state: State) -> list[list[str]]:
        """The places, best first, equal ones in seat order together."""
        return hands.ranking(self.rules, state)


def game_of_kind(kind: Kind, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Game:
    """A game for these players; ``WrongValueError`` says which option or seat is wrong."""
    given = options or {}
    allowed = kind.seats_allowed(given) if kind.seats_allowed is not None else kind.seat_range
    try:
        found = check_seats(seats, allowed)
        values = kind.settle(len(found), resolve(found, kind.options_offered, given))
    except WrongValueError as wrong:
        raise WrongValueError(wrong, at=kind.name) from None
    return Game(kind, found, values, kind.rules(values))
