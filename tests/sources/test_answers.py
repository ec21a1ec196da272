"""A recording's answers.csv: what people answer when the table asks; what is wrong with it is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.errors import TableError
from table.facts import Answer
from table.sources.answers import read_answers

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
    ("text", "expected"),
    [
        ("", "line 1: expected the header t_ns,about,hand,trick,seat,card"),
        (HEADER + "0,card,1,2,Ada\n", "line 2: expected t_ns,about,hand,trick,seat,card"),
        (HEADER + "soon,card,1,2,Ada,QS\n", "line 2: t_ns: expected a whole number"),
        (HEADER + "0,weather,1,2,Ada,QS\n", "line 2: about: expected one of card, owner, order"),
        (HEADER + "0,card,0,2,Ada,QS\n", "line 2: hand: expected a number from 1"),
        (HEADER + "0,card,1,-1,Ada,QS\n", "line 2: trick: expected a number from 1"),
        (HEADER + "0,card,1,2,Bob,QS\n", "line 2: seat: expected one of Ada, Ben, not 'Bob'"),
        (HEADER + "0,owner,1,2,,QS\n", "line 2: seat: expected one of Ada, Ben, not ''"),
        (HEADER + "0,card,1,2,Ada,1S\n", "line 2: card: expected a card such as 10H, not '1S'"),
        (HEADER + "0,card,1,2,Ada,\n", "line 2: card: expected a card such as 10H, not ''"),
        (HEADER + "0,order,1,2,,\n", "line 2: card: expected a card such as 10H, not ''"),
        (HEADER + "0,bid,1,0,Ada,\n", "line 2: card: expected a bid, not ''"),
        (HEADER + "0,card,1,2,Ada,QS\n0,card,1,2,Ada,Q", "line 3: cut off"),
    ],
)
def test_a_line_that_says_nothing_is_named(path: Path, text: str, expected: str) -> None:
    path.write_text(text)
    with pytest.raises(TableError) as error:
        read_answers(path, SEATS)
    assert str(error.value).startswith(f"{path}: {expected}")
