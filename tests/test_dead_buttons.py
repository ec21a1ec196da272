"""A button that is waited for and never heard: told, and the seat's other button stands in for it until it speaks."""

from __future__ import annotations

import pytest

from table.config import SeatConfig
from tests.fingers import ADA, BEN, CLEO, Watched, hold, tap, tap_and_hold

DEAD_RAP = "Ada's rap button has not been heard"


def test_a_dealer_whose_rap_button_is_dead_is_told_so_and_raps_by_holding_bid() -> None:
    seen = Watched(hold("Ada", "bid", 60_000), 62_000)
    assert [(at, text.split(":")[0]) for at, text in seen.told if "heard" in text] == [(45_000, DEAD_RAP)]
    assert seen.events("dealt") == [(60_000, "dealt", "Ada")]


def test_before_the_game_has_waited_long_holding_bid_is_a_bid_of_zero() -> None:
    seen = Watched(hold("Ada", "bid", 44_900), 48_000)
    assert seen.events("dealt", "bid_refused") == [(44_900, "bid_refused", 0)]


def test_a_button_that_was_heard_is_never_called_dead() -> None:
    seen = Watched([*tap("Ben", "rap", 1000), *tap("Ada", "rap", 61_000)], 64_000)
    silent = [(at, text.split("'")[0]) for at, text in seen.told if "heard" in text]
    assert silent == [(45_000, "Ada")]
    assert "heard" not in seen.told[-1][1]
    again = Watched([*tap("Ada", "rap", 1000), *hold("Ada", "bid", 61_000)], 100_000)
    assert not any("Ada's rap" in text for _, text in again.told)


def test_one_button_does_everything_until_the_dead_one_speaks() -> None:
    edges = [
        *hold("Ada", "bid", 60_000),
        *tap("Ben", "bid", 63_000),
        *tap("Cleo", "bid", 65_000),
        *tap_and_hold("Ada", "bid", 67_000),
    ]
    seen = Watched(edges, 72_000)
    assert seen.events("dealt", "bid", "bid_refused") == [
        (60_000, "dealt", "Ada"),
        (63_000, "bid", 1),
        (65_000, "bid", 1),
        (67_000, "bid", 0),
    ]
    spoken = Watched([*edges[:-4], *tap("Ada", "rap", 66_000), *hold("Ada", "bid", 67_000)], 72_000)
    assert spoken.events("bid")[-1] == (67_000, "bid", 0)


def test_with_a_dead_bid_button_rap_bids_once_the_game_has_waited() -> None:
    edges = [*tap("Ada", "rap", 1000), *tap("Ben", "rap", 3000), *tap("Ben", "rap", 50_000, 2)]
    seen = Watched([*edges, *tap("Cleo", "bid", 53_000)], 56_000)
    assert [text.split(":")[0] for _, text in seen.told if "heard" in text] == [
        "Ben's bid button has not been heard"
    ]
    assert seen.events("bid") == [(50_000, "bid", 2), (53_000, "bid", 1)]


@pytest.mark.parametrize("seed", range(6))
def test_which_reading_counts_does_not_depend_on_the_delivery(seed: int) -> None:
    edges = [
        *hold("Ada", "bid", 44_990),
        *hold("Ada", "bid", 46_000),
        *tap("Ben", "rap", 46_600, 3),
        *tap("Ben", "rap", 91_050, 2),
        *tap_and_hold("Cleo", "bid", 93_000),
        *tap("Cleo", "bid", 95_000, 2),
        *tap("Ada", "rap", 97_000),
        *hold("Ada", "bid", 98_000),
    ]

    def decided(seen: Watched) -> list[dict[str, object]]:
        return [{key: value for key, value in line.items() if key != "decided_ns"} for line in seen.lines]

    plain = Watched(edges, 101_000)
    assert len(plain.events("bid")) == 3
    assert decided(Watched(edges, 101_000, seed=seed)) == decided(plain)


def test_a_seat_without_another_button_is_told_to_look_at_the_cable() -> None:
    one = SeatConfig("Ada", 0, bid=1)
    seen = Watched([], 47_000, seats=(one, BEN, CLEO))
    assert not any("heard" in text for _, text in seen.told), "the rap of a one-button table is no line"
    knock = SeatConfig("Ben", 120, bid=4, rap=5, knock=True)
    seen = Watched(tap("Ada", "rap", 1000), 47_000, seats=(ADA, knock, CLEO))
    assert any("a knock sensor can't bid" in text for _, text in seen.told)


def test_a_button_that_stays_down_is_told_at_once_and_hides_no_later_ruling() -> None:
    edges = [*hold("Ben", "rap", 1000, 60_000), *tap("Ada", "rap", 2000), *tap("Cleo", "bid", 30_000)]
    seen = Watched(edges, 50_000)
    texts = [(at // 1000, text.split(" and")[0]) for at, text in seen.told]
    stuck = "Ben's rap button stays down"
    assert texts[0] == (11, stuck)
    assert [at for at, text in texts if text == stuck] == [11, 42]
    assert (32, "Cleo can't bid now: Ben is to bid") in texts
    assert (47, "Ben's bid button has not been heard: look at its cable") in texts
