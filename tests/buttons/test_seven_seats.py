"""Seven players who press at once, at the very edges of the times, with bouncing contacts: against what they meant."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from table.buttons.calls_of_all_seats import Gestures
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import END_NS, MS, Call, Control, Edge, Gesture
from tests.buttons.fingers import bounced

SEATS = tuple(
    SeatConfig(
        f"P{number}",
        number * 51.0,
        bid=number,
        rap=None if number % 3 == 1 else 20 + number,
        knock=number % 3 == 2,
    )
    for number in range(7)
)
"""Two buttons, one button, a button and a knock sensor, two buttons, ..."""
LATE_NS = 50 * MS

Meant = tuple[int, str, Gesture, int]
"""First edge, seat, gesture, count."""
Spans = list[tuple[Control, int, int]]
"""Presses: which line, from when to when, in ms after the gesture's first edge."""


def tapped(draw: st.DrawFn, count: int) -> tuple[Spans, int]:
    """Taps of BID, and when a press that belongs to them may begin at the latest."""
    spans: Spans = []
    at = 0
    for _ in range(count):
        spans.append(("bid", at, at + draw(st.sampled_from((25, 80, 140)))))
        at += draw(st.sampled_from((170, 260, 499)))
    return spans, at


def held(draw: st.DrawFn, shortest: int, longest: int) -> int:
    return draw(st.sampled_from((shortest, shortest + 1, (shortest + longest) // 2, longest)))


def of_two(draw: st.DrawFn) -> tuple[Spans, Gesture, int]:
    what = draw(
        st.sampled_from(("taps", "slow tap", "zero", "rap", "wrong", "double nil", "both", "nothing"))
    )
    if what == "slow tap":
        return [("bid", 0, 599)], Gesture.TAPS, 1
    if what == "zero":
        return [("bid", 0, held(draw, 600, 3000))], Gesture.ZERO, 0
    if what == "rap":
        return [("rap", 0, held(draw, 20, 1999))], Gesture.RAP, 0
    if what == "wrong":
        return [("rap", 0, held(draw, 2000, 4000))], Gesture.WRONG, 0
    if what == "double nil":
        return (
            [("bid", 0, held(draw, 660, 900)), ("rap", 59, 59 + held(draw, 600, 900))],
            Gesture.DOUBLE_NIL,
            0,
        )
    if what == "both":
        return [("rap", 0, 90), ("bid", 40, 120)], Gesture.UNKNOWN, 0
    spans, at = tapped(draw, 1 if what == "nothing" else (count := draw(st.integers(1, 7))))
    if what == "nothing":
        return [*spans, ("bid", at, at + held(draw, 600, 900))], Gesture.UNKNOWN, 0
    return spans, Gesture.TAPS, count


def of_one(draw: st.DrawFn) -> tuple[Spans, Gesture, int]:
    what = draw(st.sampled_from(("taps", "zero", "rap", "wrong", "double nil", "nothing")))
    if what == "rap":
        return [("bid", 0, held(draw, 600, 1999))], Gesture.RAP, 0
    if what == "wrong":
        return [("bid", 0, held(draw, 2000, 4000))], Gesture.WRONG, 0
    taps = {"zero": 1, "double nil": 3, "nothing": 2}.get(what) or draw(st.integers(1, 7))
    spans, at = tapped(draw, taps)
    if what == "taps":
        return spans, Gesture.TAPS, taps
    meant = {"zero": Gesture.ZERO, "double nil": Gesture.DOUBLE_NIL, "nothing": Gesture.UNKNOWN}[what]
    return [*spans, ("bid", at, at + held(draw, 600, 900))], meant, int(meant is Gesture.ZERO)


def of_knock(draw: st.DrawFn) -> tuple[Spans, Gesture, int]:
    what = draw(st.sampled_from(("taps", "zero", "rap", "wrong", "double nil", "nothing")))
    if what == "rap":
        return [("rap", at, at + 8) for at in range(0, 20 * draw(st.integers(1, 4)), 20)], Gesture.RAP, 0
    if what == "zero":
        return [("bid", 0, held(draw, 600, 1999))], Gesture.ZERO, 0
    if what == "wrong":
        return [("bid", 0, held(draw, 2000, 4000))], Gesture.WRONG, 0
    taps = {"double nil": 3, "nothing": 1}.get(what) or draw(st.integers(1, 7))
    spans, at = tapped(draw, taps)
    if what == "taps":
        return spans, Gesture.TAPS, taps
    meant = Gesture.DOUBLE_NIL if what == "double nil" else Gesture.UNKNOWN
    return [*spans, ("bid", at, at + held(draw, 600, 900))], meant, 0


KINDS: tuple[Callable[[st.DrawFn], tuple[Spans, Gesture, int]], ...] = (of_two, of_one, of_knock)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[Edge], list[Meant]]:
    """All seven begin within a few nanoseconds; each goes on as soon as it is a gesture of its own."""
    edges: list[Edge] = []
    meant: list[Meant] = []
    for number, seat in enumerate(SEATS):
        at_ns = 1000 * MS + draw(st.integers(0, 3))
        for _ in range(draw(st.integers(1, 3))):
            spans, gesture, count = KINDS[number % 3](draw)
            for control, down, up in spans:
                edges += [
                    Edge(at_ns + down * MS, seat.name, control, 1),
                    Edge(at_ns + up * MS, seat.name, control, 0),
                ]
            meant.append((at_ns, seat.name, gesture, count))
            last_down, last_up = max(down for _, down, _ in spans), max(up for _, _, up in spans)
            at_ns += max(last_down + draw(st.sampled_from((500, 501))), last_up + 31) * MS
    names = [seat.name for seat in SEATS]
    return edges, sorted(meant, key=lambda one: (one[0], names.index(one[1])))


def rows_of(calls: list[Call]) -> list[Meant]:
    names = [seat.name for seat in SEATS]
    calls.sort(key=lambda call: (call.t_ns, names.index(call.seat)))
    return [(call.t_ns, call.seat, call.gesture, call.count) for call in calls]


@given(rounds(), st.integers(0, 2**32))
def test_seven_at_once_are_all_understood_through_their_bounces(
    pressed: tuple[list[Edge], list[Meant]], seed: int
) -> None:
    edges, meant = pressed
    rng = random.Random(seed)
    edges = bounced(edges, rng)
    assert rows_of(list(Gestures(SEATS, ButtonsConfig()).process_edges(edges, END_NS).calls)) == meant

    live = Gestures(SEATS, ButtonsConfig())
    calls: list[Call] = []
    now = 0
    for due, edge in sorted(
        ((edge.t_ns + rng.randrange(LATE_NS), edge) for edge in edges), key=lambda one: one[0]
    ):
        now = max(now, due)
        calls += live.process_edges((edge,), now - LATE_NS).calls
    calls += live.process_edges((), END_NS).calls
    assert rows_of(calls) == meant
