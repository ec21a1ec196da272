"""Tricks: which cards may be played, who wins, and who has revoked. Pure functions of cards, trumps and tricks.

A joker, where one is in the pack, is the highest trump and so belongs to the trump suit; at no trumps it has no suit of
its own, and a joker that is led has the suit that its player named (see also ``joker_rules.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from table.cards import JOKER, NO_TRUMP, Card, PlayedCard, UnseenCard
from table.events.event_spec import Play
from table.games.engine.game_state import Failure, Revoke, State, Trick


def suit_of(card: PlayedCard, trump: str | None) -> str | None:
    """Return the suit that a card belongs to; None for a joker at no trumps."""
    if card.suit is None and card is JOKER and trump != NO_TRUMP:
        return trump
    return card.suit


def suit_led(trick: Trick, trump: str | None) -> str | None:
    """Return the suit of a trick's lead; None where it is missing or unseen, or has no suit (yet)."""
    lead = trick.lead
    return None if lead is None else suit_of(lead.card, trump) or trick.named


def suit_to_follow(state: State) -> str | None:
    """Return the suit to be followed in the current trick; None before the lead."""
    led, lead = suit_led(state.trick, state.trump), state.trick.lead
    if led is not None or lead is None or isinstance(lead.card, Card):
        return led
    # The lead was not seen: players usually follow suit, so it is assumed to be the next card's suit.
    suits = (suit_of(play.card, state.trump) for play in state.trick.plays)
    return next((suit for suit in suits if suit is not None), None)


def trick_winner(state: State, joker_wins: Callable[[State, str], bool]) -> str:
    """Return the winner of the complete trick: the highest trump, else the highest card of the suit led.

    Of two equal cards (two packs) the first wins. A joker at no trumps beats all others where ``joker_wins`` for its
    player. Whether an unseen card wins is declared.
    """
    led, trump = suit_to_follow(state), state.trump

    def rank(play: Play) -> tuple[int, int]:
        card = play.card
        if isinstance(card, UnseenCard):
            return (5, 0) if card.won else (0, 0)
        if card is JOKER and trump == NO_TRUMP and joker_wins(state, play.seat):
            return 4, 0
        suit = suit_of(card, trump)
        if suit is None or suit not in (led, trump):
            return 1, 0
        return 3 if suit == trump else 2, card.strength

    # max() keeps the first of equals.
    return max(state.trick.plays, key=rank).seat


def cards_following_suit(hand: Sequence[Card], led: str | None, trump: str | None) -> tuple[Card, ...]:
    """Return the cards of a hand that may follow: those of the suit led if there are any, else all."""
    of_suit = tuple(card for card in hand if suit_of(card, trump) == led and led is not None)
    return of_suit or tuple(hand)


def next_player(state: State) -> str | None:
    """Return whose card is missing next from the trick; None once it is complete, and before a free lead."""
    if state.trick.leader is None:
        return None
    have_played = [play.seat for play in state.trick.plays]
    for seat in state.seats_from(state.trick.leader):
        if seat not in have_played:
            return seat
    return None


# --- revokes ----------------------------------------------------------------------------------------------


def failures_to_follow(trick: Trick, number: int, trump: str | None) -> tuple[Failure, ...]:
    """Return the failures to follow suit in a finished trick; its ``number`` counts from 1."""
    led = suit_led(trick, trump)
    return tuple(
        Failure(play.seat, play.card, number, led)
        for play in trick.plays
        if led is not None and isinstance(play.card, Card) and play.seat != trick.leader
        if suit_of(play.card, trump) != led
    )


def proved_revokes(
    failures: Sequence[Failure], play: Play, number: int, trump: str | None
) -> tuple[Revoke, ...]:
    """Return the revokes that a card played to trick ``number`` proves: the player did not follow its suit before.

    An unseen card proves nothing either way.
    """
    if not failures or not isinstance(play.card, Card):
        return ()
    suit = suit_of(play.card, trump)
    return tuple(
        Revoke(failure.seat, failure.card, failure.trick, play.card, number)
        for failure in failures
        if failure.seat == play.seat and failure.suit == suit
    )


def without_proved(failures: Iterable[Failure], revokes: Iterable[Revoke]) -> tuple[Failure, ...]:
    """Return the failures to follow suit that are not among the proved revokes."""
    proved = {(revoke.seat, revoke.trick) for revoke in revokes}
    return tuple(failure for failure in failures if (failure.seat, failure.trick) not in proved)
