"""The photo finish of tied leads: which frame it shows, what is outlined, who stands at which edge, how large it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.config.settings import CameraConfig, ScreenConfig, SeatConfig, TableConfig
from table.display.drawing.colours import AMBER
from table.events.event_spec import without_header
from table.history.moment_pictures import MAX_PICTURE_BYTES, read_picture, save_picture
from table.observed_facts import MS, CardLanded, Frame, Image, Reading
from table.photo_finish import MAX_DELAY_NS, SIDE_PX, PhotoFinish
from table.pipeline import Pipeline
from table.referee.records.journal import Journal, read_lines
from table.sources.recordings.recording import open_recording
from table.table_geometry import Geometry
from tests.referee.test_trick_review import REVIEW, tied_and_revoked
from tests.session.presses import Evening, NoCards, Nothing

GEOMETRY = Geometry(CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1))))
ANGLES = {"Ada": 180.0, "Ben": 0.0, "Cleo": 90.0}
LINE = {
    "t_ns": 1_000 * MS,
    "kept": {"seat": "Ada", "card": "AS"},
    "taken_back": [{"seat": "Ben", "card": "KH"}],
}
RECORDING = Path(__file__).parent / "recordings" / "virtual-3"


def landed(t_ms: float, name: str, number: int, x_mm: float = 0.0) -> CardLanded:
    readings = (Reading(name, 0.99),)
    return CardLanded(round(t_ms * MS), number, readings, (x_mm, 0.0), 0.0, None, 0.0, 0)


def finish(*, until_ms: int = 1_300) -> PhotoFinish:
    """Two cards land at 1,000 and 1,100 ms. Every 50 ms the picture is a level of grey brighter."""
    camera = PhotoFinish(250 * MS)
    for t_ms in range(0, until_ms, 50):
        level = np.full((720, 1280, 3), t_ms // 10, np.uint8)
        camera.add_frame(Frame(t_ms * MS, level, t_ms // 50), GEOMETRY.crop_mark)
    camera.add_facts([landed(1_000, "AS", 1, -40.0), landed(1_099, "KH", 2, 40.0)])
    return camera


def picture(camera: PhotoFinish, **line: Any) -> Image:
    data = camera.picture_of({**LINE, **line}, ANGLES)
    assert data is not None
    assert len(data) <= MAX_PICTURE_BYTES
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def amber(image: Image) -> Image:
    return np.asarray(np.abs(image.astype(int) - AMBER[::-1]).max(axis=2) < 60)


def test_it_shows_the_frame_in_which_the_last_tied_card_has_come_to_rest() -> None:
    image = picture(finish())
    assert image.shape == (SIDE_PX, SIDE_PX, 3)
    assert abs(int(np.median(image)) - 110) <= 1


def test_the_lowest_card_is_outlined_and_no_other() -> None:
    columns = np.flatnonzero(amber(picture(finish())).any(axis=0))
    assert columns.min() < SIDE_PX // 2
    assert columns.max() < SIDE_PX // 2, "the card on the right is not outlined"
    assert not amber(picture(finish(), kept=None)).any(), "where all go back, none is"


@pytest.mark.parametrize(("seat", "rows", "columns"), [("Ada", 1, 0), ("Ben", -1, 0), ("Cleo", 0, 1)])
def test_a_players_name_stands_at_the_edge_where_the_player_sits(seat: str, rows: int, columns: int) -> None:
    play = {"seat": seat, "card": "AS"}
    image = picture(finish(), kept=None, taken_back=[play])
    written = np.argwhere(image.min(axis=2) > 220) / SIDE_PX - 0.5
    assert len(written) > 100
    middle = written.mean(axis=0)
    assert (np.sign(middle) * (np.abs(middle) > 0.2)).tolist() == [rows, columns]
    height = np.ptp(written[:, 0])
    assert height > 1 / 25, "readable from afar, on a screen of which it takes the height"


def test_without_a_frame_of_the_landing_or_for_other_cards_there_is_none() -> None:
    late = PhotoFinish(250 * MS)
    frame = np.zeros((720, 1280, 3), np.uint8)
    late.add_frame(Frame(1_000 * MS + MAX_DELAY_NS + 1, frame, 0), GEOMETRY.crop_mark)
    late.add_facts([landed(1_000, "AS", 1), landed(1_000, "KH", 2)])
    assert late.picture_of(LINE, ANGLES) is None
    others = {**LINE, "kept": None, "taken_back": [{"seat": "Ben", "card": "2C"}]}
    assert finish().picture_of(others, ANGLES) is None
    assert finish().picture_of({**LINE, "t_ns": 500 * MS}, ANGLES) is None, "an earlier tie of the same cards"


# --- in a game -------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_replay_has_the_photo_finish_beside_its_journal_and_decides_the_same_without(
    tmp_path: Path,
) -> None:
    recording, journals = open_recording(RECORDING), {}
    for moments in (True, False):
        config = replace(recording.config, screen=ScreenConfig(moments=moments))
        path = tmp_path / f"{moments}.jsonl"
        pipeline = Pipeline(config, open_recording(RECORDING), journal=path, durable=False)
        shown = {pipeline.view(now_ns).moment for now_ns in pipeline.run()} - {None}
        journals[moments] = path.read_bytes()
        (tied,) = (line for line in pipeline.referee.journal.lines if line["event"] == "leads_tied")
        photo = read_picture(path, tied["seq"])
        assert (photo is not None) is moments
        assert {one.picture for one in shown if one and one.kind == "leads_tied"} == (
            {photo} if moments else set()
        )
    assert journals[True] == journals[False]


@pytest.mark.parametrize("rap", [2, None], ids=["two-buttons", "one-button"])
def test_after_a_restart_a_trick_that_is_looked_at_again_has_its_photo_finish(
    rap: int | None, tmp_path: Path
) -> None:
    table, path = tied_and_revoked(), tmp_path / "game.jsonl"
    journal = Journal(path, durable=False)
    for line in table.referee.journal.lines:
        journal.append(line["event"], line["t_ns"], line["decided_ns"], without_header(line))
    journal.close()
    lines = read_lines(path)
    (tied,) = (line for line in lines if line["event"] == "leads_tied")
    photo = finish().picture_of(LINE, ANGLES)
    assert photo is not None
    save_picture(path, tied["seq"], photo)
    buttons = {"Ada": (1, rap), "Ben": (3, None), "Cleo": (4, None)}
    seats = tuple(SeatConfig(name, angle, *buttons[name]) for name, angle in table.angles.items())
    camera = CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1)))
    config = TableConfig("whysteria", {"hands": [2, 1]}, seats, camera)
    pipeline = Pipeline(config, Nothing(), reader=NoCards(), journal=path, durable=False, resume=lines)
    evening, control = Evening(pipeline), "rap" if rap else "bid"
    evening.wait()
    evening.press("Ada", control, 2500)
    for start in (REVIEW, "Hand 1", "Trick 1"):
        evening.choose("Ada", control, start)
    pictures = []
    for _ in range(3):
        panel = pipeline.view(evening.now).panel
        assert panel is not None
        assert panel.review is not None
        pictures.append(panel.review.picture)
        evening.press("Ada", "bid", 60)
    assert pictures == [None, None, photo], "the complete trick with its two rulings comes first"
    pipeline.referee.journal.close()
