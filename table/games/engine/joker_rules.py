"""The rules of a joker at no trumps in which games differ; the others are in ``trick_rules.py``."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import JOKER, NO_TRUMP, SUITS, Card
from table.events.event_spec import Play
from table.games.engine.game_state import Failure, Revoke, State, Trick
from table.games.engine.trick_rules import (
    cards_following_suit,
    failures_to_follow,
    proved_revokes,
    suit_led,
    suit_to_follow,
)


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

    def failures(self, state: State) -> tuple[Failure, ...]:
        """Return the failures to follow suit in the current trick, which is complete."""
        return failures_to_follow(state.trick, len(state.tricks) + 1, state.trump)

    def revokes(self, state: State, play: Play) -> tuple[Revoke, ...]:
        """Return the revokes that a card of the current trick proves."""
        return proved_revokes(state.failures, play, len(state.tricks) + 1, state.trump)


class ByThreeRules(JokerRules):
    """The rules of a joker that wins when one of three rules allows it; it is never forced, and else it is a revoke.

    A joker may be played

    1. to a suit of which its holder has played no card and not shown out, 2. to a suit that its holder has run out of
    and not discarded on, 3. to the last trick.
    """

    def suits_to_name(self, state: State, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """Return the suits that rules 1 and 2 allow; all suits in the last trick, or if they allow none."""
        seat = state.trick.leader
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

    def failures(self, state: State) -> tuple[Failure, ...]:
        """Return the failures to follow suit: with other cards as usual, with the joker by its three rules.

        To a suit of which its player had played cards, the joker states that the player is void in the suit.
        """
        if state.trump != NO_TRUMP:
            return super().failures(state)
        others = tuple(failure for failure in super().failures(state) if failure.card is not JOKER)
        joker = next((play for play in state.trick.plays if play.card is JOKER), None)
        led = suit_led(state.trick, NO_TRUMP)
        if joker is None or led is None or state.is_last_trick:
            return others
        if _has_discarded(state.tricks, joker.seat, led) or not _has_played(state.tricks, joker.seat, led):
            return others
        return (*others, Failure(joker.seat, JOKER, len(state.tricks) + 1, led))

    def revokes(self, state: State, play: Play) -> tuple[Revoke, ...]:
        """Return the revokes that a card proves: as usual, but a joker that does not win is a revoke at once."""
        if play.card is not JOKER or state.trump != NO_TRUMP:
            return super().revokes(state, play)
        if suit_led(state.trick, NO_TRUMP) is None or self.wins(state, play.seat):
            return ()
        number = len(state.tricks) + 1
        return (Revoke(play.seat, JOKER, number, JOKER, number),)


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


def _has_played(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Return whether a player has played a card of a suit, not counting the joker."""
    cards = (trick.card_of(seat) for trick in tricks)
    return any(card is not None and card.suit == suit for card in cards)


def _has_discarded(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Return whether the holder of the joker has played another suit to a trick of this suit."""
    cards = (trick.card_of(seat) for trick in tricks if suit_led(trick, NO_TRUMP) == suit)
    return any(isinstance(card, Card) and card.suit != suit for card in cards)
