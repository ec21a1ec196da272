"""Cards that nobody sees lie: they came, and another card fell squarely upon them in the same instant.

Their hands have gone without them, so they lie there. What is left of such a card is what was read of it on its way.
Each way on which something was read that is none of the known cards (`ways`, `whose`) ends beneath those that came.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np

from table.sight.backdrop import covered
from table.sight.geometry import Points, polygon
from table.sight.hands import Carried
from table.sight.places import INDEX_PX, index_off, middle
from table.sight.rest import Mask
from table.sight.route import NUMBERS as ROUTE
from table.sight.route import Glimpse
from table.sight.tracked import TrackedCard
from table.sight.view import View
from table.sight.ways import ways_of_others
from table.sight.whose import join


@dataclass(frozen=True, slots=True)
class BuriedNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    thrown: float = 10.0
    """How much, in nats, must speak for a card that is none of those that are known where no more hands were over the
    mark than cards have come: more than a corner or two, surely misread once or twice as a card flies by ("tied, like
    colours:7647" on green cloth: 8; with each of 35 true cards of the tuning set there was a hand more); ..."""
    enough: float = 4.5
    """... where one more was: more than one corner that was surely read once (of 160 scenes of the tuning set that were
    once wrong none needs that little); ..."""
    hand_free: float = 2.0
    """... and where it may have come with that one, of which no card is known."""
    hidden: float = 0.6
    """A card of whose place so much is covered lies there; it came to where it is covered most."""
    comes_px: float = 220.0
    """From so far away a card that was seen to come nearer came to lie."""
    step_px: float = 4.0
    """By so much at a time a card that was seen last on its way is taken on."""


NUMBERS: Final = BuriedNumbers()

_WayIn = tuple[Sequence[Glimpse], Points]
"""The glimpses of a card that came, and where it lies: an outline in mark pixels."""


def find_buried(view: View, carried: Carried, hands: Sequence[float], left: int) -> list[TrackedCard]:
    """Cards that were read on their way, and can but lie beneath those that have just come; none is known yet.

    Of a card that does lie there a corner may be in sight that can't be read well: it is given what was read of it on
    its way.

    Args:
        hands: where those enter the picture, if more were over the mark than cards have come, that laid none of them:
            one of those has brought another.
        left: how many more they were.
    """
    upon = [card for card in view.pile.coming if card.grey is not None]
    if not upon:
        return []
    over = covered(upon)
    badly_read = [card for card in upon if card.readings and not card.known]
    known = [card for card in view.pile.all if card not in badly_read]
    join(known, view, carried)
    if badly_read:
        told = ways_of_others(known, view, carried, NUMBERS.hand_free)
        ends = [(way, _end(way, over, upon, carried.looked_ns)) for way, _ in told]
        came: list[_WayIn] = [(way, end) for way, end in ends if end is not None]
        while came and (best := _which_came(badly_read, came)) is not None:
            card, way_in = best
            badly_read.remove(card)
            came.remove(way_in)
            _name(card, *way_in, view)
            carried.are_one(way_in[0], card.name)
    found: list[TrackedCard] = []
    free = list(hands)
    while True:  # (what is known of each tells of the next)
        another = len(found) < left
        free = free if another else []  # (of several hands any may have brought it, but not one card each)
        enough = NUMBERS.enough if another else NUMBERS.thrown
        ways = ways_of_others([*view.pile.all, *found], view, carried, NUMBERS.hand_free if free else enough)
        lie = [
            (way, end)
            for way, told in ways
            if (told >= enough or _hand_of(way, free))
            and (end := _end(way, over, upon, carried.looked_ns)) is not None
        ]
        if not lie:
            return found
        way, end = lie[0]
        for hand in _hand_of(way, free)[:1]:  # (it brings one card)
            free.remove(hand)
        found.append(_card(way, end, view))
        carried.are_one(way, found[-1].name)


def _hand_of(way: Sequence[Glimpse], hands: Sequence[float]) -> list[float]:
    """Those of the ``hands`` with which a card may have come that way: any, where its own was not told from others."""
    told = {hand: [one.came_with(hand) for one in way] for hand in hands}
    return [hand for hand, with_it in told.items() if any(with_it) or all(one is None for one in with_it)]


def _name(card: TrackedCard, way: Sequence[Glimpse], end: Points, view: View) -> None:
    """A card that lies there, badly read, came that ``way`` and lies at its ``end``."""
    sure = card.combined()[0].confidence
    for one in way:
        if one.found.readings[0].confidence > sure:
            card.read(one.found.readings)
    last = way[-1].found
    if len(last.spots) > card.corners:
        card.seen = last
        view.place(card, end)


def _which_came(cards: Sequence[TrackedCard], ways: Sequence[_WayIn]) -> tuple[TrackedCard, _WayIn] | None:
    """Which of the ``cards``, all badly read, came on which of the ``ways`` (each with its end), if one did.

    The one at whose end it is rather than one of a name that it may have; of several at that, one of such a name, and
    the one at whose end its indices stand best.
    """
    told = []
    for card, (way, end) in product(cards, ways):
        off = max(index_off(end, spot) for spot in card.seen.spots) if card.seen is not None else math.inf
        names = {one.name for one in way}
        alike = 2 * (card.name in names) + bool(names.intersection(card.thoughts))
        if off < INDEX_PX or alike:
            told.append((off >= INDEX_PX, -alike, off, card, (way, end)))
    return min(told, key=lambda one: one[:3])[3:] if told else None


def _end(way: Sequence[Glimpse], over: Mask, upon: Sequence[TrackedCard], looked_ns: int) -> Points | None:
    """Where a card that came that way lies, hidden by cards that cover ``over``; None where it does not.

    What the newest picture that was looked at, of ``looked_ns``, shows on its way is not at its end yet.
    """
    if way[-1].t_ns >= looked_ns:
        return None
    quad = way[-1].found.quad
    if _hidden(quad, over) >= NUMBERS.hidden:
        return quad
    before = next((one for one in reversed(way) if one.t_ns < way[-1].t_ns), None)
    if before is None:
        return None
    here, past = np.array(way[-1].found.centre), np.array(before.found.centre)
    target = min((np.array(card.centre) for card in upon), key=lambda at: float(np.hypot(*(at - here))))
    far = float(np.hypot(*(target - here)))
    if far > NUMBERS.comes_px or far > float(np.hypot(*(target - past))) - NUMBERS.step_px:
        return None
    ends = ((_hidden(end, over), end) for end in _onward(quad, target - here, far))
    hidden, end = max(ends, key=lambda one: one[0], default=(0.0, quad))
    return end if hidden >= NUMBERS.hidden else None


def _lay_ns(way: Sequence[Glimpse], end: Points) -> int:
    """Since when a card that came that way lies: its hand slowed down evenly until it lay, or it was seen to lie."""
    off = [math.dist(one.found.centre, middle(end)) for one in way]
    lies = next((k for k, far in enumerate(off) if far < ROUTE.there_px), len(way))
    seen_ns = way[min(lies, len(way) - 1)].t_ns
    if lies < 2 or way[lies - 1].t_ns == way[lies - 2].t_ns:
        return seen_ns
    strode = math.dist(way[lies - 1].found.centre, way[lies - 2].found.centre)
    passed_ns = way[lies - 1].t_ns - way[lies - 2].t_ns
    comes_ns = way[lies - 1].t_ns + round(2 * off[lies - 1] / max(1.0, strode) * passed_ns)
    return min(comes_ns, seen_ns) if lies < len(way) else way[-1].t_ns


def _onward(quad: Points, way: Points, far: float) -> Iterator[Points]:
    """The outline, taken on that way, step by step."""
    for step in np.arange(NUMBERS.step_px, far + NUMBERS.step_px, NUMBERS.step_px):
        yield quad + way * min(1.0, float(step) / far)


def _hidden(quad: Points, over: Mask) -> float:
    """The share of a card's place that others cover."""
    place = polygon(quad)
    return float(np.count_nonzero(place & over) / np.count_nonzero(place))


def _card(way: Sequence[Glimpse], end: Points, view: View) -> TrackedCard:
    """The card, with the look that it had when it was seen last."""
    one = max((one for one in way), key=lambda one: (len(one.found.spots), one.t_ns))
    card = TrackedCard(end, _lay_ns(way, end), without=view.without(), buried=True)
    for glimpse in way:
        card.read(glimpse.found.readings)
    seen = view.history.all[view.history.position(one.t_ns)]
    hand = view.watch.mask(view.watch.at(seen.small, [one.found.quad]))
    onto = cv2.getAffineTransform(one.found.quad[:3].astype(np.float32), end[:3].astype(np.float32))
    size = (seen.grey.shape[1], seen.grey.shape[0])
    look = np.asarray(cv2.warpAffine(seen.grey, onto, size), dtype=np.uint8)
    own = np.asarray(polygon(one.found.quad) & ~hand, dtype=np.uint8)
    mask = np.asarray(cv2.warpAffine(own, onto, size, flags=cv2.INTER_NEAREST), dtype=np.uint8)
    card.settle(look, mask & card.polygon, one.t_ns)
    return card
