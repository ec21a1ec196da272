"""Whose hand laid a card: all that was seen of the hands about it, weighed together.

Several things tell of a hand, and each may err: the arm that touches a card when it comes to rest, the arm that it was
seen with on its way, the side from which its face came, the order in which arms came, and the way the card lies, for
people hold a card along their arm.
Each gives every hand that was there a likelihood; what is likely of the hands together is told, for one hand hardly
lays two cards at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.sight.arms import ASIDE_DEG, ENTERS_DEG, UNSEEN, Direction, Touch
from table.sight.geometry import angle_between, mean_direction_deg


@dataclass(frozen=True, slots=True)
class OwnerNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    beside: float = 0.1
    """The likelihood of a hand though only others were seen to touch the card."""
    much: float = 1.5
    """Touches of so much weight tell all that touches can (a frame in which an arm alone is at the card weighs 1)."""
    unseen: float = 0.02
    """The likelihood of a hand that was not seen though another one was ..."""
    nobody: float = 0.5
    """... and where none was."""
    along_deg: float = 18.0
    """A card lies along its arm to within about this ..."""
    along: float = 0.6
    """... so often; else it lies anyhow (both recordings of real cards: 22 of 22 within 20 degrees)."""
    again: float = 0.1
    """How likely it is that a hand brings two of the cards that land at once ..."""
    idle: float = 0.3
    """... that one which touches some of them brought none ..."""
    in_vain: float = 0.1
    """... and one that was seen to come with a card and to go without it."""
    came_deg: float = 10.0
    """The side that a card was seen to come from is that of its hand to within about this."""
    at_once: int = 4
    """Of more cards at once each is judged for itself."""


NUMBERS: Final = OwnerNumbers()

_Likelihoods = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen of the hand that laid one card."""

    touches: Sequence[Touch]
    """The arms that touched it."""
    carried: Direction
    """The arm that it was seen with on its way."""
    came: Sequence[Direction]
    """The sides from which it was seen to come: by what it was read as on its way, and by its face."""
    lies_deg: float | None
    """The direction of its upward edge; None where nobody saw that."""


def several_hands(cards: Sequence[Evidence], in_turn: Sequence[Direction] = ()) -> bool:
    """Whether more hands than one were about the ``cards``; ``in_turn`` as for `owners`."""
    return len(_hands(cards, in_turn)) > 1


def owners(
    cards: Sequence[Evidence],
    in_turn: Sequence[Direction] = (),
    lately: Sequence[Direction] = (),
    brought: Sequence[float] = (),
) -> list[Direction]:
    """By whose arms the ``cards``, which landed together, were laid.

    Args:
        cards: what was seen of the hand of each.
        in_turn: the arms that came one after another, in the order in which the cards landed; empty where they
            did not. Either all of that tells who laid the cards, or nothing of it.
        lately: who laid one just before.
        brought: the directions of hands that were seen to come with a card and to go without it.
    """
    hands = _hands(cards, in_turn)
    if not hands:
        return [UNSEEN for _ in cards]
    free = np.array([_free(hand, lately) for hand in hands] + [1.0])
    tables = [_likelihoods(one, hands) * free for one in cards]
    turn = [hands.index(_nearest(one.angle, hands)) for one in in_turn if one.angle is not None]
    against = max((_against(one, len(hands)) for one in in_turn), default=1.0)
    idle = [_idle(hand, hands, cards, lately, brought) for hand in hands]
    shares = _shares(tables, turn, against, idle)
    told = []
    for one, share in zip(cards, shares, strict=True):
        best = int(np.argmax(share[:-1]))
        told.append(Direction(round(_direction(one, hands[best]), 1), round(float(share[best]), 3)))
    return told


def _hands(cards: Sequence[Evidence], in_turn: Sequence[Direction]) -> list[float]:
    """The directions of the hands that were there, by all that was seen of each, as well as that tells."""
    told = [(touch.angle, touch.weight / touch.off_deg**2) for one in cards for touch in one.touches]
    told += _weighed([*(one.carried for one in cards), *in_turn], ENTERS_DEG)
    told += _weighed([side for one in cards for side in one.came], NUMBERS.came_deg)
    groups: list[list[tuple[float, float]]] = []
    for angle, weight in sorted(told, key=lambda one: -one[1]):  # (what is but roughly known parts no hands)
        near = [group for group in groups if angle_between(group[0][0], angle) < ASIDE_DEG]
        if near:
            min(near, key=lambda group: angle_between(group[0][0], angle)).append((angle, weight))
        else:
            groups.append([(angle, weight)])
    return [
        mean_direction_deg([angle for angle, _ in group], [weight for _, weight in group]) for group in groups
    ]


def _weighed(sides: Sequence[Direction], off_deg: float) -> list[tuple[float, float]]:
    """The directions that were seen, each known to within about that, and how much each tells."""
    return [(side.angle, side.sure / off_deg**2) for side in sides if side.angle is not None]


def _likelihoods(one: Evidence, hands: Sequence[float]) -> _Likelihoods:
    """How likely what was seen of a card is if each of the ``hands``, or at last one that nobody saw, laid it."""
    total = sum(touch.weight for touch in one.touches)
    enough = min(1.0, total / NUMBERS.much)
    likely = []
    for hand in hands:
        mine = sum(touch.weight for touch in one.touches if _nearest(touch.angle, hands) == hand)
        touch = enough * mine / total if total else 0.0
        touch = NUMBERS.beside + (1 - NUMBERS.beside) * (touch + (1 - enough) / len(hands))
        # What touched a card and what it was seen with on its way are told by the same outlines: they count once.
        told = min(touch, _by(one.carried, hand, hands))
        for side in one.came:
            if side.angle is not None:
                off = angle_between(side.angle, hand) / NUMBERS.came_deg
                told *= max(math.exp(-0.5 * off * off), 1 - side.sure)
        likely.append(told * _along(one.lies_deg, hand))
    nobody = max(NUMBERS.unseen, NUMBERS.nobody * (1 - enough))
    for seen in (one.carried, *one.came):
        if seen.angle is not None:
            nobody *= 1 - seen.sure
    likely.append(nobody / 180.0)
    return np.array(likely)


def _by(seen: Direction, hand: float, hands: Sequence[float]) -> float:
    """How likely it is that an arm was seen so if that ``hand`` laid the card, against its own hand's laying it."""
    if seen.angle is None or _nearest(seen.angle, hands) == hand:
        return 1.0
    return _against(seen, len(hands))


def _against(seen: Direction, hands: int) -> float:
    """How likely it is that this was seen, of so many ``hands``, and another is true, against its being true."""
    return (1 - seen.sure) / seen.sure / (hands - 1) if hands > 1 else 1.0


def _idle(
    hand: float,
    hands: Sequence[float],
    cards: Sequence[Evidence],
    lately: Sequence[Direction],
    brought: Sequence[float],
) -> float:
    """How likely it is that a hand laid none of the ``cards``: who reaches in as others do does so to lay one.

    Of one card alone that says nothing: what brought it may be another hand, that nobody saw.
    """
    if len(cards) < 2:
        return 1.0
    touches = [touch for one in cards for touch in one.touches]
    touched = sum(touch.weight for touch in touches if _nearest(touch.angle, hands) == hand)
    busy = (1.0 - NUMBERS.idle) * min(1.0, touched / NUMBERS.much)
    if any(angle_between(angle, hand) < ASIDE_DEG for angle in brought):
        busy = 1.0 - NUMBERS.in_vain
    return 1.0 - busy * _free(hand, lately)


def _along(lies_deg: float | None, hand: float) -> float:
    """The density, a degree, with which a card that a hand lays down lies so."""
    if lies_deg is None:
        return 1 / 180.0
    off = abs((lies_deg - hand + 90.0) % 180.0 - 90.0)
    bell = math.exp(-0.5 * (off / NUMBERS.along_deg) ** 2) / (NUMBERS.along_deg * math.sqrt(2 * math.pi))
    return NUMBERS.along * bell + (1 - NUMBERS.along) / 180.0


def _free(hand: float, lately: Sequence[Direction]) -> float:
    """How likely it is that a hand brings a card though others were laid ``lately``."""
    busy = [
        one.sure for one in lately if one.angle is not None and angle_between(one.angle, hand) < ASIDE_DEG
    ]
    return 1.0 - (1.0 - NUMBERS.again) * max(busy, default=0.0)


def _shares(
    tables: Sequence[_Likelihoods], in_turn: Sequence[int], against: float, idle: Sequence[float]
) -> list[_Likelihoods]:
    """The probability of each hand for each card; no hand, as far as that is likely, lays two, and none lays nothing.

    Args:
        tables: the likelihoods of the hands, and of none that was seen, for each card.
        in_turn: which hands are told by their order; empty where none are.
        against: how likely it is that they are others.
        idle: of each hand, how likely it is that it laid none.
    """
    if len(tables) > NUMBERS.at_once:
        return [table / table.sum() for table in tables]
    nobody = len(tables[0]) - 1
    shares = [np.zeros_like(table) for table in tables]
    for way in product(range(nobody + 1), repeat=len(tables)):
        seen = [hand for hand in way if hand != nobody]
        likely = NUMBERS.again ** (len(seen) - len(set(seen)))
        likely *= math.prod(part for hand, part in enumerate(idle) if hand not in seen)
        if in_turn and list(way) != list(in_turn):
            likely *= against
        for table, hand in zip(tables, way, strict=True):
            likely *= float(table[hand])
        for share, hand in zip(shares, way, strict=True):
            share[hand] += likely
    return [share / share.sum() for share in shares]


def _direction(one: Evidence, hand: float) -> float:
    """The direction of a hand by all that was seen of it at that card, each as well as it is known; else as it was
    anywhere."""
    near = [touch for touch in one.touches if angle_between(touch.angle, hand) < ASIDE_DEG]
    weights = [touch.weight / touch.off_deg**2 for touch in near]
    mean = mean_direction_deg([touch.angle for touch in near], weights) if near else hand
    off_deg = max(ENTERS_DEG, _scatter_deg(near, mean))
    told = _weighed(one.came, NUMBERS.came_deg) + _weighed([one.carried], off_deg)
    seen = [side for side in told if angle_between(side[0], hand) < ASIDE_DEG]
    if near:
        seen.append((mean, min(1 / off_deg**2, sum(weights) / sum(touch.weight for touch in near))))
    if not seen:
        return hand
    if one.lies_deg is not None:
        apart_deg = 2 * math.hypot(NUMBERS.along_deg, 1 / math.sqrt(sum(weight for _, weight in seen)))
        along = [(turn, NUMBERS.along / NUMBERS.along_deg**2) for turn in (one.lies_deg, one.lies_deg + 180)]
        seen += [side for side in along if angle_between(side[0], hand) < apart_deg]
    return mean_direction_deg([angle for angle, _ in seen], [weight for _, weight in seen])


def _scatter_deg(touches: Sequence[Touch], mean_deg: float) -> float:
    """By how much, as seen from the mark, an arm entered the picture elsewhere from one frame to the next.

    Of one that is like the cloth now this part is seen, now that.
    """
    if not touches:
        return 0.0
    off = sum(touch.weight * angle_between(touch.angle, mean_deg) ** 2 for touch in touches)
    return math.sqrt(off / sum(touch.weight for touch in touches))


def _nearest(angle: float, hands: Sequence[float]) -> float:
    return min(hands, key=lambda hand: angle_between(hand, angle))
