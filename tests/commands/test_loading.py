"""A sub-command is loaded alone: the others, with all that they need, take their time on a Raspberry Pi."""

from __future__ import annotations

import subprocess
import sys

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
