"""Whatever was called wrong is kept beside the journal, within bounds, and said the first time."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.session import complaint_recordings as module
from table.session.complaint_recordings import (
    RECORDING_DELAY_NS,
    ComplaintRecorder,
    complaint_folder,
    list_complaints,
)
from table.sources.recordings.last_half_minute_buffer import ReplayBuffer


class FakeRing(ReplayBuffer):
    """Writes a small folder for each wish."""

    def __init__(self) -> None:  # no camera's pictures
        self.trouble: Phrase | None = None
        self.kept: list[str] = []

    def save(self, folder: Path, others: tuple[tuple[str, bytes], ...] = ()) -> threading.Event:
        folder.mkdir(parents=True)
        for name, data in others:
            (folder / name).write_bytes(data)
        self.kept.append(folder.name)
        os.utime(folder, ns=(len(self.kept), len(self.kept)))
        done = threading.Event()
        done.set()
        return done


def line(seq: int, event: str) -> dict[str, Any]:
    return {"seq": seq, "t_ns": seq, "decided_ns": seq, "event": event}


def test_a_complaint_is_kept_a_little_later_with_the_journal_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ring, journal = FakeRing(), tmp_path / "game.jsonl"
    watch = ComplaintRecorder(ring)
    lines = [line(1, "game_started")]
    assert watch.update(0, journal, lines, (), 0) is None
    assert watch.update(1, journal, lines, (), 1) is None
    lines.append(line(2, "bid"))
    assert watch.update(RECORDING_DELAY_NS, journal, lines, (), 1) is None
    assert ring.kept == []
    told = watch.update(RECORDING_DELAY_NS + 1, journal, lines, (), 1)
    assert ring.kept == ["001"]
    assert told is not None
    assert phrase_text(told) == "The last 30 seconds were saved."
    log = capsys.readouterr().err
    assert str(complaint_folder(journal)) in log
    assert "camera.keep_complaints = false" in log
    kept = (complaint_folder(journal) / "001" / "before.jsonl").read_text().splitlines()
    assert len(kept) == 2


def test_a_correction_is_one_too_and_what_comes_together_is_kept_once(tmp_path: Path) -> None:
    ring, journal = FakeRing(), tmp_path / "game.jsonl"
    watch = ComplaintRecorder(ring)
    lines = [line(1, "game_started"), line(2, "corrected")]
    watch.update(0, journal, lines, lines, 0)
    assert watch.update(10 * RECORDING_DELAY_NS, journal, lines, (), 0) is None
    assert ring.kept == [], "what was corrected before this table came up is past"
    lines.append(line(3, "corrected"))
    watch.update(20 * RECORDING_DELAY_NS, journal, lines, lines[-1:], 1)
    lines.append(line(4, "corrected"))
    watch.update(20 * RECORDING_DELAY_NS + MS, journal, lines, lines[-1:], 2)
    assert watch.update(21 * RECORDING_DELAY_NS, journal, lines, (), 2) is not None
    assert ring.kept == ["001"]
    lines.append(line(5, "corrected"))
    watch.update(30 * RECORDING_DELAY_NS, journal, lines, lines[-1:], 2)
    assert watch.update(31 * RECORDING_DELAY_NS, journal, lines, (), 2) is None, "it is said the first time"
    assert ring.kept == ["001", "002"]


def test_what_is_due_when_the_game_ends_is_kept_and_said_as_any_first_one(tmp_path: Path) -> None:
    ring, journal = FakeRing(), tmp_path / "game.jsonl"
    watch = ComplaintRecorder(ring)
    watch.update(0, journal, [], (), 0)
    assert watch.close([]) is None
    assert ring.kept == []
    watch.update(1, journal, [], (), 1)
    assert watch.close([]) == make_phrase("recording.complaint_kept")
    assert ring.kept == ["001"]
    watch.update(2, journal, [], (), 2)
    assert watch.close([]) is None
    assert ring.kept == ["001", "002"]


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 250)
    ring = FakeRing()
    watch = ComplaintRecorder(ring)
    for number in range(1, 6):
        journal = tmp_path / f"game-{number}.jsonl"
        watch.update(number * 10 * RECORDING_DELAY_NS, journal, [line(1, "x" * 60)], (), number - 1)
        watch.update(number * 10 * RECORDING_DELAY_NS, journal, [line(1, "x" * 60)], (), number)
        watch.update((number * 10 + 1) * RECORDING_DELAY_NS, journal, [line(1, "x" * 60)], (), number)
    left = [path.parent.name for path in list_complaints(tmp_path)]
    assert left == ["game-4.complaints", "game-5.complaints"] or left[-1] == "game-5.complaints"
    assert "game-1.complaints" not in left


def test_the_latest_complaint_stays_also_where_the_clock_was_set_back(tmp_path: Path) -> None:
    names = ("2026-11-20-200000+0000", "2026-11-20-200000+0000-clock2")
    recordings = [
        complaint_folder(tmp_path / f"{name}.jsonl") / number for name in names for number in ("999", "1000")
    ]
    for age, recording in enumerate(reversed(recordings)):
        recording.mkdir(parents=True)
        os.utime(recording, (age, age))
    assert list_complaints(tmp_path) == recordings


def test_a_full_disk_keeps_no_complaint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MIN_FREE_BYTES", 10**18)
    ring, journal = FakeRing(), tmp_path / "game.jsonl"
    watch = ComplaintRecorder(ring)
    watch.update(0, journal, [], (), 0)
    watch.update(1, journal, [], (), 1)
    assert watch.update(2 * RECORDING_DELAY_NS, journal, [], (), 1) is None
    assert ring.kept == []


def test_a_trouble_is_told_once(tmp_path: Path) -> None:
    ring, journal = FakeRing(), tmp_path / "game.jsonl"
    watch = ComplaintRecorder(ring)
    ring.trouble = make_phrase("recording.complaint_lost", error="no room")
    assert watch.update(0, journal, [], (), 0) == ring.trouble
    assert watch.update(1, journal, [], (), 0) is None
