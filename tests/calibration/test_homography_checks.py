"""A homography that no table could be played with is told by what is wrong with it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from table.calibration.homography.homography_checks import find_view_fault, measure_view
from table.config.settings import Matrix
from table.errors import TableError
from table.i18n.terminal_output import phrase_text
from table.simulation.simulated_config import make_homography

SIZE = (1280, 720)


def matrix(rows: list[list[float]]) -> Matrix:
    a, b, c = ((row[0], row[1], row[2]) for row in rows)
    return a, b, c


def seen(rows: list[list[float]], size: tuple[int, int] = SIZE) -> str | None:
    wrong = find_view_fault(measure_view(matrix(rows), size))
    return phrase_text(wrong) if wrong is not None else None


def turned(degrees: float) -> list[list[float]]:
    cos, sin = 1.8 * math.cos(math.radians(degrees)), 1.8 * math.sin(math.radians(degrees))
    return [[cos, -sin, 640], [sin, cos, 360], [0, 0, 1]]


def test_every_virtual_camera_has_a_good_view() -> None:
    for seed in range(20):
        view = measure_view(make_homography(SIZE, np.random.default_rng(seed)), SIZE)
        assert find_view_fault(view) is None
        assert 180 < view.margin_mm < 205


def test_a_view_is_measured_where_the_mark_is() -> None:
    view = measure_view(matrix(turned(10)), SIZE)
    assert view.mark_px == (640, 360)
    assert view.card_px == pytest.approx(1.8 * 63.5)
    assert view.stretch == pytest.approx(1)
    assert view.turn_deg == pytest.approx(10)
    # The picture's rows 0 to 719 end 359 pixels below the mark.
    assert view.margin_mm == pytest.approx(359 / 1.8)


def test_the_scale_of_a_matrix_says_nothing() -> None:
    rows = turned(3)
    twice = [[-2 * number for number in row] for row in rows]
    assert measure_view(matrix(twice), SIZE) == measure_view(matrix(rows), SIZE)


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], "the picture ends 0 mm from the mark"),
        ([[1.8, 0, 99_000], [0, 1.8, 360], [0, 0, 1]], "the mark is at 99000, 360, outside the picture"),
        ([[-1.8, 0, 640], [0, 1.8, 360], [0, 0, 1]], "the picture is mirrored"),
        (turned(90), "x points 90 degrees off"),
        ([[0.6, 0, 640], [0, 0.6, 360], [0, 0, 1]], "a card is 38 pixels wide"),
        ([[1.8, 0, 640], [0, 1.0, 360], [0, 0, 1]], "a circle on the mark is 1.80 times as long"),
        ([[3, 0, 640], [0, 3, 360], [0, 0, 1]], "the picture ends 120 mm from the mark"),
        ([[1.8, 0, 640], [0, 1.8, 500], [0, 0, 1]], "the picture ends 122 mm from the mark"),
    ],
)
def test_what_is_wrong_is_said(rows: list[list[float]], wrong: str) -> None:
    text = seen(rows)
    assert text is not None
    assert text.startswith(wrong)
    assert "cardtable calibrate" in text


@pytest.mark.parametrize(
    "rows", [[[1.8, 0, 640], [0, 1.8, 360], [0.001, 0, 0]], [[1.8, 1.8, 640], [1.8, 1.8, 360], [0, 0, 1]]]
)
def test_a_plane_that_can_not_be_seen_is_an_error_in_one_line(rows: list[list[float]]) -> None:
    with pytest.raises(TableError, match=r"camera\.homography: .*calibrate") as caught:
        measure_view(matrix(rows), SIZE)
    assert "\n" not in str(caught.value)


def test_what_lies_beyond_the_horizon_is_far_from_the_mark() -> None:
    # Seen so flatly that the upper half of the picture shows no table at all.
    view = measure_view(matrix([[1.8, 0, 640], [0, 1.8, 500], [0, 0.0045, 1]]), SIZE)
    assert 0 < view.margin_mm < 1000
