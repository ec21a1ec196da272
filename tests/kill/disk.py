"""A disk that stops being written to at a given moment, also in the middle of a row; and one that fails."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

CALLS = ("fsync", "replace", "link", "rename", "unlink")
"""What a journal, its facts and their folder are brought onto the disk by; before each the process may die."""


class KilledError(BaseException):
    """The process is dead."""


class Disk:
    """Counts the moments at which something gets onto the disk in ``folder``; at one of them the process dies."""

    def __init__(
        self,
        folder: Path,
        at: int | None = None,
        left: Path | None = None,
        random: Random | None = None,
    ) -> None:
        """``left``: where what lies on the disk at moment ``at`` is kept, the last row torn somewhere."""
        self.folder, self.left = folder, left or folder
        self._at = at
        self._random = random or Random(0)
        self._each: Callable[[], None] = lambda: None
        self._sizes: dict[int, int] = {}
        """So much of each file is on the disk for sure."""
        self.moments = 0

    @contextmanager
    def watched(self, each: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Count the moments and die at the one given; ``each`` is what else happens at each of them."""
        self._each = each
        self._sizes = _sizes(self.folder)
        with patched(self._before):
            yield

    def _before(self, _: str) -> None:
        if self._at is not None and self.moments >= self._at:
            if self.moments == self._at:
                self._keep()
            self.moments += 1
            raise KilledError
        self.moments += 1
        self._each()
        self._sizes = _sizes(self.folder)

    def _keep(self) -> None:
        shutil.copytree(self.folder, self.left)
        for path in sorted(self.folder.iterdir()):
            size, before = path.stat().st_size, self._sizes.get(path.stat().st_ino, 0)
            if size > before:
                os.truncate(self.left / path.name, self._random.randint(before, size))


def _sizes(folder: Path) -> dict[int, int]:
    """The size of each file, by its inode: a name may be another file's a moment later."""
    found = [path.stat() for path in folder.iterdir()] if folder.is_dir() else []
    return {one.st_ino: one.st_size for one in found}


@contextmanager
def failing(error: int, often: Callable[[], bool]) -> Iterator[None]:
    """A disk that answers ``error`` whenever ``often`` says so: full, read-only, broken."""

    def before(name: str) -> None:
        if often():
            raise OSError(error, os.strerror(error), name)

    with patched(before):
        yield


@contextmanager
def patched(before: Callable[[str], None], after: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Have something done before and after each of :data:`CALLS`, also of one that fails."""

    def wrapped(name: str) -> Callable[..., Any]:
        real: Callable[..., Any] = getattr(os, name)

        def call(*arguments: Any, **named: Any) -> Any:
            before(name)
            try:
                return real(*arguments, **named)
            finally:
                after()

        return call

    with ExitStack() as stack:
        for name in CALLS:
            stack.enter_context(patch.object(os, name, wrapped(name)))
        yield
