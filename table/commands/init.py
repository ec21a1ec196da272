"""``cardtable init``: asks a few questions and writes a commented ``table.toml`` that fits the pin plan."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

from table.commands.numbers import number
from table.config import like, parse_config, player_name
from table.errors import TableError
from table.games.registry import GAMES
from table.phrase import Phrase, say
from table.pipeline import game_of
from table.setup.pins import FIRST_ANGLE, PLAN
from table.setup.template import Buttons, Choices, table_toml
from table.setup.tomlfile import replace_file
from table.words.spoken import tell, text

T = TypeVar("T")
BUTTONS: dict[str, str] = {
    "two": "init.two_buttons",
    "knock": "init.knock_sensor",
    "one": "init.one_button",
}


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "init",
        help="write a table.toml",
        description="Ask a few questions and write a commented table.toml that fits the pin plan of hardware/. What is "
        "given as an option is not asked; where nobody can be asked (stdin is no terminal), --players is needed and "
        "the rest has its default. An existing file is never lost: it is asked (or --force given), and kept as "
        "NAME.old.",
    )
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help="default: table.toml"
    )
    parser.add_argument(
        "--players", metavar="NAME", nargs="+", help="in playing order, clockwise as seen from above"
    )
    parser.add_argument("--game", metavar="G", help="default: whysteria")
    parser.add_argument("--buttons", choices=get_args(Buttons), help="of each seat (default: two)")
    parser.add_argument(
        "--first-angle",
        metavar="DEG",
        type=number(lambda angle: -360 <= angle <= 360, "a number of degrees from -360 to 360"),
        help="where the first player sits, clockwise from the top edge of the camera's picture; the others follow at "
        f"equal distances (default: {FIRST_ANGLE:g}, its right edge)",
    )
    parser.add_argument(
        "--camera", metavar="SOURCE", help='"picamera", a V4L2 device, a URL or a film (default: picamera)'
    )
    parser.add_argument("--force", action="store_true", help="write over an existing file without asking")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    path: Path = arguments.config
    asks = sys.stdin.isatty()
    if path.exists() and not arguments.force:
        if not asks:
            raise TableError(
                f"{path}: there is one already: expected another --config, or --force to write over it"
            )
        if not _asked(say("init.write_anew", path=str(path), name=path.name), "no", _yes):
            tell("init.left", path=str(path))
            return 1
    written = table_toml(_choices(arguments, asks))
    # What is written can be played with: the same checks as at the start of a game.
    game_of(parse_config(tomllib.loads(written), path))
    _keep_old(path)
    replace_file(path, written)
    tell("init.written", path=str(path))
    return 0


def _keep_old(path: Path) -> None:
    if not path.exists():
        return
    old = path.with_name(f"{path.name}.old")
    try:
        old.write_bytes(path.read_bytes())
    except OSError as error:
        raise TableError(
            f"{old}: can't be written ({error.strerror}): the old {path.name} would be lost"
        ) from None
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
            raise TableError(f"--{option}: missing: expected it as an option where nobody can be asked")
        try:
            return check(answer)
        except ValueError as error:
            raise TableError(f"--{option}: {error}") from None

    game = one("game", arguments.game, say("init.game", games=tuple(GAMES)), "whysteria", _game)
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
    camera = one("camera", arguments.camera, say("init.camera"), "picamera", _camera)
    return Choices(players, game, buttons, angle, camera)


def _asked(question: Phrase, default: str | None, check: Callable[[str], T]) -> T:
    """Ask until the answer will do; ``TableError`` when there is nobody any more."""
    while True:
        try:
            answer = input(f"{text(question)} {f'[{default}] ' if default else ''}").strip() or default or ""
        except EOFError:
            raise TableError("init: no answer: expected one for each question, or options instead") from None
        try:
            return check(answer)
        except ValueError as error:
            print(f"  {error}")


def _yes(text: str) -> bool:
    if text.casefold() not in ("y", "yes", "n", "no"):
        raise ValueError("expected yes or no")
    return text.casefold() in ("y", "yes")


def _game(text: str) -> str:
    if text not in GAMES:
        raise ValueError(f"no game is called {text!r} (expected one of {', '.join(GAMES)})")
    return text


def _players(text: str, low: int, high: int) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",")]
    for position, name in enumerate(names):
        try:
            player_name(name)
        except ValueError as error:
            raise ValueError(f"player {position + 1}: {error}") from None
        if any(like(name) == like(other) for other in names[:position]):
            raise ValueError(f"player {position + 1}: {name!r} is there already (expected another name)")
    most = min(high, len(PLAN))
    if not low <= len(names) <= most:
        raise ValueError(f"{len(names)} players: expected {low if low == most else f'{low} to {most}'}")
    return tuple(names)


def _buttons(text: str) -> Buttons:
    for kind in get_args(Buttons):
        if text == kind:
            found: Buttons = kind
            return found
    raise ValueError(f"expected one of {', '.join(BUTTONS)}, not {text!r}")


def _clock(text: str) -> float:
    try:
        hour = float(text)
    except ValueError:
        hour = float("nan")
    if not 0 <= hour <= 12:
        raise ValueError(f"expected an hour from 1 to 12, not {text!r}")
    return hour * 30.0 % 360.0


def _camera(text: str) -> str | int:
    if not text or not text.isprintable():
        raise ValueError('expected "picamera", a V4L2 index or device, a file or a URL')
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 4 else text
