"""Differences between hypotheses that matter to the score, and unknown cards that leave a revoke open.

Questions are made from these. Pure functions of hypotheses and tricks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from table.cards import NO_TRUMP, PlayedCard, UnseenCard, card
from table.events.event_spec import Play
from table.events.game_events import TrickTaken
from table.games.engine.game_state import Failure, Phase, State, Trick
from table.games.engine.trick_rules import failures_to_follow, proved_revokes, suit_of, without_proved
from table.referee.model.hypothesis import Hypothesis, StoryEntry


def last_deal(hypothesis: Hypothesis, hand: int) -> int:
    """Return the number of the last deal of a hand in a hypothesis; 0 where nothing has been dealt yet.

    A hand that was thrown in is the last deal until the next one is dealt: only then it is certain that nobody plays
    it.
    """
    states = chain((hypothesis.state,), (entry.state_before for entry in hypothesis.entries()))
    held = takewhile(lambda state: state.hand >= hand, states)
    return next((state.deal for state in held if state.hand == hand and state.phase is not Phase.DEAL), 0)


def state_of_deal(hypothesis: Hypothesis, deal: int) -> State | None:
    """Return the present state if it is of this deal, else the state before the deal's last trick was taken.

    None where a hypothesis has neither.
    """
    if hypothesis.state.deal == deal:
        return hypothesis.state
    return next(_states_before_taking(hypothesis, deal), None)


def taken_tricks(hypothesis: Hypothesis, deal: int) -> tuple[Trick, ...]:
    """Return the tricks of a deal that have been taken in a hypothesis."""
    last = next(_states_before_taking(hypothesis, deal), None)
    return (*last.tricks, last.trick) if last is not None else ()


def _states_before_taking(hypothesis: Hypothesis, deal: int) -> Iterator[State]:
    """Yield the states of a deal before each trick was taken, the last one first."""
    entries = entries_of_deal(hypothesis, deal)
    return (entry.state_before for entry in entries if isinstance(entry.cause, TrickTaken))


def entries_of_deal(hypothesis: Hypothesis, deal: int) -> Iterator[StoryEntry]:
    """Yield the entries of a deal, the newest first."""
    since = takewhile(lambda entry: entry.state_before.deal >= deal, hypothesis.entries())
    return (entry for entry in since if entry.state_before.deal == deal)


def first_differing_trick(mine: Hypothesis, other: Hypothesis, deal: int) -> int | None:
    """Return the index of the first taken trick of a deal that differs between two hypotheses in its outcome.

    That is its winner, or a card of a revoke or of its proof. None where the outcome is the same.
    """
    pairs = [*zip(taken_tricks(mine, deal), taken_tricks(other, deal), strict=False)]
    for at, (here, there) in enumerate(pairs):
        if here.winner != there.winner:
            return at
    states = (state_of_deal(hypothesis, deal) for hypothesis in (mine, other))
    ours, others = (set(state.revokes) if state else set() for state in states)
    for revoke in sorted(ours ^ others, key=lambda revoke: (revoke.trick, revoke.proved_in, revoke.seat)):
        for at, (here, there) in enumerate(pairs[revoke.trick - 1 :], start=revoke.trick - 1):
            failed = at == revoke.trick - 1 and (cards_by_seat(here), here.lead) != (
                cards_by_seat(there),
                there.lead,
            )
            if failed or here.card_of(revoke.seat) != there.card_of(revoke.seat):
                return at
    return None


def cards_by_seat(trick: Trick) -> dict[str, PlayedCard]:
    """Return the card that each player laid to a trick, by seat."""
    return {play.seat: play.card for play in trick.plays}


def find_revoke_dependent_card(tricks: Sequence[Trick], trump: str | None) -> tuple[int, Play] | None:
    """Return the first unknown card on which a revoke depends, with the index of its trick; None where there is none.

    An unknown lead is taken to be of the next card's suit, since most players follow suit; a card that won is of a
    suit that could win. What that would prove has not been proved.
    """
    found: list[tuple[int, Play]] = []
    failures: tuple[Failure, ...] = ()
    for at, trick in enumerate(tricks):
        assumed = _with_assumed_suits(trick, trump)
        revokes = [
            (revoke, play)
            for play, taken_for in zip(trick.plays, assumed.plays, strict=True)
            for revoke in proved_revokes(failures, taken_for, at + 1, trump)
        ]
        for revoke, play in revokes:
            lead = tricks[revoke.trick - 1].lead
            found += [(revoke.trick - 1, lead)] if lead is not None and _is_unknown(lead.card) else []
            found += [(at, play)] if _is_unknown(play.card) else []
        failures = without_proved(failures, (revoke for revoke, _ in revokes))
        failures += failures_to_follow(assumed, at + 1, trump)
    return min(found, key=lambda place: (place[0], place[1].seat), default=None)


def _is_unknown(played: PlayedCard) -> bool:
    """Whether nobody knows even the suit of a card."""
    return isinstance(played, UnseenCard) and played.suit is None


def _with_assumed_suits(trick: Trick, trump: str | None) -> Trick:
    """Return a trick with its unknown cards set to their most likely suits; any other trick as it is."""
    lead = trick.lead
    if lead is None:
        return trick
    suits = [suit for play in trick.plays if (suit := suit_of(play.card, trump)) is not None]
    if _is_unknown(lead.card) and suits:
        trick = replace(trick, named=suits[0])
    beats = _winning_suit(suit_of(lead.card, trump) or trick.named, suits, trump)
    if beats is None:
        return trick
    some_winner = card(f"2{beats}")
    plays = (
        replace(play, card=some_winner) if play != lead and play.card == UnseenCard(won=True) else play
        for play in trick.plays
    )
    return replace(trick, plays=tuple(plays))


def _winning_suit(led: str | None, laid: Sequence[str], trump: str | None) -> str | None:
    """Return the only suit of which a card can be to win a trick; None where there are two, or it isn't known."""
    if trump in laid:
        return trump
    return led if trump == NO_TRUMP else None
