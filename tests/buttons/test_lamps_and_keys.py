from __future__ import annotations

import warnings

import gpiozero
import pygame
import pytest

from table.buttons.gestures_of_one_seat import FeedbackKind, LampFeedback
from table.buttons.keyboard_buttons import Keyboard
from table.buttons.lamps import Lamps, gpio_leds
from table.config.settings import SeatConfig
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Edge, Gesture
from tests.buttons.fingers import SEATS, hear_all


class Led:
    def __init__(self) -> None:
        self.lit: bool | None = None
        self.writes = 0

    def on(self) -> None:
        self.lit = True
        self.writes += 1

    def off(self) -> None:
        self.lit = False
        self.writes += 1

    def close(self) -> None:
        pass


def shown(lamps: Lamps, led: Led, glowing: set[str], *at_ms: int) -> list[bool | None]:
    states = []
    for ms in at_ms:
        lamps.update(glowing, ms * MS)
        states.append(led.lit)
    return states


def test_a_lamp_glows_while_its_player_must_act_and_each_press_is_answered_against_that() -> None:
    led = Led()
    lamps = Lamps({"Ada": led})
    assert shown(lamps, led, {"Ada"}, 0, 100) == [True, True]
    lamps.show_feedback([LampFeedback(95 * MS, "Ada", FeedbackKind.PRESS)], 100 * MS)
    assert shown(lamps, led, {"Ada"}, 100, 160, 175) == [False, False, True]
    lamps.show_feedback([LampFeedback(995 * MS, "Ada", FeedbackKind.PRESS)], 1000 * MS)
    assert shown(lamps, led, set(), 1000, 1080) == [True, False]


def test_a_lamp_changes_when_a_press_becomes_a_hold_and_blinks_fast_when_refused() -> None:
    led = Led()
    lamps = Lamps({"Ada": led})
    lamps.show_feedback([LampFeedback(0, "Ada", FeedbackKind.HOLD)], 0)
    assert shown(lamps, led, set(), 0, 200, 230) == [True, True, False]
    lamps.blink_refusal(["Ada"], 1000 * MS)
    blinking = shown(lamps, led, set(), *range(1000, 1900, 60))
    assert blinking == [number % 2 == 0 for number in range(15)]
    assert shown(lamps, led, set(), 1900) == [False]


@pytest.mark.parametrize(
    "signs",
    [
        [FeedbackKind.PRESS],
        [FeedbackKind.PRESS] * 7,
        [FeedbackKind.PRESS, FeedbackKind.HOLD],
        [FeedbackKind.PRESS, FeedbackKind.REFUSED],
    ],
)
def test_while_bids_are_secret_a_lamp_gives_the_same_single_answer_whatever_is_pressed(
    signs: list[FeedbackKind],
) -> None:
    led = Led()
    lamps = Lamps({"Ada": led})
    for number, sign in enumerate(signs):
        lamps.show_feedback([LampFeedback(0, "Ada", sign)], number * 200 * MS, secret=True)
        shown(lamps, led, set(), number * 200, number * 200 + 100)
    shown(lamps, led, set(), 5000)
    assert led.lit is False
    assert led.writes == 2


def test_a_lamp_is_written_only_when_it_changes() -> None:
    led = Led()
    lamps = Lamps({"Ada": led})
    shown(lamps, led, {"Ada"}, *range(0, 1000, 10))
    assert led.writes == 1


def key(kind: int, scancode: int) -> pygame.event.Event:
    return pygame.event.Event(kind, scancode=scancode)


def test_pins_that_the_machine_has_not_are_told_of_in_no_library_s_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def led(line: int, pin_factory: object) -> Led:
        warnings.warn("Falling back from lgpio", gpiozero.PinFactoryFallback, stacklevel=1)
        return Led()

    monkeypatch.setattr(gpiozero, "LED", led)
    monkeypatch.setattr("table.buttons.lamps.set_lgpio_folder", lambda: None)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert list(gpio_leds([SeatConfig("Ada", 0, led=5), SeatConfig("Ben", 90)])) == ["Ada"]
    assert said == []


def test_keys_are_buttons_and_go_the_same_way() -> None:
    keyboard = Keyboard(SEATS)
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
    keyboard = Keyboard(SEATS)
    down = key(pygame.KEYDOWN, pygame.KSCAN_1)
    assert keyboard.make_edges([down, down, down], 5) == (Edge(5, "Ada", "bid", 1),)
    others = [pygame.KSCAN_W, pygame.KSCAN_9, pygame.KSCAN_SPACE]  # Ben has one button
    assert keyboard.make_edges([key(pygame.KEYDOWN, code) for code in others], 6) == ()


def test_a_key_down_and_up_in_one_reading_keeps_its_order() -> None:
    keyboard = Keyboard(SEATS)
    events = [key(kind, pygame.KSCAN_1) for kind in (pygame.KEYDOWN, pygame.KEYUP)]
    (call,) = hear_all(keyboard.make_edges(events, 100))
    assert (call.gesture, call.count) == (Gesture.TAPS, 1)


def test_when_the_window_loses_the_keyboard_no_button_stays_down() -> None:
    keyboard = Keyboard(SEATS)
    keyboard.make_edges([key(pygame.KEYDOWN, pygame.KSCAN_1)], 5)
    lost = pygame.event.Event(pygame.WINDOWFOCUSLOST)
    assert keyboard.make_edges([lost], 90 * MS) == (Edge(90 * MS, "Ada", "bid", 0),)


def test_the_help_names_the_keys_of_each_seat() -> None:
    assert tuple(map(phrase_text, Keyboard(SEATS).describe_keys())) == (
        "Ada: 1 bids, Q raps",
        "Ben: 2 bids (hold it to rap)",
        "Cleo: 3 bids, E raps",
    )
