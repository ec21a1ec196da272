"""A press means the same at every moment; after a long wait the screen says how the press is made that is awaited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.config.settings import SeatConfig
from table.observed_facts import MS
from tests.fingers import ADA, BEN, CLEO, Watched, hold, tap

ONE = SeatConfig("Ada", 0, bid=1)
KNOCK = SeatConfig("Ada", 0, bid=1, rap=2, knock=True)
KNOCK_CLEO = replace(CLEO, knock=True)
LONG_MS = (44_000, 46_000, 120_000, 400_000)


def hints(seen: Watched) -> list[tuple[int, str]]:
    """The hints that came to stand first: when (ms), and what."""
    return [(at, text) for at, text in seen.told if text.startswith("Waiting for")]


@pytest.mark.thorough
@pytest.mark.parametrize("after_ms", LONG_MS)
def test_a_rap_is_no_bid_however_long_the_bid_was_waited_for(after_ms: int) -> None:
    edges = [*tap("Ada", "rap", 1000), *tap("Ben", "rap", after_ms), *tap("Ben", "bid", after_ms + 5000, 2)]
    seen = Watched(edges, after_ms + 10_000)
    assert seen.events("bid") == [(after_ms + 5000, "bid", 2)]


@pytest.mark.thorough
@pytest.mark.parametrize("after_ms", LONG_MS)
def test_a_held_bid_button_deals_nothing_however_long_the_dealer_was_waited_for(after_ms: int) -> None:
    seen = Watched(hold("Ada", "bid", after_ms), after_ms + 4000)
    assert seen.events("dealt", "bid_refused") == [(after_ms, "bid_refused", 0)]


@pytest.mark.parametrize(("ada", "how"), [(ADA, "press RAP"), (ONE, "hold your button"), (KNOCK, "knock")])
def test_after_a_long_wait_a_hint_names_the_gesture_for_the_seat_s_controls(
    ada: SeatConfig, how: str
) -> None:
    seen = Watched([], 50_000, seats=(ada, BEN, CLEO))
    said = f"Waiting for Ada: {how}. Button broken? At another seat: hold RAP 2 seconds"
    assert hints(seen) == [(45_000, said)]


@pytest.mark.parametrize(
    ("wrong_ms", "held"), [(1000, "1 second"), (1500, "1.5 seconds"), (3000, "3 seconds")]
)
def test_a_hint_says_how_long_the_set_up_wants_that_s_wrong_held(wrong_ms: int, held: str) -> None:
    for seats, how in (((ADA, BEN, CLEO), f"hold RAP {held}"), ((ONE, BEN, KNOCK_CLEO), f"hold {held}")):
        seen = Watched([], 50_000, seats=seats, wrong_ms=wrong_ms)
        assert hints(seen)[0][1].endswith(f"At another seat: {how}")


def test_the_hint_for_a_bid_names_how_numbers_are_made_with_one_button() -> None:
    ben = SeatConfig("Ben", 120, bid=4)
    seen = Watched(tap("Ada", "rap", 1000), 50_000, seats=(ADA, ben, CLEO))
    (at, said) = hints(seen)[0]
    assert at == 48_020, "45 s after the deal was known"
    assert said.startswith("Waiting for Ben: tap your button once per trick; for 0 tap, then hold.")


def test_where_anyone_may_bid_each_kind_of_seat_has_its_own_hint() -> None:
    ben = SeatConfig("Ben", 120, bid=4)
    seen = Watched(tap("Ada", "rap", 1000), 60_000, game="whysteria", seats=(ADA, ben, CLEO))
    shown = {notice.phrase for notice in seen.pipeline.view(59_000 * MS).notices if notice.code == "awaited"}
    assert {(said.fields["seats"], said.fields["how"].fields["rap"].code) for said in shown} == {
        (("Ada", "Cleo"), "press.rap"),
        (("Ben",), "press.hold"),
    }


def test_no_hint_is_given_while_a_card_is_waited_for_or_the_game_moves_on() -> None:
    bids = [
        edge
        for at, seat in enumerate(("Ben", "Cleo", "Ada"), start=1)
        for edge in tap(seat, "bid", 1000 + 30_000 * at, at)
    ]
    seen = Watched([*tap("Ada", "rap", 1000), *bids], 200_000, game="whysteria")
    assert hints(seen) == []


def test_the_wait_is_not_counted_from_before_a_restart() -> None:
    before = Watched(tap("Ada", "rap", 1000), 30_000)
    rap = tap("Ben", "rap", 62_000)
    again = Watched(rap, 120_000, earlier=before.lines, from_ms=60_000)
    assert again.events("bid") == []
    ((at, _),) = hints(again)
    assert at == 105_000
