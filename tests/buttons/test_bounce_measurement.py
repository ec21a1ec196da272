"""Contacts that bounce for long, lose touch under the finger, or catch a spike: against what the fingers did."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from table.buttons.bounce_measurement import BounceMeter
from table.buttons.calls_of_all_seats import Gestures
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import END_NS, MS, Call, Control, Edge, Gesture
from table.sources.recordings.recording import open_recording
from tests.buttons.fingers import KNOCK, ONE, SEATS, TWO, calls_of, hear_all, hear_live, press, presses

RECORDING = Path(__file__).parents[1] / "recordings" / "virtual-3"


def touch(seat: SeatConfig, control: Control, at_ms: float, length_ms: float) -> list[Edge]:
    return press(seat, control, at_ms, at_ms + length_ms)


def bouncing(edges: list[Edge], rng: random.Random, longest_ms: float) -> list[Edge]:
    """The same edges, each followed by bounces at any moment within ``longest_ms``, however far apart they are."""
    trains: list[Edge] = []
    for edge in edges:
        count = 2 * rng.randrange(1, 6)
        stamps = sorted(rng.randrange(20_000, round(longest_ms * MS)) for _ in range(count))
        trains.append(edge)
        for number, after in enumerate(stamps):
            level = edge.level if number % 2 else 1 - edge.level
            trains.append(Edge(edge.t_ns + after, edge.seat, edge.control, level))
    return trains


def said(calls: list[Call]) -> list[tuple[float, Gesture, int]]:
    return [(call.t_ns / MS, call.gesture, call.count) for call in calls]


@pytest.mark.parametrize("longest_ms", [1, 3, 5, 8, 12, 16, 20])
def test_200_of_200_double_taps_are_two_whatever_the_contact_bounces(longest_ms: float) -> None:
    rng = random.Random(round(longest_ms))
    wrong = []
    for number in range(200):
        down, gap = rng.uniform(60, 140), rng.uniform(60, 200)
        again = 1000 + down + gap
        edges = presses(TWO, "bid", (1000, 1000 + down), (again, again + rng.uniform(60, 140)))
        if said(hear_all(bouncing(edges, rng, longest_ms))) != [(1000, Gesture.TAPS, 2)]:
            wrong.append(number)
    assert wrong == []


@pytest.mark.parametrize("longest_ms", [3, 12, 20])
def test_a_held_button_is_held_whatever_its_contact_bounces(longest_ms: float) -> None:
    rng = random.Random(7)
    for _ in range(100):
        edges = [
            *press(TWO, "bid", 1000, 1700),
            *press(ONE, "bid", 1000, 1700),
            *press(TWO, "rap", 3000, 5100),
        ]
        assert said(hear_all(bouncing(edges, rng, longest_ms))) == [
            (1000, Gesture.ZERO, 0),
            (1000, Gesture.RAP, 0),
            (3000, Gesture.WRONG, 0),
        ]


@pytest.mark.parametrize("length_ms", [0.3, 3, 15])
@pytest.mark.parametrize("after_ms", [6, 8, 12, 20, 24])
def test_a_press_that_begins_shortly_after_a_release_is_its_bounce(after_ms: float, length_ms: float) -> None:
    for seat in (TWO, ONE):
        edges = [*press(seat, "bid", 1000, 1080), *touch(seat, "bid", 1080 + after_ms, length_ms)]
        assert said(hear_all(edges)) == [(1000, Gesture.TAPS, 1)]


@pytest.mark.parametrize(
    ("down_ns", "up_ns"),
    [(1002717386252, 1002717686252), (1002198884212, 1002198904212)],
    ids=["8 ms after a release", "a spike"],
)
def test_a_touch_of_no_finger_changes_no_call_of_a_recording(down_ns: int, up_ns: int) -> None:
    recording = open_recording(RECORDING)
    seats, edges = recording.config.seats, [edge for _, edge in recording.edges]
    touched = [*edges, Edge(down_ns, "Ada", "bid", 1), Edge(up_ns, "Ada", "bid", 0)]
    assert hear_all(touched, seats) == hear_all(edges, seats)


def test_a_press_50_ms_after_a_release_counts() -> None:
    edges = presses(TWO, "bid", (1000, 1060), (1110, 1170), (1220, 1280))
    assert said(hear_all(edges)) == [(1000, Gesture.TAPS, 3)]


def test_how_long_a_release_may_bounce_is_a_key_of_its_own() -> None:
    edges = [*press(TWO, "bid", 1000, 1080), *touch(TWO, "bid", 1112, 3)]
    assert [call.count for call in hear_all(edges)] == [2]
    assert [call.count for call in hear_all(edges, config=ButtonsConfig(release_ms=40))] == [1]


def test_a_contact_lost_for_15_ms_under_a_finger_stays_pressed() -> None:
    edges = presses(TWO, "bid", (1000, 1300), (1315, 1700))
    assert said(hear_all(edges)) == [(1000, Gesture.ZERO, 0)]


@pytest.mark.parametrize("length_ms", [0.002, 0.02, 0.3, 0.9])
def test_a_spike_on_a_button_is_no_press(length_ms: float) -> None:
    lines: list[tuple[SeatConfig, Control]] = [(TWO, "bid"), (TWO, "rap"), (ONE, "bid"), (KNOCK, "bid")]
    edges = [edge for seat, control in lines for edge in touch(seat, control, 1000, length_ms)]
    edges += [edge for seat, control in lines for edge in touch(seat, control, 1003, length_ms)]
    heard = hear_live(edges, step_ns=5 * MS)
    assert calls_of(heard) == []
    assert [receipt for part in heard for receipt in part.feedback] == []


def test_spikes_between_taps_add_nothing_to_the_bid() -> None:
    taps = presses(TWO, "bid", (1000, 1080), (1200, 1280))
    spikes = [edge for at in (1140, 1170, 1400) for edge in touch(TWO, "bid", at, 0.02)]
    assert said(hear_all([*taps, *spikes])) == [(1000, Gesture.TAPS, 2)]


def test_a_short_pulse_of_a_knock_sensor_is_a_knock() -> None:
    assert said(hear_all(touch(KNOCK, "rap", 1000, 0.02))) == [(1000, Gesture.RAP, 0)]


def test_a_press_of_more_than_a_millisecond_counts() -> None:
    assert said(hear_all(touch(TWO, "bid", 1000, 1.5))) == [(1000, Gesture.TAPS, 1)]


@pytest.mark.parametrize("again_ms", [0.5, 3, 11])
def test_the_first_touch_of_a_bouncing_press_is_its_stamp_however_short(again_ms: float) -> None:
    edges = [*touch(TWO, "bid", 1000, 0.05), *press(TWO, "bid", 1000 + again_ms, 1080)]
    (call,) = hear_all(edges)
    assert (call.t_ns, call.gesture, call.count) == (1000 * MS, Gesture.TAPS, 1)


def test_a_first_press_whose_first_edge_was_read_too_early_counts_from_that_edge() -> None:
    levels = ((1000, 0), (1001, 1), (1080, 0))
    assert said(hear_all([Edge(at_ms * MS, "Ada", "bid", level) for at_ms, level in levels])) == [
        (1000, Gesture.TAPS, 1)
    ]


def test_a_bounce_with_a_short_first_touch_loses_no_tie() -> None:
    ada = [*touch(TWO, "bid", 1000, 0.05), *press(TWO, "bid", 1010, 1080)]
    calls = hear_all([*ada, *press(ONE, "bid", 1000.001, 1090)])
    assert [(call.t_ns, call.seat) for call in calls] == [(1000 * MS, "Ada"), (1000 * MS + 1000, "Ben")]


def test_the_watermark_waits_for_a_press_that_may_be_a_spike_and_no_longer() -> None:
    gestures = Gestures(SEATS, ButtonsConfig(debounce_ms=0))
    assert gestures.process_edges(touch(TWO, "bid", 1000, 0.5), 1000.5 * MS).until_ns == 1000 * MS  # type: ignore[arg-type]
    assert gestures.process_edges((), 1024 * MS).until_ns == 1000 * MS
    heard = gestures.process_edges((), 1026 * MS)
    assert (heard.until_ns, heard.calls) == (1026 * MS, ())


def test_a_press_is_answered_as_soon_as_it_can_be_none_of_a_spike() -> None:
    gestures = Gestures(SEATS, ButtonsConfig())
    assert gestures.process_edges([Edge(1000 * MS, "Ada", "bid", 1)], 1004 * MS).feedback == ()
    assert len(gestures.process_edges((), 1006 * MS).feedback) == 1


def test_a_button_is_at_rest_before_its_press_and_once_its_release_has_bounced() -> None:
    meter = BounceMeter()
    assert meter.at_rest
    for at_ms, level in ((1000, 1), (1100, 0), (1110, 1), (1112, 0)):
        meter.add_edge(at_ms * MS, level)
        assert not meter.at_rest
    meter.advance(1130 * MS)
    assert not meter.at_rest
    meter.advance(1150 * MS)
    assert meter.at_rest


def test_a_release_that_may_bounce_still_holds_up_its_own_seat_alone() -> None:
    gestures = Gestures(SEATS, ButtonsConfig())
    gestures.process_edges(press(TWO, "rap", 1000, 1080), 1080 * MS)
    heard = gestures.process_edges([Edge(1085 * MS, "Ben", "bid", 1)], 1095 * MS)
    assert [receipt.seat for receipt in heard.feedback] == ["Ben"]
    (rap,) = gestures.process_edges((), 1106 * MS).calls
    assert (rap.gesture, rap.t_ns, rap.end_ns) == (Gesture.RAP, 1000 * MS, 1080 * MS)


def test_5000_edges_of_seven_seats_make_the_calls_of_their_presses_in_order() -> None:
    rng = random.Random(5)
    seats = tuple(SeatConfig(f"P{number}", number * 51.0, bid=number) for number in range(7))
    edges: list[Edge] = []
    meant: list[tuple[int, str]] = []
    round_ms = 1000.0
    while len(edges) < 5000:
        for seat in seats:
            down = round_ms + rng.randrange(4) / 1000
            edges += bouncing(press(seat, "bid", down, down + 80), rng, 12)
            meant.append((round(down * MS), seat.name))
        round_ms += 700
    gestures = Gestures(seats, ButtonsConfig())
    calls: list[Call] = []
    for due, edge in sorted(
        ((edge.t_ns + rng.randrange(50 * MS), edge) for edge in edges), key=lambda one: one[0]
    ):
        calls += gestures.process_edges((edge,), due - 50 * MS).calls
    calls += gestures.process_edges((), END_NS).calls
    assert [(call.t_ns, call.seat) for call in calls] == sorted(meant)
    assert {(call.gesture, call.count) for call in calls} == {(Gesture.TAPS, 1)}
