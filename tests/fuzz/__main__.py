"""Gives thousands of damaged files to the commands that read them: ``python -m tests.fuzz``.

Prints a table and, for each way in which a command failed, one case; exit status 1 where one failed.
``--only KIND --case N`` tries a single case again.
"""

from __future__ import annotations

import argparse
import os
import sys


def main() -> int:
    """Run the bench."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ["OPENCV_LOG_LEVEL"] = "SILENT"
    os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    from tests.fuzz.attacks import KINDS
    from tests.fuzz.cases import run, table_of

    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=5_000, help="cases of each kind (default: 5,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--case", type=int, help="only this one, with its traceback")
    arguments = parser.parse_args()
    kinds = [arguments.only] if arguments.only else list(KINDS)
    rows = run(kinds, arguments.count, arguments.seed, only=arguments.case)
    print(table_of(rows))
    for kind, row in rows.items():
        for fault, (number, case, verdict) in row.examples.items():
            print(f"\n{kind} {number}: {fault}\n  {' '.join(case)[:200]!r}\n  {verdict.said[:400]!r}")
            if verdict.escaped:
                print("\n".join(verdict.escaped.splitlines()[-8 if arguments.case is None else -60 :])[:3000])
            print(f"  {verdict.seconds:.2f} s, {verdict.peak_kb // 1024} MB")
    return 1 if any(row.faults for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
