"""A temporary folder is made without a trace elsewhere."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from table.files.atomic_writing import make_temporary_folder
from tests.wrong import wrong


def test_a_folder_is_made_without_trying_out_where_one_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    folder = make_temporary_folder()
    assert [*tmp_path.iterdir()] == [folder]
    assert tempfile.tempdir is None, "tempfile has written a file of its own to find out"


def test_a_place_where_no_folder_can_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    with wrong("file.not_written", at=str(tmp_path / "none")):
        make_temporary_folder()
