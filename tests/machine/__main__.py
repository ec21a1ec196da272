"""Boots the whole machine, plays on it, pulls its plug, and reports what came of it.

    python -m tests.machine [PART...] [--plugs N] [--out DIR] [--cache DIR]

The parts are ``boot`` (the start by parts), ``plugs`` (with what the table does at rest and in play), and the first
boots by name (tests/machine/first_boots.py); all of them by default. Needs root and Debian's packages
(tests/machine/image.py names them). The first run builds the machine's disk, some minutes; an emulated processor then
takes minutes to boot, once for each plug and each first boot. Prints Markdown tables; pictures and logs are in the
folder of ``--out``. The exit status is 1 if a decided line was lost, a bid doubled or invented, a machine needed a
hand, or a screen did not show what was expected.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from hardware.bench import host
from tests.machine.first_boots import FIRST_BOOTS, run_first_boots
from tests.machine.image import build_image, default_cache
from tests.machine.measure import measure_activity, measure_boot
from tests.machine.plug import Plug, boot_to_deal, pull_plug_once
from tests.machine.qemu import choose_accelerator

PARTS = ("boot", "plugs", *FIRST_BOOTS)


def main() -> int:
    """Build, boot and report; the exit status is 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.machine", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--out", type=Path, default=Path("build/machine"), help="where pictures and logs go")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where what was built is kept")
    parser.add_argument("--plugs", type=int, default=1, metavar="N", help="how often the plug is pulled")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: expected parts of {', '.join(PARTS)}")
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        return run(given.parts or PARTS, given.out, given.cache, given.plugs)
    except host.MissingError as error:
        print(f"machine: {error}", file=sys.stderr)
        return 2
    except host.FailedError as error:
        print(f"machine: {error}", file=sys.stderr)
        return 1


def run(parts: Sequence[str], out: Path, cache: Path, times: int) -> int:
    """Run these parts, and print a table of each."""
    image = build_image(cache, report)
    accelerator = choose_accelerator(image.kernel, out)
    print(f"Emulated by {accelerator}, one processor of this machine.")
    plugs: list[Plug] = []
    if "boot" in parts:
        print_table(("what", "how much"), measure_boot(image, out, accelerator))
    if "plugs" in parts:
        begun_s = time.monotonic()
        snapshot = boot_to_deal(image, out, accelerator)
        report(f"dealt after {time.monotonic() - begun_s:.0f} s; each plug goes on from there")
        activity = measure_activity(image, snapshot, out, accelerator)
        print_table(
            ("when", "share of the processor", "writes an hour", "syncs an hour"),
            [
                (when, f"{did.processor_share:.0%}", f"{did.writes_an_hour:.0f}", f"{did.syncs_an_hour:.0f}")
                for when, did in activity
            ],
        )
        for seed in range(times):
            plugs.append(pull_plug_once(image, snapshot, out, accelerator, seed))
            report(f"plug {seed}: {plugs[-1]}")
        print_table(Plug._fields, [[f"{figure:.0f}" for figure in plug] for plug in plugs])
    first_boots = tuple(name for name in FIRST_BOOTS if name in parts)
    outcomes = list(run_first_boots(image, out, accelerator, report, first_boots)) if first_boots else []
    if outcomes:
        print_table(
            ("first boot", "picture", "seconds"),
            [(name, picture, f"{seconds:.0f}") for name, picture, seconds in outcomes],
        )
    return int(any(plug.lost or plug.doubled or plug.invented for plug in plugs))


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table."""
    rules = ("---",) * len(head)
    print("\n" + "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *rows)) + "\n", flush=True)


def report(line: str) -> None:
    """Say on stderr, with the time of day, how far the bench has come."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
