"""Edits single keys of a ``table.toml`` and preserves everything else; copies it for recordings, without passwords."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import tomlkit
from tomlkit.exceptions import ParseError
from tomlkit.items import Table

from table.config.settings import (
    EXPECTED_CONFIG,
    MENU_CAMERA_KEYS,
    MENU_SCREEN_KEYS,
    TableConfig,
    parse_config,
)
from table.errors import TableError, convert_errors
from table.files.atomic_writing import file_mode, make_folder, replace_file, resolve_own_link
from table.files.safe_reading import MOST_PACK, MOST_TOML, exists, read_bytes, read_text
from table.files.write_as_folder_owner import owner_rights
from table.phrase import expected_error, make_phrase
from table.url_secrets import PRIVATE_MODE, has_secret, without_secrets

_COMMENT = re.compile(r"#[^\n]*")
Value: TypeAlias = str | int | float | Sequence[Sequence[float]]


def set_keys(path: Path, section: str, values: Mapping[str, Value | None]) -> None:
    """Set keys of ``[section]``; None removes a key. Raise `TableError`, with the file unchanged, if that fails."""
    document = _parse(path)
    _set_keys_of(document, path, section, values)
    replace_config(path, tomlkit.dumps(document))


def _set_keys_of(
    document: tomlkit.TOMLDocument, path: Path, section: str, values: Mapping[str, Value | None]
) -> None:
    table = document.setdefault(section, tomlkit.table())
    if not isinstance(table, Table):
        raise TableError(expected_error("expected.section", at=(path, section), section=section))
    for key, value in values.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = _to_item(value)


def set_seat_angles(path: Path, angles: Mapping[str, float]) -> None:
    """Set each ``[[seat]]``'s angle by its name, or its number without one; raise `TableError` as :func:`set_keys`."""
    document = _parse(path)
    for number, seat in enumerate(document.get("seat", ()), start=1):
        name = seat.get("name", str(number))
        if name in angles:
            seat["angle"] = angles[name]
    text = tomlkit.dumps(document)
    parse_config(tomllib.loads(text), path, menu=True)
    replace_config(path, text)


def _parse(path: Path) -> tomlkit.TOMLDocument:
    return _parse_text(read_text(path, EXPECTED_CONFIG, MOST_TOML), path)


def _parse_text(text: str, path: Path) -> tomlkit.TOMLDocument:
    with convert_errors(ParseError, "file.bad_syntax", at=path):
        return tomlkit.parse(text)


def _to_item(value: Value) -> object:
    """Return a value as TOML item; matrices get ten digits."""
    if isinstance(value, (str, int, float)):
        return value
    rows = tomlkit.array()
    for row in value:
        rows.append(tomlkit.array(str([float(f"{number:.10g}") for number in row])))
    return rows


def replace_config(path: Path, text: str) -> None:
    """Replace a ``table.toml``, or the file to which the user's own link leads; raise `TableError` if that fails."""
    with convert_errors(OSError, "file.not_written", at=path), owner_rights(path):
        target = resolve_own_link(path)
        mode = file_mode(target)
        if has_secret(text):
            mode = PRIVATE_MODE & (PRIVATE_MODE if mode is None else mode)
        replace_file(target, text, mode=mode)


# --- copies for recordings --------------------------------------------------------------------------------


def write_recording_config(config: TableConfig, path: Path) -> None:
    """Write a recording's ``table.toml``: the table's own, without passwords, with what the menu chose in ``config``.

    Raises `TableError` if the table's own file can't be read, or this one not be written.
    """
    assert config.path is not None
    document = _parse(config.path)
    game = tomlkit.table()
    game["name"] = config.game
    game["options"] = {name: value for name, value in config.options.items() if value is not None}
    document["game"] = game
    seats = tomlkit.aot()
    for seat in config.seats:
        lines = {"bid": seat.bid, "rap": seat.rap, "led": seat.led, "knock": seat.knock or None}
        values = {"name": seat.name, "angle": seat.angle, **lines}
        table = tomlkit.table()
        table.update({name: value for name, value in values.items() if value is not None})
        seats.append(table)
    document["seat"] = seats
    screen = document.setdefault("screen", tomlkit.table())
    screen.update({key: getattr(config.screen, key) for key in MENU_SCREEN_KEYS})
    _set_keys_of(document, path, "camera", _camera_of_session(document, config))
    text = _remove_passwords(tomlkit.dumps(document), config.path)
    parse_config(tomllib.loads(text), path)
    make_folder(path.parent)
    replace_config(path, text)


def _camera_of_session(document: tomlkit.TOMLDocument, config: TableConfig) -> dict[str, Value | None]:
    """Return the keys of ``[camera]`` whose values in ``config`` could not be written to its own ``table.toml``."""
    assert config.path is not None
    written = parse_config(document.unwrap(), config.path).camera
    values = {key: getattr(config.camera, key) for key in MENU_CAMERA_KEYS}
    changed = {key: value for key, value in values.items() if value != getattr(written, key)}
    # A recording has its own copy of the pack, found by its name.
    return {key: value.name if isinstance(value, Path) else value for key, value in changed.items()}


def copy_set_up(config: TableConfig, folder: Path) -> None:
    """Copy a table's set-up into a recording: its ``table.toml`` without camera passwords, and the pack that it names.

    The pack is found by its name beside ``table.toml``: the recording is read as the table read it. ``TableError`` or
    ``OSError`` if that fails, also where the pack is no regular file, or too large.
    """
    path, pack = config.path, config.camera.pack
    assert path is not None
    # Root reads with the rights of whoever may write that file, or a link would show its owner what only root may read.
    with owner_rights(path):
        text = read_text(path, EXPECTED_CONFIG, MOST_TOML)
        cards = read_bytes(pack, make_phrase("expected.pack"), MOST_PACK) if pack and exists(pack) else None
    replace_file(folder / "table.toml", _remove_passwords(text, path))
    if pack is not None and cards is not None:
        replace_file(folder / pack.name, cards)


def _remove_passwords(text: str, path: Path) -> str:
    """Remove passwords from the text of a ``table.toml``, also from its comments; ``path`` is for errors."""
    if without_secrets(text) == text:
        return text
    document = _parse_text(text, path)
    camera = document.get("camera")
    if isinstance(camera, Table) and isinstance(camera.get("source"), str):
        camera["source"] = without_secrets(str(camera["source"]))
    return _COMMENT.sub(lambda comment: without_secrets(comment[0]), tomlkit.dumps(document))
