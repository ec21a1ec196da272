"""A sub-command is loaded alone: the others, with all that they need, take their time on a Raspberry Pi."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

CODE = "import sys; from table.__main__ import make_parser; make_parser({argv}); print(*sorted(sys.modules))"


def loaded(*argv: str) -> set[str]:
    """The modules that are loaded once that command line's parser is made."""
    code = CODE.format(argv=list(argv))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_a_sub_command_loads_no_other_ones() -> None:
    modules = loaded("games")
    assert "table.commands.games" in modules
    assert (
        not {"table.commands.play", "table.commands.demo", "table.simulation", "gpiozero", "pygame"} & modules
    )


def test_help_lists_all_sub_commands() -> None:
    assert {"table.commands.games", "table.commands.play"} <= loaded("--help")


WINDOW = """import sys
from table.__main__ import main
from table.commands import play
from table.display.window import ScreenWindow

def show(screen, view):
    print(view.lines[0].text.code, *sorted(sys.modules))
    sys.exit()

play.has_display = lambda: True
play.has_gpio_header = lambda: False
ScreenWindow.show = show
main(["play"])
"""


def test_a_window_says_what_is_loaded_before_camera_detector_and_referee_are(tmp_path: Path) -> None:
    environ = {**os.environ, "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", WINDOW], cwd=tmp_path, env=environ, capture_output=True, text=True, check=True
    )
    shown, *modules = run.stdout.splitlines()[-1].split()
    assert shown == "menu.opening_camera"
    assert "table.display.window" in modules
    slow = {
        "cv2",
        "gpiozero",
        "onnxruntime",
        "table.detection",
        "table.pipeline",
        "table.referee.referee",
        "table.session.table_session",
        "table.tracking",
    }
    assert slow.isdisjoint(modules)


def test_pygame_does_not_greet_on_standard_output() -> None:
    environ = {name: value for name, value in os.environ.items() if name != "PYGAME_HIDE_SUPPORT_PROMPT"}
    code = "from table.__main__ import make_parser; make_parser(['calibrate'])"
    run = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True
    )
    assert run.stdout == ""
