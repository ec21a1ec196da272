"""How long ``cardtable play`` takes from its start until it tells systemd that it is ready: ``python -m tests.ready``.

A process of its own each time, by the wall, its bytecode made before as by the set-up script: a film for a camera,
keys for buttons, a screen that nobody sees. The first line is of the evening that begins with the menu, the second of
the game that ``table.toml`` names.
"""

from __future__ import annotations

import argparse
import compileall
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILM = ROOT / "tests" / "recordings" / "virtual-3" / "video.mp4"
MOST_S = 3.0
"""What is wanted of a table."""
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


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="tests.ready", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=5, help="starts of each kind (default: 5)")
    times = parser.parse_args().times
    compileall.compile_dir(ROOT / "table", quiet=1)
    slow = False
    with tempfile.TemporaryDirectory() as name:
        for what, text in (("menu", CAMERA), ("game", GAME + CAMERA)):
            found = [seconds(text, Path(name)) for _ in range(times)]
            median, worst = statistics.median(found), max(found)
            print(f"{what}: ready after {median:.2f} s (median), {worst:.2f} s (worst of {times})")
            slow |= median > MOST_S
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
