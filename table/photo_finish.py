"""The photo finish of tied leads: the camera's own picture of the mark once the last tied card has come to rest.

The frames of the last seconds are held while leads may tie. Which of them shows a card's landing follows from the stamp
of its fact, so a recording gives the same pictures as the live table. Nothing here decides anything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.directions import direction_vector
from table.events.event_spec import LineFields
from table.history.moment_pictures import MAX_PICTURE_BYTES
from table.observed_facts import MS, CardFact, CardLanded, Frame, Image
from table.table_geometry import (
    CARD_MM,
    MARK_PX,
    PX_PER_MM,
    MarkCrop,
    Points,
    card_quad,
)

SPAN_NS: Final = 3_000 * MS
"""The age up to which frames are held: a card is published at most about so long after it has landed."""
STEP_NS: Final = 45 * MS
"""The least distance of two frames that are held: a card at rest looks the same in the next one."""
MAX_DELAY_NS: Final = 500 * MS
"""A picture taken later than this after the landing may show something else."""
MAX_LANDINGS: Final = 8
"""The number of the latest landings whose pictures are held."""
SIDE_PX: Final = 480
"""The side of a photo finish, in pixels."""
MIN_VIEW_PX: Final = 320
"""The least side of the square of the mark image that it shows; two cards side by side fill it."""
NAME_SHARE: Final = 11
"""Names are this share of the side high: readable from afar on every screen."""
_QUALITIES: Final = (85, 75, 60, 40)
"""The JPEG qualities that are tried until a picture is small enough."""


@dataclass(frozen=True, slots=True)
class _Landing:
    """A card that landed, and the frame that shows it."""

    fact: CardLanded
    crop: MarkCrop

    def shows(self, card: str) -> bool:
        return any(reading.card == card for reading in self.fact.readings)

    @property
    def outline(self) -> Points:
        """The card's outline in the mark image."""
        x, y = self.fact.place_mm
        centre = (MARK_PX - 1) / 2
        return card_quad((x * PX_PER_MM + centre, y * PX_PER_MM + centre), self.fact.angle_deg)


class PhotoFinish:
    """Holds what the camera saw of the latest landings, and makes a picture of those that a ruling is about."""

    def __init__(self, lead_tie_ns: int) -> None:
        """``lead_tie_ns``: the window within which leads are tied."""
        self._lead_tie_ns = lead_tie_ns
        self._frames: deque[tuple[int, MarkCrop]] = deque()
        self._landings: deque[_Landing] = deque(maxlen=MAX_LANDINGS)

    def add_frame(self, frame: Frame, crop_mark: Callable[[Image], MarkCrop]) -> None:
        """Hold the part of a frame that shows the mark, which ``crop_mark`` cuts out."""
        if self._frames and frame.t_ns - self._frames[-1][0] < STEP_NS:
            return
        self._frames.append((frame.t_ns, crop_mark(frame.image).copy()))
        while self._frames[0][0] < frame.t_ns - SPAN_NS:
            self._frames.popleft()

    def release_frames(self) -> None:
        """Release the frames: no leads can tie now."""
        self._frames.clear()

    def add_facts(self, facts: Sequence[CardFact]) -> None:
        """Note the cards that have landed, each with the first frame that shows it at rest."""
        for fact in facts:
            if not isinstance(fact, CardLanded):
                continue
            crop = next((crop for t_ns, crop in self._frames if 0 <= t_ns - fact.t_ns <= MAX_DELAY_NS), None)
            if crop is not None:
                self._landings.append(_Landing(fact, crop))

    def picture_of(self, line: LineFields, angles: Mapping[str, float]) -> bytes | None:
        """Return a JPEG of the tied leads of a journal line, the lowest card outlined; None without a frame of them.

        ``angles``: the direction of each seat, degrees clockwise from the picture's top, seen from the mark.
        """
        kept = line["kept"]
        plays = [*([kept] if kept else ()), *line["taken_back"]]
        landings = [landing for play in plays if (landing := self._find(line, play["card"])) is not None]
        if not landings:
            return None
        last = max(landings, key=lambda landing: landing.fact.t_ns)
        lowest = self._find(line, kept["card"]) if kept else None
        corner, side = _view(np.concatenate([landing.outline for landing in landings]))
        image = last.crop.rectify_colour()[corner[1] : corner[1] + side, corner[0] : corner[0] + side]
        image = np.asarray(cv2.resize(image, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC), np.uint8)
        if lowest is not None:
            _draw_outline(image, (lowest.outline - corner) * SIDE_PX / side)
        for play in plays:
            _draw_name(image, play["seat"], tuple(angles), angles.get(play["seat"], 0.0))
        return _encode(image)

    def _find(self, line: LineFields, card: str) -> _Landing | None:
        """Return the landing of a tied card."""
        first_ns = line["t_ns"]
        return next(
            (
                landing
                for landing in reversed(self._landings)
                if 0 <= landing.fact.t_ns - first_ns <= self._lead_tie_ns and landing.shows(card)
            ),
            None,
        )


def _view(outlines: Points) -> tuple[Points, int]:
    """Return the upper left corner and the side of the square of the mark image that shows these outlines."""
    low, high = outlines.min(axis=0), outlines.max(axis=0)
    # Half a card around them shows how they lie, and leaves room for the names.
    side = min(MARK_PX, max(MIN_VIEW_PX, round(float((high - low).max()) + CARD_MM[1] * PX_PER_MM)))
    corner = np.clip(np.rint((low + high - side) / 2), 0, MARK_PX - side).astype(int)
    return corner, side


def _draw_outline(image: Image, outline: Points) -> None:
    from table.display.drawing.colours import AMBER, INK  # loaded late, as the drawing of names

    points = np.rint(outline * 16).astype(np.int32)
    for colour, thickness in ((INK, 9), (AMBER, 5)):
        cv2.polylines(image, [points], True, colour[::-1], thickness, cv2.LINE_AA, shift=4)


def _draw_name(image: Image, name: str, among: tuple[str, ...], angle_deg: float) -> None:
    """Draw a player's name at the edge of a picture, on the player's side."""
    from table.display.drawing.text_fitting import fit_name  # loaded late: most games need no picture
    from table.display.drawing.text_on_image import draw_text_mask, render_text_mask

    height, width = image.shape[:2]
    letters = height // NAME_SHARE
    size, lines = fit_name(name, among, (round(width * 0.42), 3 * letters), letters + 4, letters)
    mask = render_text_mask(lines, size)
    x, y = direction_vector(angle_deg)
    reach = 0.5 / max(abs(x), abs(y))
    left, top = (
        round(min(max(length * (0.5 + reach * along) - extent / 2, 4), length - extent - 4))
        for length, along, extent in ((width, x, mask.shape[1]), (height, y, mask.shape[0]))
    )
    draw_text_mask(image, mask, left, top)


def _encode(image: Image) -> bytes | None:
    for quality in _QUALITIES:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= MAX_PICTURE_BYTES:
            return data
    return None
