"""Pulls the plug of a game at a random moment, boots again, and compares what the journal has with what it had."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from time import sleep
from typing import Final, NamedTuple

from hardware.bench import host
from tests.machine.image import Image, check_disk, copy_disk, get_file, repair_disk
from tests.machine.play import (
    BIDS,
    PLAYERS,
    count_bids,
    deal,
    press,
    put_game,
    read_journal,
    read_running_journal,
    wait_for_bids,
    wait_until_ready,
)
from tests.machine.qemu import Machine, Snapshot

SYNCED_S: Final = 3
"""A line that is read so long before the cut has been synced: it is written and synced in one go."""
LATEST_CUT_S: Final = 20
FLUSHED, NOT_FLUSHED = "/var/tmp/flushed", "/var/tmp/not-flushed"
PROOF: Final = b"x" * 1_000_000
WRITE_PROOF: Final = f"head -c {len(PROOF)} /dev/zero | tr '\\0' x"


class Plug(NamedTuple):
    """What came of a pulled plug."""

    bids: int
    """Bids on the disk when the plug was pulled."""
    lost_pages: int
    """Pages that the disk's cache lost."""
    lost: int
    """Decided lines that are not there any more."""
    doubled: int
    """Bids that are there twice after the game went on."""
    invented: int
    """Bids that nobody made."""
    ready_s: float
    """Seconds until the table was ready again."""


def boot_to_deal(image: Image, out: Path, accelerator: str) -> Snapshot:
    """Boot into a game, and stop the machine's time when the first hand is dealt: each plug is pulled from there."""
    snapshot = Snapshot(out / "dealt-disk", out / "dealt-state")
    copy_disk(image.disk, snapshot.disk)
    put_game(snapshot.disk)
    with Machine(image, snapshot.disk, out, accelerator=accelerator) as machine:
        wait_until_ready(machine)
        deal(machine)
        machine.save(snapshot.state)
    return snapshot


def pull_plug_once(image: Image, snapshot: Snapshot, out: Path, accelerator: str, seed: int) -> Plug:
    """Play, pull the plug at a random moment, boot again and play on; ``FailedError`` if the machine needs a hand."""
    random = Random(seed)
    disk, copy = out / "disk", out / "disk-after-cut"
    copy_disk(snapshot.disk, disk)
    with Machine(image, disk, out, accelerator=accelerator, seed=seed, state=snapshot.state) as machine:
        machine.run("sh", "-c", f"{WRITE_PROOF} >{FLUSHED}; sync {FLUSHED}")
        bids_before_cut = random.randrange(len(BIDS))
        for number, (name, bid) in enumerate(BIDS[: bids_before_cut + 1], start=1):
            press(machine, PLAYERS[name][0], bid)
            if number <= bids_before_cut:
                wait_for_bids(machine, number)
        known = read_running_journal(machine)
        machine.take_screenshot(out / f"plug-{seed}-before.png")
        sleep(SYNCED_S + random.random() * LATEST_CUT_S)
        # The last thing before the cut: some seconds later the kernel writes it by itself.
        machine.run("sh", "-c", f"{WRITE_PROOF} >{NOT_FLUSHED}")
        lost_pages = machine.pull_plug()
    copy_disk(disk, copy)
    repair_disk(copy)
    check_disk(copy)
    require_proof(copy)
    on_disk = read_journal(copy)
    bids_on_disk = count_bids(on_disk).total()
    with Machine(image, disk, out, accelerator=accelerator, seed=seed) as machine:
        ready_s = wait_until_ready(machine)
        for number, (name, bid) in enumerate(BIDS[bids_on_disk:], start=bids_on_disk + 1):
            press(machine, PLAYERS[name][0], bid)
            wait_for_bids(machine, number)
        machine.take_screenshot(out / f"plug-{seed}-after.png")
        made = count_bids(read_running_journal(machine))
    return Plug(
        bids_on_disk,
        lost_pages,
        lost=sum(line not in on_disk for line in known),
        doubled=sum(number - 1 for number in made.values()),
        invented=(Counter(set(made)) - Counter(BIDS)).total(),
        ready_s=ready_s,
    )


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
