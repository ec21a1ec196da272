"""Changes single keys of a ``table.toml`` and keeps everything else, comments included."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import tomlkit
from tomlkit.exceptions import ParseError
from tomlkit.items import Table

from table.config import FILE, TableConfig, parse_config
from table.errors import TableError
from table.files.secrets import PRIVATE_MODE, has_secret
from table.menu.plan import SCREEN
from table.phrase import expected
from table.sources.set_up import shareable

Value: TypeAlias = str | float | Sequence[Sequence[float]]


def set_keys(path: Path, section: str, values: Mapping[str, Value | None]) -> None:
    """Set keys of ``[section]`` (made where it is missing); None takes a key out.

    ``TableError`` where the file can't be read, is no TOML or can't be written; it is then as it was.
    """
    document = _read(path)
    table = document.setdefault(section, tomlkit.table())
    if not isinstance(table, Table):
        raise TableError(expected("expected.section", at=(path, section), section=section))
    for key, value in values.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = _item(value)
    replace_file(path, tomlkit.dumps(document))


def set_angles(path: Path, angles: Mapping[str, float]) -> None:
    """Set the ``angle`` of each ``[[seat]]`` by its name, or its number where it has none.

    ``TableError`` as above, or where the seats would be none.
    """
    document = _read(path)
    for number, seat in enumerate(document.get("seat", ()), start=1):
        name = seat.get("name", str(number))
        if name in angles:
            seat["angle"] = angles[name]
    text = tomlkit.dumps(document)
    parse_config(tomllib.loads(text), path, menu=True)
    replace_file(path, text)


def write_game(config: TableConfig, path: Path) -> None:
    """Write a ``table.toml`` to ``path`` as the table has it, but game, players and screen as ``config`` has them.

    Without passwords: only recordings are made of it.

    ``TableError`` where the table's own can't be read, or this one not be written.
    """
    assert config.path is not None
    document = _read(config.path)
    game = tomlkit.table()
    game["name"] = config.game
    game["options"] = {name: value for name, value in config.options.items() if value is not None}
    document["game"] = game
    seats = tomlkit.aot()
    for seat in config.seats:
        lines = {"bid": seat.bid, "rap": seat.rap, "led": seat.led, "knock": seat.knock or None}
        known = {"name": seat.name, "angle": seat.angle, **lines}
        table = tomlkit.table()
        table.update({name: value for name, value in known.items() if value is not None})
        seats.append(table)
    document["seat"] = seats
    screen = document.setdefault("screen", tomlkit.table())
    screen.update({key: getattr(config.screen, key) for key in SCREEN})
    text = shareable(tomlkit.dumps(document), config.path)
    parse_config(tomllib.loads(text), path)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text)


def _read(path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TableError("file.unread", at=path, error=error, expected=FILE) from None
    except (ParseError, UnicodeDecodeError) as error:
        raise TableError("file.bad_syntax", at=path, error=error) from None


def _item(value: Value) -> object:
    if isinstance(value, (str, float)):
        return value
    rows = tomlkit.array()
    for row in value:
        rows.append(tomlkit.array(str([float(f"{number:.10g}") for number in row])))
    return rows


def replace_file(path: Path, text: str) -> None:
    """Write a file so that it is whole at any moment, the old or the new one; ``TableError`` where that can't be."""
    whole = path.resolve()  # a link stays one
    try:
        mode = whole.stat().st_mode & 0o777 if whole.exists() else 0o666 & ~_umask()
        if has_secret(text):
            mode &= PRIVATE_MODE
        handle, name = tempfile.mkstemp(prefix=f".{whole.name}.", dir=whole.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            Path(name).replace(whole)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise TableError("file.not_written", at=path, error=error) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
