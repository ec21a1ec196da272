"""A folder of pictures: one for each moment that matters, and a word about those that are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.config.settings import ScreenConfig
from table.i18n.terminal_output import phrase_text
from table.playback import screenshots
from table.playback.screenshots import ScreenshotFolder
from table.referee.records.journal import JournalLine
from tests.display.views import NAMES, moments

_, VIEW = next(moments(NAMES[:2]))


def line(seq: int, event: str) -> JournalLine:
    return {"seq": seq, "event": event}


def test_lines_that_were_known_at_once_are_one_picture_named_after_what_matters_most(tmp_path: Path) -> None:
    album = ScreenshotFolder(tmp_path, ScreenConfig(size=(640, 360)))
    again = [line(8, "corrected"), line(9, "card_played"), line(10, "trick_won"), line(11, "out_of_turn")]
    for known in ([line(6, "card_played"), line(7, "trick_won")], again, [line(12, "card_played")]):
        album.save_if_important(known, VIEW)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0007-trick-won.png", "0008-corrected.png"]
    assert album.count == 2
    assert album.left_out_message is None


def test_pictures_that_are_left_out_are_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screenshots, "MAX_SCREENSHOTS", 2)
    album = ScreenshotFolder(tmp_path, ScreenConfig(size=(640, 360)))
    for seq in range(1, 6):
        album.save_if_important([line(seq, "trick_won")], VIEW)
    assert len(list(tmp_path.iterdir())) == album.count == 2
    assert album.left_out_message is not None
    assert phrase_text(album.left_out_message).startswith("3 more are left out")
