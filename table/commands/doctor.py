"""``cardtable doctor``: checks what a table needs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from table.doctor import examine


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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    faults = 0
    for finding in examine(arguments.config):
        faults += not finding.good
        print(f"{'ok   ' if finding.good else 'FAULT'}  {finding.part + ':':9}{finding.text}", flush=True)
    return 1 if faults else 0
