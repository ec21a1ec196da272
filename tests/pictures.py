"""The README's two pictures: one moment of a recorded game, by the camera and on the screen.

``python -m tests.pictures`` writes them into ``docs/``; ``tests/test_pictures.py`` compares them.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pygame

from table.display.view_picture import draw
from table.i18n.phrase_rendering import renderer_for
from table.observed_facts import Image
from table.playback.views_of_past_moments import replay_recording
from table.sources.recordings.recording import open_recording

FOLDER = Path(__file__).parents[1] / "docs"
RECORDING = Path(__file__).with_name("recordings") / "virtual-3"
FRAME = 338
"""Two have led at the same time; the card that goes back is being taken."""
SIZE = (1280, 720)


def pictures() -> dict[str, Image]:
    """Each picture by its file's name, (H, W, 3) BGR."""
    recording = open_recording(RECORDING)
    assert recording.frame_times is not None
    then_ns = recording.frame_times[FRAME]
    view = next(moment.view() for moment in replay_recording(recording) if moment.now_ns >= then_ns)
    screen = pygame.surfarray.array3d(draw(view, SIZE, renderer_for()))
    return {
        "screen.png": np.ascontiguousarray(screen.swapaxes(0, 1)[..., ::-1]),
        "camera.png": _frame(recording.video),
    }


def _frame(video: Path) -> Image:
    capture = cv2.VideoCapture(str(video), cv2.CAP_FFMPEG)
    try:
        for _ in range(FRAME):
            capture.grab()
        good, image = capture.read()
    finally:
        capture.release()
    assert good
    return np.asarray(image, np.uint8)


def main() -> None:
    """Write them."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        cv2.imwrite(str(FOLDER / name), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
