"""A recording's ``answers.csv``: what people answer to the table's questions."""

from __future__ import annotations

from pathlib import Path

from table.cards import card
from table.facts import Answer
from table.files.numbers import count
from table.files.reading import exists
from table.phrase import say
from table.sources.rows import Cell, rows_of

HEADER = ("t_ns", "about", "hand", "trick", "seat", "card")
ABOUT = ("card", "owner", "order", "gone", "bid")
BY_SEAT = ("card", "owner", "bid")
"""What is asked of one seat's card or bid."""


def read_answers(path: Path, seats: tuple[str, ...]) -> tuple[Answer, ...]:
    """The answers in the order of the file, none where there is no file; ``TableError`` names file and line."""
    if not exists(path):
        return ()
    rows = rows_of(path, HEADER)
    return tuple(_answer(Cell(path, number), row, seats) for number, row in rows)


def _answer(row: Cell, cells: list[str], seats: tuple[str, ...]) -> Answer:
    if len(cells) != len(HEADER):
        raise row.wrong(say("expected.cells", columns=",".join(HEADER)), ",".join(cells))
    stamp, about, hand, trick, seat, named = cells
    t_ns, hand_number, trick_number = count(stamp), count(hand), count(trick)
    if t_ns is None:
        raise row.wrong(say("expected.nanoseconds"), stamp, "t_ns")
    if about not in ABOUT:
        raise row.wrong(say("expected.one_of", choices=ABOUT), about, "about")
    if not hand_number:
        raise row.wrong(say("expected.number_from", low=1), hand, "hand")
    # A bid is no trick's.
    if trick_number is None or (not trick_number and about != "bid"):
        raise row.wrong(say("expected.number_from", low=1), trick, "trick")
    if seat not in seats and (seat or about in BY_SEAT):
        raise row.wrong(say("expected.one_of", choices=seats), seat, "seat")
    wants_card = about == "card" or (about == "order" and not seat)
    if (about in ("card", "owner", "order") and (named or wants_card) and not _is_card(named)) or (
        about in ("gone", "bid") and not named
    ):
        raise row.wrong(_EXPECTED.get(about, say("expected.card")), named, "card")
    return Answer(t_ns, about, hand_number, trick_number, seat, named)


_EXPECTED = {"gone": say("expected.answer"), "bid": say("expected.bid")}


def _is_card(name: str) -> bool:
    try:
        card(name)
    except ValueError:
        return False
    return True
