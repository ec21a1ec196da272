"""The README's pictures: a film of each game by camera and screen, a moment of Whysteria, and a game's page.

``python -m tests.pictures`` writes them into ``docs/``, the page where Chromium is installed.
``tests/test_pictures.py`` compares those that do not depend on a browser and its fonts.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pygame
from PIL import Image as PillowImage

from table.__main__ import main as main_command
from table.display.view_picture import draw_canvas
from table.history.archive import read_summary
from table.history.page.game_page import game_page
from table.i18n.phrase_rendering import renderer_for
from table.observed_facts import Image
from table.playback.views_of_past_moments import replay_recording
from table.referee.model.view import View
from table.referee.records.journal import read_lines
from table.sources.recordings.recording import open_recording
from tests.history.browser import is_installed, open_browser
from tests.history.simulated_journal import simulated_journal
from tests.referee.recorded_facts import load, replayed

FOLDER = Path(__file__).parents[1] / "docs"
FILM = "game.webp"
RECORDING = Path(__file__).with_name("recordings") / "virtual-3"
GAME_FILMS = {
    f"{game}.webp": (game, hand) for game, hand in (
        ("israeli-whist", 3), ("oh-shit", 2), ("prediction-whist", 2), ("oh-hell", 2)
    )
}  # fmt: skip
"""For each other film, the game that virtual players play, and the size of its hands."""
FPS = 20
FRAME_STEP = 5
FRAME_MS = 250
"""A film has every fifth frame of its recording, which has `FPS` a second."""
MOST_FRAMES = 110
SIZE = (1280, 720)
HALF, SMALL_HALF = (480, 270), (320, 180)
"""Size of the camera's picture and of the screen, side by side in the film, and in those of the other games."""
SMALL = (640, 360)
MOMENTS = {"whysteria.png": ("whysteria-9", 24)}
"""The stored facts to replay and the number of facts after which the screen is shown."""

PAGE = "page.png"
PAGE_SIZE = (960, 540)
PAGE_PARTS = (
    ("en", (1080, 900), 0, ""),
    (
        "he",
        (400, 720),
        660,
        """const next = document.getElementById("replay-next");
        for (let step = 0; step < 29; step += 1) next.click();
        document.getElementById("replay").scrollIntoView();""",
    ),
)
"""The language, the window and the place of each part of the page's picture, and what is done before it is taken."""


def films() -> Iterator[tuple[str, list[Image]]]:
    """Yield the name and the pictures of each film."""
    yield FILM, list(film_frames(RECORDING, HALF))
    for name in GAME_FILMS:
        yield name, game_film(name)


def game_film(name: str) -> list[Image]:
    """Let virtual players play a game, and return its film."""
    game, hand = GAME_FILMS[name]
    with TemporaryDirectory() as folder:
        recording = Path(folder) / game
        main_command(
            ["virtual", "--game", game, "--hands", str(hand), "--plain", "--fps", str(FPS), str(recording)]
        )
        return list(islice(film_frames(recording, SMALL_HALF), MOST_FRAMES))


def film_frames(path: Path, half: tuple[int, int]) -> Iterator[Image]:
    """Yield each picture of a recording's film, (H, W, 3) RGB: the camera's frame and the screen beside it."""
    recording = open_recording(path)
    assert recording.frame_times is not None
    moments = replay_recording(recording)
    moment = next(moments)
    upcoming = next(moments, None)
    capture = cv2.VideoCapture(str(recording.video), cv2.CAP_FFMPEG)
    try:
        for number, t_ns in enumerate(recording.frame_times):
            good, frame = capture.read()
            assert good
            while upcoming is not None and upcoming.now_ns <= t_ns:
                moment, upcoming = upcoming, next(moments, None)
            if number % FRAME_STEP == 0:
                halves = frame[..., ::-1], screen(moment.view())
                yield np.hstack([cv2.resize(image, half, interpolation=cv2.INTER_AREA) for image in halves])
    finally:
        capture.release()


def screen(view: View, size: tuple[int, int] = SIZE) -> Image:
    """Draw a view, (H, W, 3) RGB."""
    return np.ascontiguousarray(pygame.surfarray.array3d(draw_canvas(view, size).surface).swapaxes(0, 1))


def moment_pictures() -> dict[str, Image]:
    """Draw each moment by the picture's file name, (360, 640, 3) RGB."""
    pictures = {}
    for file_name, (game, facts) in MOMENTS.items():
        pictures[file_name] = screen(_views(game)[facts - 1], SMALL)
    return pictures


def page_picture(folder: Path) -> PillowImage.Image:
    """Return the page of a simulated game, in a wide window and, in Hebrew, as a phone shows it."""
    journal = simulated_journal(folder / "2026-11-20-203000+0100.jsonl", "whysteria", 5)
    picture = PillowImage.new("RGB", PAGE_SIZE, "white")
    with open_browser(folder / "profile") as browser:
        for language, size, left, script in PAGE_PARTS:
            page = journal.with_suffix(f".{language}.html")
            page.write_text(game_page(read_summary(journal), read_lines(journal), renderer_for(language)))
            browser.open(page, size)
            browser.run(script)
            part = PillowImage.open(io.BytesIO(browser.picture())).convert("RGB")
            height = PAGE_SIZE[1]
            picture.paste(
                part.resize((size[0] * height // size[1], height), PillowImage.Resampling.LANCZOS), (left, 0)
            )
    return picture


def _views(game: str) -> list[View]:
    views: list[View] = []
    replayed(load(game), lambda referee, now_ns: views.append(referee.view(now_ns)))
    return views


def main() -> None:
    """Write the films and the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in moment_pictures().items():
        cv2.imwrite(str(FOLDER / name), picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if is_installed():
        with TemporaryDirectory() as folder:
            page_picture(Path(folder)).save(FOLDER / PAGE, optimize=True)
    for name, frames in films():
        first, *others = [PillowImage.fromarray(frame) for frame in frames]
        first.save(FOLDER / name, save_all=True, append_images=others, duration=FRAME_MS, loop=0, quality=60)


if __name__ == "__main__":
    main()
