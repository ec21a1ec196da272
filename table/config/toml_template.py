"""The template of a commented ``table.toml`` as ``cardtable init`` writes it; ``hardware/table.toml`` is an example."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from table.config.pin_plan import FIRST_ANGLE, PIN_PLAN, SeatPins
from table.config.settings import NAME_LENGTH, ButtonsConfig, CameraConfig, ScreenConfig
from table.games.engine.option_checks import Option
from table.games.registry import GAMES
from table.i18n.catalogue import languages
from table.i18n.terminal_output import phrase_text
from table.phrase import make_phrase

Buttons: TypeAlias = Literal["two", "knock", "one"]


@dataclass(frozen=True, slots=True)
class Choices:
    """The answers to the questions of ``cardtable init``."""

    players: tuple[str, ...]
    """In playing order, each to the left of the one before; at most as many as the pin plan has seats."""
    game: str = "whysteria"
    buttons: Buttons = "two"
    """The buttons of each seat: BID and RAP, BID and a knock sensor, or BID alone."""
    first_angle: float = FIRST_ANGLE
    """The first player's direction, degrees clockwise from the picture's top edge; the others at equal distances."""
    camera: str | int = "picamera"


EXAMPLE: Final = Choices(("Ada", "Ben", "Cleo", "Dan"))
"""The choices with which ``hardware/table.toml`` was written."""


def render_table_toml(choices: Choices) -> str:
    """Return the text of a commented ``table.toml`` with these choices."""
    return "\n".join(
        [
            *_header_lines(),
            *_game_section(choices),
            *_seat_sections(choices),
            *_camera_section(choices),
            *_buttons_section(),
            *_screen_section(),
        ]
    )


def _header_lines() -> Iterator[str]:
    yield _comment("comment.what_it_is")
    yield _comment("comment.left_out")
    yield ""


def _game_section(choices: Choices) -> Iterator[str]:
    yield "[game]"
    yield _commented(f"name = {_to_toml(choices.game)}", "comment.game", games=tuple(GAMES))
    yield ""
    yield "[game.options]"
    game = GAMES[choices.game]
    for option in game.option_specs:
        yield from _option_lines(option, game.proposed_options.get(option.name), choices)
    yield ""


def _option_lines(option: Option, proposed: object, choices: Choices) -> Iterator[str]:
    yield f"# {phrase_text(option.about(choices.game))} ({phrase_text(option.check.kind)})"
    if proposed is not None:
        yield f"{option.name} = {_to_toml(proposed)}"
    elif option.name == "first_dealer":
        yield f"# first_dealer = {_to_toml(choices.players[0])}"
    elif option.default is None:
        yield f"# {option.name} ="
    else:
        yield f"# {option.name} = {_to_toml(option.default)}"


def _seat_sections(choices: Choices) -> Iterator[str]:
    yield _comment("comment.seats")
    yield _comment("comment.lines")
    for number, name in enumerate(choices.players):
        angle = (choices.first_angle + number * 360 / len(choices.players)) % 360
        first = number == 0
        yield "[[seat]]"
        yield _commented(f"name = {_to_toml(name)}", "comment.name" if first else "", most=NAME_LENGTH)
        yield _commented(f"angle = {round(angle, 1)}", "comment.angle" if first else "")
        yield from _pin_lines(PIN_PLAN[number], choices.buttons, first)
        yield ""


def _pin_lines(pins: SeatPins, buttons: Buttons, first: bool) -> Iterator[str]:
    yield _commented(f"bid = {pins.bid}", "comment.bid" if first else "")
    yield _commented(f"{'# ' if buttons == 'one' else ''}rap = {pins.rap}", "comment.rap" if first else "")
    if buttons == "knock":
        yield _commented("knock = true", "comment.knocks" if first else "")
    else:
        yield _commented("# knock = false", "comment.knock" if first else "")
    yield _commented(f"led = {pins.led}", "comment.led" if first else "")


def _camera_section(choices: Choices) -> Iterator[str]:
    defaults = CameraConfig()
    yield "[camera]"
    yield _commented(f"source = {_to_toml(choices.camera)}", "comment.source")
    yield _commented(f"size = [{defaults.size[0]}, {defaults.size[1]}]", "comment.size")
    yield _commented(f"fps = {defaults.fps:g}", "comment.fps")
    yield _commented(f"# mains_hz = {defaults.mains_hz}", "comment.mains")
    yield _comment("comment.homography")
    yield _comment("comment.homography_by")
    yield "# homography = [[1.8, 0.0, 640.0], [0.0, 1.8, 360.0], [0.0, 0.0, 1.0]]"
    yield _commented(f"# tie_window_ms = {defaults.tie_window_ms}", "comment.lead_tie")
    yield _commented(f"# courts = {_to_toml(defaults.courts)}", "comment.courts")
    yield _commented("# keep_complaints = true", "comment.complaints")
    yield _commented('# pack = "pack.npz"', "comment.pack")
    yield ""


_BUTTON_COMMENTS: Final = (
    ("tie_window_ms", "comment.bid_tie"),
    ("tap_gap_ms", "comment.tap_gap"),
    ("hold_ms", "comment.hold"),
    ("wrong_ms", "comment.wrong"),
    ("dial_ms", "comment.dial"),
    ("debounce_ms", "comment.debounce"),
    ("release_ms", "comment.release"),
)


def _buttons_section() -> Iterator[str]:
    defaults = ButtonsConfig()
    yield "[buttons]"
    for name, comment in _BUTTON_COMMENTS:
        yield _commented(f"# {name} = {getattr(defaults, name):g}", comment)
    yield ""


def _screen_section() -> Iterator[str]:
    defaults = ScreenConfig()
    yield "[screen]"
    yield _commented(f"# language = {_to_toml(defaults.language)}", "comment.language", languages=languages())
    yield _commented(f"# size = {_to_toml(defaults.size)}", "comment.window")
    yield _commented(f"# turned = {_to_toml(defaults.turned)}", "comment.turned")
    yield _commented(f"# lies_flat = {_to_toml(defaults.lies_flat)}", "comment.lies_flat")
    yield _commented(f"# four_colours = {_to_toml(defaults.four_colours)}", "comment.four_colours")
    yield _commented(f"# sound = {_to_toml(defaults.sound)}", "comment.sound")
    yield ""


def _comment(code: str) -> str:
    """Return a comment line."""
    return f"# {phrase_text(make_phrase(code))}"


def _commented(line: str, code: str, **fields: object) -> str:
    """Return a line of the file with a comment after it."""
    return f"{line:30}  # {phrase_text(make_phrase(code, **fields))}" if code else line


def _to_toml(value: object) -> str:
    """Return a value in TOML syntax: JSON's texts, numbers, truths and lists are TOML too."""
    return json.dumps(value, ensure_ascii=False)
