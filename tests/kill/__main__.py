"""Kills games at random moments, while the wall clock is set this way and that: ``python -m tests.kill``.

Prints a table by game; exit status 1 where a fact was lost, doubled or invented.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.kill.powercuts import GAMES, run

HEAD = (
    "game",
    "kills",
    "lines lost",
    "missing",
    "doubled",
    "invented",
    "wrong end",
    "disordered",
    "cuts",
    "bad",
    "disks",
    "bad",
    "removed",
    "bad",
    "files",
    "bad",
    "unseen",
)


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="tests.kill", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=200, help="kills of each game (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=GAMES, metavar="G", help=", ".join(GAMES))
    arguments = parser.parse_args()
    print("  ".join(f"{name:>10}" for name in HEAD))
    bad = False
    for name in (arguments.game,) if arguments.game else GAMES:
        with tempfile.TemporaryDirectory() as folder:
            row = run(name, arguments.times, arguments.seed, Path(folder))
        cells = (row.kills, row.lost, row.missing, row.doubled, row.invented, row.wrong, row.disordered)
        rest = (row.cuts, row.bad_cuts, row.disks, row.bad_disks, row.removed, row.bad_removed)
        more = (row.files, row.bad_files, row.unseen)
        print("  ".join(f"{cell:>10}" for cell in (name[:10], *cells, *rest, *more)), flush=True)
        for example in row.examples[:5]:
            print(f"    {example[:400]}")
        bad |= any((*cells[1:], row.bad_cuts, row.bad_disks, row.bad_removed, row.bad_files))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
