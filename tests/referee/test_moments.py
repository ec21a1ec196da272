"""Moments: what of the last decisions is shown large, from when, for how long, and what ends it."""

from __future__ import annotations

from typing import Any

import pytest

from table.observed_facts import MS
from table.referee.model.moments import DURATIONS_NS, find_moments
from tests.fingers import Watched, hold, tap

KNOWN_NS = 5_000 * MS


def lines(*events: tuple[str, dict[str, Any]], decided_ns: int = KNOWN_NS) -> list[dict[str, Any]]:
    return [
        {"seq": number, "t_ns": decided_ns - MS, "decided_ns": decided_ns, "event": event, **fields}
        for number, (event, fields) in enumerate(events, start=1)
    ]


def spans(found: tuple[Any, ...]) -> list[tuple[str, int, int]]:
    """Each moment's kind, and its beginning and end in milliseconds after the decision."""
    return [(one.kind, (one.since_ns - KNOWN_NS) // MS, (one.until_ns - KNOWN_NS) // MS) for one in found]


def test_a_moment_lasts_from_its_decision_for_its_time() -> None:
    turned_over = lines(("bids_revealed", {"bids": {"Ada": 1}}), ("bid", {"seat": "Ada", "bid": 1}))
    assert spans(find_moments(turned_over)) == [("bids_revealed", 0, 3_000)]


def test_a_press_or_card_ends_the_moment_in_which_it_comes_and_none_before_or_after() -> None:
    scored = lines(("hand_scored", {}), ("game_over", {"winners": ["Ada"]}))
    whole, podium = (DURATIONS_NS[kind] // MS for kind in ("hand_scored", "game_over"))
    assert spans(find_moments(scored)) == [
        ("hand_scored", 0, whole),
        ("game_over", whole, whole + podium),
    ]
    early = KNOWN_NS - 10 * MS
    acts = [early, KNOWN_NS, KNOWN_NS + 700 * MS]
    assert spans(find_moments(scored, acts)) == [("hand_scored", 0, 700), ("game_over", 700, 700 + podium)]
    acts.append(KNOWN_NS + 900 * MS)
    assert spans(find_moments(scored, acts)) == [("hand_scored", 0, 700), ("game_over", 700, 900)]


def test_a_game_that_nobody_has_won_has_no_podium() -> None:
    assert find_moments(lines(("game_over", {"winners": [], "ended": True}))) == ()


def test_what_is_decided_later_ends_a_moment_but_not_a_card_taken_back_or_a_question() -> None:
    tied = lines(("leads_tied", {"kept": None, "taken_back": []}))
    picture_of = {1: b"picture"}.get
    (before,) = find_moments(tied, picture_of=picture_of)
    assert before.picture == b"picture"
    done = {"seq": 2, "t_ns": KNOWN_NS + MS, "decided_ns": KNOWN_NS + 9 * MS, "seat": "Ada", "card": "AS"}
    taken_back = [*tied, {**done, "event": "card_taken_back"}]
    assert find_moments(taken_back, picture_of=picture_of) == (before,)
    assert find_moments([*tied, {**done, "event": "card_played"}], picture_of=picture_of) == ()


def test_tied_leads_without_a_picture_are_no_moment() -> None:
    assert find_moments(lines(("leads_tied", {"kept": None, "taken_back": []}))) == ()


def test_what_a_correction_writes_again_is_no_moment() -> None:
    assert find_moments(lines(("corrected", {"since": 3}), ("hand_scored", {}))) == ()


@pytest.mark.parametrize(
    ("fields", "presses"),
    [
        ({"seats": ["Ada", "Ben"], "spread_ns": 7}, (("Ada", KNOWN_NS - MS), ("Ben", KNOWN_NS - MS + 7))),
        ({"seats": ["Ada", "Ben", "Cleo"], "spread_ns": 7}, None),
        (
            {"seats": ["Ada", "Ben", "Cleo"], "spread_ns": 7, "presses_ns": [1, 2, 8]},
            (("Ada", 1), ("Ben", 2), ("Cleo", 8)),
        ),
    ],
)
def test_tied_presses_are_those_of_the_line_also_of_a_journal_from_before(
    fields: dict[str, Any], presses: tuple[Any, ...] | None
) -> None:
    found = find_moments(lines(("bids_tied", fields)))
    assert [one.presses for one in found] == ([presses] if presses is not None else [])


# --- through the whole pipeline --------------------------------------------------------------------------------------

OPENING = tap("Ada", "rap", 2000)


def test_bids_close_together_are_shown_with_their_presses_until_somebody_presses() -> None:
    edges = [*OPENING, *tap("Ben", "bid", 6000), *tap("Cleo", "bid", 6210)]
    (came, kind), (went, none) = Watched(edges, 14_000, game="whysteria").shown
    assert (kind, none) == ("bid", None)
    assert 0 <= went - came - DURATIONS_NS["bid"] // MS <= 20
    edges += hold("Ada", "bid", came + 1000)
    began, ended, *_ = Watched(edges, 14_000, game="whysteria").shown
    assert began == (came, "bid")
    # The press itself ends it, not its burst's end.
    assert ended[1] is None
    assert 1000 <= ended[0] - came <= 1100


def test_no_press_and_no_moment_changes_what_is_decided_or_when() -> None:
    edges = [*OPENING, *tap("Ben", "bid", 6000), *tap("Cleo", "bid", 6010), *tap("Ben", "bid", 8000)]
    with_moments, without = (Watched(edges, 12_000, game="whysteria", moments=on) for on in (True, False))
    assert with_moments.lines == without.lines
    assert with_moments.lit == without.lit
    (tied,) = (line for line in with_moments.lines if line["event"] == "bids_tied")
    assert tied["presses_ns"] == [6_000 * MS, 6_010 * MS]
    assert [kind for _, kind in with_moments.shown if kind] == ["bids_tied"]
    assert without.shown == []


def test_bids_made_at_once_are_turned_over_together_for_three_seconds_and_not_before_all_are_in() -> None:
    raps = [
        edge for at, seat in enumerate(("Ada", "Ben", "Cleo")) for edge in tap(seat, "rap", 5000 + 50 * at)
    ]
    early = [*tap("Ada", "rap", 2000), *raps, *tap("Ada", "bid", 12_000), *tap("Ben", "bid", 12_100)]
    waiting = Watched(early, 22_000, game="oh-shit", turned_ms=3000)
    assert waiting.shown == []
    edges = [*early, *tap("Cleo", "bid", 16_000)]
    (came, kind), (went, none) = Watched(edges, 22_000, game="oh-shit", turned_ms=3000).shown
    assert (kind, none) == ("bids_revealed", None)
    assert came >= 16_000
    assert 3_000 <= went - came <= 3_020
