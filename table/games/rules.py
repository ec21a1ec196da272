"""What a game's rules are made of: a value whose fields name, one by one, what holds in this game.

The fields are in the order in which a game's rules are told: what is dealt, who bids, who leads, what wins, what it
scores, how it ends. Functions of many games are in ``table/games/choices.py``, those of one in the game's own module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from table.cards import Card
from table.events.happenings import BidValue
from table.games.base import Refusal, State, Tally
from table.games.choices import (
    by_total,
    in_the_game,
    left_of_dealer,
    never,
    no_cards,
    nobody,
    nobody_goes_out,
    shared,
    the_winner,
    up_to_the_cards,
)
from table.games.jokers import ALWAYS_WINS, Joker
from table.games.options import Option


class Bidding(Enum):
    """How a hand is bid."""

    FREELY = "freely"
    """Anyone at any time, with a default bidder for when nobody wants to."""
    IN_TURN = "in turn"
    AT_ONCE = "at once"
    """In secret: everybody's bid is shown when all are in."""
    AUCTION = "auction"
    """An auction makes the trumps and the declarer's number; then the others bid in turn."""
    ALL_ZERO = "all zero"
    """Nobody bids: everybody is to win no trick."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game as it is played, its options settled. Every function is pure."""

    fewest: int
    """The fewest players who can go on with it."""

    # --- what is dealt

    pack: tuple[Card, ...]
    cards: Callable[[State, int], int | None]
    """The cards of the n-th counting hand (from 1), or None where the game ends before it."""
    trumps: Callable[[State], str | None]
    """The trumps of a new hand, where they are fixed beforehand."""
    turned: Callable[[Card], str | Refusal] | None = None
    """The trumps that a turned card makes, in a game where one is turned whenever they are not fixed."""
    forehead: Callable[[State], bool] = never
    """Whether everybody holds the hand's only card to the forehead, seen by all the others."""
    passes: Callable[[State], int] = no_cards
    """How many cards everybody is to hand to the left now; 0 for none, and once it has been done."""

    # --- who bids

    bidding: Bidding
    hook: bool
    """Whether the last bidder may not make the sum equal to the number of tricks."""
    first_bidder: Callable[[State], str] = left_of_dealer
    """Who bids first; with free bids who must when nobody wants to, and after a bid whoever sits left of its bidder."""
    bids: Callable[[State], tuple[BidValue, ...]] = up_to_the_cards
    """The bids there are in this hand, the hook left aside."""
    auction_from: Callable[[State], int] = in_the_game
    """The lowest number of tricks in an auction."""

    # --- who leads

    free_leads: bool = False
    """Whether anyone may lead, with a default leader for when nobody wants to."""
    mark: bool = True
    """Whether, of leads at the same time, the card underneath stays."""
    first_leader: Callable[[State], str] = left_of_dealer
    later_leader: Callable[[State, str], str] = the_winner
    """Who leads after a trick, by its winner."""

    # --- what wins: the highest trump, else the highest card of the suit led

    joker: Joker = ALWAYS_WINS
    """What a joker does at no trumps; it is the highest trump otherwise."""

    # --- what it scores

    points: Callable[[State, str], int]
    """What a player gets for the finished hand."""
    start_total: int = 0
    tally: Callable[[State], Tally | None] = nobody_goes_out
    """What puts players out."""

    # --- how it ends

    finished: Callable[[State], bool] = never
    """Whether it ends now although hands are left."""
    level: Callable[[State], tuple[str, ...]] = nobody
    """Who is level, where a hand is played in which all take part for no other reason than to part these."""
    rank: Callable[[State, str], Any] = by_total
    """What players are ranked by, the higher the better; who has gone out or left comes after the others."""
    ties: Callable[[Sequence[Sequence[str]]], tuple[tuple[str, ...], ...]] = shared
    """Of the places, the groups of tied players that play another hand to decide; the next one first."""
    decider: int = 0
    """The cards of such a hand."""

    @cached_property
    def copies(self) -> Mapping[Card, int]:
        """How many there are of each card of the pack."""
        return Counter(self.pack)


@dataclass(frozen=True, slots=True)
class Preset:
    """Options that people choose together."""

    name: str
    """Its words are ``preset.GAME.NAME`` in the catalogue."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those that are not as usual."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A game of the registry: its name, its options, and the rules that they make."""

    name: str
    """As in ``table.toml``."""
    seat_range: tuple[int, int]
    options_offered: tuple[Option, ...]
    seats_allowed: Callable[[Mapping[str, Any]], tuple[int, int]] | None = None
    """The fewest and the most players under the options given (not checked yet), where they change it."""
    settle: Callable[[int, dict[str, Any]], dict[str, Any]]
    """Check options against each other and the number of players, and fill in those that follow.

    ``WrongValueError`` where they can't be.
    """
    rules: Callable[[Mapping[str, Any]], Rules]
    """The rules by the options, which have been settled."""
    page: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    """What the page of rules may name besides the options, by the options."""
    pages: str = "table.games"
    """The package in which its pages of rules lie (``table/words/pages.py``)."""
    proposed: Mapping[str, Any] = field(default_factory=dict)
    """What is proposed for options that the rules leave to the players to agree on."""
    short: tuple[int, ...] = (3, 2, 1, 2)
    """The hands of a short game, to try the table with: what the demo deals."""
    presets: tuple[Preset, ...] = (Preset("usual"),)
    """What the menu offers, the usual options first."""
