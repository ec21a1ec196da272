"""Which of several cards led at the same time stays on the mark (Whysteria, "Tied bids")."""

from __future__ import annotations

import pytest

from table.display.view_picture import draw_canvas
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


def all_may_lead(cards: int) -> TableTop:
    """Ben leads by default, Cleo follows."""
    table = TableTop(hands=[cards])
    table.rap("Ada", 1_000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, 0, 2_000 + 1_000 * number)
    return table


def shown(table: TableTop, until: float) -> tuple[dict[str, str], set[str]]:
    """What each card on the mark is to do, and what the screen says."""
    table.settle(until)
    view = table.referee.view(int(until * MS))
    cards = {f"{lying.seat} {lying.card}": str(lying.role) for lying in view.cards_on_mark}
    return cards, {placed.text for placed in draw_canvas(view, (1280, 720)).placed}


@pytest.mark.parametrize(("cards", "second"), [(2, "3D"), (1, "3C")], ids=["follows suit", "last trick"])
def test_a_tied_lead_of_who_is_next_is_said_to_stay_if_it_is_left_there(cards: int, second: str) -> None:
    table = all_may_lead(cards)
    table.lay("KD", 6_000, "Ben")
    table.lay(second, 6_080, "Cleo", upon=["KD"])
    lying, texts = shown(table, 8_000)
    assert sorted(lying.values()) == ["may stay", "played"]
    assert "may stay" in texts
    assert any(text.startswith("Cleo may leave the 3") for text in texts)
    assert "Led at the same time: Ben's card stays (it lies at the bottom)" in texts
    assert not any("take back" in text or "take yours" in text for text in texts)
    table.lay("5D", 9_000, "Ada")
    lying, _ = shown(table, 11_000)
    assert set(lying.values()) == {"played"}


def test_a_tied_lead_that_does_not_follow_suit_is_to_be_taken_back() -> None:
    table = all_may_lead(2)
    table.lay("KD", 6_000, "Ben")
    table.lay("3C", 6_080, "Cleo", upon=["KD"])
    lying, texts = shown(table, 8_000)
    assert sorted(lying.values()) == ["back", "played"]
    assert "take back" in texts
    assert "Led at the same time: Ben's card stays (it lies at the bottom); Cleo: take yours back" in texts


def test_of_leads_that_all_go_back_the_default_leader_s_own_may_stay() -> None:
    table = all_may_lead(2)
    table.lay("KD", 6_000, "Ben", place=(-80, 0))
    table.lay("3C", 6_020, "Ada", place=(80, 0))
    lying, texts = shown(table, 8_000)
    assert lying == {"Ben KD": "may stay", "Ada 3C": "back"}
    why = "they landed at the same moment"
    assert f"Led at the same time: Ada: take yours back ({why}); Ben leads" in texts
    table.withdraw("3C", 9_000)
    _, texts = shown(table, 10_000)
    assert "Ben may leave the K♦ there, or change it" in texts
    table.lay("4D", 12_000, "Cleo")
    lying, _ = shown(table, 14_000)
    assert lying == {"Ben KD": "played", "Cleo 4D": "played"}


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
