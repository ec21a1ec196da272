"""A game with its players and options: the interface that referee, screen, commands and simulated players use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.cards import Card
from table.events.event_spec import Announcement
from table.events.game_events import (
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
from table.games.engine import apply_bidding_events, apply_play_events, dealing_and_scoring, whose_turn
from table.games.engine.game_state import (
    Change,
    EliminationTally,
    Expected,
    Phase,
    Refusal,
    State,
    Step,
    refuse,
)
from table.games.engine.option_checks import check_seats, resolve_options
from table.games.engine.ruleset import GameSpec, Rules
from table.phrase import WrongValueError

HANDLERS: Mapping[type, Callable[[Rules, State, Any], Change | Refusal]] = {
    Dealt: apply_bidding_events.apply_dealt,
    TurnedUp: apply_bidding_events.apply_turned_up,
    CardsPassed: apply_bidding_events.apply_cards_passed,
    Rapped: apply_bidding_events.apply_rapped,
    Bid: apply_bidding_events.apply_bid,
    Passed: apply_bidding_events.apply_passed,
    BidsTied: apply_bidding_events.apply_bids_tied,
    BidsRevealed: apply_bidding_events.apply_bids_revealed,
    LeadsTied: apply_play_events.apply_leads_tied,
    Played: apply_play_events.apply_played,
    TakenBack: apply_play_events.apply_taken_back,
    SuitNamed: apply_play_events.apply_suit_named,
    TrickTaken: apply_play_events.apply_trick_taken,
    ThrownIn: dealing_and_scoring.apply_thrown_in,
    Left: dealing_and_scoring.apply_left,
    Came: dealing_and_scoring.apply_came,
    Reseated: dealing_and_scoring.apply_reseated,
    Ended: dealing_and_scoring.apply_ended,
    Rescored: dealing_and_scoring.apply_rescored,
}
"""The functions that apply each event: they return a new state with announcements, or a refusal."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game with its players and options. Immutable; all methods are pure."""

    spec: GameSpec
    seats: tuple[str, ...]
    """The players in playing order: each next one sits to the left of the one before."""
    options: Mapping[str, Any]
    """Every option with its value, defaults filled in."""
    rules: Rules

    @property
    def name(self) -> str:
        """The name in ``table.toml``."""
        return self.spec.name

    def start(self) -> Step:
        """Begin the game: return the first hand before its deal.

        The announcements are ``game_started``, ``hand_started``, and ``trump`` where trumps are fixed.
        """
        options = {name: list(v) if isinstance(v, tuple) else v for name, v in self.options.items()}
        opening = Announcement(
            "game_started", {"game": self.name, "seats": list(self.seats), "options": options}
        )
        state, announcements = dealing_and_scoring.start_first_hand(
            self.rules, self.seats, self.options["first_dealer"]
        )
        return Step(state, (opening, *announcements))

    def apply(self, state: State, event: Event) -> Step | Refusal:
        """Apply an event: return the next state, or a refusal. Never raises for any event, however impossible."""
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
        change = handler(self.rules, state, event)
        if isinstance(change, Refusal):
            return change
        return Step(change[0], tuple(change[1]))

    # --- legal actions

    def expected(self, state: State) -> Expected:
        """Return what may happen next, and which players may do it."""
        return whose_turn.expected(self.rules, state)

    def legal_bids(self, state: State, seat: str) -> tuple[BidValue, ...]:
        """Return the bids that ``seat`` may make now; empty when it may not bid."""
        return whose_turn.legal_bids(self.rules, state, seat)

    def legal_plays(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""
        return whose_turn.legal_plays(self.rules, state, seat, hand)

    def legal_suits(self, state: State, seat: str, hand: Sequence[Card] | None = None) -> tuple[str, ...]:
        """Return the suits that ``seat`` may name now for the joker it has led; empty when it may not name one.

        ``hand``: the rest of its hand, where it is known.
        """
        return whose_turn.legal_suits(self.rules, state, seat, hand)

    # --- the rules as people see them

    def pack(self) -> tuple[Card, ...]:
        """Return every card that the game is played with."""
        return self.rules.pack

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The sizes of the hands, where they are fixed beforehand; empty where they depend on the play."""
        return tuple(self.options["hands"] or ())

    @property
    def keeps_lowest_lead(self) -> bool:
        """Whether the lowest of tied leads stays on the mark."""
        return self.rules.keeps_lowest_lead

    def rules_page_values(self) -> dict[str, Any]:
        """Return the values that its page of rules may name: the options, and what follows from them."""
        return {"players": len(self.seats), **self.options, **self.spec.rules_page_values(self.options)}

    def turns_up_trump(self, state: State) -> bool:
        """Return whether a card is turned up for trumps in this hand."""
        return whose_turn.turns_up_card(self.rules, state)

    def on_forehead(self, state: State) -> bool:
        """Return whether each player holds the hand's only card to the forehead, seen by all the others."""
        return self.rules.on_forehead(state)

    def cards_to_pass(self, state: State) -> int:
        """Return how many cards each player is to hand on now; 0 for none, and after it has been done."""
        return self.rules.cards_to_pass(state)

    def elimination_tally(self, state: State) -> EliminationTally | None:
        """Return the lives or faults that eliminate players, where the game has them.

        Lives are the game's totals; faults are counted besides them.
        """
        return self.rules.elimination_tally(state)

    def tied_players(self, state: State) -> tuple[str, ...]:
        """Return the tied players whom the hand of ``state`` is played to part; empty for an ordinary hand."""
        if state.phase is Phase.OVER:
            return ()
        return state.players if state.play_off else self.rules.tied_players(state)

    def ranking(self, state: State) -> list[list[str]]:
        """Return the players by places, best first, tied ones together in seat order."""
        return dealing_and_scoring.ranking(self.rules, state)


def make_game_from_spec(
    kind: GameSpec, seats: Sequence[str], options: Mapping[str, Any] | None = None
) -> Game:
    """Make a game for these players; ``WrongValueError`` says which option or seat is wrong."""
    given = options or {}
    allowed = kind.seats_allowed(given) if kind.seats_allowed is not None else kind.seat_range
    try:
        checked_seats = check_seats(seats, allowed)
        values = kind.settle_options(
            len(checked_seats), resolve_options(checked_seats, kind.option_specs, given)
        )
    except WrongValueError as wrong:
        raise WrongValueError(wrong, at=kind.name) from None
    return Game(kind, checked_seats, values, kind.make_rules(values))
