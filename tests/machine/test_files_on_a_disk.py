"""Files are put onto, and read from, the disk of a machine that is off; damage is noticed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.bench.host import FailedError
from table.config.settings import load_config
from table.sources.recordings.recording import open_recording
from tests.machine.first_boots import count_blocks, fill
from tests.machine.image import check_disk, copy_disk, get_file, list_folder, put_file, repair_disk
from tests.machine.play import SET_UP, PlayedGame

RECORDING = Path(__file__).parents[1] / "recordings" / "virtual-3"

TOOLS = ("mke2fs", "debugfs", "e2fsck", "dumpe2fs", "tune2fs")
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)} (Debian's e2fsprogs)"
)


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    root, target = tmp_path / "root", tmp_path / "disk"
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "hostname").write_text("table\n")
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, target, "8M"], check=True)
    return target


def test_what_is_put_onto_a_disk_is_read_from_it(disk: Path, tmp_path: Path) -> None:
    put_file(disk, "/etc/new", b"one")
    put_file(disk, "/etc/new", b"two\0three")
    assert get_file(disk, "/etc/new") == b"two\0three"
    assert get_file(disk, "/etc/hostname") == b"table\n"
    assert sorted(list_folder(disk, "/etc")) == ["hostname", "new"]
    copy_disk(disk, tmp_path / "copy")
    repair_disk(tmp_path / "copy")
    check_disk(tmp_path / "copy")
    assert get_file(tmp_path / "copy", "/etc/new") == b"two\0three"


def test_what_is_not_there_is_said_to_be_missing(disk: Path) -> None:
    with pytest.raises(FailedError, match="/etc/nothing: not on"):
        get_file(disk, "/etc/nothing")
    assert list_folder(disk, "/nowhere") == []


def test_a_file_system_that_needs_a_hand_is_noticed(disk: Path) -> None:
    with disk.open("r+b") as file:
        file.seek(1024 + 4096)
        file.write(b"\xff" * 20_000)
    with pytest.raises(FailedError, match="e2fsck"):
        check_disk(disk)


def test_a_filled_disk_is_sound_and_has_no_block_for_anybody_but_root(tmp_path: Path) -> None:
    root, disk = tmp_path / "root", tmp_path / "disk"
    for folder in ("etc/cardtable", "var/tmp"):
        (root / folder).mkdir(parents=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-b", "4096", "-d", root, disk, "64M"], check=True)
    fill(disk)
    check_disk(disk)
    assert count_blocks(disk, "Free blocks") == count_blocks(disk, "Reserved block count") > 0


@pytest.mark.parametrize("is_calibrated", [True, False])
def test_a_game_s_set_up_is_put_onto_a_disk_with_its_mark_or_without(
    tmp_path: Path, is_calibrated: bool
) -> None:
    root, disk = tmp_path / "root", tmp_path / "disk"
    (root / "etc" / "cardtable").mkdir(parents=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, disk, "8M"], check=True)
    recording = open_recording(RECORDING)
    PlayedGame(recording).put(disk, is_calibrated=is_calibrated)
    copy = tmp_path / "table.toml"
    copy.write_bytes(get_file(disk, SET_UP))
    config = load_config(copy, menu=True)
    assert config.seats == recording.config.seats
    assert config.camera.homography == (recording.config.camera.homography if is_calibrated else None)
