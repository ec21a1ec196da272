"""A recorded game, from pixels and button edges to the final score, through the path that serves the real table."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from table.check import compare
from table.facts import MS
from table.pace import work_off
from table.pipeline import Pipeline
from table.referee.journal import Line, dump, read_lines
from table.sources.recording import open_recording

RECORDING = Path(__file__).parent / "recordings" / "virtual-3"


def replayed(folder: Path) -> list[Line]:
    """The journal that the table makes of a recording."""
    recording = open_recording(folder)
    pipeline = Pipeline(recording.config, recording)
    work_off(pipeline)
    return pipeline.referee.journal.lines


@pytest.fixture(scope="module")
def journal() -> list[Line]:
    return replayed(RECORDING)


def test_the_table_sees_what_happened(journal: list[Line]) -> None:
    comparison = compare(read_lines(RECORDING / "truth.jsonl"), journal)
    assert comparison.differences == ()
    assert comparison.matched == comparison.expected > 20
    events = [line["event"] for line in journal]
    assert {"bids_tied", "leads_tied", "card_taken_back"} <= set(events)
    assert events[-1] == "game_over"


def test_lines_are_numbered_and_decided_after_they_happened(journal: list[Line]) -> None:
    assert [line["seq"] for line in journal] == list(range(1, len(journal) + 1))
    decided = [line["decided_ns"] for line in journal]
    assert decided == sorted(decided)
    assert all(line["decided_ns"] >= line["t_ns"] for line in journal)


def test_another_order_of_delivery_changes_no_ruling(journal: list[Line], tmp_path: Path) -> None:
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


def undated(line: Line) -> str:
    """A line without the moment at which the table knew."""
    return dump({key: value for key, value in line.items() if key != "decided_ns"})
