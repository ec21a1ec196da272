"""``cardtable record``: records the live table, in the folder format that ``replay`` reads."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from table.commands.arguments import about, set_up_file, usage
from table.commands.play import ended_by_signals
from table.config import load_config
from table.errors import TableError, complain
from table.host.busy import check_free
from table.phrase import Phrase, expected, say
from table.sources.camera import PATIENCE_S, STOPPED
from table.sources.live import LiveTable, open_live
from table.sources.recorder import Recorder
from table.words.spoken import put, tell


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("record", **about("record"))
    parser.add_argument("folder", metavar="DIR", type=Path, help=usage("usage.record_folder"))
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help=usage("usage.config")
    )
    parser.add_argument("--seconds", metavar="S", type=float, help=usage("usage.record_seconds"))
    parser.add_argument("--no-buttons", action="store_true", help=usage("usage.record_no_buttons"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.seconds is not None and not arguments.seconds > 0:
        raise TableError(expected("expected.above", at="--seconds", low=0, instead=arguments.seconds))
    config = load_config(set_up_file(arguments.config))
    check_free()
    table = open_live(config, keyboard=arguments.no_buttons)
    with Recorder(arguments.folder, config) as recorder, ended_by_signals(table.stop):
        table.record(recorder)
        tell("recording.begins", folder=str(arguments.folder))
        _record(table, recorder, arguments.seconds)
    put(recorder.summary())
    if recorder.trouble is not None:
        raise TableError(recorder.trouble)
    return 1 if recorder.lost else 0


def _record(table: LiveTable, recorder: Recorder, seconds: float | None) -> None:
    """Until something ends it; what goes wrong meanwhile is said."""
    said: Phrase | None = None
    began = time.monotonic()
    for delivery in table.deliveries():
        trouble = recorder.trouble or next(iter(delivery.troubles), None)
        if trouble != said:
            complain(trouble or say("camera.back"))
        said = trouble
        passed = time.monotonic() - began
        if recorder.frames == 0 and passed > PATIENCE_S:
            table.stop()
            raise TableError("recording.no_picture", trouble=trouble or STOPPED)
        if recorder.trouble is not None or (seconds is not None and passed > seconds):
            table.stop()
