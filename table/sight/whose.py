"""Which of the known cards a glimpse was of: by where each was then, by the hand that held it, by what was read.

Names alone tell little of a card in motion. But one picture shows a card once, a hand brings one card, and what stands
where a card's indices were read is that card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.sight.found import Found, may_be_one
from table.sight.geometry import Points
from table.sight.hands import NUMBERS as HANDS
from table.sight.hands import Carried
from table.sight.pile import SURELY_SAME
from table.sight.places import within
from table.sight.rest import at_place
from table.sight.route import Glimpse
from table.sight.tracked import CERTAIN, SURELY_READ, TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class WhoseNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    same_px: float = 40.0
    """A card on its way that is read so near to where another one is then, or better, is that one."""
    elsewhere_px: float = 80.0
    """In one hand it is another one only so far away: by one side's indices an outline is but guessed."""


NUMBERS: Final = WhoseNumbers()


def join(known: Sequence[TrackedCard], view: View, carried: Carried) -> None:
    """What was seen where one of the ``known`` cards was then was that card, whatever it was read as.

    What stood where a card's indices were read was that one, unless it was surely read. What may be read as one of
    them, and can be it, is that one rather than any that it is not like. And what was read badly as one of them, and
    may be another by whose hand it was held, is that one: a hand brings one card. Where one that is not surely read was
    surely read on its way, it is that on all of its way.
    """
    names = {card.name for card in view.pile.all}
    seen = carried.since(view.now_ns - HANDS.kept_ns)
    for one in seen:
        sure = one.found.readings[0].confidence
        at_rest = [card for card in view.pile.all if sure < SURELY_READ and card.stood_at(one.found)]
        if len(at_rest) == 1:
            carried.are_one([one], at_rest[0].name)
        elif one.name in names and sure < CERTAIN:
            held = [
                card for card in known if card.name in one.found.likely and _held(one, card, view, carried)
            ]
            if len(held) == 1:
                carried.are_one([one], held[0].name)
    for one in reversed(carried.since(view.now_ns - HANDS.kept_ns)):
        if one.name in names:
            continue
        told = [(card, was_of(one, card, view, carried)) for card in known]
        can = [card for card, same in told if same is not False]
        # (Of which one is known to have been there, none is it for its name alone of whom nobody knows where it was.)
        there = [card for card in can if _was_near(one, card, view, carried)] or can
        like = [card for card in there if card.name in one.found.likely]
        same = like or [card for card, same in told if same]
        if len(same) == 1:
            alike = [] if same[0].known else _read_alike(one, carried)
            carried.are_one([one, *alike], same[0].name)


def _read_alike(one: Glimpse, carried: Carried) -> list[Glimpse]:
    """The other glimpses of what was surely read as ``one`` was: no pack has two of it."""
    name, seen = one.found.name, carried.since(one.t_ns - HANDS.kept_ns)
    if one.found.readings[0].confidence < SURELY_READ:
        return []
    return [other for other in seen if other.found.name == other.name == name and other.t_ns != one.t_ns]


def _held(one: Glimpse, card: TrackedCard, view: View, carried: Carried) -> bool:
    """Whether a glimpse was of the hand in which, and in no other, a known ``card`` was read well on its way."""
    return one.came_with(carried.owner(card.name, view.now_ns, card.quad, CERTAIN).angle) is True


def was_of(one: Glimpse, card: TrackedCard, view: View, carried: Carried) -> bool | None:
    """Whether it was a known ``card`` that was glimpsed; None if nothing tells where that was then."""
    if card.name == one.name:
        return True
    if card.stood_at(one.found) or (one.t_ns >= card.there_ns and card.has_there(one.found)):
        return True  # (it lay there by then, whatever hand is at it now)
    route = carried.route(card.name)
    beside = route.seen_at(one.t_ns)
    if beside is not None and not may_be_one(one.found, beside):
        return _is_blurred(one.found, beside)
    hand = _of_its_hand(one, card, view, carried)
    if not card.buried and route.was_beyond(one.t_ns, one.found, card.quad):
        # (What lay there before it came was another; but what is badly read may be placed so.)
        badly_read = one.found.readings[0].confidence < SURELY_READ
        return None if beside is not None or (hand and badly_read) else False
    if beside is not None:
        return hand or None  # (a hand brings one card)
    if card.id and one.t_ns >= card.rest_ns:
        if card.known and one.found.readings[0].confidence >= SURELY_READ:
            return False  # (both surely read, and not by where this one's indices are)
        return any(within(spot, card.quad) for spot in one.found.spots)
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


def _is_blurred(one: Found, beside: Found) -> bool:
    """Whether one sighting is a corner of what was read ``beside`` it, out of place for it was read in motion."""
    apart = math.dist(one.centre, beside.centre)
    return one.readings[0].confidence < SURELY_READ and beside.name in one.likely and apart < NUMBERS.same_px


def _was_near(one: Glimpse, card: TrackedCard, view: View, carried: Carried) -> bool | None:
    """Whether a known ``card`` was then about where this was glimpsed; None if nothing tells."""
    route = carried.route(card.name)
    places = route.places_at(one.t_ns, card.quad)
    if places is None and not card.buried and route.was_beyond(one.t_ns, one.found, card.quad):
        return False
    if places is None and card.grey is not None:
        # (Another card that lies alike fits in part.)
        seen = view.history.all[view.history.position(one.t_ns)]
        fit = card.patch.fit(seen.grey)
        places = np.array([card.centre] * 2) if at_place(fit) and fit.share >= SURELY_SAME else None
    if places is None:
        soon = route.place_soon(one.t_ns, card.quad)
        return True if soon is not None and math.dist(soon, one.found.centre) < NUMBERS.same_px else None
    return _off_way(one.found.centre, places) < NUMBERS.same_px


def _off_way(at: tuple[float, float], way: Points) -> float:
    """How far a place is from the straight way between two others."""
    start, along = way[0], way[1] - way[0]
    share = float(np.clip((np.array(at) - start) @ along / max(1e-9, float(along @ along)), 0.0, 1.0))
    return float(np.hypot(*(start + share * along - at)))


def _was_elsewhere(one: Glimpse, card: TrackedCard, carried: Carried) -> bool:
    """Whether a known ``card`` was seen before and after, and far from where this was glimpsed."""
    places = carried.route(card.name).places_between(one.t_ns, card.quad)
    return places is not None and _off_way(one.found.centre, places) >= NUMBERS.elsewhere_px


def _of_its_hand(one: Glimpse, card: TrackedCard, view: View, carried: Carried) -> bool | None:
    """Whether this was glimpsed in the hand that brought a known ``card``; None where one of the two is not known."""
    theirs = carried.owner(card.name, view.now_ns, None if card.buried else card.quad).angle
    if theirs is not None:
        return one.came_with(theirs)
    # (It may have come after another one had laid the card: with one that it laid itself.)
    hand = carried.hand_at(card.name)
    if hand is None or carried.brought_by(hand) - {card.name}:
        return None
    return one.came_with(hand) or None
