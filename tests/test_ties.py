"""Rulings depend on the stamps of the edges alone: not on when, in what order and in what portions they come."""

from __future__ import annotations

from typing import Any

import pytest

from table.observed_facts import MS, Edge
from tests.fingers import Watched, tap

OPENING = tap("Ada", "rap", 2000)


def ruled(edges: list[Edge], seed: int | None = None) -> list[dict[str, Any]]:
    seen = Watched(edges, 9000, game="whysteria", seed=seed)
    return [
        {key: value for key, value in line.items() if key != "decided_ns"}
        for line in seen.lines
        if line["event"] in ("bid", "bids_tied", "bid_refused")
    ]


@pytest.mark.parametrize(
    ("apart_ms", "tied"), [(0.001, True), (29.9, True), (29.999999, True), (30.0, False), (30.1, False)]
)
@pytest.mark.parametrize("first", ["Ben", "Cleo"])
def test_the_tie_window_is_judged_to_the_nanosecond_however_late_the_edges_come(
    first: str, apart_ms: float, tied: bool
) -> None:
    second = "Cleo" if first == "Ben" else "Ben"
    edges = [*OPENING, *tap(first, "bid", 6000), *tap(second, "bid", 6000 + apart_ms, 2)]
    plain = ruled(edges)
    if tied:
        (line,) = plain
        assert (line["event"], line["seats"]) == ("bids_tied", [first, second])
        assert line["spread_ns"] == round(apart_ms * MS)
    else:
        assert [(line["event"], line["seat"], line["bid"]) for line in plain] == [
            ("bid", first, 1),
            ("bid", second, 2),
        ]
    for seed in range(2):
        assert ruled(edges, seed) == plain


def test_equal_stamps_are_a_tie_in_seat_order() -> None:
    edges = [*OPENING, *tap("Cleo", "bid", 6000), *tap("Ben", "bid", 6000)]
    (line,) = ruled(edges)
    assert (line["event"], line["seats"], line["spread_ns"]) == ("bids_tied", ["Ben", "Cleo"], 0)
