"""The template of a commented ``table.toml`` as ``cardtable init`` writes it; ``hardware/table.toml`` is an example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from table.config.pin_plan import FIRST_ANGLE, PIN_PLAN
from table.config.settings import NAME_LENGTH, ButtonsConfig, CameraConfig, ScreenConfig, SeatConfig, SeatKind
from table.games.engine.ruleset import OptionSpec
from table.games.registry import GAMES
from table.i18n.catalogue import languages
from table.i18n.terminal_output import phrase_text
from table.phrase import make_phrase


@dataclass(frozen=True, slots=True)
class Choices:
    """The answers to the questions of ``cardtable init``."""

    players: tuple[str, ...]
    """In playing order, each to the left of the one before; at most as many as the pin plan has seats."""
    game: str = "whysteria"
    """Empty: game and players are left to the menu."""
    buttons: SeatKind = "two"
    """The buttons of each seat: BID and RAP, BID and a knock sensor, or BID alone."""
    first_angle: float = FIRST_ANGLE
    """The first player's direction, degrees clockwise from the picture's top edge; the others at equal distances."""
    camera: str | int = "picamera"


def render_table_toml(choices: Choices) -> str:
    """Return the text of a commented ``table.toml`` with these choices."""
    defaults = CameraConfig()
    camera = {
        "source": _to_toml(choices.camera),
        "size": _to_toml(defaults.size),
        "fps": f"{defaults.fps:g}",
    }
    lines = [_comment("comment.what_it_is"), _comment("comment.left_out"), ""]
    if choices.game:
        lines += [
            "[game]",
            _commented(f"name = {_to_toml(choices.game)}", "comment.game"),
            "",
            "[game.options]",
        ]
        game = GAMES[choices.game]
        for option in game.option_specs:
            lines += _option_lines(option, game.proposed_options.get(option.name), choices)
        lines += ["", _comment("comment.seats"), _comment("comment.lines")]
    for number in range(len(choices.players)):
        lines += ["[[seat]]", *_seat_lines(choices, number), ""]
    lines += ["[camera]", *_section_lines(CameraConfig, camera), ""]
    lines += ["[buttons]", *_section_lines(ButtonsConfig), ""]
    lines += ["[screen]", *_section_lines(ScreenConfig), ""]
    return "\n".join(lines)


def _option_lines(option: OptionSpec, proposed: object, choices: Choices) -> Iterator[str]:
    yield f"# {phrase_text(option.about)} ({phrase_text(option.check.kind)})"
    if proposed is not None:
        yield f"{option.name} = {_to_toml(proposed)}"
    elif option.name == "first_dealer":
        yield f"# first_dealer = {_to_toml(choices.players[0])}"
    elif option.default is None:
        yield f"# {option.name} ="
    else:
        yield f"# {option.name} = {_to_toml(option.default)}"


def _seat_lines(choices: Choices, number: int) -> Iterator[str]:
    """Yield the keys of a seat, with comments at the first."""
    pins, one_button = PIN_PLAN[number], choices.buttons == "one"
    angle = (choices.first_angle + number * 360 / len(choices.players)) % 360
    knocks = choices.buttons == "knock"
    values = {
        "name": f"name = {_to_toml(choices.players[number])}",
        "angle": f"angle = {round(angle, 1)}",
        "bid": f"bid = {pins.bid}",
        "rap": f"{'# ' if one_button else ''}rap = {pins.rap}",
        "knock": "knock = true" if knocks else "# knock = false",
        "led": f"led = {pins.led}",
    }
    for key in fields(SeatConfig):
        if key.metadata:
            comment = "comment.knocks" if key.name == "knock" and knocks else key.metadata["comment"]
            yield _commented(values[key.name], "" if number else comment)


def _section_lines(section: Any, values: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Yield the keys of a section, given as its dataclass: those without a value are commented out."""
    for key in fields(section):
        if key.name == "homography":
            yield _comment("comment.homography")
            yield _comment("comment.homography_by")
            yield f"# homography = {key.metadata['example']}"
        elif key.name in values:
            yield _commented(f"{key.name} = {values[key.name]}", key.metadata["comment"])
        elif key.metadata["comment"]:
            value = key.metadata["example"] or _to_toml(key.default)
            yield _commented(f"# {key.name} = {value}", key.metadata["comment"])


def _comment(code: str) -> str:
    return f"# {phrase_text(make_phrase(code))}"


def _commented(line: str, code: str) -> str:
    if not code:
        return line
    comment = make_phrase(code, games=tuple(GAMES), languages=languages(), most=NAME_LENGTH)
    return f"{line:30}  # {phrase_text(comment)}"


def _to_toml(value: object) -> str:
    """Return a value in TOML syntax: JSON's texts, numbers, truths and lists are TOML too."""
    return json.dumps(value, ensure_ascii=False)
