"""gpiozero's own devices on our pin factory, over a fake of the kernel's lines."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from datetime import timedelta
from importlib.metadata import entry_points

import gpiozero
import pytest
from gpiozero.exc import PinFixedPull, PinInvalidBounce, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory

from table.buttons.gpio_edges import PinButtons
from table.buttons.gpiozero_pin_factory import GpiodFactory
from table.buttons.lamps import gpio_leds
from table.config.settings import SeatConfig
from table.observed_facts import Edge
from tests.buttons.fakegpiod import Board, line
from tests.buttons.fingers import SEATS

PI_5 = 0xC04170


class OnPi5(GpiodFactory):
    def _get_revision(self) -> int:
        return PI_5


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def factory(board: Board) -> Iterator[GpiodFactory]:
    made = OnPi5("/dev/gpiochip0", board)
    yield made
    made.close()
    LocalPiFactory._reservations.clear()


def test_the_lamps_of_doctor_and_of_a_game_are_lines_of_the_kernel(
    board: Board, factory: GpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.buttons.gpiozero_pin_factory.GpiodFactory", lambda: factory)
    lamp = gpio_leds([SeatConfig("Ada", 0.0, led=22)])["Ada"]
    assert board.volts[22] == 0
    lamp.on()
    assert board.volts[22] == 1
    lamp.close()


def test_gpiozero_finds_the_factory_by_its_entry_point() -> None:
    (found,) = [entry for entry in entry_points(group="gpiozero_pin_factories") if entry.name == "gpiod"]
    assert found.load() is GpiodFactory


def test_all_watched_pins_share_one_request(board: Board, factory: GpiodFactory) -> None:
    buttons = [gpiozero.Button(number, pin_factory=factory) for number in (5, 6, 7)]
    assert board.asked[-1] == {5, 6, 7}
    assert len(board.requests) == 1
    for asked in board.requests[0].settings.values():
        assert asked.bias is line.Bias.PULL_UP
        assert asked.edge_detection is line.Edge.BOTH
    buttons[1].close()
    assert {5, 7} in [set(request.offsets) for request in board.requests]


def test_the_kernel_debounces_a_pin_by_what_is_asked_and_else_not(
    board: Board, factory: GpiodFactory
) -> None:
    times = {5: None, 6: 0.01}
    buttons = [gpiozero.Button(pin, bounce_time=time, pin_factory=factory) for pin, time in times.items()]
    (request,) = board.requests
    periods = {button.pin.line: request.settings[button.pin.line].debounce_period for button in buttons}
    assert periods == {5: timedelta(0), 6: timedelta(milliseconds=10)}


def test_a_watched_pin_is_debounced_anew_once_that_is_asked(board: Board, factory: GpiodFactory) -> None:
    button = gpiozero.Button(5, pin_factory=factory)
    button.pin.bounce = 0.02
    (request,) = board.requests
    assert request.settings[5].debounce_period == timedelta(milliseconds=20)


def test_callbacks_come_in_the_order_of_the_stamps_with_the_stamps(
    board: Board, factory: GpiodFactory
) -> None:
    heard: queue.Queue[tuple[int, int, int]] = queue.Queue()
    handlers = []
    for number in (5, 6):
        pin = factory.pin(f"GPIO{number}")
        pin.pull = "up"

        def handler(ticks: int, state: int, number: int = number) -> None:
            heard.put((ticks, number, state))

        handlers.append(handler)
        pin.when_changed = handler
    (request,) = board.requests
    with request.came:
        board.drive(6, 0, 2_000_000_001)
        board.drive(5, 0, 2_000_000_000)
    assert heard.get(timeout=5) == (2_000_000_000, 5, 0)
    assert heard.get(timeout=5) == (2_000_000_001, 6, 0)


def test_a_button_of_gpiozero_works(board: Board, factory: GpiodFactory) -> None:
    pressed: queue.Queue[str] = queue.Queue()
    with gpiozero.Button(5, pin_factory=factory) as button:
        button.when_pressed = lambda: pressed.put("pressed")
        button.when_released = lambda: pressed.put("released")
        assert not button.is_pressed
        board.drive(5, 0)
        assert pressed.get(timeout=5) == "pressed"
        assert button.is_pressed
        board.drive(5, 1)
        assert pressed.get(timeout=5) == "released"


def test_a_factory_that_is_closed_has_ended_its_thread(factory: GpiodFactory) -> None:
    def handler(ticks: int, state: int) -> None:
        pass

    before = set(threading.enumerate())
    factory.pin("GPIO5").when_changed = handler
    (thread,) = set(threading.enumerate()) - before
    factory.close()
    assert not thread.is_alive()


def test_a_led_of_gpiozero_works(board: Board, factory: GpiodFactory) -> None:
    with gpiozero.LED(22, pin_factory=factory) as led:
        assert board.volts[22] == 0
        led.on()
        assert board.volts[22] == 1
        led.off()
        assert board.volts[22] == 0
    assert all(22 not in request.offsets for request in board.requests)


def test_our_buttons_work_through_it_to_the_nanosecond(board: Board, factory: GpiodFactory) -> None:
    buttons = PinButtons(SEATS, factory)
    board.drive(5, 0, 3_000_000_123)
    edges: tuple[Edge, ...] = ()
    while not edges:
        edges = buttons.read(1).edges
    assert edges == (Edge(3_000_000_123, "Ada", "bid", 1),)
    buttons.close()


def test_what_a_pin_can_not_do_is_refused_as_gpiozero_refuses(factory: GpiodFactory) -> None:
    pin = factory.pin("GPIO5")
    with pytest.raises(PinInvalidFunction):
        pin.function = "input output"
    with pytest.raises(PinSetInput):
        pin.state = 1
    with pytest.raises(PinInvalidPull):
        pin.pull = "sideways"
    with pytest.raises(PinInvalidBounce):
        pin.bounce = -0.001
    with pytest.raises(PinFixedPull):
        factory.pin("GPIO2").pull = "down"


def test_ticks_are_nanoseconds_and_their_differences_seconds(factory: GpiodFactory) -> None:
    assert isinstance(factory.ticks(), int)
    assert factory.ticks_diff(2_500_000_000, 1_000_000_000) == 1.5
