"""No command, option or key that people rely on disappears, and what is added is listed."""

from __future__ import annotations

from table.__main__ import COMMANDS
from tests.interfaces.listed import EXAMPLE, FOLDER, commands, helps, keys, offered

HELP = (FOLDER / "help.txt").read_text(encoding="utf-8")
KEYS = keys((FOLDER / "table.toml").read_text(encoding="utf-8"))


def test_every_command_that_is_listed_exists_and_the_others_are_listed() -> None:
    assert sorted(commands(HELP)) == sorted(COMMANDS)


def test_every_option_that_is_listed_exists_and_the_others_are_listed() -> None:
    now = offered(helps(commands(HELP)))
    assert not offered(HELP) - now, "gone"
    assert not now - offered(HELP), "not listed: python -m tests.interfaces"


def test_every_key_that_is_listed_exists_and_the_others_are_listed() -> None:
    now = keys(EXAMPLE.read_text(encoding="utf-8"))
    assert not KEYS - now, "gone"
    assert not now - KEYS, "not listed: python -m tests.interfaces"


def test_the_lists_are_read_whole() -> None:
    assert {("replay", "--check", ""), ("replay", "DIR", ""), ("calibrate", "IMAGE|VIDEO", "")} <= offered(
        HELP
    )
    assert ("init", "--buttons", "{two,knock,one}") in offered(HELP)
    assert {("seat", "knock"), ("camera", "homography"), ("screen", "four_colours")} <= KEYS
    assert len(offered(HELP)) > 80
    assert len(KEYS) > 30
