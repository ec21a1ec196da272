"""Killed at any moment, in the middle of a row too, the table loses no line and invents none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kill import powercuts

KILLS = 4
FACTS = 30
TAIL = 40


@pytest.mark.parametrize("game", ["oh-hell", "oh-shit"])
def test_a_killed_game_goes_on_as_if_nothing_had_been(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(powercuts, "FACTS", FACTS)
    monkeypatch.setattr(powercuts, "TAIL", TAIL)
    row = powercuts.run(game, KILLS, 1, tmp_path)
    assert (row.kills, row.cuts, row.disks) == (KILLS, TAIL, 3)
    assert (row.lost, row.missing, row.doubled, row.invented, row.wrong) == (0, 0, 0, 0, 0), row.examples
    assert row.disordered == 0, row.examples
    assert (row.bad_cuts, row.bad_disks, row.bad_removed) == (0, 0, 0)
    assert row.files > 10
    assert row.bad_files == 0
