"""Boots the whole machine, plays on it, pulls its plug, and reports what came of it.

    python -m tests.machine [--plugs N] [--out DIR] [--cache DIR]

Needs root and Debian's packages (tests/machine/image.py names them). The first run builds the machine's disk, some
minutes; an emulated processor then takes minutes to boot, twice for each plug. Pictures and logs are in the folder
of ``--out``. The exit status is 1 if a decided line was lost, a bid doubled or invented, or a machine needed a hand.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path

from hardware.bench import host
from tests.machine.image import Image, build_image, copy_disk
from tests.machine.plug import Plug, pull_plug_once
from tests.machine.qemu import Machine, choose_accelerator

MOST_EXPOSURE = 1.0
"""The most that ``systemd-analyze security`` may say of the service."""
BOOT_S = 1800
SLOWEST_UNITS = 6


def main() -> int:
    """Build, boot and report; the exit status is 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.machine", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--out", type=Path, default=Path("build/machine"), help="where pictures and logs go")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser.add_argument(
        "--cache", type=Path, default=home / "cardtable-machine", help="where what was built is kept"
    )
    parser.add_argument("--plugs", type=int, default=1, metavar="N", help="how often the plug is pulled")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        image = build_image(given.cache, report)
        accelerator = choose_accelerator(image.kernel, given.out)
        report(f"accelerator {accelerator}")
        first_boot(image, given.out, accelerator)
        plugs = [pull_plug_once(image, given.out, accelerator, seed) for seed in range(given.plugs)]
    except host.MissingError as error:
        print(f"machine: {error}", file=sys.stderr)
        return 2
    except host.FailedError as error:
        print(f"machine: {error}", file=sys.stderr)
        return 1
    print_plugs(plugs)
    return int(any(plug.lost or plug.doubled or plug.invented for plug in plugs))


def print_plugs(plugs: list[Plug]) -> None:
    """Print a Markdown table of the plugs."""
    print("| " + " | ".join(Plug._fields) + " |\n" + "| ---: " * len(Plug._fields) + "|")
    for plug in plugs:
        print("| " + " | ".join(f"{figure:.0f}" for figure in plug) + " |")


def report(line: str) -> None:
    """Print a line with the time of day."""
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)


def first_boot(image: Image, out: Path, accelerator: str) -> None:
    """Boot what ``setup.sh`` left and report its start by parts, its memory and what its screen shows."""
    disk = out / "disk"
    copy_disk(image.disk, disk)
    with Machine(image, disk, out, accelerator=accelerator) as machine:
        machine.run("systemctl", "is-system-running", "--wait", timeout_s=BOOT_S, ok=(0, 1))
        report(f"booted after {machine.age_s:.0f} s")
        report(machine.run("systemd-analyze", "time").splitlines()[0])
        for row in machine.run("systemd-analyze", "blame", "--no-pager").splitlines()[:SLOWEST_UNITS]:
            report(f"  {row.strip()}")
        used = machine.run("sh", "-c", "awk '/MemTotal|MemAvailable/ {print $2}' /proc/meminfo").split()
        report(f"memory in use: {(int(used[0]) - int(used[1])) // 1024} MiB")
        exposure = read_exposure(
            machine.run("systemd-analyze", "security", "--no-pager", "cardtable.service")
        )
        report(f"exposure of the service: {exposure}")
        if exposure > MOST_EXPOSURE:
            raise host.FailedError(f"exposure {exposure}: expected {MOST_EXPOSURE} at most")
        machine.take_screenshot(out / "first-boot.png")
        report(f"the screen: {out / 'first-boot.png'}")
        machine.switch_off()
    report("switched off")


def read_exposure(text: str) -> float:
    """Return the figure at the end of what ``systemd-analyze security`` prints."""
    figures = re.findall(r"exposure level for \S+: ([0-9.]+)", text)
    if not figures:
        raise host.FailedError(f"systemd-analyze security says no figure: {text[-200:]!r}")
    return float(figures[-1])


if __name__ == "__main__":
    sys.exit(main())
