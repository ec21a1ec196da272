"""A recording is delivered as the live table would have; what is wrong with its files is one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.errors import TableError
from table.observed_facts import END_NS, MS
from table.phrase import line_place
from table.sources.recordings.recording import open_recording
from tests.wrong import wrong

TOML = """
[game]
name = "whysteria"
[[seat]]
name = "Ada"
angle = 0
[[seat]]
name = "Ben"
angle = 180
[camera]
size = [64, 48]
fps = 10
homography = [[1, 0, 32], [0, 1, 24], [0, 0, 1]]
"""
BUTTONS = "t_ns,seat,control,level\n100000000,Ada,bid,1\n60000000,Ben,bid,1\n250000000,Ada,bid,0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text(TOML)
    (tmp_path / "buttons.csv").write_text(BUTTONS)
    video = cv2.VideoWriter(str(tmp_path / "video.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for shade in (0, 60, 120):
        video.write(np.full((48, 64, 3), shade, dtype=np.uint8))
    video.release()
    return tmp_path


def test_frames_without_a_list_of_times_stand_at_k_by_fps(folder: Path) -> None:
    deliveries = list(open_recording(folder).deliveries())
    frames = [delivery.frame for delivery in deliveries if delivery.frame]
    assert [frame.t_ns for frame in frames] == [0, 100 * MS, 200 * MS]
    assert [round(float(frame.image.mean()), -1) for frame in frames] == [0, 60, 120]


def test_a_recording_is_read_with_its_own_copy_of_the_pack(folder: Path) -> None:
    (folder / "table.toml").write_text(TOML + 'pack = "packs/mine.npz"\n')
    assert open_recording(folder).config.camera.pack == folder / "packs/mine.npz"
    (folder / "mine.npz").write_bytes(b"a pack")
    assert open_recording(folder).config.camera.pack == folder / "mine.npz"


def test_no_edge_is_older_than_a_watermark_given_before(folder: Path) -> None:
    now, known = 0, -(10**12)
    for delivery in open_recording(folder).deliveries():
        assert delivery.now_ns >= now
        assert all(edge.t_ns >= known for edge in delivery.edges)
        now, known = delivery.now_ns, delivery.edges_until_ns
    assert known == END_NS


def test_every_edge_and_frame_is_delivered_once(folder: Path) -> None:
    deliveries = list(open_recording(folder).deliveries())
    assert sorted(edge.t_ns for delivery in deliveries for edge in delivery.edges) == [
        60 * MS,
        100 * MS,
        250 * MS,
    ]
    assert sum(delivery.frame is not None for delivery in deliveries) == 3


@pytest.mark.parametrize(
    ("text", "line", "column", "code", "fields"),
    [
        (BUTTONS[:-8], 4, "", "row.cut_off", {}),
        (BUTTONS.replace("Ben", "Bob"), 3, "seat", "expected.one_of", {"choices": ("Ada", "Ben")}),
        (BUTTONS.replace("Ada,bid,0", "Ada,nod,0"), 4, "control", "expected.choice", {"instead": "nod"}),
        (BUTTONS.replace("Ada,bid,0", "Ada,bid,2"), 4, "level", "expected.level", {"instead": "2"}),
        (BUTTONS.replace("250000000", "soon"), 4, "t_ns", "expected.nanoseconds", {"instead": "soon"}),
        (BUTTONS.replace("60000000,Ben", "40000000,Ben"), 3, "", "row.late", {"late_ns": 60 * MS}),
        (
            BUTTONS.replace("250000000,Ada,bid,0", "250000000,Ada"),
            4,
            "",
            "expected.cells",
            {"columns": "t_ns,seat,control,level"},
        ),
        ("time\n", 1, "", "expected.header", {}),
        ("", 1, "", "expected.header", {}),
    ],
)
def test_a_bad_line_of_buttons_is_named(
    folder: Path, text: str, line: int, column: str, code: str, fields: dict[str, Any]
) -> None:
    (folder / "buttons.csv").write_text(text)
    where = (folder / "buttons.csv", line_place(line), *((column,) if column else ()))
    with wrong(code, at=where, kind=TableError, **fields) as caught:
        open_recording(folder)
    assert "\n" not in str(caught.value)


def test_a_recording_without_a_video_says_so(folder: Path) -> None:
    (folder / "video.avi").unlink()
    with wrong("recording.videos", at=folder, n=0):
        open_recording(folder)


def test_a_video_that_is_none_says_so(folder: Path) -> None:
    (folder / "video.avi").write_text("not a video")
    with wrong("recording.no_video", at=folder / "video.avi"):
        open_recording(folder)


@pytest.mark.parametrize(
    ("text", "line", "code", "fields"),
    [
        ("frame,t_ns\n0,5\n1,5\n2,9\n", 3, "expected.later", {"than": 5, "instead": 5}),
        ("frame,t_ns\n0,5\n2,6\n", 3, "expected.frame", {"number": 1, "instead": 2}),
        ("frame,t_ns\n0,x\n", 2, "expected.frame_and_stamp", {"instead": "0,x"}),
    ],
)
def test_a_bad_line_of_frames_is_named(
    folder: Path, text: str, line: int, code: str, fields: dict[str, Any]
) -> None:
    (folder / "frames.csv").write_text(text)
    with wrong(code, at=(folder / "frames.csv", line_place(line)), **fields):
        open_recording(folder)


def test_a_list_of_times_shorter_than_the_video_says_so(folder: Path) -> None:
    (folder / "frames.csv").write_text("frame,t_ns\n0,5\n")
    with wrong("recording.few_stamps", at=folder / "frames.csv", frames=1, video="video.avi"):
        list(open_recording(folder).deliveries())
