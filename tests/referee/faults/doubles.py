"""Hands that look the same: what the camera told of one hand is what a faultless camera tells of another.

A card that is misread, and laid once in its hand, gives the hand a double: the same hand with that other card in its
place. A double is possible where the rules accept it throughout (so the other card is not seen elsewhere, and
everybody who led then had the lead) and every trick has the same winner or its taker's arm was not seen. It may show
one revoke that did not happen: people revoke, and then nothing that was seen tells who has erred, the player or the
camera. Two such revokes are no double: they speak for the camera's error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from table.cards import card
from table.events.happenings import Event, LeadsTied, Played, TakenBack, TrickTaken
from table.events.kind import Play, Said
from table.games.base import Refusal, State
from table.games.game import Game
from table.referee.journal import JournalLine
from tests.referee.faults.damage import Fault
from tests.referee.faults.truth import TrueHand


@dataclass(frozen=True, slots=True)
class Double:
    """A hand that looks as another one did."""

    lines: list[tuple[int, JournalLine]]
    """What is said in it, with the part of the hand."""
    revokes: int
    """How many revokes it has more."""


def doubles(game: Game, hand: TrueHand, faults: Sequence[Fault]) -> Iterator[Double]:
    """The doubles of a hand by its misread cards: by one of them alone, and by several."""
    swaps = [swap for fault in faults if (swap := _swap(hand, fault)) is not None]
    for count in range(1, len(swaps) + 1):
        for some in combinations(swaps, count):
            double = _double(game, hand, dict(some))
            if double is not None and double.revokes <= 1:
                yield double


def fits(game: Game, hand: TrueHand, fault: Fault) -> bool:
    """Whether with this fault all that was seen fits a faultless game in which nobody revoked more than here."""
    if fault.kind == "ghost":
        return fault.alone
    swap = _swap(hand, fault)
    double = _double(game, hand, dict([swap])) if swap is not None else None
    return double is not None and not double.revokes


def _swap(hand: TrueHand, fault: Fault) -> tuple[Play, Play] | None:
    """The play of a card that was misread, and what it looked like; None where it was laid more than once."""
    if fault.kind not in ("misread", "surely-misread") or fault.laid is None or fault.read is None:
        return None
    was = Play(fault.laid.seat, fault.laid.card)
    laid = sum(isinstance(act, Played | TakenBack) and Play(act.seat, act.card) == was for act in hand.acts)
    return (was, Play(was.seat, card(fault.read))) if laid == 1 else None


def _double(game: Game, hand: TrueHand, swaps: Mapping[Play, Play]) -> Double | None:
    """The hand with other cards; None where it would have been seen to be another."""
    true, other = hand.before, hand.before
    lines: list[tuple[int, JournalLine]] = []
    part = more = 0
    for act in hand.acts:
        if isinstance(act, dict):
            lines.append((part, act))
            continue
        there, here = game.apply(true, act), game.apply(other, _instead(act, swaps))
        if isinstance(there, Refusal) or isinstance(here, Refusal):
            return None
        if isinstance(act, TrickTaken) and not _same_trick(true, other, hand):
            return None
        true, other = there.state, here.state
        more += len(_revokes(here.said) - _revokes(there.said))
        for said in here.said:
            if said.event in ("hand_started", "game_over"):
                break
            lines.append((part, {"event": said.event, **said.fields}))
            part += said.event in ("trick_taken", "bidding_over")
    return Double(lines, more)


def _revokes(said: Sequence[Said]) -> set[tuple[str, int]]:
    return {(one.fields["seat"], one.fields["trick"]) for one in said if one.event == "revoke"}


def _same_trick(true: State, other: State, hand: TrueHand) -> bool:
    return true.trick.winner == other.trick.winner or len(true.tricks) + 1 not in hand.arms


def _instead(event: Event, swaps: Mapping[Play, Play]) -> Event:
    """The event with other cards in the place of some."""
    if isinstance(event, Played | TakenBack):
        return replace(event, card=swaps.get(Play(event.seat, event.card), event).card)
    if isinstance(event, LeadsTied):
        kept = swaps.get(event.kept, event.kept) if event.kept is not None else None
        return LeadsTied(kept, tuple(swaps.get(play, play) for play in event.taken_back))
    return event
