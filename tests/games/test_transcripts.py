"""The golden transcripts still come out, word for word."""

from __future__ import annotations

import pytest

from tests.games.transcripts import FOLDER, VARIANTS, transcript


@pytest.mark.parametrize("name", VARIANTS)
def test_the_game_is_played_as_written_down(name: str) -> None:
    assert transcript(*VARIANTS[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_is_no_transcript_too_many() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(VARIANTS)
