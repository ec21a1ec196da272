"""What runs at every landing: never red for what a machine has not got, and always the whole of `make test-all`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BENCH_TOOLS = ("qemu-system-x86_64", "busybox", "gcc", "make", "xz")
BROWSER_TOOLS = ("chromium", "chromedriver")
SKIPPED = (
    "ci: the buttons' bench is skipped: {} (QEMU and a kernel)",
    "ci: the page's tests in a browser are skipped: {} (Chromium)",
)


def script(folder: Path, name: str, text: str = "exit 0") -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine without anything but a shell's own tools."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("env", "timeout"):
        found = next(Path(place) / name for place in ("/usr/bin", "/bin") if (Path(place) / name).exists())
        (tools / name).symlink_to(found)
    script(tools, "id", "echo 0")
    return tmp_path


def prepared(machine: Path) -> str:
    """What is said where it ends well, as it always must."""
    environ = {"PATH": str(machine / "bin"), "CI_ROOT": str(machine), "CI_WAIT": "20"}
    done = subprocess.run(
        ["/bin/sh", str(ROOT / ".ci" / "machine")], env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def has_a_kernel(machine: Path) -> None:
    for place in ("boot", "usr/src/linux-headers-6.1.0-1-amd64"):
        (machine / place).mkdir(parents=True)
    (machine / "boot" / "vmlinuz-6.1.0-1-amd64").touch()


def skipped(why: str) -> list[str]:
    return [line.format(why) for line in SKIPPED]


def test_without_a_package_manager_each_is_skipped_with_a_line(machine: Path) -> None:
    assert prepared(machine).splitlines() == skipped("no apt-get to install what it needs")


def test_without_the_right_to_install_each_is_skipped_with_a_line(machine: Path) -> None:
    script(machine / "bin", "id", "echo 1000")
    script(machine / "bin", "sudo", "exit 1")
    script(machine / "bin", "apt-get", f"touch {machine / 'asked'}")
    assert prepared(machine).splitlines() == skipped("this user may not install what it needs")
    assert not (machine / "asked").exists()


def test_without_a_network_each_is_skipped_with_a_line(machine: Path) -> None:
    script(machine / "bin", "apt-get", "echo 'E: Failed to fetch' >&2; exit 100")
    why = "what it needs can't be installed here (no network?)"
    assert prepared(machine).splitlines()[1:] == skipped(why)


def installed(machine: Path) -> set[str]:
    """The packages that are installed."""
    script(machine / "bin", "apt-get", f'echo "$@" >> {machine / "asked"}')
    prepared(machine)
    update, install = (machine / "asked").read_text().splitlines()
    assert update == "update -qq"
    return {word for word in install.split() if not word.startswith("-")} - {"install"}


def test_what_is_missing_is_installed_where_that_is_allowed(machine: Path) -> None:
    wanted = {"qemu-system-x86", "linux-image-amd64", "linux-headers-amd64", "chromium", "chromium-driver"}
    assert wanted <= installed(machine)


def test_what_is_there_is_not_installed_again(machine: Path) -> None:
    for tool in BENCH_TOOLS:
        script(machine / "bin", tool)
    has_a_kernel(machine)
    assert installed(machine) == {"chromium", "chromium-driver", "fonts-dejavu-core"}


def test_where_all_is_there_nothing_is_installed_nor_said(machine: Path) -> None:
    for tool in (*BENCH_TOOLS, *BROWSER_TOOLS):
        script(machine / "bin", tool)
    script(machine / "bin", "apt-get", f"touch {machine / 'asked'}")
    has_a_kernel(machine)
    assert prepared(machine) == ""
    assert not (machine / "asked").exists()


PYTHON = """case $2 in
*version_info*) echo {version} ;;
*venv*) exit {without} ;;
esac"""


def python(path: Path, version: str, *, without: int = 0) -> Path:
    """An interpreter that says its version, and whether it can make an environment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    script(path.parent, path.name, PYTHON.format(version=version, without=without))
    return path


def pythons(machine: Path) -> list[str]:
    """What is tested with, as `.ci/pythons` says."""
    environ = {"PATH": str(machine / "bin"), "HOME": str(machine / "home")}
    done = subprocess.run(
        ["/bin/sh", str(ROOT / ".ci" / "pythons")], env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_both_pythons_of_a_machine_are_tested_with(machine: Path) -> None:
    python(machine / "bin" / "python3", "3.13")
    python(machine / "bin" / "python3.13", "3.13")
    older = python(machine / "bin" / "python3.11", "3.11")
    assert pythons(machine) == [f".venv-3.11 {older}", ".venv python3"]


def test_a_python_that_only_complains_is_passed_over_for_one_beside_it(machine: Path) -> None:
    python(machine / "bin" / "python3", "3.11")
    script(machine / "bin", "python3.13", "echo 'pyenv: python3.13: command not found' >&2; exit 127")
    assert pythons(machine) == [".venv python3"]
    beside = python(machine / "home/.pyenv/versions/3.13.0/bin/python3.13", "3.13")
    assert pythons(machine) == [".venv python3", f".venv-3.13 {beside}"]


def test_a_python_without_its_venv_module_is_not_asked_for(machine: Path) -> None:
    python(machine / "bin" / "python3", "3.11")
    python(machine / "bin" / "python3.13", "3.13", without=1)
    assert pythons(machine) == [".venv python3"]


def test_a_machine_with_another_python_is_tested_with_that(machine: Path) -> None:
    python(machine / "bin" / "python3", "3.12")
    assert pythons(machine) == [".venv python3"]


def landing(folder: Path, make: str) -> subprocess.CompletedProcess[str]:
    """A landing on a machine with two Pythons, the preparation of which fails."""
    script(folder, "make", f'echo "$@" >> {folder / "asked"}\n{make}')
    python(folder / "python3", "3.11")
    python(folder / "python3.13", "3.13")
    script(folder, "sh", '[ "$1" != .ci/machine ] && exec /bin/sh "$@"')
    environ = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHON": "python3"}
    return subprocess.run(
        [str(ROOT / ".ci" / "run")], env=environ, capture_output=True, text=True, check=False
    )


def test_every_landing_runs_all_tests_with_both(tmp_path: Path) -> None:
    done = landing(tmp_path, "cat >/dev/null")
    newer = tmp_path / "python3.13"
    assert (done.returncode, done.stdout) == (0, f"ci: make test-all with python3, then {newer}\n")
    assert (tmp_path / "asked").read_text().splitlines() == [
        "test-all PYTHON=python3 VENV=.venv",
        f"test-all PYTHON={newer} VENV=.venv-3.13",
    ]


@pytest.mark.parametrize("red", [".venv", ".venv-3.13"])
def test_what_is_red_with_either_is_red(tmp_path: Path, red: str) -> None:
    assert landing(tmp_path, f'[ "$3" != VENV={red} ]').returncode != 0


def test_where_no_python_can_be_said_nothing_passes_for_tested(tmp_path: Path) -> None:
    script(tmp_path, "sh", "exit 1")
    environ = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([str(ROOT / ".ci" / "run")], env=environ, capture_output=True, check=False)
    assert done.returncode != 0


@pytest.mark.parametrize(("folder", "again"), [(ROOT, False), (Path("/elsewhere/table"), True)])
@pytest.mark.parametrize("goal", ["install", "install-dev"])
def test_an_environment_that_another_folder_installed_into_is_installed_into_anew(
    goal: str, folder: Path, again: bool, tmp_path: Path
) -> None:
    """A second checkout that shared it and was removed left every command without the package."""
    (tmp_path / "bin").mkdir()
    for name in ("bin/pip", "installed", "installed-dev"):
        (tmp_path / name).write_text(f"{folder}\n")
    done = subprocess.run(
        ["make", "-n", "-C", str(ROOT), goal, f"VENV={tmp_path}"], capture_output=True, text=True, check=True
    )
    assert ("pip install" in done.stdout) is again
