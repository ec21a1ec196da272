"""The seats' lamps: a long glow for who must act, a short answer to each press, fast blinking for a refusal.

A lamp's state is a function of time; :class:`Lamps` writes it to gpiozero's LEDs. While bids are secret each
lamp answers once and alike, whatever is pressed and how often, so that nobody can count another player's
taps.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol

from table.buttons.gestures_of_one_seat import FeedbackKind, LampFeedback
from table.buttons.gpio_edges import set_lgpio_folder
from table.config.settings import SeatConfig
from table.errors import TableError
from table.observed_facts import MS

BLINK_PATTERNS_MS: dict[FeedbackKind, tuple[int, ...]] = {
    FeedbackKind.PRESS: (70,),
    FeedbackKind.HOLD: (220,),
    FeedbackKind.LONG: (70, 70, 70, 70, 70),
    FeedbackKind.REFUSED: (60,) * 15,
}
"""The durations in ms for which the lamp is alternately inverted and not inverted against its usual state."""


class _Led(Protocol):
    """The part of gpiozero's LED that the lamps use."""

    def on(self) -> None: ...
    def off(self) -> None: ...
    def close(self) -> None: ...


def gpio_leds(seats: Sequence[SeatConfig], factory: Any = None) -> dict[str, _Led]:
    """Open gpiozero's LEDs of the seats that have one, by seat; ``factory``: a pin factory, for tests."""
    from gpiozero import LED, PinFactoryFallback

    if factory is None:
        factory = _make_pin_factory()

    with warnings.catch_warnings():
        # gpiozero warns of each pin factory that the machine lacks; where there is none it raises.
        warnings.simplefilter("ignore", PinFactoryFallback)
        return {seat.name: LED(seat.led, pin_factory=factory) for seat in seats if seat.led is not None}


def _make_pin_factory() -> Any:
    """Return a factory of the kernel's own pins; None, which is gpiozero's choice, where there are none."""
    from table.buttons.gpiozero_pin_factory import GpiodFactory

    try:
        return GpiodFactory()
    except TableError:
        set_lgpio_folder()  # gpiozero's choice may be lgpio's pins
        return None


class Lamps:
    """The lamps of all seats."""

    def __init__(self, leds: dict[str, _Led]) -> None:
        self._leds = dict(leds)
        self._feedback: dict[str, tuple[int, FeedbackKind]] = {}
        self._lit: dict[str, bool | None] = dict.fromkeys(leds)
        self._answered_secretly: set[str] = set()

    def show_feedback(self, feedback: Iterable[LampFeedback], now_ns: int, *, secret: bool = False) -> None:
        """Begin to show feedback to presses and gestures.

        It starts at ``now_ns``: feedback comes some milliseconds after its press. ``secret``: secret bids are
        being made, so each lamp answers once only.
        """
        if not secret:
            self._answered_secretly.clear()
        for answer in feedback:
            if not secret:
                self._feedback[answer.seat] = (now_ns, answer.kind)
            elif answer.seat not in self._answered_secretly:
                self._answered_secretly.add(answer.seat)
                self._feedback[answer.seat] = (now_ns, FeedbackKind.PRESS)

    def blink_refusal(self, seats: Iterable[str], now_ns: int) -> None:
        """Begin the fast blinking of the seats whose bids are refused or tied."""
        self._feedback.update((seat, (now_ns, FeedbackKind.REFUSED)) for seat in seats)

    def update(self, glowing: Iterable[str], now_ns: int) -> None:
        """Update all lamps; ``glowing``: the seats that must act."""
        glowing_seats = set(glowing)
        for seat, led in self._leds.items():
            lit = self._inverted(seat, now_ns) != (seat in glowing_seats)
            if lit != self._lit[seat]:
                self._lit[seat] = lit
                if lit:
                    led.on()
                else:
                    led.off()

    def rename_seats(self, names: Mapping[str, str]) -> None:
        """Rename the seats; ``names``: the new names by the old ones."""
        self._leds = {names[seat]: led for seat, led in self._leds.items() if seat in names}
        self._lit = {names[seat]: lit for seat, lit in self._lit.items() if seat in names}
        self._feedback.clear()

    def close(self) -> None:
        """Switch all lamps off and release their lines."""
        for led in self._leds.values():
            led.off()
            led.close()

    def _inverted(self, seat: str, now_ns: int) -> bool:
        """Return whether the lamp is inverted now to show feedback."""
        if seat not in self._feedback:
            return False
        start_ns, kind = self._feedback[seat]
        for number, end_ms in enumerate(accumulate(BLINK_PATTERNS_MS[kind])):
            if now_ns < start_ns + end_ms * MS:
                return number % 2 == 0
        del self._feedback[seat]
        return False
