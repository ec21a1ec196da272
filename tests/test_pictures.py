"""The README's pictures show what the camera sees and the screen shows today."""

from __future__ import annotations

import numpy as np
import pytest

from table.files.picture_reading import read_picture
from table.observed_facts import Image
from tests.pictures import FOLDER, pictures

MOST_BYTES = 300_000
SMALL = 12
"""A level of 255 may be off by so much: decoders and edges of letters differ a little from machine to machine."""
MOST_OFF = 0.003


@pytest.fixture(scope="module")
def made() -> dict[str, Image]:
    return pictures()


def test_both_pictures_are_there_and_no_others(made: dict[str, Image]) -> None:
    assert {path.name for path in FOLDER.glob("*.png")} == set(made)
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert all(f"](docs/{name})" in readme for name in made)


@pytest.mark.parametrize("name", ["screen.png", "camera.png"])
def test_a_picture_is_as_it_is_made_but_for_a_little(name: str, made: dict[str, Image]) -> None:
    kept = read_picture(FOLDER / name)
    assert (FOLDER / name).stat().st_size <= MOST_BYTES
    assert kept.shape == made[name].shape
    off = np.abs(kept.astype(int) - made[name]).max(axis=2) > SMALL
    assert off.mean() <= MOST_OFF, "python -m tests.pictures draws them anew: look at them, then commit them"
