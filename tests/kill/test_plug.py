"""The plug is pulled: what was synced is there, what was not is lost, and a game goes on without a line less."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.kill import powercuts
from tests.kill.plug import pull_plugs
from tests.machine.volume import Volume, find_missing

MISSING = find_missing()
pytestmark = [pytest.mark.thorough, pytest.mark.skipif(bool(MISSING), reason=MISSING)]
PLUGS = 3
FACTS = 30


def test_what_was_not_synced_is_lost_with_the_power(tmp_path: Path) -> None:
    with Volume(tmp_path, Random(1)) as volume:
        synced, unsynced = volume.folder / "synced", volume.folder / "unsynced"
        with synced.open("wb") as file:
            file.write(b"kept")
            file.flush()
            os.fsync(file.fileno())
        unsynced.write_bytes(b"lost")
        volume.cut()
        assert synced.read_bytes() == b"kept"
        assert not unsynced.exists()


def test_a_game_goes_on_after_its_plug_was_pulled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(powercuts, "FACTS", FACTS)
    row = pull_plugs("oh-hell", PLUGS, 1, tmp_path)
    assert row.kills == PLUGS
    assert (row.lost, row.missing, row.doubled, row.invented, row.wrong) == (0, 0, 0, 0, 0), row.examples


def test_a_game_that_never_syncs_loses_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(powercuts, "FACTS", FACTS)
    assert pull_plugs("oh-hell", PLUGS, 1, tmp_path, no_sync=True).lost > 0
