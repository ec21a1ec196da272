"""The doctor checks each part on its own, and says what to do about each fault."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from table.__main__ import main
from table.buttons.gpio_edges import EdgeReading, KernelButtons, PinButtons
from table.calibration.homography.check_findings import Finding
from table.commands.setup import doctor
from table.errors import TableError
from table.observed_facts import MS, Control, Edge
from table.phrase import make_phrase
from tests.buttons.fakegpiod import Board

TOML = """
[game]
name = "whysteria"
[[seat]]
name = "Ada"
angle = 0
bid = 17
led = 22
[[seat]]
name = "Ben"
angle = 180
bid = 27
[camera]
source = "no-such-camera.mp4"
"""


@pytest.fixture(autouse=True)
def raspberry_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has pins for buttons."""
    monkeypatch.setattr(doctor, "has_gpio_header", lambda: True)


class Reader:
    """Buttons that answer."""

    accuracy = make_phrase("stamped.bus")

    def pressed_buttons(self) -> tuple[()]:
        return ()

    def close(self) -> None:
        pass


def test_a_fault_in_one_part_keeps_no_other_from_being_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_here(*_: Any) -> Any:
        raise TableError("no GPIO chip: expected a Raspberry Pi")

    monkeypatch.setattr(doctor, "open_buttons", none_here)
    monkeypatch.setattr(doctor, "gpio_leds", none_here)
    monkeypatch.setattr(doctor, "file_system_kind", lambda _: "ext4")
    path = tmp_path / "table.toml"
    path.write_text(TOML)
    assert main(["doctor", "--config", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    found = {line[7:].split(":")[0]: line.startswith("ok") for line in lines}
    assert found == {
        "set-up": True,
        "model": True,
        "pack": True,
        "camera": False,
        "mark": False,
        "buttons": False,
        "lamps": False,
        "screen": False,
        "disk": True,
        "clock": True,
    }


def test_the_accuracy_of_the_buttons_stamps_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "open_buttons", lambda seats: Reader())
    path = tmp_path / "table.toml"
    path.write_text(TOML)
    findings = {finding.part: finding for finding in doctor.check_table(path)}
    assert findings["buttons"].good
    assert findings["buttons"].message == make_phrase(
        "doctor.one_button", accuracy=Reader.accuracy, seats=("Ada", "Ben")
    )


def test_without_a_set_up_the_rest_is_checked(tmp_path: Path) -> None:
    findings = {finding.part: finding for finding in doctor.check_table(tmp_path / "table.toml")}
    assert not findings["set-up"].good
    assert findings["model"].good
    assert "buttons" not in findings


@pytest.fixture
def mock_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """Ada with two buttons, Ben with one, on gpiozero's mock pins."""
    (tmp_path / "table.toml").write_text(TOML.replace("bid = 17", "bid = 17\nrap = 23"))
    pins = MockFactory()
    monkeypatch.setattr(doctor, "open_buttons", lambda seats: PinButtons(seats, pins))
    return pins


def press(pins: MockFactory, *lines: int) -> Callable[[float], None]:
    """Instead of waiting for an edge: press and let go the next of these lines."""
    rest = list(lines)

    def wait(_: float) -> None:
        if rest:
            pin = pins.pin(f"GPIO{rest.pop(0)}")
            pin.drive_low()
            pin.drive_high()

    return wait


def test_pressing_every_button_once_finds_them_all_good(
    tmp_path: Path,
    mock_pins: MockFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listen = press(mock_pins, 27, 17, 17, 23)
    monkeypatch.setattr(threading.Event, "wait", lambda self, timeout: listen(timeout))
    assert main(["doctor", "--buttons", "--config", str(tmp_path / "table.toml")]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "ok     Ben: bid heard (GPIO 27)",
        "ok     Ada: bid heard (GPIO 17)",
        "ok     Ada: rap heard (GPIO 23)",
    ]


def test_buttons_that_nobody_heard_are_named_with_what_to_do(
    tmp_path: Path,
    mock_pins: MockFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listen = press(mock_pins, 17)
    monkeypatch.setattr(threading.Event, "wait", lambda self, timeout: listen(timeout))
    assert main(["doctor", "--buttons", "0.05", "--config", str(tmp_path / "table.toml")]) == 1
    heard, rap, bid = capsys.readouterr().out.splitlines()[1:]
    assert heard == "ok     Ada: bid heard (GPIO 17)"
    assert rap.startswith("FAULT  Ada: rap not heard (GPIO 23): look at its cable")
    assert rap.endswith("(or leave rap out of table.toml: bid then does everything)")
    assert bid.startswith("FAULT  Ben: bid not heard (GPIO 27)")
    assert "leave" not in bid


def test_a_button_that_is_down_while_nobody_plays_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board()
    monkeypatch.setattr(
        doctor, "open_buttons", lambda seats: KernelButtons(seats, chip="/dev/gpiochip0", gpiod=board)
    )
    path = tmp_path / "table.toml"
    path.write_text(TOML)

    def buttons() -> Finding:
        return {one.part: one for one in doctor.check_table(path)}["buttons"]

    assert "a lost edge is noticed and said" in buttons().text
    board.volts[27] = 0
    found = buttons()
    assert not found.good
    assert found.text.startswith("Ben's bid: down; let go of it")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_listening_for_no_time_at_all_is_an_error_in_one_line(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["doctor", "--buttons", seconds])
    assert left.value.code == 2
    assert "--buttons" in capsys.readouterr().err


def test_the_homography_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"

    def mark(rows: str) -> Finding:
        path.write_text(f"{TOML}homography = {rows}\n")
        return {one.part: one for one in doctor.check_table(path)}["mark"]

    good = mark("[[1.8, 0, 640], [0, 1.8, 360], [0, 0, 1]]")
    assert good.good
    assert good.text == "a card is 114 pixels wide, the picture ends 199 mm from the mark at the nearest"
    for rows, wrong in (
        ("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "the picture ends 0 mm from the mark (expected 150)"),
        ("[[1.8, 0, 99000], [0, 1.8, 360], [0, 0, 1]]", "the mark is at 99000, 360, outside the picture"),
    ):
        found = mark(rows)
        assert not found.good
        assert found.text.startswith(wrong)
        assert "cardtable calibrate" in found.text


class Recorded:
    """Buttons that bring these edges in one reading each."""

    accuracy = make_phrase("stamped.bus")

    def __init__(self, *readings: list[Edge]) -> None:
        self.readings = list(readings)
        self.until_ns = 0

    def read(self, timeout_s: float) -> EdgeReading:
        """The next reading."""
        edges = self.readings.pop(0) if self.readings else []
        self.until_ns = max([self.until_ns + 50 * MS, *(edge.t_ns + MS for edge in edges)])
        return EdgeReading(tuple(edges), self.until_ns)

    def close(self) -> None:
        """Nothing is open."""


def bouncing(seat: str, control: Control, at_ms: float, press_ms: float, release_ms: float) -> list[Edge]:
    """A tap of 100 ms whose contact touches last so long after the first edges."""
    steps = [(0.0, 1), (press_ms - 0.2, 0), (press_ms, 1), (100.0, 0)]
    steps += [(100 + release_ms / 2, 1), (100 + release_ms, 0)]
    return [Edge(round((at_ms + after) * MS), seat, control, level) for after, level in steps]


@pytest.fixture
def listened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, list[str]]]:
    """What `doctor --buttons` says of these readings."""

    def listen(*readings: list[Edge], knock: bool = False) -> tuple[int, list[str]]:
        path = tmp_path / "table.toml"
        path.write_text(TOML.replace("bid = 17", "bid = 17\nrap = 23" + "\nknock = true" * knock))
        monkeypatch.setattr(doctor, "open_buttons", lambda seats: Recorded(*readings))
        monkeypatch.setattr(doctor, "MEASURE_S", 0.0)
        with redirect_stdout(StringIO()) as out:
            status = main(["doctor", "--buttons", "--config", str(path)])
        return status, out.getvalue().splitlines()[1:]

    return listen


def test_the_bounce_of_each_button_is_measured_at_press_and_release(
    listened: Callable[..., tuple[int, list[str]]],
) -> None:
    status, lines = listened(
        bouncing("Ada", "bid", 1000, 1.5, 12),
        bouncing("Ada", "rap", 2000, 0.5, 3),
        bouncing("Ben", "bid", 3000, 4, 8),
    )
    assert status == 0
    assert sorted(lines) == [
        "ok     Ada: bid bounces 1.5 ms when pressed, 12.0 ms when let go",
        "ok     Ada: bid heard (GPIO 17)",
        "ok     Ada: rap bounces 0.5 ms when pressed, 3.0 ms when let go",
        "ok     Ada: rap heard (GPIO 23)",
        "ok     Ben: bid bounces 4.0 ms when pressed, 8.0 ms when let go",
        "ok     Ben: bid heard (GPIO 27)",
    ]


def test_a_button_that_bounces_longer_than_the_table_allows_is_a_fault_with_what_to_set(
    listened: Callable[..., tuple[int, list[str]]],
) -> None:
    status, lines = listened(
        bouncing("Ada", "bid", 1000, 1, 28),
        bouncing("Ada", "rap", 2000, 1, 1),
        bouncing("Ben", "bid", 3000, 1, 1),
    )
    assert status == 1
    assert [line for line in lines if line.startswith("FAULT")] == [
        "FAULT  Ada: bid bounces 1.0 ms when pressed, 28.0 ms when let go, longer than release_ms = 25: "
        "set release_ms = 35 under [buttons] in table.toml, or change the button"
    ]


def test_a_knock_sensor_s_ringing_is_not_measured(listened: Callable[..., tuple[int, list[str]]]) -> None:
    knock = [
        Edge(round((2000 + after) * MS), "Ada", "rap", level)
        for after, level in ((0, 1), (7, 0), (19, 1), (26, 0))
    ]
    status, lines = listened(
        bouncing("Ada", "bid", 1000, 1, 1), knock, bouncing("Ben", "bid", 3000, 1, 1), knock=True
    )
    assert status == 0
    assert [line for line in lines if "rap" in line] == ["ok     Ada: rap heard (GPIO 23)"]
