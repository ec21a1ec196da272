"""Measures what the project claims, and writes ``docs/figures.md``.

``python -m tests.figures BENCH...`` runs the benches that are named. It stores what they print in ``docs/figures.json``
with date, commit and machine. ``--all`` runs every one. Without a name only the page is written anew.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
STORE: Final = ROOT / "docs" / "figures.json"
PAGE: Final = ROOT / "docs" / "figures.md"


@dataclass(frozen=True)
class Bench:
    """A command that measures, and what a reader must know to read what it prints."""

    title: str
    about: str
    command: str
    """As a user types it; ``python`` and ``cardtable`` are those of this environment."""


BENCHES: Final = {
    "rules": Bench(
        "Rules",
        "Random games are played side by side with a second implementation, written from the "
        "sources alone, and with OpenSpiel. "
        "Every call, card, score and refusal is compared.",
        "python -m tests.oracles --deals 2000",
    ),
    "referee": Bench(
        "Referee",
        "Random games of all five kinds, whose card facts and presses are damaged. The bench counts "
        "hands that are scored wrongly, "
        "with nobody answering the table's questions and with true answers.",
        "python -m tests.referee.faults --games 400 --seed 71",
    ),
    "scenes": Bench(
        "Tracking in hard scenes",
        "Rendered scenes of the frozen set, on which nothing is tuned: tied leads, crossing and "
        "fast arms, dim light, things on the "
        "table. Every twentieth scene.",
        "python -m tests.scenes --set frozen --every 20",
    ),
    "films": Bench(
        "Tracking in filmed scenes",
        "Scenes of the filmed frozen set: piles laid squarely, a dealer's pack, several hands, cards face "
        "down; hands from a mesh, other tables and lenses, films of 300 to 1,000 kbit/s. Every fourth scene.",
        "python -m tests.scenes --set film-frozen --every 4",
    ),
    "cost": Bench(
        "Cost of tracking",
        "A recording replayed: processor time of decoding, of tracking in play and at rest, and how "
        "long each card waited to be published.",
        "python -m tests.cost tests/recordings/virtual-3",
    ),
    "speed": Bench(
        "Speed",
        "Detector, whole pipeline, rules and resuming, on one thread of this machine.",
        "cardtable bench",
    ),
    "power": Bench(
        "Power cuts",
        "Games of all five kinds are killed at random moments and go on. The bench counts what is "
        "lost, doubled or invented.",
        "python -m tests.kill --times 10 --seed 4242",
    ),
    "plugs": Bench(
        "Pulled plugs",
        "Games of all five kinds lie on an ext4 disk with a volatile cache; its power goes at a random write "
        "or flush, and the game goes on. The bench counts what is lost, doubled or invented.",
        "python -m tests.kill --plug --times 40 --seed 4242",
    ),
    "machine": Bench(
        "The whole machine",
        "A Debian with the service, under QEMU: its start by parts, its memory, and what it does at rest and in play. "
        "An emulated processor's clock counts a nanosecond an instruction, and the detector's networks run outside: "
        "times are about a Raspberry Pi 4's, no more.",
        "python -m tests.machine boot",
    ),
    "machine-plugs": Bench(
        "Pulled plugs of the whole machine",
        "In that machine games of all five kinds are played by camera and simulated buttons. The plug is pulled time "
        "and again, on a disk that loses what was not flushed, and the game goes on after each boot.",
        "python -m tests.machine plugs --plugs 100",
    ),
    "fuzz": Bench(
        "Damaged files",
        "Damaged files of each kind are given to the commands that read them. Each has to be "
        "refused in one line, or read.",
        "python -m tests.fuzz --count 200",
    ),
    "ready": Bench(
        "Start",
        "Time from the start to the first picture, and to resume a journal of 10,000 lines.",
        "python -m tests.ready --times 3",
    ),
    "privacy": Bench(
        "Privacy",
        "The commands run under strace in an empty home. Printed is what they opened and wrote.",
        "python -m tests.quiet",
    ),
    "buttons": Bench(
        "Stamps of the buttons",
        "Linux's simulated GPIO chip in a virtual machine ([the "
        "bench](../hardware/bench/README.md)), in its short form.",
        "python hardware/bench/host.py --short",
    ),
    "tests": Bench(
        "Quick tests",
        "Lint, types and the quick tests; the installation was there already.",
        "make test",
    ),
}


def measure(bench: Bench, commit: str) -> dict[str, Any]:
    """Run a bench and return what it printed, with the circumstances; its exit status is stored too."""
    words = shlex.split(bench.command)
    folder = Path(sys.executable).parent
    words[0] = {"python": sys.executable, "cardtable": str(folder / "cardtable")}.get(words[0], words[0])
    begun = time.monotonic()
    done = subprocess.run(
        words,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYGAME_HIDE_SUPPORT_PROMPT": "1"},
    )
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit,
        "machine": _machine(),
        "seconds": round(time.monotonic() - begun),
        "status": done.returncode,
        "printed": _clean(done.stdout),
    }


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _machine() -> str:
    cpu = platform.machine()
    information = Path("/proc/cpuinfo")
    if information.is_file() and (model := re.search(r"model name\s*: (.*)", information.read_text())):
        cpu = model[1]
    return f"{os.cpu_count()} cores, {cpu}, Python {platform.python_version()}"


def _clean(text: str) -> str:
    """Return the text without this folder's place, terminal codes and overwritten lines of progress."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text.replace(f"{ROOT}/", ""))
    return "\n".join(line.rpartition("\r")[2].rstrip() for line in text.strip().splitlines())


def page(stored: dict[str, dict[str, Any]]) -> str:
    """Return the page in Markdown."""
    lines = [
        "# Figures",
        "",
        "What is claimed of this project, as its benches printed it. `python -m tests.figures` "
        "wrote this page; nothing in it is",
        "written by hand. The detector's own figures are in [its model card](../models/README.md).",
    ]
    for key, bench in BENCHES.items():
        if key not in stored:
            continue
        run = stored[key]
        failed = f" It ended with status {run['status']}." if run["status"] else ""
        lines += [
            "",
            f"## {bench.title}",
            "",
            bench.about,
            "",
            f"`{bench.command}`, {run['date']}, commit {run['commit']}, {run['machine']}; "
            f"took {run['seconds']} s.{failed}",
            "",
            "```text",
            run["printed"],
            "```",
        ]
    return "\n".join(lines) + "\n"


def read() -> dict[str, dict[str, Any]]:
    """Return what was stored by the benches' names."""
    stored: dict[str, dict[str, Any]] = json.loads(STORE.read_text()) if STORE.is_file() else {}
    return stored


def main() -> None:
    """Run the benches that are named, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument("bench", nargs="*", metavar="BENCH", help=", ".join(BENCHES))
    parser.add_argument("--all", action="store_true", help="run every bench")
    arguments = parser.parse_args()
    unknown = [key for key in arguments.bench if key not in BENCHES]
    if unknown:
        parser.error(f"{unknown[0]}: expected one of {', '.join(BENCHES)}")
    commit = _commit()  # (what this writes makes the folder differ from it)
    for key in BENCHES if arguments.all else arguments.bench:
        stored = read() | {key: measure(BENCHES[key], commit)}
        STORE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
        print(f"{key}: {stored[key]['seconds']} s, status {stored[key]['status']}", flush=True)
    PAGE.write_text(page(read()))


if __name__ == "__main__":
    main()
