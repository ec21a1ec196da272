"""The doctor checks each part on its own, and says what to do about each fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table import doctor
from table.__main__ import main
from table.errors import TableError

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


class Reader:
    """Buttons that answer."""

    accuracy = "stamped exactly"

    def close(self) -> None:
        pass


def test_a_fault_in_one_part_keeps_no_other_from_being_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_here(*_: Any) -> Any:
        raise TableError("no GPIO chip: expected a Raspberry Pi")

    monkeypatch.setattr(doctor, "open_buttons", none_here)
    monkeypatch.setattr(doctor, "gpio_leds", none_here)
    path = tmp_path / "table.toml"
    path.write_text(TOML)
    assert main(["doctor", "--config", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    found = {line[7:].split(":")[0]: line.startswith("ok") for line in lines}
    assert found == {
        "set-up": True,
        "model": True,
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
    findings = {finding.part: finding for finding in doctor.examine(path)}
    assert findings["buttons"].good
    assert findings["buttons"].text == "stamped exactly"


def test_without_a_set_up_the_rest_is_checked(tmp_path: Path) -> None:
    findings = {finding.part: finding for finding in doctor.examine(tmp_path / "table.toml")}
    assert not findings["set-up"].good
    assert findings["model"].good
    assert "buttons" not in findings
