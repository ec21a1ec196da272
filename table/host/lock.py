"""One table, one process: a lock on the folder in which a game is kept.

The kernel holds it (``flock``) and lets it go when the process ends, however it ends. What the file says, who holds it
since when and for which game, is for people.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType

from table.errors import TableError, complain
from table.files.rights import rights_at
from table.files.writing import make_folder
from table.phrase import Phrase, say

_LONGEST = 4096
"""Bytes of the file that are read: paths are no longer."""
_AT_ONCE = os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a lock's file is opened: a pipe is not waited for, and a link makes no other file."""


class HeldError(TableError):
    """Another process has the lock."""


class Lock:
    """Held from its making to its closing."""

    def __init__(self, path: Path) -> None:
        """Take the lock at ``path``; ``HeldError`` says who has it, ``TableError`` why it can't be taken at all."""
        self._path = path
        self._since = f"{datetime.now():%Y-%m-%d %H:%M:%S}"
        self._game: Path | None = None
        self._file: int | None = None
        try:
            make_folder(path.parent)
            while self._file is None:
                self._file = _taken(path)
        except BlockingIOError:
            raise _holder(path) from None
        except OSError as error:
            raise TableError("journal.not_locked", at=path, error=error) from None
        self.tell(None)

    def tell(self, game: Path | None) -> None:
        """Write down who holds the lock, and for which game."""
        self._game = game
        if self._file is None:
            return
        told = {"pid": os.getpid(), "since": self._since, "game": None if game is None else str(game)}
        text = (json.dumps(told) + "\n").encode()
        try:
            os.pwrite(self._file, text, 0)
            os.ftruncate(self._file, len(text))
        except OSError:
            return  # a full disk: the lock holds all the same

    def renew(self) -> bool:
        """Take it again if its file was deleted meanwhile; false where another process has been faster."""
        if self._file is None or _is_at(self._path, self._file):
            return True
        try:
            fresh = Lock(self._path)
        except HeldError:
            return False
        except TableError:
            return True
        os.close(self._file)
        self._file, fresh._file = fresh._file, None
        self.tell(self._game)
        return True

    def close(self) -> None:
        """Let it go."""
        if self._file is not None:
            if _is_at(self._path, self._file):
                with suppress(OSError), rights_at(self._path):  # somebody else's file
                    self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Lock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def is_held(path: Path) -> bool:
    """Whether another process holds the lock at ``path``; false where that can't be told."""
    try:
        file = os.open(path, os.O_RDONLY | _AT_ONCE)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(file)
    return False


def _taken(path: Path) -> int | None:
    """The locked file; None where its last holder has just taken it away; ``BlockingIOError`` where it is held."""
    try:
        with rights_at(path):
            file = os.open(path, os.O_RDWR | os.O_CREAT | _AT_ONCE, 0o644)
    except OSError as error:
        try:  # somebody else's, or on a disk that is read-only: the kernel locks what can only be read, too
            file = os.open(path, os.O_RDONLY | _AT_ONCE)
        except OSError:
            raise error from None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
                raise
            # A network's folder, say: a table that did not come up at all would be worse.
            complain(say("journal.no_locks", path=str(path)))
            return file
    except BaseException:
        os.close(file)
        raise
    if _is_at(path, file):
        return file
    os.close(file)
    return None


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False


def _holder(path: Path) -> HeldError:
    """Who has the lock."""
    who: Phrase = say("journal.another_process")
    game: Phrase | str = say("journal.a_game")
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | _AT_ONCE), "rb") as file:
            told = json.loads(file.read(_LONGEST))
        who = say("journal.process", pid=int(told["pid"]), since=f"{told['since']!s:.30}")
        game = str(told["game"] or "") or game
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass  # it is being written, or gone
    return HeldError("journal.held", game=game, who=who)
