"""A recording is delivered as the live table would have; what is wrong with its files is one line."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from table.errors import TableError
from table.facts import END_NS, MS
from table.sources.recording import open_recording

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
    ("text", "expected"),
    [
        (BUTTONS[:-8], "cut off"),
        (BUTTONS.replace("Ben", "Bob"), "line 3: seat: expected one of Ada, Ben"),
        (BUTTONS.replace("Ada,bid,0", "Ada,nod,0"), "line 4: control"),
        (BUTTONS.replace("Ada,bid,0", "Ada,bid,2"), "line 4: level"),
        (BUTTONS.replace("250000000", "soon"), "line 4: t_ns"),
        (BUTTONS.replace("60000000,Ben", "40000000,Ben"), "line 3: 60 ms behind"),
        (BUTTONS.replace("250000000,Ada,bid,0", "250000000,Ada"), "line 4: expected t_ns,seat,control,level"),
        ("time\n", "line 1: expected the header"),
        ("", "line 1: expected the header"),
    ],
)
def test_a_bad_line_of_buttons_is_named(folder: Path, text: str, expected: str) -> None:
    (folder / "buttons.csv").write_text(text)
    with pytest.raises(TableError) as caught:
        open_recording(folder)
    assert str(caught.value).startswith(str(folder / "buttons.csv"))
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_recording_without_a_video_says_so(folder: Path) -> None:
    (folder / "video.avi").unlink()
    with pytest.raises(TableError, match=r"no video: expected one file video\.mp4"):
        open_recording(folder)


def test_a_video_that_is_none_says_so(folder: Path) -> None:
    (folder / "video.avi").write_text("not a video")
    with pytest.raises(TableError, match="can't be read as a video"):
        open_recording(folder)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("frame,t_ns\n0,5\n1,5\n2,9\n", "line 3: expected a time later than 5"),
        ("frame,t_ns\n0,5\n2,6\n", "line 3: expected frame 1"),
        ("frame,t_ns\n0,x\n", "line 2: expected frame,t_ns as whole numbers"),
    ],
)
def test_a_bad_line_of_frames_is_named(folder: Path, text: str, expected: str) -> None:
    (folder / "frames.csv").write_text(text)
    with pytest.raises(TableError) as caught:
        open_recording(folder)
    assert expected in str(caught.value)


def test_a_list_of_times_shorter_than_the_video_says_so(folder: Path) -> None:
    (folder / "frames.csv").write_text("frame,t_ns\n0,5\n")
    with pytest.raises(TableError, match=r"1 frames, but video\.avi has more"):
        list(open_recording(folder).deliveries())
