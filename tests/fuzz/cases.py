"""Many cases of each kind, and the table of how they ended."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from table import pipeline
from table.buttons.gpio_edges import EdgeReading
from table.commands import play
from table.commands.setup import detect, enrol
from table.config.settings import TableConfig, source_kind
from table.detection.detector import Detector
from table.errors import TableError
from table.phrase import make_phrase
from table.sources.camera.camera_kinds import check_source
from table.sources.camera.live_camera import LiveCamera
from table.sources.live_table import LiveTable
from tests.fuzz.attacks import KINDS
from tests.fuzz.judge import Stderr, Verdict, judged, memory_kb
from tests.fuzz.kinds import Case
from tests.fuzz.seeds import Seeds, make_seeds

FAULTS = (
    "traceback",
    "too long",
    "unprintable",
    "says nothing",
    "wrote elsewhere",
    "too slow",
    "too large",
)


@dataclass
class Row:
    """How the cases of a kind ended."""

    tried: int = 0
    refused: int = 0
    accepted: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    largest_kb: int = 0
    examples: dict[str, tuple[int, Case, Verdict]] = field(default_factory=dict)
    """For each fault, one case of each place where it happened: its number, the command and how it ended."""

    def add(self, number: int, case: Case, verdict: Verdict) -> None:
        self.tried += 1
        self.refused += verdict.status == 2
        self.accepted += verdict.status in (0, 1)
        self.slowest = max(self.slowest, verdict.seconds)
        self.largest_kb = max(self.largest_kb, verdict.peak_kb)
        for fault in verdict.faults:
            self.faults[fault] += 1
            last = verdict.escaped.strip().splitlines()[-1:] or [""]
            self.examples.setdefault(f"{fault} {last[0][:60]}", (number, case, verdict))


@contextmanager
def sandbox() -> Iterator[tuple[Seeds, Path]]:
    """Seeds, a folder for the cases, and a machine without a table: one detector for all, a film for a camera."""
    with tempfile.TemporaryDirectory() as name, _one_detector(), patch.object(play, "open_live", _film):
        home = Path(name)
        state = os.environ.get("XDG_STATE_HOME")
        seeds = make_seeds(home)
        folder = home / "case"
        os.environ["XDG_STATE_HOME"] = str(folder)
        try:
            with contextlib.chdir(home):  # some commands write where they are
                yield seeds, folder
        finally:
            if state is None:
                del os.environ["XDG_STATE_HOME"]
            else:
                os.environ["XDG_STATE_HOME"] = state


@contextmanager
def _one_detector() -> Iterator[None]:
    kept: dict[str, Detector] = {}

    def make(**options: object) -> Detector:
        plain = options.get("enrolled") is None and options.get("courts", "JQK") == "JQK"
        if not plain:
            return Detector(**options)  # type: ignore[arg-type]
        return kept.setdefault(repr(options), Detector(**options))  # type: ignore[arg-type]

    cached = functools.wraps(Detector)(make)
    with (
        patch.object(pipeline, "Detector", cached),
        patch.object(detect, "Detector", cached),
        patch.object(enrol, "Detector", cached),
    ):
        yield


class _NoButtons:
    accuracy = make_phrase("stamped.edges", ms=0)

    def read(self, timeout_s: float) -> EdgeReading:
        return EdgeReading((), time.monotonic_ns())

    def close(self) -> None:
        pass


def _film(config: TableConfig, *, keyboard: bool = False) -> LiveTable:
    """The live table, but without buttons, and only where its camera is a film."""
    check_source(config.camera)
    if source_kind(config.camera.source) != "file":
        raise TableError("camera.source: no camera here: its table would wait for ever")
    return LiveTable(LiveCamera(config.camera), _NoButtons())


def cases(seeds: Seeds, folder: Path, kind: str, count: int, seed: int) -> Iterator[tuple[int, Case]]:
    """The cases of a kind, one after another in the same folder."""
    for number in range(count):
        yield number, make_case(seeds, folder, kind, number, seed)


def make_case(seeds: Seeds, folder: Path, kind: str, number: int, seed: int) -> Case:
    """One case; the folder is emptied for it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return KINDS[kind](random.Random(f"{seed}/{kind}/{number}"), seeds, folder)


def run(kinds: Sequence[str], count: int, seed: int, *, only: int | None = None) -> dict[str, Row]:
    """Try ``count`` cases of each kind, or that one."""
    rows = {}
    with closing(Stderr()) as stderr, sandbox() as (seeds, folder):
        fresh_kb = memory_kb()
        for kind in kinds:
            rows[kind] = row = Row()
            for number in range(count) if only is None else (only,):
                case = make_case(seeds, folder, kind, number, seed)
                row.add(number, case, judged(case, stderr, fresh_kb, seeds.witness))
    return rows


def table_of(rows: dict[str, Row]) -> str:
    """The rows as a table."""
    head = ("kind", "tried", "refused", "accepted", *FAULTS, "slowest s", "most MB")
    body = [
        (
            kind,
            *map(str, (row.tried, row.refused, row.accepted)),
            *(str(row.faults[fault]) for fault in FAULTS),
            f"{row.slowest:.2f}",
            str(row.largest_kb // 1024),
        )
        for kind, row in rows.items()
    ]
    widths = [max(len(line[column]) for line in (head, *body)) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if n else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in (head, *body)
    )
