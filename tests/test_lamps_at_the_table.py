"""The lamps, driven by a whole game: who must act glows, presses are answered, what is refused or tied blinks."""

from __future__ import annotations

from itertools import pairwise

from table.config.settings import SeatConfig
from table.observed_facts import Edge
from tests.fingers import ADA, Watched, hold, tap, tap_and_hold
from tests.speeds import first_quick


def changes(seen: Watched, name: str, from_ms: int, to_ms: int) -> list[int]:
    """When a lamp changed, in that time."""
    return [at for at, _ in seen.lit[name] if from_ms <= at < to_ms]


def test_the_lamp_of_who_must_act_glows() -> None:
    edges = [*tap("Ada", "rap", 2000), *tap("Ben", "bid", 8000), *tap("Cleo", "bid", 14_000)]
    seen = Watched(edges, 24_000, step_ms=10)
    lit = {name: seen.lit_at(name, 1000, 7000, 13_000, 19_000) for name in ("Ada", "Ben", "Cleo")}
    assert lit == {
        "Ada": [True, False, False, True],  # deals, then bids last
        "Ben": [False, True, False, False],
        "Cleo": [False, False, True, False],
    }


def test_where_all_may_act_those_glow_who_have_not_rapped() -> None:
    edges = [*tap("Ada", "rap", 2000), *tap("Ben", "rap", 8000)]
    seen = Watched(edges, 14_000, game="whysteria")
    assert [seen.lit_at(name, 7000, 13_000) for name in ("Ada", "Ben", "Cleo")] == [
        [True, True],
        [True, False],
        [True, True],
    ]


def test_a_refused_bid_blinks_fast_at_its_seat_alone() -> None:
    seen = Watched([*tap("Ada", "rap", 2000), *tap("Cleo", "bid", 8000)], 20_000, step_ms=10)
    answer = changes(seen, "Cleo", 8000, 8300)
    assert len(answer) == 2, "the press is answered"
    assert answer[0] < 8100
    blinking = changes(seen, "Cleo", 8300, 20_000)
    assert len(blinking) == 16
    assert {after - before for before, after in pairwise(blinking)} == {60}
    assert changes(seen, "Ben", 8000, 20_000) == []


def test_tied_bids_blink_fast_at_both_seats() -> None:
    edges = [*tap("Ada", "rap", 2000), *tap("Ben", "bid", 8000), *tap("Cleo", "bid", 8012)]
    seen = Watched(edges, 20_000, game="whysteria", step_ms=10)
    assert [line["event"] for line in seen.lines][-1] == "bids_tied"
    for name in ("Ben", "Cleo"):
        assert len(changes(seen, name, 8500, 20_000)) >= 15
    assert len(changes(seen, "Ada", 8500, 20_000)) <= 1, "she stops glowing at most"


def test_the_lamp_changes_when_a_press_becomes_a_hold() -> None:
    seen = Watched(hold("Ben", "bid", 3000, 1500), 5000, step_ms=10)
    pressed, back, held, over = changes(seen, "Ben", 3000, 4500)
    assert pressed - 3000 < 100
    assert back - pressed == 70
    assert 3600 <= held < 3700
    assert over - held == 220


def fists(bids: dict[str, list[Edge]]) -> Watched:
    """All rap, count to three, and bid at once."""
    fists = {"Ada": 5000, "Ben": 5050, "Cleo": 5100}
    raps = [edge for seat, at in fists.items() for edge in tap(seat, "rap", at)]
    edges = [*tap("Ada", "rap", 2000), *raps, *(edge for one in bids.values() for edge in one)]
    return Watched(edges, 22_000, game="oh-shit", step_ms=10, turned_ms=3000)


@first_quick(
    "ada",
    [
        tap("Ada", "bid", 12_000, 3),
        hold("Ada", "bid", 12_000),
        tap("Ada", "bid", 12_000, 5),  # no such bid
        tap_and_hold("Ada", "bid", 12_000),  # no such gesture
    ],
    quick=2,
)
def test_until_all_are_in_the_lamps_tell_nothing_of_what_was_bid_at_once(ada: list[Edge]) -> None:
    def lamps(edges: list[Edge]) -> tuple[dict[str, list[int]], bool]:
        seen = fists({"Ada": edges, "Ben": tap("Ben", "bid", 12_100), "Cleo": tap("Cleo", "bid", 16_000)})
        return {name: changes(seen, name, 9_500, 16_050) for name in seen.lit}, bool(
            seen.events("bids_revealed")
        )

    shown, _ = lamps(ada)
    plain, revealed = lamps(tap("Ada", "bid", 12_000))
    assert revealed, "bids at once were made"
    assert shown == plain
    assert len(plain["Ada"]) == len(plain["Ben"]) == 2, "each has one answer, and all glow alike"


def test_a_seat_without_a_lamp_and_a_table_without_any_play_all_the_same() -> None:
    dark = SeatConfig("Ada", 0, bid=1, rap=2)
    seen = Watched(tap("Ada", "rap", 2000), 6000, seats=(dark, *THREE[1:]))
    assert list(seen.lit) == ["Ben", "Cleo"]
    assert seen.events("dealt")


THREE = (ADA, SeatConfig("Ben", 120, bid=4, rap=5, led=6), SeatConfig("Cleo", 240, bid=7, rap=8, led=9))


def test_when_the_game_ends_all_lamps_are_out() -> None:
    seen = Watched([], 2000)
    assert seen.lit["Ada"][0][1]
    assert seen.lamps_after == {"Ada": 0, "Ben": 0, "Cleo": 0}
