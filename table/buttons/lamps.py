"""The seats' lamps: a long glow for who must act, a short answer to each press, fast blinking for a refusal.

What a lamp shows is a function of time; :class:`Lamps` writes it to gpiozero's LEDs. While bids are secret each
lamp answers once and alike, whatever is pressed and how often: nobody's number can be counted from it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from table.buttons.seat import Receipt, Sign
from table.buttons.workplace import give_lgpio_a_place
from table.config import SeatConfig
from table.facts import MS

PATTERNS: dict[Sign, tuple[int, ...]] = {
    Sign.PRESS: (70,),
    Sign.HOLD: (220,),
    Sign.LONG: (70, 70, 70, 70, 70),
    Sign.REFUSED: (60,) * 15,
}
"""How long, in ms, the lamp is turned over, back, over, ... against what it shows otherwise."""


class Led(Protocol):
    """As much of gpiozero's LED as is needed."""

    def on(self) -> None:
        """Light it."""
        ...

    def off(self) -> None:
        """Put it out."""
        ...

    def close(self) -> None:
        """Give the line back."""
        ...


def gpio_leds(seats: Sequence[SeatConfig], factory: Any = None) -> dict[str, Led]:
    """gpiozero's LEDs of the seats that have one; ``factory``: the pin factory (gpiozero's default unless given)."""
    if factory is None:
        give_lgpio_a_place()  # gpiozero's default may be lgpio's pins
    from gpiozero import LED, PinFactoryFallback

    with warnings.catch_warnings():
        # Of each kind of pins that the machine has not it would say so in its own words; with none it raises.
        warnings.simplefilter("ignore", PinFactoryFallback)
        return {seat.name: LED(seat.led, pin_factory=factory) for seat in seats if seat.led is not None}


class Lamps:
    """All seats' lamps."""

    def __init__(self, leds: dict[str, Led]) -> None:
        self._leds = dict(leds)
        self._answers: dict[str, tuple[int, Sign]] = {}
        self._lit: dict[str, bool | None] = dict.fromkeys(leds)
        self._answered: set[str] = set()

    def answer(self, receipts: Iterable[Receipt], now_ns: int, *, secret: bool = False) -> None:
        """Begin to show what was understood (from now on: a receipt comes some milliseconds after its press).

        ``secret``: bids are being made that nobody may know yet.
        """
        if not secret:
            self._answered.clear()
        for receipt in receipts:
            if not secret:
                self._answers[receipt.seat] = (now_ns, receipt.sign)
            elif receipt.seat not in self._answered:
                self._answered.add(receipt.seat)
                self._answers[receipt.seat] = (now_ns, Sign.PRESS)

    def refuse(self, seats: Iterable[str], now_ns: int) -> None:
        """Begin to blink fast: refused or tied bids."""
        self._answers.update((seat, (now_ns, Sign.REFUSED)) for seat in seats)

    def show(self, glowing: Iterable[str], now_ns: int) -> None:
        """Bring the lamps up to date; ``glowing``: who must act."""
        must = set(glowing)
        for seat, led in self._leds.items():
            lit = self._turned(seat, now_ns) != (seat in must)
            if lit != self._lit[seat]:
                self._lit[seat] = lit
                switch: Callable[[], None] = led.on if lit else led.off
                switch()

    def rename(self, names: Mapping[str, str]) -> None:
        """The seats have other names from now on: ``names`` by the old ones."""
        self._leds = {names[seat]: led for seat, led in self._leds.items() if seat in names}
        self._lit = {names[seat]: lit for seat, lit in self._lit.items() if seat in names}
        self._answers.clear()

    def close(self) -> None:
        """All lamps out."""
        for led in self._leds.values():
            led.off()
            led.close()

    def _turned(self, seat: str, now_ns: int) -> bool:
        """Whether the lamp shows the opposite now, for an answer."""
        if seat not in self._answers:
            return False
        began, sign = self._answers[seat]
        left = now_ns - began
        for number, length in enumerate(PATTERNS[sign]):
            left -= length * MS
            if left < 0:
                return number % 2 == 0
        del self._answers[seat]
        return False
