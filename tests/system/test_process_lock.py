"""One table, one process: who has the lock is said, and the kernel lets it go however its holder ends."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from table.history.archive import lock_path
from table.phrase import make_phrase
from table.system.process_lock import Lock
from tests.wrong import wrong


def test_who_has_the_lock_is_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "cardtable" / "lock"
    with Lock(path) as lock:
        with wrong("journal.process", pid=os.getpid(), game=make_phrase("journal.a_game")) as error:
            Lock(path)
        assert error.value.what.fields["who"].fields["since"].startswith("20")
        lock.write_holder(tmp_path / "a-game-with-a-long-name.jsonl")
        lock.write_holder(tmp_path / "b.jsonl")
        with wrong("journal.process", pid=os.getpid(), game=str(tmp_path / "b.jsonl")) as error:
            Lock(path)
        assert "\n" not in str(error.value)
        assert json.loads(path.read_text())["game"] == str(tmp_path / "b.jsonl")
    assert not path.exists()
    Lock(path).close()


@pytest.mark.parametrize("text", ["", "{", "[" * 3000, '{"pid": "x"}', "[]", '{"pid": 1}', "\0\xff"])
def test_a_holder_that_says_nothing_of_itself_holds_it_all_the_same(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lock"
    with Lock(path):
        path.write_text(text)
        with wrong(
            "journal.held", game=make_phrase("journal.a_game"), who=make_phrase("journal.another_process")
        ):
            Lock(path)


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import sys; from pathlib import Path; from table.system.process_lock import Lock; "
        "lock = Lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        (sys.executable, "-c", code, str(path)),
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with wrong("journal.process", pid=process.pid):
            Lock(path)
        process.kill()
        process.wait()
    assert path.exists()
    Lock(path).close()


def test_a_lock_whose_file_was_deleted_is_taken_again_unless_another_has_it(tmp_path: Path) -> None:
    path = tmp_path / "cardtable" / "lock"
    with Lock(path) as lock:
        lock.write_holder(tmp_path / "b.jsonl")
        assert lock.renew()
        shutil.rmtree(path.parent)
        assert lock.renew()
        with wrong("journal.held", game=str(tmp_path / "b.jsonl")):
            Lock(path)
        path.unlink()
        with Lock(path):
            assert not lock.renew()
            lock.close()
            assert path.exists(), "it is the other's"


def test_where_no_lock_can_be_that_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with wrong("journal.not_locked", at=tmp_path / "file" / "lock"):
        Lock(tmp_path / "file" / "lock")


def test_a_folder_of_games_has_one_lock_by_whatever_way_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    games = tmp_path / "cardtable" / "games"
    games.mkdir(parents=True)
    (tmp_path / "short").symlink_to(games)
    assert lock_path(games) == lock_path(tmp_path / "short") == tmp_path / "cardtable" / "lock"
    assert lock_path(tmp_path) == tmp_path / ".cardtable.lock"
