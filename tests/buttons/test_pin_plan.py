"""The plan that people solder by is consistent with itself, with the boot settings and with the header."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo

from table.config import pin_plan as pins_of

HARDWARE = Path(__file__).parents[2] / "hardware"
ROW = re.compile(r"\| (\d) \| (\d+) \((\d+)\) \| (\d+) \((\d+)\) \| (\d+) \((\d+)\) \| \((\d+)\) \|")
PLAN = [
    [int(cell) for cell in row] for row in ROW.findall((HARDWARE / "README.md").read_text(encoding="utf-8"))
]


def boot_lines(setting: str) -> set[int]:
    found = re.search(rf"^gpio=([\d,]+)={setting}$", (HARDWARE / "config.txt").read_text(), re.MULTILINE)
    assert found
    return {int(line) for line in found[1].split(",")}


def test_the_plan_has_seven_seats_and_no_line_twice() -> None:
    assert [row[0] for row in PLAN] == [1, 2, 3, 4, 5, 6, 7]
    lines = [line for row in PLAN for line in (row[1], row[3], row[5])]
    assert len(set(lines)) == 21
    assert not set(lines) & {0, 1, 2, 3, 4, 14, 15}


@pytest.mark.parametrize("revision", [0xC03115, 0xC04170], ids=["Raspberry Pi 4", "Raspberry Pi 5"])
def test_each_line_is_on_the_pin_that_the_plan_says(revision: int) -> None:
    header = PiBoardInfo.from_revision(revision).headers["J8"].pins
    for row in PLAN:
        for line, pin in zip(row[1:7:2], row[2:7:2], strict=True):
            assert header[pin].name == f"GPIO{line}"
        assert header[row[7]].name == "GND"


def test_what_init_writes_is_the_plan() -> None:
    assert [[number, *pins] for number, pins in enumerate(pins_of.PIN_PLAN, start=1)] == [
        [row[0], row[1], row[3], row[5]] for row in PLAN
    ]


def test_the_boot_settings_pull_buttons_up_and_keep_lamps_dark() -> None:
    assert boot_lines("ip,pu") == {line for row in PLAN for line in (row[1], row[3])}
    assert boot_lines("op,dl") == {row[5] for row in PLAN}


def test_no_lamp_is_on_a_line_that_the_board_pulls_up_at_power_on() -> None:
    assert all(row[5] >= 9 for row in PLAN)
