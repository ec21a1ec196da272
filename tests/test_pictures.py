"""The README's pictures and films show what the camera sees and the screen shows today."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as PillowImage
from PIL import ImageSequence

from table.files.picture_and_video_reading import read_picture
from table.observed_facts import Image
from tests.pictures import (
    FILM,
    FOLDER,
    FRAME_MS,
    GAME_FILMS,
    HALF,
    MOMENTS,
    PAGE,
    PAGE_SIZE,
    RECORDING,
    film_frames,
    game_film,
    moment_pictures,
)

MOST_BYTES = 600_000
SMALL = 12
"""A level of 255 may be off by so much: decoders and edges of letters differ a little from machine to machine."""
MOST_OFF = 0.003
MOST_DIFFERENCE = 3.0
"""A film is compressed: its pictures may differ by so many levels of 255 on average."""


@pytest.fixture(scope="module")
def made() -> dict[str, Image]:
    return moment_pictures()


def test_the_readme_shows_each_picture_and_film() -> None:
    names = {path.name for path in FOLDER.iterdir() if path.suffix != ".md"} - {"figures.json"}
    assert names == {*MOMENTS, *GAME_FILMS, FILM, PAGE}
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert all(f"](docs/{name})" in readme for name in names)
    assert all((FOLDER / name).stat().st_size <= MOST_BYTES for name in names)


def test_the_picture_of_a_page_has_its_size() -> None:
    """Its letters depend on the browser and its fonts."""
    with PillowImage.open(FOLDER / PAGE) as picture:
        assert picture.size == PAGE_SIZE


@pytest.mark.parametrize("name", MOMENTS)
def test_a_picture_is_as_it_is_made_but_for_a_little(name: str, made: dict[str, Image]) -> None:
    stored = read_picture(FOLDER / name)[..., ::-1]
    assert stored.shape == made[name].shape
    off = np.abs(stored.astype(int) - made[name]).max(axis=2) > SMALL
    assert off.mean() <= MOST_OFF, "python -m tests.pictures draws them anew: look at them, then commit them"


@pytest.mark.thorough
@pytest.mark.parametrize("name", [FILM, *GAME_FILMS])
def test_a_film_is_as_it_is_made_but_for_its_compression(name: str) -> None:
    frames = list(film_frames(RECORDING, HALF)) if name == FILM else game_film(name)
    with PillowImage.open(FOLDER / name) as film:
        shown_ms, number = 0.0, 0
        for picture in ImageSequence.Iterator(film):
            stored = np.asarray(picture.convert("RGB")).astype(int)
            difference = float(np.abs(stored - frames[number]).mean())
            assert difference <= MOST_DIFFERENCE, "python -m tests.pictures makes it anew: look at it"
            shown_ms += picture.info["duration"]
            number = round(shown_ms / FRAME_MS)
        assert number == len(frames)
