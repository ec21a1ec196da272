"""The set-up of a recording: the table's own, without what is nobody else's business."""

from __future__ import annotations

import re
from pathlib import Path

import tomlkit
from tomlkit.exceptions import ParseError
from tomlkit.items import Table

from table.config import FILE
from table.errors import TableError
from table.files.reading import MOST_TOML, read_text
from table.files.secrets import without_secrets
from table.files.writing import replace_file

_COMMENT = re.compile(r"#[^\n]*")


def copy_set_up(path: Path, copy: Path) -> None:
    """Write to ``copy`` what ``path`` says, without passwords of a camera: recordings are given on.

    ``camera.source`` of a recording is not looked at. ``TableError`` where the file can't be read; ``OSError`` where
    the copy can't be written.
    """
    replace_file(copy, shareable(read_text(path, FILE, MOST_TOML), path))


def shareable(text: str, path: Path) -> str:
    """The text of a ``table.toml`` without passwords, in comments neither; ``path`` is for complaints."""
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
