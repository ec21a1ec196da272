from __future__ import annotations

import warnings

import gpiozero
import pytest

from table.buttons.gestures_of_one_seat import FeedbackKind, LampFeedback
from table.buttons.lamps import Lamps, gpio_leds
from table.config.settings import SeatConfig
from table.observed_facts import MS


class Led:
    def __init__(self) -> None:
        self.lit: bool | None = None
        self.closed = False
        self.writes = 0

    def on(self) -> None:
        self.lit = True
        self.writes += 1

    def off(self) -> None:
        self.lit = False
        self.writes += 1

    def close(self) -> None:
        self.closed = True


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


def test_at_the_end_each_lamp_goes_out_and_its_line_is_free_for_others() -> None:
    led = Led()
    lamps = Lamps({"Ada": led})
    shown(lamps, led, {"Ada"}, 0)
    lamps.close()
    assert (led.lit, led.closed) == (False, True)


def test_a_lamp_is_written_only_when_it_changes() -> None:
    led = Led()
    lamps = Lamps({"Ada": led})
    shown(lamps, led, {"Ada"}, *range(0, 1000, 10))
    assert led.writes == 1


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
