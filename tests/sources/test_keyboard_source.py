"""The keyboard stands in for every button, through the same path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pygame
import pytest

from table.buttons.calls_of_all_seats import Gestures
from table.config.settings import ButtonsConfig, SeatConfig
from table.i18n.terminal_output import phrase_text
from table.observed_facts import END_NS, MS, Call, Delivery, Edge, Gesture
from table.sources.keyboard_source import KeyboardSource
from tests.buttons.fingers import SEATS as PLAYERS
from tests.buttons.fingers import hear_all

SEATS = (SeatConfig("Ada", 0, bid=1, rap=2), SeatConfig("Ben", 180, bid=3, rap=4))


class Quiet:
    """A table at which nothing happens for ten seconds."""

    def deliveries(self) -> Iterator[Delivery]:
        for step in range(1000):
            now = step * 10 * MS
            yield Delivery(now, (), None, now - 50 * MS, now)
        yield Delivery(10_000 * MS, (), None, END_NS, END_NS)


def test_two_taps_of_a_key_are_a_bid_of_two_stamped_when_they_were_pressed() -> None:
    keyed = KeyboardSource(Quiet(), SEATS)
    gestures = Gestures(SEATS, ButtonsConfig())
    script = {1000: 1, 1080: 0, 1200: 1, 1290: 0}
    calls: list[Call] = []
    for delivery in keyed.deliveries():
        calls += gestures.process_edges(delivery.edges, delivery.edges_until_ns).calls
        level = script.get(delivery.now_ns // MS)
        if level is not None:
            kind = pygame.KEYDOWN if level else pygame.KEYUP
            keyed.add_key_events([pygame.event.Event(kind, scancode=pygame.KSCAN_2, key=pygame.K_2)])
    (call,) = calls
    assert (call.seat, call.gesture, call.count) == ("Ben", Gesture.TAPS, 2)
    assert call.t_ns == 1010 * MS


def bursts(script: Mapping[int, str], debounce_ms: float = 5) -> list[Call]:
    """What is made of Ben's BID key: at each moment (ms) the window reads ``d``own and ``u``p events."""
    keyed = KeyboardSource(Quiet(), SEATS, ButtonsConfig(debounce_ms=debounce_ms))
    gestures = Gestures(SEATS, ButtonsConfig(debounce_ms=debounce_ms))
    calls: list[Call] = []
    for delivery in keyed.deliveries():
        calls += gestures.process_edges(delivery.edges, delivery.edges_until_ns).calls
        for letter in script.get(delivery.now_ns // MS, ""):
            kind = pygame.KEYDOWN if letter == "d" else pygame.KEYUP
            keyed.add_key_events([pygame.event.Event(kind, scancode=pygame.KSCAN_2, key=pygame.K_2)])
    return calls


@pytest.mark.parametrize("debounce_ms", [0, 5, 30])
@pytest.mark.parametrize(
    ("script", "taps"),
    [
        ({1000: "du"}, 1),
        ({1000: "dudu"}, 2),
        ({1000: "dud", 1010: "u"}, 2),
        ({1000: "d", 1010: "ud", 1020: "u"}, 2),
        ({1000: "d", 1010: "udu"}, 2),
        ({1000: "dududu"}, 3),
        ({1000: "dud", 1400: "u"}, 2),
    ],
)
def test_taps_that_the_window_reads_together_are_as_many_taps(
    script: Mapping[int, str], taps: int, debounce_ms: float
) -> None:
    (call,) = bursts(script, debounce_ms)
    assert (call.seat, call.gesture, call.count) == ("Ben", Gesture.TAPS, taps)
    assert call.t_ns == 1010 * MS


def test_without_keys_a_source_is_left_as_it_is() -> None:
    assert list(KeyboardSource(Quiet(), SEATS).deliveries()) == list(Quiet().deliveries())


def test_each_seat_is_told_its_keys() -> None:
    assert [phrase_text(line).split(":")[0] for line in KeyboardSource(Quiet(), SEATS).key_help] == [
        "Ada",
        "Ben",
    ]


def key(kind: int, scancode: int) -> pygame.event.Event:
    return pygame.event.Event(kind, scancode=scancode)


def test_keys_are_buttons_and_go_the_same_way() -> None:
    keyboard = KeyboardSource(Quiet(), PLAYERS)
    edges: list[Edge] = []
    for ms in (1000, 1200):
        edges += keyboard.make_edges([key(pygame.KEYDOWN, pygame.KSCAN_2)], ms * MS)
        edges += keyboard.make_edges([key(pygame.KEYUP, pygame.KSCAN_2)], (ms + 80) * MS)
    edges += keyboard.make_edges([key(pygame.KEYDOWN, pygame.KSCAN_Q)], 3000 * MS)
    edges += keyboard.make_edges([key(pygame.KEYUP, pygame.KSCAN_Q)], 3090 * MS)
    calls = hear_all(edges)
    assert [(call.seat, call.gesture, call.count) for call in calls] == [
        ("Ben", Gesture.TAPS, 2),
        ("Ada", Gesture.RAP, 0),
    ]


def test_a_key_that_repeats_is_pressed_once_and_keys_of_no_button_are_nothing() -> None:
    keyboard = KeyboardSource(Quiet(), PLAYERS)
    down = key(pygame.KEYDOWN, pygame.KSCAN_1)
    assert keyboard.make_edges([down, down, down], 5) == (Edge(5, "Ada", "bid", 1),)
    others = [pygame.KSCAN_W, pygame.KSCAN_9, pygame.KSCAN_SPACE]  # Ben has one button
    assert keyboard.make_edges([key(pygame.KEYDOWN, code) for code in others], 6) == ()


def test_a_key_down_and_up_in_one_reading_keeps_its_order() -> None:
    keyboard = KeyboardSource(Quiet(), PLAYERS)
    events = [key(kind, pygame.KSCAN_1) for kind in (pygame.KEYDOWN, pygame.KEYUP)]
    (call,) = hear_all(keyboard.make_edges(events, 100))
    assert (call.gesture, call.count) == (Gesture.TAPS, 1)


def test_when_the_window_loses_the_keyboard_no_button_stays_down() -> None:
    keyboard = KeyboardSource(Quiet(), PLAYERS)
    keyboard.make_edges([key(pygame.KEYDOWN, pygame.KSCAN_1)], 5)
    lost = pygame.event.Event(pygame.WINDOWFOCUSLOST)
    assert keyboard.make_edges([lost], 90 * MS) == (Edge(90 * MS, "Ada", "bid", 0),)


def test_the_help_names_the_keys_of_each_seat() -> None:
    assert tuple(map(phrase_text, KeyboardSource(Quiet(), PLAYERS).key_help)) == (
        "Ada: 1 bids, Q raps",
        "Ben: 2 bids (hold it to rap)",
        "Cleo: 3 bids, E raps",
    )
