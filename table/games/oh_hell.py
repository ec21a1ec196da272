"""Oh Hell (Bidding Whist): a turned card makes trumps, the last bidder is hooked; 10 + n points for an exact bid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from table.cards import DENOMINATIONS, JOKER, NO_TRUMP, Card, pack, tricks_of_bid
from table.games.engine import option_checks as checks
from table.games.engine import shared_rules as shared
from table.games.engine.game_state import EliminationTally, HandResult, State
from table.games.engine.option_checks import option
from table.games.engine.ruleset import Bidding, GameOptions, GameSpec, Rules
from table.phrase import make_phrase

MADE_ALL_BONUS = 10
MOST_FAULTS = 20
"""Catastrophe: a player with this many faults is out."""
SUDDEN_DEATH = 3
"""The cards of the hand that decides a tie."""
USUAL_START = 10
MOST_WITH_TWO_PACKS = 14


bonus_check = checks.Check(
    make_phrase("expected.bonus", usual=MADE_ALL_BONUS),
    lambda value: value if isinstance(value, bool) else checks.whole_number_from(0).takes(value),
    (False, True, 5, 15, 20, 25),
)
"""The check for true (the usual 10 points), false, or a number of points."""


@dataclass(frozen=True, kw_only=True)
class OhHellOptions(GameOptions):
    """The options of Oh Hell."""

    shape: str = option(checks.one_of("down-up", "down", "up-down"), "down-up")
    """How the hands change their size."""
    start: int | None = option(checks.optional_value(checks.whole_number_from(1)))
    """The largest hand; ten cards, or what the pack allows, where it is left out."""
    scoring: str = option(checks.one_of("standard", "harsh", "quick", "catastrophe", "tricks"), "standard")
    """What a miss costs; ``tricks``: it scores the tricks all the same."""
    made_all_bonus: bool | int = option(bonus_check, False)
    """For bidding and making every trick."""
    hook: bool = option(checks.true_or_false, True)
    """The dealer may not make the sum equal the tricks; without it: Screw-Up."""
    trump: str = option(checks.one_of("turned", "progressive"), "turned")
    """A turned card, or clubs, diamonds, hearts, spades, none in turn."""
    no_trump_every: int | None = option(checks.off_or(checks.whole_number_from(1, range(1, 11))))
    """Hands whose size is a multiple of it have no trumps."""
    joker: bool = option(checks.true_or_false, False)
    """A joker is the highest trump."""
    exchange: int = option(checks.one_of(0, 1, 2), 0)
    """How many cards players hand to a neighbour before the bidding."""
    exchange_to: str = option(checks.one_of("left", "right"), "left")
    """The neighbour to whom everybody hands cards."""
    forehead: bool | str = option(checks.one_of(False, True, "final"), False)
    """Hands of one card are held to the forehead: all, or the last of the list alone."""
    nullo: bool | str = option(checks.one_of(False, True, "race"), False)
    """Every bid is 0, without bidding; most made hands win, in a race the first to make as many as are listed."""
    packs: int = option(checks.one_of(1, 2), 1)
    """Shuffled together; eight and more players need two."""
    tie_break: str = option(checks.one_of("first", "every"), "first")
    """The places for which tied players play sudden death."""

    def settle(self, players: int) -> Self:
        """Check the options, and fill in the largest hand by pack and players and the list of hands by shape."""
        sizes = range(len(self.pack) // players, 0, -1)
        most = next(size for size in sizes if size * players <= self.cards_to_deal(size))
        start = self.start or min(USUAL_START, most)
        if self.hands is not None:
            checks.check_hand_sizes(self.hands, players, most * players)
        else:
            checks.check_hand_sizes([start], players, most * players, name="start")
        shapes = {
            "down-up": shared.sizes_down_up(start),
            "down": tuple(range(start, 0, -1)),
            "up-down": shared.sizes_up_down(start),
        }
        return replace(self, start=start, hands=self.hands or shapes[self.shape])

    def make_rules(self) -> Rules:
        """Make the rules of Oh Hell from its settled options."""
        return Rules(
            min_players=3,
            pack=self.pack,
            hand_size=(shared.repeated_sizes if self.is_race else shared.listed_sizes)(self.hands or ()),
            fixed_trump=self.trumps,
            trump_of_turned_card=shared.turned_suit,
            on_forehead=self.on_forehead,
            cards_to_pass=self.cards_to_pass,
            passes_to=self.exchange_to,
            bidding=Bidding.ALL_ZERO if self.nullo else Bidding.IN_TURN,
            has_hook=self.hook,
            score=self.score,
            elimination_tally=self.faults,
            is_finished=self.is_race_won,
            ranking_key=rank_by_hands_made if self.nullo else rank_by_total_and_play_offs,
            play_off_groups=shared.tied_places if self.tie_break == "every" else shared.tied_winners,
            play_off_cards=SUDDEN_DEATH,
        )

    @property
    def pack(self) -> tuple[Card, ...]:
        """One pack or two, and a joker if it is agreed."""
        return (*pack(packs=self.packs), *([JOKER] if self.joker else []))

    def cards_to_deal(self, size: int) -> int:
        """Return the cards that can be dealt in hands of this size: all but those that must be left to turn up."""
        # A joker that is turned is turned again; at no trumps nothing is turned.
        to_turn = 0 if self.trump == "progressive" or self.is_no_trump(size) else 1 + self.joker
        return len(self.pack) - to_turn

    def is_no_trump(self, cards: int) -> bool:
        """Return whether hands of this size have no trumps."""
        return self.no_trump_every is not None and cards % self.no_trump_every == 0

    def trumps(self, state: State) -> str | None:
        """Return none at some hand sizes, else the next of the progression; None where a card is turned."""
        if self.is_no_trump(state.cards):
            return NO_TRUMP
        return DENOMINATIONS[(state.hand - 1) % len(DENOMINATIONS)] if self.trump == "progressive" else None

    def on_forehead(self, state: State) -> bool:
        """Return whether the hand's only card is held to the forehead."""
        hands = self.hands or ()
        later = hands[(state.hand - 1) % len(hands) + 1 :]
        return state.cards == 1 and bool(self.forehead) and (self.forehead is True or 1 not in later)

    def cards_to_pass(self, state: State) -> int:
        """Return the cards to hand to a neighbour, once a hand; none when nobody may look at the card."""
        return 0 if state.card_passes or self.on_forehead(state) else min(self.exchange, state.cards)

    def score(self, state: State, seat: str) -> int:
        """Return a player's points for the hand."""
        return self.points_for(state.tricks_bid(seat), state.tricks_won(seat), state.cards)

    def points_for(self, bid: int, tricks: int, cards: int) -> int:
        """Return 10 + n for an exact bid, and more for all of the ``cards``; for a miss what the scoring says."""
        if bid == tricks:
            points = 15 if bid == 0 and self.scoring == "quick" else 10 + bid
            return points + (self.bonus if bid == cards else 0)
        if self.scoring == "tricks":
            return tricks
        if self.scoring == "harsh":
            return -10 * abs(bid - tricks)
        return -10 * max(bid - tricks, 0) if self.scoring == "quick" else 0

    @property
    def bonus(self) -> int:
        """The bonus that is agreed for bidding and making every trick."""
        return MADE_ALL_BONUS if self.made_all_bonus is True else int(self.made_all_bonus)

    def faults(self, state: State) -> EliminationTally | None:
        """Return each player's faults, one for every trick off a bid; None without catastrophe scoring."""
        if self.scoring != "catastrophe":
            return None
        counts = dict.fromkeys(state.seats, 0)
        for result in state.counted_results:
            for seat, bid in result.bids.items():
                counts[seat] += abs(tricks_of_bid(bid) - result.tricks[seat])
        return EliminationTally("faults", counts, MOST_FAULTS)

    @property
    def is_race(self) -> bool:
        """Whether hands are dealt until somebody has made as many as are listed."""
        return self.nullo == "race"

    @property
    def all_hands(self) -> tuple[int, ...]:
        """The sizes of all hands; empty in a race, which may end after any number of them."""
        return () if self.is_race else super().all_hands

    def is_race_won(self, state: State) -> bool:
        """Return whether somebody has made as many hands as are listed."""
        goal = len(self.hands or ())
        return self.is_race and any(hands_made(state.counted_results, seat) >= goal for seat in state.seats)

    def rules_page_values(self) -> dict[str, Any]:
        """Return whether there are hands with trumps, and without, and what the rules fix."""
        progressive = self.trump == "progressive"
        without = {self.is_no_trump(size) for size in (*(self.hands or ()), SUDDEN_DEATH)}
        return {
            "trumps": False in without,
            "no_trumps": progressive or True in without,
            "progressive": False in without and progressive,
            "turned": False in without and not progressive,
            "joker_trump": False in without and self.joker,
            "made_all": self.bonus,
            "faults": MOST_FAULTS,
            "sudden_death": SUDDEN_DEATH,
        }


def seats_allowed(given: Mapping[str, Any]) -> tuple[int, int]:
    """Return the smallest and largest number of players; eight and more play with two packs."""
    return (3, MOST_WITH_TWO_PACKS if given.get("packs") == 2 else 7)


def rank_by_total_and_play_offs(state: State, seat: str) -> Any:
    """Return a player's ranking key: the points, then those of sudden death."""
    return state.totals[seat], shared.play_off_points(state, seat)


def rank_by_hands_made(state: State, seat: str) -> Any:
    """Return a player's ranking key in Nullo: the hands made, then those of sudden death."""
    deciding = tuple(hands_made([result], seat) for result in state.results if result.play_off)
    return hands_made(state.counted_results, seat), deciding


def hands_made(results: Iterable[HandResult], seat: str) -> int:
    """Return in how many hands of Nullo a player has won no trick."""
    return sum(result.tricks.get(seat) == 0 for result in results)


OH_HELL = GameSpec(
    name="oh-hell",
    seat_range=(3, 7),
    seats_allowed=seats_allowed,
    options=OhHellOptions,
    presets={
        "usual": OhHellOptions(),
        "short": OhHellOptions(start=7, shape="down"),
        "harsh": OhHellOptions(scoring="harsh"),
        "quick": OhHellOptions(scoring="quick"),
        "catastrophe": OhHellOptions(scoring="catastrophe"),
        "screw_up": OhHellOptions(hook=False),
        "progressive": OhHellOptions(trump="progressive"),
        "forehead": OhHellOptions(forehead=True, exchange=1),
        "nullo": OhHellOptions(nullo=True),
    },
)
