"""The rules of a game as a value: each field is one rule.

The fields are in the order in which the rules of a card game are usually written: the deal, the bidding, the lead,
what wins, the score, the end. Functions shared by many games are in ``table/games/engine/shared_rules.py``, those of
one game in the game's own module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from table.cards import Card
from table.events.game_events import BidValue
from table.games.engine.game_state import EliminationTally, Refusal, State
from table.games.engine.joker_rules import ALWAYS_WINS, Joker
from table.games.engine.option_checks import Option
from table.games.engine.shared_rules import (
    auction_from_one,
    bids_up_to_tricks,
    last_trick_winner,
    left_of_dealer,
    never,
    no_elimination,
    no_players,
    pass_no_cards,
    rank_by_total,
    share_places,
)


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
    fixed_trump: Callable[[State], str | None]
    """The trumps of a new hand, or None where they are not fixed before the deal."""
    trump_of_turned_card: Callable[[Card], str | Refusal] | None = None
    """The trumps that a turned card makes, in a game where one is turned whenever trumps are not fixed."""
    on_forehead: Callable[[State], bool] = never
    """Whether all players hold the hand's only card to the forehead, seen by all the others."""
    cards_to_pass: Callable[[State], int] = pass_no_cards
    """How many cards each player is to hand to the left now; 0 for none, and after it has been done."""

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
    lowest_auction_bid: Callable[[State], int] = auction_from_one
    """The lowest number of tricks in an auction."""

    # --- the lead

    free_leads: bool = False
    """Whether any player may lead; a default leader must lead when nobody wants to."""
    keeps_lowest_lead: bool = True
    """Whether the lowest of tied leads stays on the mark."""
    first_leader: Callable[[State], str] = left_of_dealer
    next_leader: Callable[[State, str], str] = last_trick_winner
    """The leader after a trick, by its winner."""

    # --- what wins: the highest trump, else the highest card of the suit led

    joker_rules: Joker = ALWAYS_WINS
    """The effect of a joker at no trumps; otherwise it is the highest trump."""

    # --- the score

    score: Callable[[State, str], int]
    """The points of a player for the finished hand."""
    start_total: int = 0
    elimination_tally: Callable[[State], EliminationTally | None] = no_elimination
    """The lives or faults that eliminate players."""

    # --- the end

    is_finished: Callable[[State], bool] = never
    """Whether the game ends now although hands are left."""
    tied_players: Callable[[State], tuple[str, ...]] = no_players
    """The tied players, where all players take part in a hand only to break the tie of these."""
    ranking_key: Callable[[State, str], Any] = rank_by_total
    """The key that ranks players, the higher the better; players who were eliminated or left come after the others."""
    play_off_groups: Callable[[Sequence[Sequence[str]]], tuple[tuple[str, ...], ...]] = share_places
    """The groups of tied players (by the places) that play another hand to decide; the next group first."""
    play_off_cards: int = 0
    """The cards of a hand that decides a tie."""

    @cached_property
    def card_counts(self) -> Mapping[Card, int]:
        """How often the pack contains each card."""
        return Counter(self.pack)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options that is offered in the menu."""

    name: str
    """The catalogue has its text under ``preset.GAME.NAME``."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options that differ from the usual ones."""


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """A game of the registry: its name, its options, and the rules that they make."""

    name: str
    """The name in ``table.toml``."""
    seat_range: tuple[int, int]
    option_specs: tuple[Option, ...]
    seats_allowed: Callable[[Mapping[str, Any]], tuple[int, int]] | None = None
    """The smallest and largest number of players under the options given (not checked yet), where options change it."""
    settle_options: Callable[[int, dict[str, Any]], dict[str, Any]]
    """Check options against each other and the number of players, and fill in those that follow.

    ``WrongValueError`` where they are inconsistent.
    """
    make_rules: Callable[[Mapping[str, Any]], Rules]
    """Make the rules from the settled options."""
    rules_page_values: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    """The further values that the page of rules may name, by the options."""
    rules_page_package: str = "table.games"
    """The package with its pages of rules (``table/i18n/rules_page.py``)."""
    proposed_options: Mapping[str, Any] = field(default_factory=dict)
    """Proposed values of options that the rules leave to the players to agree on."""
    short_game_hands: tuple[int, ...] = (3, 2, 1, 2)
    """The hands of a short game, to try the table with: the demo deals these."""
    presets: tuple[Preset, ...] = (Preset("usual"),)
    """The presets in the menu, the usual options first."""
