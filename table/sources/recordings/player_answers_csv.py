"""Reader of a recording's ``answers.csv``: the players' answers to the table's questions."""

from __future__ import annotations

from pathlib import Path

from table.cards import card
from table.files.safe_reading import exists
from table.number_parsing import parse_count
from table.observed_facts import Answer
from table.phrase import make_phrase
from table.sources.recordings.csv_files import CsvCell, read_rows

ANSWER_COLUMNS = ("t_ns", "about", "hand", "trick", "seat", "card")
QUESTION_KINDS = ("card", "owner", "order", "gone", "bid")
SEAT_QUESTION_KINDS = ("card", "owner", "bid")
"""The kinds of question about one seat's card or bid."""


def read_answers(path: Path, seats: tuple[str, ...]) -> tuple[Answer, ...]:
    """Return the answers in the order of the file, none where there is no file; ``TableError`` names file and line."""
    if not exists(path):
        return ()
    rows = read_rows(path, ANSWER_COLUMNS)
    return tuple(_parse_answer(CsvCell(path, number), row, seats) for number, row in rows)


def _parse_answer(row: CsvCell, cells: list[str], seats: tuple[str, ...]) -> Answer:
    if len(cells) != len(ANSWER_COLUMNS):
        raise row.make_error(make_phrase("expected.cells", columns=",".join(ANSWER_COLUMNS)), ",".join(cells))
    stamp, about, hand, trick, seat, answer_text = cells
    t_ns, hand_number, trick_number = parse_count(stamp), parse_count(hand), parse_count(trick)
    if t_ns is None:
        raise row.make_error(make_phrase("expected.nanoseconds"), stamp, "t_ns")
    if about not in QUESTION_KINDS:
        raise row.make_error(make_phrase("expected.one_of", choices=QUESTION_KINDS), about, "about")
    if not hand_number:
        raise row.make_error(make_phrase("expected.number_from", low=1), hand, "hand")
    # A bid belongs to no trick.
    if trick_number is None or (not trick_number and about != "bid"):
        raise row.make_error(make_phrase("expected.number_from", low=1), trick, "trick")
    if seat not in seats and (seat or about in SEAT_QUESTION_KINDS):
        raise row.make_error(make_phrase("expected.one_of", choices=seats), seat, "seat")
    wants_card = about == "card" or (about == "order" and not seat)
    if (
        about in ("card", "owner", "order") and (answer_text or wants_card) and not _is_card(answer_text)
    ) or (about in ("gone", "bid") and not answer_text):
        raise row.make_error(_EXPECTED_ANSWERS.get(about, make_phrase("expected.card")), answer_text, "card")
    return Answer(t_ns, about, hand_number, trick_number, seat, answer_text)


_EXPECTED_ANSWERS = {"gone": make_phrase("expected.answer"), "bid": make_phrase("expected.bid")}


def _is_card(name: str) -> bool:
    try:
        card(name)
    except ValueError:
        return False
    return True
