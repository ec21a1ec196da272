"""A recording's ``answers.csv``: what people answer to the table's questions."""

from __future__ import annotations

from pathlib import Path

from table.cards import card
from table.errors import TableError
from table.facts import Answer
from table.files.numbers import count
from table.files.reading import exists
from table.sources.rows import rows_of

HEADER = ("t_ns", "about", "hand", "trick", "seat", "card")
ABOUT = ("card", "owner", "order", "gone", "bid")
BY_SEAT = ("card", "owner", "bid")
"""What is asked of one seat's card or bid."""


def read_answers(path: Path, seats: tuple[str, ...]) -> tuple[Answer, ...]:
    """The answers in the order of the file, none where there is no file; ``TableError`` names file and line."""
    if not exists(path):
        return ()
    return tuple(_answer(f"{path}: line {number}", row, seats) for number, row in rows_of(path, HEADER))


def _answer(where: str, row: list[str], seats: tuple[str, ...]) -> Answer:
    if len(row) != len(HEADER):
        raise TableError(f"{where}: expected {','.join(HEADER)}, not {','.join(row)!r}")
    stamp, about, hand, trick, seat, named = row
    t_ns, hand_number, trick_number = count(stamp), count(hand), count(trick)
    if t_ns is None:
        raise TableError(f"{where}: t_ns: expected a whole number of nanoseconds, not {stamp!r}")
    if about not in ABOUT:
        raise TableError(f"{where}: about: expected one of {', '.join(ABOUT)}, not {about!r}")
    if not hand_number:
        raise TableError(f"{where}: hand: expected a number from 1, not {hand!r}")
    # A bid is no trick's.
    if trick_number is None or (not trick_number and about != "bid"):
        raise TableError(f"{where}: trick: expected a number from 1, not {trick!r}")
    if seat not in seats and (seat or about in BY_SEAT):
        raise TableError(f"{where}: seat: expected one of {', '.join(seats)}, not {seat!r}")
    wants_card = about == "card" or (about == "order" and not seat)
    if (about in ("card", "owner", "order") and (named or wants_card) and not _is_card(named)) or (
        about in ("gone", "bid") and not named
    ):
        raise TableError(
            f"{where}: card: expected {_EXPECTED.get(about, 'a card such as 10H')}, not {named!r}"
        )
    return Answer(t_ns, about, hand_number, trick_number, seat, named)


_EXPECTED = {"gone": "an answer", "bid": "a bid"}


def _is_card(name: str) -> bool:
    try:
        card(name)
    except ValueError:
        return False
    return True
