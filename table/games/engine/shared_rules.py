"""Rules shared by several games: small functions that the games choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from table.cards import NO_TRUMP, BidValue, Card
from table.games.engine.game_state import RefusedError, State

# --- the size of the hands --------------------------------------------------------------------------------


def listed_sizes(hands: Sequence[int]) -> Callable[[State, int], int | None]:
    """Make the rule that the hands have the sizes of a list, one after the other; then the game is over."""
    return lambda state, number: hands[number - 1] if number <= len(hands) else None


def repeated_sizes(hands: Sequence[int]) -> Callable[[State, int], int | None]:
    """Make the rule that the hands have the sizes of a list, again and again."""
    return lambda state, number: hands[(number - 1) % len(hands)]


def sizes_down_up(start: int) -> tuple[int, ...]:
    """Return the hand sizes ``start`` ... 1 ... ``start``."""
    return (*range(start, 0, -1), *range(2, start + 1))


def sizes_up_down(peak: int) -> tuple[int, ...]:
    """Return the hand sizes 1 ... ``peak`` ... 1."""
    return (*range(1, peak), *range(peak, 0, -1))


# --- trumps -----------------------------------------------------------------------------------------------


def turned_suit(card: Card) -> str:
    """Return the turned card's suit as trumps; a joker is refused, because another card must be turned."""
    if card.suit is None:
        raise RefusedError("turn_another", card=card)
    return card.suit


def suit_unless_ace(card: Card) -> str:
    """Return the turned card's suit as trumps; an ace or the joker means no trumps."""
    return NO_TRUMP if card.suit is None or card.rank == "A" else card.suit


# --- first bidders and leaders ----------------------------------------------------------------------------


def left_of_dealer(state: State) -> str:
    """Return the player to the dealer's left."""
    return state.left_of(state.dealer)


def auction_declarer(state: State) -> str:
    """Return the declarer, who has won the auction."""
    assert state.highest_call is not None
    return state.highest_call[0]


def bids_up_to_tricks(state: State) -> tuple[BidValue, ...]:
    """Return the bids from 0 to the number of tricks."""
    return tuple(range(state.cards + 1))


# --- the score and the end --------------------------------------------------------------------------------


def play_off_points(state: State, seat: str) -> tuple[int, ...]:
    """Return a player's points in the hands that decided ties, in order."""
    return tuple(result.points[seat] for result in state.results if result.play_off and seat in result.points)


def tied_places(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of tied players, the best place first."""
    return tuple(tuple(place) for place in places if len(place) > 1)


def tied_winners(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the group of players tied for the first place, if there are any."""
    return tied_places(places[:1])
