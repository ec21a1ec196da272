"""Which of several cards led at the same time stays on the mark (Whysteria, "Tied bids")."""

from __future__ import annotations

import pytest

from table.facts import MS, CardLanded, Reading
from table.referee.leads import judge_leads


def landed(number: int, frame: int, upon: tuple[int, ...] = (), overlaps: tuple[int, ...] = ()) -> CardLanded:
    readings = (Reading("AS", 1.0),)
    return CardLanded(frame * 33 * MS, number, readings, (0, 0), 0, None, 0, frame, upon, overlaps)


@pytest.mark.parametrize(
    ("landings", "kept"),
    [
        ("the card underneath", [landed(1, 10), landed(2, 13, upon=(1,))]),
        (
            "the card underneath, even when it landed in the same frame",
            [landed(2, 10), landed(3, 10, upon=(2,))],
        ),
        (
            "the card underneath, even when it was seen to rest later",
            [landed(1, 10, upon=(2,)), landed(2, 11)],
        ),
        ("the first of two that lie apart, two frames earlier", [landed(1, 10), landed(2, 12)]),
        ("none of two that lie apart, one frame apart", [landed(1, 10), landed(2, 11)]),
        (
            "the lowest of a pile of three",
            [landed(1, 10), landed(2, 11, upon=(1,)), landed(3, 12, upon=(1, 2))],
        ),
        (
            "none where two overlap and one lies apart",
            [landed(1, 10), landed(2, 14, upon=(1,)), landed(3, 15)],
        ),
        (
            "the first of two apart that a third bridges",
            [landed(1, 10), landed(2, 13), landed(3, 16, upon=(1, 2))],
        ),
        ("the first of an overlap whose order was not seen", [landed(1, 10), landed(2, 12, overlaps=(1,))]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_card_that_stays(landings: str, kept: list[CardLanded]) -> None:
    expected = {
        "the card underneath": 1,
        "the card underneath, even when it landed in the same frame": 2,
        "the card underneath, even when it was seen to rest later": 2,
        "the first of two that lie apart, two frames earlier": 1,
        "none of two that lie apart, one frame apart": None,
        "the lowest of a pile of three": 1,
        "none where two overlap and one lies apart": None,
        "the first of two apart that a third bridges": 1,
        "the first of an overlap whose order was not seen": 1,
    }[landings]
    judged = judge_leads(kept, mark=True)
    assert (judged.kept.id if judged.kept else None) == expected
    assert judged.why


def test_without_the_mark_all_go_back() -> None:
    assert judge_leads([landed(1, 10), landed(2, 30, upon=(1,))], mark=False).kept is None
