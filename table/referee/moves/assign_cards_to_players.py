"""The assignment of cards to players: several cards landed at about the same time, each player having laid one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import atan2, degrees, hypot

from table.observed_facts import CardLanded
from table.referee.model.event_costs import angle_between

SECOND_CARD_DEG = 150.0
"""The cost in degrees of a second card of some player: it beats an arm that was this far off."""
NO_ARM_DEG = 60.0
"""The cost in degrees of a card whose arm was not detected, whoever's it is."""
PLACE_WEIGHT = 0.25
"""The weight of a card's place against its arm: a card tends to lie on its player's side."""
CENTRAL_MM = 15.0
"""The distance from the middle of the cards below which the place tells nothing."""
DEFAULT_LEADER_BONUS_DEG = 10.0
"""The bonus in degrees of the default leader: a card that nothing else decides is the default leader's."""
DEG_PER_NAT = 20.0
"""Degrees off that count as one nat ..."""
MISTAKEN_ARM_NATS = 4.5
"""... up to about this cost in nats, for an arm that was plainly mistaken: arms cross."""
MAX_ASSIGNMENTS = 4
"""The number of best assignments that are followed, besides those with one owner changed, or the owners exchanged."""

Assignment = tuple[str | None, ...]


def assign_owners(
    cards: Sequence[CardLanded],
    angles: Mapping[str, float],
    default: str | None,
    said: Mapping[int, str] | None = None,
) -> list[tuple[Assignment, float]]:
    """Return the likeliest assignments of cards to players, each with its cost above the best one in nats.

    No player comes twice in an assignment; None stands for a second card of some player. Where arms were over the
    mark together, one may be taken for the other: so all cards are judged at once, by the directions of their arms
    and, a little, by the side on which they lie. At most seven players: all assignments are tried. ``said``: the
    owner of a card, by its id, where a person has said so.
    """
    seats: list[str | None] = [*angles, *([None] * len(cards))]
    costs = _costs(cards, angles, default, said or {})
    ways = set(permutations(seats, len(cards))) if len(cards) <= 3 else _greedy(costs, list(angles))
    ranked = sorted((_total(way, costs), _name_key(way), way) for way in ways)
    least, _, best = ranked[0]
    # One arm may be mistaken for anybody's, and two hands that cross for one another.
    best_counts = Counter(best)
    likely = [
        candidate
        for place, candidate in enumerate(ranked)
        if place < MAX_ASSIGNMENTS
        or Counter(candidate[2]) == best_counts
        or _count_differences(candidate[2], best) == 1
    ]
    return [(way, _nats(total - least)) for total, _, way in likely]


def _count_differences(way: Assignment, other: Assignment) -> int:
    """Return the number of cards for which two assignments have different owners."""
    return sum(mine != theirs for mine, theirs in zip(way, other, strict=True))


def _costs(
    cards: Sequence[CardLanded], angles: Mapping[str, float], default: str | None, said: Mapping[int, str]
) -> list[dict[str, float]]:
    """Return the cost in degrees of each player's owning each card."""
    middle = [sum(card.place_mm[axis] for card in cards) / len(cards) for axis in (0, 1)]
    return [
        {seat: 0.0 if seat == said[card.id] else 10 * SECOND_CARD_DEG for seat in angles}
        if card.id in said
        else {seat: _cost(card, middle, angles[seat], seat == default) for seat in angles}
        for card in cards
    ]


def _total(way: Assignment, costs: Sequence[Mapping[str, float]]) -> float:
    return sum(SECOND_CARD_DEG if seat is None else costs[k][seat] for k, seat in enumerate(way))


def _nats(off_deg: float) -> float:
    plain = off_deg / DEG_PER_NAT
    return min(plain, MISTAKEN_ARM_NATS + plain / 8)


def _greedy(costs: Sequence[Mapping[str, float]], seats: list[str]) -> list[Assignment]:
    """Return one assignment, the surest card first (four and more cards at the same moment are too many to try all)."""
    way: list[str | None] = [None] * len(costs)
    for _ in costs:
        left = [(costs[k][seat], k, seat) for k in range(len(costs)) for seat in seats if way[k] is None]
        if not left or min(left)[0] >= SECOND_CARD_DEG:
            break
        _, k, seat = min(left)
        way[k] = seat
        seats.remove(seat)
    return [tuple(way)]


def _name_key(way: Assignment) -> tuple[str, ...]:
    """Return the sort key among equal costs: the first by name, with an owner for the earlier card, is taken."""
    return tuple(seat or chr(0x10FFFF) for seat in way)


def _cost(card: CardLanded, middle: Sequence[float], angle: float, default: bool) -> float:
    """Return how badly a card fits the player at ``angle``, in degrees."""
    cost = (
        NO_ARM_DEG
        if card.arm_deg is None
        else card.arm_sure * angle_between(card.arm_deg, angle) + (1 - card.arm_sure) * NO_ARM_DEG
    )
    x, y = card.place_mm[0] - middle[0], card.place_mm[1] - middle[1]
    if hypot(x, y) >= CENTRAL_MM:
        # Clockwise from the picture's top; y runs down.
        cost += PLACE_WEIGHT * angle_between(degrees(atan2(x, -y)), angle)
    return cost - (DEFAULT_LEADER_BONUS_DEG if default else 0.0)
