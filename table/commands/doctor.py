"""``cardtable doctor``: checks what a table needs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from table.commands.arguments import about, number, usage
from table.commands.checks import examine, try_buttons
from table.setup.findings import Finding
from table.setup.pins import load_table
from table.words.spoken import put, tell

LISTEN_S = 60.0


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("doctor", **about("doctor"))
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help=usage("usage.config")
    )
    parser.add_argument(
        "--buttons",
        metavar="SECONDS",
        nargs="?",
        type=number(0.01, 3600),
        const=LISTEN_S,
        help=usage("usage.doctor_buttons", usual=LISTEN_S),
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.buttons is None:
        return _tell(examine(arguments.config))
    config = load_table(arguments.config)
    tell("doctor.press", seconds=arguments.buttons)
    return _tell(try_buttons(config, arguments.buttons), 2 + max(len(name) for name in config.names))


def _tell(findings: Iterable[Finding], width: int | None = None) -> int:
    faults = 0
    for finding in findings:
        faults += not finding.good
        put(finding.line(width))
    return 1 if faults else 0
