"""One physical card, lying on the mark or about to, and all that is known of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from table.facts import Reading
from table.reader.sightings import Box
from table.sight.found import TWIN, Found
from table.sight.geometry import Points, polygon, reach_of
from table.sight.places import (
    INDEX_ANGLE_DEG,
    KNOWN_PX,
    all_at,
    index_off,
    middle,
    same_place,
    turned_by,
    within,
)
from table.sight.recent import LEVELS
from table.sight.rest import NO_FIT, Fit, Grey, Mask, Patch, lies

OTHER: Final = 0.08
"""A place of which more than this looks otherwise shows something else."""
CERTAIN: Final = 0.6
"""A card read less surely is looked at again, once all is at rest."""
SURELY_READ: Final = 0.9
"""A card read so surely is no other."""
STILL_PX: Final = 2.0
"""An index that was read so near to where it is now was at rest."""


@dataclass(eq=False)
class TrackedCard:
    """One physical card, lying or about to."""

    quad: Points
    first_ns: int
    """The stamp of the picture in which it was first seen to lie ..."""
    there_ns: int = 0
    """... since when it was read at that very place, though a hand may have been at it, ..."""
    elsewhere_ns: int | None = None
    """... and when it was last surely read elsewhere, on its way to there, if it was."""
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
        self.there_ns = self.there_ns or self.first_ns
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
        """Whether it was guessed, by fewer corners or by those of one side, to lie elsewhere than it is ``seen`` to.

        What is not surely read as a card that was is as likely another one.
        """
        if self.seen is None or same_place(seen.quad, self.quad):
            return False
        if self.sure and seen.readings[0].confidence < SURELY_READ:
            return False
        if self.seen.other_side(seen.quad) and not seen.other_side(self.seen.quad):
            return True
        return len(seen.spots) > self.corners and any(within(spot, self.quad) for spot in seen.spots)

    def was_read_by(self, seen: Found) -> bool:
        """Whether what a sighting was read by is where this card's indices were read: then it is this card's.

        More of them may be in sight now, or fewer. Not where both were surely read as other cards: one may have been
        laid squarely upon this one.
        """
        other = seen.name != self.name and self.known and seen.readings[0].confidence >= SURELY_READ
        return not other and (self.stood_at(seen) or all_at(self.indices, seen.spots, STILL_PX))

    def stood_at(self, seen: Found) -> bool:
        """Whether what a sighting was read by is just where this card's indices were read, whatever it was read as."""
        return all_at(seen.spots, self.indices, STILL_PX)

    def has_there(
        self, seen: Found, within_px: float = KNOWN_PX, within_deg: float = INDEX_ANGLE_DEG
    ) -> bool:
        """Whether a sighting is of indices that stand just where this card's own do, or to within so much."""
        at_own = all(index_off(self.quad, spot) < within_px for spot in seen.spots)
        return at_own and turned_by(self.quad, seen.quad) < within_deg

    def move(self, quad: Points) -> None:
        """It lies elsewhere than was known; what it was read by stays where that was."""
        self.quad, self.cover = quad, None
        self.grey = self.mask = self.face = self.face_mask = self._patch = None

    def comes_to_light(self, readings: tuple[Reading, ...]) -> None:
        """It is seen to lie: surely read now, it is not what little was read of it before."""
        if self.guessed and readings[0].confidence >= SURELY_READ:
            self.readings.clear()

    def tuck(self, cover: TrackedCard) -> None:
        """It was pushed squarely beneath ``cover``."""
        self.move(cover.quad)
        self.cover, self.leaving_ns, self.indices = cover, None, ()

    @property
    def corners(self) -> int:
        """By how many of its corners it was read."""
        return len(self.seen.spots) if self.seen else 0

    @property
    def nameless(self) -> bool:
        """Whether it lies squarely beneath another one, and nobody has seen which card it is."""
        return self.cover is not None and not self.readings

    @property
    def guessed(self) -> bool:
        """Whether it lies beneath what came with it, and nobody has seen it lie there, or not so as to know it."""
        return self.buried and (self.box is None or not self.sure)

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
        """Another look's readings; the last few count, but none that is less sure of another name than those are."""
        self.hidden = False
        if self.sure and readings[0].confidence < SURELY_READ and readings[0].card != self.name:
            return
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

    @property
    def thoughts(self) -> list[str]:
        """The names that it may well have, the likeliest first."""
        return [one.card for one in self.combined() if one.confidence >= TWIN]

    def read_better(self, seen: Found) -> bool:
        """Whether ``seen``, of the very indices by which this was read, tells which of the cards it may be it is."""
        if self.sure or seen.readings[0].confidence < SURELY_READ or self.seen is None:
            return False
        thought_of = {reading.card for _, readings in self.readings for reading in readings}
        return seen.name in thought_of and all_at(seen.spots, self.seen.spots)

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
