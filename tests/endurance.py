"""Hours at the table, played as fast as they go, and whether memory stays flat: ``python -m tests.endurance``.

Virtual games, one after the other in one process as an evening plays them: drawn camera, real sight, referee, a journal
on the disk, the screen drawn ten times a second. Prints the memory after each game; exit status 1 where it grows. One
game is short: what grows within a game is not seen by this.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import tempfile
import time
from pathlib import Path

from table.display.draw import draw
from table.games.registry import GAMES
from table.pipeline import Pipeline
from table.virtual.director import play_game
from table.virtual.setup import virtual_config
from table.virtual.source import VirtualTable

SCREEN = (640, 360)
DRAWN_NS = 100_000_000
PLAYERS = 4
MORE_MB = 16.0
"""So much may the last third of the games have more than the second third."""


def resident_mb() -> float:
    """The process's memory in MiB, after what nobody needs has been given back."""
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    row = next(row for row in status.splitlines() if row.startswith("VmRSS:"))
    return int(row.split()[1]) / 1024


def play(name: str, seed: int, folder: Path) -> tuple[float, int]:
    """Play one game; its length in seconds and the lines of its journal."""
    kind = GAMES[name]
    config = virtual_config(name, PLAYERS, {**kind.proposed, "hands": list(kind.short)}, seed=seed)
    world = play_game(config, seed)
    pipeline = Pipeline(config, VirtualTable(world), journal=folder / f"{seed}.jsonl")
    drawn = 0
    for now_ns in pipeline.run():
        if now_ns - drawn >= DRAWN_NS:
            draw(pipeline.view(now_ns), SCREEN)
            drawn = now_ns
    pipeline.referee.journal.close()
    return (world.end_ns - world.start_ns) / 1e9, len(pipeline.referee.journal.lines)


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="tests.endurance", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hours", type=float, default=8.0, help="hours of play (default: 8)")
    parser.add_argument("--game", choices=tuple(GAMES), metavar="G", help="only this one")
    arguments = parser.parse_args()
    names = (arguments.game,) if arguments.game else tuple(GAMES)
    began, played, lines = time.monotonic(), 0.0, 0
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        while played < arguments.hours * 3600 or len(found) < 3:
            name = names[len(found) % len(names)]
            seconds, count = play(name, len(found) + 1, Path(folder))
            played, lines = played + seconds, lines + count
            found.append(resident_mb())
            print(f"{played / 3600:6.2f} h  {lines:6} lines  {found[-1]:7.1f} MiB  {name}", flush=True)
    third = len(found) // 3
    middle, last = statistics.median(found[third : 2 * third]), statistics.median(found[-third:])
    speed = played / (time.monotonic() - began)
    print(f"{last - middle:+.1f} MiB from the second third to the last; {speed:.1f} times as fast as played")
    return 1 if last - middle > MORE_MB else 0


if __name__ == "__main__":
    sys.exit(main())
