"""Association of carried detections with the known cards, and tracklets of those that belong to none.

For each pair of a carried detection and a known card the log-odds are summed that both are one card, against a card
that is not known yet: of the names, of the hand and of the position, and of what excludes that card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from table.observed_facts import MS
from table.tracking.hands.carried_card_evidence import NUMBERS as CARRIED
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.hands.carried_card_tracklet import CarriedDetection
from table.tracking.imaging.quad_geometry import INDEX_ANGLE_ERROR_DEG, rotation_between
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True)
class CarriedLogOddsParameters:
    """Log-odds that a carried detection is a known card, against one that is not known yet.

    Fitted, as a logit, on 4,409 pairs of 740 scenes of the tuning sets: 98 are told wrongly.
    """

    bias: float = 1.7
    """Log-odds without evidence: most carried detections are of cards that are known by the time of the question."""
    name: float = 0.8
    """Weight of the log-likelihood ratio of the readings: detections of a card in motion err alike."""
    misread: float = 0.02
    """Probability that a card is detected by any other name, however surely."""
    lay: float = -3.0
    """The card lay by then, and was published: what moves is another (3.9 by the fit; less, for one of its own corners
    that is misread once is no further card)."""
    together: float = -2.7
    """Cards of both names were seen in one image."""
    hand: float = 1.5
    """The hand that brought the card held the detection; the opposite if another one did."""
    place: float = 2.1
    """The detection is where the card was then; less in proportion to its distance from there ..."""
    place_px: float = 40.0
    """... by so much for each multiple of this distance, ..."""
    max_px: float = 120.0
    """... up to this distance."""
    enough: float = 3.0
    """Minimum log-odds, negated, of the likeliest known card for a tracklet of a card that is not known (of 11 such
    births in the filmed tuning set, the least has 3.02)."""


NUMBERS: Final = CarriedLogOddsParameters()


@dataclass(frozen=True, slots=True)
class LinkParameters:
    """Parameters of links between the detections of one motion; chosen on the scene bench's tuning set."""

    near_px: float = 40.0
    """Distance of two detections that needs no motion, and that a common name is worth, ..."""
    speed_px: float = 3.5
    """... maximum speed of a card in pixels per millisecond (2.2 metres a second), ..."""
    turns_deg: float = 0.3
    """... and its maximum angular speed in degrees per millisecond."""


LINKS: Final = LinkParameters()


def log_odds_of(
    tracklet: Sequence[CarriedDetection], card: TrackedCard, scene: SceneState, carried: CarriedObservations
) -> float:
    """Return the log-odds (nats) that the detections of a carried card are of the known ``card``.

    Detections of one motion err alike: n of them count like the square root of n independent ones.
    """
    known = NUMBERS.bias
    if card.is_published and tracklet[-1].t_ns >= card.landed_ns:
        known += NUMBERS.lay
    if carried.seen_together_with(card.name).intersection(detection.name for detection in tracklet):
        known += NUMBERS.together
    quad = None if card.occluded_at_birth else card.quad
    carrier_angle = carried.carrier_angle(card.name, scene.now_ns, quad)
    path = carried.tracklet_of(card.name)
    odds = [
        _name_log_odds(detection, card)
        + _hand_log_odds(detection, carrier_angle)
        + _place_log_odds(path.distance_from_path(detection, card.quad))
        for detection in tracklet
    ]
    return known + sum(odds) / math.sqrt(len(odds))


def _name_log_odds(detection: CarriedDetection, card: TrackedCard) -> float:
    """Return the log-odds by the readings; what those leave open may be this card as well as any."""
    readings = detection.detection.readings
    unnamed = max(0.0, 1.0 - sum(reading.confidence for reading in readings))
    ratio = card.name_likelihood_ratio(readings) + unnamed
    return NUMBERS.name * math.log(NUMBERS.misread + (1.0 - NUMBERS.misread) * ratio)


def _hand_log_odds(detection: CarriedDetection, carrier_angle: float | None) -> float:
    """Return the log-odds by the hand that held a detection, given the direction (degrees) of the card's carrier."""
    held = detection.was_held_by(carrier_angle)
    if held is None:
        return 0.0
    return NUMBERS.hand if held else -NUMBERS.hand


def _place_log_odds(distance_px: float | None) -> float:
    """Return the log-odds by the distance of a detection from where the card was then; None if that is unknown."""
    if distance_px is None:
        return 0.0
    return NUMBERS.place * (1.0 - min(distance_px, NUMBERS.max_px) / NUMBERS.place_px)


def relabel_carried(scene: SceneState, carried: CarriedObservations) -> None:
    """Relabel the carried detections of untracked names that are likely one of the tracked cards."""
    cards = scene.tracks.all
    names = {card.name for card in cards}
    for detection in reversed(carried.since(scene.now_ns - CARRIED.kept_ns)):
        if detection.name in names:
            continue
        odds = {card: log_odds_of([detection], card, scene, carried) for card in cards}
        likeliest = max(cards, key=odds.__getitem__)
        if odds[likeliest] > 0:
            carried.relabel([detection], likeliest.name)


def find_unassigned_tracklets(
    cards: Sequence[TrackedCard], scene: SceneState, carried: CarriedObservations
) -> list[list[CarriedDetection]]:
    """Return the tracklets that likely belong to none of the known ``cards``, the surest first.

    All of them do where no card is known.
    """

    def highest_log_odds(tracklet: Sequence[CarriedDetection]) -> float:
        return max((log_odds_of(tracklet, card, scene, carried) for card in cards), default=-NUMBERS.enough)

    unknown = [
        detection
        for detection in carried.since(scene.now_ns - CARRIED.kept_ns)
        if highest_log_odds([detection]) < 0
    ]
    scored = [(highest_log_odds(tracklet), tracklet) for tracklet in link_tracklets(unknown)]
    unlike = [pair for pair in scored if pair[0] <= -NUMBERS.enough]
    return [tracklet for _, tracklet in sorted(unlike, key=lambda pair: pair[0])]


def link_tracklets(detections: Sequence[CarriedDetection]) -> list[list[CarriedDetection]]:
    """Link detections to the tracklets of single cards: each as near to the previous one as a hand can move.

    One image shows each card once: the detection that is nearest to a tracklet, and has a name in common, is linked
    first.
    """
    tracklets: list[list[CarriedDetection]] = []
    for _, of_frame in groupby(detections, key=lambda detection: detection.t_ns):
        unlinked = list(of_frame)
        links = [
            (distance, detection, tracklet)
            for tracklet in tracklets
            for detection in unlinked
            if (distance := _link_distance(tracklet, detection)) is not None
        ]
        for _, detection, tracklet in sorted(links, key=lambda link: link[0]):
            if detection in unlinked and tracklet[-1].t_ns < detection.t_ns:
                tracklet.append(detection)
                unlinked.remove(detection)
        tracklets += [[detection] for detection in unlinked]
    return tracklets


def _link_distance(tracklet: Sequence[CarriedDetection], detection: CarriedDetection) -> float | None:
    """Return the distance (mark pixels) of a detection from a tracklet, less a bonus for a common name.

    None if no card moves or turns that fast.
    """
    here, past = detection.detection, tracklet[-1].detection
    far = math.dist(here.centre, past.centre)
    passed_ms = (detection.t_ns - tracklet[-1].t_ns) / MS
    reach = far <= LINKS.near_px + LINKS.speed_px * passed_ms
    turns = rotation_between(here.quad, past.quad) <= INDEX_ANGLE_ERROR_DEG + LINKS.turns_deg * passed_ms
    if not (reach and turns):
        return None
    named = any(other.name == detection.name for other in tracklet)
    return far - LINKS.near_px * named
