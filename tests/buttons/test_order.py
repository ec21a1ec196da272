"""Whatever the bounce, the order and the size of deliveries: the same calls, and the watermark keeps its word."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from table.buttons.calls_of_all_seats import Gestures
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import END_NS, MS, Call, Control, Edge
from tests.buttons.fingers import SEATS, bounced, calls_of, hear_all, hear_live

LATE_NS = 50 * MS


@st.composite
def evenings(draw: st.DrawFn) -> list[Edge]:
    """Clean presses on all lines, in the order of time on each line; lines overlap as they like."""
    edges: list[Edge] = []
    for seat in SEATS:
        for control in _controls(seat):
            t = draw(st.integers(0, 2_000 * MS))
            for _ in range(draw(st.integers(0, 6))):
                length = draw(st.one_of(st.integers(20, 140), st.integers(550, 2_300))) * MS
                gap = draw(st.one_of(st.integers(31, 520), st.integers(480, 3_000))) * MS
                edges += [Edge(t, seat.name, control, 1), Edge(t + length, seat.name, control, 0)]
                t += length + gap
    return sorted(edges, key=lambda edge: edge.t_ns)


def _controls(seat: SeatConfig) -> tuple[Control, ...]:
    return ("bid",) if seat.one_button else ("bid", "rap")


def stamps_and_meaning(calls: list[Call]) -> list[tuple[int, str, str, int]]:
    return [(call.t_ns, call.seat, call.gesture.value, call.count) for call in calls]


@given(evenings(), st.integers(0, 2**32))
def test_bounce_changes_no_call(edges: list[Edge], seed: int) -> None:
    assert hear_all(bounced(edges, random.Random(seed))) == hear_all(edges)


@given(evenings(), st.integers(0, 2**32))
def test_edges_delivered_up_to_50_ms_late_make_the_same_calls(edges: list[Edge], seed: int) -> None:
    rng = random.Random(seed)
    edges = bounced(edges, rng)
    shuffled = sorted(edges, key=lambda edge: edge.t_ns + rng.randrange(LATE_NS))
    assert calls_of(hear_live(shuffled)) == hear_all(edges)


@given(evenings(), st.integers(0, 2**32))
def test_the_size_of_deliveries_changes_no_call(edges: list[Edge], seed: int) -> None:
    rng = random.Random(seed)
    edges = sorted(bounced(edges, rng), key=lambda edge: edge.t_ns)
    gestures = Gestures(SEATS, ButtonsConfig())
    heard, rest = [], list(edges)
    while rest:
        chunk, rest = rest[: (size := rng.randrange(1, 12))], rest[size:]
        heard.append(gestures.process_edges(chunk, rest[0].t_ns if rest else chunk[-1].t_ns))
    heard.append(gestures.process_edges((), END_NS))
    assert calls_of(heard) == hear_all(edges)


@given(evenings(), st.integers(0, 2**32))
def test_no_call_is_ever_stamped_before_a_watermark_given_earlier(edges: list[Edge], seed: int) -> None:
    rng = random.Random(seed)
    edges = sorted(bounced(edges, rng), key=lambda edge: edge.t_ns + rng.randrange(LATE_NS))
    promised = -END_NS
    for heard in hear_live(edges, step_ns=7 * MS):
        assert all(call.t_ns >= promised for call in heard.calls)
        assert heard.until_ns >= promised
        promised = heard.until_ns


@given(
    st.lists(st.tuples(st.integers(0, 5_000 * MS), st.sampled_from(SEATS), st.integers(0, 1)), max_size=60)
)
def test_any_edges_at_all_are_read_without_breaking_a_promise(
    rows: list[tuple[int, SeatConfig, int]],
) -> None:
    rows.sort(key=lambda row: row[0])
    edges = [Edge(t, seat.name, "bid", level) for t, seat, level in rows]
    promised = -END_NS
    heard = hear_live(edges, step_ns=13 * MS)
    for part in heard:
        assert all(promised <= call.t_ns <= call.end_ns for call in part.calls)
        promised = part.until_ns
    assert calls_of(heard) == hear_all(edges)
