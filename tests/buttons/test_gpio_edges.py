from __future__ import annotations

import sys
import time
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from table.buttons.calls_of_all_seats import Gestures
from table.buttons.gpio_edges import (
    MAX_PIN_DELAY_NS,
    MAX_QUEUE_DELAY_NS,
    KernelButtons,
    PinButtons,
    map_gpio_lines,
    open_buttons,
)
from table.buttons.gpio_lines import PI_LABELS, find_gpio_chip
from table.config.settings import ButtonsConfig, SeatConfig
from table.errors import TableError
from table.observed_facts import MS, Edge, Gesture
from table.phrase import make_phrase
from tests.buttons.fakegpiod import Board, line
from tests.buttons.fingers import SEATS, TWO
from tests.wrong import wrong


class Clock:
    """A clock that a test sets."""

    def __init__(self, now: int = 0) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def kernel_buttons(board: Board, clock: Clock | None = None) -> KernelButtons:
    return KernelButtons(SEATS, chip="/dev/gpiochip0", gpiod=board, clock=clock or Clock(1_000 * MS))


def test_all_buttons_are_asked_for_in_one_request_pulled_up_active_low_undebounced_and_monotonic() -> None:
    board = Board()
    kernel_buttons(board)
    (request,) = board.requests
    assert set(request.offsets) == {5, 16, 6, 7, 18}
    assert request.size == 1024
    for asked in request.settings.values():
        assert asked.direction is line.Direction.INPUT
        assert asked.edge_detection is line.Edge.BOTH
        assert asked.bias is line.Bias.PULL_UP
        assert asked.active_low
        assert asked.event_clock is line.Clock.MONOTONIC
        assert not asked.debounce_period


def test_a_line_pulled_to_ground_is_a_press_with_the_kernels_stamp() -> None:
    board = Board()
    buttons = kernel_buttons(board)
    board.drive(5, 0, 123_456_789)
    board.drive(5, 1, 223_456_789)
    assert buttons.read(0).edges == (
        Edge(123_456_789, "Ada", "bid", 1),
        Edge(223_456_789, "Ada", "bid", 0),
    )


def test_edges_queued_in_another_order_are_brought_in_the_order_of_their_stamps() -> None:
    board = Board()
    buttons = kernel_buttons(board)
    for offset, t_ns in ((6, 2_000), (5, 1_000), (18, 3_000)):
        board.drive(offset, 0, t_ns)
    assert [edge.t_ns for edge in buttons.read(0).edges] == [1_000, 2_000, 3_000]


def test_the_watermark_leaves_the_kernel_time_to_queue_what_it_has_stamped() -> None:
    board, clock = Board(), Clock(1_000 * MS)
    buttons = kernel_buttons(board, clock)
    assert buttons.read(0).until_ns == 1_000 * MS - MAX_QUEUE_DELAY_NS
    clock.now = 900 * MS
    assert buttons.read(0).until_ns == 1_000 * MS - MAX_QUEUE_DELAY_NS


def test_events_thrown_away_by_a_full_queue_are_noticed_counted_and_the_levels_read_again() -> None:
    board, clock = Board(), Clock(5_000 * MS)
    buttons = kernel_buttons(board, clock)
    board.drive(5, 0, 1)
    buttons.read(0)
    board.drive(5, 1, 2)  # the release: it will be thrown away
    for number in range(1024):
        board.drive(6, number % 2, 10 + number)
    read = buttons.read(0)
    assert read.lost == 0  # no later event of the line has told it yet
    board.drive(5, 0, 20_000)
    board.drive(5, 1, 30_000)
    for number in range(1024 + 1):
        board.drive(6, number % 2, 40_000 + number)
    assert buttons.read(0).lost >= 1
    assert buttons.request.dropped >= 1
    assert buttons.read(0).lost == 0, "each loss is told once"


def test_after_a_loss_a_button_that_was_let_go_unseen_is_let_go() -> None:
    board, clock = Board(), Clock(5_000 * MS)
    buttons = kernel_buttons(board, clock)
    board.drive(5, 0, 1_000)
    board.drive(6, 0, 1_001)
    assert buttons.pressed_buttons() == ()
    buttons.read(0)
    assert set(buttons.pressed_buttons()) == {("Ada", "bid"), ("Ben", "bid")}
    board.drive(5, 1, 2_000)
    for number in range(1030):
        board.drive(6, 1 - number % 2, 3_000 + number)
    read = buttons.read(0)
    assert read.lost > 0
    assert read.edges[-1] == Edge(5_000 * MS, "Ada", "bid", 0)
    assert ("Ada", "bid") not in buttons.pressed_buttons()


def test_bounces_merged_in_the_interrupt_are_counted_apart_from_losses() -> None:
    board = Board()
    buttons = kernel_buttons(board)
    board.drive(5, 0, 1_000, merged=3)
    board.drive(6, 0, 2_000)
    read = buttons.read(0)
    assert (read.lost, buttons.request.dropped, buttons.request.merged) == (0, 0, 3)


def test_a_button_down_at_the_start_is_known() -> None:
    board = Board()
    board.volts[16] = 0
    assert kernel_buttons(board).pressed_buttons() == (("Ada", "rap"),)


def test_lines_in_use_by_another_program_are_said_in_one_line() -> None:
    board = Board()
    kernel_buttons(board)
    with wrong("gpio.lines"):
        kernel_buttons(board)


def test_the_chip_is_found_by_its_label_whatever_its_number() -> None:
    labels = {
        "/dev/gpiochip0": "forbidden",
        "/dev/gpiochip11": "gpio-brcmstb",
        "/dev/gpiochip4": "pinctrl-rp1",
    }
    assert find_gpio_chip(Board(labels), labels) == "/dev/gpiochip4"


def test_without_the_header_the_chips_there_are_get_named() -> None:
    labels = {"/dev/gpiochip0": "gpio-ich"}
    chip = make_phrase("gpio.chip", path="/dev/gpiochip0", label="gpio-ich")
    with wrong("gpio.no_chip", labels=PI_LABELS, there=(chip,)):
        find_gpio_chip(Board(labels), labels)
    with wrong("gpio.no_chip", there=(make_phrase("gpio.none"),)):
        find_gpio_chip(Board(), ())
    forbidden = {"/dev/gpiochip0": "forbidden"}
    why = make_phrase("gpio.unread", error="Permission denied")
    chip = make_phrase("gpio.chip", path="/dev/gpiochip0", label=why)
    with wrong("gpio.no_chip", there=(chip,)):
        find_gpio_chip(Board(forbidden), forbidden)


def test_the_binding_that_is_installed_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board()
    monkeypatch.setitem(sys.modules, "gpiod", board)
    KernelButtons(SEATS, chip="/dev/gpiochip0")
    assert len(board.requests) == 1


def test_a_seat_without_a_line_for_its_button_is_named() -> None:
    with wrong("gpio.no_line", at=(make_phrase("at.seat", number=2, name="Eve"), "bid")):
        map_gpio_lines((TWO, SeatConfig("Eve", 90.0)))


@pytest.mark.parametrize(
    ("seat", "control"),
    [(SeatConfig("Eve", 90.0, bid=117), "bid"), (SeatConfig("Eve", 90.0, bid=5, rap=40), "rap")],
)
def test_a_line_that_the_header_has_not_is_named_with_its_seat(seat: SeatConfig, control: str) -> None:
    """Such as a pin's number of the header, which goes to 40, or a slip, of which the binding says no name."""
    with wrong("expected.whole", high=27, at=(make_phrase("at.seat", number=2, name="Eve"), control)):
        map_gpio_lines((TWO, seat))


class StampedPin(MockPin):  # type: ignore[misc]
    """A mock pin that can be told when its edges were stamped."""

    def stamp(self, ticks: float, state: int) -> None:
        self._state = bool(state)
        handler = self._get_when_changed()
        if handler is not None:
            handler(ticks, state)


@pytest.fixture
def mock_pins() -> Any:
    factory = MockFactory(pin_class=StampedPin)
    yield factory
    factory.reset()


def test_gpiozeros_pins_bring_edges_with_their_ticks(mock_pins: Any) -> None:
    clock = Clock(11_000 * MS)
    buttons = PinButtons(SEATS, mock_pins, clock=clock)
    bid, rap = mock_pins.pin("GPIO5"), mock_pins.pin("GPIO18")
    assert (bid.pull, bid.edges, bid.bounce) == ("up", "both", None)
    rap.stamp(10.2, 0)
    bid.stamp(10.1, 0)
    bid.stamp(10.18, 1)
    read = buttons.read(0)
    assert read.edges == (
        Edge(10_100 * MS, "Ada", "bid", 1),
        Edge(10_180 * MS, "Ada", "bid", 0),
        Edge(10_200 * MS, "Cleo", "rap", 1),
    )
    assert read.until_ns == clock.now - MAX_PIN_DELAY_NS
    buttons.close()
    assert bid.when_changed is None


def test_stamped_edges_through_gpiozeros_pins_make_calls(mock_pins: Any) -> None:
    clock = Clock()
    buttons = PinButtons(SEATS, mock_pins, clock=clock)
    gestures = Gestures(SEATS, ButtonsConfig())
    pin = mock_pins.pin("GPIO6")
    for down in (20.0, 20.2):
        for bounce in (0.0, 0.0011, 0.0017):
            pin.stamp(down + bounce, 0)
            pin.stamp(down + bounce + 0.0004, 1)
        pin.stamp(down + 0.003, 0)
        pin.stamp(down + 0.09, 1)
    clock.now = 21_000 * MS
    read = buttons.read(0)
    (call,) = gestures.process_edges(read.edges, read.until_ns).calls
    assert (call.t_ns, call.seat, call.gesture, call.count) == (20_000 * MS, "Ben", Gesture.TAPS, 2)


def test_where_there_are_no_gpio_lines_at_all_one_line_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise TableError("gpio.no_binding")

    monkeypatch.setattr("table.buttons.gpio_edges.load_gpiod", missing)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with wrong("gpio.no_buttons", wrong=make_phrase("gpio.no_binding")):
        open_buttons(SEATS)


def test_ticks_counted_since_1970_are_brought_to_the_monotonic_clock(mock_pins: Any) -> None:
    clock = Clock(11_000 * MS)
    buttons = PinButtons(SEATS, mock_pins, clock=clock)
    mock_pins.pin("GPIO5").stamp(time.time() - 1.0, 0)
    (edge,) = buttons.read(0).edges
    assert 9_000 * MS < edge.t_ns < 11_000 * MS


def test_a_pin_that_is_low_is_a_button_that_is_down(mock_pins: Any) -> None:
    buttons = PinButtons(SEATS, mock_pins)
    assert buttons.pressed_buttons() == ()
    mock_pins.pin("GPIO6").drive_low()
    assert buttons.pressed_buttons() == (("Ben", "bid"),)
