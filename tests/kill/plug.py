"""Pulls the plug of a disk with a volatile cache at random moments of a game; see :mod:`tests.machine.volume`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from unittest.mock import patch

from tests.kill.disk import KilledError, patched
from tests.kill.powercuts import NAME, Row, evening_of, kill, tell_whole
from tests.machine.volume import Volume


class PluggedDisk:
    """The disk of a process that dies when the plug is pulled: at the write or flush after ``changes`` of them."""

    def __init__(self, volume: Volume, changes: int) -> None:
        self.folder = self.left = volume.folder
        self.lost_pages = 0
        self._volume, self._changes = volume, changes

    @contextmanager
    def watched(self, each: Callable[[], None]) -> Iterator[None]:
        """Cut the power in the end, if it did not go before, and have the disk come back."""

        def before(_: str) -> None:
            each()
            die()

        def die() -> None:
            if not self._volume.disk.has_power:
                raise KilledError

        os.sync()  # the games that lie there have lain there for long
        self._volume.disk.cut_after(self._changes)
        try:
            with patched(before, die):
                yield
        finally:
            self.lost_pages = self._volume.cut()


def pull_plugs(name: str, times: int, seed: int, folder: Path, no_sync: bool = False) -> Row:
    """Pull the plug of a game ``times`` times; with ``no_sync`` its files are never synced."""
    evening = evening_of(name, seed)
    with Volume(folder, Random(seed)) as volume:
        os.sync()
        begun = volume.disk.counts.changes
        whole = tell_whole(evening, volume.folder / NAME)
        changes = volume.disk.counts.changes - begun
    row = Row()
    for number in range(times):
        random = Random(f"{seed}/{name}/plug/{number}")
        at = random.randrange(changes)
        with (
            patch.object(os, "fsync", lambda _: None) if no_sync else nullcontext(),
            Volume(folder, random) as volume,
        ):
            disk = PluggedDisk(volume, at)
            kill(evening, whole, disk, f"change {at}", random, row)
            row.lost_pages += disk.lost_pages
    return row
