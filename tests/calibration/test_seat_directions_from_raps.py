"""Seats are found by a rap with a hand over the mark, as the virtual camera sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.__main__ import main
from table.calibration.seat_directions_from_raps import BACKGROUND_FRAMES, SeatFinder, SeatRap
from table.commands.setup import calibrate
from table.config.settings import SeatConfig, TableConfig, load_config
from table.config.toml_edit import set_keys, set_seat_angles
from table.directions import angle_between
from table.observed_facts import Delivery
from table.simulation.simulated_config import make_simulated_config
from tests.calibration.hands_over_the_mark import Evening, hand
from tests.wrong import wrong


@pytest.fixture
def config() -> TableConfig:
    return make_simulated_config(players=3)


def heard(finder: SeatFinder, deliveries: Iterator[Delivery]) -> list[SeatRap]:
    return [one for delivery in deliveries for one in finder.process(delivery)]


def test_each_seat_is_where_its_rappers_arm_comes_from(config: TableConfig) -> None:
    evening, finder = Evening(config), SeatFinder(config)
    assert heard(finder, evening.passes(BACKGROUND_FRAMES)) == []
    assert finder.ready
    for seat in config.seats:
        found = heard(finder, evening.passes(8, (hand(seat.name, seat.angle),), rap=seat.name))
        found += heard(finder, evening.passes(16))
        assert [one.seat for one in found] == [seat.name]
        assert found[0].angle is not None
        # The arm is wide where it crosses the picture's border.
        assert angle_between(found[0].angle, seat.angle) < 6


def test_a_rap_with_no_hand_over_the_mark_or_with_two_tells_no_seat(config: TableConfig) -> None:
    evening, finder = Evening(config), SeatFinder(config)
    heard(finder, evening.passes(BACKGROUND_FRAMES))
    assert heard(finder, evening.passes(20, rap="Ben")) == []
    assert heard(finder, evening.passes(10)) == [SeatRap("Ben", None)]
    both = (hand("Ada", 30.0), hand("Cleo", 260.0))
    assert heard(finder, evening.passes(40, both, rap="Ada")) == [SeatRap("Ada", None)]


def test_what_is_rapped_before_the_bare_table_was_seen_does_not_count(config: TableConfig) -> None:
    evening, finder = Evening(config), SeatFinder(config)
    assert heard(finder, evening.passes(BACKGROUND_FRAMES, rap="Ada")) == []
    assert heard(finder, evening.passes(40)) == []


def test_an_uncalibrated_camera_is_one_line() -> None:
    with wrong("set_up.not_calibrated", at="camera.homography"):
        SeatFinder(TableConfig("whysteria", {}, (SeatConfig("Ada", 0), SeatConfig("Ben", 180))))


# --- the command ----------------------------------------------------------------------------------------------


class Table:
    """The live table, as the command asks for it."""

    def __init__(self, deliveries: Iterator[Delivery]) -> None:
        self.deliveries = lambda: deliveries

    def stop(self) -> None:
        pass


@pytest.fixture
def path(tmp_path: Path, config: TableConfig) -> Path:
    """A table whose seats stand as init guesses them."""
    found = tmp_path / "table.toml"
    assert main(["init", "--config", str(found), "--players", *config.names]) == 0
    assert config.camera.homography is not None
    set_keys(found, "camera", {"homography": config.camera.homography})
    return found


def test_the_command_writes_everybodys_angle(
    path: Path, config: TableConfig, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening(config)

    def deliveries(count: int) -> Iterator[Delivery]:
        yield from evening.passes(BACKGROUND_FRAMES)
        for seat in config.seats[:count]:
            yield from evening.passes(8, (hand(seat.name, seat.angle),), rap=seat.name)
            yield from evening.passes(20)

    before = path.read_text()
    monkeypatch.setattr(calibrate, "open_live", lambda _: Table(deliveries(2)))
    assert main(["calibrate", "--seats", "--config", str(path)]) == 1
    assert "not heard: Cleo" in capsys.readouterr().out
    assert path.read_text() == before
    monkeypatch.setattr(calibrate, "open_live", lambda _: Table(deliveries(3)))
    assert main(["calibrate", "--seats", "--config", str(path)]) == 0
    for seat, true in zip(load_config(path).seats, config.seats, strict=True):
        assert angle_between(seat.angle, true.angle) < 6
    assert path.read_text().count("#") == before.count("#")


def test_angles_against_the_playing_order_are_not_written(path: Path) -> None:
    before = path.read_text()
    with wrong("set_up.not_in_order", at="seat 3.angle"):
        set_seat_angles(path, {"Ada": 0.0, "Ben": 240.0, "Cleo": 120.0})
    assert path.read_text() == before
