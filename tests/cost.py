"""What a replay costs and how soon its cards are told: ``python -m tests.cost RECORDING...``.

Processor time, start included, of ``cardtable replay`` beside that of decoding the film alone, in turn, each a process
of its own; what a frame of a table at rest takes; and for each ``card_played`` how long after the card lay it was
told, with what was waited for meanwhile: the look that sees it, a hand that is at it, its rest, its name, another card,
or the referee (calls, the tie window of free leads). Nothing of this is compared with the truth: that is what
``cardtable replay --check`` does.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from table.errors import TableError
from table.observed_facts import MS, CardLanded, Delivery, Frame
from table.pipeline import Pipeline
from table.sources.recordings.recording import Recording, open_recording
from table.tracking.frame_report import TrackingReport
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.tracker import CardTracker

DECODE = (
    "import sys, cv2\nfilm = cv2.VideoCapture(sys.argv[1], cv2.CAP_FFMPEG)\nwhile film.read()[0]:\n    pass\n"
)
FRAME_NS = 33 * MS
SETTLED = 150
"""So many frames after the film's last nothing is thought about any more ..."""
AT_REST = 600
"""... and so many are measured."""


@dataclass
class Told:
    """A card, and what sight waited for until it told of it."""

    rest_ns: int
    told_ns: int
    waited: Counter[str] = field(default_factory=Counter)
    """Milliseconds by what was waited for."""


class Noting:
    """Sight's own work, with a note of what each card that comes waits for."""

    def __init__(self, sight: CardTracker) -> None:
        self._sight, self._see = sight, sight.see
        self._waits: dict[int, list[tuple[int, str]]] = {}
        """For each card by its object: when which wait was seen."""
        self._cards: list[TrackedCard] = []
        self.told: dict[int, Told] = {}
        """By the moment from which the card lay."""

    def see(self, frame: Frame) -> TrackingReport:
        """As sight does."""
        seen = self._see(frame)
        view = self._sight._current_scene
        for card in view.tracks.tentative:
            if not any(card is one for one in self._cards):
                self._cards.append(card)
            self._waits.setdefault(id(card), []).append((frame.t_ns, _wait(view, card)))
        for fact in seen.facts:
            if isinstance(fact, CardLanded):
                self.told[fact.t_ns] = self._story(fact, frame.t_ns)
        return seen

    def _story(self, fact: CardLanded, now_ns: int) -> Told:
        told = Told(fact.t_ns, now_ns)
        card = next((one for one in self._cards if one.id == fact.id), None)
        since_ns, what = fact.t_ns, "look"
        for t_ns, wait in [*self._waits.get(id(card), ()), (now_ns, "")]:
            if t_ns > since_ns:
                told.waited[what] += (t_ns - since_ns) // MS
                since_ns = t_ns
            what = wait
        return told


def _wait(view: SceneState, card: TrackedCard) -> str:
    """What a card that has not been told of waits for."""
    if view.is_hand_at(card):
        return "hand"
    if not card.is_identified:
        return "name"
    if not card.was_static or not card.outline_visible:
        return "rest"
    return "rest" if len(view.tracks.tentative) == 1 else "others"


def latencies(folder: Path) -> tuple[list[int], list[str]]:
    """Of each card played but free leads: milliseconds until it was told; and a line of the table for each."""
    recording = open_recording(folder)
    pipeline = Pipeline(recording.config, recording, durable=False, answers=recording.answers)
    noting = Noting(pipeline.card_tracker)
    setattr(pipeline.card_tracker, "see", noting.see)  # noqa: B010 (a method is put aside for this run)
    free: dict[int, bool] = {}
    lines, was_free = 0, False
    for _ in pipeline.run():
        journal = pipeline.referee.journal.lines
        for line in journal[lines:]:
            free[line["seq"]] = was_free
        lines = len(journal)
        was_free = pipeline.referee.expected.anyone_may_act
    found, table = [], []
    for line in pipeline.referee.journal.lines:
        if line["event"] != "card_played" or line["t_ns"] not in noting.told:
            continue
        told = noting.told[line["t_ns"]]
        whole = (line["decided_ns"] - line["t_ns"]) // MS
        told.waited["referee"] = (line["decided_ns"] - told.told_ns) // MS
        waited = ", ".join(f"{what} {ms}" for what, ms in told.waited.most_common() if ms)
        kind = "free lead" if free[line["seq"]] else ""
        table.append(f"{line['seat']:<8}{line['card']:<4}{whole:>6} ms  {kind:<10} {waited}")
        if not kind:
            found.append(whole)
    return found, table


def at_rest(recording: Recording) -> float:
    """Milliseconds of this thread that a frame takes when the table lies as the film leaves it."""
    pipeline = Pipeline(recording.config, recording, durable=False)
    last: Frame | None = None
    for delivery in recording.deliveries():
        if delivery.frame is not None:
            last = delivery.frame
            pipeline.process(delivery)
    assert last is not None
    began = 0.0
    for k in range(SETTLED + AT_REST):
        if k == SETTLED:
            began = time.thread_time()  # (once, for the clock itself takes as long as a frame)
        now_ns = last.t_ns + (k + 1) * FRAME_NS
        frame = Frame(now_ns, last.image, last.index + k + 1)
        pipeline.process(Delivery(now_ns, (), frame, now_ns, now_ns + 1))
    return 1000 * (time.thread_time() - began) / AT_REST


def processor_s(command: list[str]) -> float:
    """The processor time that a process takes from its start to its end; bytecode is kept, as by any installation."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=kept)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="tests.cost", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="RECORDING")
    parser.add_argument("--times", type=int, default=3, help="replays of each (default: 3)")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        recordings = [open_recording(folder) for folder in arguments.folders]
    except TableError as error:
        parser.error(str(error))
    found: list[int] = []
    for folder, recording in zip(arguments.folders, recordings, strict=True):
        pairs = [
            (
                processor_s([sys.executable, "-m", "table", "replay", str(folder)]),
                processor_s([sys.executable, "-c", DECODE, str(recording.video)]),
            )
            for _ in range(arguments.times)
        ]
        replay, decoding = (statistics.median(one) for one in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print(
            f"{folder.name}: replay {replay:.1f} s, decoding {decoding:.1f} s of a processor: {ratio:.2f} times"
        )
        print(f"at rest {at_rest(recording):.2f} ms a frame, decoding apart")
        told, table = latencies(folder)
        found += told
        print("\n".join(table))
    if found:
        print(
            f"cards but free leads: told after {statistics.median(found):.0f} ms (median), {max(found)} ms (worst)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
