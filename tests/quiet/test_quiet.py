"""Nothing leaves the table: no socket, no device's id, no file outside its own places."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from models.compat import keep_quiet
from tests.quiet import __main__ as quiet
from tests.quiet.traced import Seen, read_trace
from tests.quiet.watch import bare_environment, internet_sockets, watch

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests" / "recordings" / "virtual-3"
UNIT = ROOT / "systemd" / "cardtable.service"


def left_in(home: Path) -> list[str]:
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if not path.is_dir())


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A home, and a folder to work in."""
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    return home, folder


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        ("detect", str(ROOT / "table" / "detection" / "indices" / "letters.png")),
        ("doctor", "--config", "no-such.toml"),
    ],
)
def test_a_command_that_reads_cards_opens_no_socket_and_leaves_nothing(
    places: tuple[Path, Path], arguments: tuple[str, ...]
) -> None:
    home, folder = places
    command = (sys.executable, "-m", "table", *arguments)
    done = watch(command, folder, bare_environment(home, ROOT))
    assert done.status in (0, 1), done.output
    assert done.sockets == frozenset()
    assert left_in(home) == left_in(folder) == []


def test_a_game_leaves_its_journal_with_the_facts_of_the_hand_and_nothing_else(
    places: tuple[Path, Path],
) -> None:
    home, folder = places
    game = ("play", "--headless", "--config", str(RECORDING / "table.toml"))
    command = (sys.executable, "-m", "tests.commands.filmed", "1002", "hand_started", *game)
    done = watch(command, folder, bare_environment(home, ROOT))
    assert done.status == quiet.KILLED, done.output
    assert done.sockets == frozenset()
    state = home / ".local" / "state" / "cardtable"
    journal, facts = sorted((state / "games").iterdir())
    assert journal.suffix == ".jsonl"
    assert facts.name == f"{journal.name}.facts"
    assert all(state in (home / name).parents for name in left_in(home))
    assert left_in(folder) == []


def test_the_watch_sees_a_socket_and_passes_over_those_of_this_machine() -> None:
    code = (
        "import socket, sys; s = socket.socket(getattr(socket, sys.argv[1]), socket.SOCK_DGRAM); "
        "print('open', flush=True); sys.stdin.read()"
    )
    for family, expected in (("AF_INET", 1), ("AF_UNIX", 0)):
        with subprocess.Popen(
            (sys.executable, "-c", code, family), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
            assert len(internet_sockets(process.pid)) == expected, family
            process.communicate()


def test_the_unit_of_systemd_sets_the_switch_too() -> None:
    assert "Environment=ORT_DISABLE_TELEMETRY=1" in UNIT.read_text().splitlines()


def test_the_training_side_sends_and_fetches_nothing_and_keeps_to_its_own_folder() -> None:
    environ = {"YOLO_OFFLINE": "false", "MPLCONFIGDIR": "/mine"}
    keep_quiet(environ)
    assert environ == {
        "YOLO_OFFLINE": "true",
        "YOLO_AUTOINSTALL": "false",
        "ORT_DISABLE_TELEMETRY": "1",
        "YOLO_CONFIG_DIR": str(ROOT / "runs" / "settings"),
        "MPLCONFIGDIR": "/mine",
    }


LGPIO = """
import os, sys
from table.buttons.gpio_edges import set_lgpio_folder
set_lgpio_folder()
folder = os.environ["LG_WD"]
set_lgpio_folder()
assert os.environ["LG_WD"] == folder
os.mkfifo(os.path.join(folder, ".lgd-nfy0"))
print(folder)
"""


def test_lgpio_gets_a_folder_that_goes_with_the_process_unless_one_was_named(
    places: tuple[Path, Path],
) -> None:
    home, folder = places
    environ = {**bare_environment(home, ROOT), "TMPDIR": str(home)}
    environ.pop("LG_WD", None)
    done = watch((sys.executable, "-c", LGPIO), folder, environ)
    assert done.status == 0, done.output
    assert Path(done.output.strip()).parent == home
    assert [*home.iterdir(), *folder.iterdir()] == []
    done = watch((sys.executable, "-c", LGPIO), folder, {**environ, "LG_WD": str(folder)})
    assert done.output.strip() == str(folder)
    assert [path.name for path in folder.iterdir()] == [".lgd-nfy0"]


# --- what strace tells --------------------------------------------------------------------------------------

TRACE = """\
socket(AF_INET, SOCK_DGRAM|SOCK_CLOEXEC, IPPROTO_IP) = 3<UDP:[1]>
connect(3<UDP:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 ENETUNREACH
socket(AF_UNIX, SOCK_STREAM, 0)         = 4<UNIX-STREAM:[2]>
connect(4, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file or directory)
openat(AT_FDCWD</table>, "table.toml", O_RDONLY|O_CLOEXEC) = 5</table/table.toml>
openat(AT_FDCWD</table>, "a.png", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 5</table/a.png>
openat(6</home/me/.cache>, "deviceid", O_WRONLY|O_CREAT|O_EXCL, 0600) = 7</home/me/.cache/deviceid>
openat(AT_FDCWD</table>, "/etc/shadow", O_RDWR) = -1 EACCES (Permission denied)
mkdir("/home/me/.config", 0700)         = 0
rename("b.tmp", "../b")                 = 0
unlinkat(6</home/me/.cache>, "old", 0)  = 0
+++ exited with 0 +++
"""


def test_a_trace_tells_sockets_and_what_was_written() -> None:
    seen = Seen()
    read_trace(TRACE.splitlines(), Path("/table"), seen)
    assert sorted(text.split(",")[0] for text in seen.sockets) == [
        "connect {sa_family=AF_INET",
        "connect {sa_family=AF_UNIX",
        "socket AF_INET",
    ]
    assert [text.split(",")[0] for text in seen.local] == ["socket AF_UNIX"]
    assert sorted(map(str, seen.written)) == [
        "/b",
        "/home/me/.cache/deviceid",
        "/home/me/.cache/old",
        "/home/me/.config",
        "/table/a.png",
        "/table/b.tmp",
    ]


def test_own_places_are_the_state_the_folder_and_the_bytecode() -> None:
    home, folder = Path("/home/me"), Path("/table")
    own = (
        "/home/me/.local",
        "/home/me/.local/state/cardtable/games/a.jsonl",
        "/table/a.png",
        "/x/__pycache__/a.pyc",
        f"{tempfile.gettempdir()}/cardtable-x1/.lgd-nfy0",
    )
    other = ("/home/me/.cache", "/home/me/.local/state/other", "/home/me/.bashrc", "/tmp/a")
    assert [name for name in (*own, *other) if quiet.is_own(Path(name), home, folder)] == [*own]


def test_without_strace_it_is_said_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert quiet.main() == 2
    assert capsys.readouterr().err == "quiet: no strace: install it first (sudo apt install strace)\n"
