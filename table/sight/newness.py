"""Whether what was read in a picture is news: at rest, no part of the table, no card that is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.facts import MS
from table.reader.sightings import Box
from table.sight.backdrop import covered
from table.sight.found import Found, may_be_one
from table.sight.geometry import polygon, reach_of
from table.sight.paper import unlike_paper
from table.sight.pile import changed_share
from table.sight.places import INDEX_PX, SAME_ANGLE_DEG, corners_of, within
from table.sight.recent import LEVELS, far_from
from table.sight.rest import Grey, Mask, Patch
from table.sight.tracked import TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class NewnessNumbers:
    """The numbers of this module; chosen on the virtual table."""

    ink: float = 0.05
    """The share of an index's box that must differ from the background."""
    one_print: float = 0.75
    """What correlates so much may be one print, be it in a shadow (.87 and more; of others .53 and less) ..."""
    plainly: float = 0.03
    """... and is it if no more of it is plainly off then (to .01; 4 to 9 and hearts to diamonds, just there, .04)."""
    tells: float = 0.25
    """So much of an index in sight tells whose it is ..."""
    shade_px: int = 3
    """... but not so near to a card that lies upon it: its edge throws a shadow."""
    rests: float = 0.8
    """The share of a sighting's box that must be at rest."""
    lies_px: float = 0.5
    """A card that has moved by less than this ..."""
    lies_ns: int = 66 * MS
    """... in so long lies."""
    judged: float = 0.15
    """From so much of its place, at least, it is seen whether a card came to lie there (less may be the cloth at its
    rim, for outlines are but roughly known: of true cards as little as .33 looks otherwise then): ..."""
    changes: float = 0.3
    """... so much of that looks otherwise than before (of 800 cards of the tuning set .33 and more, but for one; of 7
    that were invented by what was not read surely up to .26) ..."""
    changes_surely: float = 0.1
    """... or, of a card that was read surely, so much ("gathered singly:746": invented, .04), ..."""
    bares: float = 0.35
    """... and, however it was read, so much of the cloth there that is not like paper (of 738 cards .5 and more)."""


NUMBERS: Final = NewnessNumbers()


def rests(view: View, one: Found) -> bool:
    """Whether nothing moves where a sighting is."""
    x1, y1, x2, y2 = (int(value) for value in one.box)
    part = view.still[max(0, y1) : max(0, y2) + 1, max(0, x1) : max(0, x2) + 1]
    return bool(part.size and np.count_nonzero(part) >= NUMBERS.rests * part.size)


def lies(view: View, one: Found) -> bool:
    """Whether what was sighted is at rest to a fraction of a pixel: it was there a moment ago."""
    past = view.history.span(0, view.now_ns - NUMBERS.lies_ns + 5 * MS)
    if not past or view.surely_quiet:
        return True  # (with a trembling camera nothing ever rests to a fraction of a pixel)
    fit = Patch(view.now.grey, polygon(corners_of(one.box))).fit(past[-1].grey)
    return fit.share >= 0.5 and fit.off_px < NUMBERS.lies_px


def is_foreground(view: View, one: Found) -> bool:
    """Whether a sighting is no part of the background."""
    if view.first or any(card.without is None for card in view.pile.all):
        return True
    return changed_share(one.box, view.now.mark, view.backdrop.mark) >= NUMBERS.ink


def is_new(view: View, one: Found, absent: Sequence[TrackedCard] = ()) -> bool:
    """Whether the mark looks otherwise, wherever the card was read, than with the cards that are known, but ``absent``.

    At each of its indices: two ornaments of a card that lies there may pass for the corners of another, and what
    falls between them makes them no newer. Nor does an index look otherwise for that a new card hides part of it,
    or throws its shadow there. But where most do, those may look as expected that are at the place of a card that has
    just been told of: this one may have lain upon it already when that one's look was taken.
    """
    if view.first:
        return True
    expected, grey = view.without([*view.pile.leaving, *absent]), view.now.grey
    lately = view.newly_come()
    told = [card for card in lately if card.id]
    upon = covered(told, NUMBERS.shade_px) & ~covered(told)  # (how they themselves look is expected)
    upon |= covered([card for card in lately if not card.id], NUMBERS.shade_px)
    same = [spot for spot in one.spots if not shows_other(spot, grey, expected, ~upon)]
    return 2 * len(same) < len(one.spots) and all(
        any(within(spot, card.quad) for card in told) for spot in same
    )


def came(view: View, card: TrackedCard) -> bool:
    """Whether the place of a card that is to be told of looks otherwise than before, as far as it is in sight.

    A corner that is read as another card's, with part of it hidden, may be taken for a new card. But that would lie
    where the bare mark is in sight, or upon cards that look as they did. What was there when it was read on its way
    alone is known by that.
    """
    if card.without is None or card.box is None:
        return True
    box, place = reach_of(card.quad), card.polygon
    # (What came later may lie upon it, be it told of already.)
    later = [one for one in view.pile.all if one.id == 0 or one.there_ns > card.there_ns]
    others = covered([one for one in later if one is not card and one.cover is None])
    hidden = others | view.arm_mask() | view.pile.unknown([])
    in_sight = place[box] & ~hidden[box]
    whole, shown = np.count_nonzero(place), np.count_nonzero(in_sight)
    if shown < NUMBERS.judged * whole:
        return True
    upon = covered([one for one in view.pile.lying if one.cover is None])[box] > 0
    moved = cv2.absdiff(view.now.grey[box], view.without()[box]) >= LEVELS
    other = far_from(view.now.mark[box], view.backdrop.mark[box]) > 0
    changed = np.count_nonzero(np.where(upon, moved, other) & (in_sight > 0))
    if changed < (NUMBERS.changes_surely if card.sure else NUMBERS.changes) * shown:
        return False
    cloth = (in_sight > 0) & ~upon & unlike_paper(view, view.backdrop.mark[box])
    bare = np.count_nonzero(cloth)
    return bool(bare < NUMBERS.judged * whole or np.count_nonzero(cloth & other) >= NUMBERS.bares * bare)


def shows_other(spot: Box, grey: Grey, expected: Grey, open_mask: Mask | None = None) -> bool:
    """Whether a picture shows something else at a ``spot`` than was ``expected``, be that in a shadow now.

    ``open_mask``: only there, unless that is too little of it.
    """
    box = reach_of(corners_of(spot))
    here, there = grey[box].astype(np.float32), expected[box].astype(np.float32)
    bare = open_mask[box] > 0 if open_mask is not None else np.ones_like(here, np.bool_)
    if np.count_nonzero(bare) < NUMBERS.tells * here.size:
        bare = np.ones_like(bare)
    here, there = here[bare], there[bare]
    if not here.size or (np.abs(here - there) >= LEVELS).mean() < NUMBERS.ink:
        return False
    shade = min(1.0, float(here.mean()) / max(1.0, float(there.mean())))
    if (np.abs(here - shade * there) >= 2 * LEVELS).mean() > NUMBERS.plainly:
        return True
    here, there = here - here.mean(), there - there.mean()
    alike = float(here @ there) / max(1.0, math.sqrt(float(here @ here) * float(there @ there)))
    return alike < NUMBERS.one_print


def is_corner_of(card: TrackedCard, one: Found, seen: Sequence[Found]) -> bool:
    """Whether a sighting is one more corner of a known ``card``, of which this look has ``seen`` another one."""
    read = any(other.name == card.name and may_be_one(other, one) for other in seen)
    return read and card.known and one.one_sided and card.has_there(one, INDEX_PX, SAME_ANGLE_DEG)
