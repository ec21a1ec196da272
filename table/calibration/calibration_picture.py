"""Pictures for people: of a calibration's result, and the live picture with the mark drawn in, to aim the camera by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import pygame
from numpy.typing import NDArray

from table.calibration.homography.calibrate_from_mat import calibrate_from_mat
from table.calibration.homography.homography_checks import MIN_MARGIN_MM, find_view_fault, measure_view
from table.calibration.homography.mat_design import MARK_MM
from table.config.settings import Matrix, SeatConfig
from table.directions import direction_vector
from table.display.drawing.bidi import is_right_to_left
from table.display.drawing.text_on_image import draw_text_mask, fit_text_mask, render_text_mask
from table.display.window import ScreenWindow
from table.errors import TableError
from table.i18n.terminal_output import phrase_text, terminal_renderer
from table.observed_facts import Image
from table.phrase import Phrase, make_phrase
from table.table_geometry import CARD_MM, Points, card_quad, transform_points

_GREEN: Final = (60, 220, 60)
_ORANGE: Final = (0, 140, 255)
_RED: Final = (60, 60, 255)
_WHITE: Final = (255, 255, 255)
_TEXT_HEIGHT: Final = 1 / 30
"""The height of a line of text, as a share of the picture's height."""
SEAT_MM: Final = 130.0
"""The distance from the mark to a seat's name."""

LAY: Final = make_phrase("aim.lay")
KEYS: Final = make_phrase("aim.keys")


def draw_calibration(
    image: Image,
    homography: Matrix,
    corners: Points,
    seats: Sequence[SeatConfig],
    lines: Sequence[str] = (),
) -> Image:
    """Return the picture with quadrilaterals at ``corners`` (4 N x 2 pixels: markers, cards), and the mark drawn in."""
    picture = draw_mark(image, homography, seats)
    width = _line_width(image)
    for quad in corners.reshape(-1, 4, 2):
        cv2.polylines(picture, [_to_fixed_point(quad)], True, _GREEN, width, cv2.LINE_AA, 4)
    draw_text(picture, lines)
    return picture


def draw_text(picture: Image, lines: Sequence[str]) -> None:
    """Write lines into the picture's upper corner where the language begins; wraps lines that are too long."""
    height, width = picture.shape[:2]
    rtl = terminal_renderer().catalogue.rtl
    margin = round(height / 64)
    top = margin
    for text in lines:
        mask = fit_text_mask(
            text, (width - 2 * margin, height), round(height * _TEXT_HEIGHT), most=4, rtl=rtl
        )
        draw_text_mask(picture, mask, width - margin - mask.shape[1] if rtl else margin, top)
        top += mask.shape[0] + margin // 4


def draw_mark(image: Image, homography: Matrix, seats: Sequence[SeatConfig] = ()) -> Image:
    """Return the picture with mark, card, table axes, least margin and seats drawn in."""
    picture = image.copy()
    matrix = np.array(homography, dtype=np.float64)
    width = _line_width(image)

    def draw(
        places: Sequence[tuple[float, float]] | Points, colour: tuple[int, int, int], closed: bool = True
    ) -> None:
        pixels = transform_points(matrix, np.array(places, dtype=np.float64))
        cv2.polylines(picture, [_to_fixed_point(pixels)], closed, colour, width, cv2.LINE_AA, 4)

    angles = [math.radians(degrees) for degrees in range(0, 360, 3)]
    for radius, colour in ((MARK_MM / 2, _ORANGE), (MIN_MARGIN_MM, _WHITE)):
        draw([(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles], colour)
    draw(card_quad((0, 0), 0, CARD_MM), _ORANGE)
    draw([(0, 0), (30, 0)], _RED, closed=False)
    draw([(0, 0), (0, 30)], _GREEN, closed=False)
    text_height = round(image.shape[0] * _TEXT_HEIGHT)
    for seat in seats:
        right, down = direction_vector(seat.angle)
        draw(
            [(0.75 * SEAT_MM * right, 0.75 * SEAT_MM * down), (SEAT_MM * right, SEAT_MM * down)],
            _ORANGE,
            closed=False,
        )
        place = transform_points(matrix, np.array([[SEAT_MM * right, SEAT_MM * down]]))[0]
        mask = render_text_mask([seat.name], text_height, rtl=is_right_to_left(seat.name))
        rows, columns = mask.shape
        draw_text_mask(picture, mask, round(float(place[0]) - columns / 2), round(float(place[1]) - rows / 2))
    return picture


def _line_width(image: Image) -> int:
    return max(1, round(int(image.shape[0]) / 500))


def _to_fixed_point(points: Points) -> NDArray[np.int32]:
    """Return pixels as fixed-point numbers with four fractional bits, as OpenCV's drawing takes them, clipped."""
    return np.asarray(np.rint(np.clip(points, -20000, 20000) * 16), dtype=np.int32)


# --- the live picture -------------------------------------------------------------------------------------------


def draw_aiming_view(
    image: Image, homography: Matrix | None, seats: Sequence[SeatConfig], ruler_mm: float
) -> Image:
    """Draw the mark by the mat in the picture, else by ``homography``, and the faults that a calibration would find."""
    try:
        calibration = calibrate_from_mat([image], ruler_mm)
    except TableError:
        return _draw_without_mat(image, homography, seats)
    lines = [f"{finding.name}: {finding.text}" for finding in calibration.findings if not finding.good]
    good = [phrase_text(make_phrase("aim.good"))] if calibration.usable and not lines else []
    return draw_calibration(
        image,
        calibration.homography,
        calibration.mat.corners,
        seats,
        [*lines, *good, phrase_text(KEYS)],
    )


def _draw_without_mat(image: Image, homography: Matrix | None, seats: Sequence[SeatConfig]) -> Image:
    """Draw the mark by the stored homography, or a cross in the middle if there is none."""
    height, width = image.shape[:2]
    if homography is not None:
        try:
            view_fault: Phrase | None = find_view_fault(measure_view(homography, (width, height)))
        except TableError as error:
            view_fault = error.phrase
        phrases = (make_phrase("aim.as_it_is", lay=LAY), view_fault, KEYS)
        lines = [phrase_text(phrase) for phrase in phrases if phrase is not None]
        return draw_calibration(image, homography, np.empty((0, 2)), seats, lines)
    picture = image.copy()
    middle = (width // 2, height // 2)
    cv2.drawMarker(
        picture, middle, _ORANGE, cv2.MARKER_CROSS, height // 4, max(1, height // 400), cv2.LINE_AA
    )
    draw_text(picture, [phrase_text(LAY), phrase_text(KEYS)])
    return picture


class AimScreen(ScreenWindow):
    """The table's screen when it shows the camera's picture."""

    def show_picture(self, image: Image) -> None:
        """Show a picture as large as fits; raise `TableError` with one line if no window can be opened."""
        window = self._open()
        page = self._drawing_surface(window)
        picture = pygame.image.frombuffer(image.tobytes(), image.shape[1::-1], "BGR")
        drawn = picture.get_rect().fit(page.get_rect())
        page.fill((0, 0, 0))
        page.blit(pygame.transform.smoothscale(picture, drawn.size), drawn)
        self._present(window, page)
