"""Copies of a set-up file for recordings, without passwords, and of the enrolled pack that it names."""

from __future__ import annotations

import re
from pathlib import Path

import tomlkit
from tomlkit.exceptions import ParseError
from tomlkit.items import Table

from table.config.settings import EXPECTED_CONFIG, TableConfig
from table.errors import TableError
from table.files.atomic_writing import replace_file
from table.files.safe_reading import MOST_PACK, MOST_TOML, exists, read_bytes, read_text
from table.files.write_as_folder_owner import owner_rights
from table.phrase import make_phrase
from table.url_secrets import without_secrets

_COMMENT = re.compile(r"#[^\n]*")


def copy_without_passwords(path: Path, copy: Path) -> None:
    """Copy a set-up file without its camera passwords, for a recording that may be shared.

    ``camera.source`` of a recording is not used. Raises `TableError` if the file can't be read, ``OSError`` if the copy
    can't be written.
    """
    with owner_rights(path):  # or a link would show its owner what only root may read
        text = read_text(path, EXPECTED_CONFIG, MOST_TOML)
    replace_file(copy, remove_passwords(text, path))


def pack_of(config: TableConfig) -> tuple[str, bytes] | None:
    """Return the name and the bytes of the pack that ``table.toml`` names; None where it names none, or it is gone.

    Where this is root it is read with the rights of whoever may write that ``table.toml``: what is copied into their
    folder is theirs. ``TableError`` where it is no regular file, or too large for a pack.
    """
    pack = config.camera.pack
    if pack is None or config.path is None:
        return None
    with owner_rights(config.path):
        return (
            (pack.name, read_bytes(pack, make_phrase("expected.pack"), MOST_PACK)) if exists(pack) else None
        )


def remove_passwords(text: str, path: Path) -> str:
    """Remove passwords from the text of a ``table.toml``, also from its comments; ``path`` is for errors."""
    if without_secrets(text) == text:
        return text
    try:
        document = tomlkit.parse(text)
    except ParseError as error:
        raise TableError("file.bad_syntax", at=path, error=error) from None
    camera = document.get("camera")
    if isinstance(camera, Table) and isinstance(camera.get("source"), str):
        camera["source"] = without_secrets(str(camera["source"]))
    return _COMMENT.sub(lambda comment: without_secrets(comment[0]), tomlkit.dumps(document))
