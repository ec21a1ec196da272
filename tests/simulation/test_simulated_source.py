"""The simulated source delivers like a live table, and its recordings can be replayed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from table.config.settings import load_config
from table.observed_facts import END_NS, MS, Edge, Frame
from table.referee.records.journal import read_lines
from table.simulation.players.game_director import play_game
from table.simulation.players.simulated_game import World
from table.simulation.recording_writer import write_recording
from table.simulation.simulated_config import make_simulated_config
from table.simulation.simulated_source import SimulatedSource
from table.sources.recordings.recording import open_recording
from tests.simulation.perfect import NO_MISHAPS
from tests.wrong import wrong


@pytest.fixture(scope="module")
def world() -> World:
    config = make_simulated_config("whysteria", 2, {"hands": [1]}, seed=1, size=(320, 180), fps=15)
    return play_game(config, 1, mischief=NO_MISHAPS, pace=0.4, start_ns=10**12)


def test_deliveries_keep_the_promises_of_their_watermarks(world: World) -> None:
    edges: list[Edge] = []
    edges_until = frames_until = now = 0
    count = 0
    for delivery in SimulatedSource(world).deliveries():
        assert all(edge.t_ns >= edges_until for edge in delivery.edges)
        assert delivery.now_ns >= now
        if delivery.frame is not None:
            assert delivery.frame.index == count
            assert delivery.frame.t_ns >= frames_until
            count += 1
        assert delivery.edges_until_ns >= edges_until
        assert delivery.frames_until_ns >= frames_until
        now, edges_until, frames_until = delivery.now_ns, delivery.edges_until_ns, delivery.frames_until_ns
        edges += delivery.edges
    assert (edges_until, frames_until) == (END_NS, END_NS)
    assert count == len(world.clock.times)
    assert sorted(edges, key=lambda edge: edge.t_ns) == list(world.edges)


def test_frames_come_at_the_camera_s_rate_with_jitter(world: World) -> None:
    steps = np.diff(world.clock.times)
    assert steps.min() > 0
    assert abs(steps.mean() - 1e9 / 15) < MS
    assert steps.std() > 0.5 * MS


def test_a_recording_is_read_back_as_it_was_played(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "recording"
    write_recording(SimulatedSource(world), folder)
    recording = open_recording(folder)
    config = load_config(folder / "table.toml")
    assert (config.game, config.seats, config.buttons) == (
        world.config.game,
        world.config.seats,
        world.config.buttons,
    )
    assert config.camera.homography == world.config.camera.homography
    assert dict(config.options) == dict(world.config.options)
    assert read_lines(folder / "truth.jsonl") == list(world.truth)
    frames: list[Frame] = []
    edges: list[Edge] = []
    table = SimulatedSource(world)
    for delivery in recording.deliveries():
        edges += delivery.edges
        if delivery.frame is not None:
            frames.append(delivery.frame)
    assert tuple(frame.t_ns for frame in frames) == world.clock.times
    assert sorted(edges, key=lambda edge: edge.t_ns) == list(world.edges)
    drawn = [delivery.frame.image for delivery in table.deliveries() if delivery.frame is not None]
    for number in range(0, len(drawn), 20):
        # The video is lossy, but it is the same picture.
        assert np.abs(frames[number].image.astype(int) - drawn[number]).mean() < 6


def test_edges_of_a_recording_stand_out_of_order_by_less_than_50_ms(world: World) -> None:
    stamps = [edge.t_ns for _, edge in SimulatedSource(world).delayed_edges()]
    assert stamps != sorted(stamps)
    latest = np.maximum.accumulate(stamps)
    assert (latest - stamps).max() < 50 * MS


def test_a_folder_that_holds_something_is_not_written_into(world: World, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with wrong("file.not_empty", at=tmp_path):
        write_recording(SimulatedSource(world), tmp_path)


def test_too_many_players_for_the_names_is_said(tmp_path: Path) -> None:
    with wrong("expected.range", at="players", low=2, high=7, instead=8):
        make_simulated_config(players=8)
