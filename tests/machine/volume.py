"""A folder on the kernel's own ext4, on a disk that loses what was not flushed when its power is cut.

The disk of :mod:`tests.machine.disk` becomes a file by QEMU's storage daemon (FUSE), and the file a loop device. What a
program writes there goes the way that it goes on an SD card: page cache, ext4's journal, the device's cache.
"""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final, Self

from hardware.bench.host import FailedError, MissingError
from tests.machine.disk import Disk
from tests.machine.image import check_disk, find_missing_tools, repair_disk, run_command

TOOLS: Final = ("qemu-storage-daemon", "fusermount3", "losetup", "mke2fs", "e2fsck", "mount", "umount")
NEEDED: Final = "qemu-system-common fuse3 e2fsprogs mount"
SIZE_MIB: Final = 32
START_S: Final = 10
CAP_SYS_ADMIN: Final = 1 << 21


def find_missing() -> str:
    """Return what this machine lacks for a :class:`Volume`, nothing if it lacks nothing."""
    missing = find_missing_tools(TOOLS, NEEDED)
    if missing:
        return missing
    if not _may_mount():
        return "not allowed to mount (root with CAP_SYS_ADMIN is)"
    devices = [name for name in ("/dev/fuse", "/dev/loop-control") if not os.access(name, os.W_OK)]
    return f"no {', '.join(devices)}: expected a kernel with FUSE and loop devices" if devices else ""


def _may_mount() -> bool:
    """Return whether this process may mount file systems: in a container root often may not."""
    status = Path("/proc/self/status")
    rows = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return any(int(row.split()[1], 16) & CAP_SYS_ADMIN for row in rows if row.startswith("CapEff:"))


class Volume:
    """An empty file system, mounted at ``folder``; a context manager.

    ``work`` is for its files. ``MissingError`` says what this machine lacks.
    """

    def __init__(self, work: Path, random: Random) -> None:
        missing = find_missing()
        if missing:
            raise MissingError(missing)
        work.mkdir(parents=True, exist_ok=True)
        self.folder = work / "mounted"
        self.folder.mkdir(exist_ok=True)
        self._image, self._file, self._address = work / "image", work / "file", work / "socket"
        self._file.touch()
        self._random = random

    def __enter__(self) -> Self:
        self._image.unlink(missing_ok=True)
        run_command("mke2fs", "-q", "-t", "ext4", self._image, f"{SIZE_MIB}M")
        self._switch_on()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._switch_off()

    def cut(self) -> int:
        """Cut the power, if it has not gone by itself, and switch it on again; return how many pages were lost.

        ``FailedError`` if the file system needs a hand then.
        """
        self.disk.cut()
        self._switch_off()
        repair_disk(self._image)
        check_disk(self._image)
        lost_pages = self.disk.lost_pages
        self._switch_on()
        return lost_pages

    def _switch_on(self) -> None:
        self.disk = Disk(self._image, self._address, self._random)
        self.disk.__enter__()
        blocks = f"driver=nbd,node-name=disk,server.type=unix,server.path={self._address}"
        export = f"type=fuse,id=file,node-name=disk,mountpoint={self._file},writable=on"
        self._daemon = subprocess.Popen(["qemu-storage-daemon", "--blockdev", blocks, "--export", export])
        size, end_s = self._image.stat().st_size, time.monotonic() + START_S
        while self._file.stat().st_size != size:
            if time.monotonic() > end_s or self._daemon.poll() is not None:
                raise FailedError("qemu-storage-daemon does not serve the disk")
            time.sleep(0.01)
        self._loop = run_command("losetup", "--find", "--show", self._file).strip()
        run_command("mount", "-t", "ext4", self._loop, self.folder)

    def _switch_off(self) -> None:
        with suppress(FailedError):  # a switch-on that failed half-way leaves less to do
            # Files that are still open keep neither: without power nothing gets to the disk any more.
            run_command("umount", "--lazy", self.folder)
            run_command("losetup", "--detach", self._loop)
        self._daemon.terminate()
        self._daemon.wait()
        self.disk.__exit__()
