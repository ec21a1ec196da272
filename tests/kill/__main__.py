"""Kills games at random moments, while the wall clock is set this way and that: ``python -m tests.kill``.

Prints a table by game; exit status 1 where a fact was lost, doubled or invented. With ``--plug`` the games lie on an
ext4 disk with a volatile cache, which loses its power at the same moment (needs root and Debian's packages, see
tests/machine/volume.py); ``--no-sync`` proves that bench: lines must be lost, so the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from hardware.bench.host import MissingError
from tests.kill.plug import pull_plugs
from tests.kill.powercuts import GAMES, run

KILLS = ("kills", "lines lost", "missing", "doubled", "invented", "wrong end", "disordered", "unseen")
BESIDES = ("cuts", "bad", "disks", "bad", "removed", "bad", "files", "bad")


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="tests.kill", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=200, help="kills of each game (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plug", action="store_true", help="pull the plug of the disk at each kill")
    parser.add_argument("--no-sync", action="store_true", help="with --plug: never sync a file")
    parser.add_argument("--game", choices=GAMES, metavar="G", help=", ".join(GAMES))
    arguments = parser.parse_args()
    head = ("game", *KILLS, *(("lost pages",) if arguments.plug else BESIDES))
    print("  ".join(f"{name:>10}" for name in head))
    bad = False
    for name in (arguments.game,) if arguments.game else GAMES:
        with tempfile.TemporaryDirectory() as folder:
            if arguments.plug:
                try:
                    row = pull_plugs(name, arguments.times, arguments.seed, Path(folder), arguments.no_sync)
                except MissingError as error:
                    print(f"kill: {error}", file=sys.stderr)
                    return 2
            else:
                row = run(name, arguments.times, arguments.seed, Path(folder))
        faults = (row.lost, row.missing, row.doubled, row.invented, row.wrong, row.disordered)
        rest = (row.cuts, row.bad_cuts, row.disks, row.bad_disks, row.removed, row.bad_removed)
        besides = (row.lost_pages,) if arguments.plug else (*rest, row.files, row.bad_files)
        cells = (name[:10], row.kills, *faults, row.unseen, *besides)
        print("  ".join(f"{cell:>10}" for cell in cells), flush=True)
        for example in row.examples[:5]:
            print(f"    {example[:400]}")
        bad |= any((*faults, row.bad_cuts, row.bad_disks, row.bad_removed, row.bad_files))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
