"""A recording is written through no link that somebody puts where one of its files will be."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.sources.recordings.csv_files import write_edges
from table.sources.recordings.video_writer import VIDEO_NAME, VideoWriter


@pytest.mark.parametrize("name", [VIDEO_NAME, "piece-of-video.ts", "buttons.csv"])
def test_a_link_in_the_place_of_a_recordings_file_changes_nothing_elsewhere(
    tmp_path: Path, name: str
) -> None:
    witness, folder = tmp_path / "witness", tmp_path / "recording"
    witness.write_text("nobody writes here\n")
    folder.mkdir()
    (folder / name).symlink_to(witness)
    VideoWriter(folder, 20.0, (64, 64)).close()
    write_edges(folder / "buttons.csv", ())
    assert witness.read_text() == "nobody writes here\n"
