"""Runs the table's commands under strace, with a home of their own, and prints what they opened and wrote.

    python -m tests.quiet

Exit status 1 where one opened a socket that could reach beyond this machine, or wrote anything outside its own places:
the state folder, the folder that it was told to write into, a temporary one that goes with it, and Python's own
``__pycache__``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.quiet.traced import CALLS, Seen, read_trace
from tests.quiet.watch import bare_environment

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests" / "recordings" / "virtual-3"
TABLE = ("-m", "table")
# The real table's command, at a table whose camera and buttons are that recording; killed in mid-game.
FILMED = ("-m", "tests.commands.filmed", "1003", "dealt")
COMMANDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (TABLE, ("games",)),
    (TABLE, ("detect", str(ROOT / "table" / "detection" / "indices" / "letters.png"))),
    (TABLE, ("demo", "--headless", "--hands", "1")),
    (TABLE, ("replay", str(RECORDING), "--check")),
    (TABLE, ("doctor", "--config", str(RECORDING / "table.toml"))),
    (FILMED, ("play", "--headless", "--config", str(RECORDING / "table.toml"))),
    (TABLE, ("history",)),
    (TABLE, ("export",)),
)
"""How Python runs each command, and the command; they follow one another in one home."""
KILLED = -9


def is_own(path: Path, home: Path, folder: Path) -> bool:
    """Whether a path is one of the places in which the table may write."""
    own = (home / ".local" / "state" / "cardtable", folder)
    # The way to the state folder is made where it is missing.
    temporary = Path(tempfile.gettempdir())
    return (
        "__pycache__" in path.parts
        # lgpio's pipe: table.buttons.gpio_edges
        or any(one.parent == temporary and one.name.startswith("cardtable-") for one in (path, *path.parents))
        or str(path) in ("/dev/null", "/dev/tty")
        or path in own[0].parents
        or any(path == one or one in path.parents for one in own)
    )


def traced(command: Sequence[str], home: Path, folder: Path, traces: Path) -> tuple[int, str, Seen]:
    """Run a command under strace in ``folder``; its exit status, what it printed, and what was seen."""
    traces.mkdir()
    calls = ",".join(f"?{name}" for name in CALLS)
    strace = (
        "strace",
        "-ff",
        "-y",
        "-qq",
        "-s",
        "4096",
        "-e",
        f"trace={calls}",
        "-o",
        str(traces / "thread"),
    )
    environ = {**bare_environment(home, ROOT), "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        (*strace, sys.executable, *command),
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    seen = Seen()
    for path in sorted(traces.iterdir()):
        read_trace(path.read_text(errors="replace").splitlines(), folder, seen)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace"), seen


def main() -> int:
    """Run every command; 1 where anything left the table."""
    if shutil.which("strace") is None:
        print("quiet: no strace: install it first (sudo apt install strace)", file=sys.stderr)
        return 2
    left = 0
    with tempfile.TemporaryDirectory() as name:
        base = Path(os.path.realpath(name))
        home, folder = base / "home", base / "folder"
        home.mkdir()
        folder.mkdir()
        for number, (way, command) in enumerate(COMMANDS):
            print("cardtable", *command, flush=True)
            status, output, seen = traced((*way, *command), home, folder, base / f"trace-{number}")
            outside = sorted(path for path in seen.written if not is_own(path, home, folder))
            for text in sorted(seen.sockets):
                print(f"  FAULT  {text}")
            for path in outside:
                print(f"  FAULT  wrote {path}")
            for text in sorted(seen.local):
                print(f"  local  {text}")
            own = len(seen.written) - len(outside)
            print(
                f"  {len(seen.sockets)} sockets to elsewhere, {len(outside)} files elsewhere, {own} in its own places"
            )
            if status not in (0, 1, KILLED):
                print(f"  FAULT  exit status {status}: {output.strip()[-400:]}")
            left += len(seen.sockets) + len(outside) + (status not in (0, 1, KILLED))
        kept = sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())
    print("In its home the table left:", *(kept or ["nothing"]), sep="\n  ")
    print("Nothing left the table." if not left else f"{left} faults.")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
