"""Atomic writing of files: each file is complete at any moment, and nothing is written through a link."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from table.errors import convert_errors
from table.files.write_as_folder_owner import owner_rights


def replace_file(path: Path, data: bytes | str, *, mode: int | None = None) -> None:
    """Replace a file atomically: after a power cut it has its old or its new content.

    ``mode``: its permissions; without it they stay as they were, or are the usual ones. A link is replaced, not
    followed. A device or a pipe (``/dev/stdout``) is written into. In somebody else's folder root writes with the
    owner's rights (``table/files/write_as_folder_owner.py``). Raises ``OSError`` if that fails.
    """
    data = data.encode() if isinstance(data, str) else data
    with owner_rights(path):
        if _is_device(path):
            handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
            with os.fdopen(handle, "wb") as device:
                os.set_blocking(handle, True)
                device.write(data)
        else:
            _replace(path, data, mode)


def _replace(path: Path, data: bytes, mode: int | None) -> None:
    mode = file_mode(path) if mode is None else mode
    if not path.name:  # "." or "/"
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    temporary = path.with_name(f"{path.name}.part")
    try:
        with create_file(temporary) as file:
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


def resolve_own_link(path: Path) -> Path:
    """Return the target of a link that belongs to the user, else ``path`` itself; ``OSError`` for a link loop."""
    try:
        is_own_link = path.is_symlink() and path.lstat().st_uid == os.geteuid()
        return path.resolve() if is_own_link else path
    except RuntimeError as error:  # links that lead to one another
        raise OSError(str(error)) from None


def create_file(path: Path) -> BinaryIO:
    """Create an empty file for writing in place of any file of that name; raise ``OSError`` if that fails."""
    return open(path, "wb", opener=exclusive_opener)


def exclusive_opener(path: str, flags: int) -> int:
    """Create a file, as an ``opener`` for Python's ``open``: an existing file is removed, a link is not followed."""
    flags = flags & ~os.O_TRUNC | os.O_EXCL | os.O_CLOEXEC
    with owner_rights(Path(path)):
        try:
            return os.open(path, flags, 0o666)
        except FileExistsError:
            os.unlink(path)
            return os.open(path, flags, 0o666)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, or raise ``OSError``; root makes them for the user whose folder they are in."""
    with owner_rights(folder):
        folder.mkdir(parents=True, exist_ok=True)


def make_temporary_folder() -> Path:
    """Create a temporary folder of this process's own; raise `TableError` if that fails."""
    # With a named place tempfile does not write a file of its own to find out where it may write.
    parent = os.environ.get("TMPDIR", "/tmp")
    with convert_errors(OSError, "file.not_written", at=parent):
        return Path(tempfile.mkdtemp(prefix="cardtable-", dir=parent))


def sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that a new file's name in it survives a power cut (some disks can't do this)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def file_mode(path: Path) -> int | None:
    """Return the permissions of the file that is to be replaced; None if there is none."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return stat.S_IMODE(status.st_mode) & 0o777 if stat.S_ISREG(status.st_mode) else None


def _is_device(path: Path) -> bool:
    """Return whether this path can't be replaced: a device, a pipe, or a link of ``/dev`` to one."""
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        return False
    if stat.S_ISLNK(mode):
        return path.parent == Path("/dev")
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
