"""The whole way of a guest at a laptop, from an empty folder to the first bid."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.config.settings import load_config
from table.referee.model.view import View
from tests.walk import PLAYERS, walk

MOST_PRESSES = 40
"""How many keys the way may take, the letters of three names among them."""


@pytest.mark.thorough
def test_from_an_empty_folder_to_the_first_bid_in_few_keys(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    somebody = walk(folder)
    assert isinstance(somebody.view, View)
    assert somebody.view.game.seats == PLAYERS
    assert len(somebody.view.state.bids) == 1
    assert load_config(folder / "table.toml", menu=True).camera.homography is not None
    assert somebody.presses <= MOST_PRESSES
