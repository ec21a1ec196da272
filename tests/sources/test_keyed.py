"""The keyboard stands in for every button, through the same path."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from table.buttons.gestures import Gestures
from table.config import ButtonsConfig, SeatConfig
from table.facts import END_NS, MS, Call, Delivery, Gesture
from table.sources.keyed import Keyed

SEATS = (SeatConfig("Ada", 0, bid=1, rap=2), SeatConfig("Ben", 180, bid=3, rap=4))


class Quiet:
    """A table at which nothing happens for ten seconds."""

    def deliveries(self) -> Iterator[Delivery]:
        for step in range(1000):
            now = step * 10 * MS
            yield Delivery(now, (), None, now - 50 * MS, now)
        yield Delivery(10_000 * MS, (), None, END_NS, END_NS)


def test_two_taps_of_a_key_are_a_bid_of_two_stamped_when_they_were_pressed() -> None:
    keyed = Keyed(Quiet(), SEATS)
    gestures = Gestures(SEATS, ButtonsConfig())
    script = {1000: 1, 1080: 0, 1200: 1, 1290: 0}
    calls: list[Call] = []
    for delivery in keyed.deliveries():
        calls += gestures.hear(delivery.edges, delivery.edges_until_ns).calls
        level = script.get(delivery.now_ns // MS)
        if level is not None:
            kind = pygame.KEYDOWN if level else pygame.KEYUP
            keyed.press([pygame.event.Event(kind, scancode=pygame.KSCAN_2, key=pygame.K_2)])
    (call,) = calls
    assert (call.seat, call.gesture, call.count) == ("Ben", Gesture.TAPS, 2)
    assert call.t_ns == 1010 * MS


def test_without_keys_a_source_is_left_as_it_is() -> None:
    assert list(Keyed(Quiet(), SEATS).deliveries()) == list(Quiet().deliveries())


def test_each_seat_is_told_its_keys() -> None:
    assert [line.split(":")[0] for line in Keyed(Quiet(), SEATS).help] == ["Ada", "Ben"]
