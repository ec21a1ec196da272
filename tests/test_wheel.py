"""What is installed is whole: the built wheel plays the demo without the repository beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DEPENDENCIES = (
    "cv2",
    "gpiozero",
    "colorzero",
    "jinja2",
    "markupsafe",
    "numpy",
    "onnxruntime",
    "pygame",
    "reportlab",
    "segno",
    "tomlkit",
)

pytestmark = pytest.mark.thorough


def run(*command: str | Path, folder: Path) -> str:
    """What a program prints that succeeds in a folder, with nothing of this process's paths."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["XDG_STATE_HOME"] = str(folder / "state")
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: the build leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(ROOT / "table", source / "table", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    # pip fetches what builds it only where the environment has none that will do.
    own = ["--no-build-isolation"] if int(version("setuptools").partition(".")[0]) >= 77 else []
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *own, "./source", folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel and its dependencies, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "env", symlinks=True)
    programs = folder / "env" / "bin"
    pip = (sys.executable, "-m", "pip", "--python", programs / "python")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, folder=folder)
    (packages,) = (folder / "env").glob("lib/python*/site-packages")
    # A path in a .pth file brings the packages there, but not their .pth files: not the one that finds this repository.
    places = {
        str(Path(spec.origin).parents[1])
        for name in DEPENDENCIES
        if (spec := find_spec(name)) and spec.origin
    }
    (packages / "dependencies.pth").write_text("\n".join(sorted(places)))
    return programs


def test_every_file_of_the_program_is_in_the_wheel(wheel: Path) -> None:
    ours = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "table").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert len(ours) > 300
    assert sorted(ours - set(zipfile.ZipFile(wheel).namelist())) == []


def test_the_wheel_plays_the_demo_without_the_repository(installed: Path, tmp_path: Path) -> None:
    found = run(
        installed / "python", "-c", "import table, sys; print(table.__file__, *sys.path)", folder=tmp_path
    )
    assert found.startswith(str(installed.parent))
    assert not any(Path(path) == ROOT for path in found.split())
    told = run(installed / "cardtable", "demo", "--headless", "--hands", "1", folder=tmp_path)
    assert "0 differences" in told
    assert list((tmp_path / "demo-pictures").glob("*.png"))
    assert run(installed / "cardtable", "--version", folder=tmp_path) == f"cardtable {version('cardtable')}\n"
