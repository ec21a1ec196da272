"""What the machine's start, its memory, its processor and its disk have to do for a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Final, NamedTuple

from hardware.bench import host
from tests.machine.image import Image, copy_disk
from tests.machine.play import BIDS, PLAYERS, press, put_game, wait_for_bids, wait_until_ready
from tests.machine.qemu import Machine, Snapshot

MOST_EXPOSURE: Final = 1.0
"""The most that ``systemd-analyze security`` may say of the service."""
REST_S: Final = 60
BETWEEN_BIDS_S: Final = 10
SLOWEST_UNITS: Final = 5


class Activity(NamedTuple):
    """What the table did in a while, by the machine's own clock."""

    processor_share: float
    writes_an_hour: float
    syncs_an_hour: float


def measure_boot(image: Image, out: Path, accelerator: str) -> list[tuple[str, str]]:
    """Boot into a game and return the start by parts, memory and exposure, as rows of a table."""
    disk = out / "disk"
    copy_disk(image.disk, disk)
    put_game(disk)
    with Machine(image, disk, out, accelerator=accelerator) as machine:
        wait_until_ready(machine)
        startup = machine.run("systemd-analyze", "time").splitlines()[0]
        rows = [(part, seconds) for seconds, part in re.findall(r"([\d.min ]+s) \((\w+)\)", startup)]
        rows += [("the table: from its start to its first picture", f"{_start_s(machine):.1f} s")]
        blame = machine.run("systemd-analyze", "blame", "--no-pager").splitlines()[:SLOWEST_UNITS]
        rows += [(row.split()[-1], " ".join(row.split()[:-1])) for row in blame]
        total, available = machine.run(
            "sh", "-c", "awk '/MemTotal|MemAvailable/ {print $2}' /proc/meminfo"
        ).split()
        rows.append(("memory in use", f"{(int(total) - int(available)) // 1024} MiB"))
        rows.append(("memory of the service", f"{_property(machine, 'MemoryCurrent') >> 20} MiB"))
        security = machine.run("systemd-analyze", "security", "--no-pager", "cardtable.service")
        exposure = read_exposure(security)
        rows.append(("exposure of the service", f"{exposure}"))
        if exposure > MOST_EXPOSURE:
            raise host.FailedError(f"exposure {exposure}: expected {MOST_EXPOSURE} at most")
        machine.take_screenshot(out / "game.png")
        machine.switch_off()
    return rows


def read_exposure(text: str) -> float:
    """Return the figure at the end of what ``systemd-analyze security`` prints."""
    figures = re.findall(r"exposure level for \S+: ([0-9.]+)", text)
    if not figures:
        raise host.FailedError(f"systemd-analyze security says no figure: {text[-200:]!r}")
    return float(figures[-1])


def measure_activity(
    image: Image, snapshot: Snapshot, out: Path, accelerator: str
) -> list[tuple[str, Activity]]:
    """Return what the table does while nothing happens, and while bids are made."""
    disk = out / "disk"
    copy_disk(snapshot.disk, disk)
    with Machine(image, disk, out, accelerator=accelerator, state=snapshot.state) as machine:
        rest = _watch(machine, lambda: sleep(REST_S))

        def bid() -> None:
            for number, (name, bid) in enumerate(BIDS, start=1):
                press(machine, PLAYERS[name][0], bid)
                wait_for_bids(machine, number)
                sleep(BETWEEN_BIDS_S)

        return [("at rest", rest), ("while bids are made", _watch(machine, bid))]


def _watch(machine: Machine, act: Callable[[], None]) -> Activity:
    before, counts = _used(machine), (machine.disk.counts.writes, machine.disk.counts.flushes)
    act()
    after = _used(machine)
    hours = (after[0] - before[0]) / 3600
    return Activity(
        (after[1] - before[1]) / (after[0] - before[0]),
        (machine.disk.counts.writes - counts[0]) / hours,
        (machine.disk.counts.flushes - counts[1]) / hours,
    )


def _used(machine: Machine) -> tuple[float, float]:
    """Return the machine's clock and the service's time of the processor, in seconds."""
    up = machine.run("cat", "/proc/uptime").split()[0]
    return float(up), _property(machine, "CPUUsageNSec") / 1e9


def _start_s(machine: Machine) -> float:
    """Return how long the service took from its start until it was ready."""
    ready, started = (
        _property(machine, name)
        for name in ("ActiveEnterTimestampMonotonic", "ExecMainStartTimestampMonotonic")
    )
    return (ready - started) / 1e6


def _property(machine: Machine, name: str) -> int:
    return int(machine.run("systemctl", "show", "cardtable", f"--property={name}", "--value"))
