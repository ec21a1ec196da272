"""The regression net finds what differs, says what it is, and finds nothing where nothing differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.same.cli import compare, main, save, shown
from tests.same.difference import differences
from tests.same.subjects import Subject, everything

GAME = Subject("faults/3")

LANDED = {"kind": "landed", "t_ns": 1_000_000_000, "id": 1, "readings": [["QS", 0.98]], "arm_deg": 40.0}
GONE = {"kind": "gone", "t_ns": 2_000_000_000, "id": 1, "arm_deg": 40.0, "mark_empty": True}
BID = {"seq": 5, "t_ns": 1_000_000_000, "event": "bid", "seat": "Ada", "bid": 2, "says": "Ada bids 2"}


def told(stream: str, before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    return [difference.text for difference in differences(stream, before, now)]


def test_the_same_code_makes_no_difference(tmp_path: Path) -> None:
    save(tmp_path, GAME)
    assert compare(tmp_path, GAME).count == 0


def test_a_line_that_reads_otherwise_is_shown_with_both_values(tmp_path: Path) -> None:
    save(tmp_path, GAME)
    path = next(tmp_path.rglob("journal.jsonl"))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    bid = next(line for line in lines if line["event"] == "bid")
    bid["decided_ns"] += 1_000_000_000
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = compare(tmp_path, GAME)
    assert result.count == 1
    (line,) = list(shown(result, None))[1:]
    assert bid["says"] in line
    assert f"decided_ns {bid['decided_ns'] / 1e9:.6f} s -> {bid['decided_ns'] / 1e9 - 1:.6f} s" in line


def test_a_field_of_a_fact_that_changes_is_named() -> None:
    assert told("facts", [LANDED, GONE], [{**LANDED, "arm_deg": 41.5}, GONE]) == [
        "~ 1.000 s landed QS: arm_deg 40.0 -> 41.5"
    ]


def test_a_card_more_is_told_alone_though_all_numbers_change() -> None:
    other = {**LANDED, "readings": [["2H", 0.5]], "t_ns": 500_000_000}
    now = [other, {**LANDED, "id": 2}, {**GONE, "id": 2}]
    assert told("facts", [LANDED, GONE], now) == ["+ 0.500 s landed 2H"]
    assert told("facts", now, [LANDED, GONE]) == ["- 0.500 s landed 2H"]


def test_a_line_more_is_told_alone_though_all_later_ones_are_counted_anew() -> None:
    rap = {"seq": 5, "t_ns": 900_000_000, "event": "rap", "seat": "Ben", "says": "Ben raps"}
    assert told("journal", [BID], [rap, {**BID, "seq": 6}]) == ["+ 0.900 s rap: Ben raps"]


def test_a_sentence_is_told_with_its_code_and_one_that_only_has_another_code_is_not() -> None:
    before = [{"code": "bid", "text": "{seat} bids"}, {"code": "rap", "text": "{seat} raps"}]
    now = [{"code": "knock", "text": "{seat} raps"}, {"code": "bid", "text": "{seat} says"}]
    assert told("en", before, now) == ["~ bid: {seat} bids: text '{seat} bids' -> '{seat} says'"]


def test_quick_is_a_part_of_everything() -> None:
    whole = {subject.name for subject in everything(quick=False)}
    assert {subject.name for subject in everything(quick=True)} < whole
    assert sum(name.startswith("scenes/") for name in whole) == 300
    assert sum(name.endswith(":slips") for name in whole) == 100
    assert sum(name.startswith("faults/") for name in whole) == 200


def test_a_folder_in_which_nothing_was_saved_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(tmp_path), "--quick"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
