"""A recording's answers.csv: what people answer when the table asks; what is wrong with it is one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.errors import TableError
from table.observed_facts import Answer
from table.phrase import line_place
from table.sources.recordings.recording import QUESTION_KINDS, read_answers
from tests.wrong import wrong

SEATS = ("Ada", "Ben")
HEADER = "t_ns,about,hand,trick,seat,card\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.csv"


def test_without_the_file_nobody_answers(path: Path) -> None:
    assert read_answers(path, SEATS) == ()


def test_the_answers_stand_in_the_order_of_the_file(path: Path) -> None:
    rows = "0,card,1,2,Ada,10H\n5,owner,1,3,Ben,\n7,order,2,1,Ben,QS\n8,gone,2,1,Ada,taken back\n9,bid,2,0,Ben,3\n"
    path.write_text(HEADER + rows)
    assert read_answers(path, SEATS) == (
        Answer(0, "card", 1, 2, "Ada", "10H"),
        Answer(5, "owner", 1, 3, "Ben", ""),
        Answer(7, "order", 2, 1, "Ben", "QS"),
        Answer(8, "gone", 2, 1, "Ada", "taken back"),
        Answer(9, "bid", 2, 0, "Ben", "3"),
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "code", "fields"),
    [
        ("", 1, "", "expected.header", {"columns": HEADER.strip()}),
        (HEADER + "0,card,1,2,Ada\n", 2, "", "expected.cells", {"columns": HEADER.strip()}),
        (HEADER + "soon,card,1,2,Ada,QS\n", 2, "t_ns", "expected.nanoseconds", {"instead": "soon"}),
        (HEADER + "0,weather,1,2,Ada,QS\n", 2, "about", "expected.one_of", {"choices": QUESTION_KINDS}),
        (HEADER + "0,card,0,2,Ada,QS\n", 2, "hand", "expected.number_from", {"low": 1, "instead": "0"}),
        (HEADER + "0,card,1,-1,Ada,QS\n", 2, "trick", "expected.number_from", {"low": 1, "instead": "-1"}),
        (HEADER + "0,card,1,2,Bob,QS\n", 2, "seat", "expected.one_of", {"choices": SEATS, "instead": "Bob"}),
        (HEADER + "0,owner,1,2,,QS\n", 2, "seat", "expected.one_of", {"choices": SEATS, "instead": ""}),
        (HEADER + "0,card,1,2,Ada,1S\n", 2, "card", "expected.card", {"instead": "1S"}),
        (HEADER + "0,card,1,2,Ada,\n", 2, "card", "expected.card", {"instead": ""}),
        (HEADER + "0,order,1,2,,\n", 2, "card", "expected.card", {"instead": ""}),
        (HEADER + "0,bid,1,0,Ada,\n", 2, "card", "expected.bid", {"instead": ""}),
        (HEADER + "0,card,1,2,Ada,QS\n0,card,1,2,Ada,Q", 3, "", "row.cut_off", {}),
    ],
)
def test_a_line_that_says_nothing_is_named(
    path: Path, text: str, line: int, column: str, code: str, fields: dict[str, Any]
) -> None:
    path.write_text(text)
    where = (path, line_place(line), *((column,) if column else ()))
    with wrong(code, at=where, kind=TableError, **fields):
        read_answers(path, SEATS)
