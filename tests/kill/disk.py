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
        each: Callable[[], None] = lambda: None,
    ) -> None:
        """``left``: where what lies on the disk at moment ``at`` is kept, the last row torn somewhere.

        ``each``: what else happens at each moment.
        """
        self._each = each
        self._folder, self._at, self._left = folder, at, left
        self._random = random or Random(0)
        self._sizes = _sizes(folder)
        """So much of each file is on the disk for sure."""
        self.moments = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        with _patched(self._before):
            yield

    def _before(self, _: str) -> None:
        if self._at is not None and self.moments >= self._at:
            if self.moments == self._at:
                self._keep()
            self.moments += 1
            raise KilledError
        self.moments += 1
        self._each()
        self._sizes = _sizes(self._folder)

    def _keep(self) -> None:
        assert self._left is not None
        shutil.copytree(self._folder, self._left)
        for path in sorted(self._folder.iterdir()):
            size, before = path.stat().st_size, self._sizes.get(path.stat().st_ino, 0)
            if size > before:
                os.truncate(self._left / path.name, self._random.randint(before, size))


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

    with _patched(before):
        yield


@contextmanager
def _patched(before: Callable[[str], None]) -> Iterator[None]:
    def wrapped(name: str) -> Callable[..., Any]:
        real: Callable[..., Any] = getattr(os, name)

        def call(*arguments: Any, **named: Any) -> Any:
            before(name)
            return real(*arguments, **named)

        return call

    with ExitStack() as stack:
        for name in CALLS:
            stack.enter_context(patch.object(os, name, wrapped(name)))
        yield
