"""The rules of a joker at no trumps in which games differ; the others are in ``trick_rules.py``."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import JOKER, NO_TRUMP, SUITS, Card
from table.games.engine.game_state import Revoke, State, Trick
from table.games.engine.trick_rules import cards_following_suit, proved_revokes, suit_led, suit_to_follow


class JokerRules:
    """The rules of a joker that has no suit: a player may play it only when void in the suit led, and it wins."""

    def suits_to_name(self, state: State, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """Return the suits that the leader of a joker may name, by what is public or by the rest of a known hand."""
        return SUITS

    def legal_cards(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards that may be led or played now, from a hand with the joker and other cards."""
        return cards_following_suit(hand, suit_to_follow(state), state.trump)

    def wins(self, state: State, seat: str) -> bool:
        """Return whether the joker that ``seat`` has played wins the complete trick outright."""
        return True

    def revokes(self, state: State, seat: str) -> tuple[Revoke, ...]:
        """Return the revokes of a seat that have been proved so far in this hand, in the order of proof."""
        return proved_revokes((*state.tricks, state.trick), seat, state.trump)


class ByThreeRules(JokerRules):
    """The rules of a joker that wins when one of three rules allows it; it is never forced, and else it is a revoke.

    A joker may be played

    1. to a suit of which its holder has played no card and not shown out, 2. to a suit that its holder has run out of
    and not discarded on, 3. to the last trick.
    """

    def suits_to_name(self, state: State, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """Return the suits that rules 1 and 2 allow; all suits in the last trick, or if they allow none."""
        seat = state.leader
        assert seat is not None
        if state.is_last_trick:
            return SUITS
        return tuple(suit for suit in SUITS if _fits(state, seat, suit, hand)) or SUITS

    def legal_cards(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards that follow suit, else all; and the joker where it fits the suit led, or a suit to name."""
        led = suit_to_follow(state)
        following_cards = cards_following_suit([card for card in hand if not card.is_joker], led, state.trump)
        fits = any(_fits(state, seat, suit, hand) for suit in ([led] if led else SUITS))
        return tuple(card for card in hand if card in following_cards or (fits and card.is_joker))

    def wins(self, state: State, seat: str) -> bool:
        """Return whether this is the last trick, or what is public allows the joker."""
        led = suit_to_follow(state)
        return state.is_last_trick or (led is not None and not _has_discarded(state.tricks, seat, led))

    def revokes(self, state: State, seat: str) -> tuple[Revoke, ...]:
        """Return the proved revokes: with other cards as usual, with the joker by its three rules."""
        tricks = (*state.tricks, state.trick)
        # A joker follows any suit, so playing it is not a failure to follow suit.
        without_joker = tuple(Trick() if trick.card_of(seat) == JOKER else trick for trick in tricks)
        proved = [*proved_revokes(without_joker, seat, NO_TRUMP), *_joker_revokes(tricks, seat, state.cards)]
        return tuple(sorted(proved, key=lambda revoke: (revoke.proved_in, revoke.trick)))


ALWAYS_WINS = JokerRules()
BY_THREE_RULES = ByThreeRules()


# --- the three rules --------------------------------------------------------------------------------------


def _fits(state: State, seat: str, suit: str, hand: Sequence[Card] | None) -> bool:
    """Return whether rule 1 or 2 allows a joker; of an unknown hand it is assumed that it is void in the suit."""
    if _has_discarded(state.tricks, seat, suit):
        return False
    return (
        hand is None or not _has_played(state.tricks, seat, suit) or all(card.suit != suit for card in hand)
    )


def _suit_led_in(trick: Trick) -> str | None:
    return suit_led(trick.plays[0], trick.named, NO_TRUMP) if trick.plays else None


def _has_played(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Return whether a player has played a card of a suit, not counting the joker."""
    cards = (trick.card_of(seat) for trick in tricks)
    return any(card is not None and card.suit == suit for card in cards)


def _has_discarded(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Return whether a player has played another suit, not the joker, to a trick of this suit."""
    for trick in tricks:
        card = trick.card_of(seat)
        if not isinstance(card, Card) or card.is_joker:
            continue
        if _suit_led_in(trick) == suit and card.suit != suit:
            return True
    return False


def _joker_revokes(tricks: Sequence[Trick], seat: str, cards: int) -> list[Revoke]:
    """Return the revokes with the joker; ``tricks`` end with the current one.

    To a suit discarded on before, the joker is a revoke at once. To a suit of which the player had played cards, it
    states that the player is void in the suit: a later card of it proves the opposite.
    """
    index = next((index for index, trick in enumerate(tricks) if trick.card_of(seat) == JOKER), None)
    if index is None or index == cards - 1:
        return []
    led = _suit_led_in(tricks[index])
    if led is None:
        return []
    if _has_discarded(tricks[:index], seat, led):
        return [Revoke(seat, JOKER, index + 1, JOKER, index + 1)]
    if not _has_played(tricks[:index], seat, led):
        return []
    for number, trick in enumerate(tricks[index + 1 :], start=index + 2):
        card = trick.card_of(seat)
        if isinstance(card, Card) and card.suit == led:
            return [Revoke(seat, JOKER, index + 1, card, number)]
    return []
