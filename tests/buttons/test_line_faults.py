"""Lost edges, lines down from the start, lines that chatter or stick."""

from __future__ import annotations

import random

from table.buttons.calls_of_all_seats import Gestures
from table.buttons.debounce import Change, Debouncer
from table.buttons.line_faults import LineFault
from table.config.settings import ButtonsConfig
from table.i18n.terminal_output import phrase_text
from table.observed_facts import END_NS, MS, Edge, Gesture
from tests.buttons.fingers import KNOCK, ONE, SEATS, TWO, hear_all, press, presses


def changes(*edges: tuple[float, int]) -> list[tuple[float, bool]]:
    line = Debouncer(5 * MS)
    found = [change for ms, level in edges for change in line.add_edge(round(ms * MS), level)]
    found += line.advance(END_NS)
    assert all(not change.edge_lost for change in found)
    return [(change.t_ns / MS, change.pressed) for change in found]


def gestures_of(edges: list[Edge]) -> list[Gesture]:
    return [call.gesture for call in hear_all(edges)]


def test_a_press_shorter_than_the_lock_out_counts_and_does_not_stick() -> None:
    assert changes((100, 1), (100.02, 0)) == [(100, True), (105, False)]
    assert changes((100, 1), (104.9, 0)) == [(100, True), (105, False)]


def test_the_first_edge_after_the_lock_out_is_a_change_again() -> None:
    assert changes((100, 1), (105, 0)) == [(100, True), (105, False)]


def test_a_contact_that_trembles_under_the_finger_stays_pressed() -> None:
    assert changes((0, 1), (300, 0), (301, 1), (700, 0)) == [(0, True), (700, False)]
    assert gestures_of([*press(TWO, "bid", 0, 300), *press(TWO, "bid", 302, 700)]) == [Gesture.ZERO]


def test_bounces_longer_than_the_lock_out_make_no_second_press() -> None:
    assert [pressed for _, pressed in changes((0, 1), (4, 0), (6, 1), (7, 0), (8, 1), (90, 0))] == [
        True,
        False,
    ]
    let_go = changes((0, 1), (90, 0), (93, 1), (96, 0), (97, 1), (98, 0))
    assert [pressed for _, pressed in let_go] == [True, False]


def test_the_first_edge_counts_though_the_kernel_read_the_old_level_with_it() -> None:
    line = Debouncer(5 * MS)
    line.add_edge(0, 1)
    line.add_edge(50 * MS, 0)
    late = [*line.add_edge(100 * MS, 0), *line.add_edge(100 * MS + 300_000, 1), *line.advance(110 * MS)]
    assert late == [Change(50 * MS, False), Change(100 * MS, True)]
    late = [*line.add_edge(180 * MS, 1), *line.add_edge(180 * MS + 300_000, 0), *line.advance(END_NS)]
    assert late == [Change(180 * MS, False)]


def test_without_debounce_every_edge_counts() -> None:
    edges = presses(TWO, "bid", (0, 1), (2, 3), (4, 5))
    calls = hear_all(edges, config=ButtonsConfig(debounce_ms=0, release_ms=0))
    assert [(call.gesture, call.count) for call in calls] == [(Gesture.TAPS, 3)]


def test_a_lost_release_refuses_the_bid_instead_of_guessing_it() -> None:
    edges = presses(TWO, "bid", (0, 80), (200, 280), (400, 480))
    assert gestures_of([edge for edge in edges if edge.t_ns != 280 * MS]) == [Gesture.UNKNOWN]


def test_a_lost_release_of_a_rap_is_still_a_rap() -> None:
    edges = presses(TWO, "rap", (0, 80), (200, 280))
    assert gestures_of([edge for edge in edges if edge.t_ns != 80 * MS]) == [Gesture.RAP]


def test_a_late_bounce_read_at_its_end_tears_nothing() -> None:
    edges = [*press(TWO, "bid", 0, 80), Edge(7 * MS, "Ada", "bid", 1), Edge(87 * MS, "Ada", "bid", 0)]
    assert gestures_of(edges) == [Gesture.TAPS]


def test_a_tremble_under_the_finger_that_is_read_at_its_end_tears_no_hold() -> None:
    trembles = [Edge(at * MS, "Ada", "bid", level) for at, level in ((300, 0), (301, 1), (307, 1))]
    assert gestures_of([*press(TWO, "bid", 0, 900), *trembles]) == [Gesture.ZERO]


def test_a_release_without_a_press_is_nothing() -> None:
    assert gestures_of([Edge(100 * MS, "Ada", "bid", 0), *press(TWO, "bid", 900, 980)]) == [Gesture.TAPS]


def test_a_button_down_at_the_start_is_let_go_without_a_call_however_it_bounces() -> None:
    for until_ms in (101, 104):
        levels = ((100, 0), (100.5, 1), (until_ms, 0))
        assert gestures_of([Edge(round(ms * MS), "Ada", "bid", level) for ms, level in levels]) == []


def test_a_press_that_never_ends_is_no_call_at_the_end_of_a_recording() -> None:
    assert Gesture.ZERO not in gestures_of([Edge(100 * MS, "Ada", "bid", 1)])


def test_a_stuck_button_is_told_and_blocks_the_table_no_longer() -> None:
    gestures = Gestures(SEATS, ButtonsConfig())
    gestures.process_edges([Edge(100 * MS, "Ada", "bid", 1)], 10_000 * MS)
    assert gestures.process_edges((), 10_050 * MS).until_ns == 100 * MS
    heard = gestures.process_edges((), 10_200 * MS)
    assert heard.until_ns == 10_195 * MS
    assert [call.gesture for call in heard.calls] == [Gesture.UNKNOWN]
    (trouble,) = gestures.faulty_lines()
    assert (trouble.seat, trouble.control, trouble.fault) == ("Ada", "bid", LineFault.STUCK)
    assert "Ada's bid button stays down" in phrase_text(trouble.message)


def test_with_bid_stuck_the_rap_button_works_as_the_only_one_until_bid_is_let_go() -> None:
    stuck = [Edge(0, "Ada", "bid", 1), Edge(20_000 * MS, "Ada", "bid", 0)]
    edges = [
        *stuck,
        *presses(TWO, "rap", (11_000, 11_080), (11_200, 11_280)),
        *press(TWO, "rap", 13_000, 13_700),
    ]
    edges += [*press(TWO, "rap", 22_000, 22_080), *press(TWO, "bid", 23_000, 23_700)]
    assert gestures_of(edges) == [Gesture.UNKNOWN, Gesture.TAPS, Gesture.RAP, Gesture.RAP, Gesture.ZERO]


def test_a_rap_button_that_is_down_when_bid_gets_stuck_is_let_go_without_a_call() -> None:
    edges = [Edge(0, "Ada", "bid", 1), *press(TWO, "rap", 9_900, 10_100), *press(TWO, "rap", 12_000, 12_080)]
    assert gestures_of(edges) == [Gesture.UNKNOWN, Gesture.TAPS]


def test_with_rap_stuck_bid_works_as_the_only_button() -> None:
    edges = [Edge(0, "Ada", "rap", 1), *press(TWO, "bid", 11_000, 11_700), *press(TWO, "bid", 13_000, 15_100)]
    assert gestures_of(edges) == [Gesture.UNKNOWN, Gesture.RAP, Gesture.WRONG]


def test_with_bid_stuck_a_knock_sensor_still_raps() -> None:
    edges = [Edge(0, "Cleo", "bid", 1), *press(KNOCK, "rap", 11_000, 11_008)]
    assert gestures_of(edges) == [Gesture.UNKNOWN, Gesture.RAP]


def chatter(seat: str, from_ms: int, to_ms: int) -> list[Edge]:
    rng = random.Random(1)
    edges, t, level = [], from_ms * MS, 1
    while t < to_ms * MS:
        edges.append(Edge(t, seat, "bid", level))
        t += rng.randrange(3 * MS, 30 * MS)
        level = 1 - level
    return [*edges, Edge(to_ms * MS, seat, "bid", 0)]


def test_a_chattering_line_is_left_out_until_it_has_been_quiet() -> None:
    gestures = Gestures(SEATS, ButtonsConfig())
    calls = list(gestures.process_edges(chatter("Ada", 0, 3_000), 3_000 * MS).calls)
    (trouble,) = gestures.faulty_lines()
    assert (trouble.seat, trouble.control, trouble.fault) == ("Ada", "bid", LineFault.CHATTERS)
    assert [call.gesture for call in calls] == [Gesture.UNKNOWN]
    calls = list(gestures.process_edges(press(TWO, "rap", 4_000, 4_700), 5_000 * MS).calls)
    assert [call.gesture for call in calls] == [Gesture.RAP]
    gestures.process_edges((), 5_200 * MS)
    assert gestures.faulty_lines() == ()
    calls = list(gestures.process_edges(press(TWO, "bid", 6_000, 6_080), 7_000 * MS).calls)
    assert [call.gesture for call in calls] == [Gesture.TAPS]


def test_the_other_seats_hear_nothing_of_a_chattering_line() -> None:
    others = [*presses(ONE, "bid", (500, 580), (700, 780)), *press(KNOCK, "rap", 900, 908)]
    with_noise = hear_all([*others, *chatter("Ada", 0, 3_000)])
    assert [call for call in with_noise if call.seat != "Ada"] == hear_all(others)


def test_taps_without_end_block_the_table_for_no_longer_than_a_burst_may_last() -> None:
    edges = presses(TWO, "bid", *((ms, ms + 80) for ms in range(0, 60_000, 300)))
    gestures = Gestures(SEATS, ButtonsConfig())
    gestures.process_edges(edges, 30_000 * MS)
    assert [trouble.fault for trouble in gestures.faulty_lines()] == [LineFault.CHATTERS]
    assert gestures.process_edges((), 31_100 * MS).until_ns == 31_095 * MS
