"""``python -m models TASK``: every task is there, and what it lacks is said in one line."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from models.__main__ import TASKS, main
from models.synth.fetch import render_svg
from table.errors import TableError


def test_help_has_a_sentence_for_each_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[2:])
    assert list(rows) == list(TASKS)
    assert all(len(sentence) > 20 for sentence in rows.values())


@pytest.mark.parametrize("task", TASKS)
def test_each_task_is_a_module_with_a_main(task: str) -> None:
    spec = find_spec(TASKS[task])
    assert spec is not None
    assert spec.origin is not None
    body = ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body
    assert any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in body)


@pytest.mark.parametrize("arguments", [[], ["paint"]])
def test_what_is_no_task_is_said_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == len(arguments)


def test_a_file_that_is_missing_is_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "pool"
    task = ["extras", "--real", str(missing), "--held", str(missing), "--out", str(tmp_path / "extras")]
    assert main(task) == 2
    assert capsys.readouterr().err == f"models: {missing / 'meta.json'}: no such file\n"


def test_what_draws_the_packs_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "pack.svg").write_text("<svg/>")
    with pytest.raises(TableError, match="apt install librsvg2-bin"):
        render_svg(tmp_path / "pack.svg", 100)
