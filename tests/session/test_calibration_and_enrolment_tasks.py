"""From the menu the mark is found and the pack learned, with the camera and the buttons that the table has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table.cards import pack
from table.config.pin_plan import load_table
from table.config.settings import CameraConfig, TableConfig, load_config
from table.detection.indices.enrolled_pack import load_pack
from table.directions import angle_between
from table.errors import TableError
from table.menu.next_game_plan import GamePlan
from table.observed_facts import MS, Delivery, Edge, Frame, Image
from table.phrase import Phrase
from table.session.calibration_and_enrolment_tasks import CalibrationTask, EnrolmentTask, SeatFindingTask
from table.simulation.simulated_config import make_simulated_config
from tests.calibration.hands_over_the_mark import Evening, hand
from tests.calibration.photographed import Shot, photograph
from tests.enrol.oddpack import lay_odd
from tests.tracking.cards_on_cloth import PX_PER_MM, cloth


class Pictures:
    """A camera's pictures, 30 a second; then somebody raps, if anybody is to."""

    def __init__(self, images: list[Image], *, raps: bool = False) -> None:
        self._images = images
        self._raps = raps

    def deliveries(self) -> Iterator[Delivery]:
        now = 0
        for number, image in enumerate(self._images):
            now = number * 33 * MS
            yield Delivery(now, (), Frame(now, image, number), now, now)
        edges = [Edge(now + 20 * MS, "1", "rap", 1), Edge(now + 90 * MS, "1", "rap", 0)] if self._raps else []
        for tick in range(1, 60):
            later = now + tick * 500 * MS
            come = tuple(edges) if tick == 1 else ()
            yield Delivery(later, come, None, later, later)


def codes(lines: tuple[object, ...]) -> list[str]:
    return [line.text.code for line in lines]  # type: ignore[attr-defined]


@pytest.fixture
def table_toml(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text("# my table\n")
    return path


def test_the_mat_is_found_and_table_toml_knows_the_mark(table_toml: Path) -> None:
    image = photograph(Shot())
    height, width = image.shape[:2]
    set_up = load_table(table_toml)
    set_up = replace(set_up, camera=replace(set_up.camera, size=(width, height)))
    errand = CalibrationTask(set_up, Pictures([image] * 15))
    for now_ns in errand.run():
        assert errand.view(now_ns).lines
    assert errand.set_up.camera.homography is not None
    written = load_config(table_toml, menu=True)
    assert written.camera.homography is not None
    assert np.allclose(written.camera.homography, errand.set_up.camera.homography, rtol=1e-6)
    assert written.camera.mat == errand.set_up.camera.mat
    assert table_toml.read_text().startswith("# my table\n")
    assert {line.text.fields["part"] for line in errand.findings if isinstance(line.text, Phrase)} >= {
        "mat",
        "view",
    }


def test_without_a_mat_or_a_picture_everything_stays_and_that_is_said(table_toml: Path) -> None:
    set_up = load_table(table_toml)
    for images in ([], [cloth()] * 15):
        errand = CalibrationTask(set_up, Pictures(images))
        list(errand.run())
        assert len(errand.findings) == 1
        assert errand.set_up == set_up
    assert table_toml.read_text() == "# my table\n"


CAMERA = CameraConfig(
    size=(512, 512), homography=((PX_PER_MM, 0.0, 256.0), (0.0, PX_PER_MM, 256.0), (0.0, 0.0, 1.0))
)


def learn_the_ace_of_spades(table_toml: Path) -> tuple[EnrolmentTask, set[str]]:
    """Lay the card, and rap; return the task and what the menu said meanwhile."""
    set_up = replace(load_table(table_toml), camera=CAMERA)
    bare, laid = cloth(), cloth()
    lay_odd(laid, "AS", 250, 260, 5)
    hands = [laid.copy() for _ in range(4)]
    for step, image in enumerate(hands):
        image[100 * step : 100 * step + 200, 150:350] = (90, 130, 190)
    errand = EnrolmentTask(set_up, Pictures([*[bare] * 30, *hands, *[laid] * 180], raps=True), pack())
    told = set()
    for now_ns in errand.run():
        view = errand.view(now_ns)
        told.add(view.message.code if view.message is not None else "")
    return errand, told


def test_a_card_is_learned_at_the_table_and_a_rap_ends_it(table_toml: Path) -> None:
    errand, told = learn_the_ace_of_spades(table_toml)
    assert "enrol.learned" in told
    assert codes(errand.findings) == ["enrol.enrolled"]
    out = table_toml.with_name("pack.npz")
    assert load_pack(out).index_counts == {"AS": 2}
    assert errand.set_up.camera.pack == out
    assert load_config(table_toml, menu=True).camera.pack == out


def test_a_pack_that_table_toml_can_not_name_is_said_to_hold_for_the_session_alone(
    table_toml: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = TableError("file.not_written", at=table_toml, error="Read-only file system")

    def refuse(*_: object) -> None:
        raise refused

    monkeypatch.setattr("table.detection.enrolment_steps.set_keys", refuse)
    errand, _ = learn_the_ace_of_spades(table_toml)
    assert [line.text for line in errand.findings][1:] == [refused.phrase]
    assert errand.set_up.camera.pack == table_toml.with_name("pack.npz")


def test_a_table_that_is_not_calibrated_can_t_learn_cards(table_toml: Path) -> None:
    with pytest.raises(TableError):
        EnrolmentTask(load_table(table_toml), Pictures([]), pack())


def test_a_rap_at_once_learns_nothing(table_toml: Path) -> None:
    errand = EnrolmentTask(
        replace(load_table(table_toml), camera=CAMERA), Pictures([cloth()], raps=True), pack()
    )
    list(errand.run())
    assert codes(errand.findings) == ["enrol.nothing"]
    assert not table_toml.with_name("pack.npz").exists()


# --- the seats ------------------------------------------------------------------------------------------------------


class AroundTheMark:
    """A camera over the mark, over which people hold their hands and rap, each from a direction."""

    def __init__(self, set_up: TableConfig, raps: dict[str, float]) -> None:
        self._evening = Evening(set_up)
        self._raps = raps

    def deliveries(self) -> Iterator[Delivery]:
        yield from self._evening.passes(10)
        for chair, angle in self._raps.items():
            yield from self._evening.passes(8, (hand(chair, angle),), rap=chair)
            yield from self._evening.passes(16)


def found_seats(table_toml: Path, raps: dict[str, float]) -> SeatFindingTask:
    set_up = replace(load_table(table_toml), camera=make_simulated_config(players=3).camera)
    plan = GamePlan(seated={"1": "Ada", "2": "Ben", "4": "Cleo"})
    task = SeatFindingTask(set_up, AroundTheMark(set_up, raps), plan)
    for now_ns in task.run():
        view = task.view(now_ns)
        assert view.picture is not None, "people see where their hands are"
        assert [chair.name for chair in view.chairs] == ["Ada", "Ben", "Cleo"]
    return task


def test_each_chair_is_found_where_its_hand_came_from(table_toml: Path) -> None:
    task = found_seats(table_toml, {"1": 180.0, "2": 300.0, "4": 60.0})
    assert codes(task.findings) == ["menu.seats_found"]
    seats = {seat.name: seat for seat in task.set_up.seats}
    assert all(seats[chair].placed for chair in "124")
    assert not seats["3"].placed
    for chair, angle in {"1": 180.0, "2": 300.0, "4": 60.0}.items():
        assert angle_between(seats[chair].angle, angle) < 6


def test_chairs_that_are_not_in_playing_order_are_refused(table_toml: Path) -> None:
    task = found_seats(table_toml, {"1": 180.0, "2": 60.0, "4": 300.0})
    assert codes(task.findings) == ["set_up.not_in_order"]
    assert not any(seat.placed for seat in task.set_up.seats)


def test_chairs_of_table_toml_are_found_in_table_toml(table_toml: Path) -> None:
    angles = {"1": 90, "2": 180, "3": 240, "4": 300}
    table_toml.write_text("".join(f"[[seat]]\nangle = {angle}\nbid = {n}\n" for n, angle in angles.items()))
    found_seats(table_toml, {"1": 80.0, "2": 190.0, "4": 320.0})
    written = [seat.angle for seat in load_config(table_toml, menu=True).seats]
    assert [
        angle_between(angle, wanted) < 6 for angle, wanted in zip(written, (80, 190, 240, 320), strict=True)
    ] == [True] * 4
