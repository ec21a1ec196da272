"""A stick of USB, as the kernel shows one: in a virtual machine, where QEMU and a kernel are installed."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from hardware.bench import host
from table.referee.records.checksummed_journal_rows import seal_row

USB = ("usb-common", "usbcore", "xhci-hcd", "xhci-pci", "scsi_common", "scsi_mod", "usb-storage")
CHECKSUMS = ("crct10dif_common", "crct10dif_generic", "crc-t10dif", "crc64", "crc64-rocksoft", "t10-pi")
MODULES = (*USB, *CHECKSUMS, "sd_mod", "fat", "vfat", "nls_cp437", "nls_ascii")
"""In the order in which they need one another; what the kernel has built in is none."""
INIT = """#!/bin/busybox sh
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t sysfs none /sys
/bin/busybox mount -t devtmpfs none /dev
{insert}
while [ ! -e /dev/sda1 ]; do /bin/busybox sleep 1; done
PYTHONHOME={prefix} PYTHONPATH=/packages {python} -S /guest.py
/bin/busybox poweroff -f
"""
GAME: list[dict[str, Any]] = [
    {"event": "game_started", "game": "whysteria", "seats": ["Ada", "Ben"], "options": {"hands": [1]}},
    {"event": "hand_started", "hand": 1, "cards": 1, "dealer": "Ada"},
]


@pytest.mark.thorough
def test_games_are_copied_to_a_stick_that_is_plugged_in_and_mounted(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    game = tmp_path / "game.jsonl"
    lines = [{"seq": number, "t_ns": 0, "decided_ns": 0, **line} for number, line in enumerate(GAME, start=1)]
    game.write_text("".join(f"{seal_row(line)}\n" for line in lines))
    try:
        image, release = host.kernel(Path("/"))
        archive = host.with_python(tmp_path, ("jinja2", "markupsafe"))
    except host.MissingError as error:
        pytest.skip(str(error).splitlines()[0])
    archive.add("media/cardtable/STICK", stat.S_IFDIR | 0o755)
    archive.file("guest.py", Path(__file__).with_name("stickguest.py"))
    archive.file("game.jsonl", game)
    inserted = []
    for name in MODULES:
        module = host.module(Path("/"), release, name, tmp_path)
        if module is not None:
            archive.file(f"modules/{name}.ko", module)
            inserted.append(f"/bin/busybox insmod /modules/{name}.ko")
    ramdisk = host.packed(archive, INIT.replace("{insert}", "\n".join(inserted)), tmp_path)
    plugged = ("-drive", f"if=none,id=stick,format=raw,file=fat:rw:{stick}", "-device", "qemu-xhci")
    result = host.boot(image, ramdisk, (), 600, (*plugged, "-device", "usb-storage,drive=stick,removable=on"))
    assert result.pop("complete")
    assert result == {
        "before": "stick.not_mounted",
        "mounted": "/media/cardtable/STICK",
        "written": ["game.jsonl", "game.csv", "game.html"],
        "read_only": "stick.read_only",
        "after": "stick.not_mounted",
    }
    assert (stick / "game.jsonl").read_bytes() == game.read_bytes()
