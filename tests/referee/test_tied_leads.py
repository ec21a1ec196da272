"""Which of several cards led at the same time stays on the mark (Whysteria, "Tied bids")."""

from __future__ import annotations

import pytest

from table.observed_facts import MS, CardLanded, Reading
from table.referee.moves.tied_leads import judge_leads
from tests.referee.tabletop import TableTop


def landed(
    number: int, frame: int, upon: tuple[int, ...] = (), overlaps: tuple[int, ...] = (), fps: int = 30
) -> CardLanded:
    readings = (Reading("AS", 1.0),)
    return CardLanded(frame * 1000 * MS // fps, number, readings, (0, 0), 0, None, 0, frame, upon, overlaps)


@pytest.mark.parametrize(
    ("kept", "landings"),
    [
        pytest.param(1, [landed(1, 10), landed(2, 13, upon=(1,))], id="the card underneath"),
        pytest.param(2, [landed(2, 10), landed(3, 10, upon=(2,))], id="underneath, in the same frame"),
        pytest.param(
            2, [landed(1, 10, upon=(2,)), landed(2, 11)], id="underneath, though seen to rest later"
        ),
        pytest.param(
            2,
            [landed(2, 10, upon=(1,)), landed(3, 10, upon=(1, 2))],
            id="underneath, upon a card that was left on the mark",
        ),
        pytest.param(
            1, [landed(1, 10), landed(2, 12)], id="the first of two apart, two frames of 30 a second earlier"
        ),
        pytest.param(None, [landed(1, 10), landed(2, 11)], id="none of two apart, one frame apart"),
        pytest.param(
            None, [landed(1, 10, fps=60), landed(2, 13, fps=60)], id="none, three frames of 60 apart"
        ),
        pytest.param(
            1, [landed(1, 10, fps=60), landed(2, 14, fps=60)], id="the first of two, four of those earlier"
        ),
        pytest.param(
            1, [landed(1, 10, fps=50), landed(2, 13, fps=50)], id="the first of two, the least time earlier"
        ),
        pytest.param(
            1, [landed(1, 10), landed(2, 11, upon=(1,)), landed(3, 12, upon=(1, 2))], id="the lowest of three"
        ),
        pytest.param(
            None,
            [landed(1, 10), landed(2, 14, upon=(1,)), landed(3, 15)],
            id="none: two overlap, one is apart",
        ),
        pytest.param(
            1,
            [landed(1, 10), landed(2, 13), landed(3, 16, upon=(1, 2))],
            id="the first of two that a third bridges",
        ),
        pytest.param(
            1, [landed(1, 10), landed(2, 12, overlaps=(1,))], id="the first where the order was not seen"
        ),
    ],
)
def test_the_card_that_stays(kept: int | None, landings: list[CardLanded]) -> None:
    stays, reason = judge_leads(landings, mark=True)
    assert (stays.id if stays else None) == kept
    assert reason


def test_without_the_mark_all_go_back() -> None:
    assert judge_leads([landed(1, 10), landed(2, 30, upon=(1,))], mark=False)[0] is None


def test_a_whole_hand_that_lands_at_once_is_one_lead_of_each_player_and_second_cards() -> None:
    table = TableTop(hands=[7])
    table.rap("Ada", 1_000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, number, 2_000 + 1_000 * number)
    names = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC", "AC"]
    for name in names:
        table.lay(name, 6_000)
    lines = table.settle()
    [tie] = [line for line in lines if line["event"] == "leads_tied"]
    assert {card["seat"] for card in tie["taken_back"]} <= {"Ada", "Ben", "Cleo"}
    assert sum(line["event"] == "out_of_turn" for line in lines) == len(names) - 3
