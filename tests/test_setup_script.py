"""systemd/setup.sh in a root of its own, with stand-ins for what changes a system: what it writes and takes away."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import struct
import subprocess
import tomllib
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import pytest
from packaging.requirements import Requirement

HERE = Path(__file__).parent.parent
BOOT = "# the system's own\narm_64bit=1\n\n[cm4]\notg_mode=1\n"
UNIT = "/etc/systemd/system/cardtable.service"
FAKES = {
    "dpkg": 'echo "${ARCHITECTURE:-arm64}"',
    "git": f"""case "$*" in
clone*) mkdir -p "$4/.git" "$4/systemd" "$4/hardware"
    cp {HERE}/systemd/* "$4/systemd/"; cp {HERE}/hardware/config.txt "$4/hardware/" ;;
*get-url*) echo https://example.org/cardtable.git ;;
esac""",
    "getent": 'grep -qs "useradd" "$LOG" && ! grep -qs "^userdel" "$LOG"',
    "apt-get": """case "$1" in install) [ "$DEBIAN_FRONTEND" = noninteractive ] && seq 200 ;; esac""",
    **dict.fromkeys(("make", "sync", "useradd", "userdel", "chown", "systemctl", "udevadm"), ":"),
}


@dataclass
class Machine:
    """A root with the files of a fresh Raspberry Pi OS, and a log of what the script called."""

    root: Path
    log: Path
    path: str

    def run(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(HERE / "systemd" / "setup.sh"), *arguments],
            env={"PATH": self.path, "ROOT": str(self.root), "LOG": str(self.log), **environ},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def read(self, path: str) -> str:
        return (self.root / path).read_text()

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    root, fakes, log = tmp_path / "root", tmp_path / "fakes", tmp_path / "log"
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "os-release").write_text('PRETTY_NAME="Debian 12"\nVERSION_CODENAME=bookworm\n')
    (root / "boot" / "firmware").mkdir(parents=True)
    (root / "run" / "systemd" / "system").mkdir(parents=True)
    (root / "boot" / "firmware" / "config.txt").write_text(BOOT)
    fakes.mkdir()
    for name, body in FAKES.items():
        (fakes / name).write_text(f'#!/bin/sh\necho "{name} $*" >>"$LOG"\n{body}\n')
        (fakes / name).chmod(0o755)
    log.touch()
    return Machine(root, log, f"{fakes}:{os.defpath}")


def test_a_bare_system_becomes_a_table_that_starts_at_power_up(machine: Machine) -> None:
    done = machine.run()
    assert (done.returncode, done.stderr) == (0, "")
    assert [line[:2] for line in done.stdout.splitlines()[:-1]] == [f"{step}." for step in range(1, 7)]
    assert (
        machine.read("etc/systemd/system/cardtable.service")
        == (HERE / "systemd" / "cardtable.service").read_text()
    )
    assert (machine.root / "etc/cardtable").is_dir()
    assert not (machine.root / "etc/cardtable/table.toml").exists(), "the first start writes it, for the menu"
    rules = machine.read("etc/udev/rules.d/90-cardtable-stick.rules")
    assert rules == (HERE / "systemd" / "90-cardtable-stick.rules").read_text()
    assert (machine.root / "media/cardtable").is_dir()
    boot = machine.read("boot/firmware/config.txt")
    assert boot.startswith(BOOT)
    assert "\n[all]\n" in boot, "what stood last was for one model only"
    assert "dtoverlay=gpio-shutdown" in boot
    assert os.access(machine.root / "usr/local/bin/cardtable", os.X_OK)
    called = machine.log.read_text()
    for part in (
        "apt-get install",
        "python3-picamera2",
        "make -s -C",
        "useradd --system",
        "systemctl enable",
    ):
        assert part in called


def test_the_boot_partition_of_a_system_on_usb_is_no_stick_for_the_service(tmp_path: Path) -> None:
    rules = (HERE / "systemd" / "90-cardtable-stick.rules").read_text()
    excluded = re.search(r'PROGRAM!="([^"]+)", RUN', rules)
    assert excluded is not None
    fstab, device = tmp_path / "fstab", tmp_path / "sda1"
    uuid = UUID("11111111-2222-3333-4444-555555555555")
    swap_header = struct.pack("<1024x III 16s", 1, 255, 0, uuid.bytes)  # the least that has a UUID
    device.write_bytes(swap_header.ljust(4086, b"\0") + b"SWAPSPACE2" + bytes(1 << 20))
    command = excluded[1].replace("--fstab", f"--tab-file {fstab}").replace("$devnode", str(device))
    statuses = []
    for tag in (f"UUID={uuid}", "PARTUUID=1234abcd-01"):
        fstab.write_text(f"proc /proc proc defaults 0 0\n{tag} /boot/firmware auto defaults 0 2\n")
        statuses.append(subprocess.run(command.split(), capture_output=True, check=False).returncode)
    assert statuses == [0, 1]


def test_what_the_service_may_not_write_is_compiled_beforehand(machine: Machine) -> None:
    machine.run()
    [made] = [line for line in machine.log.read_text().splitlines() if line.startswith("make ")]
    target = made.split()[-1]
    unit = (HERE / "systemd" / "cardtable.service").read_text()
    assert "ProtectSystem=strict" in unit
    assert f"\n{target}: install\n\t$(BIN)/python -m compileall -q table\n" in (HERE / "Makefile").read_text()


def test_the_service_tells_the_journal_what_it_says_and_the_screen_what_is_wrong() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read(HERE / "systemd" / "cardtable.service")
    assert unit["Service"]["StandardInput"] == "tty", "or else the journal is where all goes by itself"
    assert unit["Service"]["StandardOutput"] == "journal"
    assert unit["Service"]["StandardError"] == "journal+console"


def stop(tmp_path: Path, result: str, status: str) -> tuple[str, str]:
    """Return what the console says and what systemd is told once the service has stopped like this."""
    console, told = tmp_path / "console", tmp_path / "told"
    console.touch()
    told.touch()
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(f'#!/bin/sh\necho "$@" >>{told}\n')
    systemctl.chmod(0o755)
    environ = {"PATH": f"{tmp_path}:/usr/bin:/bin", "CONSOLE": str(console)}
    environ |= {"SERVICE_RESULT": result, "EXIT_STATUS": status}
    subprocess.run(["sh", HERE / "systemd" / "stopped.sh"], env=environ, check=True)
    return console.read_text(), told.read_text()


@pytest.mark.parametrize(
    ("result", "status"),
    [("exit-code", "1"), ("exit-code", "226"), ("signal", "SEGV"), ("watchdog", "ABRT"), ("resources", "")],
)
def test_a_table_that_fell_over_leaves_on_the_console_what_to_do(
    tmp_path: Path, result: str, status: str
) -> None:
    console, told = stop(tmp_path, result, status)
    assert f"stopped ({result} {status})" in console
    assert "sudo journalctl -e -u cardtable" in console
    assert told == ""


def test_a_table_that_was_switched_off_takes_the_machine_with_it(tmp_path: Path) -> None:
    assert stop(tmp_path, "success", "6") == ("", "--no-block poweroff\n")


@pytest.mark.parametrize(("result", "status"), [("success", "0"), ("success", "TERM"), ("exit-code", "2")])
def test_the_console_stays_empty_where_there_is_nothing_more_to_say(
    tmp_path: Path, result: str, status: str
) -> None:
    assert stop(tmp_path, result, status) == ("", "")


def test_the_service_runs_what_is_done_when_it_has_stopped(machine: Machine) -> None:
    machine.run()
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read_string(machine.read("etc/systemd/system/cardtable.service"))
    [word] = [word for word in unit["Service"]["ExecStopPost"].split() if word.endswith(".sh")]
    assert Path(word) == Path("/opt/cardtable/systemd/stopped.sh")
    assert (HERE / "systemd" / "stopped.sh").exists()


def test_an_image_that_does_not_run_is_set_up_as_well(machine: Machine) -> None:
    (machine.root / "run/systemd/system").rmdir()
    for name in ("udevadm", "systemctl"):
        fake = '#!/bin/sh\n[ "$1" = enable ] && exit 0\necho Failed >&2\nexit 1\n'
        (machine.root.parent / "fakes" / name).write_text(fake)
    for arguments in ((), ("update",), ("uninstall",)):
        done = machine.run(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments


def test_a_clone_that_a_power_cut_has_torn_off_is_made_anew(machine: Machine) -> None:
    git = machine.root.parent / "fakes" / "git"
    whole = git.read_text()
    torn = 'case "$1" in clone) mkdir -p "$4/.git"; echo torn >"$4/.git/config"; kill -9 $PPID ;; esac'
    git.write_text(f"#!/bin/sh\n{torn}\n")
    assert machine.run().returncode == -signal.SIGKILL
    git.write_text(whole)
    done = machine.run()
    assert (done.returncode, done.stderr) == (0, "")
    assert not (machine.root / "opt/cardtable/.git/config").exists()
    assert [path.name for path in (machine.root / "opt").iterdir()] == ["cardtable"]


def test_once_more_changes_nothing(machine: Machine) -> None:
    assert machine.run().returncode == 0
    (machine.root / "etc/cardtable/table.toml").write_text("# the first start's\n")
    files = {name: machine.read(name) for name in machine.files() if "bin/" not in name}
    (machine.root / "etc/cardtable/table.toml").write_text("# mine\n")
    assert machine.run().returncode == 0
    files["etc/cardtable/table.toml"] = "# mine\n"
    assert {name: machine.read(name) for name in machine.files() if "bin/" not in name} == files
    assert machine.log.read_text().count("useradd") == 1


@pytest.mark.parametrize(
    ("user", "given", "expected"),
    [("0", {}, "/var/lib"), ("0", {"XDG_STATE_HOME": "/mnt"}, "/mnt"), ("1000", {}, "")],
)
def test_the_command_of_root_has_the_games_of_the_service(
    machine: Machine, user: str, given: dict[str, str], expected: str
) -> None:
    earlier = machine.root / "usr/local/bin/cardtable"
    program = machine.root / "opt/cardtable/.venv/bin/cardtable"
    earlier.parent.mkdir(parents=True)
    earlier.symlink_to(program)  # as earlier versions have it
    assert machine.run().returncode == 0
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$XDG_STATE_HOME $*"\n')
    program.chmod(0o755)
    command = machine.read("usr/local/bin/cardtable").replace("/opt/", f"{machine.root}/opt/")
    (machine.root.parent / "fakes" / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (machine.root.parent / "fakes" / "id").chmod(0o755)
    done = subprocess.run(
        ["sh", "-c", command, "sh", "export", "--stick"],
        env={"PATH": machine.path, **given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{expected} export --stick\n"
    assert "Environment=XDG_STATE_HOME=/var/lib\n" in machine.read("etc/systemd/system/cardtable.service")


def test_an_update_fetches_the_newest_and_starts_it(machine: Machine) -> None:
    nothing = machine.run("update")
    assert nothing.returncode == 2
    assert "nothing is installed there" in nothing.stderr
    machine.run()
    (machine.root / "etc/systemd/system/cardtable.service").write_text("old")
    assert machine.run("update").returncode == 0
    assert "Description=Card table" in machine.read("etc/systemd/system/cardtable.service")
    called = machine.log.read_text().splitlines()
    assert any(" pull -q --ff-only" in line for line in called)
    assert called[-1] == "systemctl try-restart cardtable.service"


def test_what_was_installed_goes_and_games_stay_unless_said(machine: Machine) -> None:
    before = machine.files()
    machine.run()
    games = machine.root / "var/lib/cardtable/games"
    games.mkdir(parents=True)
    (games / "one.jsonl").write_text("")
    (machine.root / "etc/cardtable/table.toml").write_text("# mine\n")
    compiled = machine.root / "var/cache/cardtable/mesa_shader_cache"
    compiled.mkdir(parents=True)
    (compiled / "index").write_text("")
    assert machine.run("uninstall").returncode == 0
    assert "systemctl start getty@tty1.service\n" in machine.log.read_text(), "the screen has its login again"
    left = {
        "boot/firmware/config.txt.before-cardtable",
        "etc/cardtable/table.toml",
        "var/lib/cardtable/games/one.jsonl",
    }
    assert machine.files() == before | left
    assert machine.read("boot/firmware/config.txt") == BOOT
    machine.run()
    assert machine.run("uninstall", "--purge").returncode == 0
    assert machine.files() == before | {"boot/firmware/config.txt.before-cardtable"}


@pytest.mark.parametrize(
    ("architecture", "codename", "expected"),
    [
        ("armhf", "bookworm", "expected 64 bit (arm64)"),
        ("arm64", "bullseye", "expected Raspberry Pi OS Bookworm or Trixie"),
    ],
)
def test_another_system_is_refused_before_anything_is_changed(
    machine: Machine, architecture: str, codename: str, expected: str
) -> None:
    release = machine.root / "etc" / "os-release"
    release.write_text(release.read_text().replace("bookworm", codename))
    before = machine.files()
    done = machine.run(ARCHITECTURE=architecture)
    assert done.returncode == 2
    assert expected in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert machine.files() == before


def test_a_word_that_it_does_not_know_is_refused(machine: Machine) -> None:
    done = machine.run("upgrade")
    assert done.returncode == 2
    assert "expected nothing, update or uninstall" in done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_the_service_exposes_next_to_nothing() -> None:
    done = subprocess.run(
        [
            "systemd-analyze",
            "security",
            "--offline=true",
            "--no-pager",
            str(HERE / "systemd" / "cardtable.service"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    level = float(done.stdout.rstrip().splitlines()[-1].split(":")[1].split()[0])
    assert level <= 1.0


def test_the_service_has_its_set_up_and_a_pack_beside_it(machine: Machine) -> None:
    """However closed root keeps its own files; nothing of the sandbox hides that folder."""
    before = os.umask(0o077)
    try:
        machine.run()
    finally:
        os.umask(before)
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read_string(machine.read("etc/systemd/system/cardtable.service"))
    service = unit["Service"]
    command = service["ExecStart"].split()
    set_up = command[command.index("--config") + 1]
    assert Path(set_up).parent == Path("/etc/cardtable")
    for folder in ("etc/cardtable", "opt/cardtable"):
        mode = (machine.root / folder).stat().st_mode
        assert mode & stat.S_IROTH
        assert mode & stat.S_IXOTH
    assert (service["ProtectHome"], service["ProtectSystem"]) == ("yes", "strict")
    assert not set_up.startswith(("/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"))
    log = machine.log.read_text()
    assert f"chown -R cardtable: {machine.root}/etc/cardtable\n" in log
    kept = [f"{machine.root}/var/{name}/cardtable" for name in ("lib", "cache")]
    assert f"chown -R cardtable: {' '.join(kept)}\n" in log, "systemd can't make them on a read-only card"
    assert all(Path(folder).is_dir() for folder in kept)
    unit_file = machine.read("etc/systemd/system/cardtable.service")
    assert "ReadWritePaths=-/etc/cardtable\n" in unit_file, "what its menu finds out stays"
    assert service["TemporaryFileSystem"] == "/tmp:mode=1777 /var/tmp:mode=1777", "nothing else is hidden"
    assert not {"inaccessiblepaths", "rootdirectory", "rootimage"} & set(service)


def test_nothing_that_is_installed_needs_libraries_of_a_desktop() -> None:
    """Raspberry Pi OS Lite and a bare Debian have no libGL: with OpenCV's windows not even ``--help`` would come."""
    wanted = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]["dependencies"]
    taken = [one for one in map(Requirement, wanted) if one.name.startswith("opencv")]
    assert [(one.name, one.marker) for one in taken] == [("opencv-python-headless", None)]


def test_what_a_raspberry_pi_installs_is_pinned_and_fits_together() -> None:
    """The system's picamera2 is used beside a newer NumPy, for which Bookworm's simplejpeg (1.8) was not built."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    texts = [*project["dependencies"], *project["optional-dependencies"]["pi"]]
    wanted = {requirement.name: requirement.specifier for requirement in map(Requirement, texts)}
    assert "1.8.1" not in wanted["simplejpeg"], "pip would be content with the system's"
    for pins in (HERE / ".ci").glob("constraints-*.txt"):
        pinned = dict(line.split("==") for line in pins.read_text().casefold().splitlines() if "==" in line)
        assert [name for name, versions in wanted.items() if pinned.get(name, "0") not in versions] == []


@pytest.mark.skipif(shutil.which("cloud-init") is None, reason="no cloud-init here")
def test_what_a_card_says_at_its_first_start_is_what_cloud_init_expects() -> None:
    done = subprocess.run(
        ["cloud-init", "schema", "--config-file", HERE / "systemd" / "user-data"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_card_that_installs_itself_runs_the_script_and_restarts_as_a_table() -> None:
    lines = (HERE / "systemd" / "user-data").read_text().splitlines()
    assert lines[0] == "#cloud-config"
    commands = [line.removeprefix("  - ") for line in lines if line.startswith("  - ")]
    clone, folder = commands[-2].rsplit(" ", 1)
    assert clone.startswith("git clone ")
    assert commands[-1] == f"sh {folder}/systemd/setup.sh"
    assert f"  condition: test -e {UNIT}" in lines, "else the login stays, and what went wrong can be read"
