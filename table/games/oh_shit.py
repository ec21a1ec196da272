"""Oh Shit: all bid at once with their fists; an ace or the joker turned means no trumps; a revoke costs points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from table.cards import pack, tricks_of_bid
from table.games.engine import option_checks as checks
from table.games.engine import shared_rules as shared
from table.games.engine.game_state import HandResult, State
from table.games.engine.joker_rules import BY_THREE_RULES
from table.games.engine.option_checks import option
from table.games.engine.ruleset import Bidding, GameOptions, GameSpec, Rules

PEAK = 9
DECIDER = 5
"""The cards of the deal that decides a tie."""
REVOKE = -5
PLAYERS_OF_LARGE_PACK = 6
"""From this many players on the pack of 63 is used."""


@dataclass(frozen=True, kw_only=True)
class OhShitOptions(GameOptions):
    """The options of Oh Shit."""

    half: bool = option(checks.true_or_false, False)
    """Half a game: from nine cards down to one."""
    joker: bool = option(checks.true_or_false, False)
    """With a joker, which is the highest trump; the pack of 63 always has one."""
    pack: int | None = option(
        replace(checks.optional_value(checks.one_of(52, 63)), unset="rule.oh-shit.pack.usual")
    )
    """63: with 11 and 12 of all suits, 13 of the red ones and a joker; taken for six and more where it is left out."""

    def settle(self, players: int) -> Self:
        """Check the options, and fill in the hands: up to nine cards, or what the pack allows, and back or not."""
        kind = self.pack or (63 if players >= PLAYERS_OF_LARGE_PACK else 52)
        cards = len(pack(kind, joker=self.joker))
        checks.check_hand_sizes(self.hands or (), players, cards)
        peak = min(PEAK, cards // players)
        usual_hands = tuple(range(peak, 0, -1)) if self.half else shared.sizes_up_down(peak)
        return replace(self, pack=kind, hands=self.hands or usual_hands)

    def make_rules(self) -> Rules:
        """Make the rules of Oh Shit from its settled options."""
        return Rules(
            min_players=3,
            pack=pack(self.pack or 52, joker=self.joker),
            hand_size=shared.listed_sizes(self.hands or ()),
            # Where no card is left in the stock the dealer shows the last card of his own hand for trumps.
            trump_of_turned_card=shared.suit_unless_ace,
            bidding=Bidding.AT_ONCE,
            has_hook=False,
            joker_rules=BY_THREE_RULES,
            score=score_contract,
            ranking_key=rank_by_total_and_contracts,
            play_off_groups=shared.tied_places,
            play_off_cards=DECIDER,
        )

    def rules_page_values(self) -> dict[str, Any]:
        """Return the cards of the deciding deal, and whether there is a joker."""
        return {"decider": DECIDER, "joker": self.joker or self.pack == 63}


# --- scores -----------------------------------------------------------------------------------------------


def score_contract(state: State, seat: str) -> int:
    """Return a player's points for the contract; a revoke makes them -5, or leaves what is worse."""
    return points_for(state.tricks_bid(seat), state.tricks_won(seat), revoked=state.has_revoked(seat))


def points_for(bid: int, tricks: int, *, revoked: bool) -> int:
    """Return 10 and a trick each for an exact contract, 5 for zero; over: the tricks; under: minus the tricks short."""
    if tricks < bid:
        points = tricks - bid
    elif tricks > bid:
        points = tricks
    else:
        points = 10 + tricks if bid else 5
    return min(points, REVOKE) if revoked else points


def rank_by_total_and_contracts(state: State, seat: str) -> Any:
    """Return a player's ranking key: the points, then the three tie-breaks, then the deals that decided."""
    return (state.totals[seat], *tie_breaks(state.counted_results, seat), shared.play_off_points(state, seat))


def tie_breaks(results: tuple[HandResult, ...], seat: str) -> tuple[int, int, int]:
    """Return a player's contracts fulfilled, winning ones fulfilled, and fulfilled or exceeded; none with a revoke."""
    contracts = [
        (tricks_of_bid(result.bids[seat]), result.tricks[seat])
        for result in results
        if seat in result.bids and seat not in result.revoked
    ]
    return (
        sum(bid == tricks for bid, tricks in contracts),
        sum(bid == tricks and bid > 0 for bid, tricks in contracts),
        sum(bid <= tricks for bid, tricks in contracts),
    )


OH_SHIT = GameSpec(
    name="oh-shit",
    seat_range=(3, 7),
    options=OhShitOptions,
    presets={
        "usual": OhShitOptions(),
        "half": OhShitOptions(half=True),
        "joker": OhShitOptions(joker=True),
        "large_pack": OhShitOptions(pack=63),
    },
)
