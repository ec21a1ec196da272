"""The README's pictures: a film of a recorded game by camera and screen, a moment of each game, and a game's page.

``python -m tests.pictures`` writes them into ``docs/``, the page where Chromium is installed.
``tests/test_pictures.py`` compares those that do not depend on a browser and its fonts.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pygame
from PIL import Image as PillowImage

from table.display.view_picture import draw
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
FRAME_STEP = 5
FRAME_MS = 250
"""The film has every fifth frame of the recording, which has 20 a second."""
SIZE = (1280, 720)
HALF = (480, 270)
"""Size of the camera's picture and of the screen, side by side in the film."""
SMALL = (640, 360)
MOMENTS = {
    "whysteria.png": ("whysteria-9", 24),
    "israeli-whist.png": ("israeli-whist-taken-back-proof", 12),
    "oh-shit.png": ("oh-shit-ghost-proof", 10),
    "prediction-whist.png": ("prediction-whist-16", 60),
    "oh-hell.png": ("oh-hell-1", 45),
}
"""For each game, the stored facts to replay and the number of facts after which the screen is shown."""

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


def film_frames() -> Iterator[Image]:
    """Yield each picture of the film, (270, 960, 3) RGB: the camera's frame and the screen beside it."""
    recording = open_recording(RECORDING)
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
                yield np.hstack([cv2.resize(half, HALF, interpolation=cv2.INTER_AREA) for half in halves])
    finally:
        capture.release()


def screen(view: View, size: tuple[int, int] = SIZE) -> Image:
    """Draw a view, (H, W, 3) RGB."""
    return np.ascontiguousarray(pygame.surfarray.array3d(draw(view, size, renderer_for())).swapaxes(0, 1))


def moment_pictures() -> dict[str, Image]:
    """Draw a moment of each game by the picture's file name, (360, 640, 3) RGB."""
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
    """Write the film and the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in moment_pictures().items():
        cv2.imwrite(str(FOLDER / name), picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if is_installed():
        with TemporaryDirectory() as folder:
            page_picture(Path(folder)).save(FOLDER / PAGE, optimize=True)
    first, *others = [PillowImage.fromarray(frame) for frame in film_frames()]
    first.save(
        FOLDER / FILM,
        save_all=True,
        append_images=others,
        duration=FRAME_MS,
        loop=0,
        quality=60,
    )


if __name__ == "__main__":
    main()
