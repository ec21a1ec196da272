"""Where an arm over the mark comes from.

What is neither background nor a card on the mark, and hangs together from a card's edge to the border of the
picture, is an arm. The place where it enters the picture, seen from the mark, is its direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import MS
from table.sight.backdrop import ARM_LEVELS, Backdrop
from table.sight.bypicture import ByPicture
from table.sight.gate import Mask, Planar, Reference
from table.sight.geometry import Geometry, Points, angle_between, direction_deg, mean_direction_deg, transform
from table.sight.recent import RecentFrame, nothing

LEAST_PX: Final = 30
"""Small pixels that an arm has at least: 1.5 cm2."""
FLIGHT: Final = 0.3
"""The weight of a direction in which something was only seen to come."""
IN_TURN: Final = 0.93
"""How sure a direction is that only the order tells in which arms came (136 of 140 in the tuning set's ties)."""
PLAIN: Final = 0.75
"""A direction surer than this is plain."""
ASIDE_DEG: Final = 25.0
"""Arms that come from directions farther apart are two."""
STAYS_NS: Final = 60 * MS
"""The arm that laid a card touches it for so long at least."""
BORDER_PX: Final = 2
TOUCH_PX: Final = 3
"""An arm this near to a card (small pixels, 6 mm) touches it."""
TIP_MM: Final = 25.0
"""A hand that lays a card, or takes one, ends at it or this little beyond."""
ACROSS: Final = 0.25
"""How much an arm's touch tells that ends elsewhere."""
CROSSING: Final = 0.65
"""How sure it is which of two arms that cross touches a card: the one on whose side it is touched."""
_CLOSE: Final = np.ones((7, 7), np.uint8)
FAR_MM: Final = 60.0
"""What reaches this much farther out than the card, without reaching the border, still tells a direction ..."""
FAR_DEG: Final = 15.0
"""... to within about this (of 40 in the tuning set's scenes of like colours 27, and all within 30) ..."""
ENTERS_DEG: Final = 3.0
"""... and where an arm enters the picture to within this."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One connected thing over the table that is no card."""

    mask: Mask
    angles: tuple[float, ...]
    """Where it enters the picture; empty when it does not."""
    far: tuple[float, float]
    """Its point farthest from the mark, mm; where it enters the picture if it does so once."""
    tip: tuple[float, float] | None = None
    """Its end, mm: the point farthest from where it enters; None where it doesn't, or where several arms cross."""


@dataclass(frozen=True, slots=True)
class Direction:
    """An arm's direction and how sure it is, 0..1."""

    angle: float | None
    sure: float


UNSEEN: Final = Direction(None, 0.0)


class Touch(NamedTuple):
    """An arm that was at a card."""

    angle: float
    weight: float
    """How much it tells of who laid that: a picture in which it alone is there weighs 1."""
    off_deg: float = ENTERS_DEG
    """Its direction is known to within about this."""


def distinct(directions: Sequence[Direction]) -> bool:
    """Whether these are surely the directions of as many arms."""
    angles = [one.angle for one in directions if one.angle is not None and one.sure > PLAIN]
    return len(angles) == len(directions) and all(
        angle_between(a, b) >= ASIDE_DEG for a, b in combinations(angles, 2)
    )


def find_arms(foreground: Mask, geometry: Geometry) -> list[Arm]:
    """The arms in a small foreground mask from which the cards have been taken out."""
    # On a patterned table parts of an arm look like parts of the pattern: close the gaps.
    foreground = np.asarray(cv2.morphologyEx(foreground, cv2.MORPH_CLOSE, _CLOSE), dtype=np.uint8)
    if cv2.countNonZero(foreground) < LEAST_PX:
        return []
    # (Areas are counted here: OpenCV's own statistics cost ten times as much as its labels.)
    _, found = cv2.connectedComponents(foreground, connectivity=8)
    labels = np.asarray(found, dtype=np.int32)
    inside = np.flatnonzero(foreground > 0)  # (what is true or false is found fastest)
    label_of = labels.ravel().take(inside)
    arms = []
    for label in np.flatnonzero(np.bincount(label_of) >= LEAST_PX):
        mask = np.asarray(labels == label)
        places = geometry.small_places.take(inside[label_of == label], axis=0)
        entries = _entries(mask, geometry)
        once = entries[0].place if len(entries) == 1 else None
        tip = _farthest(places, once) if once else None
        angles = tuple(entry.angle for entry in entries)
        arms.append(Arm(mask.view(np.uint8) * np.uint8(255), angles, once or _farthest(places), tip))
    return arms


def is_one_of(angle: float, others: Sequence[float]) -> bool:
    """Whether one of the ``others`` is the direction of the same arm."""
    return any(angle_between(angle, other) < ASIDE_DEG for other in others)


def _farthest(places: Points, place: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """The one of ``places`` (N x 2) that is farthest from ``place``."""
    away = places - place
    x, y = places[np.argmax(np.einsum("nk,nk->n", away, away))]
    return float(x), float(y)


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where an arm meets the border of the picture."""

    angle: float
    place: tuple[float, float]
    """On the table, mm."""


def _entries(mask: NDArray[np.bool_], geometry: Geometry) -> list[_Entry]:
    """The places where ``mask`` meets the border of the picture."""
    sides = (mask[:BORDER_PX], mask[-BORDER_PX:], mask[:, :BORDER_PX], mask[:, -BORDER_PX:])
    if not any(side.any() for side in sides):
        return []
    edge = mask.copy()
    edge[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX] = False
    # (Only where it is: a border is long, and an arm meets little of it.)
    left, top, width, height = cv2.boundingRect(edge.view(np.uint8))
    edge = np.ascontiguousarray(edge[top : top + height, left : left + width])
    joined = cv2.dilate(edge.view(np.uint8), np.ones((5, 5), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    met = np.flatnonzero(edge)
    label_of = labels.ravel()[met]
    entries = []
    for label in range(1, count):
        rows, columns = np.divmod(met[label_of == label], width)
        if len(rows) < 4:
            continue
        middle = np.array([[(columns + left).mean(), (rows + top).mean()]])
        x, y = transform(geometry.small_to_table, middle)[0]
        entries.append(_Entry(direction_deg(x, y), (float(x), float(y))))
    return entries


class Votes:
    """Collects over several frames which way the arm at one card came from."""

    def __init__(self, geometry: Geometry, quad: Points) -> None:
        self._geometry = geometry
        self._rim = geometry.polygon_in_small(quad, TOUCH_PX)
        self._centre = geometry.place_mm(quad.mean(axis=0))
        self._outline = transform(geometry.mark_to_table, np.asarray(quad, dtype=np.float64)).astype(
            np.float32
        )
        self._votes: list[tuple[Touch, float]] = []
        """The likeliest arms, and how sure each is."""
        self._doubts: list[Touch] = []
        """The other arms where several crossed."""

    def contact(self, arm: Arm) -> int:
        """How many small pixels of ``arm`` touch this card."""
        return int(cv2.countNonZero(cv2.bitwise_and(arm.mask, self._rim)))

    def reached(self, arm: Arm) -> float:
        """How much it tells that ``arm`` touches this card: less where the arm ends elsewhere, and lies across it."""
        if arm.tip is None:
            return 1.0
        return 1.0 if cv2.pointPolygonTest(self._outline, arm.tip, True) >= -TIP_MM else ACROSS

    def add(self, arms: Sequence[Arm], shares: Sequence[float]) -> None:
        """One frame's arms; ``shares``: each arm's weight for this card (its contact against the others')."""
        for arm, share in zip(arms, shares, strict=True):
            if share <= 0:
                continue
            if len(arm.angles) == 1:
                self._votes.append((Touch(arm.angles[0], share), 1.0))
            elif arm.angles:
                # Two arms that cross are one thing with two entries: the likelier is the one on its side.
                side = self._side(arm)
                angle = min(arm.angles, key=lambda entry: angle_between(entry, side))
                self._votes.append((Touch(angle, share / len(arm.angles)), CROSSING))
                self._doubts += [
                    Touch(other, (1 - CROSSING) * share / len(arm.angles))
                    for other in arm.angles
                    if other != angle
                ]
            elif not arm.angles and np.hypot(*arm.far) > np.hypot(*self._centre) + FAR_MM:
                self._votes.append((Touch(direction_deg(*arm.far), 0.4 * share, FAR_DEG), 1.0))

    def _side(self, arm: Arm) -> float:
        """The direction, from the card's centre, in which this arm touches it."""
        rows, columns = np.nonzero(cv2.bitwise_and(arm.mask, self._rim))
        if not len(rows):
            return direction_deg(*arm.far)
        place = transform(self._geometry.small_to_table, np.array([[columns.mean(), rows.mean()]]))[0]
        return direction_deg(place[0] - self._centre[0], place[1] - self._centre[1])

    @property
    def touches(self) -> list[Touch]:
        """All arms that were at the card."""
        return [one._replace(weight=one.weight * sure) for one, sure in self._votes] + self._doubts

    def result(self) -> Direction:
        """The direction that most of the weight agrees on."""
        if not self._votes:
            return UNSEEN
        total = sum(one.weight for one, _ in self._votes)
        best, most = 0.0, -1.0
        for one, _ in self._votes:
            near = sum(
                other.weight * sure
                for other, sure in self._votes
                if angle_between(one.angle, other.angle) <= 20
            )
            if near > most:
                best, most = one.angle, near
        close = [one for one, _ in self._votes if angle_between(one.angle, best) <= 20]
        mean = mean_direction_deg([one.angle for one in close], [one.weight for one in close])
        enough = min(1.0, total / 1.5)
        return Direction(round(mean, 1), round(min(1.0, most / total) * enough, 3))


@dataclass(frozen=True, slots=True)
class Looks:
    """How the cards that lie there look in the small picture."""

    picture: Reference
    unknown: Mask
    """Where an arm was before them."""

    def other(self, small: Planar) -> Mask:
        """Where something else is seen than they."""
        return np.asarray(self.picture.differs(small, ARM_LEVELS) & ~self.unknown, dtype=np.uint8)


class ArmWatch:
    """Finds the arms over the table in front of what is known of it."""

    def __init__(self, backdrop: Backdrop) -> None:
        self._backdrop = backdrop
        self._geometry = backdrop.geometry
        self._found: ByPicture[dict[frozenset[bytes], Sequence[Arm]]] = ByPicture()
        """What was found in each foreground, beside which cards."""

    def looks(self, small: Planar, cards: Sequence[Points]) -> Looks:
        """How cards with those outlines look in a small picture in which they lie, where no arm is before them."""
        hidden = np.zeros((self._geometry.small_size[1], self._geometry.small_size[0]), dtype=np.uint8)
        for arm in self.at(small, cards):
            hidden |= arm.mask
        return Looks(Reference(small), np.asarray(cv2.dilate(hidden, _CLOSE), dtype=np.uint8))

    def at(self, small: Planar, cards: Sequence[Points], looks: Looks | None = None) -> Sequence[Arm]:
        """What is over the table in a small picture besides cards with the outlines ``cards``.

        ``looks``: how they look, where that is known; then an arm before them is seen too.
        """
        foreground = self._backdrop.foreground(small)
        there = np.zeros_like(foreground)
        for quad in cards:
            there |= self._geometry.polygon_in_small(quad, 1)
        beside = foreground & ~there
        if looks is not None:
            before = foreground & there
            if cv2.countNonZero(before) and cv2.countNonZero(before := before & looks.other(small)):
                return find_arms(beside | before, self._geometry)
        # (Who laid cards, how many hands there were and who took them is asked of the same pictures.)
        found = self._found.of(foreground, lambda _: {})
        which = frozenset(np.asarray(quad, np.float64).tobytes() for quad in cards)
        if which not in found:
            found[which] = find_arms(beside, self._geometry)
        return found[which]

    def mask(self, arms: Sequence[Arm]) -> Mask:
        """Where in the mark picture those ``arms`` are that reach in from the border."""
        joined = np.zeros((self._geometry.small_size[1], self._geometry.small_size[0]), dtype=np.uint8)
        for arm in arms:
            if arm.angles:
                joined |= arm.mask
        if not joined.any():
            return nothing()
        return self._geometry.to_mark(
            np.asarray(cv2.dilate(joined, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        )

    def entries(
        self, cards: Sequence[Points], moments: Sequence[RecentFrame], square: Mask, lie_ns: int
    ) -> list[float]:
        """Where, in ``moments``, arms entered the picture, each alone, that reached into the ``square``.

        Each had done so, alone or with others, when all cards lay, at ``lie_ns``. Of an arm that is like the cloth
        strips may enter, side by side.
        """
        entries: list[float] = []
        came: list[float] = []
        for moment in moments:
            for arm in self.at(moment.small, cards):
                if not arm.angles or not cv2.countNonZero(cv2.bitwise_and(arm.mask, square)):
                    continue
                if moment.t_ns <= lie_ns:
                    came += arm.angles
                alone = all(is_one_of(angle, arm.angles[:1]) for angle in arm.angles)
                if alone and not is_one_of(arm.angles[0], entries):
                    entries.append(arm.angles[0])
        return [angle for angle in entries if is_one_of(angle, came)]

    def direction(
        self,
        quad: Points,
        others: Sequence[Points],
        moments: Sequence[RecentFrame],
    ) -> Direction:
        """Which way the arm came from that was at ``quad`` in ``moments``."""
        return self.touching(quad, others, moments).result()

    def touching(
        self,
        quad: Points,
        others: Sequence[Points],
        moments: Sequence[RecentFrame],
        looks: Looks | None = None,
    ) -> Votes:
        """The arms that were at ``quad`` in ``moments``."""
        votes = Votes(self._geometry, quad)
        rivals = [Votes(self._geometry, other) for other in others]
        for moment in moments:
            arms = self.at(moment.small, [quad, *others], looks)
            shares = []
            for arm in arms:
                mine = votes.contact(arm)
                theirs = max((rival.contact(arm) for rival in rivals), default=0)
                share = mine / (mine + theirs) * min(1.0, mine / 8) if mine else 0.0
                shares.append(share * votes.reached(arm))
            votes.add(arms, shares)
        return votes

    def one_after_another(
        self, quads: Sequence[Points], others: Sequence[Points], moments: Sequence[RecentFrame], apart_ns: int
    ) -> list[Direction]:
        """Which way the arms came from that laid cards upon one another.

        Both arms touch both cards, so where they touch tells little; but the lower a card, the sooner came its arm.

        Args:
            quads: the cards, lowest first.
            others: the other cards that lie there.
            moments: from before the first came until all lay.
            apart_ns: how long after one arm the next came, at least.

        Returns:
            A direction for each card; none where there were not as many arms, one so long after another.
        """
        votes = [Votes(self._geometry, quad) for quad in quads]
        came: list[tuple[float, list[int]]] = []
        """Directions, and the times at which an arm from there touched one of the cards."""
        for moment in moments:
            for arm in self.at(moment.small, [*quads, *others]):
                if not any(vote.contact(arm) for vote in votes):
                    continue
                for angle in arm.angles:
                    near = next(
                        (times for other, times in came if angle_between(angle, other) < ASIDE_DEG), None
                    )
                    if near is None:
                        came.append((angle, [moment.t_ns]))
                    else:
                        near.append(moment.t_ns)
        arms = sorted((times[0], angle) for angle, times in came if times[-1] - times[0] >= STAYS_NS)
        if len(arms) != len(quads) or any(then[0] - first[0] < apart_ns for first, then in pairwise(arms)):
            return []
        return [Direction(round(angle, 1), IN_TURN) for _, angle in arms]

    def flight(self, quad: Points, others: Sequence[Points], moments: Sequence[RecentFrame]) -> Votes:
        """Where something came into the picture in ``moments`` that lies at ``quad`` now; no hand was at it."""
        votes = Votes(self._geometry, quad)
        for moment in moments:
            arms = self.at(moment.small, others)
            votes.add(arms, [FLIGHT if arm.angles else 0.0 for arm in arms])
        return votes
