"""First boots that go wrong, or otherwise than a table expects: each ends in a picture that says what to do next."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.bench import host
from table.display.drawing.colours import OVER
from tests.machine.disk import PAGE
from tests.machine.image import PICAMERA2, SITE_PACKAGES, Image, make_disk, put_file
from tests.machine.play import SET_UP, PlayedGame, is_ready, read_log, read_property, record_game
from tests.machine.qemu import Machine

SEEN_S: Final = 1800
"""How long an emulated processor may take until the screen shows what is expected."""
DRAWN_SHARE: Final = 0.9
"""The share of the screen that is not black where the table draws; a console is nearly all black."""
LOOK: Final = "look.png"
SAME_COLOUR, TROUBLE_PX = 8, 1000
"""How far off a colour may be, and how many pixels a frame around a line of trouble has at least."""
SPARE_BLOCKS: Final = 1000
STICK_MIB: Final = 64
CONNECTOR: Final = "/sys/class/drm/card0-Virtual-1/status"
BID, RAP = 17, 27
"""The first seat's lines, as a first set-up has them."""
MENU_LINES, SETTINGS_LINES = 7, 9
TAP_NS, PAUSE_S = 300_000_000, 3
FEWEST_LETTERS: Final = 0.002
NEWER_VERSION: Final = """
git clone -q /opt/cardtable /root/newer
cd /root/newer
git -c user.name=bench -c user.email=bench commit -q --allow-empty -m newer
git -C /opt/cardtable remote set-url origin /root/newer
"""
UNPLUGGED: Final = "video=Virtual-1:d"
"""The kernel's word for a connector without a screen."""


class Step(NamedTuple):
    """What is done at a machine, and what is expected of it then."""

    name: str
    """The picture's name too."""
    act: Callable[[Machine], None]
    expected: Callable[[Machine], bool]
    has_picture: bool = True


class FirstBoot(NamedTuple):
    """A boot with something about the disk or the machine that is otherwise."""

    change: Callable[[Path, PlayedGame], None]
    """What is done to the disk before; the game is one that may be put onto it."""
    steps: tuple[Step, ...]
    """The first one's ``act`` is done as soon as the machine runs."""
    kernel_words: str = ""
    date: str = ""
    installs_itself: bool = False
    restarted: tuple[Step, ...] = ()
    """The steps after the machine has restarted."""


class Outcome(NamedTuple):
    """What came of a step."""

    name: str
    picture: str
    seconds: float
    """Since the machine was switched on."""


def run_first_boots(
    find_image: Callable[[bool], Image],
    out: Path,
    accelerator: str,
    report: Callable[[str], None],
    names: tuple[str, ...] = (),
) -> Iterator[Outcome]:
    """Boot each (``names``: only these); ``FailedError`` where what is expected does not come.

    ``find_image`` returns the image of a card that is set up, or, asked for it, of one that installs itself.
    """
    game = PlayedGame(record_game("whysteria", 0, out / "whysteria-0"))
    camera = game.make_camera(out / "camera")
    for name, boot in FIRST_BOOTS.items():
        if names and name not in names:
            continue
        image, disk = find_image(boot.installs_itself), out / "disk"
        make_disk(image, disk, lends_networks=accelerator == "tcg" and not boot.installs_itself)
        boot.change(disk, game)
        for steps in filter(None, (boot.steps, boot.restarted)):
            with Machine(
                image,
                disk,
                out,
                accelerator=accelerator,
                date=boot.date,
                kernel_words=boot.kernel_words,
                camera=camera,
            ) as machine:
                for step in steps:
                    yield _take(step, machine, out)
                    report(f"{step.name}: after {machine.age_s:.0f} s")


def _take(step: Step, machine: Machine, out: Path) -> Outcome:
    step.act(machine)
    machine.wait_for(lambda: step.expected(machine), step.name, SEEN_S)
    picture = out / f"{step.name.replace(',', '').replace(' ', '-')}.png"
    if step.has_picture:
        machine.take_screenshot(picture)
    return Outcome(step.name, picture.name if step.has_picture else "", machine.age_s)


# --- what is otherwise ------------------------------------------------------------------------------------


def leave(*_: object) -> None:
    """Change nothing."""


def put_game(disk: Path, game: PlayedGame) -> None:
    """A set-up with a game."""
    game.put(disk)


def put_uncalibrated_game(disk: Path, game: PlayedGame) -> None:
    """A game with its players, whose camera has not been calibrated."""
    game.put(disk, is_calibrated=False)


def put_mistake(disk: Path, _: PlayedGame) -> None:
    """A table.toml with a key that is mistyped."""
    put_file(disk, SET_UP, b'[camera]\nsorce = "picamera"\n')


def put_read_only_root(disk: Path, game: PlayedGame) -> None:
    """A root file system that is mounted to be read only."""
    game.put(disk, root_options="ro,noatime")


def break_program(disk: Path, game: PlayedGame) -> None:
    """A program that falls over before it can draw: a library is damaged."""
    game.put(disk)
    put_file(disk, f"/{SITE_PACKAGES}/pygame/__init__.py", b"raise RuntimeError('damaged')\n")


def put_game_and_fill(disk: Path, game: PlayedGame) -> None:
    """A game on a full disk."""
    game.put(disk)
    fill(disk)


def fill(disk: Path) -> None:
    """A disk without a free block for anybody but root: all are kept for root, as the last ones always are."""
    blocks, free = (count_blocks(disk, name) for name in ("Block count", "Free blocks"))
    # A file system keeps half of its blocks for root at most.
    put_file(disk, "/var/tmp/ballast", b"x" * PAGE * max(0, free - blocks // 2 + SPARE_BLOCKS))
    reserved = str(count_blocks(disk, "Free blocks"))
    subprocess.run(["tune2fs", "-r", reserved, disk], check=True, capture_output=True)


def count_blocks(disk: Path, name: str) -> int:
    """Return a number of the file system's superblock, by the name that ``dumpe2fs`` gives it."""
    rows = subprocess.run(["dumpe2fs", "-h", disk], check=True, capture_output=True, text=True).stdout
    [number] = [row.split()[-1] for row in rows.splitlines() if row.startswith(f"{name}:")]
    return int(number)


# --- what is done -----------------------------------------------------------------------------------------


def mend_set_up(machine: Machine) -> None:
    """Mend the mistake of :func:`put_mistake` as a person would, with an editor."""
    machine.run("sed", "-i", "s/sorce/source/", SET_UP)


def plug_screen_in(machine: Machine) -> None:
    """Give the connector that had no screen one."""
    machine.run("sh", "-c", f"echo on >{CONNECTOR}")


def push_stick_in(machine: Machine) -> None:
    """Push a stick with a FAT file system in."""
    with tempfile.NamedTemporaryFile(dir=machine.work, suffix=".stick", delete=False) as file:
        file.truncate(STICK_MIB << 20)
    subprocess.run(["mkfs.vfat", "-n", "GAMES", file.name], check=True, capture_output=True)
    machine.plug_stick_in(Path(file.name))


def add_picamera2(machine: Machine) -> None:
    """Add what the program sees of Raspberry Pi OS's own packages, and of Debian's on another computer does not."""
    machine.run("sh", "-c", f"printf %s {shlex.quote(PICAMERA2)} >/{SITE_PACKAGES}/picamera2.py")


def set_clock(machine: Machine) -> None:
    """The network has told the time."""
    machine.run("date", "--set", "2026-11-28 20:00:00")


def press(machine: Machine, line: int, taps: int = 1) -> None:
    """Tap a button."""
    begun_ns = float(machine.run("cat", "/proc/uptime").split()[0]) * 1e9
    times = [begun_ns + TAP_NS * number for number in range(1, 2 * taps + 1)]
    machine.ask({"pull": [(int(t_ns), line, number % 2) for number, t_ns in enumerate(times)]}, SEEN_S)


def choose_switching_off(machine: Machine) -> None:
    """Go to the menu's last line, the settings, and to the last but one there, and choose it."""
    press(machine, BID, MENU_LINES - 1)
    machine.run("sleep", f"{PAUSE_S + MENU_LINES}")
    press(machine, RAP)
    machine.run("sleep", f"{PAUSE_S}")
    press(machine, BID, SETTINGS_LINES - 2)
    machine.run("sleep", f"{PAUSE_S + SETTINGS_LINES}")
    machine.take_screenshot(machine.work / "menu-switch-off.png")
    press(machine, RAP)


def update(machine: Machine) -> None:
    """Fetch a newer version: one commit more in the place that the program came from."""
    machine.run("sh", "-ec", NEWER_VERSION)
    machine.run("sh", "/opt/cardtable/systemd/setup.sh", "update", timeout_s=SEEN_S)


def uninstall(machine: Machine) -> None:
    """Take the table away, as systemd/README.md says."""
    machine.run("sh", "/opt/cardtable/systemd/setup.sh", "uninstall")


# --- what is expected -------------------------------------------------------------------------------------


def draws(machine: Machine) -> bool:
    """Return whether the table draws on the screen, not the console."""
    return float(np.mean(_look_at(machine).max(axis=2) > 0)) > DRAWN_SHARE


def _look_at(machine: Machine) -> NDArray[np.uint8]:
    """Return the screen's picture now, (H, W, 3) BGR."""
    path = machine.work / LOOK
    machine.take_screenshot(path)
    picture = cv2.imread(str(path))
    if picture is None:
        raise host.FailedError(f"{path}: no picture")
    return np.asarray(picture, np.uint8)


def plays(machine: Machine) -> bool:
    """Return whether the table is ready, and draws."""
    return is_ready(machine) and draws(machine)


def shows_trouble(machine: Machine) -> bool:
    """Return whether the screen has something in the colour of what is wrong."""
    if not plays(machine):
        return False
    distance = np.abs(_look_at(machine).astype(int) - OVER[::-1]).max(axis=2)
    return int((distance < SAME_COLOUR).sum()) > TROUBLE_PX


def says(*words: str) -> Callable[[Machine], bool]:
    """Expect these words in the service's journal."""

    def is_said(machine: Machine) -> bool:
        told = read_log(machine)
        return all(word in told for word in words)

    return is_said


def shows_fault(*words: str) -> Callable[[Machine], bool]:
    """Expect the page of a fault that the journal has too."""
    return lambda machine: says(*words)(machine) and draws(machine)


def has_stick(machine: Machine) -> bool:
    """Return whether a stick is mounted where the table looks for one."""
    return "/media/cardtable/" in machine.run("cat", "/proc/mounts") and draws(machine)


def is_updated(machine: Machine) -> bool:
    """Return whether the newer version runs."""
    newest = machine.run("git", "-C", "/opt/cardtable", "log", "-1", "--format=%s")
    return "newer" in newest and plays(machine)


def says_on_console(machine: Machine) -> bool:
    """Return whether the console has some lines of text, whose letters are light on black."""
    light = float(np.mean(_look_at(machine).max(axis=2) > 100))
    return FEWEST_LETTERS < light < 1 - DRAWN_SHARE


def is_installing(machine: Machine) -> bool:
    """Return whether the console tells of a program that has been fetched and is being installed."""
    fetched = machine.run("sh", "-c", "test -e /opt/cardtable/.venv/bin/pip && echo yes", ok=(0, 1))
    return "yes" in fetched and says_on_console(machine)


def says_why_it_stopped(machine: Machine) -> bool:
    """Return whether the console says something after the table has fallen over."""
    return read_property(machine, "NRestarts") > 0 and says_on_console(machine)


def is_gone(machine: Machine) -> bool:
    """Return whether the screen has its login again, and games and set-up are left."""
    places = "/etc/cardtable /var/lib/cardtable /opt/cardtable"
    left = machine.run("sh", "-c", f"ls -d {places} 2>/dev/null", ok=(0, 2)).split()
    has_login = machine.run("systemctl", "is-active", "getty@tty1", ok=(0, 3)).strip() == "active"
    return has_login and left == places.split()[:2]


def is_off(machine: Machine) -> bool:
    """Return whether the machine has switched itself off."""
    return machine.is_off


FIRST_BOOTS: Final = {
    "fresh": FirstBoot(
        leave,
        (
            Step("fresh without a camera", leave, shows_trouble),
            Step("a stick is pushed in", push_stick_in, has_stick),
            Step("switched off by the menu", choose_switching_off, is_off, has_picture=False),
        ),
    ),
    "installs-itself": FirstBoot(
        leave,
        (
            Step("installing itself", leave, is_installing),
            Step("installed", leave, is_off, has_picture=False),
        ),
        installs_itself=True,
        restarted=(Step("after it has installed itself", add_picamera2, shows_trouble),),
    ),
    "button": FirstBoot(
        put_game,
        (
            Step("a game without a sound device", leave, plays),
            Step("shut-down button", Machine.press_power_button, is_off, has_picture=False),
        ),
    ),
    "update": FirstBoot(put_game, (Step("before", leave, plays), Step("updated", update, is_updated))),
    "crash": FirstBoot(break_program, (Step("a program that falls over", leave, says_why_it_stopped),)),
    "mistake": FirstBoot(
        put_mistake,
        (
            Step("a mistake in table.toml", leave, shows_fault("sorce")),
            Step("the mistake is mended", mend_set_up, plays),
            Step("uninstalled", uninstall, is_gone),
        ),
    ),
    "no-screen": FirstBoot(
        put_uncalibrated_game,
        (
            Step("no screen", leave, says("screen"), has_picture=False),
            Step("a screen is plugged in, uncalibrated, no clock", plug_screen_in, plays),
            Step("the right time comes", set_clock, plays),
        ),
        kernel_words=UNPLUGGED,
        date="2001-01-01T00:00:00",
    ),
    "read-only": FirstBoot(put_read_only_root, (Step("read-only root", leave, shows_trouble),)),
    "full": FirstBoot(put_game_and_fill, (Step("full disk", leave, plays),)),
}
"""By name; a machine without a sound device is in each of them."""
