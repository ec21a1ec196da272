"""The demo of every game, as anybody starts it: rendered camera, detector, buttons, referee; without a difference.

Whole games from pixels: by far the longest tests. `make test` plays one of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from table.__main__ import main
from table.games.registry import GAMES
from tests.speeds import first_quick

ROUGH = [
    ("whysteria", 1),
    ("whysteria", 2),
    ("oh-hell", 1),
    ("oh-hell", 3),
    ("oh-shit", 1),
    ("oh-shit", 2),
    ("prediction-whist", 1),
    ("prediction-whist", 3),
]
"""With hands over the mark, cards pushed about or face down, a joker for a mark, a glass in the picture."""


def followed(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The demo runs, and the table makes of it what really happened."""
    status = main(["demo", "--headless", *argv])
    told = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(told) if "events as in the truth" in line)
    assert status == 0, "\n".join(told[at:])
    assert "0 differences" in told[at]
    assert len(told) == at + 2
    assert "the table followed the whole game" in told[-1]


@first_quick("game", sorted(GAMES, key=lambda name: name != "whysteria"))
def test_the_table_follows_the_demo_of_every_game_without_a_second_thought(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    followed(["--game", game, "--pictures", str(tmp_path)], capsys)
    assert not list(tmp_path.glob("*-corrected.png"))


@pytest.mark.thorough
def test_the_table_sees_the_card_that_it_once_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What came of it when it was missed: ``prediction-whist-16`` among the referee's facts.

    The other such game, ``oh-hell-1``, is the demo of Oh Hell.
    """
    followed(["--game", "prediction-whist", "--seed", "16", "--pictures", str(tmp_path)], capsys)


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "seed"), ROUGH)
def test_the_table_follows_rough_games_too(
    game: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    followed(["--rough", "--game", game, "--seed", str(seed), "--pictures", str(tmp_path)], capsys)
