"""Departures: which cards have left the mark, since when, and by whose arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from table.facts import MS, CardGone
from table.sight.arms import Direction
from table.sight.backdrop import covered
from table.sight.bared import Bared
from table.sight.order import overlapping
from table.sight.rest import last_at_rest
from table.sight.squared import left_behind, tuck
from table.sight.tracked import TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class LeavingNumbers:
    """The numbers of this module."""

    wait_ns: int = 1500 * MS
    """A card whose place is bare is given up after this even though something still moves over the mark."""
    together_ns: int = 333 * MS
    """Cards that leave within so long are taken by one hand."""
    clears_ns: int = 110 * MS
    """A card that is taken clears its place in so long, give or take half of it (on 200 leavings of the tuning set)."""
    bare: float = 0.6
    """A place of which so much shows what lay beneath is clear."""
    touched_ns: tuple[int, int] = (200 * MS, 133 * MS)
    """The hand that takes a card is at it from so long before it moves until so long after."""


NUMBERS: Final = LeavingNumbers()


@dataclass(frozen=True, slots=True)
class _Departure:
    card: TrackedCard
    at: int
    """The position, in the recent moments, of the first one without it."""
    hand: Direction


class Leaver:
    """Decides which cards have gone, and tells of them."""

    def __init__(self, view: View) -> None:
        self._view = view

    def waited(self, cards: Sequence[TrackedCard]) -> bool:
        """Whether the places of ``cards`` have been bare for long enough, whatever moves over them."""
        since = [card.leaving_ns for card in cards if card.leaving_ns is not None]
        return bool(since) and self._view.now_ns - min(since) > NUMBERS.wait_ns

    def give_up(self, cards: Sequence[TrackedCard], until_ns: int) -> list[CardGone]:
        """The cards have left the mark; nothing is stamped before ``until_ns``."""
        view = self._view
        tucked = tuck(view, cards)
        cards = [card for card in cards if card not in tucked]
        if not cards:
            return []
        beneath = left_behind(view, cards)
        moments = view.history.all
        times = self._with_what_lay_upon(cards, [self._left_at(card) for card in cards])
        left = [_Departure(card, at, self._hand(card, at)) for card, at in zip(cards, times, strict=True)]
        left += [replace(one, card=card) for card in beneath for one in left if one.card is card.cover]
        for card in cards:
            if card.without is None:  # what it lay upon is seen for the first time
                view.backdrop.uncover(view.now, card)
        cards += beneath
        empty = len(cards) == len(view.pile.lying)
        facts = []
        for one in left:
            # What leaves together is taken by one hand, which touches some of it: of the times at which each card
            # seems to have left the middling one is nearest.
            at_ns = moments[one.at].t_ns
            together = [other for other in left if abs(moments[other.at].t_ns - at_ns) <= NUMBERS.together_ns]
            hand = max([one.hand, *(other.hand for other in together)], key=lambda hand: hand.sure)
            first = moments[sorted(other.at for other in together)[len(together) // 2]]
            t_ns = max(first.t_ns, until_ns, one.card.rest_ns)
            facts.append(CardGone(t_ns, one.card.id, hand.angle, empty))
        view.pile.lying = [card for card in view.pile.lying if card not in cards]
        return facts

    def _hand(self, card: TrackedCard, at: int) -> Direction:
        """Which way the hand came from that took a card at that position of the recent moments."""
        view = self._view
        others = [other.quad for other in view.pile.all if other is not card]
        before_ns, after_ns = NUMBERS.touched_ns
        at_ns = view.history.all[at].t_ns
        return view.watch.direction(card.quad, others, view.history.span(at_ns - before_ns, at_ns + after_ns))

    def _left_at(self, card: TrackedCard) -> int | None:
        """The position, in the recent moments, of the first one without a card; None where none tells.

        What little is in sight of a card beneath another one may look alike to the end, though the card has gone.
        """
        if card.grey is None:
            return None
        moments = self._view.history.all
        seen = last_at_rest(card.patch, self._view.history.greys) + 1
        clear_ns = self._clear_ns(card)
        if not clear_ns:
            return seen if seen < len(moments) else None
        # A hand may have hidden it long before it took it: then it left shortly before its place was clear.
        at = self._view.history.position(clear_ns - NUMBERS.clears_ns)
        return max(at, seen) if seen < len(moments) and moments[seen].t_ns <= clear_ns else at

    def _clear_ns(self, card: TrackedCard) -> int:
        """Since when a card's place has shown what lay beneath; 0 where it doesn't."""
        if card.without is None:
            return 0
        view = self._view
        beneath = view.without()
        stay = [one for one in view.pile.lying if one.leaving_ns is None]
        others, upon = covered(stay), covered([one for one in stay if one in view.pile.above(card)])
        upon |= view.pile.unknown(view.pile.leaving)  # (what lay beneath it there nobody has seen)
        clear: list[tuple[int, Bared]] = []
        for moment in reversed(view.history.all):
            hidden = view.geometry.to_mark(view.backdrop.foreground(moment.small)) & ~others
            place = Bared(card, moment.grey, beneath, ~(hidden | upon), upon)
            if place.judged * place.share < NUMBERS.bare:
                break
            clear.append((moment.t_ns, place))
        # (In grey a hand may look like what lies beneath: then the one that took the card was there first.)
        if clear and clear[-1][1].by_hand():
            clear = list(takewhile(lambda at: not at[1].by_hand(), clear))
        return clear[-1][0] if clear else 0

    def _with_what_lay_upon(self, cards: Sequence[TrackedCard], seen: Sequence[int | None]) -> list[int]:
        """When each of the cards left, by when it was ``seen`` to, if it was.

        What lies beneath is out of sight, not gone, until something upon it has been taken away. What no picture tells
        of went with that, or else with the others.
        """
        known = sorted(at for at in seen if at is not None)
        middling = known[len(known) // 2] if known else len(self._view.history) - 1
        left: list[int] = []
        for k in reversed(range(len(cards))):
            above = zip(cards[k + 1 :], reversed(left), strict=True)
            upon = [at for card, at in above if overlapping(card, cards[k])]
            at = seen[k]
            left.append(min(upon, default=middling) if at is None else max(at, min(upon, default=at)))
        return left[::-1]
