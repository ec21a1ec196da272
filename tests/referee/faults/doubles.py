"""Hands that look the same: what the camera told of one hand is what a faultless camera tells of another.

A card that is misread, and laid once in its trick, gives the hand a double: the same hand with that other card in its
place. A double is possible where the rules accept it throughout (so the other card is not seen elsewhere, and
everybody who led then had the lead) and every trick has the same winner or its taker's arm was not seen. It may show
one revoke that did not happen: people revoke, and then nothing that was seen tells who has erred, the player or the
camera. Two such revokes are no double: they speak for the camera's error.

A hand may have more faults than the one that gives it a double. Of a card that was missed, or that is known to have
been misread, nobody can say what it was: in a double such a card may stand unnamed, as having won its trick or not.
Where there is no other card in its place at all, every trick must have the same winner: then all that it can hide is a
revoke that it would have proved.

A card that was missed, and that its player took back and laid again since the screen waited for it, has been seen once:
when it was laid again. So the hand has a double in which it was laid then, and not before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from typing import Any

from table.cards import UnseenCard, card
from table.events.event_spec import Announcement, Play
from table.events.game_events import Event, LeadsTied, Played, TakenBack, TrickTaken
from table.games.engine.game_state import Refusal, State, Step
from table.games.game import Game
from table.referee.records.journal import JournalLine
from tests.referee.faults.damage import Fault
from tests.referee.faults.truth import TrueHand

InTrick = tuple[int, Play]
"""A card as it was laid, with the number of its trick."""
Again = tuple[int, Collection[int]]
"""A card that was laid again, by its trick and the places of what was done with it before."""


@dataclass(frozen=True, slots=True)
class Double:
    """A hand that looks as another one did."""

    lines: list[tuple[int, JournalLine]]
    """What is said in it, with the part of the hand."""
    revokes: int
    """How many revokes it has more."""


def doubles(game: Game, hand: TrueHand, faults: Sequence[Fault]) -> Iterator[Double]:
    """The doubles of a hand by its missed and misread cards."""
    choices = [_choices(hand, fault) for fault in faults]
    late = [(fault.part, unseen) for fault in faults if (unseen := _laid_again(hand, fault))]
    for chosen, again in product(product(*(some for some in choices if some)), _some_of(late)):
        swaps = {laid: now for laid, now in chosen if laid[1] != now}
        if not swaps and not again:
            continue
        read = any(not isinstance(now.card, UnseenCard) for now in swaps.values())
        # Who won is known where an arm was seen; where only a card without a name is otherwise, it must be the same.
        won = hand.arms if read else _tricks(hand) - {trick for trick, _ in again} | hand.arms
        double = _double(game, hand, swaps, won, [place for _, places in again for place in places])
        if double is not None and double.revokes <= 1 and (read or again or _hides(double, hand)):
            yield double


def _tricks(hand: TrueHand) -> set[int]:
    """The numbers of a hand's tricks."""
    return {*range(1, hand.before.cards + 1)}


def _some_of(late: Sequence[Again]) -> Iterator[tuple[Again, ...]]:
    """Some of the cards that were laid again, none of them first."""
    return chain.from_iterable(combinations(late, count) for count in range(len(late) + 1))


def _laid_again(hand: TrueHand, fault: Fault) -> Collection[int]:
    """The places of what nobody saw of a card that was missed and laid again: laying it, and taking it back."""
    if fault.kind != "missed" or fault.laid is None or fault.act is None:
        return ()
    seat, missed = fault.laid.seat, fault.laid.card
    for at, act in enumerate(hand.acts[fault.act :], start=fault.act):
        if isinstance(act, TrickTaken) or (at == fault.act and act != Played(seat, missed)):
            break
        if act == TakenBack(seat, missed):
            return (fault.act, at)
    return ()


def _hides(double: Double, hand: TrueHand) -> bool:
    """Whether fewer revokes are proved in a double than were in the hand."""
    return _proved(double.lines) < _proved(hand.lines)


def _proved(lines: Sequence[tuple[int, JournalLine]]) -> int:
    return sum(line["event"] == "revoke" for _, line in lines)


def fits(game: Game, hand: TrueHand, fault: Fault) -> bool:
    """Whether with this fault all that was seen fits a faultless game in which nobody revoked more than here."""
    if fault.kind == "ghost":
        return fault.alone
    swap, unseen = _swap(hand, fault), _laid_again(hand, fault)
    swaps = {} if swap is None else dict([swap])
    double = _double(game, hand, swaps, hand.arms, unseen) if swaps or unseen else None
    return double is not None and not double.revokes


def _swap(hand: TrueHand, fault: Fault) -> tuple[InTrick, Play] | None:
    """The play of a card that was misread, and what it looked like; None where it was laid more than once."""
    if fault.kind not in ("misread", "surely-misread") or fault.read is None:
        return None
    was = _once(hand, fault)
    return (was, Play(was[1].seat, card(fault.read))) if was is not None else None


def _once(hand: TrueHand, fault: Fault) -> InTrick | None:
    """The play of the card that a fault is about; None where its trick saw it more than once, or it is about none."""
    if fault.laid is None:
        return None
    was = (fault.part, Play(fault.laid.seat, fault.laid.card))
    return was if _laid(hand).count(was) == 1 else None


def _laid(hand: TrueHand) -> list[InTrick]:
    """Every card as it was laid, and as it was taken back, each with the number of its trick."""
    trick, found = 1, []
    for act in hand.acts:
        if isinstance(act, Played | TakenBack):
            found.append((trick, Play(act.seat, act.card)))
        trick += isinstance(act, TrickTaken)
    return found


def _choices(hand: TrueHand, fault: Fault) -> list[tuple[InTrick, Play]]:
    """What the card of a fault may stand as in a double: as it was, as it was read, or without a name."""
    was, swap = _once(hand, fault), _swap(hand, fault)
    if was is None:
        return []
    seat, read = was[1].seat, [swap] if swap is not None else []
    return [(was, was[1]), *read, *((was, Play(seat, UnseenCard(won))) for won in (False, True))]


def _double(
    game: Game,
    hand: TrueHand,
    swaps: Mapping[InTrick, Play],
    arms: Collection[int],
    unseen: Collection[int] = (),
) -> Double | None:
    """The hand with other cards; None where it would have been seen to be another.

    ``swaps``: of cards in their trick, what stands there instead.
    ``arms``: the tricks of which it is known who won them, as where the taker's arm was seen.
    ``unseen``: the places of acts that were not done in it.
    """
    true, other = hand.before, hand.before
    lines: list[tuple[int, JournalLine]] = []
    part, true_revokes, revokes = 0, set[tuple[str, int]](), set[tuple[str, int]]()
    for place, act in enumerate(hand.acts):
        if isinstance(act, dict):
            lines.append((part, act))
            continue
        trick = len(true.tricks) + 1
        now = {play: instead for (at, play), instead in swaps.items() if at == trick}
        there = game.apply(true, act)
        here = Step(other, ()) if place in unseen else game.apply(other, _instead(act, now))
        if isinstance(there, Refusal) or isinstance(here, Refusal):
            return None
        if isinstance(act, TrickTaken) and not _same_trick(true, other, arms):
            return None
        true, other = there.state, here.state
        true_revokes |= _revokes(there.announcements)
        revokes |= _revokes(here.announcements)
        for said in here.announcements:
            if said.event in ("hand_started", "game_over"):
                break
            lines.append((part, {"event": said.event, **_told(said)}))
            part += said.event in ("trick_taken", "bidding_over")
    return Double(lines, len(revokes - true_revokes))


def _told(said: Announcement) -> Mapping[str, Any]:
    """The fields of what is said; of a card without a name no more than that."""
    unnamed = said.fields.get("card") == "?"
    return {name: value for name, value in said.fields.items() if not unnamed or name not in ("won", "suit")}


def _revokes(said: Sequence[Announcement]) -> set[tuple[str, int]]:
    return {(one.fields["seat"], one.fields["trick"]) for one in said if one.event == "revoke"}


def _same_trick(true: State, other: State, arms: Collection[int]) -> bool:
    return len(true.tricks) + 1 not in arms or true.trick.winner == other.trick.winner


def _instead(event: Event, swaps: Mapping[Play, Play]) -> Event:
    """The event with other cards in the place of some."""
    if isinstance(event, Played | TakenBack):
        return replace(event, card=swaps.get(Play(event.seat, event.card), event).card)
    if isinstance(event, LeadsTied):
        kept = swaps.get(event.kept, event.kept) if event.kept is not None else None
        return LeadsTied(kept, tuple(swaps.get(play, play) for play in event.taken_back))
    return event
