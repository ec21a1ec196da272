"""``cardtable record``: records the live table, in the folder format that ``replay`` reads."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from table.commands.arguments import add_command, add_config_option, require_config_file
from table.commands.play import stop_on_signals
from table.config.settings import load_config
from table.errors import TableError, print_error
from table.i18n.terminal_output import print_line, print_phrase
from table.phrase import Phrase, expected_error, make_phrase
from table.session.devices_in_use_check import require_free_devices
from table.sources.camera.live_camera import PATIENCE_S, STOPPED
from table.sources.live_table import LiveTable, open_live
from table.sources.recordings.live_recorder import Recorder


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "record", run)
    parser.add_argument("folder", metavar="DIR", type=Path)
    add_config_option(parser)
    parser.add_argument("--seconds", metavar="S", type=float)
    parser.add_argument("--no-buttons", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Record the live table until a signal or the time limit; return 1 if frames were lost."""
    if arguments.seconds is not None and not arguments.seconds > 0:
        raise TableError(expected_error("expected.above", at="--seconds", low=0, instead=arguments.seconds))
    config = load_config(require_config_file(arguments.config))
    require_free_devices()
    table = open_live(config, keyboard=arguments.no_buttons)
    with Recorder(arguments.folder, config) as recorder, stop_on_signals(table.stop):
        table.add_listener(recorder)
        print_phrase("recording.begins", folder=str(arguments.folder))
        _record(table, recorder, arguments.seconds)
    print_line(recorder.summary())
    if recorder.trouble is not None:
        raise TableError(recorder.trouble)
    return 1 if recorder.frames_lost else 0


def _record(table: LiveTable, recorder: Recorder, seconds: float | None) -> None:
    """Record until something ends it, and report trouble when it changes."""
    reported: Phrase | None = None
    start_s = time.monotonic()
    for delivery in table.deliveries():
        trouble = recorder.trouble or next(iter(delivery.troubles), None)
        if trouble != reported:
            print_error(trouble or make_phrase("camera.back"))
        reported = trouble
        elapsed_s = time.monotonic() - start_s
        if recorder.frames_written == 0 and elapsed_s > PATIENCE_S:
            table.stop()
            raise TableError("recording.no_picture", trouble=trouble or STOPPED)
        if recorder.trouble is not None or (seconds is not None and elapsed_s > seconds):
            table.stop()
