"""Mutants of the judging code, one after another: ``python -m tests.mutants --count 300 --seed 1 --out FILE``.

Each mutant is one small fault in a copy of the tree. The tests of `make test` that call its function look for it, the
shortest first; what each test calls is noted at the start. FILE has a line for each mutant; started again with the
same file and the same sources, it goes on where it stopped.
In the end, and after Ctrl-C, each mutant that nobody noticed is shown: a test is missing, or the code does not matter.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import signal
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.calls import TestRun, choose_tests, read_runs
from tests.mutants.runner import ROOT, copy_tree, load_heavy, run_tests, write_source
from tests.mutants.sites import Mutant, mutants_of

AREAS = {
    "games": ("games",),
    "referee": ("referee/model/event_costs.py", "referee/moves", "referee/beam_search.py"),
    "buttons": ("buttons",),
    "journal": ("referee/records",),
}
"""The folders or modules under ``table/`` that are mutated."""
PLACES = (
    *("games", "oracles", "events", "referee", "buttons", "menu", "session", "history", "playback", "i18n"),
    *("simulation", "system", "upgrade", "kill", "commands"),
    *("display/test_games.py", "display/test_telling.py"),
    *("test_ties.py", "test_same_press.py", "test_pipeline.py", "test_end_to_end.py", "test_config.py"),
)
"""Folders or files under ``tests/`` that may notice a mutant; nothing of it depends on how cards are seen."""
QUICK_S = 5.0
"""The files of so many seconds of tests are loaded first; loading them all takes longer than most mutants live."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant: a line of the file."""

    key: str
    area: str
    kind: str
    source: int
    """The CRC-32 of the module that was mutated."""
    noticed_by: str
    """The test that failed; empty: the mutant survived."""
    seconds: float
    diff: str


@cache
def source_of(path: str) -> bytes:
    """Return a module's source."""
    return (ROOT / path).read_bytes()


def choose_mutants(areas: Sequence[str], count: int, seed: int) -> list[tuple[str, Mutant]]:
    """Return ``count`` mutants at random, each kind of fault and each area as often as the others."""
    chance = random.Random(seed)
    heaps: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for area in areas:
        for source in AREAS[area]:
            place = ROOT / "table" / source
            for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
                relative = str(path.relative_to(ROOT))
                for mutant in mutants_of(relative, source_of(relative)):
                    heaps[area, mutant.kind].append(mutant)
    for heap in heaps.values():
        chance.shuffle(heap)
    chosen: list[tuple[str, Mutant]] = []
    while len(chosen) < count and any(heaps.values()):
        full = [(area, heap) for (area, _), heap in heaps.items() if heap]
        chosen += [(area, heap.pop()) for area, heap in chance.sample(full, len(full))]
    return chosen[:count]


def diff_of(mutant: Mutant) -> str:
    """Return the fault as a short unified diff."""
    source = source_of(mutant.path)
    before, after = (text.decode().splitlines() for text in (source, mutant.apply(source)))
    lines = difflib.unified_diff(before, after, mutant.path, mutant.path, lineterm="", n=2)
    return "\n".join(list(lines)[2:])


# --- in each process ------------------------------------------------------------------------------------------------

_tree: Path


def prepare_process(folder: Path) -> None:
    """Make the process's own copy of the tree; Ctrl-C is for the process that started it, which ends this one."""
    global _tree
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # by which the tests that run are ended too
    _tree = folder / str(os.getpid())
    copy_tree(_tree)


def record_runs(work: tuple[Path, float]) -> str:
    """Run all tests and write what they call; return the test that fails without any fault."""
    path, limit_s = work
    there = [place for place in PLACES if (_tree / "tests" / place).exists()]
    return run_tests(_tree, [f"tests/{place}" for place in there], limit_s, path).noticed_by


def judge_mutant(work: tuple[str, Mutant, Path, float]) -> Result:
    """Run the tests that call the mutated function, the files that take the shortest first."""
    area, mutant, calls, limit_s = work
    runs = read_runs(calls)
    source = source_of(mutant.path)
    write_source(_tree / mutant.path, mutant.apply(source))
    seconds, noticed_by = 0.0, ""
    for tests in split_tests(choose_tests(mutant, source, runs), runs):
        outcome = run_tests(_tree, tests, limit_s)
        seconds, noticed_by = seconds + outcome.seconds, outcome.noticed_by
        if noticed_by:
            break
    write_source(_tree / mutant.path, source)
    return Result(
        mutant.key, area, mutant.kind, zlib.crc32(source), noticed_by, round(seconds, 1), diff_of(mutant)
    )


def split_tests(tests: Sequence[str], runs: Mapping[str, TestRun]) -> list[list[str]]:
    """Return the tests of the files that take the shortest, up to :data:`QUICK_S`, and the others."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.split("::")[0]].append(test)
    quick: list[str] = []
    others: list[str] = []
    spent_s = 0.0
    for some in sorted(files.values(), key=lambda some: sum(runs[test].seconds for test in some)):
        spent_s += sum(runs[test].seconds for test in some)
        (quick if spent_s <= QUICK_S or not quick else others).extend(some)
    return [some for some in (quick, others) if some]


# --- all of them ----------------------------------------------------------------------------------------------------


def read_results(path: Path) -> dict[str, Result]:
    """Return the results in the file that are of the present sources; a line that was cut off is passed over."""
    results = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            result = Result(**json.loads(line))
        except (ValueError, TypeError):
            continue
        module = ROOT / result.key.split(":")[0]
        if module.exists() and zlib.crc32(module.read_bytes()) == result.source:
            results[result.key] = result
    return results


def report(results: Sequence[Result]) -> list[str]:
    """Return each survivor, and how many were noticed by area and by kind of fault."""
    survivors = [result for result in results if not result.noticed_by]
    lines = []
    for result in sorted(survivors, key=lambda result: result.key):
        lines += ["", f"survived: {result.key} ({result.area})", result.diff]
    lines.append("")
    for name in ("area", "kind"):
        counts = Counter(getattr(result, name) for result in results)
        lived = Counter(getattr(result, name) for result in survivors)
        lines += [
            f"{value:<12}{counts[value] - lived[value]:>5} of {counts[value]}" for value in sorted(counts)
        ]
    lines.append(f"{len(results) - len(survivors)} of {len(results)} mutants were noticed")
    return lines


def run_all(chosen: Sequence[tuple[str, Mutant]], options: argparse.Namespace) -> list[Result]:
    """Judge the mutants that the file does not have yet, and add them to it."""
    known = read_results(options.out)
    wanted = {mutant.key for _, mutant in chosen}
    results = [result for result in known.values() if result.key in wanted]
    rest = [(area, mutant) for area, mutant in chosen if mutant.key not in known]
    load_heavy()
    with (
        TemporaryDirectory(prefix="mutants-") as folder,
        get_context("fork").Pool(options.jobs, prepare_process, (Path(folder),)) as pool,
    ):
        calls = Path(folder) / "calls.json"
        failing = pool.apply(record_runs, ((calls, options.limit),))
        if failing:
            sys.exit(f"{failing} fails without any fault")
        runs = read_runs(calls)
        print(f"{len(runs)} tests, {sum(run.seconds for run in runs.values()):.0f} s", flush=True)
        work = [(area, mutant, calls, options.limit) for area, mutant in rest]
        try:
            with options.out.open("a", encoding="utf-8") as file:
                for result in pool.imap_unordered(judge_mutant, work):
                    results.append(result)
                    print(json.dumps(asdict(result)), file=file, flush=True)
                    print(
                        f"{len(results)}/{len(chosen)} {result.seconds:6.1f} s  {result.key}: "
                        f"{result.noticed_by or 'SURVIVED'}",
                        flush=True,
                    )
        except KeyboardInterrupt:
            print("broken off")
    return results


def main() -> int:
    """Judge the mutants that are asked for, and show the survivors."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=300, metavar="N", help="mutants (300)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, other mutants (1)")
    parser.add_argument("--area", action="append", choices=AREAS, help="only this area; may be repeated")
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"), metavar="FILE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--limit", type=float, default=1800.0, metavar="S", help="of a run of tests (1800 s)")
    options = parser.parse_args()
    chosen = choose_mutants(options.area or list(AREAS), options.count, options.seed)
    print("\n".join(report(run_all(chosen, options))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
