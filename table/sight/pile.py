"""The cards on the mark: which sighting is which card, what lies on what, what has gone."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import END_NS, Reading
from table.reader.sightings import Box, Sighting
from table.sight.geometry import MARK_PX, Points, angle_between, card_quad, polygon, reach_of
from table.sight.recent import LEVELS, far_from
from table.sight.rest import NO_FIT, Fit, Grey, Mask, Patch, lies

JOKER: Final = "JOKER"
SAME_PLACE_PX: Final = 16.0
SAME_ANGLE_DEG: Final = 12.0
OVERLAP_PX2: Final = 60.0
"""Outlines that have less in common (0.25 cm2) do not overlap: they are not known that well."""
KNOWN_PX: Final = 8.0
"""Outlines are known to within this."""
INDEX_AT: Final = (0.84, 0.81)
"""The middle of an index is so far out from a card's middle towards its long and short edges."""
INDEX_PX: Final = 20.0
"""Indices are where they should be to within this."""
INDICES_APART_PX: Final = (84.0, 113.0, 141.0)
"""Two indices of one card are so far apart: beside each other, above each other, across the card."""
ONE_SIDE_PX: Final = 127.0
"""Two indices so near to each other are of one side of a card."""
ONE_CARD_PX: Final = 175.0
"""Two corners of one card are never farther apart than its diagonal."""
SURELY_SAME: Final = 0.5
"""The share of a card's cells that no other card laid upon it would match."""
_ABOUT: Final = np.ones((13, 13), np.uint8)
"""A card that was pushed beneath another one lies within 4 mm of where that lies."""
OTHER: Final = 0.08
"""A place of which more than this looks otherwise shows something else."""
ROUGHLY: Final = 0.6
"""What a card that has yet to be announced shares of its place with another reading of it."""
CERTAIN: Final = 0.6
"""A card read less surely is looked at again, once all is at rest."""
SURELY_READ: Final = 0.9
"""A card read so surely is no other."""
LAID_UPON: Final = 0.25
"""Where so much of a card that was read lies beneath one that came later, it need not be seen again."""
TWIN: Final = 0.02
"""A reading this likely is preferred to a second card of the same name."""


@dataclass(frozen=True, slots=True)
class Found:
    """One sighting, as the pile takes it."""

    readings: tuple[Reading, ...]
    quad: Points
    box: Box
    spots: tuple[Box, ...]
    """What it was read by; never empty."""
    side: int = 0
    """1 where its indices stand as printed, -1 as in a mirror, 0 not known."""

    @property
    def name(self) -> str:
        """The likeliest card."""
        return self.readings[0].card

    @property
    def centre(self) -> tuple[float, float]:
        """The card's centre, mark pixels."""
        return middle(self.quad)

    @property
    def angle(self) -> float:
        """The outline's direction, clockwise, 0 is upright."""
        return quad_angle(self.quad)

    @property
    def one_sided(self) -> bool:
        """Whether it was read by indices of one side alone."""
        return all(math.dist(_centre(a), _centre(b)) < ONE_SIDE_PX for a, b in combinations(self.spots, 2))

    @property
    def across(self) -> Points:
        """The outline if its indices, of one side alone, are of the card's other side."""
        right = (self.quad[1] - self.quad[0]) / max(1e-9, math.dist(self.quad[1], self.quad[0]))
        out = np.mean([_centre(spot) for spot in self.spots], axis=0) - self.quad.mean(axis=0)
        return np.asarray(self.quad + 2 * float(out @ right) * right)

    def other_side(self, quad: Points) -> bool:
        """Whether this takes indices of a card that lies so for those of its other side: it is placed elsewhere."""
        elsewhere = self.one_sided and not same_place(self.quad, quad)
        return elsewhere and all(has_index_at(quad, spot) for spot in self.spots)


def _centre(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def middle(quad: Points) -> tuple[float, float]:
    """The middle of an outline."""
    x, y = quad.mean(axis=0)
    return float(x), float(y)


def quad_angle(quad: Points) -> float:
    """The direction of a card's upward edge (BL to TL), degrees clockwise."""
    x, y = quad[0] - quad[3]
    return math.degrees(math.atan2(x, -y)) % 360.0


def take(sightings: Iterable[Sighting], joker_is_card: bool, corner: tuple[int, int] = (0, 0)) -> list[Found]:
    """The detector's sightings as ``Found``: within the square, one for each card, the surest first.

    ``corner``: where, in the mark picture, the upper left corner of the picture is that they were seen in.
    """
    left, top = corner
    found: list[Found] = []
    ordered = sorted(sightings, key=lambda one: -(one.readings[0].confidence if one.readings else 0.0))
    for sighting in ordered:
        readings = tuple(
            Reading(one.card, float(one.confidence))
            for one in sighting.readings
            if joker_is_card or one.card != JOKER
        )
        if not readings or readings[0].card != sighting.readings[0].card:
            continue
        box, *spots = (
            (x1 + left, y1 + top, x2 + left, y2 + top)
            for x1, y1, x2, y2 in (sighting.box, *(sighting.spots or [sighting.box]))
        )
        if sighting.quad is not None:
            quad = np.asarray(sighting.quad, dtype=np.float64) + (left, top)
        else:
            quad = card_quad(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), sighting.angle_deg)
        seen = Found(readings, quad, box, tuple(spots), sighting.side)
        x, y = seen.centre
        if not (0 <= x < MARK_PX and 0 <= y < MARK_PX):
            continue
        if any(
            other.name == seen.name and math.dist(other.centre, seen.centre) < ONE_CARD_PX for other in found
        ):
            continue
        found.append(seen)
    return found


@dataclass(eq=False)
class TrackedCard:
    """One physical card, lying or about to."""

    quad: Points
    first_ns: int
    """The stamp of the picture in which it was seen first."""
    readings: list[tuple[float, tuple[Reading, ...]]] = field(default_factory=list)
    """What each look read, with its weight."""
    id: int = 0
    """0 until it has been announced."""
    announced: tuple[Reading, ...] = ()
    rest_ns: int = 0
    told_ns: int = 0
    """The stamp of the picture in which it was told of."""
    grey: Grey | None = None
    """The mark in a frame in which it lay at rest."""
    mask: Mask | None = None
    """Where the card itself is seen in ``grey``."""
    without: Grey | None = None
    """The mark as it was before this card came."""
    face: Grey | None = None
    """The card's own pixels as far as they have ever been seen, at its present place ..."""
    face_mask: Mask | None = None
    """... and where those are."""
    face_ns: int = 0
    """Since when its face has been known."""
    leaving_ns: int | None = None
    """Since when its place has been seen without it; None while it lies."""
    box: Box | None = None
    """Where it was read last, mark pixels."""
    indices: tuple[Box, ...] = ()
    """By which indices it was read then, ..."""
    read_ns: int = 0
    """... and when."""
    seen: Found | None = None
    """Of the looks since it was placed, the last one at the most of its corners."""
    settled: bool = True
    """Whether it lay still when it was seen last."""
    open: bool = False
    """Whether its outline was seen: no hand was at it, and there are its edges."""
    buried: bool = False
    """It was covered as soon as it lay: it lies beneath whatever came at about the same time."""
    laid: Points | None = None
    """The outline with which it was announced."""
    moved_ns: int | None = None
    """When it was last seen to lie elsewhere than where it was told of."""
    cover: TrackedCard | None = None
    """The card that it was pushed squarely beneath: it is out of sight, and leaves with that one."""
    hidden: bool = False
    """It shows no face: it lies face down, or squarely beneath another one."""
    missed: int = 0
    """Looks in a row in which it should have been seen and was not (before it is announced)."""
    studied: bool = False
    """Whether it was looked at when nothing had moved for a while: no other look will see more of it."""

    def __post_init__(self) -> None:
        self._patch: Patch | None = None

    @property
    def patch(self) -> Patch:
        """For looking for the card at its place."""
        if self._patch is None:
            assert self.grey is not None
            assert self.mask is not None
            self._patch = Patch(self.grey, self.mask, self.without)
        return self._patch

    def fit_at(self, spot: Box, grey: Grey) -> Fit:
        """How ``grey`` fits this card's face within ``spot``, where that was ever seen.

        What little the bare paper tells may fit by chance: so nothing there must look otherwise.
        """
        if self.face is None or self.face_mask is None or self.looks_other(spot, grey):
            return NO_FIT
        x1, y1, x2, y2 = (max(0, round(value)) for value in spot)
        seen = np.zeros_like(self.face_mask)
        seen[y1:y2, x1:x2] = self.face_mask[y1:y2, x1:x2]
        return Patch(self.face, seen).fit(grey)

    def looks_other(self, spot: Box, grey: Grey) -> bool:
        """Whether ``grey`` shows within ``spot`` something else than when this card's face was seen."""
        return self._differs(spot, grey, None)

    def shows_other(self, spot: Box, grey: Grey) -> bool:
        """Whether ``grey`` shows within ``spot`` something else where this card's own face was seen."""
        return self._differs(spot, grey, self.face_mask)

    def _differs(self, spot: Box, grey: Grey, where: Mask | None) -> bool:
        if self.face is None:
            return False
        x1, y1 = (max(0, int(value)) for value in spot[:2])
        x2, y2 = (math.ceil(value) for value in spot[2:])
        difference = np.asarray(cv2.absdiff(grey[y1:y2, x1:x2], self.face[y1:y2, x1:x2]))
        if where is not None:
            difference = difference[where[y1:y2, x1:x2] > 0]
        return bool(difference.size and (difference >= 2 * LEVELS).mean() > OTHER)

    def lies_as_seen(self, grey: Grey, upon: Mask) -> bool:
        """Whether ``grey`` shows it at its place, and nothing else there but what is ``upon`` it."""
        if self.grey is None or self.mask is None or not lies(self.patch, grey):
            return False
        box = reach_of(self.quad)
        shown = np.asarray(cv2.absdiff(grey[box], self.grey[box]))[(self.mask[box] > 0) & (upon[box] == 0)]
        return bool(np.count_nonzero(shown >= 2 * LEVELS) <= OTHER * shown.size)

    def seen_from_elsewhere(self) -> None:
        """The camera has another view of the card at its place: what it lies upon has not been seen from there."""
        self.without = self.leaving_ns = self._patch = None

    def settle(self, grey: Grey, mask: Mask, t_ns: int) -> None:
        """Take the card's look from a frame, of ``t_ns``, in which it lies at rest."""
        if self.face is None:
            self.face_ns = t_ns
        self.grey, self.mask, self._patch = grey, mask, None
        if self.face is None or self.face_mask is None:
            self.face, self.face_mask = grey.copy(), mask.copy()
        else:
            np.copyto(self.face, grey, where=mask > 0)
            self.face_mask |= mask

    def lies_beneath(self, other: TrackedCard, since_ns: int) -> None:
        """Another card has lain upon it since then: what was taken there for its face was the other's."""
        if self.face_mask is not None and self.face_ns >= since_ns:
            self.face_mask = self.face_mask & ~other.polygon

    def placed_better(self, seen: Found) -> bool:
        """Whether it was guessed, by fewer corners or by those of one side, to lie elsewhere than it is ``seen`` to."""
        if self.seen is None or same_place(seen.quad, self.quad):
            return False
        if self.seen.other_side(seen.quad) and not seen.other_side(self.seen.quad):
            return True
        return len(seen.spots) > self.corners and any(within(spot, self.quad) for spot in seen.spots)

    def move(self, quad: Points) -> None:
        """It lies elsewhere now."""
        self.quad, self.cover, self.indices = quad, None, ()
        self.grey = self.mask = self.face = self.face_mask = self._patch = None

    def tuck(self, cover: TrackedCard) -> None:
        """It was pushed squarely beneath ``cover``."""
        self.move(cover.quad)
        self.cover, self.leaving_ns = cover, None

    @property
    def corners(self) -> int:
        """By how many of its corners it was read."""
        return len(self.seen.spots) if self.seen else 0

    @property
    def nameless(self) -> bool:
        """Whether it lies squarely beneath another one, and nobody has seen which card it is."""
        return self.cover is not None and not self.readings

    @property
    def placed(self) -> bool:
        """Whether it is known where it lies: by its own look, or by what lies squarely upon it."""
        return self.grey is not None or self.cover is not None

    @property
    def centre(self) -> tuple[float, float]:
        """Mark pixels."""
        return middle(self.quad)

    @property
    def polygon(self) -> Mask:
        """The mark's pixels under the whole card."""
        return polygon(self.quad)

    def read(self, readings: tuple[Reading, ...]) -> None:
        """Another look's readings; the last few count."""
        self.hidden = False
        self.readings.append((readings[0].confidence ** 2 + 1e-3, readings))
        del self.readings[:-8]

    @property
    def certain(self) -> bool:
        """Whether its looks are good enough, or enough, to name it."""
        return self.well_read or self.studied or (self.hidden and not self.readings)

    @property
    def well_read(self) -> bool:
        """Whether its looks are good enough to name it."""
        combined = self.combined()
        return bool(combined) and combined[0].confidence >= CERTAIN

    @property
    def sure(self) -> bool:
        """Whether all its looks together name it so surely that it can be no other card."""
        combined = self.combined()
        return bool(combined) and combined[0].confidence >= SURELY_READ

    @property
    def known(self) -> bool:
        """The same, or one of its looks did, and those that saw less of it gave no other name."""
        looks = [readings[0] for _, readings in self.readings]
        one_name = len({look.card for look in looks}) == 1
        return self.sure or (one_name and max(look.confidence for look in looks) >= SURELY_READ)

    @property
    def doubtful(self) -> bool:
        """Whether it was not seen again where it should have been: before it is announced it is dropped then."""
        return self.missed > (1 if self.certain and not self.hidden else 0)

    @property
    def name(self) -> str:
        """The likeliest reading of all looks."""
        combined = self.combined()
        return combined[0].card if combined else ""

    def combined(self, taken: Sequence[str] = ()) -> tuple[Reading, ...]:
        """The readings of all looks together, best first; a name in ``taken`` gives way to the next best."""
        total = sum(weight for weight, _ in self.readings)
        sums: dict[str, float] = {}
        for weight, readings in self.readings:
            for reading in readings:
                sums[reading.card] = sums.get(reading.card, 0.0) + weight * reading.confidence / total
        order = sorted(sums, key=lambda name: (-sums[name], name))
        if order and order[0] in taken:
            other = next((name for name in order if name not in taken and sums[name] >= TWIN), None)
            if other is not None:
                order.remove(other)
                order.insert(0, other)
                rest = 1.0 - sum(sums[name] for name in order if name in taken)
                sums = {
                    name: (min(value, 0.01) if name in taken else min(1.0, value / max(rest, value, 1e-6)))
                    for name, value in sums.items()
                }
        return tuple(Reading(name, round(min(1.0, sums[name]), 4)) for name in order[:4])


class Pile:
    """The cards that lie on the mark, lowest first, and those that are about to."""

    def __init__(self) -> None:
        self.lying: list[TrackedCard] = []
        self.coming: list[TrackedCard] = []

    @property
    def all(self) -> list[TrackedCard]:
        """Every card, the lying ones first."""
        return [*self.lying, *self.coming]

    @property
    def leaving(self) -> list[TrackedCard]:
        """Those whose places have been seen without them."""
        return [card for card in self.lying if card.leaving_ns is not None]

    @property
    def names(self) -> list[str]:
        """What the cards were read as, in the order of `all`."""
        return [card.name for card in self.all]

    def is_other(self, seen: Found, sure: float) -> bool:
        """Whether a sighting, if it is so ``sure``, is none of the cards that are known."""
        return seen.readings[0].confidence >= sure and seen.name not in self.names

    def drop_doubtful(self, seen: Iterable[Found]) -> list[TrackedCard]:
        """Those that were about to lie and were not seen again, or were read by indices that, as is ``seen`` now, are
        those of cards that lie there; they are forgotten."""
        known = [(one, card) for one in seen for card in self.lying if card.name == one.name]
        shown = [spot for one, card in known if self.is_at(card, one) for spot in one.spots]
        dropped = [card for card in self.coming if card.doubtful or _are_of(card.indices, shown)]
        self.coming = [card for card in self.coming if card not in dropped]
        return dropped

    def announced(self, but: TrackedCard) -> list[str]:
        """What the lying cards, ``but`` for one, were announced as."""
        return [card.announced[0].card for card in self.lying if card is not but and card.announced]

    def match(
        self,
        seen: Found,
        present: Mapping[TrackedCard, float],
        taken: Sequence[TrackedCard],
        grey: Grey,
        named: Collection[str] = (),
        others: Collection[str] = (),
        still_ns: int = END_NS,
        sure: float = 0.0,
    ) -> TrackedCard | None:
        """The card that ``seen`` is: one at its place, or one of the same name.

        A card of the same name elsewhere is the same card moved, unless its own place still shows it.

        Args:
            present: the cards whose own places still show them, and how much of each fits.
            taken: the cards that other sightings of this look are.
            grey: the mark now.
            named: what all sightings of this look were read as: a card of such a name is its own sighting's.
            others: cards that were seen at once with the one that ``seen`` is read as: it is none of those.
            still_ns: since when nothing has moved over the mark: since then no card has come.
            sure: how surely it was read, now or on its way.
        """
        free = [card for card in self.all if card not in taken]
        at_place = [card for card in free if same_place(card.quad, seen.quad)]
        for card in at_place:
            if card.name == seen.name:
                return card
        for card in free:
            if card.name == seen.name and self._is(card, seen, card in present):
                return card
        # What nobody could read comes to light.
        for card in () if any(card in present for card in at_place) else free:
            to_light = card.nameless and (card.cover not in present or card.told_ns >= still_ns)
            if to_light and overlap(card.quad, seen.quad) >= OVERLAP_PX2:
                return card
        # Read otherwise at the same place: the same card, unless what was read looks otherwise now: then another
        # lies squarely upon it.
        taken_names = {*named, *others}
        free = [card for card in free if card.name not in taken_names]
        at_place = [card for card in at_place if card.name not in taken_names]
        for card in free:
            if card.id == 0 and overlap(card.quad, seen.quad) > ROUGHLY * overlap(seen.quad, seen.quad):
                if self.another(card, seen, grey, sure):
                    continue
                return card
        for card in at_place:
            fits = present.get(card, 0.0)
            if fits >= SURELY_SAME or (fits and not card.looks_other(seen.box, grey)):
                return card
        return None

    @classmethod
    def _is(cls, card: TrackedCard, seen: Found, present: bool) -> bool:
        return not present or cls.is_at(card, seen) or card.placed_better(seen)

    @staticmethod
    def is_at(card: TrackedCard, seen: Found) -> bool:
        """Whether what a sighting was read by lies within the card; it is placed by one corner but roughly."""
        return all(within(spot, card.quad) for spot in seen.spots)

    @staticmethod
    def another(card: TrackedCard, seen: Found, grey: Grey, sure: float) -> bool:
        """Whether ``seen`` can only be laid upon ``card``: both were read surely, and its place looks otherwise now."""
        return card.known and sure >= SURELY_READ and card.shows_other(seen.box, grey)

    def above(self, card: TrackedCard) -> list[TrackedCard]:
        """The lying cards that came after ``card``."""
        if card in self.lying:
            return self.lying[self.lying.index(card) + 1 :]
        return []

    def covered_since(self, card: TrackedCard) -> bool:
        """Whether a card that was read surely, and is yet to be announced, lies beneath a newer one."""
        return not card.hidden and card.box is not None and card.known and self.laid_upon(card) >= LAID_UPON

    def laid_upon(self, card: TrackedCard) -> float:
        """The share of ``card`` that lies beneath cards that were seen after it, none of them announced yet."""
        place = card.polygon
        covered = np.zeros_like(place)
        for other in self.coming:
            if other.first_ns > card.first_ns and not other.missed:
                covered |= place & other.polygon
        return np.count_nonzero(covered) / np.count_nonzero(place)

    def without(self, background: Grey, gone: Collection[TrackedCard] = ()) -> Grey:
        """The mark as it would look without those that have ``gone``: the background and the other cards' looks."""
        picture = background.copy()
        for _, face, mask in self._but(gone):
            np.copyto(picture, face, where=mask > 0)
        return picture

    def unknown(self, gone: Collection[TrackedCard]) -> Mask:
        """Where a card whose place or face is not known may show beneath those that have ``gone``."""
        mask = np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)
        for other in self.lying:
            if other.cover is not None:
                mask |= np.asarray(cv2.dilate(other.polygon, _ABOUT), dtype=np.uint8)
            elif other not in gone and other.face is not None and other.face_mask is not None:
                mask = (mask | other.polygon) & ~other.face_mask
        return mask

    def _but(self, gone: Collection[TrackedCard]) -> list[tuple[TrackedCard, Grey, Mask]]:
        return [
            (other, other.face, other.face_mask)
            for other in self.lying
            if other not in gone and other.face is not None and other.face_mask is not None
        ]


def same_place(a: Points, b: Points) -> bool:
    """Whether two outlines are one card's (a card turned by half is at the same place)."""
    apart = math.dist(tuple(a.mean(axis=0)), tuple(b.mean(axis=0)))
    return apart < SAME_PLACE_PX and turned_by(a, b) < SAME_ANGLE_DEG


def turned_by(a: Points, b: Points) -> float:
    """How much one outline is turned against another, degrees; half a turn shows the same."""
    return angle_between(2 * quad_angle(a), 2 * quad_angle(b)) / 2


def within(spot: Box, quad: Points, by_px: float = -KNOWN_PX) -> bool:
    """Whether the middle of a box lies in an outline, as well as that is known; or by how much at least."""
    return cv2.pointPolygonTest(quad.astype(np.float32), _centre(spot), True) > by_px


def one_spot(a: Box, b: Box, within_px: float = KNOWN_PX) -> bool:
    """Whether two indices were seen at one place."""
    return math.dist(_centre(a), _centre(b)) < within_px


def _are_of(spots: Sequence[Box], others: Sequence[Box]) -> bool:
    """Whether there are ``spots``, each at the place of one of the ``others``."""
    return bool(spots) and all(any(one_spot(spot, other) for other in others) for spot in spots)


def index_off(quad: Points, spot: Box) -> float:
    """How far (mark pixels) an index was read from the nearest one, in any corner, of a card so outlined."""
    seen, centre = _centre(spot), quad.mean(axis=0)
    along, across = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    corners = (centre + a * INDEX_AT[0] * along + b * INDEX_AT[1] * across for a in (-1, 1) for b in (-1, 1))
    return min(math.dist(corner, seen) for corner in corners)


def has_index_at(quad: Points, spot: Box) -> bool:
    """Whether a card so outlined has an index, in any of its corners, about where one was read."""
    return index_off(quad, spot) < INDEX_PX


def overlap(a: Points, b: Points) -> float:
    """The area (mark pixels squared) that two outlines have in common."""
    area, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(area)


def shows_without(card: TrackedCard, grey: Grey, without: Grey, open_mask: Mask) -> tuple[float, float]:
    """How much of the card's visible place could be judged, and the share of it that shows what lies beneath.

    Args:
        grey: the mark now.
        without: the mark as it would look without the card.
        open_mask: the pixels at rest and covered by nothing known.
    """
    assert card.grey is not None
    assert card.mask is not None
    box = reach_of(card.quad)
    look, here, bare = card.grey[box], grey[box], without[box]
    other = cv2.absdiff(look, bare)
    telling = (other >= LEVELS) & (card.mask[box] > 0)
    judged = telling & (open_mask[box] > 0)
    count = np.count_nonzero(judged)
    if count < 30:
        return 0.0, 0.0
    to_without = cv2.absdiff(here, bare)
    gone = judged & (to_without < cv2.absdiff(here, look)) & (to_without < other * 0.5)
    return count / np.count_nonzero(telling), np.count_nonzero(gone) / count


def changed_share(
    box: tuple[float, float, float, float], image: NDArray[np.uint8], back: NDArray[np.uint8]
) -> float:
    """The share of the pixels of ``box`` that differ from the background by ``LEVELS`` in any colour."""
    x1, y1 = max(0, int(box[0])), max(0, int(box[1]))
    x2, y2 = min(MARK_PX, math.ceil(box[2])), min(MARK_PX, math.ceil(box[3]))
    if x2 - x1 < 2 or y2 - y1 < 2:
        return 0.0
    different = far_from(image[y1:y2, x1:x2], back[y1:y2, x1:x2])
    return cv2.countNonZero(different) / different.size
