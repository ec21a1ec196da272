"""The staged recordings are reproducible and agree with their games."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.config.settings import load_config
from table.history.truth_comparison import compare
from table.referee.records.journal import dump
from table.simulation.recording_writer import render_toml
from tests.simulation.perfect import journal_of
from tests.simulation.staged import STAGED, answers_text

RECORDINGS = Path(__file__).parents[1] / "recordings"


@pytest.mark.parametrize("name", STAGED)
def test_a_staged_recording_is_what_its_script_makes(name: str) -> None:
    staged, folder = STAGED[name](), RECORDINGS / name
    world = staged.world
    assert (folder / "truth.jsonl").read_text() == "".join(dump(line) + "\n" for line in world.truth)
    assert (folder / "table.toml").read_text() == render_toml(world.config)
    frames = (folder / "frames.csv").read_text().splitlines()[1:]
    assert frames == [f"{number},{t_ns}" for number, t_ns in enumerate(world.clock.times)]
    edges = (folder / "buttons.csv").read_text().splitlines()[1:]
    assert sorted(int(line.split(",")[0]) for line in edges) == [edge.t_ns for edge in world.edges]
    answers = folder / "answers.csv"
    assert (answers.read_text() if answers.exists() else "") == (
        answers_text(staged) if staged.answers else ""
    )
    assert load_config(folder / "table.toml").names == world.config.names


@pytest.mark.parametrize("name", STAGED)
def test_a_referee_with_perfect_eyes_makes_the_truth_of_a_staged_game(name: str) -> None:
    world = STAGED[name]().world
    comparison = compare(world.truth, journal_of(world))
    assert comparison.differences == ()
    assert comparison.matched == len(world.truth) > 10
