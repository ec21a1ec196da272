"""The route of one card: where it was seen on its way to the mark, and where it must have been between."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.facts import MS
from table.sight.arms import ASIDE_DEG
from table.sight.found import Found
from table.sight.geometry import PX_PER_MM, Points, angle_between
from table.sight.places import index_off, middle, one_spot
from table.sight.tracked import STILL_PX, SURELY_READ


@dataclass(frozen=True, slots=True)
class RouteNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    there_px: float = 16.0
    """So near to its place a card may lie already."""
    back_mm: float = 10.0
    """A card does not go back by more than this on its way."""
    backwards_ns: int = 100 * MS
    """From how it went on for no longer it is known where a card was so long before: ..."""
    slower: float = 4.0
    """... a hand slows down, by so much at most."""


NUMBERS: Final = RouteNumbers()


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card seen on its way."""

    t_ns: int
    found: Found
    entries: tuple[float, ...]
    """Where the arms that it hangs together with enter the picture."""
    place: tuple[float, float]
    """Its centre on the table, mm."""
    name: str
    """Which card it was: what it was read as, unless its way tells better."""
    told: bool = False
    """Whether that card has been told of since: it brought that one, whatever that is read as later on."""

    def came_with(self, hand_deg: float | None) -> bool | None:
        """Whether this was seen in the hand that enters the picture there; None where one of the two is not known."""
        if hand_deg is None or len(self.entries) != 1:
            return None
        return angle_between(self.entries[0], hand_deg) < ASIDE_DEG


@dataclass(frozen=True, slots=True)
class Route:
    """The glimpses of one card, in time. Where it came to lie is its ``end``, an outline in mark pixels."""

    seen: Sequence[Glimpse]

    def places_at(self, t_ns: int, end: Points) -> Points | None:
        """Where the card was then, by where it was seen before and after, or twice soon after; else None.

        Somewhere between the two places returned (2 x 2, mark pixels).
        """
        between = self.places_between(t_ns, end)
        later = [one for one in self.seen if one.t_ns >= t_ns]
        if between is not None or not later:
            return between
        after = later[0]
        then = next((one for one in later if one.t_ns > after.t_ns), None)
        if then is None or max(after.t_ns - t_ns, then.t_ns - after.t_ns) > NUMBERS.backwards_ns:
            return None
        here, there = _middle(after.found, end), _middle(then.found, end)
        if math.dist(here, middle(end)) < NUMBERS.there_px:
            return None  # (it may have lain by then: from where it came is not told)
        went = (here - there) * (after.t_ns - t_ns) / (then.t_ns - after.t_ns)
        return np.array([here + went, here + NUMBERS.slower * went])

    def places_between(self, t_ns: int, end: Points) -> Points | None:
        """The same, only by where it was seen before and after.

        A hand goes as fast as before, or slows down until it rests where the card was seen next.
        """
        before = next((one for one in reversed(self.seen) if one.t_ns <= t_ns), None)
        after = next((one for one in self.seen if one.t_ns >= t_ns), None)
        if before is None or after is None:
            return None
        share = (t_ns - before.t_ns) / max(1, after.t_ns - before.t_ns)
        here, there = _middle(before.found, end), _middle(after.found, end)
        return np.array([here + part * (there - here) for part in (share, share * (2 - share))])

    def place_soon(self, t_ns: int, end: Points) -> Points | None:
        """Where it was seen soon after, if it was: mark pixels."""
        soon = (one.found for one in self.seen if 0 <= one.t_ns - t_ns <= NUMBERS.backwards_ns)
        return next((_middle(one, end) for one in soon), None)

    def seen_at(self, t_ns: int) -> Found | None:
        """How it was seen in the picture of that time, if it was."""
        return next((one.found for one in self.seen if one.t_ns == t_ns), None)

    def was_beyond(self, t_ns: int, seen: Found, end: Points) -> bool:
        """Whether it was farther out after ``t_ns`` than what was ``seen`` then.

        A card does not go back on its way: then it was not the one that was seen there at that time.
        """
        far = _off(seen, end) + NUMBERS.back_mm * PX_PER_MM
        return any(_off(one.found, end) > far for one in self.seen if one.t_ns > t_ns)

    def still_since(self, seen: Found, until_ns: int) -> int:
        """Since when, before ``until_ns``, a card that lies as it was ``seen`` was read at that very place."""
        since_ns = until_ns
        for one in reversed(self.seen):
            if one.t_ns >= until_ns:
                continue
            spots = one.found.spots
            if not any(one_spot(spot, at, STILL_PX) for spot in spots for at in seen.spots):
                break
            since_ns = one.t_ns
        return since_ns

    def elsewhere_at(self, end: Points, until_ns: int) -> int | None:
        """When it was last surely read elsewhere than where it lies by then, if it was."""
        surely = (one for one in self.seen if one.found.readings[0].confidence >= SURELY_READ)
        elsewhere = (
            one.t_ns
            for one in surely
            if one.t_ns < until_ns
            and one.found.name == one.name
            and all(index_off(end, spot) >= NUMBERS.there_px for spot in one.found.spots)
        )
        return max(elsewhere, default=None)


def _middle(found: Found, end: Points) -> Points:
    """Where the middle of a card was that came to lie at ``end``: it lay there if that was but guessed otherwise."""
    return np.array(middle(end) if found.other_side(end) else found.centre)


def _off(found: Found, end: Points) -> float:
    """How far (mark pixels), at least, indices that were read are from where a card that lies at ``end`` has any."""
    return max(index_off(end, spot) for spot in found.spots)
