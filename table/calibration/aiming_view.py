"""The live camera picture with the mark drawn in, for aiming the camera."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import pygame

from table.calibration.calibration_picture import draw_calibration, draw_text
from table.calibration.homography.calibrate_from_mat import calibrate_from_mat
from table.calibration.homography.homography_checks import find_view_fault, measure_view
from table.config.settings import Matrix, SeatConfig
from table.display.window import ScreenWindow
from table.errors import TableError
from table.i18n.terminal_output import phrase_text, terminal_renderer
from table.observed_facts import Image
from table.phrase import Phrase, make_phrase

_CROSS: Final = (0, 140, 255)
LAY: Final = make_phrase("aim.lay")
KEYS: Final = make_phrase("aim.keys")


def draw_aiming_view(
    image: Image, homography: Matrix | None, seats: Sequence[SeatConfig], ruler_mm: float
) -> Image:
    """Draw the mark into the camera's picture, by the mat in it, or else by the homography of ``table.toml``.

    Faults are written into the picture as a calibration from it would report them.
    """
    try:
        calibration = calibrate_from_mat([image], ruler_mm)
    except TableError:
        return _draw_without_mat(image, homography, seats)
    lines = [f"{finding.name}: {finding.text}" for finding in calibration.findings if not finding.good]
    rtl = terminal_renderer().catalogue.rtl
    good = [phrase_text(make_phrase("aim.good"))] if calibration.usable and not lines else []
    return draw_calibration(
        image,
        calibration.homography,
        calibration.mat.corners,
        seats,
        [*lines, *good, phrase_text(KEYS)],
        rtl=rtl,
    )


def _draw_without_mat(image: Image, homography: Matrix | None, seats: Sequence[SeatConfig]) -> Image:
    """Draw the mark by the stored homography, or a cross in the middle if there is none."""
    height, width = image.shape[:2]
    rtl = terminal_renderer().catalogue.rtl
    if homography is not None:
        try:
            view_fault: Phrase | None = find_view_fault(measure_view(homography, (width, height)))
        except TableError as error:
            view_fault = error.phrase
        phrases = (make_phrase("aim.as_it_is", lay=LAY), view_fault, KEYS)
        lines = [phrase_text(phrase) for phrase in phrases if phrase is not None]
        return draw_calibration(image, homography, np.empty((0, 2)), seats, lines, rtl=rtl)
    picture = image.copy()
    middle = (width // 2, height // 2)
    cv2.drawMarker(picture, middle, _CROSS, cv2.MARKER_CROSS, height // 4, max(1, height // 400), cv2.LINE_AA)
    draw_text(picture, [phrase_text(LAY), phrase_text(KEYS)], rtl=rtl)
    return picture


class AimScreen(ScreenWindow):
    """The table's screen when it shows the camera's picture."""

    def show_picture(self, image: Image) -> None:
        """Show a picture as large as fits; raise `TableError` with one line if no window can be opened."""
        window = self._open()
        page = self._drawing_surface(window)
        page_width, page_height = page.get_size()
        scale = min(page_width / image.shape[1], page_height / image.shape[0])
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        fitted = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        picture = pygame.surfarray.make_surface(
            np.ascontiguousarray(np.asarray(fitted)[..., ::-1].swapaxes(0, 1))
        )
        page.fill((0, 0, 0))
        page.blit(picture, ((page_width - size[0]) // 2, (page_height - size[1]) // 2))
        self._present(window, page)
