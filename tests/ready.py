"""How long the table takes to come up: ``python -m tests.ready``.

A process of its own each time, by the wall, its bytecode made before as by the set-up script: so on a machine that does
nothing else. First from the start of ``cardtable play`` until it tells systemd that it is ready, with a film for a
camera, keys for buttons and a screen that nobody sees: the evening that begins with the menu, and the game that
``table.toml`` names. Then the part of a start that goes back to a journal of 10,000 lines: with the file beside it,
between two hands and late in one, and by the journal alone. Exit status 1 where a median is more than is wanted.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from table.benchmark.resume_speed import LINES, write_journals

ROOT = Path(__file__).parents[1]
FILM = ROOT / "tests" / "recordings" / "virtual-3" / "video.mp4"
MOST_S, RESUME_MOST_S = 3.0, 0.3
"""What is wanted of a table: of its start, and of going back to a long journal."""
LONGEST_S = 60.0
CAMERA = f"""[camera]
source = {str(FILM)!r}
homography = [[1.8, 0, 640], [0, 1.8, 360], [0, 0, 1]]
"""
GAME = """[game]
name = "whysteria"
""" + "".join(
    f'[[seat]]\nname = "{name}"\nangle = {angle}\nbid = {5 + angle // 90}\n'
    for name, angle in (("Ada", 0), ("Ben", 90), ("Cleo", 180))
)
# pygame's dummy driver is no display that one could play before.
PLAY = "import sys; from table.commands import play; play.has_display = lambda: True; from table.__main__ import main; "


def seconds(table_toml: str, folder: Path) -> float:
    """The time that one start takes."""
    config = folder / "table.toml"
    config.write_text(table_toml)
    told = folder / "notify"
    told.unlink(missing_ok=True)
    arguments = ["play", "--config", str(config), "--window", "--keyboard", "--new"]
    environ = {
        **os.environ,
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "XDG_STATE_HOME": str(folder),
        "NOTIFY_SOCKET": str(told),
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(told))
        systemd.settimeout(LONGEST_S)
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-c", f"{PLAY}sys.exit(main({arguments!r}))"],
            env=environ,
            stdout=subprocess.DEVNULL,
        )
        try:
            while b"READY=1" not in systemd.recv(4096):
                pass
            return time.monotonic() - began
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(LONGEST_S)


RESUME = """
import sys
from pathlib import Path
from table.benchmark.resume_speed import make_long_game, time_resume
print(*time_resume(Path(sys.argv[1]), make_long_game(int(sys.argv[2]))))
"""
KEPT = {
    "between": "with the file beside it, between two hands",
    "trick": "with the file beside it, at the last trick",
    "alone": "by the journal alone",
}


def resumed(evening: Path, folder: Path, lines: int) -> tuple[float, float]:
    """What one process takes to go back to the journal of a folder: processor time, and that by the wall."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(evening, folder)
    arguments = [sys.executable, "-c", RESUME, str(folder), str(lines)]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, check=True, cwd=ROOT)
    processor, wall = map(float, done.stdout.split())
    return processor, wall


def told(what: str, found: Sequence[float]) -> str:
    """A line of what was found."""
    return f"{what} {statistics.median(found):.2f} s (median), {max(found):.2f} s (worst of {len(found)})"


def starts(times: int, folder: Path) -> bool:
    """Start both evenings so many times; whether that takes too long."""
    slow = False
    for what, text in (("menu", CAMERA), ("game", GAME + CAMERA)):
        found = [seconds(text, folder) for _ in range(times)]
        print(told(f"{what}: ready after", found), flush=True)
        slow |= statistics.median(found) > MOST_S
    return slow


def resumes(times: int, folder: Path, lines: int) -> bool:
    """Go back so many times to each journal; whether that takes too long."""
    slow, count = False, write_journals(folder, lines)
    for stand, kept in KEPT.items():
        found = [resumed(folder / stand, folder / "again", lines) for _ in range(times)]
        processor, wall = zip(*found, strict=True)
        print(told(f"back to {count} lines {kept}:", wall), end="")
        print(told("; of the processor's time", processor), flush=True)
        slow |= statistics.median(wall) > RESUME_MOST_S
    return slow


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="tests.ready", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=5, help="of each kind (default: 5)")
    parser.add_argument("--lines", type=int, default=LINES, help=f"of the long journal (default: {LINES})")
    parser.add_argument("--only", choices=("start", "resume"), help="only the one or the other")
    arguments = parser.parse_args()
    compileall.compile_dir(ROOT / "table", quiet=1)
    slow = False
    with tempfile.TemporaryDirectory() as name:
        if arguments.only != "resume":
            slow |= starts(arguments.times, Path(name))
        if arguments.only != "start":
            slow |= resumes(arguments.times, Path(name), arguments.lines)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
