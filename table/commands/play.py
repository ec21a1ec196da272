"""``cardtable play``: the real table."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.commands.arguments import about, checked, game_named, set_up_file, usage
from table.config import TableConfig, load_config
from table.display.look import Look
from table.display.screen import Screen, has_display
from table.display.sound import Sounds
from table.errors import TableError
from table.evening.evening import Evening, Sitting, sitting_of
from table.evening.shelf import Shelf
from table.games.registry import GAMES
from table.host.busy import check_free
from table.phrase import expected
from table.pipeline import game_of
from table.setup.pins import load_table
from table.setup.view import fault, measure
from table.sources.live import open_live

SWITCHED_OFF = 6
"""Who ends with this status is switched off with the machine, where the service says so (table/evening/evening.py)."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("play", **about("play"))
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help=usage("usage.config")
    )
    parser.add_argument(
        "--journal",
        metavar="FILE",
        type=Path,
        help=usage("usage.play_journal"),
    )
    parser.add_argument(
        "--game",
        type=checked(game_named),
        metavar="G",
        help=usage("usage.play_game", games=tuple(GAMES)),
    )
    parser.add_argument("--new", action="store_true", help=usage("usage.play_new"))
    parser.add_argument("--keyboard", action="store_true", help=usage("usage.play_keyboard"))
    parser.add_argument("--record", metavar="DIR", type=Path, help=usage("usage.play_record"))
    parser.add_argument("--window", action="store_true", help=usage("usage.play_window"))
    parser.add_argument("--headless", action="store_true", help=usage("usage.play_headless"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.headless and arguments.keyboard:
        raise TableError(expected("expected.window", at="--keyboard"))
    # Without a screen there is no menu: table.toml has to say all.
    path = set_up_file(arguments.config)
    set_up = load_config(path) if arguments.headless else load_table(path)
    if arguments.game is not None and arguments.game != set_up.game:
        set_up = replace(set_up, game=arguments.game, options=GAMES[arguments.game].proposed)
    if set_up.whole:
        game_of(set_up)
    _check_view(set_up)
    if not arguments.headless and not has_display():
        raise TableError("play.no_display")
    check_free(playing=True)
    with ExitStack() as stack:
        shelf = stack.enter_context(Shelf(arguments.journal))
        kept = None if arguments.new or not set_up.whole else shelf.unfinished(game_of(set_up))
        table = open_live(set_up, keyboard=arguments.keyboard)
        if not arguments.headless:
            table.outlive_film()  # whoever sits before the screen may go on with keys and buttons
        ended = stack.enter_context(ended_by_signals(table.stop))
        screen = (
            None if arguments.headless else stack.enter_context(screen_of(set_up, window=arguments.window))
        )
        evening = Evening(
            set_up,
            table,
            shelf,
            screen=screen,
            sounds=None if screen is None else stack.enter_context(Sounds()),
            ended=ended,
            keyboard=arguments.keyboard,
            record=arguments.record,
        )
        if set_up.whole:
            sitting: Sitting | None = sitting_of(set_up, kept)
        else:
            sitting = None if arguments.new else evening.goes_on()
        switched_off = evening.run(sitting)
        if evening.unwritten is not None and not switched_off:
            raise TableError(evening.unwritten)
        return SWITCHED_OFF if switched_off else 0


def screen_of(config: TableConfig, *, window: bool) -> Screen:
    """The screen that ``table.toml`` describes: all of it, or a window."""
    screen = config.screen
    return Screen(screen.size, fullscreen=not window, look=Look.of(screen), turned=screen.turned)


def _check_view(config: TableConfig) -> None:
    """``TableError`` for a view of the table that nobody could play with."""
    if config.camera.homography is None:
        return  # (sight says so)
    wrong = fault(measure(config.camera.homography, config.camera.size))
    if wrong is not None:
        raise TableError(wrong, at=(config.path or "table.toml", "camera.homography"))


@contextmanager
def ended_by_signals(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """SIGTERM, SIGHUP and Ctrl-C call ``stop``; yields whether one of them has come."""
    came: list[int] = []

    def handler(number: int, _: object) -> None:
        came.append(number)
        stop()

    ends = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        ends.append(signal.SIGHUP)
    before = {number: signal.signal(number, handler) for number in ends}
    try:
        yield lambda: bool(came)
    finally:
        for number, old in before.items():
            signal.signal(number, old)
