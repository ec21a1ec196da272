"""What tells explanations apart, and what a card that has no name leaves open: the matter of questions.

Pure functions of explanations and tricks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.cards import Card
from table.events.happenings import TrickTaken
from table.games.base import Trick
from table.games.tricks import revokes, suit_of
from table.referee.explanation import Explanation


def trump_of(explanation: Explanation, hand: int) -> str | None:
    """The trumps of a hand, by an explanation; None before they are known."""
    if explanation.state.hand == hand:
        return explanation.state.trump
    taken = (entry.before for entry in explanation.entries() if isinstance(entry.cause, TrickTaken))
    return next((state.trump for state in taken if state.hand == hand), None)


def taken_tricks(explanation: Explanation, hand: int) -> list[Trick]:
    """The tricks of a hand that have been taken, by an explanation."""
    found = []
    for entry in explanation.entries():
        if entry.before.hand < hand:
            break
        if entry.before.hand == hand and isinstance(entry.cause, TrickTaken):
            found.append(entry.before.trick)
    return found[::-1]


def parts(
    mine: Sequence[Trick], theirs: Sequence[Trick], best: Explanation, other: Explanation
) -> int | None:
    """The first trick in which the outcome parts: another winner, or another revoke proved."""
    for at, (ours, others) in enumerate(zip(mine, theirs, strict=False)):
        if ours.winner != others.winner:
            return at
    for _, _, trick in sorted(best.revokes ^ other.revokes, key=lambda one: one[2]):
        at = trick - 1
        if at < min(len(mine), len(theirs)) and cards_of(mine[at]) != cards_of(theirs[at]):
            return at
    return None


def cards_of(trick: Trick) -> dict[str, Card]:
    """What each player laid to a trick."""
    return {play.seat: play.card for play in trick.plays}


def unproved(tricks: Sequence[Trick], trump: str | None) -> int | None:
    """The first trick whose lead has no name, and would prove a revoke if it was of the suit that it is taken for.

    Most follow suit, so a lead that nobody knows is taken to be of the next card's.
    """
    taken_for = [_taken_for(trick, trump) for trick in tricks]
    seats = {play.seat for trick in tricks for play in trick.plays}
    proved = [one.trick - 1 for seat in seats for one in revokes(taken_for, seat, trump)]
    return min((at for at in proved if taken_for[at] is not tricks[at]), default=None)


def _taken_for(trick: Trick, trump: str | None) -> Trick:
    """A trick whose lead has no name, with the suit of the next card; any other as it is."""
    lead = trick.lead
    if lead is None or not lead.card.is_unseen or lead.card.suit is not None:
        return trick
    suits = (suit_of(play.card, trump) for play in trick.plays)
    led = next((suit for suit in suits if suit is not None), None)
    return replace(trick, named=led) if led is not None else trick
