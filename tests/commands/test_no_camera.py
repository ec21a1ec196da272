"""Commands that can do nothing without pictures end in one line where no camera is there, whichever they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from table.__main__ import main
from table.commands.setup import calibrate, enrol
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Delivery, Frame
from table.phrase import make_phrase
from table.sources.live_table import require_frames
from tests.wrong import wrong

GONE = make_phrase("source.none_there", source="/dev/video0")
TOML = """
[game]
name = "whysteria"
[[seat]]
name = "Ada"
angle = 0
[[seat]]
name = "Ben"
angle = 180
[camera]
source = "/dev/video250"
homography = [[1.0, 0, 640], [0, 1.0, 360], [0, 0, 1]]
"""


def deliveries(pictures: int = 0) -> Iterator[Delivery]:
    """Ten a second for ever, of which the first have a picture."""
    for number in count():
        now = number * 100 * MS
        frame = Frame(now, np.zeros((2, 2, 3), np.uint8), number) if number < pictures else None
        yield Delivery(now, (), frame, now, now, 0, () if frame is not None else (GONE,))


@pytest.mark.parametrize(
    ("module", "command"), [(enrol, ["enrol"]), (calibrate, ["calibrate", "--seats"])], ids=["enrol", "seats"]
)
def test_without_a_camera_a_command_that_needs_one_ends_in_one_line(
    module: Any,
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TOML)
    table = SimpleNamespace(deliveries=deliveries, stop=lambda: None)
    monkeypatch.setattr(module, "open_live", lambda *_, **__: table)
    assert main([*command, "--config", str(path)]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert phrase_text(make_phrase("camera.none_came", trouble=GONE)) in last


def test_a_camera_is_waited_for_for_ten_seconds_after_its_last_picture() -> None:
    latest = 0
    with wrong("camera.none_came"):
        for delivery in require_frames(deliveries(50)):
            latest = delivery.now_ns
    assert latest == 4_900 * MS + 10_000 * MS
