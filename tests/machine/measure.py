"""What the machine's start, its memory, its processor and its disk have to do for a table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from hardware.bench import host
from tests.machine.image import Image, make_disk
from tests.machine.play import PlayedGame, read_property, record_game
from tests.machine.qemu import Machine

MOST_EXPOSURE: Final = 1.0
"""The most that ``systemd-analyze security`` may say of the service."""
SLOWEST_UNITS: Final = 5
REST_S: Final = 60
"""How long the table is watched at rest: nobody moves, and the machine's start has been written down."""
SETTLES_S: Final = 30


class Usage(NamedTuple):
    """What the service and the disk had done by a moment of the machine's clock."""

    uptime_s: float
    processor_s: float
    writes: int
    syncs: int

    @classmethod
    def read(cls, machine: Machine) -> Usage:
        """Return what they have done so far."""
        uptime = machine.run("cat", "/proc/uptime").split()[0]
        counts = machine.disk.counts
        return cls(float(uptime), read_property(machine, "CPUUsageNSec") / 1e9, counts.writes, counts.flushes)

    def describe_since(self, before: Usage) -> str:
        """Return the share of the processor, and writes and syncs an hour, since an earlier moment."""
        seconds = self.uptime_s - before.uptime_s
        share = (self.processor_s - before.processor_s) / seconds
        writes, syncs = (3600 * n / seconds for n in (self.writes - before.writes, self.syncs - before.syncs))
        return f"{share:.0%} of the processor, {writes:.0f} writes and {syncs:.0f} syncs an hour"


def measure_table(image: Image, out: Path, accelerator: str) -> list[tuple[str, str]]:
    """Play a game; return the start by parts, memory, exposure, and what was done at rest and in play, as rows."""
    disk = out / "disk"
    make_disk(image, disk, lends_networks=accelerator == "tcg")
    recording = record_game("whysteria", 0, out / "whysteria-0")
    game = PlayedGame(recording, lead_in_ns=(SETTLES_S + REST_S) * 1_000_000_000)
    game.put(disk)
    camera = game.make_camera(out / "camera")
    with Machine(image, disk, out, accelerator=accelerator, camera=camera) as machine:
        game.begin(machine)
        startup = machine.run("systemd-analyze", "time").splitlines()[0]
        rows = [
            (part, seconds) for seconds, part in re.findall(r"((?:\d+min )?[\d.]+m?s) \((\w+)\)", startup)
        ]
        rows.append(("the table: from its start to its first picture", f"{_start_s(machine):.1f} s"))
        blame = machine.run("systemd-analyze", "blame", "--no-pager").splitlines()[:SLOWEST_UNITS]
        rows += [(row.split()[-1], " ".join(row.split()[:-1])) for row in blame]
        game.play(machine, -REST_S)
        begun = Usage.read(machine)
        game.play(machine, 0)
        rested = Usage.read(machine)
        rows.append(("at rest", rested.describe_since(begun)))
        game.play(machine, game.seconds_left)
        rows.append(("in play", Usage.read(machine).describe_since(rested)))
        total, available = machine.run(
            "sh", "-c", "awk '/MemTotal|MemAvailable/ {print $2}' /proc/meminfo"
        ).split()
        rows.append(("memory in use", f"{(int(total) - int(available)) // 1024} MiB"))
        rows.append(("memory of the service", f"{read_property(machine, 'MemoryCurrent') >> 20} MiB"))
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


def _start_s(machine: Machine) -> float:
    """Return how long the service took from its start until it was ready."""
    ready, started = (
        read_property(machine, name)
        for name in ("ActiveEnterTimestampMonotonic", "ExecMainStartTimestampMonotonic")
    )
    return (ready - started) / 1e6
