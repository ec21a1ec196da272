"""``cardtable doctor``: checks what a table needs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from table.commands.numbers import number
from table.doctor import examine, try_buttons
from table.setup.findings import Finding
from table.setup.pins import load_table
from table.words.spoken import tell

LISTEN_S = 60.0


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "doctor",
        help="check camera, buttons, lamps, screen, model, disk and clock",
        description="Check set-up, model, camera, buttons, lamps, screen, disk and clock, and say what to do about "
        "each fault; exit 1 if there is any.",
    )
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help="default: table.toml"
    )
    parser.add_argument(
        "--buttons",
        metavar="SECONDS",
        nargs="?",
        type=number(lambda seconds: 0 < seconds <= 3600, "a number of seconds up to 3600"),
        const=LISTEN_S,
        help="only listen to the buttons while you press each of them once, until all have been heard or for so many "
        f"seconds (default: {LISTEN_S:.0f}); exit 1 if one was not",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.buttons is None:
        return _tell(examine(arguments.config), 9)
    config = load_table(arguments.config)
    tell("doctor.press", seconds=arguments.buttons)
    return _tell(try_buttons(config, arguments.buttons), 2 + max(len(name) for name in config.names))


def _tell(findings: Iterable[Finding], width: int) -> int:
    faults = 0
    for finding in findings:
        faults += not finding.good
        print(finding.line(width), flush=True)
    return 1 if faults else 0
