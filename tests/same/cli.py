"""The regression net: what the table makes of many films, scenes and games, now and before a change.

    python -m tests.same save DIR [--quick]
    python -m tests.same compare DIR [--quick] [--only PART]

``save`` runs everything with the code as it stands and keeps what came of it; ``compare`` runs the same again and shows
each difference: card fact by card fact, journal line by line, sentence by sentence. A journal is compared twice: once
along the whole path, and once made by the referee alone from the recorded facts and calls, so that tracking and
referee can be changed side by side. Exit status 1 if anything differs.

To compare with an older commit, check that out beside this one and save there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2

from tests.same.difference import Difference, differences
from tests.same.subjects import PARTS, Subject, everything
from tests.same.tape import Row

SHOWN = 12
"""So many differences of a subject are shown, unless all are asked for."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one subject."""

    subject: Subject
    found: dict[str, list[Difference]] = field(default_factory=dict)
    """The differences by stream."""
    cpu_s: float = 0.0

    @property
    def count(self) -> int:
        """How many differences there are."""
        return sum(len(each) for each in self.found.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Save or compare; 1 where anything differs, 2 where nothing was saved."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.same", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("save", "compare"))
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--quick", action="store_true", help="a tenth of it, within two minutes")
    parser.add_argument(
        "--only", metavar="PART", default="", help=f"names that begin so ({', '.join(PARTS)})"
    )
    parser.add_argument("--all", action="store_true", help=f"show more than {SHOWN} differences of a subject")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once")
    given = parser.parse_args(arguments)
    subjects = [one for one in everything(given.quick) if one.name.startswith(given.only)]
    if not subjects:
        print(f"--only: {given.only!r}: expected a name that begins with {', '.join(PARTS)}", file=sys.stderr)
        return 2
    began = time.perf_counter()
    if given.what == "save":
        for result in _each(partial(save, given.folder), subjects, given.jobs):
            print(f"{result.subject.name} ({result.cpu_s:.1f} s)", flush=True)
        print(f"{len(subjects)} saved in {time.perf_counter() - began:.0f} s")
        return 0
    missing = [one.name for one in subjects if not _folder(given.folder, one).is_dir()]
    if missing:
        print(
            f"{given.folder}: {len(missing)} not saved, such as {missing[0]}: run save first", file=sys.stderr
        )
        return 2
    results = []
    for result in _each(partial(compare, given.folder), subjects, given.jobs):
        results.append(result)
        for line in shown(result, None if given.all else SHOWN):
            print(line, flush=True)
    for line in summary(results):
        print(line)
    print(f"{sum(one.cpu_s for one in results):.0f} s of processor, {time.perf_counter() - began:.0f} s")
    return 1 if any(one.count for one in results) else 0


def save(folder: Path, subject: Subject) -> Result:
    """Run it and keep its streams."""
    began = time.process_time()
    place = _folder(folder, subject)
    place.mkdir(parents=True, exist_ok=True)
    for stream, rows in subject.run().items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (place / f"{stream}.jsonl").write_text(text, encoding="utf-8")
    return Result(subject, cpu_s=time.process_time() - began)


def compare(folder: Path, subject: Subject) -> Result:
    """Run it and compare its streams with what was kept; code that raises is one difference."""
    began = time.process_time()
    try:
        found = _compared(folder, subject)
    except Exception as error:
        found = {"run": [Difference("raises", f"{type(error).__name__}: {error}")]}
    return Result(subject, {name: each for name, each in found.items() if each}, time.process_time() - began)


def _compared(folder: Path, subject: Subject) -> dict[str, list[Difference]]:
    kept = {path.stem: _rows(path) for path in sorted(_folder(folder, subject).glob("*.jsonl"))}
    tape = kept.pop("tape", None)
    # A fault bench's players react to the referee: only the recorded game is the same for two referees.
    fresh = subject.run() if subject.part != "faults" else {}
    found = {
        stream: differences(stream, rows, _plain(fresh[stream]))
        for stream, rows in kept.items()
        if stream in fresh
    }
    replayed = subject.replay(tape) if tape is not None else None
    if replayed is not None:
        found["journal from recorded facts"] = differences("journal", kept["journal"], _plain(replayed))
    return found


def shown(result: Result, most: int | None) -> Iterator[str]:
    """The lines that tell what differs in one subject."""
    for stream, found in result.found.items():
        yield f"{result.subject.name}, {stream}: {len(found)} differ"
        yield from (f"    {difference.text}" for difference in found[:most])
        if most is not None and len(found) > most:
            yield f"    and {len(found) - most} more"


def summary(results: Sequence[Result]) -> Iterator[str]:
    """How many subjects of each part differ, and in what."""
    parts = dict.fromkeys(result.subject.part for result in results)
    for part in parts:
        of_part = [result for result in results if result.subject.part == part]
        differing = [result for result in of_part if result.count]
        count = sum(result.count for result in differing)
        yield f"{part}: {len(of_part)} compared, {len(differing)} differ, {count} differences"
        kinds: Counter[str] = Counter()
        for result in differing:
            for stream, found in result.found.items():
                kinds.update(f"{stream}: {difference.kind}" for difference in found)
        yield from (f"    {count:5} {kind}" for kind, count in kinds.most_common(15))
    yield f"{sum(result.count for result in results)} differences"


def _folder(folder: Path, subject: Subject) -> Path:
    return folder / subject.name.replace(":", "_").replace(" ", "-").replace(",", "")


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _plain(rows: Sequence[Row]) -> list[Row]:
    """The rows as they come back from a file: tuples are lists there."""
    return [json.loads(json.dumps(row)) for row in rows]


def _each(work: partial[Result], subjects: Sequence[Subject], jobs: int) -> Iterator[Result]:
    if jobs == 1:
        yield from map(work, subjects)
        return
    with get_context("spawn").Pool(jobs, partial(cv2.setNumThreads, 1)) as pool:
        yield from pool.imap(work, subjects)
