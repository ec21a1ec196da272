"""Sound files, small ones: what is damaged in a hundred ways begins here."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.indices.enrolled_pack import PATCH_WINDOW, EnrolledPack, Example, save_pack
from table.referee.records.journal import Journal
from table.referee.referee import Referee
from tests.calibration.photographed import Shot, photograph
from tests.enrol.oddpack import one_card
from tests.referee.faults.games import Plan, play
from tests.referee.faults.tables import random_table
from tests.referee.powercut import AFTER_NS, known_ns

RECORDINGS = Path(__file__).parents[1] / "recordings"
FRAMES = 3
SEED = 5


@dataclass(frozen=True)
class Seeds:
    """Where the sound files lie."""

    recording: Path
    """A folder: all files of a recording, its video a few frames long."""
    games: Path
    """A folder of journals: one of each game, the last hand unfinished, with its facts beside it."""
    angles: Mapping[str, Mapping[str, float]]
    """Where the players of each journal sit, by its name: its facts tell of arms from there."""
    pack: Path
    pictures: tuple[Path, ...]
    """A small one of each kind of file."""
    card: Path
    """A picture of a card that ``enrol`` learns from."""
    mat: Path
    """A photograph of the printed mat, by which ``calibrate`` finds the camera; 1280 x 720."""
    cards: Path
    """A list for ``enrol``: image,card."""
    witness: Path
    """A file that no command is to change, for links to lead to."""


def make_seeds(folder: Path) -> Seeds:
    """Write all seeds below ``folder``."""
    pictures = _pictures(folder / "pictures")
    cards = folder / "cards.csv"
    cards.write_text(
        "image,card\n"
        + "".join(f"{path.name},{name}\n" for path, name in zip(pictures, ("AS", "10H", "2C"), strict=False))
    )
    witness = folder / "witness"
    witness.write_text("nobody writes here\n")
    return Seeds(
        _recording(folder / "recording"),
        folder / "games",
        _games(folder / "games"),
        _pack(folder / "pack.npz"),
        pictures,
        _picture(folder / "AS.png", one_card("AS")),
        _picture(folder / "mat.png", photograph(Shot())),
        cards,
        witness,
    )


def _recording(folder: Path) -> Path:
    shutil.copytree(RECORDINGS / "unreadable-card", folder)
    capture = cv2.VideoCapture(str(folder / "video.mp4"), cv2.CAP_FFMPEG)
    images = [capture.read()[1] for _ in range(FRAMES)]
    capture.release()
    (folder / "video.mp4").unlink()
    height, width = images[0].shape[:2]
    writer = cv2.VideoWriter(
        str(folder / "video.mkv"), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 20, (width, height)
    )
    for image in images:
        writer.write(image)
    writer.release()
    rows = (folder / "frames.csv").read_text().splitlines(keepends=True)
    (folder / "frames.csv").write_text("".join(rows[: FRAMES + 1]))
    return folder


def _games(folder: Path) -> dict[str, Mapping[str, float]]:
    """Journals as a power cut leaves them; where who plays them sits."""
    folder.mkdir()
    sat: dict[str, Mapping[str, float]] = {}
    for number, name in enumerate(("whysteria", "oh-hell", "israeli-whist", "oh-shit", "prediction-whist")):
        plan = Plan(SEED, number, name, "none", ())
        game, angles = random_table(name, Random(f"{SEED}/{number}/table"))
        facts = sorted(play(plan, answers=False, keep=True).facts, key=known_ns)[:60]
        path = folder / f"2026-01-0{number + 1}-200000.jsonl"
        sat[path.name] = angles
        with Journal(path) as journal:
            referee = Referee(game, angles, journal)
            referee.start(0)
            for fact in facts:
                at = known_ns(fact) + 1
                referee.take([fact], at, at)
            referee.take((), at + AFTER_NS, at + AFTER_NS)
    return sat


def _pack(path: Path) -> Path:
    noise = np.random.default_rng(SEED)
    patches = [
        noise.integers(0, 255, (PATCH_WINDOW.height, PATCH_WINDOW.width, 3), np.uint8) for _ in range(3)
    ]
    save_pack(
        path,
        EnrolledPack(
            [Example(name, patch) for name, patch in zip(("AS", "10H", "none"), patches, strict=True)]
        ),
    )
    return path


def _pictures(folder: Path) -> tuple[Path, ...]:
    folder.mkdir()
    image = np.random.default_rng(SEED).integers(0, 255, (24, 32, 3), np.uint8)
    found = []
    for name in ("png", "bmp", "jpg", "webp", "tiff", "gif", "ppm", "pgm", "sr", "hdr", "jp2", "avif"):
        path = folder / f"AS-{name}.{name}"
        try:
            good = cv2.imwrite(str(path), image if name != "hdr" else image.astype(np.float32))
        except cv2.error:
            good = False  # this OpenCV writes none
        if good:
            found.append(path)
    return tuple(found)


def _picture(path: Path, image: NDArray[np.uint8]) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


def table_of(lines: list[dict[str, object]]) -> dict[str, object]:
    """The game, the seats and the options that a journal's first line names."""
    first = json.loads(json.dumps(lines[0]))
    return {key: first[key] for key in ("game", "seats", "options")}
