"""The scene bench: what sight tells of cards, in scenes that are hard and common, compared with what truly happened.

    python -m tests.scenes --set tuning --every 10
    python -m tests.scenes --set frozen [--faces DIR] [--keep DIR]
    python -m tests.scenes --scene "tuning:cup over the mark:3" --keep DIR

Prints wrong facts per thousand cards, by kind of scene and by cause; ``--keep`` writes each failing scene as a
recording; ``--slips`` lets the reader slip (`slips.py`; ``--lasting`` again and again in the same way): it may cost
names, but no card is to be told of that is none; ``--without RULE`` switches rules of tracking off, ``--log-rules``
counts what each one answers, and ``--trace CARD`` writes what was answered about a card (`tests.tracking_rules`);
Ctrl-C ends it early with what it has. The frozen sets (``frozen``: 5,000 cards, 1,000 tied pairs; ``film-frozen``: as
a second camera films them, with piles, packs and further hands) give the project's figures and are never tuned on:
work on sight looks at ``tuning`` and ``film-tuning``, which have no scene in common with them. What no picture shows
is not asked for: a name whose index is nowhere in sight (in a film for 200 ms), an order that cannot be seen (it is
right when told as unsure).
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import cv2

from table.detection.card_detections import CardReader
from table.errors import TableError
from tests.scenes.judge import Verdict
from tests.scenes.kinds import KINDS, STREAMS, scene, scenes
from tests.scenes.report import report
from tests.scenes.slips import Slipping
from tests.scenes.watch import Faces, detector, keep, photographed, verdict_of, watch
from tests.tracking_rules import RuleOptions, add_options, report_answers


@dataclass(frozen=True, slots=True)
class Options:
    """What each process needs to know."""

    faces: Path | None
    keep: Path | None
    slips: float = 0.0
    """How much of what the reader sees it takes for another card, ..."""
    lasting: bool = False
    """... and whether it does for as long as that lies so."""
    rules: RuleOptions = field(default_factory=RuleOptions)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a scene."""

    title: str
    kind: str
    verdict: Verdict
    cpu_s: float
    answers: Mapping[str, Counter[str]]
    """With ``--log-rules``, what each rule of tracking answered."""


class Bench:
    """Runs scenes, one after another, with one detector."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._reader: CardReader = detector()
        if options.slips:
            self._reader = Slipping(self._reader, options.slips, options.lasting)
        self._faces: Faces | None = photographed(options.faces) if options.faces else None
        self._answers = options.rules.apply()

    def run(self, title: tuple[str, str, int]) -> Result:
        """One scene of that set, kind and number."""
        started = time.process_time()
        one = scene(*title)
        for counts in self._answers.values():
            counts.clear()
        told = watch(one, self._reader, self._faces)
        verdict = verdict_of(one, told)
        if verdict.notes and self._options.keep:
            folder = self._options.keep / one.title.replace(":", "-").replace(", ", "-").replace(" ", "-")
            shutil.rmtree(folder, ignore_errors=True)
            keep(one, folder, told, verdict, self._faces)
        answers = {name: Counter(counts) for name, counts in self._answers.items()}
        return Result(one.title, one.kind, verdict, time.process_time() - started, answers)


_bench: Bench


def _start(options: Options) -> None:
    global _bench
    cv2.setNumThreads(1)
    _bench = Bench(options)


def _run(title: tuple[str, str, int]) -> Result:
    return _bench.run(title)


def _results(titles: Sequence[tuple[str, str, int]], options: Options, jobs: int) -> Iterator[Result]:
    if jobs == 1:
        _start(options)
        yield from map(_run, titles)
        return
    with get_context("spawn").Pool(jobs, _start, (options,)) as pool:
        yield from pool.imap(_run, titles)


def _titles(arguments: argparse.Namespace) -> list[tuple[str, str, int]]:
    if not arguments.scene:
        chosen = list(scenes(arguments.set, arguments.every, arguments.only, arguments.first))
        # By number, so that all kinds are among the first ones.
        return sorted(chosen, key=lambda title: title[2])
    stream, kind, number = (arguments.scene.split(":") + ["", "", ""])[:3]
    if stream not in STREAMS or kind not in KINDS or not number.isdigit():
        raise TableError(f"--scene: {arguments.scene!r}: expected SET:KIND:NUMBER, such as 'tuning:dim:3'")
    return [(stream, kind, int(number))]


def main() -> int:
    """Run what is asked for, and print what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.scenes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--set", choices=list(STREAMS), default="tuning")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th scene of every kind")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="... from the K-th")
    parser.add_argument("--only", default="", metavar="KIND", help="kinds that begin so")
    parser.add_argument("--scene", metavar="SET:KIND:NUMBER", help="one scene")
    parser.add_argument(
        "--faces", type=Path, metavar="DIR", help="a photographed pack, for half of the scenes"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="writes each failing scene there as a recording"
    )
    parser.add_argument(
        "--slips", type=float, default=0.0, metavar="P", help="the reader takes so much for other cards (0.3)"
    )
    parser.add_argument(
        "--lasting", action="store_true", help="with --slips: a slip lasts while the card lies as it does"
    )
    add_options(parser)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--notes", action="store_true", help="tells everything that is wrong")
    arguments = parser.parse_args()
    if arguments.every < 1 or arguments.first < 0 or arguments.jobs < 1:
        parser.error("--every and --jobs: expected 1 or more, --first 0 or more")
    if not 0.0 <= arguments.slips <= 1.0:
        parser.error(f"--slips: {arguments.slips}: expected a share, 0 to 1")
    try:
        rules = RuleOptions.of(arguments)
        if arguments.faces:
            photographed(arguments.faces)
        titles = _titles(arguments)
    except TableError as error:
        print(error, file=sys.stderr)
        return 2
    kinds = {kind: Verdict() for kind in KINDS}
    spent = 0.0
    done = 0
    answers: dict[str, Counter[str]] = {}
    try:
        for result in _results(
            titles,
            Options(arguments.faces, arguments.keep, arguments.slips, arguments.lasting, rules),
            arguments.jobs,
        ):
            kinds[result.kind].add(result.verdict)
            spent += result.cpu_s
            done += 1
            for name, counts in result.answers.items():
                answers.setdefault(name, Counter()).update(counts)
            if arguments.notes and result.verdict.notes:
                print(f"{result.title}: {'; '.join(result.verdict.notes)}", flush=True)
    except KeyboardInterrupt:
        print(f"broken off after {done} of {len(titles)} scenes")
    print("\n".join(report(kinds)))
    cards = sum(verdict.cards for verdict in kinds.values())
    print(f"{spent / max(1, cards):.2f} s of one core a card")
    for line in report_answers(answers):
        print(line)
    return 0
