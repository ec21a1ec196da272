"""Arm detection: the arms over the table, where they enter the image, and which of them touched a card.

A foreground component that is neither background nor a card, and reaches from a card's edge to the border of the
image, is an arm. The place where it enters the image, seen from the mark, is its direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table.directions import angle_between, direction_deg
from table.observed_facts import MS
from table.table_geometry import (
    Geometry,
    Points,
    mean_direction_deg,
    transform_points,
)
from table.tracking.imaging.motion_detection import Mask, Planar, ReferenceImage
from table.tracking.imaging.recent_frame import RecentFrame, empty_mark_mask
from table.tracking.imaging.result_cache import FrameCache
from table.tracking.scene.background_model import FOREGROUND_LEVELS, BackgroundModel

MIN_ARM_PX: Final = 30
"""Minimum area of an arm in small pixels: 1.5 cm2."""
FLIGHT_WEIGHT: Final = 0.3
"""Weight of a vote for a direction from which something only came into the image."""
P_BY_ARM_ORDER: Final = 0.93
"""Confidence in a direction that only the order of the arms decides (136 of 140 in the tuning set's ties)."""
P_UNAMBIGUOUS: Final = 0.75
"""A direction of higher confidence than this is unambiguous."""
MIN_ARM_SEPARATION_DEG: Final = 25.0
"""Minimum angle between the directions of two different arms."""
MIN_CONTACT_NS: Final = 60 * MS
"""Minimum time for which the arm that laid a card touches it."""
BORDER_PX: Final = 2
"""Width of the image border at which an arm enters, small pixels."""
MAX_CONTACT_DISTANCE_PX: Final = 3
"""Maximum distance between an arm and a card that it touches: small pixels, 6 mm."""
MAX_TIP_DISTANCE_MM: Final = 25.0
"""A hand that lays or takes a card ends at the card, or at most this far beyond it."""
ACROSS_WEIGHT: Final = 0.25
"""Weight of the contact of an arm that ends elsewhere and only lies across the card."""
P_CROSSING_ARM: Final = 0.65
"""Confidence in the choice between two crossing arms that touch a card: the one on whose side it is touched."""
_CLOSE: Final = np.ones((7, 7), np.uint8)
MIN_EXTENSION_MM: Final = 60.0
"""A foreground component that extends this much farther out than the card, without reaching the border, has a direction
..."""
EXTENSION_ERROR_DEG: Final = 15.0
"""... with about this error (of 40 in the tuning set's scenes of like colours 27, and all within 30) ..."""
EXTENSION_WEIGHT: Final = 0.1
"""... and this weight: it may be a card in flight (of 1,382 cards of films 4 owners are surely wrong; with .4 7) ..."""
ENTRY_ERROR_DEG: Final = 3.0
"""... and an arm that enters the image has one with about this error."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One connected foreground component over the table that is no card."""

    mask: Mask
    """Its pixels in the small image."""
    entry_angles: tuple[float, ...]
    """Directions of the places where it enters the image; empty if it doesn't."""
    farthest_point: tuple[float, float]
    """Its point farthest from the mark, mm; the entry point if there is exactly one."""
    tip: tuple[float, float] | None = None
    """Its end, mm: the point farthest from the entry; None without an entry, or where several arms cross."""


@dataclass(frozen=True, slots=True)
class Direction:
    """The direction of an arm, with a confidence."""

    angle: float | None
    """Degrees clockwise from the image's top, seen from the mark; None if unknown."""
    confidence: float
    """Confidence, 0..1."""


UNKNOWN_DIRECTION: Final = Direction(None, 0.0)
"""An unknown direction."""


class ArmContact(NamedTuple):
    """The contact of an arm with a card."""

    angle: float
    """Direction of the arm, degrees."""
    weight: float
    """Weight as evidence of who laid the card: a frame in which this arm alone is at the card weighs 1."""
    error_deg: float = ENTRY_ERROR_DEG
    """Error of the direction, degrees."""


def are_distinct_arms(directions: Sequence[Direction]) -> bool:
    """Return whether the directions are unambiguous and all belong to different arms."""
    angles = [
        direction.angle
        for direction in directions
        if direction.angle is not None and direction.confidence > P_UNAMBIGUOUS
    ]
    return len(angles) == len(directions) and all(
        angle_between(a, b) >= MIN_ARM_SEPARATION_DEG for a, b in combinations(angles, 2)
    )


def find_arms(foreground: Mask, geometry: Geometry) -> list[Arm]:
    """Return the arms in a foreground mask of the small image from which the cards have been removed."""
    # On a patterned table parts of an arm look like parts of the pattern: close the gaps.
    foreground = np.asarray(cv2.morphologyEx(foreground, cv2.MORPH_CLOSE, _CLOSE), dtype=np.uint8)
    if cv2.countNonZero(foreground) < MIN_ARM_PX:
        return []
    # (Areas are counted here: OpenCV's own statistics cost ten times as much as its labels.)
    _, found = cv2.connectedComponents(foreground, connectivity=8)
    labels = np.asarray(found, dtype=np.int32)
    inside = np.flatnonzero(foreground > 0)  # (what is true or false is found fastest)
    label_of = labels.ravel().take(inside)
    arms = []
    for label in np.flatnonzero(np.bincount(label_of) >= MIN_ARM_PX):
        mask = np.asarray(labels == label)
        places = geometry.small_pixel_positions_mm.take(inside[label_of == label], axis=0)
        entries = _entries(mask, geometry)
        once = entries[0].place if len(entries) == 1 else None
        tip = _farthest(places, once) if once else None
        angles = tuple(entry.angle for entry in entries)
        arms.append(Arm(mask.view(np.uint8) * np.uint8(255), angles, once or _farthest(places), tip))
    return arms


def is_same_arm_as_any(angle: float, others: Sequence[float]) -> bool:
    """Return whether ``angle`` is the direction of the same arm as one of ``others``."""
    return any(angle_between(angle, other) < MIN_ARM_SEPARATION_DEG for other in others)


def _farthest(places: Points, place: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """Return the point of ``places`` (N x 2) that is farthest from ``place``."""
    away = places - place
    x, y = places[np.argmax(np.einsum("nk,nk->n", away, away))]
    return float(x), float(y)


@dataclass(frozen=True, slots=True)
class _Entry:
    """The place where an arm meets the border of the image."""

    angle: float
    place: tuple[float, float]
    """On the table, mm."""


def _entries(mask: NDArray[np.bool_], geometry: Geometry) -> list[_Entry]:
    """Return the places where ``mask`` meets the border of the image."""
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
        x, y = transform_points(geometry.small_to_table, middle)[0]
        entries.append(_Entry(direction_deg(x, y), (float(x), float(y))))
    return entries


class DirectionVotes:
    """Accumulates over several frames the direction from which the arm at one card came."""

    def __init__(self, geometry: Geometry, quad: Points) -> None:
        self._geometry = geometry
        self._rim = geometry.small_polygon_mask(quad, MAX_CONTACT_DISTANCE_PX)
        self._centre = geometry.mark_point_to_mm(quad.mean(axis=0))
        self._outline = transform_points(geometry.mark_to_table, np.asarray(quad, dtype=np.float64)).astype(
            np.float32
        )
        self._votes: list[tuple[ArmContact, float]] = []
        """Contacts of the likeliest arms, with the confidence in each."""
        self._uncertain: list[ArmContact] = []
        """Contacts of the other arms where several crossed."""

    def contact_px(self, arm: Arm) -> int:
        """Return the number of small pixels of ``arm`` that touch this card."""
        return int(cv2.countNonZero(cv2.bitwise_and(arm.mask, self._rim)))

    def contact_weight(self, arm: Arm) -> float:
        """Return the weight of the contact of ``arm``: reduced if the arm only lies across the card."""
        if arm.tip is None:
            return 1.0
        return (
            1.0
            if cv2.pointPolygonTest(self._outline, arm.tip, True) >= -MAX_TIP_DISTANCE_MM
            else ACROSS_WEIGHT
        )

    def add_frame(self, arms: Sequence[Arm], shares: Sequence[float]) -> None:
        """Add the arms of one frame.

        ``shares``: each arm's weight for this card (its contact with this against the other cards).
        """
        for arm, share in zip(arms, shares, strict=True):
            if share <= 0:
                continue
            if len(arm.entry_angles) == 1:
                self._votes.append((ArmContact(arm.entry_angles[0], share), 1.0))
            elif arm.entry_angles:
                # Two arms that cross are one thing with two entries: the likelier is the one on its side.
                side = self._side(arm)
                angle = min(arm.entry_angles, key=lambda entry: angle_between(entry, side))
                self._votes.append((ArmContact(angle, share / len(arm.entry_angles)), P_CROSSING_ARM))
                self._uncertain += [
                    ArmContact(other, (1 - P_CROSSING_ARM) * share / len(arm.entry_angles))
                    for other in arm.entry_angles
                    if other != angle
                ]
            elif (
                not arm.entry_angles
                and np.hypot(*arm.farthest_point) > np.hypot(*self._centre) + MIN_EXTENSION_MM
            ):
                self._votes.append(
                    (
                        ArmContact(
                            direction_deg(*arm.farthest_point), EXTENSION_WEIGHT * share, EXTENSION_ERROR_DEG
                        ),
                        1.0,
                    )
                )

    def _side(self, arm: Arm) -> float:
        """Return the direction, from the card's centre, in which this arm touches it."""
        rows, columns = np.nonzero(cv2.bitwise_and(arm.mask, self._rim))
        if not len(rows):
            return direction_deg(*arm.farthest_point)
        place = transform_points(self._geometry.small_to_table, np.array([[columns.mean(), rows.mean()]]))[0]
        return direction_deg(place[0] - self._centre[0], place[1] - self._centre[1])

    @property
    def contacts(self) -> list[ArmContact]:
        """All contacts of arms with the card."""
        return [
            contact._replace(weight=contact.weight * sure) for contact, sure in self._votes
        ] + self._uncertain

    def best_direction(self) -> Direction:
        """Return the direction that has most of the weight."""
        if not self._votes:
            return UNKNOWN_DIRECTION
        total = sum(contact.weight for contact, _ in self._votes)
        best, most = 0.0, -1.0
        for contact, _ in self._votes:
            near = sum(
                other.weight * sure
                for other, sure in self._votes
                if angle_between(contact.angle, other.angle) <= 20
            )
            if near > most:
                best, most = contact.angle, near
        close = [contact for contact, _ in self._votes if angle_between(contact.angle, best) <= 20]
        mean = mean_direction_deg([contact.angle for contact in close], [contact.weight for contact in close])
        enough = min(1.0, total / 1.5)
        return Direction(round(mean, 1), round(min(1.0, most / total) * enough, 3))


@dataclass(frozen=True, slots=True)
class CardAppearance:
    """Reference appearance of the lying cards in the small image, to detect arms in front of them."""

    reference: ReferenceImage
    unknown_mask: Mask
    """Where an arm was in front of them."""

    def changed_mask(self, small: Planar) -> Mask:
        """Return the mask where a small image shows something other than the cards."""
        return np.asarray(
            self.reference.difference_mask(small, FOREGROUND_LEVELS) & ~self.unknown_mask, dtype=np.uint8
        )


class ArmFinder:
    """Finds the arms in front of the background and the known cards."""

    def __init__(self, background: BackgroundModel) -> None:
        self._background = background
        self._geometry = background.geometry
        self._arms_by_cards: FrameCache[dict[frozenset[bytes], Sequence[Arm]]] = FrameCache()
        """Arms found in each foreground mask, by the set of known cards."""

    def capture_appearance(self, small: Planar, cards: Sequence[Points]) -> CardAppearance:
        """Capture the appearance of cards with those outlines from a small image, without parts behind an arm."""
        hidden = np.zeros((self._geometry.small_size[1], self._geometry.small_size[0]), dtype=np.uint8)
        for arm in self.find(small, cards):
            hidden |= arm.mask
        return CardAppearance(ReferenceImage(small), np.asarray(cv2.dilate(hidden, _CLOSE), dtype=np.uint8))

    def find(
        self, small: Planar, cards: Sequence[Points], looks: CardAppearance | None = None
    ) -> Sequence[Arm]:
        """Return the arms in a small image that contains cards with the outlines ``cards``.

        ``looks``: the appearance of those cards if it is known; then arms in front of them are found too.
        """
        foreground = self._background.foreground_mask(small)
        there = np.zeros_like(foreground)
        for quad in cards:
            there |= self._geometry.small_polygon_mask(quad, 1)
        beside = foreground & ~there
        if looks is not None:
            before = foreground & there
            if cv2.countNonZero(before) and cv2.countNonZero(before := before & looks.changed_mask(small)):
                return find_arms(beside | before, self._geometry)
        # (Who laid cards, how many hands there were and who took them is asked of the same pictures.)
        found = self._arms_by_cards.get(foreground, lambda _: {})
        which = frozenset(np.asarray(quad, np.float64).tobytes() for quad in cards)
        if which not in found:
            found[which] = find_arms(beside, self._geometry)
        return found[which]

    def arm_mask(self, arms: Sequence[Arm]) -> Mask:
        """Return the mask, in the mark image, of those ``arms`` that enter from the image border."""
        joined = np.zeros((self._geometry.small_size[1], self._geometry.small_size[0]), dtype=np.uint8)
        for arm in arms:
            if arm.entry_angles:
                joined |= arm.mask
        if not joined.any():
            return empty_mark_mask()
        return self._geometry.warp_mask_to_mark(
            np.asarray(cv2.dilate(joined, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        )

    def single_arm_entries(
        self, cards: Sequence[Points], moments: Sequence[RecentFrame], square: Mask, lie_ns: int
    ) -> list[float]:
        """Return the first entry direction of each arm that, in ``moments``, reached into the ``square`` on its own.

        Only those that had also reached in, alone or with others, by ``lie_ns``, when all cards lay. An arm may sweep
        from one direction to another. (One that looks like the cloth may enter as strips, side by side.)
        """
        arms: list[list[float]] = []
        """The entry directions of each arm, from frame to frame."""
        came: list[float] = []
        for moment in moments:
            for arm in self.find(moment.small, cards):
                if not arm.entry_angles or not cv2.countNonZero(cv2.bitwise_and(arm.mask, square)):
                    continue
                if moment.t_ns <= lie_ns:
                    came += arm.entry_angles
                angle = arm.entry_angles[0]
                if not all(is_same_arm_as_any(other, [angle]) for other in arm.entry_angles):
                    continue
                entries = next((angles for angles in arms if is_same_arm_as_any(angle, angles)), None)
                if entries is None:
                    arms.append([angle])
                else:
                    entries.append(angle)
        return [angles[0] for angles in arms if any(is_same_arm_as_any(angle, came) for angle in angles)]

    def collect_contacts(
        self,
        quad: Points,
        others: Sequence[Points],
        moments: Sequence[RecentFrame],
        looks: CardAppearance | None = None,
    ) -> DirectionVotes:
        """Collect the contacts of arms with the card at ``quad`` in ``moments``."""
        votes = DirectionVotes(self._geometry, quad)
        rivals = [DirectionVotes(self._geometry, other) for other in others]
        for moment in moments:
            arms = self.find(moment.small, [quad, *others], looks)
            shares = []
            for arm in arms:
                mine = votes.contact_px(arm)
                theirs = max((rival.contact_px(arm) for rival in rivals), default=0)
                share = mine / (mine + theirs) * min(1.0, mine / 8) if mine else 0.0
                shares.append(share * votes.contact_weight(arm))
            votes.add_frame(arms, shares)
        return votes

    def directions_by_arm_order(
        self, quads: Sequence[Points], others: Sequence[Points], moments: Sequence[RecentFrame], apart_ns: int
    ) -> list[Direction]:
        """Return the directions of the arms that laid cards upon one another, by the order in which the arms came.

        Both arms touch both cards, so contact says little; but the lower a card, the sooner came its arm.

        Args:
            quads: the cards, lowest first.
            others: the other cards that lie there.
            moments: from before the first came until all lay.
            apart_ns: minimum time between one arm and the next.

        Returns:
            A direction for each card; none if there were not as many arms, or not that long after one another.
        """
        votes = [DirectionVotes(self._geometry, quad) for quad in quads]
        came: list[tuple[float, list[int]]] = []
        """Directions, and the times at which an arm from there touched one of the cards."""
        for moment in moments:
            for arm in self.find(moment.small, [*quads, *others]):
                if not any(vote.contact_px(arm) for vote in votes):
                    continue
                for angle in arm.entry_angles:
                    near = next(
                        (
                            times
                            for other, times in came
                            if angle_between(angle, other) < MIN_ARM_SEPARATION_DEG
                        ),
                        None,
                    )
                    if near is None:
                        came.append((angle, [moment.t_ns]))
                    else:
                        near.append(moment.t_ns)
        arms = sorted((times[0], angle) for angle, times in came if times[-1] - times[0] >= MIN_CONTACT_NS)
        if len(arms) != len(quads) or any(then[0] - first[0] < apart_ns for first, then in pairwise(arms)):
            return []
        return [Direction(round(angle, 1), P_BY_ARM_ORDER) for _, angle in arms]

    def collect_flight_directions(
        self, quad: Points, others: Sequence[Points], moments: Sequence[RecentFrame]
    ) -> DirectionVotes:
        """Collect entry directions of objects in ``moments``, for a thrown card that now lies at ``quad``."""
        votes = DirectionVotes(self._geometry, quad)
        for moment in moments:
            arms = self.find(moment.small, others)
            votes.add_frame(arms, [FLIGHT_WEIGHT if arm.entry_angles else 0.0 for arm in arms])
        return votes
