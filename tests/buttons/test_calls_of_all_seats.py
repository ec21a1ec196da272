from __future__ import annotations

import pytest

from table.buttons.calls_of_all_seats import Gestures
from table.buttons.gestures_of_one_seat import FeedbackKind
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import END_NS, MS, Call, Control, Edge, Gesture
from tests.buttons.fingers import KNOCK, ONE, SEATS, TWO, calls_of, hear_all, hear_live, press, presses

Span = tuple[float, float]
TAP: Span = (0, 80)


def taps(count: int, gap_ms: float = 200, length_ms: float = 80) -> list[Span]:
    return [(number * gap_ms, number * gap_ms + length_ms) for number in range(count)]


def said(calls: list[Call]) -> list[tuple[float, Gesture, int]]:
    return [(call.t_ns / MS, call.gesture, call.count) for call in calls]


BID_ALONE: list[tuple[str, SeatConfig, list[Span], list[tuple[float, Gesture, int]]]] = [
    ("a tap bids one", TWO, [TAP], [(0, Gesture.TAPS, 1)]),
    ("seven taps bid seven", TWO, taps(7), [(0, Gesture.TAPS, 7)]),
    ("taps 499 ms apart are one burst", TWO, taps(2, 499), [(0, Gesture.TAPS, 2)]),
    ("taps 501 ms apart are two", TWO, taps(2, 501), [(0, Gesture.TAPS, 1), (501, Gesture.TAPS, 1)]),
    ("taps 500 ms apart are two", TWO, taps(2, 500), [(0, Gesture.TAPS, 1), (500, Gesture.TAPS, 1)]),
    ("the gap counts from the last press", TWO, taps(3, 450), [(0, Gesture.TAPS, 3)]),
    ("599 ms are a tap", TWO, [(0, 599)], [(0, Gesture.TAPS, 1)]),
    ("600 ms are a hold", TWO, [(0, 600)], [(0, Gesture.ZERO, 0)]),
    ("601 ms are a hold", TWO, [(0, 601)], [(0, Gesture.ZERO, 0)]),
    ("two buttons: BID held long is still zero", TWO, [(0, 3000)], [(0, Gesture.ZERO, 0)]),
    ("two buttons: tap then hold is nothing", TWO, [TAP, (200, 900)], [(0, Gesture.UNKNOWN, 0)]),
    ("two buttons: three taps then hold", TWO, [*taps(3), (600, 1300)], [(0, Gesture.UNKNOWN, 0)]),
    (
        "a slow tap outlasts the gap and ends its burst",
        TWO,
        [(0, 550), (580, 660)],
        [(0, Gesture.TAPS, 1), (580, Gesture.TAPS, 1)],
    ),
    (
        "no burst ends while the button is down",
        TWO,
        [(0, 80), (450, 1000), (1030, 1110)],
        [(0, Gesture.TAPS, 2), (1030, Gesture.TAPS, 1)],
    ),
    ("one button: taps", ONE, taps(3), [(0, Gesture.TAPS, 3)]),
    ("one button: tap then hold", ONE, [TAP, (200, 801)], [(0, Gesture.ZERO, 1)]),
    ("one button: tap then 599 ms", ONE, [TAP, (200, 799)], [(0, Gesture.TAPS, 2)]),
    ("one button: tap then a very long hold", ONE, [TAP, (200, 2900)], [(0, Gesture.ZERO, 1)]),
    ("one button: hold", ONE, [(0, 601)], [(0, Gesture.RAP, 0)]),
    ("one button: 599 ms", ONE, [(0, 599)], [(0, Gesture.TAPS, 1)]),
    ("one button: 1999 ms", ONE, [(0, 1999)], [(0, Gesture.RAP, 0)]),
    ("one button: 2000 ms", ONE, [(0, 2000)], [(0, Gesture.WRONG, 0)]),
    ("one button: three taps then hold", ONE, [*taps(3), (600, 1300)], [(0, Gesture.DOUBLE_NIL, 0)]),
    ("one button: two taps then hold", ONE, [*taps(2), (400, 1100)], [(0, Gesture.UNKNOWN, 0)]),
    ("one button: four taps then hold", ONE, [*taps(4), (800, 1500)], [(0, Gesture.UNKNOWN, 0)]),
    ("knock: hold", KNOCK, [(0, 700)], [(0, Gesture.ZERO, 0)]),
    ("knock: BID held 1999 ms", KNOCK, [(0, 1999)], [(0, Gesture.ZERO, 0)]),
    ("knock: BID held 2001 ms", KNOCK, [(0, 2001)], [(0, Gesture.WRONG, 0)]),
    ("knock: three taps then hold", KNOCK, [*taps(3), (600, 1300)], [(0, Gesture.DOUBLE_NIL, 0)]),
    ("knock: tap then hold", KNOCK, [TAP, (200, 900)], [(0, Gesture.UNKNOWN, 0)]),
]

RAP_ALONE: list[tuple[str, SeatConfig, list[Span], list[tuple[float, Gesture, int]]]] = [
    ("a rap", TWO, [TAP], [(0, Gesture.RAP, 0)]),
    ("a held rap is a rap", TWO, [(0, 1999)], [(0, Gesture.RAP, 0)]),
    ("RAP held 2 s", TWO, [(0, 2000)], [(0, Gesture.WRONG, 0)]),
    ("raps 499 ms apart are one", TWO, taps(2, 499), [(0, Gesture.RAP, 0)]),
    ("raps 501 ms apart are two", TWO, taps(2, 501), [(0, Gesture.RAP, 0), (501, Gesture.RAP, 0)]),
    ("each rap within the gap of the last", TWO, taps(4, 400), [(0, Gesture.RAP, 0)]),
    (
        "a rap, then at once a long hold",
        TWO,
        [TAP, (300, 2400)],
        [(0, Gesture.RAP, 0), (300, Gesture.WRONG, 0)],
    ),
    ("a knock", KNOCK, [(0, 8)], [(0, Gesture.RAP, 0)]),
    ("a knock sensor's output that hangs for 2.5 s", KNOCK, [(0, 2500)], [(0, Gesture.RAP, 0)]),
    ("knocks 499 ms apart are one", KNOCK, taps(2, 499, 8), [(0, Gesture.RAP, 0)]),
    ("knocks 501 ms apart", KNOCK, taps(2, 501, 8), [(0, Gesture.RAP, 0), (501, Gesture.RAP, 0)]),
]

BOTH: list[tuple[str, SeatConfig, list[Span], list[Span], list[tuple[float, Gesture, int]]]] = [
    ("both held", TWO, [(0, 700)], [(30, 720)], [(0, Gesture.DOUBLE_NIL, 0)]),
    ("both held, RAP first", TWO, [(40, 700)], [(0, 690)], [(0, Gesture.DOUBLE_NIL, 0)]),
    ("both held 601 ms", TWO, [(0, 601)], [(10, 611)], [(0, Gesture.DOUBLE_NIL, 0)]),
    ("both, one of them 599 ms", TWO, [(0, 700)], [(10, 609)], [(0, Gesture.UNKNOWN, 0)]),
    ("both held for 3 s", TWO, [(0, 3000)], [(10, 3000)], [(0, Gesture.DOUBLE_NIL, 0)]),
    ("both tapped: no bid, no rap", TWO, [TAP], [(20, 90)], [(0, Gesture.UNKNOWN, 0)]),
    ("a rap while BID is held: no bid 0, no rap", TWO, [(0, 900)], [(300, 380)], [(0, Gesture.UNKNOWN, 0)]),
    ("taps while RAP is down", TWO, [(200, 280), (400, 480)], [(0, 900)], [(0, Gesture.UNKNOWN, 0)]),
    ("RAP held for 2 s, BID touched", TWO, [(2100, 2150)], [(0, 2300)], [(0, Gesture.UNKNOWN, 0)]),
    ("taps, then both", TWO, [*taps(2), (400, 1100)], [(410, 1100)], [(0, Gesture.UNKNOWN, 0)]),
    (
        "taps after both belong to the burst that means nothing",
        TWO,
        [(0, 80), (200, 280)],
        [(10, 90)],
        [(0, Gesture.UNKNOWN, 0)],
    ),
    (
        "a rap after both were up is a rap",
        TWO,
        [(0, 100)],
        [(10, 110), (300, 380)],
        [(0, Gesture.UNKNOWN, 0), (300, Gesture.RAP, 0)],
    ),
    ("a rap amid taps", TWO, taps(3, 300), [(400, 480)], [(0, Gesture.TAPS, 3), (400, Gesture.RAP, 0)]),
    ("a rap right after the tap", TWO, [(0, 80)], [(80, 150)], [(0, Gesture.TAPS, 1), (80, Gesture.RAP, 0)]),
    ("a rap, then taps", TWO, [(200, 280)], [(0, 80)], [(0, Gesture.RAP, 0), (200, Gesture.TAPS, 1)]),
    ("knock: BID pressed so hard that it knocks", KNOCK, [(0, 80)], [(1, 9)], [(0, Gesture.TAPS, 1)]),
    ("knock: a knock while BID is held", KNOCK, [(0, 900)], [(300, 320)], [(0, Gesture.ZERO, 0)]),
    (
        "knock: a knock between taps",
        KNOCK,
        taps(2),
        [(120, 130)],
        [(0, Gesture.TAPS, 2), (120, Gesture.RAP, 0)],
    ),
]


@pytest.mark.parametrize(("name", "seat", "spans", "expected"), BID_ALONE, ids=[row[0] for row in BID_ALONE])
def test_presses_of_bid_mean(
    name: str, seat: SeatConfig, spans: list[Span], expected: list[tuple[float, Gesture, int]]
) -> None:
    assert said(hear_all(presses(seat, "bid", *spans))) == expected


@pytest.mark.parametrize(("name", "seat", "spans", "expected"), RAP_ALONE, ids=[row[0] for row in RAP_ALONE])
def test_presses_of_rap_mean(
    name: str, seat: SeatConfig, spans: list[Span], expected: list[tuple[float, Gesture, int]]
) -> None:
    assert said(hear_all(presses(seat, "rap", *spans))) == expected


@pytest.mark.parametrize(("name", "seat", "bid", "rap", "expected"), BOTH, ids=[row[0] for row in BOTH])
def test_both_lines_mean(
    name: str, seat: SeatConfig, bid: list[Span], rap: list[Span], expected: list[tuple[float, Gesture, int]]
) -> None:
    assert said(hear_all([*presses(seat, "bid", *bid), *presses(seat, "rap", *rap)])) == expected


def test_a_knock_that_rings_for_60_ms_is_one_rap_and_its_ringing_joins_no_later_knock() -> None:
    ringing = [(ms, ms + 7.0) for ms in (9000.0, 9019.0, 9038.0, 9057.0)]
    again = [(501 + down, 501 + up) for down, up in ringing]
    assert said(hear_all(presses(KNOCK, "rap", *ringing, *again))) == [
        (9000, Gesture.RAP, 0),
        (9501, Gesture.RAP, 0),
    ]


def test_a_burst_is_known_when_its_gap_is_over_and_a_rap_when_let_go() -> None:
    edges = [*press(TWO, "bid", 100, 180), *press(TWO, "rap", 2000, 2090), *press(ONE, "bid", 4000, 4700)]
    assert [call.end_ns // MS for call in hear_all(edges)] == [600, 2090, 4700]


def test_the_times_of_the_file_hold() -> None:
    config = ButtonsConfig(tap_gap_ms=300, hold_ms=1000, wrong_ms=1500, debounce_ms=20)
    edges = [*presses(TWO, "bid", (0, 80), (299, 380)), *presses(TWO, "bid", (1000, 1999))]
    edges += [*press(TWO, "rap", 4000, 5500), *press(TWO, "bid", 7000, 8000)]
    assert said(hear_all(edges, config=config)) == [
        (0, Gesture.TAPS, 2),
        (1000, Gesture.TAPS, 1),
        (4000, Gesture.WRONG, 0),
        (7000, Gesture.ZERO, 0),
    ]


def test_seven_seats_at_once_are_told_apart_to_the_nanosecond() -> None:
    seats = tuple(SeatConfig(f"P{number}", number * 51.0, bid=number, rap=20 + number) for number in range(7))
    first = {seat.name: 10**9 + (number * 5 % 7) for number, seat in enumerate(seats)}
    edges = []
    for number, seat in enumerate(seats):
        for tap in range(number + 1):
            at = first[seat.name] + tap * 150 * MS
            edges += [Edge(at, seat.name, "bid", 1), Edge(at + 70 * MS, seat.name, "bid", 0)]
    calls = hear_all(edges, seats)
    assert [call.t_ns for call in calls] == sorted(first.values())
    assert {call.seat: call.count for call in calls} == {f"P{number}": number + 1 for number in range(7)}
    assert {call.seat: call.t_ns for call in calls} == first


def test_equal_stamps_stand_in_seat_order() -> None:
    edges = [edge for seat in reversed(SEATS) for edge in press(seat, "bid", 5, 80)]
    assert [call.seat for call in hear_all(edges)] == [seat.name for seat in SEATS]


@pytest.mark.parametrize("bounces_first", [False, True])
def test_a_tie_is_judged_by_the_very_first_edge_however_the_contacts_bounce(bounces_first: bool) -> None:
    clean = [*press(TWO, "bid", 100, 180), *press(ONE, "bid", 100.001, 190)]
    seat = TWO if bounces_first else ONE
    start = min(edge.t_ns for edge in clean if edge.seat == seat.name)
    train = [Edge(start + 900_000 + n * 70_001, seat.name, "bid", n % 2) for n in range(40)]
    calls = hear_all([*clean, *train, Edge(start + 4_500_000, seat.name, "bid", 1)])
    assert [(call.t_ns, call.seat) for call in calls] == [(100 * MS, "Ada"), (100 * MS + 1000, "Ben")]


def test_a_seat_taps_until_its_burst_has_ended() -> None:
    gestures = Gestures(SEATS, ButtonsConfig())
    gestures.process_edges(press(ONE, "bid", 100, 180), 100 * MS)
    assert gestures.taps_under_way() == {}
    gestures.process_edges((), 110 * MS)
    assert set(gestures.taps_under_way()) == {"Ben"}
    assert gestures.process_edges((), 604 * MS).calls == ()
    assert set(gestures.taps_under_way()) == {"Ben"}
    assert len(gestures.process_edges((), 606 * MS).calls) == 1
    assert gestures.taps_under_way() == {}


def test_the_watermark_waits_at_the_first_edge_of_an_open_burst() -> None:
    gestures = Gestures(SEATS, ButtonsConfig())
    assert gestures.process_edges(press(ONE, "bid", 100, 180), 90 * MS).until_ns == 85 * MS
    assert gestures.process_edges((), 400 * MS).until_ns == 100 * MS
    assert gestures.process_edges((), 700 * MS).until_ns == 695 * MS
    assert gestures.process_edges((), END_NS).until_ns == END_NS


def test_an_edge_that_comes_too_late_still_moves_its_button_and_breaks_no_promise() -> None:
    gestures = Gestures(SEATS, ButtonsConfig())
    down, up = press(TWO, "rap", 100, 180)
    gestures.process_edges([down], 150 * MS)
    gestures.process_edges([], 400 * MS)
    heard = gestures.process_edges([up], 500 * MS)
    assert [(call.gesture, call.t_ns) for call in heard.calls] == [(Gesture.RAP, 100 * MS)]


def signs(edges: list[Edge]) -> list[tuple[float, str, FeedbackKind]]:
    receipts = [receipt for heard in hear_live(edges) for receipt in heard.feedback]
    return [(receipt.t_ns / MS, receipt.seat, receipt.kind) for receipt in receipts]


def test_the_lamp_answers_each_press_and_shows_when_a_press_becomes_a_hold() -> None:
    assert signs(presses(TWO, "bid", (0, 80), (200, 280))) == [
        (0, "Ada", FeedbackKind.PRESS),
        (200, "Ada", FeedbackKind.PRESS),
    ]
    assert signs(press(TWO, "bid", 0, 2500)) == [
        (0, "Ada", FeedbackKind.PRESS),
        (600, "Ada", FeedbackKind.HOLD),
    ]
    long = [FeedbackKind.PRESS, FeedbackKind.HOLD, FeedbackKind.LONG]
    for seat, control in ((TWO, "rap"), (ONE, "bid"), (KNOCK, "bid")):
        assert signs(press(seat, control, 0, 2500)) == [  # type: ignore[arg-type]
            (at, seat.name, sign) for at, sign in zip((0, 600, 2000), long, strict=True)
        ]


def test_the_lamp_refuses_what_means_nothing_and_shows_one_sign_for_a_ringing_knock() -> None:
    assert signs(presses(TWO, "bid", (0, 80), (200, 850)))[-1] == (850, "Ada", FeedbackKind.REFUSED)
    assert signs(presses(KNOCK, "rap", (0, 7), (19, 26), (38, 45))) == [(0, "Cleo", FeedbackKind.PRESS)]


def test_lines_that_the_table_has_not_are_not_heard() -> None:
    strange: list[tuple[str, Control]] = [("Nobody", "bid"), ("Ben", "rap")]
    assert hear_all([Edge(10 * MS, seat, control, 1) for seat, control in strange]) == []


def test_calls_in_a_delivery_stand_in_the_order_of_their_stamps() -> None:
    edges = [*press(TWO, "bid", 100, 180), *press(TWO, "rap", 300, 380), *press(ONE, "bid", 50, 120)]
    assert hear_all(edges) == calls_of(hear_live(sorted(edges, key=lambda edge: edge.t_ns)))
