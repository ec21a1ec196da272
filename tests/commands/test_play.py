"""``cardtable play``, from a camera and a button reader to the journal; and after a power cut."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from table.__main__ import main
from table.check import compare
from table.commands import play
from table.referee.journal import read_lines
from tests.commands.filmed import RECORDING, FilmedTable

S = 1_000_000_000
ARGUMENTS = ("play", "--config", str(RECORDING / "table.toml"), "--headless")


def test_after_a_power_cut_the_game_goes_on_with_the_same_bids_and_tricks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Power goes when the first trick lies complete on the mark; then the clock starts anew."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    cut_ns = 1009 * S + S * 6 // 10
    died = subprocess.run(
        [sys.executable, "-m", "tests.commands.filmed", str(cut_ns / S), *ARGUMENTS],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    (path,) = (tmp_path / "cardtable" / "games").iterdir()
    before = read_lines(path)
    assert before[-1]["event"] == "trick_won"
    with path.open("ab") as file:
        file.write(b'{"seq": 99, "t_')  # what was being written when the power went

    monkeypatch.setattr(play, "open_live", FilmedTable(since_ns=cut_ns, boot_ns=5 * S).live)
    assert main(ARGUMENTS) == 0
    assert f"The game goes on: {path}" in capsys.readouterr().out
    lines = read_lines(path)
    assert lines[: len(before)] == before
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    for key in ("t_ns", "decided_ns"):
        assert min(line[key] for line in lines[len(before) :]) > max(line[key] for line in before)
    comparison = compare(read_lines(RECORDING / "truth.jsonl"), lines)
    assert comparison.differences == ()
    assert lines[-1]["event"] == "game_over"
