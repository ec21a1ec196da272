"""Places that fail: folders that can't be written to, no home, a current folder that is gone, a full output."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from table.__main__ import main
from table.commands import play
from table.commands.setup import doctor
from table.history.archive import games_folder, lock_path
from table.phrase import Phrase
from table.referee.records.journal import Journal, read_lines
from table.session.resume_or_new_game import GameStore
from table.system.process_lock import Lock
from tests.commands.filmed import FilmedTable
from tests.commands.test_play import ARGUMENTS, S, told_to_end
from tests.speeds import first_quick
from tests.wrong import expects, wrong

COMMAND = [sys.executable, "-P", "-c", "import sys; from table.__main__ import main; sys.exit(main())"]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    python_path = {"PYTHONPATH": str(Path(__file__).parents[1])}
    options = {"stdout": subprocess.PIPE, **options, "env": {**os.environ, **python_path}}
    return subprocess.run(
        [*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, timeout=60, check=False, **options
    )


# --- where games are kept ---------------------------------------------------------------------------------------------


def refuse_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be opened for writing (root may write into folders whose mode forbids it)."""
    real = os.open

    def opened(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise PermissionError(13, "Permission denied", path)
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", opened)


def test_a_table_plays_without_a_place_for_its_games_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    table = FilmedTable(since_ns=1001 * S, at_ns=1001 * S + S // 2, then=told_to_end)
    monkeypatch.setattr(play, "open_live", table.live)
    assert main(ARGUMENTS) == 2
    said = capsys.readouterr()
    assert "A new game" in said.out
    assert table.closed, "it played until it was told to end"
    assert "nothing is kept: " in said.err
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]
    assert all(line.startswith("cardtable: ") for line in said.err.splitlines())


def test_a_lock_of_another_user_is_taken_as_far_as_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    path.touch()
    with monkeypatch.context() as patched:
        refuse_writing(patched)
        lock = Lock(path)
    with wrong("journal.held"):
        Lock(path)
    lock.close()


def test_a_lock_that_cannot_be_taken_at_all_stops_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with monkeypatch.context() as patched:
        refuse_writing(patched)
        with GameStore(None) as shelf:
            assert [remark.code for remark in shelf.pop_remarks()] == ["journal.without_lock"]
            assert shelf.renew_lock(9 * S) is None
    assert "Permission denied" in capsys.readouterr().err


def test_a_table_that_is_played_elsewhere_is_refused_though_its_lock_is_anothers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with Lock(lock_path(games_folder())), monkeypatch.context() as patched:
        refuse_writing(patched)
        with wrong("journal.held"), GameStore(None):
            pass


def test_a_journal_whose_folder_comes_late_gets_all_of_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "games" / "game.jsonl"
    path.parent.touch()
    with Journal(path) as journal:
        assert journal.write_error is not None
        journal.append("rap", 1, 2, {"seat": "Ada"})
        assert journal.write_error is not None
        path.parent.unlink()
        journal.append("rap", 3, 4, {"seat": "Ben"})
        assert journal.write_error is None
        assert journal.verify_file() is None, "nobody has changed it"
    assert [line["seat"] for line in read_lines(path)] == ["Ada", "Ben"]


def test_a_file_that_was_asked_for_and_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with wrong("journal.cant_be_written", at=tmp_path / "none" / "journal"):
        Journal(tmp_path / "none" / "journal", durable=False)


class Free(NamedTuple):
    free: int


def codes_of(said: Phrase | str) -> set[str]:
    """The code of a phrase, and of what it says of a place."""
    what = said.fields.get("what") if isinstance(said, Phrase) else None
    return {one.code for one in (said, what) if isinstance(one, Phrase)}


@pytest.mark.parametrize(
    ("kind", "free", "code"),
    [
        ("ext4", 2**31, "doctor.room"),
        ("ext4", 2**20, "doctor.full"),
        ("tmpfs", 2**31, "doctor.volatile"),
    ],
)
def test_doctor_looks_at_the_folder_of_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, free: int, code: str
) -> None:
    looked: list[Path] = []

    def kind_of(folder: Path) -> str:
        looked.append(folder)
        return kind

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "state").mkdir()
    monkeypatch.setattr(doctor, "file_system_kind", kind_of)
    monkeypatch.setattr("table.commands.setup.doctor.shutil.disk_usage", lambda _: Free(free))
    finding = next(one for one in doctor.check_table(tmp_path / "none.toml") if one.part == "disk")
    assert finding.good == (code == "doctor.room")
    assert code in codes_of(finding.message)
    assert looked == [tmp_path / "state"]
    assert [*(tmp_path / "state").iterdir()] == [], "it leaves nothing there"


def test_doctor_says_where_games_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: Any) -> NoReturn:
        raise OSError(30, "Read-only file system")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("table.commands.setup.doctor.tempfile.TemporaryFile", full)
    finding = next(one for one in doctor.check_table(tmp_path / "none.toml") if one.part == "disk")
    assert "doctor.not_written" in codes_of(finding.message)


# --- where nothing is -------------------------------------------------------------------------------------------------


def test_without_a_home_folder_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(_: int) -> NoReturn:
        raise KeyError("no such user")

    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for command in (["history"], ["export"], [*ARGUMENTS]):
        assert main(command) == 2
        said = capsys.readouterr()
        assert expects("folder.no_home") in said.err or said.err.count("\n") == 1


@first_quick("command", [["history"], ["games"], ["play", "--config", "/none"], ["doctor"]], quick=2)
def test_in_a_folder_that_is_gone_there_is_one_line(tmp_path: Path, command: list[str]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = run(*command, cwd=gone, preexec_fn=gone.rmdir)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "the current folder is gone" in done.stderr


@first_quick("command", [["games"], ["--help"], ["--version"], ["games", "oh-hell"]], quick=2)
def test_where_the_output_is_full_there_is_one_line(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(*command, stdout=full)
    assert done.returncode == 2
    assert done.stderr == "cardtable: output: No space left on device\n"


def test_where_nobody_reads_the_output_nothing_is_said() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    done = run("games", stdout=writes)
    os.close(writes)
    assert (done.returncode, done.stderr) == (0, "")
