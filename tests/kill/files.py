"""Files that are put in the place of others: killed at any moment, the table finds the old one or the new one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pygame

from table.config.toml_edit import set_keys
from table.detection.indices.enrolled_pack import PATCH_WINDOW, EnrolledPack, Example, save_pack
from table.display.picture_files import save_picture
from table.menu.next_game_plan import GamePlan
from table.menu.remembered_choices import save_plan
from tests.kill.disk import Disk, KilledError

SET_UP = "[camera]\nfps = 30\n"


def _pack(path: Path) -> None:
    save_pack(
        path, EnrolledPack([Example("AS", np.zeros((PATCH_WINDOW.height, PATCH_WINDOW.width, 3), np.uint8))])
    )


WRITERS: Sequence[tuple[str, Callable[[Path], None]]] = (
    ("table.toml", lambda path: set_keys(path, "camera", {"mat": "A4"})),
    ("pack.npz", _pack),
    ("chosen.json", lambda path: save_plan(path, GamePlan())),
    ("table.png", lambda path: save_picture(pygame.Surface((8, 8)), path)),
)


def replaced(folder: Path, random: Random) -> tuple[int, int]:
    """Kill each of them at each moment of its work: how often, and how often a file was neither old nor new."""
    kills = bad = 0
    for name, write in WRITERS:
        new = _whole(folder / "new", name, write)
        moment = 0
        while (left := _killed(folder, name, write, moment, random)) is not None:
            kills += 1
            bad += (left / name).read_bytes() not in (SET_UP.encode(), new)
            # What lies there now is no hindrance the next time.
            write(left / name)
            bad += (left / name).read_bytes() != new or len([*left.iterdir()]) != 1
            moment += 1
    return kills, bad


def _whole(folder: Path, name: str, write: Callable[[Path], None]) -> bytes:
    """What is written where nothing goes wrong."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(SET_UP)
    write(folder / name)
    return (folder / name).read_bytes()


def _killed(
    folder: Path, name: str, write: Callable[[Path], None], moment: int, random: Random
) -> Path | None:
    """What is left of a file that was being replaced; None where it was done before that moment."""
    live, left = folder / "live", folder / "left"
    for place in (live, left):
        shutil.rmtree(place, ignore_errors=True)
    live.mkdir()
    (live / name).write_text(SET_UP)
    try:
        with Disk(live, moment, left, random).watched():
            write(live / name)
    except KilledError:
        return left
    return None
