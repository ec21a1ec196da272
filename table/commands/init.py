"""``cardtable init``: asks a few questions and writes a commented ``table.toml`` that fits the pin plan."""

from __future__ import annotations

import argparse
import stat
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

from table.commands.arguments import about, game_named, number, usage
from table.config import FILE, kind_of, parse_config, player_name
from table.errors import TableError
from table.files.reading import MB, read_bytes
from table.files.rights import rights_at
from table.files.writing import replace_file
from table.games.options import so_many
from table.games.registry import GAMES
from table.names import is_printed, same_person
from table.phrase import Phrase, WrongValueError, expected, say
from table.pipeline import game_of
from table.setup.pins import FIRST_ANGLE, PLAN
from table.setup.template import Buttons, Choices, table_toml
from table.setup.tomlfile import write_set_up
from table.sources.plugged import cameras, stable_name
from table.words.spoken import ask, put, tell, text

T = TypeVar("T")
MOST_OLD = MB
"""Bytes of a file that is kept as it was; a set-up has no more."""
BUTTONS: dict[str, str] = {
    "two": "init.two_buttons",
    "knock": "init.knock_sensor",
    "one": "init.one_button",
}


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("init", **about("init"))
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help=usage("usage.config")
    )
    parser.add_argument("--players", metavar="NAME", nargs="+", help=usage("usage.init_players"))
    parser.add_argument("--game", metavar="G", help=usage("usage.init_game"))
    parser.add_argument("--buttons", choices=get_args(Buttons), help=usage("usage.init_buttons"))
    parser.add_argument(
        "--first-angle",
        metavar="DEG",
        type=number(-360, 360),
        help=usage("usage.init_first_angle", usual=FIRST_ANGLE),
    )
    parser.add_argument("--camera", metavar="SOURCE", help=usage("usage.init_camera"))
    parser.add_argument("--force", action="store_true", help=usage("usage.init_force"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    path: Path = arguments.config
    asks = sys.stdin.isatty()
    if path.exists() and not arguments.force:
        if not asks:
            raise TableError("init.is_there", at=path)
        if not _asked(
            say("init.write_anew", path=str(path), name=path.name), text(say("init.no")).split("/")[0], _yes
        ):
            tell("init.left", path=str(path))
            return 1
    written = table_toml(_choices(arguments, asks))
    # What is written can be played with: the same checks as at the start of a game.
    game_of(parse_config(tomllib.loads(written), path))
    _keep_old(path)
    write_set_up(path, written)
    tell("init.written", path=str(path))
    return 0


def _keep_old(path: Path) -> None:
    if not path.exists():
        return
    old = path.with_name(f"{path.name}.old")
    try:
        with rights_at(path):  # or a link would show its owner what only root may read
            data, mode = read_bytes(path, FILE, MOST_OLD), stat.S_IMODE(path.stat().st_mode)
        replace_file(old, data, mode=mode)  # (it may hold a camera's password)
    except OSError as error:
        raise TableError("init.not_kept", at=old, error=error, name=path.name) from None
    tell("init.old", path=str(old))


# --- the answers ------------------------------------------------------------------------------------------


def _choices(arguments: argparse.Namespace, asks: bool) -> Choices:
    def one(
        option: str, given: str | None, question: Phrase, default: str | None, check: Callable[[str], T]
    ) -> T:
        if given is None and asks:
            return _asked(question, default, check)
        answer = given if given is not None else default
        if answer is None:
            raise TableError("init.no_option", at=f"--{option}")
        try:
            return check(answer)
        except WrongValueError as error:
            raise TableError(error, at=f"--{option}") from None

    game = one("game", arguments.game, say("init.game", games=tuple(GAMES)), "whysteria", game_named)
    low, high = GAMES[game].seat_range
    players = one(
        "players",
        None if arguments.players is None else ",".join(arguments.players),
        say("init.players" if low < high else "init.so_many_players", low=low, high=high),
        None,
        lambda text: _players(text, low, high),
    )
    kinds = tuple(say("init.kind", kind=kind, about=say(about)) for kind, about in BUTTONS.items())
    buttons = one("buttons", arguments.buttons, say("init.buttons", kinds=kinds), "two", _buttons)
    if arguments.first_angle is not None or not asks:
        angle = FIRST_ANGLE if arguments.first_angle is None else arguments.first_angle
    else:
        angle = _asked(
            say("init.clock", seat=players[0]),
            "3",
            _clock,
        )
    there = cameras()
    asked = say("init.camera_of", cameras=there) if there else say("init.camera")
    camera = one("camera", arguments.camera, asked, "picamera", _camera)
    return Choices(players, game, buttons, angle, camera)


def _asked(question: Phrase, default: str | None, check: Callable[[str], T]) -> T:
    """Ask until the answer will do; ``TableError`` when there is nobody any more."""
    while True:
        try:
            answer = ask(f"{text(question)}{f' [{default}]' if default else ''}").strip() or default or ""
        except EOFError:
            raise TableError("init.no_answer", at="init") from None
        try:
            return check(answer)
        except WrongValueError as wrong:
            put(f"  {text(wrong.phrase)}")


def _yes(given: str) -> bool:
    """In the language that is spoken; English is understood everywhere."""
    every = {word: text(say(f"init.{word}")).split("/") for word in ("yes", "no")}
    for word, spelt in every.items():
        if given.casefold() in (word, word[0], *spelt):
            return word == "yes"
    raise expected("expected.choice", choices=(every["yes"][0], every["no"][0]))


def _players(text: str, low: int, high: int) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",")]
    for position, name in enumerate(names):
        place = say("at.player", number=position + 1)
        try:
            player_name(name)
        except WrongValueError as wrong:
            raise WrongValueError(wrong, at=place) from None
        if any(same_person(name, other) for other in names[:position]):
            raise WrongValueError("init.same_name", at=place, name=name)
    most = min(high, len(PLAN))
    if not low <= len(names) <= most:
        raise WrongValueError("init.so_many", n=len(names), range=so_many(low, most))
    return tuple(names)


def _buttons(text: str) -> Buttons:
    for kind in get_args(Buttons):
        if text == kind:
            found: Buttons = kind
            return found
    raise expected("expected.one_of", choices=tuple(BUTTONS), instead=text)


def _clock(text: str) -> float:
    try:
        hour = float(text)
    except ValueError:
        hour = float("nan")
    if not 0 <= hour <= 12:
        raise expected("expected.hour", instead=text)
    return hour * 30.0 % 360.0


def _camera(text: str) -> str | int:
    if not text or not all(map(is_printed, text)):
        raise expected("expected.source")
    source = int(text) if text.isdecimal() and text.isascii() and len(text) < 4 else text
    # The number of a camera that is plugged in may be another one's after the next start.
    return (stable_name(source) if kind_of(source) == "v4l2" else None) or source
