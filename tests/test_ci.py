"""What runs at every landing: never red for what a machine has not got, and always the whole of `make test`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ("qemu-system-x86_64", "busybox", "gcc", "make", "xz")


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


def test_without_a_package_manager_the_bench_is_skipped_with_a_line(machine: Path) -> None:
    assert prepared(machine) == "ci: the buttons' bench is skipped: no apt-get to install QEMU and a kernel\n"


def test_without_the_right_to_install_it_is_skipped_with_a_line(machine: Path) -> None:
    script(machine / "bin", "id", "echo 1000")
    script(machine / "bin", "sudo", "exit 1")
    script(machine / "bin", "apt-get", f"touch {machine / 'asked'}")
    assert "this user may not install them" in prepared(machine)
    assert not (machine / "asked").exists()


def test_without_a_network_it_is_skipped_with_a_line(machine: Path) -> None:
    script(machine / "bin", "apt-get", "echo 'E: Failed to fetch' >&2; exit 100")
    assert prepared(machine).splitlines()[-1].endswith("can't be installed here (no network?)")


def test_what_is_missing_is_installed_where_that_is_allowed(machine: Path) -> None:
    script(machine / "bin", "apt-get", f'echo "$@" >> {machine / "asked"}')
    prepared(machine)
    update, install = (machine / "asked").read_text().splitlines()
    assert update == "update -qq"
    assert {"qemu-system-x86", "linux-image-amd64", "linux-headers-amd64"} <= set(install.split())


def test_where_all_is_there_nothing_is_installed_nor_said(machine: Path) -> None:
    for tool in TOOLS:
        script(machine / "bin", tool)
    script(machine / "bin", "apt-get", f"touch {machine / 'asked'}")
    has_a_kernel(machine)
    assert prepared(machine) == ""
    assert not (machine / "asked").exists()


def test_every_landing_runs_all_that_make_test_runs(tmp_path: Path) -> None:
    script(tmp_path, "make", f'echo "$@" > {tmp_path / "asked"}')
    script(tmp_path, "sh", "exit 1")
    environ = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([str(ROOT / ".ci" / "run")], env=environ, capture_output=True, check=False)
    assert done.returncode == 0
    assert (tmp_path / "asked").read_text() == "test\n"
