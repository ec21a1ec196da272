"""What a joker does at no trumps, where it has no suit of its own: whatever rules it there stands here.

With trumps it is the highest of them in every game (``table/games/tricks.py``). At no trumps a led one stands for the
suit that its player names, in every game too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from table.cards import JOKER, NO_TRUMP, SUITS, Card
from table.games.base import Revoke, State, Trick
from table.games.tricks import following, revokes, suit_led, suit_to_follow


class Joker(Protocol):
    """The joker's rules at no trumps."""

    def may_name(self, state: State, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """The suits that the leader of a joker may name, as far as is public or by the rest of a known hand."""

    def may_play(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a hand that has the joker, and others, that may be led or played now."""

    def wins(self, state: State, seat: str) -> bool:
        """Whether the joker that ``seat`` has played wins the complete trick outright."""

    def revokes(self, state: State, seat: str) -> tuple[Revoke, ...]:
        """The revokes of a seat that have been proved so far in this hand, in the order of proof."""


class AlwaysWins:
    """It is of no suit, so it is played by who cannot follow, and it wins."""

    def may_name(self, state: State, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """Any suit."""
        return SUITS

    def may_play(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """What follows suit, which the joker does not; else anything."""
        return following(hand, suit_to_follow(state), state.trump)

    def wins(self, state: State, seat: str) -> bool:
        """Always."""
        return True

    def revokes(self, state: State, seat: str) -> tuple[Revoke, ...]:
        """Of any card, the joker among them."""
        return revokes((*state.tricks, state.trick), seat, state.trump)


class ByThreeRules:
    """It may be played to a suit only by three rules, then it wins; it is never forced, and else it is a revoke.

    1. to a suit of which its holder has played no card and not shown out,
    2. to a suit that its holder has run out of and not discarded on,
    3. to the last trick.
    """

    def may_name(self, state: State, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """Suits by rule 1 or 2; all in the last trick, or if there is none."""
        seat = state.leader
        assert seat is not None
        if state.last_trick:
            return SUITS
        return tuple(suit for suit in SUITS if _fits(state, seat, suit, hand)) or SUITS

    def may_play(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """What follows suit, else anything; and the joker where it fits the suit led, or any to be named."""
        led = suit_to_follow(state)
        others = following([card for card in hand if not card.is_joker], led, state.trump)
        fits = any(_fits(state, seat, suit, hand) for suit in ([led] if led else SUITS))
        return tuple(card for card in hand if card in others or (fits and card.is_joker))

    def wins(self, state: State, seat: str) -> bool:
        """In the last trick, or when what is public allows it."""
        led = suit_to_follow(state)
        return state.last_trick or (led is not None and not _discarded(state.tricks, seat, led))

    def revokes(self, state: State, seat: str) -> tuple[Revoke, ...]:
        """Of other cards as ever, and of the joker by its rules."""
        tricks = (*state.tricks, state.trick)
        # A joker follows whatever it is played to, so it is no failure of its own.
        plain = tuple(Trick() if trick.card_of(seat) == JOKER else trick for trick in tricks)
        found = [*revokes(plain, seat, NO_TRUMP), *_joker_revokes(tricks, seat, state.cards)]
        return tuple(sorted(found, key=lambda revoke: (revoke.proved_in, revoke.trick)))


ALWAYS_WINS = AlwaysWins()
BY_THREE_RULES = ByThreeRules()


# --- the three rules --------------------------------------------------------------------------------------


def _fits(state: State, seat: str, suit: str, hand: Sequence[Card] | None) -> bool:
    """Rules 1 and 2; with the hand unknown its holder is believed to have run out of the suit."""
    if _discarded(state.tricks, seat, suit):
        return False
    return hand is None or not _played(state.tricks, seat, suit) or all(card.suit != suit for card in hand)


def _led_in(trick: Trick) -> str | None:
    return suit_led(trick.plays[0], trick.named, NO_TRUMP) if trick.plays else None


def _played(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Whether a player has played a card of a suit (the joker left aside)."""
    cards = (trick.card_of(seat) for trick in tricks)
    return any(card is not None and card.suit == suit for card in cards)


def _discarded(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Whether a player has played another suit, not the joker, to a trick of this suit."""
    for trick in tricks:
        card = trick.card_of(seat)
        if card is None or card.is_joker or card.is_unseen:
            continue
        if _led_in(trick) == suit and card.suit != suit:
            return True
    return False


def _joker_revokes(tricks: Sequence[Trick], seat: str, cards: int) -> list[Revoke]:
    """Revokes with the joker; ``tricks`` end with the current one.

    To a suit discarded on before it is one at once. To a suit of which the player had played cards it says that
    there are no more of them: a later one proves the opposite.
    """
    at = next((at for at, trick in enumerate(tricks) if trick.card_of(seat) == JOKER), None)
    if at is None or at == cards - 1:
        return []
    led = _led_in(tricks[at])
    if led is None:
        return []
    if _discarded(tricks[:at], seat, led):
        return [Revoke(seat, JOKER, at + 1, JOKER, at + 1)]
    if not _played(tricks[:at], seat, led):
        return []
    for later, trick in enumerate(tricks[at + 1 :], start=at + 2):
        card = trick.card_of(seat)
        if card is not None and card.suit == led:
            return [Revoke(seat, JOKER, at + 1, card, later)]
    return []
