"""A lock on a game's folder, so that only one process at a time runs the table.

The kernel holds it (``flock``) and releases it when the process ends, however it ends. The file's content, which
process holds the lock since when and for which game, is for people.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from table.errors import TableError, print_error
from table.files.atomic_writing import make_folder
from table.files.write_as_folder_owner import owner_rights
from table.phrase import Phrase, make_phrase

_MAX_BYTES = 4096
"""The most bytes of the file that are read: paths are no longer."""
_OPEN_FLAGS = os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
"""Flags for opening a lock's file: do not wait for a pipe, and follow no link."""


class HeldError(TableError):
    """The error that another process has the lock."""


class Lock:
    """A lock that is held from its creation until it is closed."""

    def __init__(self, path: Path) -> None:
        """Take the lock at ``path``; raise ``HeldError`` with its holder, or `TableError` if that is impossible."""
        self._path = path
        self._since = f"{datetime.now():%Y-%m-%d %H:%M:%S}"
        self._game: Path | None = None
        self._file: int | None = None
        try:
            make_folder(path.parent)
            while self._file is None:
                self._file = _try_lock(path)
        except BlockingIOError:
            raise _read_holder(path) from None
        except OSError as error:
            raise TableError("journal.not_locked", at=path, error=error) from None
        self.write_holder(None)

    def write_holder(self, game: Path | None) -> None:
        """Write the holder of the lock, and its game, to the lock's file."""
        self._game = game
        if self._file is None:
            return
        content = {"pid": os.getpid(), "since": self._since, "game": None if game is None else str(game)}
        text = (json.dumps(content) + "\n").encode()
        with suppress(OSError):  # a full disk: the lock holds all the same
            os.pwrite(self._file, text, 0)
            os.ftruncate(self._file, len(text))

    def renew(self) -> bool:
        """Take the lock again if its file was deleted; return False if another process was faster."""
        if self._file is None or _is_same_file(self._path, self._file):
            return True
        try:
            fresh = Lock(self._path)
        except HeldError:
            return False
        except TableError:
            return True
        os.close(self._file)
        self._file, fresh._file = fresh._file, None
        self.write_holder(self._game)
        return True

    def close(self) -> None:
        """Release the lock."""
        if self._file is not None:
            if _is_same_file(self._path, self._file):
                with suppress(OSError), owner_rights(self._path):  # somebody else's file
                    self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_held(path: Path) -> bool:
    """Return whether another process holds the lock at ``path``; False if that can't be determined."""
    try:
        file = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    finally:
        os.close(file)
    return False


def _try_lock(path: Path) -> int | None:
    """Return the locked file; None if its last holder just deleted it; raise ``BlockingIOError`` if it is locked."""
    try:
        with owner_rights(path):
            file = os.open(path, os.O_RDWR | os.O_CREAT | _OPEN_FLAGS, 0o644)
    except OSError as error:
        try:  # somebody else's, or on a read-only disk: the kernel also locks files opened for reading
            file = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
        except OSError:
            raise error from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
            os.close(file)
            raise
        # For example on a network folder: not to start at all would be worse.
        print_error(make_phrase("journal.no_locks", path=str(path)))
        return file
    if _is_same_file(path, file):
        return file
    os.close(file)
    return None


def _is_same_file(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False


def _read_holder(path: Path) -> HeldError:
    holder: Phrase = make_phrase("journal.another_process")
    game: Phrase | str = make_phrase("journal.a_game")
    # Otherwise it is being written, or gone.
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        with os.fdopen(os.open(path, os.O_RDONLY | _OPEN_FLAGS), "rb") as file:
            content = json.loads(file.read(_MAX_BYTES))
        holder = make_phrase("journal.process", pid=int(content["pid"]), since=f"{content['since']!s:.30}")
        game = str(content["game"] or "") or game
    return HeldError("journal.held", game=game, who=holder)
