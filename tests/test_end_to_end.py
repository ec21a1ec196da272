"""A recorded game, from pixels and button edges to the final score, through the path that serves the real table."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from table.__main__ import main
from table.events.event_registry import UNCOMPARED_FIELDS
from table.history.truth_comparison import compare
from table.observed_facts import MS
from table.pipeline import Pipeline
from table.playback.run_loop import run_to_end
from table.referee.records.journal import JournalLine, dump, read_lines
from table.sources.recordings.recording import open_recording

RECORDINGS = Path(__file__).parent / "recordings"
RECORDING = RECORDINGS / "virtual-3"


def replayed(folder: Path) -> list[JournalLine]:
    """The journal that the table makes of a recording."""
    recording = open_recording(folder)
    pipeline = Pipeline(recording.config, recording, answers=recording.answers)
    run_to_end(pipeline)
    return pipeline.referee.journal.lines


@pytest.fixture(scope="module")
def journal() -> list[JournalLine]:
    return replayed(RECORDING)


def test_the_table_sees_what_happened(journal: list[JournalLine]) -> None:
    comparison = compare(read_lines(RECORDING / "truth.jsonl"), journal)
    assert comparison.differences == ()
    assert comparison.matched == comparison.expected > 20
    events = [line["event"] for line in journal]
    assert {"bids_tied", "leads_tied", "card_taken_back"} <= set(events)
    assert events[-1] == "game_over"


def test_lines_are_numbered_and_decided_after_they_happened(journal: list[JournalLine]) -> None:
    assert [line["seq"] for line in journal] == list(range(1, len(journal) + 1))
    decided = [line["decided_ns"] for line in journal]
    assert decided == sorted(decided)
    assert all(line["decided_ns"] >= line["t_ns"] for line in journal)


@pytest.mark.thorough
def test_another_order_of_delivery_changes_no_ruling(journal: list[JournalLine], tmp_path: Path) -> None:
    folder = tmp_path / "shuffled"
    shutil.copytree(RECORDING, folder)
    header, *rows = (folder / "buttons.csv").read_text().splitlines()
    late = np.random.default_rng(7).uniform(0, 49 * MS, len(rows))
    order = np.argsort(
        [int(row.split(",")[0]) + by for row, by in zip(rows, late, strict=True)], kind="stable"
    )
    shuffled = [rows[number] for number in order]
    assert shuffled != rows
    (folder / "buttons.csv").write_text("\n".join([header, *shuffled]) + "\n")
    again = replayed(folder)
    assert [undated(line) for line in again] == [undated(line) for line in journal]


@pytest.mark.thorough
def test_of_a_card_that_cant_be_read_nothing_is_missing_but_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "nobody-answers"
    shutil.copytree(RECORDINGS / "unreadable-card", folder)
    (folder / "answers.csv").unlink()
    comparison = compare(read_lines(folder / "truth.jsonl"), replayed(folder))
    assert comparison.expected - comparison.matched == 2
    pairs = [pair for gap in comparison.gaps for pair in zip(gap.truth, gap.journal, strict=True)]
    (was, now), (trick_was, trick_now) = pairs
    assert differing(was, now) == {"card"}
    assert differing(trick_was, trick_now) == {"cards"}
    assert now["card"] == "?"
    assert [play["card"] for play in trick_now["cards"]] == ["3S", "?", "7S"]


def differing(was: JournalLine, now: JournalLine) -> set[str]:
    """The fields that a truth names and the journal has otherwise."""
    return {key for key in was if key not in UNCOMPARED_FIELDS and was[key] != now.get(key)}


@pytest.mark.thorough
def test_replay_lets_a_recordings_answers_name_the_card_that_cant_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "journal.jsonl"
    assert main(["replay", str(RECORDINGS / "unreadable-card"), "--check", "--journal", str(written)]) == 0
    assert ", 0 differences" in capsys.readouterr().out
    answered = [line for line in read_lines(written) if line["event"] == "answered"]
    assert [(line["by"], line["choice"]) for line in answered] == [("Ben", "QS")]


@pytest.mark.thorough
def test_tied_leads_that_were_seen_as_the_wrong_players_are_put_right_by_the_play_that_follows() -> None:
    folder = RECORDINGS / "crossed-leads"
    journal = replayed(folder)
    comparison = compare(read_lines(folder / "truth.jsonl"), journal)
    assert comparison.differences == ()
    assert comparison.matched == comparison.expected > 10
    first = next(line for line in journal if line["event"] == "leads_tied")
    assert first["kept"] == {"seat": "Cleo", "card": "9H"}, "sight is taken in"
    assert [line["by"] for line in journal if line["event"] == "corrected"] == ["table"]


def undated(line: JournalLine) -> str:
    """A line without the moment at which the table knew."""
    return dump({key: value for key, value in line.items() if key != "decided_ns"})
