"""Carrier assignment: whose hand laid which card, from all evidence about the hands weighed together.

Three observations tell of a hand, and each may err: the arm that touches a card when it comes to rest, the direction
from which the card came, and the direction in which it lies, for people hold a card along their arm. Each gives every
hand that was there a likelihood; the hands of all cards are assigned jointly, for one hand hardly lays two cards at
once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.directions import angle_between
from table.table_geometry import mean_direction_deg
from table.tracking.scene.arm_detection import (
    MIN_ARM_SEPARATION_DEG,
    UNKNOWN_DIRECTION,
    Direction,
)


@dataclass(frozen=True, slots=True)
class CarrierParameters:
    """Parameters of carrier assignment; chosen on 1,483 cards of the scene bench's filmed tuning set."""

    untouched: float = 0.015
    """Likelihood of a hand if only others were seen to touch the card."""
    much: float = 1.5
    """Number of contacts that is full evidence (one for each frame in which an arm touches the card)."""
    along_deg: float = 15.0
    """A card lies along its arm with about this standard deviation ..."""
    along: float = 0.75
    """... with this probability; otherwise at any angle (both recordings of real cards: 22 of 22 within 20 degrees)."""
    again: float = 0.02
    """Probability that a hand places two of the cards that land at once."""
    entry_deg: float = 3.0
    """Standard deviation of the direction of an arm, by the place where it enters the image."""
    came_deg: float = 18.0
    """Standard deviation of the direction of approach from the direction of the hand (with 10, 6 of 335 cards that were
    dealt from a pack are of the hand that holds the pack)."""
    at_once: int = 4
    """With more cards at once than this, each is assigned independently."""


NUMBERS: Final = CarrierParameters()

_Likelihoods = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CarrierEvidence:
    """The evidence about the hand that laid one card."""

    contacts: Sequence[Direction]
    """Directions of the arms that touch the card, frame by frame; of a thrown card, of those seen before it lay."""
    approach_directions: Sequence[Direction] = ()
    """Directions of approach: by its carried detections, and by its face."""
    card_angle_deg: float | None = None
    """Direction of its upward edge, degrees; None if not visible."""


def several_hands(cards: Sequence[CarrierEvidence]) -> bool:
    """Return whether more than one hand was near the ``cards``."""
    return len(_cluster_hands(cards)) > 1


def assign_carriers(cards: Sequence[CarrierEvidence]) -> list[Direction]:
    """Return the direction of the arm that laid each of the ``cards``, which landed together."""
    hands = _cluster_hands(cards)
    if not hands:
        return [UNKNOWN_DIRECTION for _ in cards]
    directions = []
    for shares in _posterior([_likelihoods(evidence, hands) for evidence in cards]):
        best = int(np.argmax(shares[:-1]))
        directions.append(Direction(round(hands[best], 1), round(float(shares[best]), 3)))
    return directions


def _cluster_hands(cards: Sequence[CarrierEvidence]) -> list[float]:
    """Return the directions of the hands that were there, by all evidence, clustered by angle."""
    weighted: list[tuple[float, float]] = []
    for evidence in cards:
        weighted += _weighted(evidence.contacts, NUMBERS.entry_deg)
        weighted += _weighted(evidence.approach_directions, NUMBERS.came_deg)
    clusters: list[list[tuple[float, float]]] = []
    # A direction with a large error starts no cluster of its own beside a precise one.
    for angle, weight in sorted(weighted, key=lambda pair: -pair[1]):
        near = [
            cluster for cluster in clusters if angle_between(cluster[0][0], angle) < MIN_ARM_SEPARATION_DEG
        ]
        if near:
            min(near, key=lambda cluster: angle_between(cluster[0][0], angle)).append((angle, weight))
        else:
            clusters.append([(angle, weight)])
    return [
        mean_direction_deg([angle for angle, _ in cluster], [weight for _, weight in cluster])
        for cluster in clusters
    ]


def _weighted(directions: Sequence[Direction], error_deg: float) -> list[tuple[float, float]]:
    """Return the angles of the known directions with their weights, given their standard error."""
    return [
        (direction.angle, direction.confidence / error_deg**2)
        for direction in directions
        if direction.angle is not None
    ]


def _likelihoods(evidence: CarrierEvidence, hands: Sequence[float]) -> _Likelihoods:
    """Return the likelihood of a card's evidence under each of the ``hands`` and, last, under one that nobody saw."""
    contacts = [(_nearest(angle, hands), weight) for angle, weight in _weighted(evidence.contacts, 1.0)]
    total = sum(weight for _, weight in contacts)
    enough = min(1.0, total / NUMBERS.much)
    likelihoods = []
    for hand in [*hands, None]:
        mine = sum(weight for toucher, weight in contacts if toucher == hand)
        touches = (enough * mine / total if total else 0.0) + (1 - enough) / (len(hands) + 1)
        likelihood = NUMBERS.untouched + (1 - NUMBERS.untouched) * touches
        likelihood *= _approach_ratio(evidence.approach_directions, hand)
        likelihoods.append(likelihood * _angle_density(evidence.card_angle_deg, hand))
    return np.array(likelihoods)


def _approach_ratio(directions: Sequence[Direction], hand: float | None) -> float:
    """Return the likelihood ratio of directions of approach if ``hand`` laid the card, against a hand right there.

    Several directions tell of one path, so their geometric mean counts. ``hand`` None: one in any other direction.
    """
    logs = []
    for direction in directions:
        if direction.angle is not None:
            off = angle_between(direction.angle, hand) / NUMBERS.came_deg if hand is not None else math.inf
            logs.append(math.log(max(math.exp(-0.5 * off * off), 1 - direction.confidence, 1e-6)))
    return math.exp(sum(logs) / len(logs)) if logs else 1.0


def _angle_density(lies_deg: float | None, hand: float | None) -> float:
    """Return the probability density, per degree, of a card's direction, given the hand that laid it."""
    if lies_deg is None or hand is None:
        return 1 / 180.0
    off = abs((lies_deg - hand + 90.0) % 180.0 - 90.0)
    bell = math.exp(-0.5 * (off / NUMBERS.along_deg) ** 2) / (NUMBERS.along_deg * math.sqrt(2 * math.pi))
    return NUMBERS.along * bell + (1 - NUMBERS.along) / 180.0


def _posterior(tables: Sequence[_Likelihoods]) -> list[_Likelihoods]:
    """Return the posterior of the hands for each card; hardly any hand lays two cards.

    ``tables``: likelihoods of the hands, and of an unseen one, for each card.
    """
    if len(tables) > NUMBERS.at_once:
        return [table / table.sum() for table in tables]
    nobody = len(tables[0]) - 1
    shares = [np.zeros_like(table) for table in tables]
    for assignment in product(range(nobody + 1), repeat=len(tables)):
        seen = [hand for hand in assignment if hand != nobody]
        likelihood = NUMBERS.again ** (len(seen) - len(set(seen)))
        for table, hand in zip(tables, assignment, strict=True):
            likelihood *= float(table[hand])
        for share, hand in zip(shares, assignment, strict=True):
            share[hand] += likelihood
    return [share / share.sum() for share in shares]


def _nearest(angle: float, hands: Sequence[float]) -> float:
    return min(hands, key=lambda hand: angle_between(hand, angle))
