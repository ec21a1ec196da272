"""``cardtable init``: asks a few questions and writes a commented ``table.toml`` that fits the pin plan."""

from __future__ import annotations

import argparse
import stat
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from table.commands.arguments import add_command, add_config_option, number_type, parse_game
from table.config.pin_plan import FIRST_ANGLE, PIN_PLAN
from table.config.settings import EXPECTED_CONFIG, SeatKind, check_player_name, parse_config, source_kind
from table.config.toml_edit import replace_config
from table.config.toml_template import Choices, render_table_toml
from table.errors import TableError, convert_errors
from table.files.atomic_writing import replace_file
from table.files.safe_reading import MB, read_bytes
from table.files.write_as_folder_owner import owner_rights
from table.games.engine.option_checks import player_count_phrase
from table.games.registry import GAMES
from table.i18n.terminal_output import ask, phrase_text, print_line, print_phrase
from table.names import is_printable_letter, same_person
from table.phrase import Phrase, WrongValueError, expected_error, make_phrase
from table.pipeline import game_from_config
from table.session.first_set_up import find_camera, has_gpio_header
from table.sources.camera.v4l2 import find_stable_name, list_cameras

T = TypeVar("T")
MAX_OLD_BYTES = MB
"""The largest size in bytes of an old file that is saved; no ``table.toml`` is larger."""
BUTTONS = {"two": "init.two_buttons", "knock": "init.knock_sensor", "one": "init.one_button"}


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "init", run)
    add_config_option(parser)
    parser.add_argument("--players", metavar="NAME", nargs="+")
    parser.add_argument("--game", metavar="G")
    parser.add_argument("--buttons", choices=tuple(BUTTONS))
    angle, usual = number_type(-360, 360), {"usual": FIRST_ANGLE}
    parser.add_argument("--first-angle", metavar="DEG", type=angle, fields=usual)
    parser.add_argument("--camera", metavar="SOURCE")
    parser.add_argument("--force", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Write ``table.toml`` from arguments and answers; return 1 where the user keeps the old file."""
    path: Path = arguments.config
    interactive = sys.stdin.isatty()
    if path.exists() and not arguments.force:
        if not interactive:
            raise TableError("init.is_there", at=path)
        question = make_phrase("init.write_anew", path=str(path), name=path.name)
        if not _ask(question, phrase_text(make_phrase("init.no")).split("/")[0], _parse_yes):
            print_phrase("init.left", path=str(path))
            return 1
    choices = _get_choices(arguments, interactive)
    toml_text = render_table_toml(choices)
    config = parse_config(tomllib.loads(toml_text), path, menu=not choices.game)
    if choices.game:
        # The same checks as at the start of a game, so that the new file can be played with.
        game_from_config(config)
    _save_old_file(path)
    replace_config(path, toml_text)
    print_phrase("init.written" if choices.game else "init.written_for_menu", path=str(path))
    return 0


def _save_old_file(path: Path) -> None:
    if not path.exists():
        return
    old = path.parent / f"{path.name}.old"
    with convert_errors(OSError, "init.not_kept", at=old, name=path.name):
        with owner_rights(path):  # or a link would show its owner what only root may read
            data, mode = read_bytes(path, EXPECTED_CONFIG, MAX_OLD_BYTES), stat.S_IMODE(path.stat().st_mode)
        replace_file(old, data, mode=mode)  # (it may hold a camera's password)
    print_phrase("init.old", path=str(old))


# --- the answers ------------------------------------------------------------------------------------------


def _get_choices(arguments: argparse.Namespace, interactive: bool) -> Choices:
    def choose(
        option: str, given: str | None, question: Phrase, default: str | None, check: Callable[[str], T]
    ) -> T:
        if given is None and interactive:
            return _ask(question, default, check)
        answer = given if given is not None else default
        if answer is None:
            raise TableError("init.no_option", at=f"--{option}")
        with convert_errors(WrongValueError, at=f"--{option}"):
            return check(answer)

    asked_for = (arguments.game, arguments.players, arguments.buttons, arguments.first_angle)
    if interactive and not has_gpio_header() and asked_for == (None,) * 4 and _wants_keys_and_menu():
        source = find_camera() if arguments.camera is None else _parse_camera(arguments.camera)
        return Choices((), "", camera=source)
    question = make_phrase("init.game", games=tuple(GAMES))
    game = choose("game", arguments.game, question, "whysteria", parse_game)
    low, high = GAMES[game].seat_range
    players = choose(
        "players",
        None if arguments.players is None else ",".join(arguments.players),
        make_phrase("init.players" if low < high else "init.so_many_players", low=low, high=high),
        None,
        lambda text: _parse_players(text, low, high),
    )
    kinds = (make_phrase("init.kind", kind=kind, about=make_phrase(about)) for kind, about in BUTTONS.items())
    question = make_phrase("init.buttons", kinds=tuple(kinds))
    buttons = choose("buttons", arguments.buttons, question, "two", _parse_buttons)
    angle = FIRST_ANGLE if arguments.first_angle is None else arguments.first_angle
    if arguments.first_angle is None and interactive:
        angle = _ask(make_phrase("init.clock", seat=players[0]), "3", _parse_clock)
    cameras = list_cameras()
    question = make_phrase("init.camera_of", cameras=cameras) if cameras else make_phrase("init.camera")
    camera = choose("camera", arguments.camera, question, "picamera", _parse_camera)
    return Choices(players, game, buttons, angle, camera)


def _wants_keys_and_menu() -> bool:
    yes = phrase_text(make_phrase("init.yes")).split("/")[0]
    return _ask(make_phrase("init.keys_and_menu"), yes, _parse_yes)


def _ask(question: Phrase, default: str | None, check: Callable[[str], T]) -> T:
    """Ask until the answer is valid; ``TableError`` when the input ends."""
    prompt = f"{phrase_text(question)} [{default}]" if default else question
    while True:
        try:
            answer = ask(prompt).strip() or default or ""
        except EOFError:
            raise TableError("init.no_answer", at="init") from None
        try:
            return check(answer)
        except WrongValueError as wrong:
            print_line(f"  {phrase_text(wrong.phrase)}")


def _parse_yes(answer: str) -> bool:
    """Parse yes or no in the language in use; English is understood everywhere."""
    spellings = {word: phrase_text(make_phrase(f"init.{word}")).split("/") for word in ("yes", "no")}
    for word, alternatives in spellings.items():
        if answer.casefold() in (word, word[0], *alternatives):
            return word == "yes"
    raise expected_error("expected.choice", choices=(spellings["yes"][0], spellings["no"][0]))


def _parse_players(text: str, low: int, high: int) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",")]
    for position, name in enumerate(names):
        place = make_phrase("at.player", number=position + 1)
        try:
            check_player_name(name)
        except WrongValueError as wrong:
            raise WrongValueError(wrong, at=place) from None
        if any(same_person(name, other_name) for other_name in names[:position]):
            raise WrongValueError("init.same_name", at=place, name=name)
    most = min(high, len(PIN_PLAN))
    if not low <= len(names) <= most:
        raise WrongValueError("init.so_many", n=len(names), range=player_count_phrase(low, most))
    return tuple(names)


def _parse_buttons(text: str) -> SeatKind:
    if text not in BUTTONS:
        raise expected_error("expected.one_of", choices=tuple(BUTTONS), instead=text)
    return cast(SeatKind, text)


def _parse_clock(text: str) -> float:
    try:
        hour = float(text)
    except ValueError:
        hour = float("nan")
    if not 0 <= hour <= 12:
        raise expected_error("expected.hour", instead=text)
    return hour * 30.0 % 360.0


def _parse_camera(text: str) -> str | int:
    if not text or not all(map(is_printable_letter, text)):
        raise expected_error("expected.source")
    source = int(text) if text.isdecimal() and text.isascii() and len(text) < 4 else text
    # The number of a camera that is plugged in may be another one's after the next start.
    return (find_stable_name(source) if source_kind(source) == "v4l2" else None) or source
