"""``cardtable doctor``: checks everything that a table needs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from table.calibration.homography.check_findings import Finding
from table.commands.setup.health_checks import check_table, listen_for_buttons
from table.commands.translated_arguments import argument_help, command_help, number_type
from table.config.pin_plan import load_table
from table.i18n.terminal_output import print_line, print_phrase

LISTEN_S = 60.0


def add_parser(subparsers: Any) -> None:
    """Add the ``doctor`` sub-command."""
    parser = subparsers.add_parser("doctor", **command_help("doctor"))
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help=argument_help("usage.config")
    )
    parser.add_argument(
        "--buttons",
        metavar="SECONDS",
        nargs="?",
        type=number_type(0.01, 3600),
        const=LISTEN_S,
        help=argument_help("usage.doctor_buttons", usual=LISTEN_S),
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the health checks, or the test of the buttons; return 1 where there is a fault."""
    if arguments.buttons is None:
        return _print_findings(check_table(arguments.config))
    config = load_table(arguments.config)
    print_phrase("doctor.press", seconds=arguments.buttons)
    return _print_findings(
        listen_for_buttons(config, arguments.buttons), 2 + max(len(name) for name in config.names)
    )


def _print_findings(findings: Iterable[Finding], width: int | None = None) -> int:
    faults = 0
    for finding in findings:
        faults += not finding.good
        print_line(finding.format_line(width))
    return 1 if faults else 0
