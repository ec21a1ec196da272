"""What ARCHITECTURE.md and CONTRIBUTING.md say is so: the files that they name exist, and imports point their way."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "hardware/README.md",
    "docs/playing.md",
    "docs/configuration.md",
)
NAMED = re.compile(r"`([\w./-]+)`|\]\(([\w./-]+)(?:#[\w-]+)?\)|python -m ([\w.]+)")
OURS = re.compile(r"(table|tests|models|hardware|systemd|\.ci)/")


# --- what is named ----------------------------------------------------------------------------------------------------


def named(page: str) -> Iterator[str]:
    """Every file, folder and module of this repository that a page names; ``NAME`` stands for one yet to be made."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for quoted, linked, module in NAMED.findall(text):
        path = quoted or linked or module.rstrip(".").replace(".", "/")
        if (linked or OURS.match(path)) and "NAME" not in path:
            yield os.path.normpath(Path(page).parent / linked) if linked else path


def stands(path: str) -> bool:
    """Whether it is a file, a folder or a module."""
    return (ROOT / path).exists() or (ROOT / f"{path}.py").exists()


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_module_that_a_page_names_exists(page: str) -> None:
    found = sorted(set(named(page)))
    assert found
    assert [path for path in found if not stands(path)] == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_name_of_the_code_that_a_page_uses_is_in_the_code(page: str) -> None:
    code = [path for folder in ("table", "tests") for path in (ROOT / folder).rglob("*.py")]
    known = set(re.findall(r"\w+", " ".join(path.read_text(encoding="utf-8") for path in code)))
    names = set(re.findall(r"`([A-Za-z_]\w+)`", (ROOT / page).read_text(encoding="utf-8"))) - {"NAME", "DIR"}
    assert len(names) > 5
    assert sorted(names - known) == []


def test_every_module_that_a_docstring_names_exists() -> None:
    """A word in single backquotes is a module, or a name that the same file uses."""
    files = [path for folder in ("table", "tests") for path in (ROOT / folder).rglob("*.py")]
    modules = (
        {path.stem for path in files} | {path.parent.name for path in files} | {"cardtable", "camera_faults"}
    )
    lost = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        used = set(re.findall(r"\w+", re.sub(r"`[^`\n]*`", "", text)))
        named = re.findall(r"(?<![`:])`(?:\w+\.)*?([a-z]\w*)(?:\.py)?`(?!`)", text)
        lost += [f"{path.name}: {name}" for name in named if name not in modules | used]
    assert lost == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_the_readme_links_the_page(page: str) -> None:
    assert f"]({page})" in (ROOT / "README.md").read_text(encoding="utf-8")


# --- which way imports point ------------------------------------------------------------------------------------------


def rows() -> list[list[str]]:
    """The rows of ARCHITECTURE.md's table, the topmost first."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    _, _, table = text.partition("| row | modules under `table/` |\n")
    body = table.partition("\n\n")[0].splitlines()[1:]
    return [re.findall(r"`([\w.]+)`", line) for line in body]


@cache
def imports() -> dict[str, frozenset[str]]:
    """Every module under ``table``, and the modules of this repository that it imports, anywhere in it."""
    return {_name(path): frozenset(_imported(path)) for path in sorted((ROOT / "table").rglob("*.py"))}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{path}: imports are absolute"
            found = [_module(node.module, alias.name) for alias in node.names]
        else:
            continue
        yield from (name for name in found if name.split(".")[0] in ("table", "models", "tests"))


def _module(package: str, name: str) -> str:
    """``from package import name``: the module ``name`` in it, or what ``package`` itself says."""
    inner = ROOT / package.replace(".", "/") / name
    return f"{package}.{name}" if inner.with_suffix(".py").exists() or inner.is_dir() else package


def row_of(module: str) -> tuple[int, str]:
    """The row of a module, counted from the bottom, and the name by which it stands there: the longest that fits."""
    inside = module.removeprefix("table.")
    fits = [
        (len(name), height, name)
        for height, names in enumerate(reversed(rows()))
        for name in names
        if inside == name or inside.startswith(f"{name}.")
    ]
    assert fits, f"{module} stands in no row of ARCHITECTURE.md"
    _, height, name = max(fits)
    return height, name


def test_every_module_has_a_row_and_every_row_is_of_modules() -> None:
    names = [name for row in rows() for name in row]
    assert len(names) == len(set(names)) > 20
    assert {row_of(module)[1] for module in imports() if module != "table"} == set(names)


def test_imports_point_down() -> None:
    wrong = []
    for module, used in imports().items():
        for other in used if module != "table" else ():
            assert other.startswith("table."), f"{module} imports {other}"
            (mine, own), (theirs, its) = row_of(module), row_of(other)
            if own != its and theirs >= mine:
                wrong.append(f"{module} -> {other}")
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    order = list(TopologicalSorter(imports()).static_order())
    assert set(imports()) <= set(order)


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [("table.games", {"cards", "events", "phrase"}), ("table.simulation.reference_rules", set[str]())],
)
def test_the_rules_import_nothing_but_themselves(folder: str, allowed: set[str]) -> None:
    inside = {name: used for name, used in imports().items() if name.startswith(folder)}
    outside = {one for used in inside.values() for one in used if not one.startswith(folder)}
    assert {one.split(".")[1] for one in outside} <= allowed


# --- one film is one game ---------------------------------------------------------------------------------------------


def test_sight_uses_nothing_whose_result_hangs_on_where_in_memory_pictures_lie() -> None:
    """OpenCV's magnitude and its kin round by that, NumPy's partition chooses among equals by it."""
    fickle = re.compile(r"cv2\.(magnitude|phase|cartToPolar)|np\.argpartition")
    found = [
        path.name
        for path in sorted((ROOT / "table" / "tracking").rglob("*.py"))
        if fickle.search(path.read_text())
    ]
    assert found == []
