"""``cardtable play``: runs the real table.

What the window does not need is imported in functions, once the window is there.
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.commands.arguments import (
    DEFAULT_CONFIG,
    add_command,
    add_config_option,
    checked_type,
    parse_game,
    require_config_file,
)
from table.config.pin_plan import load_table
from table.config.settings import TableConfig, load_config
from table.display.sound_player import Sounds
from table.display.window import ScreenWindow, has_display
from table.errors import TableError, print_error
from table.files.safe_reading import exists
from table.games.registry import GAMES
from table.menu.menu_view_data import make_loading_view
from table.phrase import expected_error
from table.session.fault_page import show_fault
from table.session.first_set_up import has_gpio_header, write_first_set_up
from table.system.systemd import is_service

if TYPE_CHECKING:  # the window is there before these are imported
    from table.sources.live_table import LiveTable

EXIT_POWER_OFF = 6
"""The exit status on which the systemd service powers the machine off (table/session/table_session.py)."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "play", run)
    add_config_option(parser)
    parser.add_argument("--journal", metavar="FILE", type=Path)
    games = {"games": tuple(GAMES)}
    parser.add_argument("--game", type=checked_type(parse_game), metavar="G", fields=games)
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--keyboard", action="store_true")
    parser.add_argument("--record", metavar="DIR", type=Path)
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--headless", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Play at the real table, with the menu if there is a screen, until the session ends.

    The service has nobody at a terminal: its screen shows for a while what keeps the table from starting, before
    systemd starts it anew.
    """
    try:
        return _run(arguments)
    except TableError as error:
        if arguments.headless or not is_service():
            raise
        print_error(error)
        with stop_on_signals(lambda: None) as ended, ScreenWindow(fullscreen=True) as screen:
            show_fault(screen, error, arguments.config, ended=ended)
        return 2


def _run(arguments: argparse.Namespace) -> int:
    if arguments.headless and arguments.keyboard:
        raise TableError(expected_error("expected.window", at="--keyboard"))
    # Without a screen there is no menu: table.toml has to be complete.
    is_laptop = not arguments.headless and not has_gpio_header()
    is_wanted = arguments.config == DEFAULT_CONFIG or is_service()
    if not arguments.headless and is_wanted and not exists(arguments.config):
        write_first_set_up(arguments.config)
    path = require_config_file(arguments.config)
    set_up = load_config(path) if arguments.headless else load_table(path)
    if arguments.game is not None and arguments.game != set_up.game:
        set_up = replace(set_up, game=arguments.game, options=GAMES[arguments.game].proposed_options)
    _check_set_up(set_up)
    if not arguments.headless and not has_display():
        raise TableError("play.no_display")
    with ExitStack() as stack:
        in_window = arguments.window or (is_laptop and not arguments.keyboard)
        screen = None
        if not arguments.headless:
            screen = stack.enter_context(ScreenWindow(set_up.screen, fullscreen=not in_window))
        if screen is not None and in_window:
            # What else is needed takes longer to import than the window. The whole screen may be another play's.
            screen.show(make_loading_view("menu.opening_camera"))
        return _play(arguments, set_up, stack, screen, keyboard=arguments.keyboard or is_laptop)


def _play(
    arguments: argparse.Namespace,
    set_up: TableConfig,
    stack: ExitStack,
    screen: ScreenWindow | None,
    *,
    keyboard: bool,
) -> int:
    """Run the session at the table; ``screen``: None without one."""
    from table.pipeline import game_from_config
    from table.session.devices_in_use_check import require_free_devices
    from table.session.resume_or_new_game import GameStore
    from table.session.table_session import SeatedGame, TableSession

    require_free_devices(playing=True)
    game_store = stack.enter_context(GameStore(arguments.journal))
    # A table that has not been calibrated begins with the menu too, which finds the mark.
    has_game = set_up.is_complete and (screen is None or set_up.camera.homography is not None)
    unfinished_game = (
        None if arguments.new or not has_game else game_store.find_unfinished(game_from_config(set_up))
    )
    table = open_live(set_up, keyboard=keyboard)
    if screen is not None:
        table.continues_after_film = True  # people at the screen may continue with keys and buttons
    ended = stack.enter_context(stop_on_signals(table.stop))
    session = TableSession(
        set_up,
        table,
        game_store,
        screen=screen,
        sounds=None if screen is None else stack.enter_context(Sounds()),
        ended=ended,
        keyboard=keyboard,
        record=arguments.record,
    )
    seated_game = None
    if not has_game:
        seated_game = None if arguments.new else session.find_unfinished_game()
    elif screen is not None and not (arguments.new or arguments.game or arguments.journal):
        seated_game = session.find_game_of_menu()
    if seated_game is None and has_game:
        chairs = {name: name for name in set_up.names}
        seated_game = SeatedGame(set_up, chairs, unfinished_game)
    switched_off = session.run(seated_game)
    if session.write_error is not None and not switched_off:
        print_error(session.write_error)
        return 2
    return EXIT_POWER_OFF if switched_off else 0


def open_live(set_up: TableConfig, *, keyboard: bool) -> LiveTable:
    """Open the table's camera and buttons."""
    from table.sources.live_table import open_live as open_camera_and_buttons

    return open_camera_and_buttons(set_up, keyboard=keyboard)


def _check_set_up(set_up: TableConfig) -> None:
    """Raise ``TableError`` where the game can't be played so, or the mark can't be where it is said to be."""
    if set_up.is_complete:
        from table.pipeline import game_from_config

        game_from_config(set_up)
    if set_up.camera.homography is None:
        return  # (the tracker reports that)
    from table.calibration.homography.homography_checks import find_view_fault, measure_view

    view_fault = find_view_fault(measure_view(set_up.camera.homography, set_up.camera.size))
    if view_fault is not None:
        raise TableError(view_fault, at=(set_up.path or "table.toml", "camera.homography"))


@contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call ``stop`` on SIGTERM, SIGHUP and Ctrl-C; yields a function that returns whether a signal has come."""
    signals: list[int] = []

    def handler(number: int, _: object) -> None:
        signals.append(number)
        stop()

    handled_signals = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup ignores SIGHUP
        handled_signals.append(signal.SIGHUP)
    old_handlers = {number: signal.signal(number, handler) for number in handled_signals}
    try:
        yield lambda: bool(signals)
    finally:
        for number, old_handler in old_handlers.items():
            signal.signal(number, old_handler)
