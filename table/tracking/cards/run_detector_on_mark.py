"""Detector client: runs the card detector on the part of the mark that is worth it, and records carried cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from table.detection.card_detections import CardReader
from table.observed_facts import Image
from table.table_geometry import CARD_PX, MARK_PX, Points, bounding_slices, polygon_mask
from table.tracking.hands.carried_card_evidence import NUMBERS as CARRIED
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.recent_frame import RecentFrame, colour_difference_mask
from table.tracking.scene.background_model import cards_mask
from table.tracking.scene.detections import Detection, convert_detections, merge_corners
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import P_PROBABLE


@dataclass(frozen=True, slots=True)
class DetectorClientParameters:
    """Parameters of the detector client."""

    margin_px: int = 24
    """Margin around the foreground that is given to the detector (an index is as large) ..."""
    grid_px: int = 16
    """... aligned to this grid: the detector downscales by a multiple of 1/16."""
    barer: float = 0.2
    """Of two alternative outlines the wrong one shows this much more of the background."""


NUMBERS: Final = DetectorClientParameters()


Window = tuple[slice, slice]
"""Row and column slices of the mark image."""
WHOLE_MARK: Final = (slice(0, MARK_PX), slice(0, MARK_PX))
"""The window of the whole mark image."""
EMPTY_WINDOW: Final = (slice(0, 0), slice(0, 0))
"""The empty window."""


def window_around(mask: Mask) -> Window:
    """Return the window to detect in to see everything in a mask of the mark image."""
    x, y, width, height = cv2.boundingRect(mask)
    return (_grid_slice(y, height), _grid_slice(x, width)) if width else EMPTY_WINDOW


def _grid_slice(start: int, length: int) -> slice:
    """Return the slice of rows, or columns, with margin and aligned to the grid, so that repeated detections agree."""
    margin, grid = NUMBERS.margin_px, NUMBERS.grid_px
    first, last = max(0, start - margin), min(MARK_PX, start + length + margin)
    return slice(first // grid * grid, -(-last // grid) * grid)


class DetectorClient:
    """Runs the card detector and keeps what it saw of carried cards."""

    def __init__(self, scene: SceneState, reader: CardReader, *, joker_is_card: bool) -> None:
        self._scene = scene
        self._reader = reader
        self._joker_is_card = joker_is_card
        self.detection_count = 0
        """Number of detector runs."""
        self.carried = CarriedObservations(scene.geometry)
        """Detections of carried cards."""
        self.detected_stamps_ns: list[int] = []
        """Stamps of the frames that the detector saw lately."""
        self._handedness: dict[str, int] = {}
        """Handedness of the cards by name: 1 if ever seen as printed, -1 if only seen mirrored."""

    @property
    def mirrored(self) -> bool:
        """Whether the camera image is mirrored, by the handedness of the indices; many names are misread there."""
        return sum(self._handedness.values()) < 0

    def window_to_detect(self) -> Window:
        """Return the window of the mark that is worth detecting in: where anything but background lies or moves."""
        scene = self._scene
        if scene.is_first_frame:
            return WHOLE_MARK
        other = scene.background.foreground_mask(scene.now.small) | scene.motion.moving_mask()
        return window_around(scene.geometry.warp_mask_to_mark(other) | cards_mask(scene.tracks.all))

    def detect(self, mark: Image, t_ns: int, window: Window = WHOLE_MARK) -> list[Detection]:
        """Return the detections in a mark image of stamp ``t_ns``, and record which cards were seen at once."""
        if window == EMPTY_WINDOW:
            return []
        self.detected_stamps_ns = [at for at in self.detected_stamps_ns if t_ns - at < CARRIED.kept_ns] + [
            t_ns
        ]
        found = self.run_detector(mark, window)
        well = _probable(found)
        self.carried.record_together(t_ns, well)
        self._handedness.update({detection.name: 1 for detection in well if detection.handedness > 0})
        return found

    def record_handedness(self, lying: Sequence[Detection]) -> None:
        """Record the handedness of static detections, of which some may be mirrored.

        Only of static ones: in motion an index may be assigned to another card. And of a card with indices in all its
        corners two may be visible that look mirrored, but now and then it shows more.
        """
        for detection in _probable(lying):
            if detection.handedness < 0:
                self._handedness.setdefault(detection.name, -1)

    def run_detector(self, mark: Image, window: Window = WHOLE_MARK) -> list[Detection]:
        """Run the detector on a mark image, without recording its stamp, and return merged detections."""
        self.detection_count += 1
        # A joker that lies there from the start is the mark itself, whatever the game.
        joker = self._joker_is_card and not self._scene.is_first_frame
        rows, columns = window
        picture = np.ascontiguousarray(mark[rows, columns])
        sightings = self._reader.read(picture, CARD_PX)
        found = convert_detections(sightings, joker, (columns.start, rows.start))
        return merge_corners([self._resolve_side(detection, mark) for detection in found])

    def _resolve_side(self, detection: Detection, mark: Image) -> Detection:
        """Return a one-sided detection on the side where the image shows less of the empty table."""
        if not detection.has_one_sided_indices or self._scene.is_first_frame:
            return detection
        across = detection.opposite_side_quad
        if (
            self._background_share(detection.quad, mark) - self._background_share(across, mark)
            < NUMBERS.barer
        ):
            return detection
        return replace(detection, quad=across)

    def _background_share(self, quad: Points, mark: Image) -> float:
        """Return the share of an outline in which an image shows the empty table."""
        box = bounding_slices(quad)
        place = polygon_mask(quad)[box]
        if not place.any():
            return 1.0
        other = colour_difference_mask(mark[box], self._scene.background.mark_image[box])
        return 1.0 - np.count_nonzero(other & place) / np.count_nonzero(place)

    def record_carried(
        self, moment: RecentFrame, moving: Sequence[Detection], lying: Sequence[Points]
    ) -> None:
        """Record the ``moving`` detections of a frame as carried cards, with the arms there.

        ``lying``: outlines of the other cards.
        """
        cards = [*lying, *(detection.quad for detection in moving)]
        self.carried.add_frame(
            moment.t_ns, moving, self._scene.arm_finder.find(moment.small, cards) if moving else ()
        )


def _probable(found: Sequence[Detection]) -> list[Detection]:
    return [detection for detection in found if detection.readings[0].confidence >= P_PROBABLE]
