"""What plots show of many games: bids by hand size and by seat, and how long people took."""

from __future__ import annotations

from typing import Any

from table.events.game_events import Reseated
from table.history.played_hands import PlayedHand, read_hands
from table.history.statistics import Statistics, Wait, make_charts, thinking_times
from table.observed_facts import MS
from tests.games.play import Story


def line(event: str, ms: int, **fields: Any) -> dict[str, Any]:
    return {"event": event, "t_ns": ms * MS, **fields}


def bid(seat: str, ms: int) -> dict[str, Any]:
    return line("bid", ms, seat=seat, bid=1)


def hand(number: int, cards: int, dealer: str, *took: tuple[str, int, int]) -> PlayedHand:
    bids, taken = ({seat: (bid, tricks)[place] for seat, bid, tricks in took} for place in (0, 1))
    return PlayedHand(number, cards, dealer, [*bids], bids=bids, taken=taken, totals=dict.fromkeys(bids, 0))


def test_bids_are_told_apart_by_hand_size_and_by_seat_from_the_dealers_left() -> None:
    counted = Statistics()
    hands = [
        hand(1, 3, "Ada", ("Ada", 1, 1), ("Ben", 2, 1), ("Cleo", 0, 1)),
        hand(2, 2, "Ben", ("Ada", 1, 1), ("Ben", 1, 1), ("Cleo", 0, 0)),
    ]
    counted.add(["Ada", "Ben", "Cleo"], [], hands, over=False)
    shown = {plot.name: [bar.parts for bar in plot.bars] for plot in make_charts(counted)}
    assert shown == {
        "made-by-size": [(1.0,), (1 / 3,)],
        # Left of the dealer: Ben, then Cleo; the next one: Cleo, then Ada; the dealers themselves.
        "made-by-seat": [(0.5,), (0.5,), (1.0,)],
        "over-and-under": [(1.0, 0.0, 0.0), (0.5, 0.0, 0.5), (0.5, 0.5, 0.0)],
    }


def test_after_a_change_of_chairs_bids_are_told_by_where_people_sit_now() -> None:
    story = Story("prediction-whist", "ABC", hands=[1, 1])
    story.deals()
    story.bids("B1 C0 A1")
    story.trick("B:2H C:3H A:4H")
    story.does(Reseated(("C", "B", "A")))
    story.deals()  # B deals, to whose left A sits now
    story.bids("A1 C1 B0")
    story.trick("A:4H C:3H B:2H")
    lines = [
        line(said.event, number, seq=number, **said.fields) for number, said in enumerate(story.said, start=1)
    ]
    counted = Statistics()
    counted.add(["A", "B", "C"], [], read_hands(lines), over=True)
    places = [dict(counted.by_seat_position[place]) for place in (1, 2, 0)]
    assert places == [{"under": 1, "made": 1}, {"made": 1, "under": 1}, {"made": 2}]


def test_each_action_is_timed_from_what_came_before_it() -> None:
    lines = [
        line("dealt", 1_000),
        bid("Ada", 3_000),
        bid("Ben", 3_500),
        line("card_played", 5_500, seat="Ada", card="AS"),
        line("card_played", 6_000, seat="Ben", card="?"),
        line("trick_won", 6_000),
        line("trick_taken", 8_000),
        line("card_played", 9_000, seat="Ben", card="2S"),
        line("trick_taken", 10_000),
        line("card_played", 999_000, seat="Ada", card="3S"),
    ]
    numbered = [{"seq": number, **one} for number, one in enumerate(lines, start=1)]
    assert list(thinking_times(numbered)) == [
        Wait("Ada", "bid", 2_000 * MS),
        Wait("Ben", "bid", 500 * MS),
        Wait("Ada", "card", 2_000 * MS),
        Wait("Ben", "card", 1_000 * MS),
    ]


def test_bids_in_secret_are_all_timed_from_the_count() -> None:
    lines = [line("dealt", 0), line("bids_revealed", 5_000), bid("Ada", 4_000), bid("Ben", 3_000)]
    lines += [line("card_played", 6_000, seat="Ada", card="AS")]
    assert [wait.duration_ns // MS for wait in thinking_times(lines)] == [4_000, 3_000, 1_000]
