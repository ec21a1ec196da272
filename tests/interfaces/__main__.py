"""Writes the list of the product's interface anew: `tests.interfaces.listed`."""

from table.__main__ import COMMANDS
from tests.interfaces.listed import EXAMPLE, FOLDER, commands, helps

known = commands((FOLDER / "help.txt").read_text(encoding="utf-8"))
names = [*known, *(name for name in COMMANDS if name not in known)]
(FOLDER / "help.txt").write_text(helps(names), encoding="utf-8")
(FOLDER / "table.toml").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
