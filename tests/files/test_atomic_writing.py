"""Whatever is written stands under its own name: no link takes it into another file, and no half file is left."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pygame
import pytest

from table.__main__ import main
from table.calibration.homography.mat_design import mat_for_paper
from table.calibration.homography.mat_pdf import write_mat
from table.config.settings import ScreenConfig
from table.detection.indices.enrolled_pack import PATCH_WINDOW, EnrolledPack, Example, save_pack
from table.display.picture_files import save_film, save_picture
from table.files.atomic_writing import replace_file
from table.history.export import export_game
from table.i18n.phrase_rendering import renderer_for
from table.menu.next_game_plan import GamePlan
from table.menu.remembered_choices import save_plan
from table.referee.records.journal import write_keeping_old
from table.system.process_lock import Lock
from tests.calibration.test_init import init
from tests.history.test_archive import written
from tests.wrong import wrong

SECRET = "somebody else's"
PLAYERS = ("--players", "Ada", "Ben", "Cleo")


def pack() -> EnrolledPack:
    return EnrolledPack([Example("AS", np.zeros((PATCH_WINDOW.height, PATCH_WINDOW.width, 3), np.uint8))])


def journal_copied(path: Path) -> None:
    export_game(written(path.parent / "games" / "game.jsonl", over=True), path.parent)


def film(path: Path) -> None:
    save_film((), path, ScreenConfig(size=(320, 200)))


WRITERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "pack": ("pack.npz", lambda path: save_pack(path, pack())),
    "picture": ("table.png", lambda path: save_picture(pygame.Surface((8, 8)), path)),
    "what the menu remembers": ("chosen.json", lambda path: save_plan(path, GamePlan())),
    "copy of a game": ("game.csv", journal_copied),
    "mended journal": ("game.jsonl", lambda path: write_keeping_old(path, b"{}\n")[0].close()),
    "film": ("game.mkv", film),
    "mat": ("mat.pdf", lambda path: write_mat(mat_for_paper("A4"), path, renderer_for())),
    "text": ("x.txt", lambda path: replace_file(path, "x")),
}


@pytest.mark.parametrize("planted", ["{name}", "{name}.part", "{stem}.part{suffix}"])
@pytest.mark.parametrize("kind", WRITERS)
def test_a_planted_link_takes_nothing_into_another_file(kind: str, planted: str, tmp_path: Path) -> None:
    name, write = WRITERS[kind]
    folder = tmp_path / "folder"
    (folder / "games").mkdir(parents=True)
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    path = folder / name
    link = folder / planted.format(name=name, stem=path.stem, suffix=path.suffix)
    link.symlink_to(secret)
    write(path)
    assert secret.read_text() == SECRET
    assert path.is_file()
    assert not path.is_symlink()


def test_init_keeps_the_old_set_up_in_a_file_of_its_own(tmp_path: Path) -> None:
    secret, path = tmp_path / "secret", tmp_path / "table.toml"
    secret.write_text(SECRET)
    path.write_text("# with a password\n")
    path.chmod(0o600)
    old = tmp_path / "table.toml.old"
    old.symlink_to(secret)
    assert init(path, *PLAYERS, "--force") == 0
    assert secret.read_text() == SECRET
    assert not old.is_symlink()
    assert old.read_text() == "# with a password\n"
    assert old.stat().st_mode & 0o777 == 0o600


def test_a_lock_is_no_link_to_another_file(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "made")
    with wrong("journal.not_locked", at=tmp_path / "lock"):
        Lock(tmp_path / "lock")
    assert not (tmp_path / "made").exists()


def test_what_was_there_stays_where_nothing_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_file(path, "new")
    assert path.is_dir()
    assert not list(tmp_path.glob("*.part"))


def test_a_pipe_that_is_read_gets_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(OSError, match="No such device"):
        replace_file(path, "nobody reads")
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        replace_file(path, "read")
        assert os.read(reading, 100) == b"read"
    finally:
        os.close(reading)


def test_a_picture_for_dev_null_leaves_it_a_device(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    journal = written(tmp_path / "game.jsonl", over=True)
    assert main(["show", str(journal), "--size", "320x200", "--out", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()
