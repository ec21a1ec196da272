"""The last half minute of the table, kept as a recording that can be replayed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from table.buttons.gpio_edges import EdgeReading
from table.config.settings import TableConfig, load_config
from table.observed_facts import MS, Edge, Frame, Image
from table.sources.recordings.last_half_minute_buffer import SPAN_NS, ReplayBuffer
from table.sources.recordings.recording import open_recording

TOML = """
[game]
name = "whysteria"
[[seat]]
name = "Ada"
angle = 0
[[seat]]
name = "Ben, junior"
angle = 180
[camera]
size = [320, 240]
fps = 10
homography = [[0.9, 0, 160], [0, 0.9, 120], [0, 0, 1]]
"""
STEP = 100 * MS
NOW = 10**15


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    path = tmp_path / "table.toml"
    path.write_text(TOML)
    return load_config(path)


def picture(number: int) -> Image:
    image = np.full((240, 320, 3), 60, np.uint8)
    image[:, :, 1] = 40 + number % 160
    return image


def show(ring: ReplayBuffer, first: int, last: int) -> None:
    """Ten pictures a second, each once the encoder has had the one before; an edge with every tenth."""
    for number in range(first, last):
        while not ring._queue.empty():
            pass
        ring.add_frame(Frame(NOW + number * STEP, picture(number), number))
        if number % 10 == 0:
            ring.add_reading(
                EdgeReading((Edge(NOW + number * STEP, "Ben, junior", "bid", 1),), NOW + number * STEP + 1)
            )


@pytest.mark.thorough
def test_what_is_kept_is_the_last_half_minute_and_a_recording(config: TableConfig, tmp_path: Path) -> None:
    with ReplayBuffer(config) as ring:
        show(ring, 0, 450)
        assert ring.save(tmp_path / "001", (("before.jsonl", b"{}\n"),)).wait(20)
        assert ring.trouble is None
    recording = open_recording(tmp_path / "001")
    frames = [one.frame for one in recording.deliveries() if one.frame is not None]
    assert frames[-1].t_ns == NOW + 449 * STEP
    assert SPAN_NS <= frames[-1].t_ns - frames[0].t_ns <= SPAN_NS + 1_100 * MS
    assert [frame.t_ns for frame in frames] == [frames[0].t_ns + k * STEP for k in range(len(frames))]
    for frame in (frames[0], frames[-1]):
        number = (frame.t_ns - NOW) // STEP
        assert abs(float(frame.image[:, :, 1].mean()) - (40 + number % 160)) < 4
    edges = [edge for one in recording.deliveries() for edge in one.edges]
    assert {edge.seat for edge in edges} == {"Ben, junior"}
    assert min(edge.t_ns for edge in edges) >= frames[0].t_ns
    assert (tmp_path / "001" / "before.jsonl").read_bytes() == b"{}\n"


def test_two_complaints_soon_after_each_other_each_have_all(config: TableConfig, tmp_path: Path) -> None:
    with ReplayBuffer(config) as ring:
        show(ring, 0, 25)
        ring.save(tmp_path / "001")
        show(ring, 25, 50)
        assert ring.save(tmp_path / "002").wait(20)
    first, second = (
        [one.frame.t_ns for one in open_recording(tmp_path / name).deliveries() if one.frame is not None]
        for name in ("001", "002")
    )
    assert first == [NOW + k * STEP for k in range(25)]
    assert second == [NOW + k * STEP for k in range(50)]


def test_a_folder_that_can_not_be_written_stops_nothing(config: TableConfig, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with ReplayBuffer(config) as ring:
        show(ring, 0, 5)
        assert ring.save(tmp_path / "file" / "001").wait(20)
        assert ring.trouble is not None
        assert ring.trouble.code == "recording.complaint_lost"
        show(ring, 5, 10)
        assert ring.save(tmp_path / "002").wait(20)
        assert ring.trouble is None
    assert len(list(open_recording(tmp_path / "002").deliveries())) > 9


def test_pictures_keep_their_stamps_where_a_piece_of_the_video_is_lost(
    config: TableConfig, tmp_path: Path
) -> None:
    with ReplayBuffer(config) as ring:
        show(ring, 0, 15)
        (piece,) = ring._folder.iterdir()
        piece.unlink()  # the folder for temporary files was full, or somebody tidied it up
        show(ring, 15, 40)
        assert ring.save(tmp_path / "001").wait(20)
    frames = [one.frame for one in open_recording(tmp_path / "001").deliveries() if one.frame is not None]
    numbers = [(frame.t_ns - NOW) // STEP for frame in frames]
    assert numbers == [*range(10), *range(21, 40)]
    for frame, number in zip(frames, numbers, strict=True):
        assert abs(float(frame.image[:, :, 1].mean()) - (40 + number % 160)) < 4


def test_nothing_is_left_behind(config: TableConfig) -> None:
    ring = ReplayBuffer(config)
    folder = ring._folder
    show(ring, 0, 5)
    ring.close()
    assert not folder.exists()
