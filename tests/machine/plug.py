"""Plays games whose plug is pulled at random moments, and compares what the journal has in the end with what happened.

The machine boots once for each plug: the players go on where the table stands, until the plug is pulled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from hardware.bench import host
from table.games.registry import GAMES
from table.referee.records.journal import JournalLine
from tests.machine.image import Image, check_disk, copy_disk, get_file, make_disk, repair_disk
from tests.machine.play import PlayedGame, read_journal, read_running_journal, record_game
from tests.machine.qemu import Machine

SHORTEST_S, LONGEST_S = 1.0, 10.0
"""How long a film runs until the plug is pulled."""
SYNCED_S: Final = 0.5
"""A line that is read so long before the cut has been synced: it is written and synced in one go."""
LATEST_CUT_S: Final = 1.0
DECIDED_S: Final = 3.0
"""So long after a film's end everything in it is decided."""
CHANGES: Final = 4
"""The power goes at one of the next writes and flushes: after a decision there are so many at once."""
FLUSHED, NOT_FLUSHED = "/var/tmp/flushed", "/var/tmp/not-flushed"
PROOF: Final = b"x" * 1_000_000
WRITE_PROOF: Final = f"head -c {len(PROOF)} /dev/zero | tr '\\0' x"


class Plug(NamedTuple):
    """What came of a pulled plug."""

    lines: int
    """Of the journal, on the disk when the plug was pulled."""
    lost_pages: int
    """Pages that the disk's cache lost."""
    lost: int
    """Lines that had been there and are not there any more."""
    ready_s: float
    """Seconds of the machine's clock from power to readiness, before."""


class PluggedGame(NamedTuple):
    """A game that was played to its end in spite of its plugs."""

    name: str
    seed: int
    plugs: tuple[Plug, ...]
    events: int
    differences: tuple[str, ...]
    """What the journal has lost, has twice or has invented in the end."""

    @property
    def is_whole(self) -> bool:
        """Whether the plugs did no harm."""
        return not self.differences and not any(plug.lost for plug in self.plugs)


def pull_plugs(
    image: Image, out: Path, accelerator: str, plugs: int, seed: int, report: Callable[[str], None]
) -> Iterator[PluggedGame]:
    """Play games of each kind in turn, until the plug has been pulled so often."""
    names = tuple(GAMES)
    for number in count(seed):
        game = play_with_plugs(image, out, accelerator, names[number % len(names)], number, report)
        yield game
        plugs -= len(game.plugs)
        if plugs <= 0:
            return


def play_with_plugs(
    image: Image,
    out: Path,
    accelerator: str,
    name: str,
    seed: int,
    report: Callable[[str], None],
    most_plugs: int = 1000,
) -> PluggedGame:
    """Play a game to its end, pulling the plug time and again; ``FailedError`` if the machine needs a hand."""
    random = Random(f"{name} {seed}")
    game = PlayedGame(record_game(name, seed, out / f"{name}-{seed}"))
    disk = out / f"disk-{name}-{seed}"
    make_disk(image, disk, lends_networks=accelerator == "tcg")
    plugs: list[Plug] = []
    is_over = False
    game.put(disk)
    while True:
        camera = game.make_camera(disk.with_suffix(".camera"))
        disk_seed = random.randrange(1 << 30)
        with Machine(image, disk, out, accelerator=accelerator, seed=disk_seed, camera=camera) as machine:
            ready_s = game.begin(machine)
            cut_s = random.uniform(SHORTEST_S, LONGEST_S)
            if is_over or cut_s > game.seconds_left or len(plugs) == most_plugs:
                game.play(machine, game.seconds_left + DECIDED_S)
                machine.take_screenshot(out / f"{name}-{seed}-over.png")
                journal = read_running_journal(machine)
                break
            plug, journal = pull_plug(game, machine, disk, cut_s, random.randrange(CHANGES), ready_s)
            plugs.append(plug)
        report(f"{name} {seed}, plug {len(plugs)}: {plugs[-1]}")
        is_over = not game.go_on_from(journal)
    disk.unlink()
    return PluggedGame(name, seed, tuple(plugs), len(game.truth), game.differences(journal))


def pull_plug(
    game: PlayedGame, machine: Machine, disk: Path, cut_s: float, changes: int, ready_s: float
) -> tuple[Plug, list[JournalLine]]:
    """Play until the film has run for ``cut_s``; pull the plug at the disk's next write or flush after ``changes``.

    Returns what came of it, and the journal on the disk.
    """
    # A file that is written over is written to the disk as it is closed (ext4's auto_da_alloc), a new one is not.
    machine.run("sh", "-c", f"rm -f {NOT_FLUSHED}; {WRITE_PROOF} >{FLUSHED}; sync {FLUSHED}")
    game.play(machine, cut_s - SYNCED_S)
    known = read_running_journal(machine)
    # The last thing before the cut: some seconds later the kernel writes it by itself.
    machine.run("sh", "-c", f"{WRITE_PROOF} >{NOT_FLUSHED}")
    game.play(machine, cut_s)
    machine.disk.cut_after(changes)
    game.play(machine, cut_s + LATEST_CUT_S)
    lost_pages = machine.pull_plug()
    copy = disk.with_suffix(".copy")
    copy_disk(disk, copy)
    repair_disk(copy)
    check_disk(copy)
    require_proof(copy)
    on_disk = read_journal(copy)
    copy.unlink()
    lost = sum(line not in on_disk for line in known)
    return Plug(len(on_disk), lost_pages, lost, ready_s), on_disk


def require_proof(disk: Path) -> None:
    """Raise ``FailedError`` unless the cut lost what was not flushed and kept what was."""
    if get_file(disk, FLUSHED) != PROOF:
        raise host.FailedError("a synced file is not whole after the cut")
    try:
        is_kept = get_file(disk, NOT_FLUSHED) == PROOF
    except host.FailedError:
        is_kept = False
    if is_kept:
        raise host.FailedError("the plug is no plug: a file that was not synced is whole")
