"""What hands bring and take, by the paper at their finger tips.

A hand lays a card down if there was paper at its tips when it came and none when it went, and takes one if it is the
other way round. What paper looks like in this light is told by the cards that lie there. So a card is known to lie
there that fell beneath another one in the same instant, too quick or too dark to be read on its way: what it is nobody
saw, but whose it is. And what is out of sight though the hands that were at it went empty has not gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.facts import MS
from table.sight.arms import ASIDE_DEG, Arm, Votes
from table.sight.gate import Mask
from table.sight.geometry import Geometry, angle_between
from table.sight.paper import Colour, paper_of, where_paper
from table.sight.tracked import TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class BroughtNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    comes_ns: int = 700 * MS
    """A hand was on its way with a card for so long before that lay, at most."""
    tip_mm: float = 110.0
    """A card in a hand is no farther from its tip: it is 88 mm long."""
    card: float = 0.35
    """So much of a card shows, at least, between fingers (in most of the tuning set's ties from .5 to .8)."""
    takes: float = 0.2
    """A hand takes cards that goes with so much more of one than it came with (of 88 leavings .23 and more) ..."""
    nothing: float = 0.08
    """... and takes nothing with so little (having squared up 22 piles .03 and less)."""
    as_much: float = 0.7
    """A hand that goes is as much in sight as when it came if this share of what is no paper is."""


NUMBERS: Final = BroughtNumbers()


@dataclass(frozen=True, slots=True)
class _Seen:
    """A hand at one moment."""

    t_ns: int
    paper: int
    """How much paper (small pixels) is at its tip."""
    rest: int
    """How much of the arm is no paper."""
    alone: bool
    """Whether it hangs together with no other arm."""
    at_known: bool
    """Whether it touches a card that lay there before."""
    at_new: frozenset[TrackedCard]
    """Those of the cards that have just come that it touches."""


@dataclass(frozen=True, slots=True)
class Bringing:
    """A hand that brought a card and went without it."""

    angle: float
    """Where it entered the picture."""
    touched: frozenset[TrackedCard]
    """Those of the cards that came meanwhile at which it was."""


def brought(view: View) -> list[Bringing]:
    """The hands that have just brought a card each to one of those that came: those are among what they brought."""
    since_ns, came = _lately_come(view)
    paper = paper_of(view, view.pile.coming)
    if paper is None:
        return []
    least = NUMBERS.card * cv2.countNonZero(view.geometry.polygon_in_small(came[-1].quad))
    hands = []
    for angle, seen in _hands(view, since_ns, came, paper):
        if _laid(seen, least):
            hands.append(Bringing(angle, frozenset().union(*(one.at_new for one in seen))))
    return hands


def took_nothing(view: View, cards: Sequence[TrackedCard], since_ns: int) -> bool | None:
    """Whether all hands that were at what lies there went empty since then; None where that was not seen.

    ``cards``: those that surely lie there still.
    """
    known = [more for seen in _since(view, cards, since_ns) if (more := _more(seen)) is not None]
    if not known:
        return None
    whole = cv2.countNonZero(view.geometry.polygon_in_small(cards[-1].quad))
    if max(known) >= NUMBERS.takes * whole:
        return False
    return True if max(known) <= NUMBERS.nothing * whole else None


def at_work(view: View, cards: Sequence[TrackedCard], since_ns: int) -> bool:
    """Whether a hand that was at what lies there since then has not gone yet: what it takes is not known.

    ``cards``: those that surely lie there still.
    """
    return any(
        seen[-1].t_ns == view.now_ns
        and _more(seen) is None
        and any(one.at_new or one.at_known for one in seen)
        for seen in _since(view, cards, since_ns)
    )


def _since(view: View, cards: Sequence[TrackedCard], since_ns: int) -> list[list[_Seen]]:
    """How each of the hands that may have been at what lies there since then was seen; none without paper to go by."""
    paper = paper_of(view, cards)
    if paper is None:
        return []
    return [seen for _, seen in _hands(view, since_ns - NUMBERS.comes_ns, cards, paper)]


def _more(seen: Sequence[_Seen]) -> int | None:
    """With how much more paper a hand went than it came with; None where it was at no card, or was not seen to go."""
    there = [one.t_ns for one in seen if one.at_new or one.at_known]
    went = [one.paper for one in seen if there and one.alone and one.t_ns > there[-1]]
    came = [one.paper for one in seen if there and one.alone and one.t_ns < there[0]]
    return max(went) - max(came, default=0) if went else None


def cover_of_unread(view: View) -> TrackedCard | None:
    """The coming card beneath which one lies that nobody has read: more hands brought a card than cards came."""
    hands = brought(view)
    _, came = _lately_come(view)
    coming = [card for card in reversed(view.pile.coming) if card.grey is not None]
    if len(hands) <= len(came) or not coming:
        return None
    at = {card: sum(card in hand.touched for hand in hands) for card in coming}
    cover = max(coming, key=at.__getitem__)
    return cover if at[cover] > 1 else None


def _lately_come(view: View) -> tuple[int, list[TrackedCard]]:
    """Since when hands may have been on their way with the cards that come, and all that have come since."""
    since_ns = min((card.first_ns for card in view.pile.coming), default=view.now_ns) - NUMBERS.comes_ns
    return since_ns, [card for card in view.pile.all if card.first_ns >= since_ns]


def _laid(seen: Sequence[_Seen], least: float) -> bool:
    """Whether a hand came with ``least`` of paper at its tip, and went, as much in sight, without it."""
    there = [one.t_ns for one in seen if one.at_new]
    comes = [one for one in seen if one.alone and not one.at_known and one.t_ns <= there[0]] if there else []
    goes = [one for one in seen if one.alone and one.t_ns > there[-1]] if there else []
    for came in comes:
        went = [one.paper for one in goes if one.rest >= NUMBERS.as_much * came.rest]
        if went and came.paper - max(went) >= least:
            return True
    return False


def _hands(
    view: View, since_ns: int, cards: Sequence[TrackedCard], paper: Colour
) -> list[tuple[float, list[_Seen]]]:
    """The hands over the table since then: where each enters the picture, and how it was seen, in time.

    ``cards``: those that came meanwhile.
    """
    hands: list[tuple[float, list[_Seen]]] = []
    lying = [card.quad for card in view.pile.lying if card not in cards]
    known = [Votes(view.geometry, quad) for quad in lying]
    new = {card: Votes(view.geometry, card.quad) for card in cards}
    for moment in view.history.span(since_ns, view.now_ns + 1):
        there = [card.quad for card in cards if card.first_ns <= moment.t_ns]
        white = where_paper(moment.small, paper)
        for arm in view.watch.at(moment.small, [*lying, *there]):
            one = _Seen(
                moment.t_ns,
                _at_tip(arm, white, view.geometry),
                cv2.countNonZero(cv2.bitwise_and(arm.mask, cv2.bitwise_not(white))),
                len(arm.angles) == 1,
                any(votes.contact(arm) for votes in known),
                frozenset(card for card, votes in new.items() if votes.contact(arm)),
            )
            for angle in arm.angles:
                near = [seen for other, seen in hands if angle_between(angle, other) < ASIDE_DEG]
                if near:
                    near[0].append(one)
                else:
                    hands.append((angle, [one]))
    return hands


def _at_tip(arm: Arm, white: Mask, geometry: Geometry) -> int:
    """How many small pixels of paper are at an arm's tip."""
    if arm.tip is None:
        return 0
    places = geometry.small_places.take(np.flatnonzero(cv2.bitwise_and(arm.mask, white)), axis=0)
    return int(np.count_nonzero(np.hypot(*(places - arm.tip).T) < NUMBERS.tip_mm))
