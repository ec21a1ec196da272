"""What rules are chosen from: small functions that several games name, each a sentence of their rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from table.cards import NO_TRUMP, Card
from table.events.happenings import BidValue
from table.games.base import Refusal, State, Tally, number_of, refuse

# --- how many cards are dealt -----------------------------------------------------------------------------


def listed(hands: Sequence[int]) -> Callable[[State, int], int | None]:
    """The hands of a list, one after the other; then the game is over."""
    return lambda state, number: hands[number - 1] if number <= len(hands) else None


def always_as_many(cards: int) -> Callable[[State, int], int | None]:
    """Hands of so many cards without end."""
    return lambda state, number: cards


def down_up(start: int) -> list[int]:
    """``start`` ... 1 ... ``start``."""
    return [*range(start, 0, -1), *range(2, start + 1)]


def up_down(peak: int) -> list[int]:
    """1 ... ``peak`` ... 1."""
    return [*range(1, peak), *range(peak, 0, -1)]


def one_card(state: State) -> bool:
    """Every hand of one card."""
    return state.cards == 1


def no_cards(state: State) -> int:
    """No cards are handed on."""
    return 0


# --- trumps -----------------------------------------------------------------------------------------------


def always(suit: str) -> Callable[[State], str | None]:
    """The same trumps in every hand."""
    return lambda state: suit


def not_fixed(state: State) -> str | None:
    """The trumps of a hand are not known beforehand."""
    return None


def suit_of_turned(card: Card) -> str | Refusal:
    """The turned card's suit is trumps; a joker is turned again."""
    return card.suit or refuse("turn_another", card=card)


def suit_unless_ace(card: Card) -> str | Refusal:
    """The turned card's suit is trumps; an ace or the joker means no trumps."""
    return NO_TRUMP if card.suit is None or card.rank == "A" else card.suit


# --- who bids and leads -----------------------------------------------------------------------------------


def left_of_dealer(state: State) -> str:
    """The player to the dealer's left."""
    return state.left_of(state.dealer)


def left_of_last_bidder(state: State) -> str:
    """The player to the left of whoever bid last."""
    return state.left_of(state.bids[-1][0])


def left_of_declarer(state: State) -> str:
    """The player to the left of who has won the auction."""
    return state.left_of(the_declarer(state))


def the_declarer(state: State) -> str:
    """Who has won the auction."""
    assert state.declarer is not None
    return state.declarer


def the_winner(state: State, winner: str) -> str:
    """The winner of the last trick."""
    return winner


def left_of_winner(state: State, winner: str) -> str:
    """The player to the left of the last trick's winner."""
    return state.left_of(winner)


def up_to_the_cards(state: State) -> tuple[BidValue, ...]:
    """From 0 to as many as there are tricks."""
    return tuple(range(state.cards + 1))


def in_the_game(state: State) -> int:
    """An auction may begin with a single trick."""
    return 1


# --- scores, and the end ----------------------------------------------------------------------------------


def nobody_goes_out(state: State) -> Tally | None:
    """Everybody plays to the end."""
    return None


def lives(most: int) -> Callable[[State], Tally | None]:
    """The totals are lives; who has none left is out."""
    return lambda state: Tally("lives", state.totals, most)


def faults(most: int) -> Callable[[State], Tally | None]:
    """Every trick off a bid is a fault; who has ``most`` is out."""

    def tally(state: State) -> Tally:
        found = dict.fromkeys(state.seats, 0)
        for result in state.counting:
            for seat, bid in result.bids.items():
                found[seat] += abs(number_of(bid) - result.tricks[seat])
        return Tally("faults", found, most)

    return tally


def never(state: State) -> bool:
    """Never."""
    return False


def nobody(state: State) -> tuple[str, ...]:
    """Nobody."""
    return ()


def by_total(state: State, seat: str) -> Any:
    """The total."""
    return state.totals[seat]


def in_play_offs(state: State, seat: str) -> tuple[int, ...]:
    """What a seat got in the hands that decided ties, in order."""
    return tuple(one.points[seat] for one in state.results if one.play_off and seat in one.points)


def hands_made(state: State, seat: str) -> int:
    """The counting hands in which a seat made its bid."""
    return sum(number_of(one.bids[seat]) == one.tricks[seat] for one in state.counting if seat in one.bids)


def shared(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Ties stay."""
    return ()


def first_place(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """A tie for the first place is played off."""
    return tuple(tuple(place) for place in places[:1] if len(place) > 1)


def every_place(places: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Every tie is played off, the best place first."""
    return tuple(tuple(place) for place in places if len(place) > 1)


def places_by(seats: Sequence[str], key: Mapping[str, Any]) -> list[list[str]]:
    """``seats`` by a key, the highest first, equal ones together in the given order."""
    return [
        [seat for seat in seats if key[seat] == value] for value in sorted(set(key.values()), reverse=True)
    ]
