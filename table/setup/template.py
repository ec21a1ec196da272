"""The commented ``table.toml`` that ``cardtable init`` writes, and that ``hardware/table.toml`` is an example of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from table.config import NAME_LENGTH, ButtonsConfig, CameraConfig, ScreenConfig
from table.games.options import Option
from table.games.registry import GAMES
from table.phrase import say
from table.setup.pins import FIRST_ANGLE, PLAN, Pins
from table.words.catalogue import languages
from table.words.spoken import text

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
    yield _remark("comment.what_it_is")
    yield _remark("comment.left_out")
    yield ""


def _game(choices: Choices) -> Iterator[str]:
    yield "[game]"
    yield _said(f"name = {_value(choices.game)}", "comment.game", games=tuple(GAMES))
    yield ""
    yield "[game.options]"
    game = GAMES[choices.game]
    for option in game.options_offered:
        yield from _option(option, game.proposed.get(option.name), choices)
    yield ""


def _option(option: Option, given: object, choices: Choices) -> Iterator[str]:
    yield f"# {text(option.about(choices.game))} ({text(option.check.kind)})"
    if given is not None:
        yield f"{option.name} = {_value(given)}"
    elif option.name == "first_dealer":
        yield f"# first_dealer = {_value(choices.players[0])}"
    elif option.default is None:
        yield f"# {option.name} ="
    else:
        yield f"# {option.name} = {_value(option.default)}"


def _seats(choices: Choices) -> Iterator[str]:
    yield _remark("comment.seats")
    yield _remark("comment.lines")
    for number, name in enumerate(choices.players):
        angle = (choices.first_angle + number * 360 / len(choices.players)) % 360
        first = number == 0
        yield "[[seat]]"
        yield _said(f"name = {_value(name)}", "comment.name" if first else "", most=NAME_LENGTH)
        yield _said(f"angle = {round(angle, 1)}", "comment.angle" if first else "")
        yield from _lines(PLAN[number], choices.buttons, first)
        yield ""


def _lines(pins: Pins, buttons: Buttons, first: bool) -> Iterator[str]:
    yield _said(f"bid = {pins.bid}", "comment.bid" if first else "")
    yield _said(f"{'# ' if buttons == 'one' else ''}rap = {pins.rap}", "comment.rap" if first else "")
    if buttons == "knock":
        yield _said("knock = true", "comment.knocks" if first else "")
    else:
        yield _said("# knock = false", "comment.knock" if first else "")
    yield _said(f"led = {pins.led}", "comment.led" if first else "")


def _camera(choices: Choices) -> Iterator[str]:
    usual = CameraConfig()
    yield "[camera]"
    yield _said(f"source = {_value(choices.camera)}", "comment.source")
    yield _said(f"size = [{usual.size[0]}, {usual.size[1]}]", "comment.size")
    yield _said(f"fps = {usual.fps:g}", "comment.fps")
    yield _said(f"# mains_hz = {usual.mains_hz}", "comment.mains")
    yield _remark("comment.homography")
    yield _remark("comment.homography_by")
    yield "# homography = [[1.8, 0.0, 640.0], [0.0, 1.8, 360.0], [0.0, 0.0, 1.0]]"
    yield _said(f"# tie_window_ms = {usual.tie_window_ms}", "comment.lead_tie")
    yield _said(f"# courts = {_value(usual.courts)}", "comment.courts")
    yield _said("# keep_complaints = true", "comment.complaints")
    yield _said('# pack = "pack.npz"', "comment.pack")
    yield ""


_TIMES: Final = (
    ("tie_window_ms", "comment.bid_tie"),
    ("tap_gap_ms", "comment.tap_gap"),
    ("hold_ms", "comment.hold"),
    ("wrong_ms", "comment.wrong"),
    ("dial_ms", "comment.dial"),
    ("debounce_ms", "comment.debounce"),
    ("release_ms", "comment.release"),
)


def _buttons() -> Iterator[str]:
    usual = ButtonsConfig()
    yield "[buttons]"
    for name, about in _TIMES:
        yield _said(f"# {name} = {getattr(usual, name):g}", about)
    yield ""


def _screen() -> Iterator[str]:
    usual = ScreenConfig()
    yield "[screen]"
    yield _said(f"# language = {_value(usual.language)}", "comment.language", languages=languages())
    yield _said(f"# size = {_value(usual.size)}", "comment.window")
    yield _said(f"# turned = {_value(usual.turned)}", "comment.turned")
    yield _said(f"# lies_flat = {_value(usual.lies_flat)}", "comment.lies_flat")
    yield _said(f"# four_colours = {_value(usual.four_colours)}", "comment.four_colours")
    yield _said(f"# sound = {_value(usual.sound)}", "comment.sound")
    yield ""


def _remark(about: str) -> str:
    return f"# {text(say(about))}"


def _said(line: str, about: str, **fields: object) -> str:
    return f"{line:30}  # {text(say(about, **fields))}" if about else line


def _value(value: object) -> str:
    """A value as TOML writes it: what JSON writes of texts, numbers, truths and lists is TOML too."""
    return json.dumps(value, ensure_ascii=False)
