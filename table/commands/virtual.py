"""``cardtable virtual``: records a game by virtual players, as a recording that ``replay`` reads."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.errors import TableError
from table.phrase import say
from table.progress import Progress
from table.virtual.options import add_options, config_from, look_from, world_from
from table.virtual.record import write_recording
from table.words.spoken import tell


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "virtual",
        help="record a game by virtual players, with the truth",
        description="Write a recording of a game by virtual players: rendered video, bouncing button edges, and "
        "truth.jsonl with what really happened. The same options write the same game.",
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="the recording: a new or an empty folder")
    add_options(parser)
    parser.add_argument(
        "--size", metavar="WxH", default="1280x720", help="the pictures' size (default: 1280x720)"
    )
    parser.add_argument(
        "--fps", metavar="N", type=float, default=30.0, help="pictures a second (default: 30)"
    )
    parser.add_argument(
        "--pace", metavar="X", type=float, default=1.0, help="how slow the players are (default: 1)"
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="a plain cloth and little noise: a far smaller video, an easier task",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    match = re.fullmatch(r"(\d{3,4})x(\d{3,4})", arguments.size)
    if match is None:
        raise TableError(f"--size: expected a width and a height such as 1280x720, not {arguments.size!r}")
    if not 10 <= arguments.fps <= 120:
        raise TableError(f"--fps: expected a number from 10 to 120, not {arguments.fps:g}")
    if not 0.3 <= arguments.pace <= 5:
        raise TableError(f"--pace: expected a number from 0.3 to 5, not {arguments.pace:g}")
    config = config_from(arguments, size=(int(match[1]), int(match[2])), fps=arguments.fps)
    world = world_from(config, arguments, arguments.pace)
    look = look_from(arguments)
    if arguments.plain:
        look = replace(look, grain=0.02, noise=0.6)
    with Progress(say("progress.virtual", folder=str(arguments.folder))) as progress:
        write_recording(world, arguments.folder, look=look, progress=progress)
    seconds = (world.end_ns - world.start_ns) / 1e9
    tell(
        "recording.virtual",
        folder=str(arguments.folder),
        seconds=seconds,
        frames=len(world.clock.times),
        lines=len(world.truth),
    )
    return 0
