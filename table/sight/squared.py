"""Cards that a hand has pushed beneath another one: they are seen no more, and have not gone.

When a pile is squared up, what lies beneath its topmost card is hidden from one moment to the next, as if it had been
taken. But the hand went empty: it lies beneath a card that lay upon it before, or that was moved then. Where nobody saw
how the hand went, one of two things tells that nothing was taken: that card was moved together with another one, or
around its edge something shows that is neither it nor the bare mark, for nobody squares a pile to a hair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from table.facts import MS
from table.sight.backdrop import covered
from table.sight.brought import at_work, brought, took_nothing
from table.sight.geometry import PX_PER_MM
from table.sight.order import overlapping
from table.sight.places import overlap, roughly_at, same_place
from table.sight.recent import far_from
from table.sight.tracked import TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class Squaring:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    together_ns: int = 1000 * MS
    """One hand pushes cards together within so long."""
    edge_mm: tuple[float, float] = (1.3, 3.8)
    """What lies beneath a card shows at its edge from so far out (its outline is known so well) to so far."""
    shows: float = 0.1
    """Something does where so much of that edge is not bare (piles: 0.15 to 0.5, single cards: to 0.05)."""
    pushed: float = 0.4
    """Two cards were pushed together where they have so much more of a card in common than when they were laid."""


NUMBERS: Final = Squaring()


def tuck(view: View, missing: Sequence[TrackedCard]) -> list[TrackedCard]:
    """Of the cards whose places are ``missing`` them those that lie squarely beneath another now; so they are noted."""
    staying = [one for one in view.pile.lying if one not in missing and one.cover is None]
    covers = {card: _covers(view, card, staying) for card in missing}
    of_any = list(dict.fromkeys(chain(*covers.values())))
    if not of_any:
        return []
    empty = took_nothing(view, staying, _vanished_ns(view, missing))
    told = of_any if empty else [] if empty is False else _seen_to_cover(view, of_any, missing)
    tucked = []
    for card in missing:
        # (A hand that went empty has left it there, though nobody knew which of them lay upon the other.)
        above = view.pile.above(card)
        cover = next((one for one in covers[card] if one in told and (empty or one in above)), None)
        if cover is not None:
            card.tuck(cover)
            tucked.append(card)
    return tucked


def _covers(view: View, card: TrackedCard, staying: Sequence[TrackedCard]) -> list[TrackedCard]:
    """What may lie upon a card that has vanished: of those that lay upon it before first what was moved then, or others
    that were.
    """
    above = [one for one in view.pile.above(card) if one in staying]
    moved = [one for one in staying if _at_once(one, card)]
    return (
        [one for one in above if one in moved]
        + [one for one in above if one not in moved and overlapping(one, card)]
        + [one for one in moved if one not in above]
    )


def _seen_to_cover(
    view: View, covers: Sequence[TrackedCard], missing: Sequence[TrackedCard]
) -> list[TrackedCard]:
    """Those of the ``covers`` beneath which some of the ``missing`` lie now, by what is seen of them."""
    moved = [one for one in covers if any(_at_once(one, card) for card in missing)]
    return [
        one
        for one in moved
        if _pushed_together(one, moved) or _edge_shows(view, one, missing) >= NUMBERS.shows
    ]


def may_be(card: TrackedCard, cards: Sequence[TrackedCard]) -> TrackedCard | None:
    """The one of the ``cards`` that a ``card`` that comes may be, by what both were read as.

    There is but one of each name. And where cards are pushed together a corner of one may come to view elsewhere: it is
    read otherwise, but not without a thought of the name that it has.
    """
    names = [card.name] if card.sure else [reading.card for reading in card.combined()]
    named = min(
        (one for one in cards if one.name in names), key=lambda one: names.index(one.name), default=None
    )
    return named or next((one for one in cards if card.name in one.thoughts), None)


def may_be_pushed(view: View, card: TrackedCard, *, doubts: bool) -> bool:
    """Whether a ``card`` that comes may turn out to be one that lies there, once the hand that pushes it has gone.

    By what both were read as; and any, where cards have vanished: it may be their topmost.

    ``doubts``: whether it is not known yet of all that lie there whether they do.
    """
    pile = view.pile
    if (view.active or doubts) and not card.sure and may_be(card, pile.lying) is not None:
        return True
    return bool(pile.leaving) and at_work(view, [card], _vanished_ns(view, pile.leaving))


def brought_to_light(view: View, card: TrackedCard) -> bool:
    """Whether a ``card`` that comes, and lies at rest, is one that lay there: a hand pushed it to where it is now.

    If it is certain what it is read as, one that has vanished and that it may be; or one that lies all but there still,
    if both were surely read: it was but outlined otherwise. Whatever it is read as, where hands took nothing and
    brought nothing, it is the topmost of those that have vanished.
    """
    lying = view.pile.lying
    vanished = [one for one in lying if one.cover is not None or one.leaving_ns is not None]
    same = may_be(card, vanished) if card.certain else None
    if same is None and card.sure:
        named = (one for one in lying if one.sure and one.name == card.name)
        same = next((one for one in named if roughly_at(one.quad, card.quad)), None)
    if same is None and vanished:
        took = not took_nothing(view, [card], _vanished_ns(view, vanished))
        same = None if took or brought(view) else vanished[-1]
    if same is None:
        return False
    view.pile.coming.remove(card)
    same.leaving_ns, same.moved_ns = None, view.now_ns
    same.box, same.indices, same.seen = card.box, card.indices, card.seen
    view.place(same, card.quad)
    return True


def _vanished_ns(view: View, cards: Sequence[TrackedCard]) -> int:
    """Since when the first of the ``cards`` that are not seen any more has not been."""
    return min(card.leaving_ns or view.now_ns for card in cards)


def left_behind(view: View, gone: Sequence[TrackedCard]) -> list[TrackedCard]:
    """What was pushed beneath cards that have ``gone``, and went with them; what shows there now covers the rest."""
    taken = []
    for card in view.pile.lying:
        if card.cover in gone and card not in gone:
            bare = [one for one in view.pile.above(card) if one not in gone and one.cover is None]
            cover = next((one for one in bare if same_place(one.quad, card.quad)), None)
            if cover is None:
                taken.append(card)
            else:
                card.tuck(cover)
    return taken


def _at_once(cover: TrackedCard, card: TrackedCard) -> bool:
    """Whether ``cover`` was moved when ``card`` vanished."""
    if cover.moved_ns is None or card.leaving_ns is None:
        return False
    return abs(cover.moved_ns - card.leaving_ns) <= NUMBERS.together_ns


def _pushed_together(card: TrackedCard, others: Sequence[TrackedCard]) -> bool:
    """Whether a hand that moved a card and ``others`` pushed it and one of those upon one another."""
    least = NUMBERS.pushed * overlap(card.quad, card.quad)
    return any(_in_common(one, card) >= least for one in others if one is not card)


def _in_common(one: TrackedCard, other: TrackedCard) -> float:
    """How much more two cards overlap than when they were laid, mark pixels squared."""
    if one.laid is None or other.laid is None:
        return 0.0
    return overlap(one.quad, other.quad) - overlap(one.laid, other.laid)


def _edge_shows(view: View, cover: TrackedCard, missing: Sequence[TrackedCard]) -> float:
    """The share of a card's near surroundings, as far as they are in sight, that is no bare mark."""
    inner, outer = (round(mm * PX_PER_MM) for mm in NUMBERS.edge_mm)
    others = [one for one in view.pile.all if one is not cover and one not in missing and one.cover is None]
    hidden = covered([cover], inner) | covered(others, inner) | view.arm_mask()
    edge = covered([cover], outer) & ~hidden
    strange = far_from(view.now.mark, view.backdrop.mark) & edge
    return int(np.count_nonzero(strange)) / max(1, int(np.count_nonzero(edge)))
