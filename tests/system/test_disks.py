"""On what kind of file system a folder lies, and whether that stays when the machine is switched off."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.system.disks import file_system_kind, is_volatile, nearest_existing_folder


def test_the_innermost_mount_that_came_last_is_the_one_a_folder_lies_on(tmp_path: Path) -> None:
    inner = tmp_path / "a b"
    (inner / "games").mkdir(parents=True)
    place = str(inner).replace(" ", "\\040")
    table = tmp_path / "mounts"
    table.write_text(
        f"/dev/a / ext4 rw 0 0\nnone {place} tmpfs rw 0 0\n/dev/b {place} vfat rw 0 0\nnone {place}/other x rw 0 0\n"
    )
    assert [file_system_kind(path, table) for path in (inner / "games", inner, tmp_path)] == [
        "vfat",
        "vfat",
        "ext4",
    ]
    assert nearest_existing_folder(inner / "games" / "none" / "at all") == inner / "games"


@pytest.mark.parametrize(
    ("kind", "line", "volatile"),
    [
        ("tmpfs", "", True),
        ("ext4", "boot=overlay", False),
        ("overlay", "console=tty1 boot=overlay quiet", True),
        ("overlay", "root=/dev/x overlayroot=tmpfs", True),
        ("overlay", "quiet", False),
    ],
)
def test_what_is_kept_in_memory_is_gone_when_the_machine_is_switched_off(
    tmp_path: Path, kind: str, line: str, volatile: bool
) -> None:
    (tmp_path / "cmdline").write_text(line)
    assert is_volatile(kind, tmp_path / "cmdline") is volatile
