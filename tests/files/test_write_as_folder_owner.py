"""Root, at work on a set-up in somebody else's folder, writes nothing that its owner could not have written."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from table.buttons.gpio_edges import EdgeReading
from table.config.settings import ScreenConfig, load_config
from table.config.toml_edit import copy_set_up
from table.detection.enrolment_steps import pack_path, write_pack
from table.errors import TableError
from table.files.atomic_writing import make_folder, replace_file
from table.history.archive import new_journal_path
from table.observed_facts import Edge, Frame
from table.playback.screenshots import ScreenshotFolder
from table.referee.records.journal import Journal, write_keeping_old
from table.session.complaint_recordings import delete_oldest, list_complaints
from table.sources.recordings.last_half_minute_buffer import ReplayBuffer
from table.sources.recordings.live_recorder import Recorder
from table.system.process_lock import Lock
from tests.calibration.test_init import init
from tests.files.test_atomic_writing import PLAYERS, SECRET, pack
from tests.wrong import wrong

NOBODY = 65_534
ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests" / "recordings" / "virtual-3"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop its rights")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody can get at, and root's secret in it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "secret").write_text(SECRET)
    (folder / "secret").chmod(0o600)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def theirs(place: Path) -> Path:
    """A set-up in a folder that belongs to somebody else, as the service's does."""
    folder = place / "theirs"
    folder.mkdir()
    shutil.copyfile(RECORDING / "table.toml", folder / "table.toml")
    os.chown(folder, NOBODY, NOBODY)
    return folder


def link(path: Path, to: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(to)
    os.lchown(path, NOBODY, NOBODY)


def test_what_root_writes_there_is_the_owners(theirs: Path) -> None:
    assert init(theirs / "table.toml", *PLAYERS, "--force") == 0
    assert {path.name for path in theirs.iterdir()} == {"table.toml", "table.toml.old"}
    assert {path.stat().st_uid for path in theirs.iterdir()} == {NOBODY}
    assert os.geteuid() == 0


def test_a_set_up_that_is_a_link_shows_and_changes_nothing_of_roots(
    theirs: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link(theirs / "table.toml", place / "secret")
    assert init(theirs / "table.toml", *PLAYERS, "--force") == 2
    assert "Permission denied" in capsys.readouterr().err
    assert (place / "secret").read_text() == SECRET
    assert not (theirs / "table.toml.old").exists()


def test_a_set_up_makes_root_write_no_pack_elsewhere(theirs: Path, place: Path) -> None:
    path = theirs / "table.toml"
    path.write_text(path.read_text().replace("[camera]", f'[camera]\npack = "{place / "made.npz"}"'))
    config = load_config(path)
    out = pack_path(config)
    assert out == place / "made.npz"
    with wrong("file.not_written_as", at=out, error="Permission denied"):
        write_pack(out, pack(), config)
    assert not out.exists()
    write_pack(theirs / "pack.npz", pack(), config)
    assert (theirs / "pack.npz").stat().st_uid == NOBODY
    write_pack(place / "chosen.npz", pack(), config)
    assert (place / "chosen.npz").stat().st_uid == 0, "root itself says where"


def test_a_folder_that_they_have_moved_makes_root_write_nothing_elsewhere(theirs: Path, place: Path) -> None:
    elsewhere = place / "roots"
    elsewhere.mkdir()
    link(theirs / "sub", elsewhere)
    with pytest.raises(PermissionError):
        replace_file(theirs / "sub" / "x", "x")
    assert not [*elsewhere.iterdir()]


def test_behind_a_link_of_roots_own_a_folder_is_still_theirs(theirs: Path, place: Path) -> None:
    (place / "way").symlink_to("theirs")
    replace_file(place / "way" / "x", "x")
    assert (theirs / "x").stat().st_uid == NOBODY
    elsewhere = place / "roots"
    elsewhere.mkdir()
    link(theirs / "sub", elsewhere)
    (place / "further").symlink_to(theirs / "sub")
    with pytest.raises(PermissionError):
        replace_file(place / "further" / "x", "x")
    assert not [*elsewhere.iterdir()]


def test_a_folder_that_its_owner_can_not_get_at_is_roots(theirs: Path, place: Path) -> None:
    place.chmod(0o700)
    link(theirs / "table.toml.old", place / "secret")
    assert init(theirs / "table.toml", *PLAYERS, "--force") == 0
    assert (place / "secret").read_text() == SECRET
    link(theirs / "table.toml", place / "secret")
    assert init(theirs / "table.toml", *PLAYERS, "--force") == 0
    assert (place / "secret").read_text() == SECRET


def test_a_set_up_makes_root_copy_no_secret_into_a_recording(theirs: Path, place: Path) -> None:
    path = theirs / "table.toml"
    text = path.read_text()
    path.write_text(text.replace("[camera]", f'[camera]\npack = "{place / "secret"}"'))
    config = load_config(path)
    with pytest.raises(TableError, match="Permission denied"):
        Recorder(theirs / "recording", config)
    with ReplayBuffer(config) as ring:
        height, width = config.camera.size[::-1]
        ring.add_frame(Frame(1, np.zeros((height, width, 3), np.uint8), 0))
        assert ring.save(theirs / "complaint").wait(20)
    assert ring.trouble is not None
    assert "Permission denied" in str(ring.trouble)
    link(path, place / "secret")
    with pytest.raises(TableError, match="Permission denied"):
        copy_set_up(config, theirs / "recording")
    link(path, RECORDING / "table.toml")
    written = [found.read_bytes() for found in theirs.rglob("*") if found.is_file()]
    assert [data for data in written if SECRET.encode() in data] == []


def test_a_link_among_the_complaints_makes_root_delete_nothing_elsewhere(
    theirs: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = place / "roots" / "precious"
    precious.mkdir(parents=True)
    (precious / "file").write_text("kept")
    link(theirs / "game.complaints", place / "roots")
    monkeypatch.setattr("table.session.complaint_recordings.MAX_BYTES", 0)
    found = list_complaints(theirs)
    assert [path.name for path in found] == ["precious"]
    delete_oldest(found)
    assert (precious / "file").read_text() == "kept"


def test_folders_that_root_makes_there_are_the_owners(theirs: Path, place: Path) -> None:
    config = load_config(theirs / "table.toml")
    with Recorder(theirs / "new" / "recording", config) as recorder:
        recorder.add_reading(EdgeReading((Edge(100, "Ada", "bid", 1),), 150))
    new_journal_path(theirs / "games", datetime(2026, 11, 27, tzinfo=UTC))
    ScreenshotFolder(theirs / "pictures" / "of-a-game", ScreenConfig(size=(320, 200)))
    with Journal(theirs / "kept" / "game.jsonl") as journal, Lock(theirs / "locks" / "lock"):
        journal.append("dealt", 1, 1, {})
    for name in ("game.jsonl", "again"):
        write_keeping_old(theirs / "kept" / name, b"{}\n")[0].close()
    assert {
        path.name: path.lstat().st_uid for path in theirs.rglob("*") if path.lstat().st_uid != NOBODY
    } == {"table.toml": 0}
    make_folder(place / "mine" / "own")
    assert (place / "mine" / "own").stat().st_uid == 0
    assert os.geteuid() == 0


def test_a_folder_that_they_have_linked_makes_root_make_none_elsewhere(theirs: Path, place: Path) -> None:
    elsewhere = place / "roots"
    elsewhere.mkdir()
    link(theirs / "sub", elsewhere)
    with pytest.raises(PermissionError):
        make_folder(theirs / "sub" / "new")
    with pytest.raises(TableError, match="Permission denied"):
        Lock(theirs / "sub" / "lock")
    assert not [*elsewhere.iterdir()]


def test_folders_are_made_in_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "table").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if ".mkdir(parents" in line or "makedirs(" in line
    }
    assert found == {"table/files/atomic_writing.py"}
