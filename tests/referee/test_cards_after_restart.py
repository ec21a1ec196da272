"""Cards that are found when the camera begins anew may have been leads at the same time, which nobody saw landing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.observed_facts import MS
from table.referee.records.journal import JournalLine, effective_lines
from tests.referee.powercut import Evening, copied, known_ns
from tests.referee.tabletop import TableTop
from tests.referee.test_resumed_table import complete_trick, half_a_trick, resumed

TELLING = ("event", "kept", "taken_back", "next", "seat", "card")
COME_AND_GONE = ("card_played", "card_taken_back")
TIE = ("leads_tied", {"seat": "Ben", "card": "KS"}, [{"seat": "Cleo", "card": "3S"}], "Cleo")


def bids_made(**options: Any) -> TableTop:
    """Two cards a hand; Ada, Ben and Cleo have bid."""
    table = TableTop(hands=[2], **options)
    table.rap("Ada", 1_000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, number, 2_000 + 1_000 * number)
    return table


def lead_laid() -> list[JournalLine]:
    """Ben has led the nine of hearts."""
    table = bids_made()
    table.lay("9H", 6_000, "Ben")
    return table.settle()


@pytest.mark.parametrize("power_cut", [False, True])
def test_leads_tie_after_a_trick_that_nobody_saw_picked_up(power_cut: bool) -> None:
    if power_cut:
        table = resumed(complete_trick(), hands=[2])
    else:
        table = half_a_trick()
        table.lay("2H", 8_000, "Ada")
    table.lay("KS", 70_000, "Ben")
    table.lay("3S", 70_060, "Cleo", upon=("KS",))
    table.withdraw("3S", 72_000)
    table.lay("3S", 74_000, "Cleo", upon=("KS",))
    table.lay("4S", 76_000, "Ada", upon=("KS", "3S"))
    table.clear("KS", "3S", "4S", at=78_000, arm="Ben")
    events = {"leads_tied", "card_taken_back", "out_of_turn", "card_played"}
    said = [line for line in effective_lines(table.settle()) if line["event"] in events]
    assert [tuple(line[name] for name in TELLING if name in line) for line in said[3:]] == [
        TIE,
        ("card_played", "Ben", "KS"),
        ("card_taken_back", "Cleo", "3S"),
        ("card_played", "Cleo", "3S"),
        ("card_played", "Ada", "4S"),
    ]


def test_cards_too_early_before_the_pick_up_are_each_out_of_turn() -> None:
    table = half_a_trick()
    table.lay("2H", 8_000, "Ada")
    table.lay("KS", 9_000, "Ben", upon=("2H",))
    table.lay("3S", 9_060, "Cleo", upon=("KS",))
    table.withdraw("3S", 11_000)
    table.withdraw("KS", 12_000)
    table.clear("9H", "8H", "2H", at=14_000, arm="Ben")
    assert table.said("leads_tied", "out_of_turn", "card_taken_back", "trick_taken") == [
        ("out_of_turn", "Ben", "KS"),
        ("out_of_turn", "Cleo", "3S"),
        ("card_taken_back", "Cleo", "3S"),
        ("card_taken_back", "Ben", "KS"),
        ("trick_taken", "Ben"),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("hand_hovers", [None, "Cleo"])
def test_a_lead_that_the_power_cut_off_may_be_tied_with_what_is_found(
    hand_hovers: str | None, tmp_path: Path
) -> None:
    table = bids_made(mark=False)
    table.lay("9H", 6_000, "Ada")
    evening = Evening(table.referee.game, table.angles, sorted(table.facts, key=known_ns))
    path = tmp_path / "game.jsonl"
    referee = evening.referee(path)
    referee.start(0)
    referee.take(evening.facts, 6_040 * MS, 6_040 * MS)  # the power goes; Cleo's card falls at 6,060
    left = copied(path, tmp_path / "left.jsonl")
    referee.journal.close()
    again = TableTop(hands=[2], mark=False)
    again.referee = evening.referee(left)
    again.referee.resume(20_000 * MS)
    again.watched = 22_500
    again.lay("8H", 20_100, hand_hovers)
    again.lay("9H", 20_400, "Ben" if hand_hovers else None, sure=0.6)
    again.withdraw("8H", 24_000)
    again.withdraw("9H", 25_000)
    again.lay("KS", 27_000, "Ben")
    again.settle()
    again.referee.journal.close()
    held = effective_lines(again.referee.journal.lines)
    [tie] = [line for line in held if line["event"] == "leads_tied"]
    assert tie["kept"] is None
    assert [one["card"] for one in tie["taken_back"]] == ["9H", "8H"]
    assert tie["taken_back"][0]["seat"] == "Ada"
    back = [line for line in held if line["event"] == "card_taken_back"]
    assert [(line["card"], line.get("played")) for line in back] == [("8H", None), ("9H", None)]
    led = [line for line in held if line["event"] == "card_played"][-1]
    assert (led["seat"], led["card"]) == ("Ben", "KS")


def test_of_leads_that_nobody_saw_landing_the_one_stays_that_is_left_lying() -> None:
    lines = bids_made().settle()
    table = resumed(lines, hands=[2])
    table.lay("9H", 60_001, place=(20, 56))
    table.lay("KS", 60_001, place=(-59, -10))
    table.withdraw("KS", 63_000)
    table.lay("KS", 65_000, "Cleo", place=(-59, -10))
    table.lay("2H", 67_000, "Ada")
    table.clear("9H", "KS", "2H", at=70_000, arm="Cleo")
    held = effective_lines(table.settle())
    [tie] = [line for line in held if line["event"] == "leads_tied"]
    assert (tie["kept"], tie["next"]) == ({"seat": "Ben", "card": "9H"}, "Cleo")
    [won] = [line for line in held if line["event"] == "trick_won"]
    assert [one["card"] for one in won["cards"]] == ["9H", "KS", "2H"]


def test_the_next_card_after_a_lead_is_no_tie_for_being_found_with_it() -> None:
    table = resumed(bids_made().settle(), hands=[2])
    table.lay("9H", 60_001)
    table.lay("8H", 60_002)
    table.lay("2H", 65_000, "Ada")
    table.clear("9H", "8H", "2H", at=67_000, arm="Ben")
    assert table.said("leads_tied", "card_played", "trick_won", "card_taken_back")[:3] == [
        ("card_played", "Ben", "9H", True),
        ("card_played", "Cleo", "8H"),
        ("card_played", "Ada", "2H"),
    ]


@pytest.mark.parametrize("arm", ["Ben", None])
def test_a_lead_found_after_a_power_cut_is_the_one_that_lay_there(arm: str | None) -> None:
    table = resumed(lead_laid(), hands=[2])
    table.lay("9H", 61_000, arm)
    assert table.said(*COME_AND_GONE) == [("card_played", "Ben", "9H")]
    assert [(one.seat, str(one.card)) for one in table.referee.view(0).cards_on_mark] == [("Ben", "9H")]


@pytest.mark.parametrize("arm", ["Ben", None])
def test_a_lead_seen_to_land_after_a_power_cut_was_taken_back_before(arm: str | None) -> None:
    table = resumed(lead_laid(), hands=[2])
    table.watched = 0
    table.lay("9H", 61_000, arm)
    assert [line[:3] for line in table.said(*COME_AND_GONE)] == [
        ("card_played", "Ben", "9H"),
        ("card_taken_back", "Ben", "9H"),
        ("card_played", "Ben", "9H"),
    ]
