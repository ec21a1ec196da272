"""The rules of a game as a value: each field is one rule.

The fields are in the order in which the rules of a card game are usually written: the deal, the bidding, the lead,
what wins, the score, the end. Functions shared by many games are in ``table/games/engine/shared_rules.py``, those of
one game in the game's own module.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from typing import Any, Self

from table.cards import BidValue, Card, PlayedCard
from table.games.engine.game_state import EliminationTally, State
from table.games.engine.joker_rules import ALWAYS_WINS, JokerRules
from table.games.engine.option_checks import Check, hand_sizes, option, option_place, player_name
from table.games.engine.shared_rules import bids_up_to_tricks, left_of_dealer
from table.phrase import Phrase, WrongValueError, expected_error, make_phrase


class Bidding(Enum):
    """The ways to bid a hand."""

    FREELY = "freely"
    """Any player at any time; a default bidder must bid when nobody wants to."""
    IN_TURN = "in turn"
    AT_ONCE = "at once"
    """In secret: all bids are shown when everybody has bid."""
    AUCTION = "auction"
    """An auction decides the trumps and the declarer's number; then the others bid in turn."""
    ALL_ZERO = "all zero"
    """Nobody bids: everybody is to win no trick."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game with its options applied. Every function is pure."""

    min_players: int
    """The smallest number of players with whom the game can go on."""

    # --- the deal

    pack: tuple[Card, ...]
    hand_size: Callable[[State, int], int | None]
    """The cards dealt to each player in the n-th counting hand (from 1), or None where the game ends before it."""
    fixed_trump: Callable[[State], str | None] = lambda state: None
    """The trumps of a new hand, or None where they are not fixed before the deal."""
    trump_of_turned_card: Callable[[Card], str] | None = None
    """The trumps that a turned card makes, in a game where one is turned whenever trumps are not fixed."""
    on_forehead: Callable[[State], bool] = lambda state: False
    """Whether all players hold the hand's only card to the forehead, seen by all the others."""
    cards_to_pass: Callable[[State], int] = lambda state: 0
    """How many cards each player is to hand to a neighbour now; 0 for none, and after it has been done."""
    passes_to: str = "left"
    """On which side that neighbour sits: ``left`` or ``right``."""

    # --- the bidding

    bidding: Bidding
    has_hook: bool
    """Whether the last bidder may not make the sum equal to the number of tricks."""
    first_bidder: Callable[[State], str] = left_of_dealer
    """The first bidder; with free bids the player who must bid when nobody wants to, and after a bid the player left of
    its bidder.
    """
    possible_bids: Callable[[State], tuple[BidValue, ...]] = bids_up_to_tricks
    """The possible bids in this hand, without regard to the hook."""
    lowest_auction_bid: Callable[[State], int] = lambda state: 1

    # --- the lead

    free_leads: bool = False
    """Whether any player may lead; a default leader must lead when nobody wants to."""
    keeps_lowest_lead: bool = True
    """Whether the lowest of tied leads stays on the mark."""
    first_leader: Callable[[State], str] = left_of_dealer
    next_leader: Callable[[State, str], str] = lambda state, winner: winner
    """The leader after a trick, by its winner."""

    # --- what wins: the highest trump, else the highest card of the suit led

    joker_rules: JokerRules = ALWAYS_WINS
    """The effect of a joker at no trumps; otherwise it is the highest trump."""

    # --- the score

    score: Callable[[State, str], int]
    possible_scores: tuple[int, ...] | None = None
    """The points that a player can score in a hand, where these are few; None for any."""
    start_total: int = 0
    elimination_tally: Callable[[State], EliminationTally | None] = lambda state: None
    """The lives or faults that eliminate players."""

    # --- the end

    is_finished: Callable[[State], bool] = lambda state: False
    """Whether the game ends now although hands are left."""
    tied_players: Callable[[State], tuple[str, ...]] = lambda state: ()
    """The tied players, where all players take part in a hand only to break the tie of these."""
    ranking_key: Callable[[State, str], Any] = lambda state, seat: state.totals[seat]
    """The key that ranks players, the higher the better; players who were eliminated or left come after the others."""
    play_off_groups: Callable[[Sequence[Sequence[str]]], tuple[tuple[str, ...], ...]] = lambda places: ()
    """The groups of tied players (by the places) that play another hand to decide; the next group first."""
    play_off_cards: int = 0

    @cached_property
    def card_counts(self) -> Mapping[PlayedCard, int]:
        """How often the pack contains each card."""
        return Counter[PlayedCard](self.pack)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option of a game, as ``cardtable games`` lists it."""

    name: str
    check: Check
    default: Any
    words: str
    """The codes of its words are this after ``option.`` (what it decides) and after ``rule.`` (its name)."""

    @property
    def about(self) -> Phrase:
        """The phrase of what it decides."""
        return Phrase(f"option.{self.words}")

    @property
    def title(self) -> Phrase:
        """Its name for people."""
        return Phrase(f"rule.{self.words}")

    def is_valid(self, value: Any) -> bool:
        """Return whether the option takes a value."""
        try:
            self.check.takes(value)
        except ValueError:
            return False
        return True

    def value_of(self, options: Mapping[str, Any]) -> Any:
        """Return its value in these options as the game takes it; one that is not valid as it is."""
        value = options.get(self.name, self.default)
        taken = self.check.takes(value) if self.is_valid(value) else value
        return list(taken) if isinstance(taken, tuple) else taken

    def value_phrase(self, value: Any) -> Phrase | str:
        """Return the words of a value."""
        if isinstance(value, bool):
            return make_phrase("rule.on" if value else "rule.off")
        if isinstance(value, str):
            return Phrase(f"{self.title.code}.{value}")
        if isinstance(value, list):
            return make_phrase("rule.list", items=value)
        return Phrase(self.check.unset) if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class GameOptions(ABC):
    """The options of a game with their values: each field is one, in the order in which they are listed.

    A name that Python reserves has an underscore after it.
    """

    hands: tuple[int, ...] | None = option(hand_sizes)
    """The sizes of the hands to deal; the game ends after them."""
    first_dealer: str = option(player_name)
    """Where it is left out, the first seat."""

    def settle(self, players: int) -> Self:
        """Fill in the options that follow from the others and the players; ``WrongValueError`` if they conflict."""
        return self

    @abstractmethod
    def make_rules(self) -> Rules:
        """Make the rules from the settled options."""

    @property
    def all_hands(self) -> tuple[int, ...]:
        """The sizes of all hands, where they are fixed beforehand; empty where they depend on the play."""
        return self.hands or ()

    def rules_page_values(self) -> dict[str, Any]:
        """Return the further values that the page of rules may name."""
        return {}

    @classmethod
    def read(cls, given: Mapping[str, Any], seats: tuple[str, ...]) -> Self:
        """Read the options that are given by name; ``WrongValueError`` says which of them is wrong."""
        known = {field.name.rstrip("_"): field for field in fields(cls)}
        for name in given:
            if name not in known:
                raise WrongValueError("option.unknown", at=option_place(name), known=list(known))
        values: dict[str, Any] = {}
        for name, field in known.items():
            check: Check = field.metadata["check"]
            value = given.get(name, field.default)
            try:
                values[field.name] = check.takes(value)
            except ValueError:
                raise expected_error(check.kind, at=option_place(name), instead=value) from None
        dealer = values["first_dealer"]
        if dealer is None:
            values["first_dealer"] = seats[0]
        elif dealer not in seats:
            raise WrongValueError("option.nobody", at=option_place("first_dealer"), name=dealer, seats=seats)
        return cls(**values)

    def by_name(self) -> dict[str, Any]:
        """Return all options by name, as ``table.toml`` and the journal have them."""
        values = {field.name.rstrip("_"): getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def chosen(self) -> dict[str, Any]:
        """Return the options that differ from the defaults, by name."""
        usual = type(self)().by_name()
        return {name: value for name, value in self.by_name().items() if value != usual[name]}


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """A game of the registry: its name, its options, and the rules that they make."""

    name: str
    seat_range: tuple[int, int]
    options: type[GameOptions]
    seats_allowed: Callable[[Mapping[str, Any]], tuple[int, int]] | None = None
    """The smallest and largest number of players under the options given (not checked yet), where options change it."""
    rules_page_package: str = "table.games"
    """The package with its pages of rules (``table/i18n/rules_page.py``)."""
    proposed: GameOptions | None = None
    """Proposed values of options that the rules leave to the players to agree on."""
    short_game_hands: tuple[int, ...] = (3, 2, 1, 2)
    """The hands of a short game, to try the table with: the demo deals these."""
    presets: Mapping[str, GameOptions]
    """The sets of options that the menu starts from, the usual ones first."""

    @property
    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The options as they are listed; an option that all games have is described once for all."""
        shared = {field.name for field in fields(GameOptions)}
        return tuple(
            OptionSpec(
                name := field.name.rstrip("_"),
                field.metadata["check"],
                field.default,
                name if field.name in shared else f"{self.name}.{name}",
            )
            for field in fields(self.options)
        )

    @property
    def proposed_options(self) -> Mapping[str, Any]:
        """The proposed options by name."""
        return self.proposed.chosen() if self.proposed is not None else {}
