"""The simulated buttons bounce, and the real button code recognises the intended calls."""

from __future__ import annotations

import numpy as np
import pytest

from table.buttons.calls_of_all_seats import Gestures
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import END_NS, MS, Gesture
from table.simulation.players.button_presses import BOUNCE_NS, ButtonPresser

SEAT = SeatConfig("Ada", 0.0, bid=5, rap=16)
MEANT = [(Gesture.TAPS, count) for count in range(1, 14)]
MEANT += [(gesture, 0) for gesture in (Gesture.ZERO, Gesture.RAP, Gesture.DOUBLE_NIL)]


@pytest.mark.parametrize(("gesture", "count"), MEANT)
def test_a_gesture_is_read_as_it_was_meant(gesture: Gesture, count: int) -> None:
    config = ButtonsConfig()
    for seed in range(12):
        start = 10**12 + seed * 7919
        presser = ButtonPresser(np.random.default_rng(seed), config)
        pressed, edges = presser.press("Ada", gesture, count, start)
        calls = Gestures((SEAT,), config).process_edges(edges, END_NS).calls
        assert [(call.t_ns, call.seat, call.gesture, call.count) for call in calls] == [
            (start, "Ada", gesture, pressed.count)
        ]
        assert pressed.t_ns == start
        assert calls[0].end_ns >= edges[-1].t_ns - BOUNCE_NS


def test_contacts_bounce_when_pressed_and_when_released() -> None:
    fingers = ButtonPresser(np.random.default_rng(5), ButtonsConfig())
    down = up = 0
    for number in range(40):
        edges = fingers.press("Ada", Gesture.TAPS, 1, number * 10**10)[1]
        first = edges[0].t_ns
        pressing = [edge for edge in edges if edge.t_ns - first <= BOUNCE_NS + MS]
        releasing = [edge for edge in edges if edge not in pressing]
        assert [edge.level for edge in pressing] == [1 - number % 2 for number in range(len(pressing))]
        assert pressing[-1].level == 1
        assert releasing[-1].level == 0
        assert releasing[-1].t_ns - releasing[0].t_ns <= BOUNCE_NS + MS
        down += len(pressing) > 1
        up += len(releasing) > 1
    assert down > 20
    assert up > 20


def test_the_same_seed_presses_alike() -> None:
    first, same_seed, other_seed = (
        ButtonPresser(np.random.default_rng(seed), ButtonsConfig()).press("Ada", Gesture.TAPS, 3, 0)
        for seed in (1, 1, 2)
    )
    assert first == same_seed
    assert first[1] != other_seed[1]
