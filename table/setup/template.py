"""The commented ``table.toml`` that ``cardtable init`` writes, and that ``hardware/table.toml`` is an example of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from table.config import ButtonsConfig, CameraConfig, ScreenConfig
from table.games.options import Option
from table.games.registry import GAMES
from table.setup.pins import FIRST_ANGLE, PLAN, Pins
from table.words.catalogue import languages

Buttons: TypeAlias = Literal["two", "knock", "one"]


@dataclass(frozen=True, slots=True)
class Choices:
    """What ``init`` asks for."""

    players: tuple[str, ...]
    """In playing order, each next one to the left of the one before; at most as many as the pin plan has seats."""
    game: str = "whysteria"
    buttons: Buttons = "two"
    """Of each seat: BID and RAP, BID and a knock sensor, or BID alone."""
    first_angle: float = FIRST_ANGLE
    """Where the first player sits, degrees clockwise from the picture's top edge; the others at equal distances."""
    camera: str | int = "picamera"


EXAMPLE: Final = Choices(("Ada", "Ben", "Cleo", "Dan"))
"""What ``hardware/table.toml`` was written with."""


def table_toml(choices: Choices) -> str:
    """The file's text."""
    return "\n".join(
        [*_head(), *_game(choices), *_seats(choices), *_camera(choices), *_buttons(), *_screen()]
    )


def _head() -> Iterator[str]:
    yield "# A card table's set-up. `cardtable doctor` checks it; `cardtable games NAME` explains a game's options."
    yield "# What is left out, or stands behind a #, has the value that is written there."
    yield ""


def _game(choices: Choices) -> Iterator[str]:
    yield "[game]"
    yield _said(f"name = {_value(choices.game)}", f"one of {', '.join(GAMES)}")
    yield ""
    yield "[game.options]"
    game = GAMES[choices.game]
    for option in game.options_offered:
        yield from _option(option, game.proposed.get(option.name), choices)
    yield ""


def _option(option: Option, given: object, choices: Choices) -> Iterator[str]:
    yield f"# {option.help} ({option.kind})"
    if given is not None:
        yield f"{option.name} = {_value(given)}"
    elif option.name == "first_dealer":
        yield f"# first_dealer = {_value(choices.players[0])}"
    elif option.default is None:
        yield f"# {option.name} ="
    else:
        yield f"# {option.name} = {_value(option.default)}"


def _seats(choices: Choices) -> Iterator[str]:
    yield "# A [[seat]] for each player, in playing order: each next one sits to the left of the one before."
    yield "# GPIO lines are BCM numbers; these are those of the pin plan (hardware/README.md)."
    for number, name in enumerate(choices.players):
        angle = (choices.first_angle + number * 360 / len(choices.players)) % 360
        first = number == 0
        yield "[[seat]]"
        yield _said(f"name = {_value(name)}", "24 characters at most" if first else "")
        about = "where the player sits, seen from the mark: degrees clockwise from the picture's top edge"
        yield _said(f"angle = {round(angle, 1)}", about if first else "")
        yield from _lines(PLAN[number], choices.buttons, first)
        yield ""


def _lines(pins: Pins, buttons: Buttons, first: bool) -> Iterator[str]:
    yield _said(f"bid = {pins.bid}", "the bid button" if first else "")
    rap = "the rap button or knock sensor; behind a # on a one-button table"
    yield _said(f"{'# ' if buttons == 'one' else ''}rap = {pins.rap}", rap if first else "")
    knock = (
        "rap is a knock sensor, which can't be held" if buttons == "knock" else "true: rap is a knock sensor"
    )
    if buttons == "knock":
        yield _said("knock = true", knock if first else "")
    else:
        yield _said("# knock = false", knock if first else "")
    yield _said(f"led = {pins.led}", "the lamp; behind a # where there is none" if first else "")


def _camera(choices: Choices) -> Iterator[str]:
    usual = CameraConfig()
    yield "[camera]"
    yield _said(
        f"source = {_value(choices.camera)}", 'a camera module is "picamera"; or "/dev/video0", a URL, a film'
    )
    yield _said(
        f"size = [{usual.size[0]}, {usual.size[1]}]",
        "pixels across and down; calibrate again when it changes",
    )
    yield _said(f"fps = {usual.fps:g}", "pictures a second")
    yield _said(
        f"# mains_hz = {usual.mains_hz}",
        "the mains' frequency (America: 60): lamps then don't flicker; 0: not held",
    )
    yield "# Where the mark is: `cardtable calibrate` sets it, from the mat that is printed by"
    yield "# `cardtable calibrate --mat mat.pdf`, or from a card (`cardtable calibrate --cards`)."
    yield "# homography = [[1.8, 0.0, 640.0], [0.0, 1.8, 360.0], [0.0, 0.0, 1.0]]"
    yield _said(
        f"# tie_window_ms = {usual.tie_window_ms}", "leads that come to rest closer than this are tied"
    )
    yield _said(f"# courts = {_value(usual.courts)}", 'a German pack: "BDK", a French one: "VDR"')
    yield _said(
        "# keep_complaints = true", "keep the last 30 s of a game whenever somebody says that's wrong"
    )
    yield _said('# pack = "pack.npz"', "your own pack, once `cardtable enrol` has learned it")
    yield ""


_ABOUT: Final = (
    ("tie_window_ms", "calls less than this after the earliest are tied with it"),
    ("tap_gap_ms", "a burst of taps ends this long after the last press began"),
    ("hold_ms", "a press this long is a hold ..."),
    ("wrong_ms", '... and this long it is "that\'s wrong"'),
    ("dial_ms", "the auction's dial is called after this much quiet"),
    ("debounce_ms", "after an edge a line is not listened to for so long"),
)


def _buttons() -> Iterator[str]:
    usual = ButtonsConfig()
    yield "[buttons]"
    for name, about in _ABOUT:
        yield _said(f"# {name} = {getattr(usual, name):g}", about)
    yield ""


def _screen() -> Iterator[str]:
    usual = ScreenConfig()
    yield "[screen]"
    yield _said(
        f"# language = {_value(usual.language)}",
        f"of the screen and of what is printed: {', '.join(languages())}",
    )
    yield _said(f"# size = {_value(usual.size)}", "of a window (--window); the whole screen is used as it is")
    yield _said(
        f"# lies_flat = {_value(usual.lies_flat)}",
        "true: it lies on the table, and what is a player's is turned to that player",
    )
    yield _said(f"# four_colours = {_value(usual.four_colours)}", "true: clubs green, diamonds blue")
    yield _said(f"# sound = {_value(usual.sound)}", "false: what is decided is seen and not heard")
    yield ""


def _said(line: str, about: str) -> str:
    return f"{line:30}  # {about}" if about else line


def _value(value: object) -> str:
    """A value as TOML writes it: what JSON writes of texts, numbers, truths and lists is TOML too."""
    return json.dumps(value, ensure_ascii=False)
