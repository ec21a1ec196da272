"""The track of one physical card on the mark, or about to land on it: pose, readings, template and state."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from table.detection.card_detections import Box
from table.observed_facts import Reading
from table.table_geometry import Points, bounding_slices, polygon_mask
from table.tracking.imaging.card_registration import (
    NO_FIT,
    CardTemplate,
    Grey,
    RegistrationFit,
    card_is_at_place,
)
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.quad_geometry import (
    INDEX_ANGLE_ERROR_DEG,
    OUTLINE_ERROR_PX,
    all_boxes_coincide,
    box_centre_is_inside,
    box_corners,
    distance_to_index,
    quad_centre,
    rotation_between,
    same_place,
)
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS, index_has_changed
from table.tracking.scene.detections import P_POSSIBLE, Detection

MIN_CONFIDENCE_GAIN: Final = 0.15
"""Minimum gain in confidence for which a corrected reading is published."""
MIN_P_OTHER: Final = 0.7
"""Minimum probability that a detection is read rightly, and a card is another one: then they are two cards.

Chosen on films of cards dealt onto one pile, where compression leaves single readings of .8 to .9.
"""
MAX_CHANGED_SHARE: Final = 0.08
"""A region of which more than this share of pixels has changed shows something else."""
P_PROBABLE: Final = 0.6
"""Minimum probability of a probable identity; a card read with less is detected again once all is at rest."""
P_CONFIRMED: Final = 0.9
"""Minimum probability of a confirmed identity: the card is no other."""
_P_FACE_UP: Final = 0.2
"""Probability that a card of which only the shape has been seen lies face up, and can be read after all (chosen)."""
_MIN_LIKELIHOOD: Final = 1e-4
"""A detection is wrong at least this often, however sure it is."""
_PACK_SIZE: Final = 52
_OTHER: Final = ""
"""A card that no detection names."""
MAX_STATIC_OFFSET_PX: Final = 2.0
"""An index detected within this distance of its present position was at rest."""


@dataclass(eq=False)
class TrackedCard:
    """The track of one physical card, landed or about to land."""

    quad: Points
    """Present outline, TL, TR, BR, BL, mark pixels."""
    first_detected_ns: int
    """Stamp of the first frame in which the card was detected at rest."""
    static_since_ns: int = 0
    """Stamp of the earliest detection at the same place, even while a hand touched the card."""
    last_moving_ns: int | None = None
    """Stamp of the last confident detection at another place, on the way to this one; None without one."""
    readings: list[tuple[Reading, ...]] = field(default_factory=list)
    """Readings of each detection, best first; those that are not named share the rest."""
    id: int = 0
    """Id under which the card was published; 0 before that."""
    published_readings: tuple[Reading, ...] = ()
    """The readings that were published last."""
    landed_ns: int = 0
    """Stamp of the first frame in which the card lies at rest, as published."""
    published_ns: int = 0
    """Stamp of the frame in which the landing was published."""
    template_image: Grey | None = None
    """Grey mark image in which the card lies at rest: the card's template."""
    template_mask: Mask | None = None
    """Pixels of ``template_image`` that show the card itself."""
    mark_before: Grey | None = None
    """Grey mark image as it was before this card came; None if the card was there from the start."""
    face: Grey | None = None
    """The card's own pixels at its present place, accumulated over all times at which they were visible."""
    face_mask: Mask | None = None
    """The pixels of ``face`` that are known."""
    face_known_since_ns: int = 0
    """Stamp since which the face has been known."""
    missing_since_ns: int | None = None
    """Stamp since which the card's place has been seen without it; None while it lies there."""
    last_detection: Detection | None = None
    """The last detection; None before the first, and once the card is hidden."""
    last_detected_ns: int = 0
    """Stamp of the last detection."""
    best_detection: Detection | None = None
    """The last detection with the most indices since the card was placed here."""
    was_static: bool = True
    """Whether the card was at rest when it was detected last."""
    outline_visible: bool = False
    """Whether the outline was visible: no hand was near, and the image shows the card's edges."""
    occluded_at_birth: bool = False
    """Whether the card was occluded as soon as it landed: it lies beneath whatever landed at about the same time."""
    last_moved_ns: int | None = None
    """Stamp at which the card was last detected at another place than the published one."""
    occluder: TrackedCard | None = None
    """The occluder beneath which the card was pushed: the card is invisible, and leaves with its occluder."""
    no_visible_face: bool = False
    """Whether no face is visible: the card lies face down, or exactly beneath another one."""
    missed_detections: int = 0
    """Consecutive detection passes that missed the card although it should be visible (before it is published)."""
    detected_at_long_rest: bool = False
    """Whether the card was detected after a long rest: another detection pass adds no information."""

    def __post_init__(self) -> None:
        self.static_since_ns = self.static_since_ns or self.first_detected_ns
        self._patch: CardTemplate | None = None

    @property
    def is_published(self) -> bool:
        """Whether the card was published as landed; else it is tentative."""
        return self.id != 0

    @property
    def template(self) -> CardTemplate:
        """The template with which the card is searched for at its place."""
        if self._patch is None:
            assert self.template_image is not None
            assert self.template_mask is not None
            self._patch = CardTemplate(self.template_image, self.template_mask, self.mark_before)
        return self._patch

    @property
    def index_boxes(self) -> tuple[Box, ...]:
        """Index boxes of the last detection, mark pixels."""
        return self.last_detection.index_boxes if self.last_detection else ()

    def match_face_in(self, spot: Box, grey: Grey) -> RegistrationFit:
        """Match the card's known face against ``grey`` within a box; no fit if the box shows something else.

        Bare paper has little texture and may match by chance: so nothing in the box may look different.
        """
        if self.face is None or self.face_mask is None or self.place_has_changed(spot, grey):
            return NO_FIT
        x1, y1, x2, y2 = (max(0, round(value)) for value in spot)
        seen = np.zeros_like(self.face_mask)
        seen[y1:y2, x1:x2] = self.face_mask[y1:y2, x1:x2]
        return CardTemplate(self.face, seen).fit(grey)

    def place_has_changed(self, spot: Box, grey: Grey) -> bool:
        """Return whether ``grey`` shows within ``spot`` something else than when the card's face was captured."""
        return self.face is not None and index_has_changed(spot, grey, self.face)

    def face_has_changed(self, spots: Iterable[Box], grey: Grey) -> bool:
        """Return whether ``grey`` shows something else than this card at its known face within one of ``spots``.

        Two cards that lie squarely upon one another differ little but at their indices.
        """
        if self.face is None or self.face_mask is None:
            return False
        known = [spot for spot in spots if self.shows_face_at([spot])]
        return any(index_has_changed(spot, grey, self.face, self.face_mask) for spot in known)

    def shows_face_at(self, spots: Iterable[Box]) -> bool:
        """Return whether the card's face is known within one of ``spots``."""
        known = self.face_mask
        return known is not None and any(known[bounding_slices(box_corners(spot))].any() for spot in spots)

    def visible_part_matches(self, grey: Grey, upon: Mask) -> bool:
        """Return whether ``grey`` shows the card at its place, unchanged wherever no occluder (``upon``) covers it."""
        if (
            self.template_image is None
            or self.template_mask is None
            or not card_is_at_place(self.template, grey)
        ):
            return False
        box = bounding_slices(self.quad)
        shown = np.asarray(cv2.absdiff(grey[box], self.template_image[box]))[
            (self.template_mask[box] > 0) & (upon[box] == 0)
        ]
        return bool(np.count_nonzero(shown >= 2 * DIFFERENT_LEVELS) <= MAX_CHANGED_SHARE * shown.size)

    def reset_background(self) -> None:
        """Adapt to a new camera view: the background beneath the card is unknown from there."""
        self.mark_before = self.missing_since_ns = self._patch = None

    def capture_template(self, grey: Grey, mask: Mask, t_ns: int) -> None:
        """Capture the card's template and face from a grey mark image, of ``t_ns``, in which it lies at rest."""
        if self.face is None:
            self.face_known_since_ns = t_ns
        self.template_image, self.template_mask, self._patch = grey, mask, None
        if self.face is None or self.face_mask is None:
            self.face, self.face_mask = grey.copy(), mask.copy()
        else:
            np.copyto(self.face, grey, where=mask > 0)
            self.face_mask |= mask

    def remove_occluded_face(self, other: TrackedCard, since_ns: int) -> None:
        """Remove the part of this card's face that another card has covered since then: it was the other's."""
        if self.face_mask is not None and self.face_known_since_ns >= since_ns:
            self.face_mask = self.face_mask & ~other.outline_mask

    def is_localized_better_by(self, seen: Detection) -> bool:
        """Return whether the detection ``seen`` localizes the card better than the present outline does.

        The outline may have been estimated from fewer indices, or from those of one side. An unconfirmed reading
        doesn't move a confirmed card: it is as likely another one.
        """
        if self.best_detection is None or same_place(seen.quad, self.quad):
            return False
        if self.is_confirmed and seen.readings[0].confidence < P_CONFIRMED:
            return False
        return len(seen.index_boxes) > self.index_count and any(
            box_centre_is_inside(spot, self.quad) for spot in seen.index_boxes
        )

    def shares_indices_with(self, seen: Detection) -> bool:
        """Return whether a detection has the same indices as this card's last detection: then it is this card.

        More of them may be visible now, or fewer.
        """
        return self.indices_coincide_with(seen) or all_boxes_coincide(
            self.index_boxes, seen.index_boxes, MAX_STATIC_OFFSET_PX
        )

    def is_covered_by(self, seen: Detection, grey: Grey, sure: float) -> bool:
        """Return whether ``seen``, read with the probability ``sure``, must be another card laid upon this one.

        It is read as another card, and ``grey`` does not show this card's face where its indices are.
        """
        if seen.name == self.name or sure * (1.0 - self.max_probability_of(seen.name)) < MIN_P_OTHER:
            return False
        return self.face is None or self.face_has_changed(seen.index_boxes, grey)

    def indices_coincide_with(self, seen: Detection) -> bool:
        """Return whether all indices of a detection coincide with this card's last ones, whatever they were read as."""
        return all_boxes_coincide(seen.index_boxes, self.index_boxes, MAX_STATIC_OFFSET_PX)

    def pose_fits_indices_of(
        self, seen: Detection, within_px: float = OUTLINE_ERROR_PX, within_deg: float = INDEX_ANGLE_ERROR_DEG
    ) -> bool:
        """Return whether a detection's indices fit this card's pose, within a distance and an angle."""
        at_own = all(distance_to_index(self.quad, spot) < within_px for spot in seen.index_boxes)
        return at_own and rotation_between(self.quad, seen.quad) < within_deg

    def detect(self, seen: Detection, t_ns: int, *, at_long_rest: bool = False) -> None:
        """Add a detection at rest at the card's present place, in the frame of ``t_ns``.

        Detected with a confirmed identity, an inferred card loses the readings that it was inferred from.
        """
        if self.is_inferred and seen.readings[0].confidence >= P_CONFIRMED:
            self.readings = []
        self.add_readings(seen.readings)
        self.last_detection, self.last_detected_ns = seen, t_ns
        if len(seen.index_boxes) >= self.index_count:
            self.best_detection = seen
        self.missing_since_ns, self.missed_detections, self.was_static = None, 0, True
        self.detected_at_long_rest = self.detected_at_long_rest or at_long_rest

    def mark_moving(self) -> None:
        """Record that the card was detected in motion."""
        self.was_static = False

    def miss(self) -> None:
        """Count a detection pass that missed the card although it should be visible."""
        self.missed_detections += 1

    def forget_misses(self) -> None:
        """Count no misses: the card lies there, or could not be seen."""
        self.missed_detections = 0

    def mark_missing(self, t_ns: int) -> None:
        """Record that the card's place is seen without it in the frame of ``t_ns``."""
        self.missing_since_ns = self.missing_since_ns or t_ns

    def mark_present(self) -> None:
        """Record that the card lies at its place."""
        self.missing_since_ns = None

    def move_to(self, quad: Points, seen: Detection | None = None) -> None:
        """Move the card to another outline and discard its template and face; its last index boxes stay.

        ``seen``: the detection that localizes it there better than the best one until now.
        """
        self.quad, self.occluder = quad, None
        self.best_detection = seen or self.best_detection
        self.template_image = self.template_mask = self.face = self.face_mask = self._patch = None

    def follow(self, seen: Detection, quad: Points, t_ns: int) -> None:
        """Move the card to ``quad``, where the detection ``seen`` in the frame of ``t_ns`` has its outline."""
        if not self.shares_indices_with(seen):
            self.static_since_ns = t_ns
        self.last_moved_ns = t_ns if self.id else None
        self.move_to(quad, seen)

    def become(self, other: TrackedCard, t_ns: int) -> None:
        """Take over the detections of a tentative track that turned out, at ``t_ns``, to be this card, pushed."""
        self.missing_since_ns, self.last_moved_ns = None, t_ns
        self.last_detection, self.best_detection = other.last_detection, other.best_detection

    def hide_under(self, cover: TrackedCard) -> None:
        """Hide the card beneath the occluder ``cover``, under which it was pushed."""
        self.move_to(cover.quad)
        self.occluder, self.missing_since_ns, self.last_detection = cover, None, None

    def record_way(self, static_since_ns: int, last_moving_ns: int | None) -> None:
        """Record what the tracklet of the carried card tells of its last way."""
        self.static_since_ns, self.last_moving_ns = static_since_ns, last_moving_ns

    def publish(self, number: int, landed_ns: int, now_ns: int, taken: Sequence[str]) -> None:
        """Record that the card is published with the id ``number``; another card has a name in ``taken``."""
        self.id, self.landed_ns, self.published_ns = number, landed_ns, now_ns
        self.published_readings = self.combine_readings(taken)

    def correct(self, taken: Sequence[str]) -> bool:
        """Update the published readings if another name is likelier now, or the name much surer; return whether.

        ``taken``: names of the other published cards.
        """
        now, before = self.combine_readings(taken), self.published_readings
        if not now:
            return False
        other = not before or now[0].card != before[0].card
        if not other and now[0].confidence <= before[0].confidence + MIN_CONFIDENCE_GAIN:
            return False
        self.published_readings = now
        return True

    @property
    def index_count(self) -> int:
        """Number of indices of the best detection."""
        return len(self.best_detection.index_boxes) if self.best_detection else 0

    @property
    def is_unidentified(self) -> bool:
        """Whether the card lies exactly beneath another one and was never identified."""
        return self.occluder is not None and not self.readings

    @property
    def has_only_shape(self) -> bool:
        """Whether nothing but the card's shape has been seen: it lies face down, or can't be read yet."""
        return self.no_visible_face and not self.readings and self.occluder is None

    @property
    def is_inferred(self) -> bool:
        """Whether the card was occluded at birth and has not been detected there, or not with a confirmed identity."""
        return self.occluded_at_birth and (self.last_detection is None or not self.is_confirmed)

    @property
    def is_localized(self) -> bool:
        """Whether the card's place is known: by its own template or by its occluder."""
        return self.template_image is not None or self.occluder is not None

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the outline, mark pixels."""
        return quad_centre(self.quad)

    @property
    def outline_mask(self) -> Mask:
        """Mask of the mark pixels under the whole card."""
        return polygon_mask(self.quad)

    def add_readings(self, readings: tuple[Reading, ...]) -> None:
        """Add the readings of another detection; the last eight count."""
        self.no_visible_face = False
        self.readings = [*self.readings, readings][-8:]

    @property
    def is_identified(self) -> bool:
        """Whether the card is identified well enough to be published: probable, or no further detection would help."""
        return self.is_probable or self.detected_at_long_rest or self.is_unidentified

    @property
    def is_probable(self) -> bool:
        """Whether the best combined reading is at least probable."""
        combined = self.combine_readings()
        return bool(combined) and combined[0].confidence >= P_PROBABLE

    @property
    def is_confirmed(self) -> bool:
        """Whether the best combined reading is confirmed: the card can be no other."""
        combined = self.combine_readings()
        return bool(combined) and combined[0].confidence >= P_CONFIRMED

    def max_probability_of(self, name: str) -> float:
        """Return the highest probability that this is the card ``name``: any that no reading names may be it."""
        posterior = class_posterior(self.readings)
        return self._probability_face_up * posterior.get(name, 1.0 - sum(posterior.values()))

    def name_likelihood_ratio(self, readings: Sequence[Reading]) -> float:
        """Return how much likelier a detection's ``readings`` are of this card's name than of any card's of the pack.

        Names that no reading of this card has share what is left of its posterior.
        """
        posterior = class_posterior(self.readings)
        rest = (1.0 - sum(posterior.values())) / (_PACK_SIZE - len(posterior))
        alike = sum(reading.confidence * posterior.get(reading.card, rest) for reading in readings)
        return self._probability_face_up * _PACK_SIZE * alike

    @property
    def _probability_face_up(self) -> float:
        """Probability that the card lies face up."""
        return _P_FACE_UP if self.has_only_shape else 1.0

    @property
    def is_unverified(self) -> bool:
        """Whether the card was missed where it should be visible; if so, it is dropped before it is published."""
        return self.missed_detections > (1 if self.is_identified and not self.no_visible_face else 0)

    @property
    def name(self) -> str:
        """The likeliest card by all readings; empty without readings."""
        combined = self.combine_readings()
        return combined[0].card if combined else ""

    @property
    def possible_names(self) -> list[str]:
        """The possible names of the card, the likeliest first."""
        return [reading.card for reading in self.combine_readings() if reading.confidence >= P_POSSIBLE]

    def combine_readings(self, taken: Sequence[str] = ()) -> tuple[Reading, ...]:
        """Return the combined readings of all detections, best first.

        A best name in ``taken`` gives way to the next best.
        """
        sums = class_posterior(self.readings)
        order = sorted(sums, key=lambda name: (-sums[name], name))
        if order and order[0] in taken:
            other = next((name for name in order if name not in taken and sums[name] >= P_POSSIBLE), None)
            if other is not None:
                order.remove(other)
                order.insert(0, other)
                rest = 1.0 - sum(sums[name] for name in order if name in taken)
                sums = {
                    name: (min(value, 0.01) if name in taken else min(1.0, value / max(rest, value, 1e-6)))
                    for name, value in sums.items()
                }
        return tuple(Reading(name, round(sums[name], 4)) for name in order[:4])


def class_posterior(detections: Sequence[tuple[Reading, ...]]) -> dict[str, float]:
    """Return the probability of each card that one of several detections of the same card names.

    A log-linear pool: the product of the probabilities, to a power. The detections show the same print, so their errors
    are alike, and n of them count like the square root of n independent ones. Detections that agree make a name surer,
    however unsure each of them is.
    """
    names = {reading.card for readings in detections for reading in readings}
    if not names:
        return {}
    log_sums = dict.fromkeys([*names, _OTHER], 0.0)
    for readings in detections:
        named = {reading.card: reading.confidence for reading in readings}
        rest = (1.0 - sum(named.values())) / (_PACK_SIZE - len(named))
        for name in log_sums:
            log_sums[name] += math.log(max(named.get(name, rest), _MIN_LIKELIHOOD))
    best, power = max(log_sums.values()), len(detections) ** -0.5
    pooled = {name: math.exp(power * (value - best)) for name, value in log_sums.items()}
    total = sum(pooled.values()) + (_PACK_SIZE - len(names) - 1) * pooled[_OTHER]
    return {name: pooled[name] / total for name in names}
