"""``cardtable play``, from a camera and a button reader to the journal; and after a power cut."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from table.__main__ import main
from table.commands import play
from table.config.settings import ScreenConfig, load_config
from table.display.drawing.boxes import Size
from table.display.drawing.canvas import Canvas
from table.display.table_view.table_centre import CardKey
from table.display.view_picture import ScreenView, draw_canvas
from table.display.window import ScreenWindow
from table.errors import TableError
from table.history.truth_comparison import compare
from table.phrase import expected_error, line_place, make_phrase
from table.referee.records.journal import read_lines
from table.session.resume_or_new_game import GameStore
from table.sources.live_table import LiveTable
from table.system.process_lock import Lock
from tests.commands.filmed import RECORDING, FilmedTable
from tests.display.views import moments
from tests.wrong import expects, told

S = 1_000_000_000
ARGUMENTS = ("play", "--config", str(RECORDING / "table.toml"), "--headless")


@pytest.mark.thorough
def test_after_a_power_cut_the_game_goes_on_with_the_same_bids_and_tricks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Power goes when the first trick lies complete on the mark; then the clock starts anew."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    cut_ns = 1009 * S + S * 6 // 10
    died = subprocess.run(
        [sys.executable, "-m", "tests.commands.filmed", str(cut_ns / S), "trick_won", *ARGUMENTS],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    (path,) = games(tmp_path)
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
    differences = compare(read_lines(RECORDING / "truth.jsonl"), lines).differences
    assert {difference[0] for difference in differences} <= {"~"}, "nothing but the clock, which begins anew"
    assert lines[-1]["event"] == "game_over"
    assert "Whysteria" in path.with_suffix(".html").read_text(), "a finished game has its page"


def test_a_mark_outside_the_picture_is_refused_as_doctor_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (RECORDING / "table.toml").read_text()
    config = load_config(RECORDING / "table.toml")
    assert config.camera.homography is not None
    away = [list(row) for row in config.camera.homography]
    away[0] = [value + 5000 * below for value, below in zip(away[0], away[2], strict=True)]
    lines = [f"homography = {away}" if line.startswith("homography") else line for line in text.splitlines()]
    path = tmp_path / "table.toml"
    path.write_text("\n".join(lines))
    assert main(["play", "--config", str(path), "--headless"]) == 2
    assert "camera.homography: the mark is at" in capsys.readouterr().err


def told_to_end() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def hung_up() -> None:
    os.kill(os.getpid(), signal.SIGHUP)


def games(folder: Path) -> list[Path]:
    found = (folder / "cardtable" / "games").iterdir()
    return sorted(path for path in found if path.suffix != ".facts")


def test_sigterm_ends_the_program_not_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    handler = signal.getsignal(signal.SIGTERM)
    for number, arguments in enumerate(([], [], ["--new"]), start=1):
        table = FilmedTable(since_ns=1001 * S, at_ns=1001 * S + S // 2, then=told_to_end)
        monkeypatch.setattr(play, "open_live", table.live)
        assert main([*ARGUMENTS, *arguments]) == 0
        assert table.closed, "the buttons are given back"
        out = capsys.readouterr().out
        assert ("The game goes on" if number == 2 else "A new game") in out
        assert "the next `cardtable play` goes on with it" in out
    assert signal.getsignal(signal.SIGTERM) is handler
    first, second = games(tmp_path)
    events = [line["event"] for line in read_lines(first)]
    assert (
        events == [line["event"] for line in read_lines(second)] == ["game_started", "hand_started", "trump"]
    )


def test_a_terminal_that_hangs_up_closes_the_window_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = FilmedTable(since_ns=1001 * S, at_ns=1001 * S + S // 2, then=hung_up)
    monkeypatch.setattr(play, "open_live", table.live)
    monkeypatch.setattr(play, "has_display", lambda: True)  # pygame's dummy driver is none
    journal = tmp_path / "game.jsonl"
    config = str(RECORDING / "table.toml")
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have it ignored
    try:
        assert main(["play", "--config", config, "--keyboard", "--window", "--journal", str(journal)]) == 0
    finally:
        signal.signal(signal.SIGHUP, before)
    assert "Ada: 1 bids, Q raps" in capsys.readouterr().out
    assert read_lines(journal)[0]["event"] == "game_started"


def no_buttons(config: object, *, keyboard: bool) -> LiveTable:
    raise TableError("gpio.or_without", wrong=TableError("gpio.no_buttons", wrong="no GPIO chip"))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--config", "no-such.toml"], "no-such.toml"),
        (["--headless", "--keyboard"], f"--keyboard: {expects('expected.window')}"),
        ([], told("play.no_display")),
        (["--headless"], told("gpio.no_buttons", wrong="no GPIO chip")),
    ],
)
def test_what_is_missing_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    expected: str,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(play, "open_live", no_buttons)
    config = [] if "--config" in arguments else ["--config", str(RECORDING / "table.toml")]
    assert main(["play", *config, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("cardtable: ")
    assert captured.err.count("\n") == 1
    assert expected in captured.err
    assert captured.out == ""


def test_a_journal_of_another_game_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "game.jsonl"
    text = '{"seq": 1, "t_ns": 1, "decided_ns": 1, "event": "game_started", "game": "oh-hell", "seats": []}\n'
    journal.write_text(text)
    monkeypatch.setattr(play, "open_live", no_buttons)
    assert main([*ARGUMENTS, "--journal", str(journal)]) == 2
    assert told("journal.other_game") in capsys.readouterr().err
    assert journal.read_text() == text


# --- one table, one process; and journals that are not as they were ------------------------------------------


def begins(monkeypatch: pytest.MonkeyPatch, *arguments: str, then: Callable[[], None] = told_to_end) -> int:
    """Play for half a second of the recording; its exit status."""
    table = FilmedTable(since_ns=1001 * S, at_ns=1001 * S + S // 2, then=then)
    monkeypatch.setattr(play, "open_live", table.live)
    return main([*ARGUMENTS, *arguments])


@pytest.mark.parametrize("named", [False, True])
def test_a_second_play_says_who_has_the_table_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], named: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    told: list[tuple[int, str]] = []

    def second() -> None:
        (path,) = games(tmp_path)
        before = path.read_bytes()
        capsys.readouterr()
        told.append(
            (main([*ARGUMENTS, *(["--journal", str(path)] if named else [])]), capsys.readouterr().err)
        )
        assert path.read_bytes() == before
        assert main(["history"]) == main(["export"]) == 0
        told_to_end()

    assert begins(monkeypatch, then=second) == 0
    (path,) = games(tmp_path)
    ((status, said),) = told
    assert status == 2
    assert said.startswith(f"cardtable: another play has this table: {path} (process {os.getpid()}, since 20")
    assert said.count("\n") == 1
    assert begins(monkeypatch) == 0, "it has let go"
    assert not (tmp_path / "cardtable" / "lock").exists()


def test_a_damaged_game_goes_on_from_its_last_good_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert begins(monkeypatch) == 0
    (path,) = games(tmp_path)
    whole = path.read_bytes()
    damaged = whole + b"[" * 2000 + b"\n"
    path.write_bytes(damaged)
    capsys.readouterr()
    assert begins(monkeypatch) == 0
    captured = capsys.readouterr()
    assert f"The game goes on: {path}" in captured.out
    assert "is damaged (line 4: " in captured.err
    assert games(tmp_path) == [path, path.with_name(path.name + ".damaged")]
    assert path.with_name(path.name + ".damaged").read_bytes() == damaged
    assert path.read_bytes() == whole


def test_where_nothing_is_good_a_new_game_begins_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, other = tmp_path / "game.jsonl", tmp_path / "letter.txt"
    journal.write_text("[" * 2000 + "\n")
    other.write_text("Dear Ada,\n")
    assert begins(monkeypatch, "--journal", str(journal)) == 0
    captured = capsys.readouterr()
    assert f"A new game: {journal}" in captured.out
    fault = expected_error("expected.event", at=line_place(1))
    assert told("journal.unread", name="game.jsonl", fault=fault, aside="game.jsonl.damaged") in captured.err
    assert (tmp_path / "game.jsonl.damaged").read_text() == "[" * 2000 + "\n"
    assert read_lines(journal)[0]["event"] == "game_started"
    assert begins(monkeypatch, "--journal", str(other)) == 2
    assert f"letter.txt: {told('journal.none', fault=fault)}" in capsys.readouterr().err
    assert other.read_text() == "Dear Ada,\n"


def test_a_journal_that_is_deleted_during_the_game_is_written_anew_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def meddle() -> None:
        (path,) = games(tmp_path)
        path.unlink()
        told_to_end()

    assert begins(monkeypatch, then=meddle) == 0
    assert told("journal.gone") in capsys.readouterr().err
    (path,) = games(tmp_path)
    assert [line["event"] for line in read_lines(path)] == ["game_started", "hand_started", "trump"]


def test_the_lock_is_kept_though_its_file_is_deleted_and_a_second_table_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    lock = tmp_path / "cardtable" / "lock"
    with GameStore(None) as shelf:
        assert shelf.renew_lock(2 * S) is None
        lock.unlink()
        assert shelf.renew_lock(2 * S + 1) is None
        assert not lock.exists(), "it is looked after every second"
        assert shelf.renew_lock(3 * S) is None
        assert lock.exists()
        lock.unlink()
        with Lock(lock):
            assert shelf.renew_lock(4 * S) == make_phrase("journal.another_play")
            assert shelf.renew_lock(5 * S) is None


def test_a_window_has_the_size_and_the_look_that_the_set_up_file_gives_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        '[game]\nname = "whysteria"\n[[seat]]\nname = "Ada"\nangle = 0\n[[seat]]\nname = "Ben"\nangle = 180\n'
        "[screen]\nsize = [800, 480]\nturned = 270\nfour_colours = true\n"
    )
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    drawn: list[tuple[tuple[int, int], ScreenConfig]] = []

    def noting(
        view: ScreenView,
        size: Size,
        look: ScreenConfig,
        coming: frozenset[CardKey],
        *,
        leaving: bool,
    ) -> Canvas:
        drawn.append((size, look))
        return draw_canvas(view, size, look, coming, leaving=leaving)

    monkeypatch.setattr("table.display.window.draw_canvas", noting)
    with ScreenWindow(load_config(path).screen) as screen:
        screen.show(next(iter(dict(moments(("Ada", "Ben"))).values())))
    assert drawn == [((480, 800), ScreenConfig(size=(800, 480), turned=270, four_colours=True))]
