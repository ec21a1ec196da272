"""``cardtable virtual``: simulates a game and writes it as a recording that ``replay`` reads."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.commands.shared_game_arguments import (
    add_game_options,
    choose_appearance,
    make_config,
    simulate_game,
)
from table.commands.translated_arguments import argument_help, command_help
from table.errors import TableError
from table.i18n.terminal_output import print_phrase
from table.phrase import expected_error, make_phrase
from table.simulation.recording_writer import write_recording
from table.system.progress_line import Progress


def add_parser(subparsers: Any) -> None:
    """Add the ``virtual`` sub-command."""
    parser = subparsers.add_parser("virtual", **command_help("virtual"))
    parser.add_argument("folder", metavar="DIR", type=Path, help=argument_help("usage.record_folder"))
    add_game_options(parser)
    parser.add_argument("--size", metavar="WxH", default="1280x720", help=argument_help("usage.virtual_size"))
    parser.add_argument(
        "--fps", metavar="N", type=float, default=30.0, help=argument_help("usage.virtual_fps")
    )
    parser.add_argument(
        "--pace", metavar="X", type=float, default=1.0, help=argument_help("usage.virtual_pace")
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help=argument_help("usage.virtual_plain"),
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Simulate a game and write its recording."""
    match = re.fullmatch(r"(\d{3,4})x(\d{3,4})", arguments.size)
    if match is None:
        raise TableError(expected_error("expected.picture_size", at="--size", instead=arguments.size))
    for name, low, high in (("fps", 10, 120), ("pace", 0.3, 5)):
        value = getattr(arguments, name)
        if not low <= value <= high:
            raise TableError(
                expected_error("expected.range", at=f"--{name}", low=low, high=high, instead=value)
            )
    config = make_config(arguments, size=(int(match[1]), int(match[2])), fps=arguments.fps)
    world = simulate_game(config, arguments, arguments.pace)
    look = choose_appearance(arguments)
    if arguments.plain:
        look = replace(look, grain=0.02, noise=0.6)
    with Progress(make_phrase("progress.virtual", folder=str(arguments.folder))) as progress:
        write_recording(world, arguments.folder, look=look, progress=progress)
    seconds = (world.end_ns - world.start_ns) / 1e9
    print_phrase(
        "recording.virtual",
        folder=str(arguments.folder),
        seconds=seconds,
        frames=len(world.clock.times),
        lines=len(world.truth),
    )
    return 0
