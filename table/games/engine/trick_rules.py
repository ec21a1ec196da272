"""Tricks: which cards may be played, who wins, and who has revoked. Pure functions of cards, trumps and tricks.

A joker, where one is in the pack, is the highest trump and so belongs to the trump suit; at no trumps it has no suit of
its own, and a joker that is led has the suit that its player named (see also ``joker_rules.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import JOKER, NO_TRUMP, Card, PlayedCard, UnseenCard
from table.events.event_spec import Play
from table.games.engine.game_state import Revoke, State, Trick


def suit_of(card: PlayedCard, trump: str | None) -> str | None:
    """Return the suit that a card belongs to; None for a joker at no trumps."""
    if card.suit is None and card is JOKER and trump != NO_TRUMP:
        return trump
    return card.suit


def suit_led(lead: Play, named: str | None, trump: str | None) -> str | None:
    """Return the suit to be followed; None while a joker led at no trumps has no suit named."""
    return suit_of(lead.card, trump) or named


def winning(plays: Sequence[Play], led: str | None, trump: str | None, *, joker: int | None = None) -> str:
    """Return the winner of a complete trick: the highest trump, else the highest card of the suit led.

    Of two equal cards (two packs) the first wins. ``joker`` is the index of a joker that wins over all other cards (no
    trumps). Whether an unseen card won is declared.
    """
    declared = next((play for play in plays if isinstance(play.card, UnseenCard) and play.card.won), None)
    if declared is not None:
        return declared.seat
    if joker is not None:
        return plays[joker].seat

    def rank(play: Play) -> tuple[bool, bool, int]:
        if isinstance(play.card, UnseenCard):
            return (False, False, -1)
        suit = suit_of(play.card, trump)
        trumps = suit is not None and suit == trump
        follows = suit is not None and suit == led
        return (trumps, follows, play.card.strength if trumps or follows else 0)

    # max() keeps the first of equals.
    return max(plays, key=rank).seat


def cards_following_suit(hand: Sequence[Card], led: str | None, trump: str | None) -> tuple[Card, ...]:
    """Return the cards of a hand that may follow: those of the suit led if there are any, else all."""
    of_suit = tuple(card for card in hand if suit_of(card, trump) == led and led is not None)
    return of_suit or tuple(hand)


def proved_revokes(tricks: Sequence[Trick], seat: str, trump: str | None) -> tuple[Revoke, ...]:
    """Return every revoke of ``seat`` that its own later cards have proved, in the order of proof.

    A card of a suit proves each earlier trick of that suit in which the player, holding it, did not follow; each such
    trick counts once, by the first card that proves it. An unseen card proves nothing either way.
    """
    unproved: list[tuple[str, int, Card]] = []
    proved: list[Revoke] = []
    for number, trick in enumerate(tricks, start=1):
        own = trick.card_of(seat)
        if not isinstance(own, Card):
            continue
        suit = suit_of(own, trump)
        if unproved:
            proved += [
                Revoke(seat, card, failed_in, own, number) for led, failed_in, card in unproved if led == suit
            ]
            unproved = [failure for failure in unproved if failure[0] != suit]
        lead = trick.plays[0]
        if lead.seat == seat:
            continue
        led = suit_led(lead, trick.named, trump)
        if led is not None and suit != led:
            unproved.append((led, number, own))
    return tuple(proved)


# --- the current trick ------------------------------------------------------------------------------------


def current_lead(state: State) -> Play | None:
    """Return the lead of the current trick; None while it is missing."""
    return next((play for play in state.trick.plays if play.seat == state.leader), None)


def suit_to_follow(state: State) -> str | None:
    """Return the suit to be followed in the current trick; None before the lead."""
    lead = current_lead(state)
    if lead is None or lead.card.suit is not None or isinstance(lead.card, Card):
        return suit_led(lead, state.trick.named, state.trump) if lead else None
    # The lead was not seen: players usually follow suit, so it is assumed to be the next card's suit.
    suits = (suit_of(play.card, state.trump) for play in state.trick.plays)
    return next((suit for suit in suits if suit is not None), None)


def next_player(state: State) -> str | None:
    """Return whose card is missing next from the trick; None once it is complete, and before a free lead."""
    if state.leader is None:
        return None
    have_played = [play.seat for play in state.trick.plays]
    for seat in state.seats_from(state.leader):
        if seat not in have_played:
            return seat
    return None
