"""Honours of a game: what was observed decides, and where there is nothing to honour there is none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from table.history.honours import game_honours
from table.i18n.phrase_rendering import renderer_for
from table.observed_facts import MS
from table.referee.model.view import Honour
from table.referee.records.journal import JournalLine, read_lines
from tests.history.simulated_journal import simulated_journal


def hands(
    *results: Mapping[str, tuple[object, int]], seconds: Mapping[str, int] | None = None
) -> list[JournalLine]:
    """A journal of hands of five cards with the bid and the tricks of each player, who bid after so many seconds."""
    lines: list[JournalLine] = []
    t_ns = 0

    def add(event: str, **fields: object) -> None:
        lines.append({"seq": len(lines) + 1, "t_ns": t_ns, "decided_ns": t_ns, "event": event, **fields})

    for number, result in enumerate(results, start=1):
        add("hand_started", hand=number, cards=5, dealer="Ada")
        add("trump", suit="S", card=None)
        add("dealt", dealer="Ada")
        for seat, (bid, _) in result.items():
            t_ns += (seconds or {}).get(seat, 1) * 1000 * MS
            add("bid", seat=seat, bid=bid)
        zeros = dict.fromkeys(result, 0)
        bids, tricks = ({seat: pair[place] for seat, pair in result.items()} for place in (0, 1))
        add("hand_scored", hand=number, bids=bids, tricks=tricks, points=zeros, totals=zeros)
    return lines


def told(lines: list[JournalLine]) -> dict[str, tuple[tuple[str, ...], str]]:
    words = renderer_for()
    honours: tuple[Honour, ...] = game_honours(lines)
    return {honour.title.code: (honour.seats, words(honour.figure)) for honour in honours}


def test_the_boldest_bid_is_the_highest_that_was_made() -> None:
    lines = hands({"Ada": (4, 3), "Ben": (2, 2)}, {"Ada": (3, 3), "Ben": ("double nil", 0)})
    assert told(lines)["honour.boldest_bid"] == (("Ada",), "bid 3 of 5 in hand 2, and made it")
    assert "honour.boldest_bid" not in told(hands({"Ada": (1, 1), "Ben": (3, 2)})), "a bid of one is not bold"


def test_all_who_made_as_many_hands_in_a_row_have_the_longest_streak() -> None:
    made, missed = (0, 0), (0, 1)
    lines = hands(
        {"Ada": made, "Ben": missed, "Cleo": made},
        {"Ada": made, "Ben": made, "Cleo": missed},
        {"Ada": missed, "Ben": made, "Cleo": made},
    )
    assert told(lines)["honour.longest_streak"] == (("Ada", "Ben"), "2 hands made in a row")
    assert "honour.longest_streak" not in told(hands({"Ada": made, "Ben": missed}))


def test_bidders_are_fast_or_slow_once_they_have_bid_often_enough() -> None:
    hand = {"Ada": (0, 1), "Ben": (0, 1)}
    seconds = {"Ada": 4, "Ben": 2}
    found = told(hands(hand, hand, hand, seconds=seconds))
    assert found == {
        "honour.fastest_bidder": (("Ben",), "2.0 s"),
        "honour.slowest_bidder": (("Ada",), "4.0 s"),
    }
    assert told(hands(hand, hand, seconds=seconds)) == {}
    assert told(hands(hand, hand, hand)) == {}, "who take as long as each other"


def test_the_closest_tie_is_the_one_with_the_least_distance() -> None:
    lines = hands({"Ada": (0, 1), "Ben": (0, 1)})
    for seats, spread_ns in ((["Ada", "Ben"], 12 * MS), (["Ben", "Cleo"], 3 * MS)):
        tie = {"event": "bids_tied", "seats": seats, "spread_ns": spread_ns, "next": None}
        lines.insert(3, {"seq": 1, "t_ns": 0, "decided_ns": 0, **tie})
    assert told(lines)["honour.closest_tie"] == (("Ben", "Cleo"), "3.0 ms apart")


def test_a_played_game_has_its_honours(tmp_path: Path) -> None:
    lines = read_lines(simulated_journal(tmp_path / "game.jsonl", players=4, options={"hands": [4, 3, 2, 1]}))
    assert {"honour.closest_tie", "honour.fastest_bidder", "honour.longest_streak"} <= told(lines).keys()
