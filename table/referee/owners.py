"""Whose cards are these: several cards that landed at about the same time, each player having laid one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import atan2, degrees, hypot

from table.facts import CardLanded
from table.referee.odds import turn

NOBODY = 150.0
"""Degrees: a card is taken for a second one of some player rather than for one whose arm was this far off."""
UNSEEN = 60.0
"""What a card costs whose arm was not seen, whoever's it is."""
PLACE_SHARE = 0.25
"""A card tends to lie on its player's side; that counts so much of what the arm counts."""
CENTRAL_MM = 15.0
"""Nearer to the middle of the cards than this the place says nothing."""
DEFAULT_BONUS = 10.0
"""A card that nothing else decides is the default leader's."""
NAT_DEG = 20.0
"""So many degrees off are one nat ..."""
MISTAKEN = 4.5
"""... but an arm that was plainly mistaken costs no more than about this, in nats: arms cross."""
MOST = 4
"""So many ways are worth following, besides those that make one mistake, or exchange the owners, of the best."""

Way = tuple[str | None, ...]


def owners(
    cards: Sequence[CardLanded],
    angles: Mapping[str, float],
    default: str | None,
    said: Mapping[int, str] | None = None,
) -> list[tuple[Way, float]]:
    """The likeliest owners of the cards, each way with what it costs more than the best, in nats.

    No player comes twice in a way; None stands for a second card of some player. Where arms were over the mark
    together, one may be taken for the other: so all cards are judged at once, by the directions of their arms and, a
    little, by the side on which they lie. At most seven players: all ways are tried. ``said``: whose a card is,
    by its number, where a person has said so.
    """
    seats: list[str | None] = [*angles, *([None] * len(cards))]
    costs = _costs(cards, angles, default, said or {})
    ways = set(permutations(seats, len(cards))) if len(cards) <= 3 else _greedy(costs, list(angles))
    ranked = sorted((_total(way, costs), _named(way), way) for way in ways)
    least, _, best = ranked[0]
    # One arm may be anybody's; and two hands that cross are taken for one another.
    everybody = Counter(best)
    likely = [
        one
        for place, one in enumerate(ranked)
        if place < MOST or Counter(one[2]) == everybody or _apart(one[2], best) == 1
    ]
    return [(way, _nats(total - least)) for total, _, way in likely]


def _apart(one: Way, other: Way) -> int:
    """Of how many cards two ways see another owner."""
    return sum(mine != theirs for mine, theirs in zip(one, other, strict=True))


def _costs(
    cards: Sequence[CardLanded], angles: Mapping[str, float], default: str | None, said: Mapping[int, str]
) -> list[dict[str, float]]:
    """For each card what it costs, in degrees, that it is a player's."""
    middle = [sum(card.place_mm[axis] for card in cards) / len(cards) for axis in (0, 1)]
    return [
        {seat: 0.0 if seat == said[card.id] else 10 * NOBODY for seat in angles}
        if card.id in said
        else {seat: _cost(card, middle, angles[seat], seat == default) for seat in angles}
        for card in cards
    ]


def _total(way: Way, costs: Sequence[Mapping[str, float]]) -> float:
    return sum(NOBODY if seat is None else costs[k][seat] for k, seat in enumerate(way))


def _nats(off_deg: float) -> float:
    plain = off_deg / NAT_DEG
    return min(plain, MISTAKEN + plain / 8)


def _greedy(costs: Sequence[Mapping[str, float]], seats: list[str]) -> list[Way]:
    """One way: the surest card first (four and more at the same moment are too many to try all ways)."""
    way: list[str | None] = [None] * len(costs)
    for _ in costs:
        left = [(costs[k][seat], k, seat) for k in range(len(costs)) for seat in seats if way[k] is None]
        if not left or min(left)[0] >= NOBODY:
            break
        _, k, seat = min(left)
        way[k] = seat
        seats.remove(seat)
    return [tuple(way)]


def _named(way: Way) -> tuple[str, ...]:
    """Of ways that cost the same, the first by name, with an owner for the earlier card, is taken."""
    return tuple(seat or chr(0x10FFFF) for seat in way)


def _cost(card: CardLanded, middle: Sequence[float], angle: float, default: bool) -> float:
    """How ill the card fits the player at ``angle``, in degrees."""
    cost = (
        UNSEEN
        if card.arm_deg is None
        else card.arm_sure * turn(card.arm_deg, angle) + (1 - card.arm_sure) * UNSEEN
    )
    x, y = card.place_mm[0] - middle[0], card.place_mm[1] - middle[1]
    if hypot(x, y) >= CENTRAL_MM:
        # Clockwise from the picture's top; y runs down.
        cost += PLACE_SHARE * turn(degrees(atan2(x, -y)), angle)
    return cost - (DEFAULT_BONUS if default else 0.0)
