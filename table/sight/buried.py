"""Cards that nobody sees lie: they came, and another card fell squarely upon them in the same instant.

Their hands have gone without them, so they lie there. What is left of such a card is what was read of it on its way.
That counts for another card as far as none of those that are known to lie there can have been read so: it was
elsewhere at that time, or with another hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.facts import MS
from table.sight.arms import ASIDE_DEG
from table.sight.backdrop import covered
from table.sight.found import may_be_one
from table.sight.geometry import Points, angle_between, polygon
from table.sight.hands import NUMBERS as HANDS
from table.sight.hands import Carried, Glimpse
from table.sight.pile import SURELY_SAME
from table.sight.places import all_at, has_index_at, middle, turned_by, within
from table.sight.rest import Mask, at_place
from table.sight.tracked import CERTAIN, SURELY_READ, TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class BuriedNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    enough: float = 4.0
    """How much, in nats, must speak for a card that is none of those that are known ..."""
    hands_left: float = 2.0
    """... and how much where more hands were over the mark than cards have come: ..."""
    told: tuple[tuple[float, float], ...] = ((SURELY_READ, 4.0), (CERTAIN, 2.0), (0.0, 0.7))
    """... each look at what is none of them, by how surely that read anything, ..."""
    corner: float = 2.0
    """... each further corner that was read alike in one look, ..."""
    name: float = 0.55
    """... and of what may have been one of them the name alone: so much of the odds against its being wrong."""
    hidden: float = 0.6
    """A card of whose place so much is covered lies there; it came to where it is covered most."""
    same_px: float = 40.0
    """A card on its way that is read so near to where another one is then, or better, is that one."""
    elsewhere_px: float = 80.0
    """In one hand it is another one only so far away: by one side's indices an outline is but guessed."""
    strides_px: float = 3.5
    """A card goes no farther in a millisecond: 2.2 metres a second."""
    turned_deg: float = 25.0
    """It is seen turned by so little when it was not, ..."""
    turns_deg: float = 0.3
    """... and turns no more in a millisecond."""
    comes_px: float = 220.0
    """From so far away a card that was seen to come nearer came to lie."""
    step_px: float = 4.0
    """By so much at a time a card that was seen last on its way is taken on."""


NUMBERS: Final = BuriedNumbers()


def find_buried(view: View, carried: Carried, hands_left: int) -> list[TrackedCard]:
    """Cards that were read on their way, and can but lie beneath those that have just come; none is known yet.

    Of a card that does lie there a corner may be in sight that can't be read well: it is given what was read of it on
    its way.

    ``hands_left``: how many more hands were over the mark than cards have come: each has brought one.
    """
    upon = [card for card in view.pile.coming if card.grey is not None]
    if not upon:
        return []
    over = covered(upon)
    badly_read = [card for card in upon if card.readings and not card.known]
    known = [card for card in view.pile.all if card not in badly_read]
    _join(known, view, carried)
    if badly_read:
        for way in _ways_of_others(known, view, carried, NUMBERS.hands_left):
            end = _end(way, over, upon)
            card = next((card for card in badly_read if end is not None and _came_so(card, way, end)), None)
            if card is not None and end is not None:
                badly_read.remove(card)
                _name(card, way, end, view)
                carried.are_one(way, card.name)
    found: list[TrackedCard] = []
    while True:  # (what is known of each tells of the next)
        enough = NUMBERS.hands_left if hands_left > len(found) else NUMBERS.enough
        ways = _ways_of_others([*view.pile.all, *found], view, carried, enough)
        lie = [(way, end) for way in ways if (end := _end(way, over, upon)) is not None]
        if not lie:
            return found
        way, end = lie[0]
        found.append(_card(way, end, view))
        carried.are_one(way, found[-1].name)


def _ways_of_others(
    cards: Sequence[TrackedCard], view: View, carried: Carried, enough: float
) -> list[list[Glimpse]]:
    """The ways of what was read and is none of the ``cards``, if ``enough`` (nats) tells of that; the surest first."""
    glimpses = carried.since(view.now_ns - HANDS.kept_ns)
    seen = [_Seen(one, *_tells(one, cards, view, carried)) for one in glimpses]
    ways = sorted(_ways([one for one in seen if one.strange or one.named]), key=_told, reverse=True)
    return [[one.glimpse for one in way] for way in ways if _told(way) >= enough]


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


def _came_so(card: TrackedCard, way: Sequence[Glimpse], end: Points) -> bool:
    """Whether a card that lies there, badly read, is the one that came that way: by its name, or by its place."""
    seen = card.seen.spots if card.seen else ()
    named = any(card.name == one.name for one in way)
    return named or (bool(seen) and all(has_index_at(end, spot) for spot in seen))


def _join(known: Sequence[TrackedCard], view: View, carried: Carried) -> None:
    """What was seen where one of the ``known`` cards was then was that card, whatever it was read as.

    What may be read as one of them, and can be it, is that one rather than any that it is not like. And what was read
    badly as one of them, and may be another by whose hand it was held, is that one: a hand brings one card.
    """
    names = {card.name for card in view.pile.all}
    seen = carried.since(view.now_ns - HANDS.kept_ns)
    for one in seen:
        if one.name in names and one.found.readings[0].confidence < CERTAIN:
            held = [
                card for card in known if card.name in one.found.likely and _held(one, card, view, carried)
            ]
            if len(held) == 1:
                carried.are_one([one], held[0].name)
    for one in reversed(seen):
        if one.name in names:
            continue
        told = [(card, _is(one, card, view, carried)) for card in known]
        can = [card for card, same in told if same is not False]
        # (Of which one is known to have been there, none is it for its name alone of whom nobody knows where it was.)
        there = [card for card in can if _was_near(one, card, view, carried)] or can
        like = [card for card in there if card.name in one.found.likely]
        same = like or [card for card, same in told if same]
        if len(same) == 1:
            carried.are_one([one], same[0].name)


def _held(one: Glimpse, card: TrackedCard, view: View, carried: Carried) -> bool:
    """Whether a glimpse was of the hand in which, and in no other, a known ``card`` was read well on its way."""
    return _came_from(one, carried.owner(card.name, view.now_ns, card.quad, CERTAIN).angle) is True


@dataclass(frozen=True, slots=True)
class _Seen:
    """A glimpse, and how much it speaks (nats) for another card than those that are known."""

    glimpse: Glimpse
    strange: float
    """As none of them was there, ..."""
    named: float
    """... or by what it was read as alone."""


def _told(way: Sequence[_Seen]) -> float:
    """How much a way speaks (nats) for another card.

    Several looks at a card on its way misread it alike: names, unlike places, tell no more for being many.
    """
    return sum(one.strange for one in way) + max(one.named for one in way)


def _tells(one: Glimpse, cards: Sequence[TrackedCard], view: View, carried: Carried) -> tuple[float, float]:
    """How much a glimpse tells, beside the ``cards`` that are known, as what is in ``_Seen``."""
    sure = one.found.readings[0].confidence
    known = [_is(one, card, view, carried) for card in cards]
    if any(known):
        return 0.0, 0.0
    if None in known:
        return 0.0, -NUMBERS.name * math.log(1.005 - sure)
    told = next(nats for least, nats in NUMBERS.told if sure >= least)
    return told + NUMBERS.corner * (len(one.found.spots) - 1) * (sure >= SURELY_READ), 0.0


def _ways(glimpses: Sequence[_Seen]) -> list[list[_Seen]]:
    """The ways of single cards: glimpses, one after another, each so near to the last as a hand may be.

    One picture shows each card once.
    """
    ways: list[list[_Seen]] = []
    for one in glimpses:
        here = one.glimpse
        off = {}
        for number, last in enumerate(way[-1].glimpse for way in ways):
            far = math.dist(here.found.centre, last.found.centre)
            passed_ms = (here.t_ns - last.t_ns) / MS
            turned = turned_by(here.found.quad, last.found.quad)
            reach = far <= NUMBERS.same_px + NUMBERS.strides_px * passed_ms
            turns = turned <= NUMBERS.turned_deg + NUMBERS.turns_deg * passed_ms
            if passed_ms > 0 and reach and turns:
                off[number] = far
        if off:
            ways[min(off, key=off.__getitem__)].append(one)
        else:
            ways.append([one])
    return ways


def _is(one: Glimpse, card: TrackedCard, view: View, carried: Carried) -> bool | None:
    """Whether it was a known ``card`` that was glimpsed; None if nothing tells where that was then."""
    if card.name == one.name:
        return True
    beside = carried.seen_at(card.name, one.t_ns)
    if beside is not None and not may_be_one(one.found, beside):
        return False
    hand = _of_its_hand(one, card, carried, view.now_ns)
    if beside is not None:
        return hand or None  # (a hand brings one card)
    if card.id and one.t_ns >= card.rest_ns:
        return any(within(spot, card.quad) for spot in one.found.spots)
    if one.t_ns >= card.first_ns and all_at(one.found.spots, card.indices, HANDS.still_px):
        return True  # (it lay there by then, whatever hand is at it now)
    if card.name in carried.beside(one.name):
        return False
    if hand:
        return not _was_elsewhere(one, card, carried)
    near = _was_near(one, card, view, carried)
    if near and card.name in one.found.likely:
        return True  # (hands that cross are told apart less surely)
    if hand is False:
        return None if near else False
    return None if near and one.found.readings[0].confidence >= SURELY_READ else near


def _was_near(one: Glimpse, card: TrackedCard, view: View, carried: Carried) -> bool | None:
    """Whether a known ``card`` was then about where this was glimpsed; None if nothing tells."""
    places = carried.places_at(card.name, one.t_ns, card.quad)
    if places is None and not card.buried and carried.was_beyond(card.name, one.t_ns, one.found, card.quad):
        return False
    if places is None and card.grey is not None:
        # (Another card that lies alike fits in part.)
        seen = view.history.all[view.history.position(one.t_ns)]
        fit = card.patch.fit(seen.grey)
        places = np.array([card.centre] * 2) if at_place(fit) and fit.share >= SURELY_SAME else None
    if places is None:
        soon = carried.place_soon(card.name, one.t_ns, card.quad)
        return True if soon is not None and math.dist(soon, one.found.centre) < NUMBERS.same_px else None
    return _off_way(one.found.centre, places) < NUMBERS.same_px


def _off_way(at: tuple[float, float], way: Points) -> float:
    """How far a place is from the straight way between two others."""
    start, along = way[0], way[1] - way[0]
    share = float(np.clip((np.array(at) - start) @ along / max(1e-9, float(along @ along)), 0.0, 1.0))
    return float(np.hypot(*(start + share * along - at)))


def _was_elsewhere(one: Glimpse, card: TrackedCard, carried: Carried) -> bool:
    """Whether a known ``card`` was seen before and after, and far from where this was glimpsed."""
    places = carried.places_between(card.name, one.t_ns, card.quad)
    return places is not None and _off_way(one.found.centre, places) >= NUMBERS.elsewhere_px


def _of_its_hand(one: Glimpse, card: TrackedCard, carried: Carried, now_ns: int) -> bool | None:
    """Whether this was glimpsed in the hand that brought a known ``card``; None where one of the two is not known."""
    theirs = carried.owner(card.name, now_ns, None if card.buried else card.quad).angle
    if theirs is not None:
        return _came_from(one, theirs)
    # (It may have come after another one had laid the card.)
    return _came_from(one, carried.hand_at(card.name)) or None


def _came_from(one: Glimpse, hand_deg: float | None) -> bool | None:
    """Whether this was glimpsed in the hand that came from there; None where one of the two is not known."""
    if hand_deg is None or len(one.entries) != 1:
        return None
    return angle_between(one.entries[0], hand_deg) < ASIDE_DEG


def _end(way: Sequence[Glimpse], over: Mask, upon: Sequence[TrackedCard]) -> Points | None:
    """Where a card that came that way lies, hidden by cards that cover ``over``; None where it does not."""
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
    lies = next((k for k, far in enumerate(off) if far < HANDS.there_px), len(way))
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
