"""What tells explanations apart, and what a card that has no name leaves open: the matter of questions.

Pure functions of explanations and tricks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from table.cards import NO_TRUMP, Card
from table.events.happenings import TrickTaken
from table.events.kind import Play
from table.games.base import Phase, Revoke, Trick
from table.games.tricks import revokes, suit_of
from table.referee.explanation import Explanation


def deal_of(explanation: Explanation, hand: int) -> int:
    """The number of the last deal of a hand, by an explanation; 0 where nothing has been dealt yet.

    What was thrown in is the last deal until the next one is dealt: only then it is sure that nobody plays it.
    """
    states = chain((explanation.state,), (entry.before for entry in explanation.entries()))
    held = takewhile(lambda state: state.hand >= hand, states)
    return next((one.deal for one in held if one.hand == hand and one.phase is not Phase.DEAL), 0)


def trump_of(explanation: Explanation, deal: int) -> str | None:
    """The trumps of a deal, by an explanation; None before they are known."""
    if explanation.state.deal == deal:
        return explanation.state.trump
    taken = (entry.before for entry in explanation.entries() if isinstance(entry.cause, TrickTaken))
    return next((state.trump for state in taken if state.deal == deal), None)


def taken_tricks(explanation: Explanation, deal: int) -> list[Trick]:
    """The tricks of a deal that have been taken, by an explanation."""
    found = []
    for entry in explanation.entries():
        if entry.before.deal < deal:
            break
        if entry.before.deal == deal and isinstance(entry.cause, TrickTaken):
            found.append(entry.before.trick)
    return found[::-1]


def revoked(explanation: Explanation, deal: int) -> tuple[Revoke, ...]:
    """The revokes of a deal that have been proved, each with its proof, by an explanation."""
    if explanation.state.deal == deal:
        return explanation.state.announced
    taken = (entry.before for entry in explanation.entries() if isinstance(entry.cause, TrickTaken))
    return next((state.announced for state in taken if state.deal == deal), ())


def parts(
    mine: Sequence[Trick], theirs: Sequence[Trick], ours: Collection[Revoke], others: Collection[Revoke]
) -> int | None:
    """The first trick in which the outcome parts: another winner, or another card of a revoke, or of its proof.

    ``mine``, ``theirs``: the tricks that have been taken; ``ours``, ``others``: the revokes of the hand.
    """
    pairs = [*zip(mine, theirs, strict=False)]
    for at, (here, there) in enumerate(pairs):
        if here.winner != there.winner:
            return at
    for one in sorted({*ours} ^ {*others}, key=lambda one: (one.trick, one.proved_in, one.seat)):
        for at, (here, there) in enumerate(pairs[one.trick - 1 :], start=one.trick - 1):
            failed = at == one.trick - 1 and (cards_of(here), here.lead) != (cards_of(there), there.lead)
            if failed or here.card_of(one.seat) != there.card_of(one.seat):
                return at
    return None


def cards_of(trick: Trick) -> dict[str, Card]:
    """What each player laid to a trick."""
    return {play.seat: play.card for play in trick.plays}


def unproved(tricks: Sequence[Trick], trump: str | None) -> tuple[int, Play] | None:
    """The first card without a name on which a revoke hangs, and the place of its trick.

    A lead that nobody knows is taken to be of the next card's suit, since most follow suit; a card that won is of a
    suit that could. What that would prove has not been proved.
    """
    taken_for = [_taken_for(trick, trump) for trick in tricks]
    found: list[tuple[int, Play]] = []
    for seat in {play.seat for trick in tricks for play in trick.plays}:
        for one in revokes(taken_for, seat, trump):
            lead, proof = tricks[one.trick - 1].lead, one.proved_in - 1
            found += [(one.trick - 1, lead)] if lead is not None and _nameless(lead.card) else []
            found += [
                (proof, play) for play in tricks[proof].plays if play.seat == seat and _nameless(play.card)
            ]
    return min(found, key=lambda place: (place[0], place[1].seat), default=None)


def _nameless(card: Card) -> bool:
    """Whether nobody knows even the suit of a card."""
    return card.is_unseen and card.suit is None


def _taken_for(trick: Trick, trump: str | None) -> Trick:
    """A trick whose nameless cards are of the suits that they are taken for; any other as it is."""
    lead = trick.lead
    if lead is None:
        return trick
    suits = [suit for play in trick.plays if (suit := suit_of(play.card, trump)) is not None]
    if _nameless(lead.card) and suits:
        trick = replace(trick, named=suits[0])
    beats = _beats(suit_of(lead.card, trump) or trick.named, suits, trump)
    if beats is None:
        return trick
    won = Card("", beats, 0)
    plays = (
        replace(play, card=won) if play != lead and _nameless(play.card) and play.card.strength else play
        for play in trick.plays
    )
    return replace(trick, plays=tuple(plays))


def _beats(led: str | None, laid: Sequence[str], trump: str | None) -> str | None:
    """The one suit of which a card must be to win a trick; None where there are two, or it isn't known."""
    if trump in laid:
        return trump
    return led if trump == NO_TRUMP else None
