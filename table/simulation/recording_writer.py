"""Writes a simulated game as a recording, in the folder format that ``replay`` reads (INTERFACES, "A recording")."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import tomlkit

from table.config.settings import TableConfig
from table.errors import TableError
from table.files.atomic_writing import make_folder, replace_file
from table.files.picture_and_video_reading import count_pictures
from table.observed_facts import END_NS
from table.referee.records.journal import dump
from table.simulation.simulated_source import SimulatedSource
from table.sources.recordings.csv_files import write_edges, write_frames
from table.sources.recordings.video_writer import open_writer


def write_recording(
    source: SimulatedSource, folder: Path, *, progress: Callable[[float], None] | None = None
) -> None:
    """Write a game into ``folder`` (created if missing): video, edges, frame times, configuration and truth.

    ``TableError`` if the folder is not empty or can't be written.
    """
    try:
        make_folder(folder)
        if any(folder.iterdir()):
            raise TableError("file.not_empty", at=folder)
        world = source.world
        replace_file(folder / "table.toml", render_toml(world.config))
        write_edges(folder / "buttons.csv", (edge for _, edge in source.delayed_edges()))
        write_frames(folder / "frames.csv", world.clock.times)
        truth = "".join(dump(line) + "\n" for line in world.truth)
        replace_file(folder / "truth.jsonl", truth)
        _write_video(source, folder / "video.mp4", progress)
    except OSError as error:
        raise TableError("recording.not_written", at=folder, error=error) from None


def _write_video(source: SimulatedSource, path: Path, progress: Callable[[float], None] | None) -> None:
    camera = source.world.config.camera
    writer = open_writer(path, camera.fps, camera.size)
    count = len(source.world.clock.times)
    try:
        for delivery in source.deliveries():
            if delivery.frames_until_ns >= END_NS or delivery.frame is None:
                continue
            writer.write(delivery.frame.image)
            if progress is not None:
                progress((delivery.frame.index + 1) / count)
    finally:
        writer.release()
    if count_pictures(path) != count:
        raise TableError("recording.pictures_lost", at=path)


def render_toml(config: TableConfig) -> str:
    """Return a configuration as the text of a ``table.toml``."""
    camera = config.camera
    assert camera.homography is not None
    options = {name: value for name, value in config.options.items() if value is not None}
    seats = [{key: getattr(seat, key) for key in ("name", "angle", "bid", "rap")} for seat in config.seats]
    view = {
        "source": "video.mp4",
        "size": camera.size,
        "fps": int(camera.fps) if math.isclose(camera.fps, round(camera.fps)) else camera.fps,
        "homography": camera.homography,
        "tie_window_ms": camera.tie_window_ms,
    }
    times = ("tie_window_ms", "tap_gap_ms", "hold_ms", "wrong_ms", "dial_ms", "debounce_ms")
    buttons = {name: getattr(config.buttons, name) for name in times}
    game = {"name": config.game, "options": options}
    return tomlkit.dumps({"game": game, "seat": seats, "camera": view, "buttons": buttons})
