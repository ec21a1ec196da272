"""The menu at the table: lamps, keys, and a screen that is dimmed when nobody is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pygame
import pytest
from gpiozero.pins.mock import MockFactory

from table.buttons.lamps import Lamps, gpio_leds
from table.config.settings import SeatConfig
from table.menu.menu import Menu, MenuRequest
from table.menu.next_game_plan import GamePlan
from table.observed_facts import MS, Delivery, Edge
from table.session.menu_lobby import Lobby
from table.sources.idle_detector import IDLE_AFTER_NS
from tests.menu.hands import OPEN, around

SEATS = tuple(SeatConfig(str(n), 90.0 * n, bid=n, rap=n + 4, led=n + 8, named=False) for n in range(1, 5))


class Silence:
    """A source that is fed by hand."""

    def deliveries(self) -> Iterator[Delivery]:
        """None."""
        return iter(())


def key(code: int, letter: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code, unicode=letter, scancode=0)


class Keyboard:
    """Key events, each asked for once."""

    def __init__(self) -> None:
        self.waiting: list[pygame.event.Event] = []

    def __call__(self) -> list[pygame.event.Event]:
        found, self.waiting = self.waiting, []
        return found


class Room:
    """A lobby, its keyboard and its clock."""

    def __init__(self, lamps: Lamps | None = None, seats: tuple[SeatConfig, ...] = SEATS) -> None:
        self.keys = Keyboard()
        set_up = replace(OPEN, seats=seats)
        menu = Menu(around(set_up), GamePlan())
        self.lobby = Lobby(set_up, Silence(), menu, lamps=lamps, keys=self.keys)
        self.now = 1_000 * MS

    def feed(self, edges: Sequence[Edge] = (), for_ms: int = 1000) -> None:
        self.now += for_ms * MS
        self.lobby.process(Delivery(self.now, tuple(edges), None, self.now, self.now))

    def type(self, *events: pygame.event.Event) -> None:
        self.keys.waiting += events
        self.feed()

    def tap(self, chair: str, control: str) -> None:
        at = self.now
        self.feed([Edge(at, chair, control, 1), Edge(at + 60 * MS, chair, control, 0)])  # type: ignore[arg-type]
        self.feed()


def test_arrows_step_enter_chooses_and_backspace_goes_back() -> None:
    room = Room()
    room.type(key(pygame.K_UP), key(pygame.K_UP), key(pygame.K_DOWN), key(pygame.K_RETURN))
    view = room.lobby.view(room.now)
    assert view.title.code == "menu.title_settings"
    room.type(key(pygame.K_BACKSPACE))
    assert room.lobby.view(room.now).title.code == "menu.title_main"


def test_a_name_can_be_typed_in_any_script() -> None:
    room = Room()
    room.type(*[key(pygame.K_DOWN)] * 3, key(pygame.K_RETURN))
    room.type(key(pygame.K_RETURN), key(pygame.K_RETURN))
    assert room.lobby.view(room.now).entered_name == ""
    room.type(*(key(0, letter) for letter in "Zoë!"), key(pygame.K_BACKSPACE, "\b"), key(0, "ש"))
    assert room.lobby.view(room.now).entered_name == "Zoëש"
    room.type(key(pygame.K_RETURN, "\r"))
    assert room.lobby.menu.plan.seated == {"1": "Zoëש"}


def test_four_players_are_named_and_a_game_begins_with_few_keys() -> None:
    room = Room()
    pressed = 0

    def types(*events: pygame.event.Event) -> None:
        nonlocal pressed
        pressed += len(events)
        room.type(*events)

    types(*[key(pygame.K_DOWN)] * 3, key(pygame.K_RETURN))
    for name in ("Ada", "Ben", "Eva", "Dan"):
        types(key(pygame.K_RETURN), *(key(0, letter) for letter in name), key(pygame.K_RETURN, "\r"))
    types(key(pygame.K_BACKSPACE), *[key(pygame.K_UP)] * 3, key(pygame.K_RETURN))
    assert room.lobby.menu.request is MenuRequest.BEGIN
    assert room.lobby.menu.plan.players(SEATS) == ("Ada", "Ben", "Eva", "Dan")
    assert pressed <= 30, "the mark, a rap and a bid are to come: 40 in all"


def test_a_tap_moves_the_highlight_at_once_and_what_is_chosen_is_what_is_lit() -> None:
    room = Room()
    start = room.now

    def edges(control: str, *times_ms: int) -> list[Edge]:
        return [Edge(start + t * MS, "1", control, 1 - n % 2) for n, t in enumerate(times_ms)]  # type: ignore[arg-type]

    room.feed(edges("bid", 10, 90), for_ms=50)
    assert room.lobby.view(room.now).selected == 0, "it may become a hold"
    room.feed(for_ms=80)
    assert room.lobby.view(room.now).selected == 1
    room.feed(edges("bid", 150, 190, 240, 290), for_ms=200)
    assert room.lobby.view(room.now).selected == 3
    room.feed(edges("rap", 350, 400), for_ms=100)
    assert room.lobby.view(room.now).title.code == "menu.title_main", "another tap may come"
    room.feed(for_ms=400)
    assert room.lobby.view(room.now).title.code == "menu.title_players"


def test_on_one_button_a_tap_moves_the_highlight_and_a_hold_chooses_it() -> None:
    seats = tuple(SeatConfig(str(n), 90.0 * n, bid=n, named=False) for n in range(1, 5))
    room = Room(seats=seats)
    start = room.now
    room.feed([Edge(start, "2", "bid", 1), Edge(start + 60 * MS, "2", "bid", 0)], for_ms=100)
    assert room.lobby.view(room.now).selected == 1
    room.feed([Edge(start + 150 * MS, "2", "bid", 1)], for_ms=700)
    assert room.lobby.view(room.now).selected == 1
    room.feed([Edge(start + 900 * MS, "2", "bid", 0)], for_ms=200)
    assert room.lobby.view(room.now).title.code == "menu.title_game"


def test_the_lamp_of_the_chair_that_is_spoken_of_glows_and_each_press_is_answered() -> None:
    factory = MockFactory()
    room = Room(Lamps(gpio_leds(SEATS, factory)))
    pins = [factory.pin(f"GPIO{seat.led}") for seat in SEATS]
    room.tap("3", "bid")
    room.type(*[key(pygame.K_DOWN)] * 2)
    room.tap("3", "rap")
    room.feed()
    assert [bool(pin.state) for pin in pins] == [False, False, True, False]
    room.tap("1", "bid")
    room.feed()
    assert [bool(pin.state) for pin in pins] == [False, False, False, True]


@pytest.mark.parametrize("by", ["button", "key"])
def test_the_menu_is_dimmed_when_nobody_is_there_and_comes_back(by: str) -> None:
    room = Room()
    room.feed()
    room.feed(for_ms=IDLE_AFTER_NS // MS)
    assert room.lobby.view(room.now).dimmed
    room.tap("2", "bid") if by == "button" else room.type(key(pygame.K_DOWN))
    assert not room.lobby.view(room.now).dimmed
