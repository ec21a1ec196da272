"""Changes single keys of a ``table.toml`` and keeps everything else, comments included."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import tomlkit
from tomlkit.exceptions import ParseError
from tomlkit.items import Table

from table.config import FILE, MENU_SCREEN_KEYS, TableConfig, parse_config
from table.errors import TableError
from table.files.reading import MOST_TOML, read_text
from table.files.rights import rights_at
from table.files.secrets import PRIVATE_MODE, has_secret
from table.files.writing import make_folder, mode_of, place_of, replace_file
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
    write_set_up(path, tomlkit.dumps(document))


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
    write_set_up(path, text)


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
    screen.update({key: getattr(config.screen, key) for key in MENU_SCREEN_KEYS})
    text = shareable(tomlkit.dumps(document), config.path)
    parse_config(tomllib.loads(text), path)
    make_folder(path.parent)
    write_set_up(path, text)


def _read(path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(read_text(path, FILE, MOST_TOML))
    except ParseError as error:
        raise TableError("file.bad_syntax", at=path, error=error) from None


def _item(value: Value) -> object:
    if isinstance(value, (str, float)):
        return value
    rows = tomlkit.array()
    for row in value:
        rows.append(tomlkit.array(str([float(f"{number:.10g}") for number in row])))
    return rows


def write_set_up(path: Path, text: str) -> None:
    """Put a ``table.toml`` in the place of the one that is there; ``TableError`` where that can't be.

    A link of one's own to a set-up that is kept elsewhere stays one.
    """
    try:
        with rights_at(path):
            place = place_of(path)
            mode = mode_of(place)
            if has_secret(text):
                mode = PRIVATE_MODE & (PRIVATE_MODE if mode is None else mode)
            replace_file(place, text, mode=mode)
    except OSError as error:
        raise TableError("file.not_written", at=path, error=error) from None
