"""Direction of approach of a card, by searching its known face in the frames before it landed.

The detector needs an index, which blur and fingers hide in flight. The whole face, downscaled, survives both. So if
several hands were at the mark, or the one seen is uncertain, each card's face is searched for around its place in the
frames before it lay: the hand that held it came from where the face is found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.directions import direction_deg
from table.observed_facts import Image
from table.table_geometry import CARD_MM, MARK_PX, PX_PER_MM, Geometry
from table.tracking.hands.carried_card_evidence import NUMBERS as CARRIED
from table.tracking.imaging.motion_detection import Mask, Planar
from table.tracking.imaging.recent_frame import planar_to_colour
from table.tracking.scene.arm_detection import UNKNOWN_DIRECTION, Direction


@dataclass(frozen=True, slots=True)
class ApproachParameters:
    """Parameters of the search; chosen on the ties of the scene bench's tuning set."""

    coarse: int = 6
    """Downscaling factor from mark pixels: one coarse pixel is 4 mm."""
    reach_mm: tuple[float, float] = (18.0, 115.0)
    """Distances at which it is searched for: nearer ones tell no side, and farther out another hand may bring its
    like."""
    turns_deg: tuple[float, ...] = (-14.0, 0.0, 14.0)
    """Rotations of the held card, relative to how it came to lie, that are tried."""
    in_sight: float = 0.2
    """Minimum visible share of a face to search for it."""
    stays: int = 3
    """What looks like the card at one place in this many frames does not move."""
    tint: float = 1.5
    """Weight of red against lightness, to tell hearts and diamonds from spades and clubs (of 362 cards of the tuning
    set's ties 300 are found with it and 286 without, none on a wrong side)."""
    by_chance: float = 0.06
    """Excess of likeness over what stays at a place (see `_Search.likeness`) that arises by chance."""
    lead: float = 0.2
    """Minimum lead of the best direction over any other, summed over all frames; ..."""
    scale: float = 0.13
    """... scale on which the confidence grows with the lead ..."""
    sure: float = 0.985
    """... up to this maximum (of the tuning set's ties 300 of 300 with a lead of 0.3 or more were within 25 degrees, 11
    of 14 with 0.2 to 0.3)."""
    sectors: int = 36
    """Number of sectors of directions; ..."""
    one_side: int = 1
    """... sectors up to this far apart count as the same direction, ..."""
    another: int = 5
    """... and from this far apart on as another one."""


NUMBERS: Final = ApproachParameters()
_SIDE: Final = MARK_PX // NUMBERS.coarse
_HALF: Final = round(math.hypot(*CARD_MM) * PX_PER_MM / 2 / NUMBERS.coarse) + 1
"""Half the side of a square, coarse pixels, that holds a card at any angle."""
_REACH: Final = round(NUMBERS.reach_mm[1] * PX_PER_MM / NUMBERS.coarse)
_FACE_PX: Final = CARD_MM[0] * CARD_MM[1] * PX_PER_MM**2


def _make_offsets() -> tuple[NDArray[np.float64], list[NDArray[np.intp]]]:
    """Return the offsets of the places of a map (N x 2, coarse pixels), and those searched in each sector."""
    ways = np.stack(np.meshgrid(*[np.arange(-_REACH, _REACH + 1.0)] * 2), axis=-1).reshape(-1, 2)
    far_mm = np.hypot(*ways.T) * NUMBERS.coarse / PX_PER_MM
    near, most = NUMBERS.reach_mm
    side = np.rint(np.arctan2(ways[:, 0], -ways[:, 1]) / math.tau * NUMBERS.sectors) % NUMBERS.sectors
    searched = [(side == k) & (far_mm >= near) & (far_mm <= most) for k in range(NUMBERS.sectors)]
    return ways, [np.flatnonzero(mask) for mask in searched]


_OFFSETS, _SECTORS = _make_offsets()
_CoarseImage = NDArray[np.float32]
"""A coarse image: lightness and tint, h x w x 2."""
_LikenessMap = NDArray[np.float32]
"""Likeness of the places around a card's place to its face, in coarse pixels."""


@dataclass(frozen=True, slots=True)
class FaceTemplate:
    """The visible face of a lying card, to search for."""

    coarse_image: Image
    """Coarse colour image of the mark with the card ..."""
    visible_mask: Mask
    """... and the mark pixels where its face is visible."""
    centre: tuple[float, float]
    """Mark pixels."""
    rest_ns: int
    """Stamp since which it has lain."""


def find_approach_directions(
    faces: Sequence[FaceTemplate], pictures: Sequence[tuple[int, Image]]
) -> list[Direction]:
    """Return the direction from which each card came, as seen from its place; unknown if its face was not found.

    Args:
        faces: the cards that came to lie at about the same time.
        pictures: stamps and coarse mark images until then, oldest first.
    """
    searched = [_Search(face) for face in faces]
    for t_ns, picture in pictures:
        due = [search for search in searched if search.may_fly(t_ns)]
        if due:
            mark = _light_and_tint(picture)
            for search in due:
                search.look(t_ns, mark)
    return [search.side([other for other in searched if other is not search]) for search in searched]


class _Search:
    """The search for one card."""

    def __init__(self, face: FaceTemplate) -> None:
        self._rest_ns = face.rest_ns
        self._centre = (round(face.centre[0] / NUMBERS.coarse), round(face.centre[1] / NUMBERS.coarse))
        look = _light_and_tint(face.coarse_image)
        seen = np.asarray(
            cv2.resize(face.visible_mask, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.uint8
        )
        share = min(1.0, np.count_nonzero(face.visible_mask) / _FACE_PX)
        self._scale = math.sqrt(share)
        known = share >= NUMBERS.in_sight
        self._patterns = [self._rotate_face(look, seen, turn) for turn in NUMBERS.turns_deg] if known else []
        self._maps: dict[int, _LikenessMap] = {}
        """Likeness maps by the frames' stamps."""

    def may_fly(self, t_ns: int) -> bool:
        """Return whether the card may be in flight at that time, and enough of its face is known."""
        return bool(self._patterns) and 0 < self._rest_ns - t_ns <= CARRIED.way_ns

    def look(self, t_ns: int, mark: _CoarseImage) -> None:
        """Search a coarse mark image of that time."""
        self._maps[t_ns] = self.likeness(mark)

    def _rotate_face(
        self, look: _CoarseImage, seen: Mask, turn_deg: float
    ) -> tuple[_CoarseImage, _CoarseImage]:
        """Return the rotated face, centred in a small square, and its visible pixels (0 or 1, for either channel)."""
        x, y = self._centre
        onto = cv2.getRotationMatrix2D((x, y), turn_deg, 1.0)
        onto[:, 2] += (_HALF - x, _HALF - y)
        size = (2 * _HALF + 1, 2 * _HALF + 1)
        where = np.asarray(cv2.warpAffine(seen, onto, size, flags=cv2.INTER_LINEAR)) > 200
        turned = np.asarray(cv2.warpAffine(look, onto, size, flags=cv2.INTER_LINEAR), dtype=np.float32)
        return turned, np.dstack([where.astype(np.float32)] * 2)

    def likeness(self, mark: _CoarseImage) -> _LikenessMap:
        """Return the likeness of the places around the card's place in a coarse mark image; 0 is by chance.

        It is the correlation after Fisher's transform, scaled by the known share of the face.
        """
        (x, y), border = self._centre, _HALF + _REACH
        padded = cv2.copyMakeBorder(mark, border, border, border, border, cv2.BORDER_REPLICATE)
        around = padded[y : y + 2 * border + 1, x : x + 2 * border + 1]
        best = np.zeros((2 * _REACH + 1, 2 * _REACH + 1), np.float32)
        for look, seen in self._patterns:
            found = np.asarray(cv2.matchTemplate(around, look, cv2.TM_CCOEFF_NORMED, mask=seen), np.float32)
            # (Where all is of one shade it divides by nothing.)
            np.maximum(best, np.where(found <= 1.0, found, 0.0), out=best)
        return np.asarray(np.arctanh(np.minimum(best, 0.999)) * self._scale, np.float32)

    def side(self, others: Sequence[_Search]) -> Direction:
        """Return the direction from which it came, with more confidence the greater its lead over any other.

        What looks like it and stays in place is something else, and so is what looks more like one of the ``others``.
        """
        if not self._maps:
            return UNKNOWN_DIRECTION
        seen_at_all = np.sort(np.stack(list(self._maps.values())), axis=0)
        stays = seen_at_all[-min(NUMBERS.stays, len(self._maps))]
        seen, arrows = np.zeros(NUMBERS.sectors), np.zeros((NUMBERS.sectors, 2))
        for t_ns, here in self._maps.items():
            like = [self._align_map(other, other._maps[t_ns]) for other in others if t_ns in other._maps]
            other = cv2.dilate(np.maximum.reduce([stays, *like]), np.ones((3, 3), np.uint8))
            gain = np.maximum(here - other - NUMBERS.by_chance, 0.0).ravel()
            best = [int(part[np.argmax(gain[part])]) for part in _SECTORS]
            seen += np.maximum.reduce(_neighbour_sectors(gain[best]))
            arrows += np.add.reduce(_neighbour_sectors(gain[best, None] * _OFFSETS[best]))
        best_side = int(np.argmax(seen))
        rest = np.roll(seen, -best_side)[NUMBERS.another : NUMBERS.sectors - NUMBERS.another + 1]
        lead = float(seen[best_side] - rest.max())
        if lead < NUMBERS.lead:
            return UNKNOWN_DIRECTION
        x, y = arrows[best_side]
        sure = min(NUMBERS.sure, 1.0 - math.exp(-lead / NUMBERS.scale))
        return Direction(round(direction_deg(x, y), 1), round(sure, 3))

    def _align_map(self, other: _Search, like: _LikenessMap) -> _LikenessMap:
        """Return the ``other`` card's map, aligned to the places around this card."""
        aside, down = (theirs - mine for theirs, mine in zip(other._centre, self._centre, strict=True))
        onto = np.array([[1, 0, aside], [0, 1, down]], dtype=np.float64)
        size = (like.shape[1], like.shape[0])
        moved = cv2.warpAffine(like, onto, size, flags=cv2.INTER_NEAREST, borderValue=(0.0,))
        return np.asarray(moved, np.float32)


def _neighbour_sectors(values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the sectors' values as seen from each neighbouring sector that counts as the same direction."""
    return [np.roll(values, by, axis=0) for by in range(-NUMBERS.one_side, NUMBERS.one_side + 1)]


def make_coarse_image(geometry: Geometry, small: Planar) -> Image:
    """Return the coarse colour image of the mark, resampled from a small image, which is not much finer."""
    half, size = NUMBERS.coarse / 2, (2 * _SIDE, 2 * _SIDE)
    onto = geometry.mark_to_small @ np.array(
        [[half, 0, (half - 1) / 2], [0, half, (half - 1) / 2], [0, 0, 1]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    finer = cv2.warpPerspective(planar_to_colour(small), onto, size, flags=flags)
    return np.asarray(cv2.resize(finer, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _light_and_tint(mark: Image) -> _CoarseImage:
    """Return the lightness and tint of a coarse mark image."""
    blue, green, red = (part.astype(np.float32) for part in cv2.split(mark))
    return np.dstack([(blue + green + red) / 3, NUMBERS.tint * (red - (blue + green) / 2)])
