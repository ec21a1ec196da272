"""Rules shared by several games: small functions that the games choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from table.cards import NO_TRUMP, Card
from table.events.game_events import BidValue
from table.games.engine.game_state import EliminationTally, Refusal, State, refuse, tricks_of_bid

# --- the size of the hands --------------------------------------------------------------------------------


def listed_sizes(hands: Sequence[int]) -> Callable[[State, int], int | None]:
    """Make the rule that the hands have the sizes of a list, one after the other; then the game is over."""
    return lambda state, number: hands[number - 1] if number <= len(hands) else None


def constant_size(cards: int) -> Callable[[State, int], int | None]:
    """Make the rule that every hand has the same size, without end."""
    return lambda state, number: cards


def sizes_down_up(start: int) -> list[int]:
    """Return the hand sizes ``start`` ... 1 ... ``start``."""
    return [*range(start, 0, -1), *range(2, start + 1)]


def sizes_up_down(peak: int) -> list[int]:
    """Return the hand sizes 1 ... ``peak`` ... 1."""
    return [*range(1, peak), *range(peak, 0, -1)]


def is_one_card_hand(state: State) -> bool:
    """Return whether this is a hand of one card."""
    return state.cards == 1


def pass_no_cards(state: State) -> int:
    """Return 0: no cards are handed on."""
    return 0


# --- trumps -----------------------------------------------------------------------------------------------


def fixed_trump(suit: str) -> Callable[[State], str | None]:
    """Make the rule that every hand has the same trumps."""
    return lambda state: suit


def no_fixed_trump(state: State) -> str | None:
    """Return None: the trumps of a hand are not known before the deal."""
    return None


def turned_suit(card: Card) -> str | Refusal:
    """Return the turned card's suit as trumps; a joker is refused, because another card must be turned."""
    return card.suit or refuse("turn_another", card=card)


def suit_unless_ace(card: Card) -> str | Refusal:
    """Return the turned card's suit as trumps; an ace or the joker means no trumps."""
    return NO_TRUMP if card.suit is None or card.rank == "A" else card.suit


# --- first bidders and leaders ----------------------------------------------------------------------------


def left_of_dealer(state: State) -> str:
    """Return the player to the dealer's left."""
    return state.left_of(state.dealer)


def left_of_last_bidder(state: State) -> str:
    """Return the player to the left of the last bidder."""
    return state.left_of(state.bids[-1][0])


def left_of_declarer(state: State) -> str:
    """Return the player to the declarer's left."""
    return state.left_of(auction_declarer(state))


def auction_declarer(state: State) -> str:
    """Return the declarer, who has won the auction."""
    assert state.declarer is not None
    return state.declarer


def last_trick_winner(state: State, winner: str) -> str:
    """Return the winner of the last trick."""
    return winner


def left_of_winner(state: State, winner: str) -> str:
    """Return the player to the left of the last trick's winner."""
    return state.left_of(winner)


def bids_up_to_tricks(state: State) -> tuple[BidValue, ...]:
    """Return the bids from 0 to the number of tricks."""
    return tuple(range(state.cards + 1))


def auction_from_one(state: State) -> int:
    """Return 1: an auction may begin with a single trick."""
    return 1


# --- the score and the end --------------------------------------------------------------------------------


def no_elimination(state: State) -> EliminationTally | None:
    """Return None: the game eliminates nobody."""
    return None


def elimination_by_lives(most: int) -> Callable[[State], EliminationTally | None]:
    """Make the rule that the totals are lives; a player without lives is eliminated."""
    return lambda state: EliminationTally("lives", state.totals, most)


def elimination_by_faults(most: int) -> Callable[[State], EliminationTally | None]:
    """Make the rule that every trick off a bid is a fault; a player with ``most`` faults is eliminated."""

    def tally(state: State) -> EliminationTally:
        counts = dict.fromkeys(state.seats, 0)
        for result in state.counted_results:
            for seat, bid in result.bids.items():
                counts[seat] += abs(tricks_of_bid(bid) - result.tricks[seat])
        return EliminationTally("faults", counts, most)

    return tally


def never(state: State) -> bool:
    """Return False: the rule never applies."""
    return False


def no_players(state: State) -> tuple[str, ...]:
    """Return no players."""
    return ()


def rank_by_total(state: State, seat: str) -> Any:
    """Return a player's total as the key of the ranking."""
    return state.totals[seat]


def play_off_points(state: State, seat: str) -> tuple[int, ...]:
    """Return a player's points in the hands that decided ties, in order."""
    return tuple(result.points[seat] for result in state.results if result.play_off and seat in result.points)


def count_hands_made(state: State, seat: str) -> int:
    """Return the number of counting hands in which a player made the bid."""
    return sum(
        tricks_of_bid(result.bids[seat]) == result.tricks[seat]
        for result in state.counted_results
        if seat in result.bids
    )


def share_places(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return no groups: tied players share their place."""
    return ()


def play_off_first_place(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the players tied for the first place, who play off."""
    return tuple(tuple(place) for place in places[:1] if len(place) > 1)


def play_off_every_place(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return all groups of tied players, who play off, the best place first."""
    return tuple(tuple(place) for place in places if len(place) > 1)


def group_by_rank(seats: Sequence[str], key: Mapping[str, Any]) -> list[list[str]]:
    """Return ``seats`` grouped by a key, the highest first, equal ones together in the given order."""
    return [
        [seat for seat in seats if key[seat] == value] for value in sorted(set(key.values()), reverse=True)
    ]
