"""Which of several cards led at the same time stays on the mark (Whysteria, "Tied bids")."""

from __future__ import annotations

import pytest

from table.observed_facts import MS, CardLanded, Reading
from table.referee.moves.assign_cards_to_players import assign_owners
from table.referee.moves.tied_leads import judge_leads


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


def test_owners_of_a_whole_hand_that_lands_at_once_are_found_at_once() -> None:
    cards = [landed(number, 10) for number in range(13)]
    ((way, cost),) = assign_owners(cards, {"Ada": 0.0, "Ben": 120.0, "Cleo": 240.0}, None)
    assert (len(way), cost) == (13, 0.0)
