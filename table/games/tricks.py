"""Tricks: which cards may be played, who wins, and who has revoked. Pure functions of cards, trumps and tricks.

A joker, where one is in the pack, is the highest trump and so of the trump suit; at no trumps it has no suit of
its own, and a led one is of the suit that its player named (what else it does there: ``table/games/jokers.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import NO_TRUMP, Card
from table.events.kind import Play
from table.games.base import Revoke, State, Trick


def suit_of(card: Card, trump: str | None) -> str | None:
    """The suit that a card belongs to; None for a joker at no trumps."""
    suit = card.suit  # (this is asked more often than anything else: most cards have one)
    if suit is not None or not card.is_joker:
        return suit
    return None if trump == NO_TRUMP else trump


def suit_led(lead: Play, named: str | None, trump: str | None) -> str | None:
    """The suit to be followed; None while a joker led at no trumps has no suit named."""
    return suit_of(lead.card, trump) or named


def winning(plays: Sequence[Play], led: str | None, trump: str | None, *, joker: int | None = None) -> str:
    """The winner of a complete trick: the highest trump, else the highest card of the suit led.

    Of two equal cards (two packs) the first wins. ``joker`` is the index of a joker that wins whatever else lies
    (no trumps). Of a card that nobody saw it is known whether it won, and no more.
    """
    hidden = [play for play in plays if play.card.is_unseen]
    for play in hidden:
        if play.card.strength:
            return play.seat
    if joker is not None:
        return plays[joker].seat

    def rank(play: Play) -> tuple[bool, bool, bool, int]:
        suit = suit_of(play.card, trump)
        trumps = suit is not None and suit == trump
        follows = suit is not None and suit == led
        strength = play.card.strength if trumps or follows else 0
        return (play not in hidden, trumps, follows, strength)

    # max() keeps the first of equals.
    return max(plays, key=rank).seat


def following(hand: Sequence[Card], led: str | None, trump: str | None) -> tuple[Card, ...]:
    """The cards of a hand that may follow: those of the suit led if there are any, else all."""
    same = tuple(card for card in hand if suit_of(card, trump) == led and led is not None)
    return same or tuple(hand)


def revokes(tricks: Sequence[Trick], seat: str, trump: str | None) -> tuple[Revoke, ...]:
    """Every revoke of ``seat`` that its own later cards have proved, in the order of proof.

    A card of a suit proves each earlier trick of that suit in which the player, holding it, did not follow; each
    such trick counts once, by the first card that proves it. A card that nobody saw proves nothing either way.
    """
    open_ones: list[tuple[str, int, Card]] = []
    found: list[Revoke] = []
    for number, trick in enumerate(tricks, start=1):
        own = trick.card_of(seat)
        if own is None or own.is_unseen:
            continue
        suit = suit_of(own, trump)
        if open_ones:
            found += [Revoke(seat, card, at, own, number) for led, at, card in open_ones if led == suit]
            open_ones = [one for one in open_ones if one[0] != suit]
        lead = trick.plays[0]
        if lead.seat == seat:
            continue
        led = suit_led(lead, trick.named, trump)
        if led is not None and suit != led:
            open_ones.append((led, number, own))
    return tuple(found)


# --- the current trick ------------------------------------------------------------------------------------


def lead_of(state: State) -> Play | None:
    """The lead of the current trick; None while it is missing."""
    return next((play for play in state.trick.plays if play.seat == state.leader), None)


def suit_to_follow(state: State) -> str | None:
    """The suit to be followed in the current trick; None before the lead."""
    lead = lead_of(state)
    if lead is None or lead.card.suit is not None or not lead.card.is_unseen:
        return suit_led(lead, state.trick.named, state.trump) if lead else None
    # Nobody saw the lead: most follow suit, so it is taken to be that of the next card.
    suits = (suit_of(play.card, state.trump) for play in state.trick.plays)
    return next((suit for suit in suits if suit is not None), None)


def next_to_play(state: State) -> str | None:
    """Whose card is missing next from the current trick; None once it is complete, and before a free lead."""
    if state.leader is None:
        return None
    have = [play.seat for play in state.trick.plays]
    for seat in state.round_from(state.leader):
        if seat not in have:
            return seat
    return None
