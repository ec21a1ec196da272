"""Calibrating from pictures of the printed mat, made with a camera that is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.__main__ import main
from table.calibration.homography.calibrate_from_mat import MatCalibration, calibrate_from_mat
from table.calibration.homography.homography_checks import measure_view
from table.calibration.homography.mat_finder import find_mat
from table.config.settings import MATS as PAPERS
from table.config.settings import load_config
from table.observed_facts import Image
from table.table_geometry import transform_points
from tests.calibration.photographed import SIZE, Shot, photograph
from tests.speeds import first_quick
from tests.wrong import told, wrong

AROUND = np.stack(np.meshgrid(np.linspace(-110, 110, 7), np.linspace(-110, 110, 7)), axis=-1).reshape(-1, 2)
ASKEW = Shot(turn=30, tilt=(1e-4, -2e-4), middle=(610, 380))


def off_mm(found: NDArray[np.float64], shot: Shot) -> float:
    """How far the found homography (mat to pixels) puts places around the mark from where they are, at most."""
    to_mat = np.asarray(np.linalg.inv(shot.homography), np.float64)
    apart = transform_points(to_mat, transform_points(found, AROUND)) - AROUND
    return float(np.hypot(*apart.T).max())


def faults(found: MatCalibration) -> dict[str, str]:
    return {finding.part: finding.text for finding in found.findings if not finding.good}


@first_quick("paper", PAPERS)
@pytest.mark.parametrize(
    "shot",
    [
        ASKEW,
        Shot(turn=-100, tilt=(-2e-4, 1e-4), noise=5.0),
        Shot(blur=1.5, noise=4.0),
        Shot(scale=1.2, turn=70),
        Shot(scale=2.6, size=(1920, 1080), middle=(960, 540), turn=180),
    ],
    ids=["askew", "noisy", "blurred", "from afar", "full HD"],
)
def test_the_homography_is_found_within_half_a_millimetre(paper: str, shot: Shot) -> None:
    shot = replace(shot, paper=paper)  # type: ignore[arg-type]
    found = calibrate_from_mat([photograph(shot)])
    assert found.mat.sheet.paper == paper
    assert found.mat.residual_mm < 0.5
    assert off_mm(found.mat.homography, shot) < 0.5
    assert found.usable


@pytest.mark.thorough
def test_the_tables_axes_are_the_pictures_however_the_mat_lies() -> None:
    for turn in (-170.0, -30.0, 0.0, 75.0, 140.0):
        found = calibrate_from_mat([photograph(replace(ASKEW, turn=turn))])
        view = measure_view(found.homography, SIZE)
        assert abs(view.turn_deg) < 0.01
        assert view.mark_px == pytest.approx((610, 380), abs=0.2)
        assert found.mat.turn_deg == pytest.approx(find_turn(turn), abs=0.1)


def find_turn(turn: float) -> float:
    """The rotation part of the camera's derivative at the mark; the tilt adds a little to none of it here."""
    matrix = replace(ASKEW, turn=turn).homography
    local = matrix[:2, :2] - np.outer(matrix[:2, 2], matrix[2, :2])
    return float(np.degrees(np.arctan2(local[1, 0] - local[0, 1], local[0, 0] + local[1, 1])))


def test_a_good_picture_has_no_fault() -> None:
    assert faults(calibrate_from_mat([photograph(Shot(seed=seed)) for seed in range(6)])) == {}


def test_half_covered_the_mat_is_found_and_its_light_measured_on_what_is_free() -> None:
    image = photograph(Shot())
    image[:350, :760] = (30, 60, 120)  # a book over four of the ten markers
    found = calibrate_from_mat([image])
    assert len(found.mat.markers) == 6
    assert off_mm(found.mat.homography, Shot()) < 0.5
    assert faults(found) == {}


def test_markers_on_one_side_of_the_mark_only_are_no_calibration() -> None:
    image = photograph(Shot())
    image[:, 600:] = (30, 60, 120)
    with wrong("calibrate.no_mat", seen=5, least=4):
        calibrate_from_mat([image])


def test_a_picture_without_a_mat_is_one_line() -> None:
    with wrong("calibrate.no_mat", seen=0) as caught:
        calibrate_from_mat([np.full((720, 1280, 3), 80, np.uint8)])
    assert "\n" not in str(caught.value)


def test_a_print_of_another_size_is_measured_by_its_ruler() -> None:
    small = Shot(scale=1.8 * 0.94)  # printed at 94 %, seen at 1.8 pixels a millimetre
    found = calibrate_from_mat([photograph(small)], ruler_mm=94.0)
    assert measure_view(found.homography, SIZE).card_px == pytest.approx(1.8 * 63.5, rel=0.002)
    assert faults(found) == {}


def test_a_marker_that_lies_elsewhere_is_left_out() -> None:
    image = photograph(Shot())
    marker = image[480:545, 380:450].copy()  # the lower left one, torn off and laid 40 mm higher
    image[480:545, 380:450] = 205
    image[400:465, 380:450] = marker
    found = find_mat(image)
    assert found is not None
    assert len(found.markers) == 9
    assert off_mm(found.homography, Shot()) < 0.5


def mirrored(image: Image) -> Image:
    return np.ascontiguousarray(image[:, ::-1])


def grey(image: Image) -> Image:
    flat = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    jpeg = cv2.imencode(".jpg", flat)[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def lit(image: Image) -> Image:
    """A lamp mirrored 50 mm right of the mark and 20 mm above it."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    spot = 150 * np.exp(-((x - 730) ** 2 + (y - 324) ** 2) / (2 * 20**2))
    return np.asarray(np.clip(image + spot[..., None], 0, 255), np.uint8)


def aside(image: Image) -> Image:
    """One end of the mat far from the lamp."""
    light = np.linspace(-0.2, 1.5, image.shape[1])[None, :, None]
    return np.asarray(np.clip(image * light, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("shot", "change", "part", "said"),
    [
        (Shot(turn=20), mirrored, "view", "the picture is mirrored: switch that off"),
        (Shot(middle=(640, 200)), None, "view", "the picture ends 11"),
        (Shot(scale=0.8), None, "view", "a card is 51 pixels wide"),
        (Shot(blur=2.7), None, "sharpness", "focus the lens"),
        (Shot(white=70, black=12), None, "exposure", "too dark (expected 110 for the paper): more light"),
        (Shot(white=290, black=60), None, "exposure", "of the paper is over-exposed: less light"),
        (Shot(white=165, black=115), None, "exposure", "too little contrast"),
        (Shot(), aside, "exposure", "times as bright as the other"),
        (Shot(turn=180), lit, "glare", "mm above the mark (1."),
        (Shot(), grey, "colour", "no colour anywhere"),
    ],
    ids=["mirrored", "margin", "small", "blurred", "dark", "over", "flat", "aside", "glare", "grey"],
)
def test_what_is_wrong_is_said_and_nothing_else(
    shot: Shot, change: Callable[[Image], Image] | None, part: str, said: str
) -> None:
    image = photograph(shot)
    found = faults(calibrate_from_mat([image if change is None else change(image)]))
    assert list(found) == [part]
    assert said in found[part]


def test_flicker_is_found_in_bands_that_wander() -> None:
    rows = np.arange(SIZE[1])
    frames = []
    for number in range(8):
        light = 1 + 0.06 * np.sin(2 * np.pi * (rows / 450 + 0.3 * number))
        frames.append(
            np.asarray(np.clip(photograph(Shot(seed=number)) * light[:, None, None], 0, 255), np.uint8)
        )
    assert "set camera.mains_hz to that of your mains" in faults(calibrate_from_mat(frames))["flicker"]


# --- the command --------------------------------------------------------------------------------------------

TOML = """\
# our table
[game]
name = "whysteria"  # the best

[[seat]]
name = "Ada"
angle = 90

[[seat]]
name = "Ben"
angle = 270

[camera]  # above the lamp
source = "picamera"
size = [1280, 720]
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TOML)
    return path


def test_calibrating_writes_three_keys_and_keeps_every_other_word(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = str(tmp_path / "mat.png")
    cv2.imwrite(picture, photograph(ASKEW))
    assert main(["calibrate", picture, "--config", str(table), "--check"]) == 0
    assert table.read_text() == TOML
    for _ in range(2):
        assert main(["calibrate", picture, "--config", str(table)]) == 0
    lines = table.read_text().splitlines()
    assert lines[: len(TOML.splitlines())] == TOML.splitlines()
    assert [line.split(" =")[0] for line in lines[len(TOML.splitlines()) :]] == [
        "homography",
        "mat",
        "mat_turn",
    ]
    camera = load_config(table).camera
    assert camera.mat == "A4"
    assert camera.mat_turn == pytest.approx(find_turn(30), abs=0.1)
    assert camera.homography is not None
    place = transform_points(np.array(camera.homography), np.zeros((1, 2)))[0]
    assert place == pytest.approx((610, 380), abs=0.2)
    drawn = cv2.imread(str(tmp_path / "calibration.png"))
    assert drawn is not None
    assert drawn.shape == (720, 1280, 3)
    assert f"{table}: camera.homography is set" in capsys.readouterr().out


def test_an_unusable_view_is_not_written(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = str(tmp_path / "mat.png")
    cv2.imwrite(picture, mirrored(photograph(ASKEW)))
    assert main(["calibrate", picture, "--config", str(table)]) == 1
    assert table.read_text() == TOML
    assert "left as it was" in capsys.readouterr().out


def test_bad_light_is_a_fault_but_no_reason_to_forget_the_mark(table: Path, tmp_path: Path) -> None:
    picture = str(tmp_path / "mat.png")
    cv2.imwrite(picture, photograph(Shot(white=70, black=12)))
    assert main(["calibrate", picture, "--config", str(table)]) == 1
    assert load_config(table).camera.homography is not None


def test_a_film_is_the_camera_too(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = str(tmp_path / "mat.avi")
    writer = cv2.VideoWriter(film, cv2.VideoWriter.fourcc(*"MJPG"), 100, SIZE)
    for seed in range(8):
        writer.write(photograph(Shot(seed=seed)))
    writer.release()
    assert main(["calibrate", film, "--config", str(table)]) == 0
    assert "from picture to picture" in capsys.readouterr().out
    table.write_text(TOML.replace('"picamera"', f'"{film}"'))
    assert main(["calibrate", "--config", str(table)]) == 0
    assert load_config(table).camera.homography is not None


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.png", b"", told("calibrate.no_picture")),
        ("a.png", b"no picture", told("calibrate.no_picture")),
        ("small.png", None, "320 x 240 pixels: expected 1280 x 720, as camera.size"),
        ("table.toml", b"", told("calibrate.no_picture")),
    ],
)
def test_bad_input_is_one_line(
    table: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
    said: str,
) -> None:
    path = tmp_path / name
    if content is None:
        cv2.imwrite(str(path), np.zeros((240, 320, 3), np.uint8))
    elif name != "table.toml":
        path.write_bytes(content)
    assert main(["calibrate", str(path), "--config", str(table)]) == 2
    error = capfd.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_without_a_table_toml_init_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--config", str(tmp_path / "table.toml")]) == 2
    assert capsys.readouterr().err.endswith("missing: make one first (cardtable init)\n")
