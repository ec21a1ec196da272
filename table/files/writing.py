"""How files are written: each is whole at any moment, and nothing is written through a link."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from table.files.rights import rights_at


def replace_file(path: Path, data: bytes | str, *, mode: int | None = None) -> None:
    """Put a file in the place of whatever has that name; after a power cut, too, it is the old or the new one.

    ``mode``: its permissions; without it they stay as they were, or are the usual ones. A link is replaced, not
    followed. A device or a pipe (``/dev/stdout``) is written into. In somebody else's folder root does it with the
    owner's rights (``table/files/rights.py``). ``OSError`` where that can't be.
    """
    with rights_at(path):
        _replace(path, data.encode() if isinstance(data, str) else data, mode)


def _replace(path: Path, data: bytes, mode: int | None) -> None:
    if _is_device(path):
        with os.fdopen(
            os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC), "wb"
        ) as device:
            os.set_blocking(device.fileno(), True)
            device.write(data)
        return
    mode = mode_of(path) if mode is None else mode
    part = path.with_name(f"{path.name}.part")
    try:
        with new_file(part) as file:
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
    sync_folder(path.parent)


def place_of(path: Path) -> Path:
    """Where a link of the writer's own leads; ``path`` itself where there is none. ``OSError`` for a loop of links."""
    try:
        own = path.is_symlink() and path.lstat().st_uid == os.geteuid()
        return path.resolve() if own else path
    except RuntimeError as error:  # links that lead to one another
        raise OSError(str(error)) from None


def new_file(path: Path) -> BinaryIO:
    """A new, empty file in the place of whatever has that name, for writing; ``OSError`` where there can't be one."""
    return open(path, "wb", opener=open_new)


def open_new(path: str, flags: int) -> int:
    """An ``opener`` as Python's ``open`` takes it: what has the name goes, and a link is not followed."""
    flags = flags & ~os.O_TRUNC | os.O_EXCL | os.O_CLOEXEC
    with rights_at(Path(path)):
        try:
            return os.open(path, flags, 0o666)
        except FileExistsError:
            os.unlink(path)
            return os.open(path, flags, 0o666)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing; in somebody else's folder root makes it theirs.

    ``OSError`` where there can't be one.
    """
    with rights_at(folder):
        folder.mkdir(parents=True, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """A new file's name survives a power cut only once its folder is on the disk too (some disks can't say so)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def mode_of(path: Path) -> int | None:
    """The permissions of the file that is to be replaced; None where there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return stat.S_IMODE(found.st_mode) & 0o777 if stat.S_ISREG(found.st_mode) else None


def _is_device(path: Path) -> bool:
    """Whether what has the name can't be replaced: a device, a pipe, or a link of ``/dev`` to one."""
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        return False
    if stat.S_ISLNK(mode):
        return path.parent == Path("/dev")
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
