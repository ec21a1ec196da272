"""A game on the machine: a film of an empty mark as its camera, presses of its simulated buttons, its journal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import cv2
import numpy as np

from hardware.bench import host
from table.phrase import WrongValueError
from table.referee.records.checksummed_journal_rows import unseal_row
from table.referee.records.journal import JournalLine
from tests.machine.image import get_file, list_folder, put_file
from tests.machine.qemu import Machine

GAMES: Final = "/var/lib/cardtable/games"
SIZE: Final = (400, 300)
"""Small, because the emulated processor takes minutes for a picture of a camera's size."""
READY_S: Final = 1800
"""How long an emulated processor may take from power to the first picture."""
DECIDED_S: Final = 900
"""An emulated processor takes its time for the pictures that a decision waits for."""
FILM_FRAMES: Final = 3
PLAYERS: Final = {"Ada": (17, 27), "Ben": (10, 9), "Cleo": (5, 6)}
"""The BID and RAP lines of each player, as in the pin plan; the first one deals."""
BIDS: Final = (("Ada", 1), ("Cleo", 2), ("Ben", 1))
TAP_MS: Final = (120, 120)
"""How long a tap presses the button, and how long until the next one."""
SET_UP: Final = f"""[game]
name = "whysteria"

[game.options]
hands = [5, 1]

{{seats}}
[camera]
source = "empty.mp4"
size = {list(SIZE)}
fps = 1
"""
CALIBRATION: Final = "homography = [[0.96, 0.0, 200.0], [0.0, 0.96, 150.0], [0.0, 0.0, 1.0]]\n"


def put_game(disk: Path, *, is_calibrated: bool = True) -> None:
    """Write a set-up whose camera is a film of an empty mark onto a disk that isn't running."""
    seats = "".join(
        f'[[seat]]\nname = "{name}"\nangle = {90.0 + 90 * number}\nbid = {bid}\nrap = {rap}\n\n'
        for number, (name, (bid, rap)) in enumerate(PLAYERS.items())
    )
    set_up = SET_UP.format(seats=seats) + (CALIBRATION if is_calibrated else "")
    put_file(disk, "/etc/cardtable/table.toml", set_up.encode())
    put_file(disk, "/etc/cardtable/empty.mp4", _make_film())


def _make_film() -> bytes:
    """A green cloth with a camera's noise, without which the table takes the picture for a frozen one."""
    noise = np.random.default_rng(0)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.mp4"
        film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 1.0, SIZE)
        for _ in range(FILM_FRAMES):
            picture = np.array((60, 110, 50)) + noise.integers(-4, 5, (SIZE[1], SIZE[0], 3))
            film.write(picture.astype(np.uint8))
        film.release()
        return path.read_bytes()


def is_ready(machine: Machine) -> bool:
    """Return whether the table has told systemd that it is ready."""
    return machine.run("systemctl", "is-active", "cardtable", ok=(0, 3)).strip() == "active"


def wait_until_ready(machine: Machine) -> float:
    """Wait until the table is ready; return the seconds since the machine was switched on."""
    return machine.wait_for(lambda: is_ready(machine), "the table is not ready", READY_S)


def press(machine: Machine, line: int, taps: int = 1) -> None:
    """Tap a button."""
    down_ms, up_ms = TAP_MS
    machine.pull_lines([step for _ in range(taps) for step in ((up_ms, line, 0), (down_ms, line, 1))])


def deal(machine: Machine) -> None:
    """Have the dealer rap, and wait until the hand is dealt."""
    press(machine, PLAYERS["Ada"][1])
    machine.wait_for(
        lambda: any(line["event"] == "dealt" for line in read_running_journal(machine)),
        "the deal is not in the journal",
        DECIDED_S,
    )


def wait_for_bids(machine: Machine, number: int) -> None:
    """Wait until so many bids are in the journal."""
    machine.wait_for(
        lambda: count_bids(read_running_journal(machine)).total() >= number,
        f"{number} bids in the journal",
        DECIDED_S,
    )


def count_bids(lines: list[JournalLine]) -> Counter[tuple[str, int]]:
    """Count the bids in a journal by player and number."""
    return Counter((line["seat"], line["bid"]) for line in lines if line["event"] == "bid")


def read_running_journal(machine: Machine) -> list[JournalLine]:
    """Return the lines of the games on a running machine."""
    return _parse(machine.run("sh", "-c", f"cat {GAMES}/*.jsonl", ok=(0, 1)))


def read_journal(disk: Path) -> list[JournalLine]:
    """Return the lines of the games on a disk that isn't running; ``FailedError`` for a damaged line."""
    names = sorted(name for name in list_folder(disk, GAMES) if name.endswith(".jsonl"))
    return _parse("".join(get_file(disk, f"{GAMES}/{name}").decode() for name in names))


def _parse(text: str) -> list[JournalLine]:
    try:
        return [unseal_row(row.encode())[0] for row in text.splitlines()]
    except WrongValueError as wrong:
        raise host.FailedError(f"the journal has a damaged line: {wrong}") from None
