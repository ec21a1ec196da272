"""Boots the whole machine, plays on it, pulls its plug, and reports what came of it.

    python -m tests.machine [PART...] [--plugs N] [--seed N] [--out DIR] [--cache DIR]

The parts are ``boot`` (the start by parts, and what the table does at rest and in play), ``plugs`` (games of all kinds
whose plug is pulled), and the first boots by name (tests/machine/first_boots.py); all of them by default. Needs root
and Debian's packages (tests/machine/image.py names them). The first run builds the machine's disk, some minutes; an
emulated processor then takes minutes to boot, once for each plug and each first boot. Prints Markdown tables; pictures
and logs are in the folder of ``--out``. The exit status is 1 if something decided was lost, doubled or invented, a
machine needed a hand, or a screen did not show what was expected.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from hardware.bench import host
from tests.machine.first_boots import FIRST_BOOTS, run_first_boots
from tests.machine.image import Image, build_image, default_cache
from tests.machine.measure import measure_table
from tests.machine.plug import PluggedGame, pull_plugs
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
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first of the plugs' games")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: expected parts of {', '.join(PARTS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no machine stays behind
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        return run(given.parts or PARTS, given.out, given.cache, given.plugs, given.seed)
    except host.MissingError as error:
        print(f"machine: {error}", file=sys.stderr)
        return 2
    except host.FailedError as error:
        print(f"machine: {error}", file=sys.stderr)
        return 1


def run(parts: Sequence[str], out: Path, cache: Path, plugs: int, seed: int) -> int:
    """Run these parts, and print a table of each."""
    image = build_image(cache, report)
    accelerator = choose_accelerator(image.kernel, out)
    print(f"Emulated by {accelerator}, one processor of this machine.")
    if "boot" in parts:
        print_table(("what", "how much"), measure_table(image, out, accelerator))
    games: list[PluggedGame] = []
    if "plugs" in parts:
        for game in pull_plugs(image, out, accelerator, plugs, seed, report):
            games.append(game)
            report(" | ".join(describe_game(game)))
        print_table(
            (
                "game",
                "plugs",
                "lines at a plug",
                "lost pages",
                "lost lines",
                "ready, s",
                "events",
                "differences",
            ),
            [describe_game(game) for game in games],
        )
        for game in games:
            print("\n".join(f"{game.name} {game.seed}: {row}" for row in game.differences))

    def find_image(installs_itself: bool) -> Image:
        return build_image(cache, report, installs_itself=installs_itself)

    first_boots = tuple(name for name in FIRST_BOOTS if name in parts)
    outcomes = list(run_first_boots(find_image, out, accelerator, report, first_boots)) if first_boots else []
    if outcomes:
        print_table(
            ("first boot", "picture", "seconds"),
            [(name, picture, f"{seconds:.0f}") for name, picture, seconds in outcomes],
        )
    return int(not all(game.is_whole for game in games))


def describe_game(game: PluggedGame) -> list[str]:
    """Return the row of a game whose plug was pulled."""
    lines, lost_pages, lost, ready_s = (list(of_all) for of_all in zip(*game.plugs, strict=True))
    cells: list[object] = [f"{game.name} {game.seed}", len(game.plugs), " ".join(map(str, lines))]
    cells += [sum(lost_pages), sum(lost), f"{max(ready_s):.0f} at most", game.events, len(game.differences)]
    return list(map(str, cells))


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table."""
    rules = ("---",) * len(head)
    print("\n" + "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *rows)) + "\n", flush=True)


def report(line: str) -> None:
    """Say on stderr, with the time of day, how far the bench has come."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
