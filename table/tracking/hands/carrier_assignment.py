"""Carrier assignment: whose hand laid which card, from all evidence about the hands weighed together.

Several observations tell of a hand, and each may err: the arm that touches a card when it comes to rest, the arm seen
with it while it was carried, the side from which its face came, the order in which arms came, and the direction in
which the card lies, for people hold a card along their arm. Each gives every hand that was there a likelihood; the
hands of all cards are assigned jointly, for one hand hardly lays two cards at once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.directions import angle_between
from table.table_geometry import mean_direction_deg
from table.tracking.scene.arm_detection import (
    ENTRY_ERROR_DEG,
    MIN_ARM_SEPARATION_DEG,
    UNKNOWN_DIRECTION,
    ArmContact,
    Direction,
)


@dataclass(frozen=True, slots=True)
class CarrierParameters:
    """Parameters of carrier assignment; chosen on the scene bench's tuning set."""

    beside: float = 0.1
    """Likelihood of a hand if only others were seen to touch the card."""
    much: float = 1.5
    """Weight of contacts that is full evidence (a frame in which an arm alone is at the card weighs 1)."""
    unseen: float = 0.02
    """Likelihood of a hand that was not seen if another one was."""
    inferred: float = 0.5
    """Factor for an unseen hand in the one direction from which the card came: it may be anywhere."""
    nobody: float = 0.5
    """Likelihood of a hand that was not seen if no other one was."""
    along_deg: float = 18.0
    """A card lies along its arm with about this standard deviation ..."""
    along: float = 0.6
    """... with this probability; otherwise at any angle (both recordings of real cards: 22 of 22 within 20 degrees)."""
    again: float = 0.1
    """Probability that a hand places two of the cards that land at once ..."""
    idle: float = 0.3
    """... that a hand which touched some of them placed none ..."""
    in_vain: float = 0.1
    """... and that a hand whose payload vanished placed none."""
    came_deg: float = 10.0
    """Standard deviation of the direction of approach from the direction of the hand."""
    at_once: int = 4
    """With more cards at once than this, each is assigned independently."""


NUMBERS: Final = CarrierParameters()

_Likelihoods = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CarrierEvidence:
    """The evidence about the hand that laid one card."""

    contacts: Sequence[ArmContact]
    """Contacts of arms with the card."""
    carrier_direction: Direction
    """Direction of the arm that carried it."""
    approach_directions: Sequence[Direction]
    """Directions of approach: by its carried detections, and by its face."""
    card_angle_deg: float | None
    """Direction of its upward edge, degrees; None if not visible."""


def several_hands(cards: Sequence[CarrierEvidence], in_turn: Sequence[Direction] = ()) -> bool:
    """Return whether more than one hand was near the ``cards``; ``in_turn``: the arms in the order of the landings."""
    return len(_cluster_hands(cards, in_turn)) > 1


def assign_carriers(
    cards: Sequence[CarrierEvidence],
    in_turn: Sequence[Direction] = (),
    lately: Sequence[Direction] = (),
    brought: Sequence[float] = (),
) -> list[Direction]:
    """Return the direction of the arm that laid each of the ``cards``, which landed together.

    Args:
        cards: the evidence about the hand of each.
        in_turn: the arms that came one after another, in the order in which the cards landed; empty if they did not.
            Either this whole order is right, or none of it.
        lately: the arms that laid a card just before.
        brought: directions of hands that were seen to come with a card and to leave without it.
    """
    hands = _cluster_hands(cards, in_turn)
    if not hands:
        return [UNKNOWN_DIRECTION for _ in cards]
    free = np.array([_p_available(hand, lately) for hand in hands] + [1.0])
    seen = _seen_hands(cards, in_turn, hands)
    tables = [_likelihoods(evidence, hands, seen) * free for evidence in cards]
    turn = [
        hands.index(_nearest(direction.angle, hands)) for direction in in_turn if direction.angle is not None
    ]
    against = max((_error_ratio(direction, len(hands)) for direction in in_turn), default=1.0)
    idle = [_p_idle(hand, hands, cards, lately, brought) for hand in hands]
    shares = _posterior(tables, turn, against, idle)
    told = []
    for evidence, share in zip(cards, shares, strict=True):
        best = int(np.argmax(share[:-1]))
        told.append(Direction(round(_direction(evidence, hands[best]), 1), round(float(share[best]), 3)))
    return told


def _cluster_hands(cards: Sequence[CarrierEvidence], in_turn: Sequence[Direction]) -> list[float]:
    """Return the directions of the hands that were there, by all evidence, clustered by angle."""
    told = _arm_weights(cards, in_turn)
    told += _weighted([side for evidence in cards for side in evidence.approach_directions], NUMBERS.came_deg)
    groups: list[list[tuple[float, float]]] = []
    for angle, weight in sorted(
        told, key=lambda pair: -pair[1]
    ):  # (what is but roughly known parts no hands)
        near = [group for group in groups if angle_between(group[0][0], angle) < MIN_ARM_SEPARATION_DEG]
        if near:
            min(near, key=lambda group: angle_between(group[0][0], angle)).append((angle, weight))
        else:
            groups.append([(angle, weight)])
    return [
        mean_direction_deg([angle for angle, _ in group], [weight for _, weight in group]) for group in groups
    ]


def _seen_hands(
    cards: Sequence[CarrierEvidence], in_turn: Sequence[Direction], hands: Sequence[float]
) -> set[float]:
    """Return those of the ``hands`` of which an arm was seen."""
    return {_nearest(angle, hands) for angle, _ in _arm_weights(cards, in_turn)}


def _arm_weights(cards: Sequence[CarrierEvidence], in_turn: Sequence[Direction]) -> list[tuple[float, float]]:
    """Return the directions of arms that were seen, with their weights."""
    told = [
        (touch.angle, touch.weight / touch.error_deg**2) for evidence in cards for touch in evidence.contacts
    ]
    carriers = [evidence.carrier_direction for evidence in cards]
    return told + _weighted([*carriers, *in_turn], ENTRY_ERROR_DEG)


def _weighted(sides: Sequence[Direction], off_deg: float) -> list[tuple[float, float]]:
    """Return the known directions with their weights; ``off_deg``: their error."""
    return [(side.angle, side.confidence / off_deg**2) for side in sides if side.angle is not None]


def _likelihoods(
    evidence: CarrierEvidence, hands: Sequence[float], seen_hands: Collection[float]
) -> _Likelihoods:
    """Return the likelihood of a card's evidence under each of the ``hands`` and, last, under one that nobody saw.

    A hand that is not among ``seen_hands`` is only inferred from where a card came from. But cards are also dealt from
    a pack and pushed aside, so it counts as a hand that nobody saw, in that one direction.
    """
    total = sum(touch.weight for touch in evidence.contacts)
    enough = min(1.0, total / NUMBERS.much)
    unseen = max(NUMBERS.unseen, NUMBERS.nobody * (1 - enough))
    likely = []
    for hand in hands:
        told = NUMBERS.inferred * unseen
        if hand in seen_hands:
            mine = sum(touch.weight for touch in evidence.contacts if _nearest(touch.angle, hands) == hand)
            touch = enough * mine / total if total else 0.0
            touch = NUMBERS.beside + (1 - NUMBERS.beside) * (touch + (1 - enough) / len(hands))
            # What touched a card and what it was seen with on its way are told by the same outlines: they count once.
            told = min(touch, _carried_ratio(evidence.carrier_direction, hand, hands))
        told *= _approach_ratio(evidence.approach_directions, hand)
        likely.append(told * _angle_density(evidence.card_angle_deg, hand))
    nobody = unseen * (1 - evidence.carrier_direction.confidence)
    nobody *= _approach_ratio(evidence.approach_directions, None)
    likely.append(nobody / 180.0)
    return np.array(likely)


def _approach_ratio(sides: Sequence[Direction], hand: float | None) -> float:
    """Return the likelihood ratio of directions of approach if ``hand`` laid the card, against a hand right there.

    Several directions tell of one path, so their geometric mean counts. ``hand`` None: one in any other direction.
    """
    logs = []
    for side in sides:
        if side.angle is not None:
            off = angle_between(side.angle, hand) / NUMBERS.came_deg if hand is not None else math.inf
            logs.append(math.log(max(math.exp(-0.5 * off * off), 1 - side.confidence, 1e-6)))
    return math.exp(sum(logs) / len(logs)) if logs else 1.0


def _carried_ratio(seen: Direction, hand: float, hands: Sequence[float]) -> float:
    """Return the likelihood ratio of an observed arm if ``hand`` laid the card, against its own hand."""
    if seen.angle is None or _nearest(seen.angle, hands) == hand:
        return 1.0
    return _error_ratio(seen, len(hands))


def _error_ratio(seen: Direction, hands: int) -> float:
    """Return the likelihood ratio of a wrong observation to a right one, with that many ``hands``."""
    return (1 - seen.confidence) / seen.confidence / (hands - 1) if hands > 1 else 1.0


def _p_idle(
    hand: float,
    hands: Sequence[float],
    cards: Sequence[CarrierEvidence],
    lately: Sequence[Direction],
    brought: Sequence[float],
) -> float:
    """Return the probability that a hand laid none of the ``cards``: who reaches in as others do does so to lay one.

    For a single card that is 1: another hand, that nobody saw, may have brought it.
    """
    if len(cards) < 2:
        return 1.0
    touches = [touch for evidence in cards for touch in evidence.contacts]
    touched = sum(touch.weight for touch in touches if _nearest(touch.angle, hands) == hand)
    busy = (1.0 - NUMBERS.idle) * min(1.0, touched / NUMBERS.much)
    if any(angle_between(angle, hand) < MIN_ARM_SEPARATION_DEG for angle in brought):
        busy = 1.0 - NUMBERS.in_vain
    return 1.0 - busy * _p_available(hand, lately)


def _angle_density(lies_deg: float | None, hand: float) -> float:
    """Return the probability density, per degree, of a card's direction, given the hand that laid it."""
    if lies_deg is None:
        return 1 / 180.0
    off = abs((lies_deg - hand + 90.0) % 180.0 - 90.0)
    bell = math.exp(-0.5 * (off / NUMBERS.along_deg) ** 2) / (NUMBERS.along_deg * math.sqrt(2 * math.pi))
    return NUMBERS.along * bell + (1 - NUMBERS.along) / 180.0


def _p_available(hand: float, lately: Sequence[Direction]) -> float:
    """Return the probability that a hand brings a card, given the cards laid ``lately``."""
    busy = [
        direction.confidence
        for direction in lately
        if direction.angle is not None and angle_between(direction.angle, hand) < MIN_ARM_SEPARATION_DEG
    ]
    return 1.0 - (1.0 - NUMBERS.again) * max(busy, default=0.0)


def _posterior(
    tables: Sequence[_Likelihoods], in_turn: Sequence[int], against: float, idle: Sequence[float]
) -> list[_Likelihoods]:
    """Return the posterior of the hands for each card; hardly any hand lays two cards, or none.

    Args:
        tables: likelihoods of the hands, and of an unseen one, for each card.
        in_turn: the hands by the order in which they came; empty without such an order.
        against: likelihood ratio of another assignment than that.
        idle: for each hand, the probability that it laid none.
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


def _direction(evidence: CarrierEvidence, hand: float) -> float:
    """Return the direction of a hand by its evidence at that card, weighted by precision; else its mean direction."""
    near = [touch for touch in evidence.contacts if angle_between(touch.angle, hand) < MIN_ARM_SEPARATION_DEG]
    weights = [touch.weight / touch.error_deg**2 for touch in near]
    mean = mean_direction_deg([touch.angle for touch in near], weights) if near else hand
    off_deg = max(ENTRY_ERROR_DEG, _scatter_deg(near, mean))
    told = _weighted(evidence.approach_directions, NUMBERS.came_deg) + _weighted(
        [evidence.carrier_direction], off_deg
    )
    seen = [side for side in told if angle_between(side[0], hand) < MIN_ARM_SEPARATION_DEG]
    if near:
        seen.append((mean, min(1 / off_deg**2, sum(weights) / sum(touch.weight for touch in near))))
    if not seen:
        return hand
    if evidence.card_angle_deg is not None:
        apart_deg = 2 * math.hypot(NUMBERS.along_deg, 1 / math.sqrt(sum(weight for _, weight in seen)))
        along = [
            (turn, NUMBERS.along / NUMBERS.along_deg**2)
            for turn in (evidence.card_angle_deg, evidence.card_angle_deg + 180)
        ]
        seen += [side for side in along if angle_between(side[0], hand) < apart_deg]
    return mean_direction_deg([angle for angle, _ in seen], [weight for _, weight in seen])


def _scatter_deg(touches: Sequence[ArmContact], mean_deg: float) -> float:
    """Return the scatter of an arm's entry direction from frame to frame, degrees.

    An arm that looks like the cloth shows now this part, now that.
    """
    if not touches:
        return 0.0
    off = sum(touch.weight * angle_between(touch.angle, mean_deg) ** 2 for touch in touches)
    return math.sqrt(off / sum(touch.weight for touch in touches))


def _nearest(angle: float, hands: Sequence[float]) -> float:
    return min(hands, key=lambda hand: angle_between(hand, angle))
