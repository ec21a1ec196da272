"""The live picture with the mark drawn in, to aim the camera by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import pygame

from table.config import Matrix, SeatConfig
from table.display.screen import Screen
from table.errors import TableError
from table.facts import Image
from table.phrase import Phrase, say
from table.setup.calibration import calibrate
from table.setup.picture import draw_found, draw_text
from table.setup.view import fault, measure
from table.words.spoken import spoken, text

_CROSS: Final = (0, 140, 255)
LAY: Final = say("aim.lay")
KEYS: Final = say("aim.keys")


def aimed(image: Image, homography: Matrix | None, seats: Sequence[SeatConfig], ruler_mm: float) -> Image:
    """The camera's picture as it is shown: the mark as the mat in it tells, or else as ``table.toml`` says.

    Faults are written into it as a calibration of this picture would say them.
    """
    try:
        found = calibrate([image], ruler_mm)
    except TableError:
        return _without_mat(image, homography, seats)
    lines = [f"{one.name}: {one.text}" for one in found.findings if not one.good]
    rtl = spoken().catalogue.rtl
    good = [text(say("aim.good"))] if found.usable and not lines else []
    return draw_found(
        image, found.homography, found.found.corners, seats, [*lines, *good, text(KEYS)], rtl=rtl
    )


def _without_mat(image: Image, homography: Matrix | None, seats: Sequence[SeatConfig]) -> Image:
    height, width = image.shape[:2]
    rtl = spoken().catalogue.rtl
    if homography is not None:
        try:
            wrong: Phrase | None = fault(measure(homography, (width, height)))
        except TableError as error:
            wrong = error.phrase
        said = (say("aim.as_it_is", lay=LAY), wrong, KEYS)
        lines = [text(one) for one in said if one is not None]
        return draw_found(image, homography, np.empty((0, 2)), seats, lines, rtl=rtl)
    picture = image.copy()
    middle = (width // 2, height // 2)
    cv2.drawMarker(picture, middle, _CROSS, cv2.MARKER_CROSS, height // 4, max(1, height // 400), cv2.LINE_AA)
    draw_text(picture, [text(LAY), text(KEYS)], rtl=rtl)
    return picture


class AimScreen(Screen):
    """The table's screen, showing the camera's picture."""

    def show_picture(self, image: Image) -> None:
        """Show a picture as large as it fits; ``TableError`` in one line where no window can be opened."""
        window = self._open()
        page = self._upright(window)
        wide, high = page.get_size()
        scale = min(wide / image.shape[1], high / image.shape[0])
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        fitted = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        picture = pygame.surfarray.make_surface(
            np.ascontiguousarray(np.asarray(fitted)[..., ::-1].swapaxes(0, 1))
        )
        page.fill((0, 0, 0))
        page.blit(picture, ((wide - size[0]) // 2, (high - size[1]) // 2))
        self._flip(window, page)
