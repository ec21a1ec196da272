"""How the bench's players go on after a power cut, and how it lends its networks."""

from __future__ import annotations

import socket
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from table.detection.indices.onnx_inference import Network
from table.referee.records.journal import JournalLine, read_lines
from table.sources.recordings.recording import open_recording
from tests.machine import guest_onnxruntime
from tests.machine.lent_networks import WEIGHTS, NetworkLender
from tests.machine.play import PlayedGame

RECORDING = Path(__file__).parents[1] / "recordings" / "virtual-3"
DEALT: JournalLine = {"event": "dealt", "dealer": "Ada"}


@pytest.fixture
def game() -> PlayedGame:
    return PlayedGame(open_recording(RECORDING))


@pytest.fixture
def truth() -> list[JournalLine]:
    return read_lines(RECORDING / "truth.jsonl")


def find(truth: list[JournalLine], event: str, seat: str = "") -> int:
    return next(
        index for index, line in enumerate(truth) if line["event"] == event and line.get("seat", "") == seat
    )


def test_players_go_on_with_what_the_table_does_not_have_yet(
    game: PlayedGame, truth: list[JournalLine]
) -> None:
    known = find(truth, "bid", "Cleo") + 1
    assert game.go_on_from([truth[0], DEALT, *truth[1:known]])
    assert truth[known - 1]["t_ns"] < game.from_ns < truth[known]["t_ns"]


def test_players_deal_again_where_the_table_does_not_know_of_it(
    game: PlayedGame, truth: list[JournalLine]
) -> None:
    assert game.go_on_from(truth[:1])
    first_rap_ns = min(edge.t_ns for _, edge in game.recording.edges)
    assert game.from_ns < first_rap_ns


def test_nothing_is_left_of_a_game_that_is_over(game: PlayedGame, truth: list[JournalLine]) -> None:
    assert not game.go_on_from(truth)


def test_what_is_lost_doubled_or_invented_is_a_difference(game: PlayedGame, truth: list[JournalLine]) -> None:
    later = [{**line, "t_ns": line["t_ns"] + 7_000_000_000} for line in truth]
    assert game.differences(later) == ()
    bid = find(truth, "bid", "Ada")
    assert len(game.differences(later[:bid] + later[bid + 1 :])) == 1
    assert len(game.differences([*later[: bid + 1], *later[bid:]])) == 1
    assert len(game.differences([*later[:bid], {**later[bid], "bid": 2}, *later[bid + 1 :]])) == 2


def test_a_lent_network_says_what_the_network_says(tmp_path: Path) -> None:
    batch = np.random.default_rng(1).random((1, 3, 64, 64), dtype=np.float32)
    expected = Network(WEIGHTS / "finder.onnx")(batch)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "networks"))
        listener.listen()
        with patch.object(guest_onnxruntime, "ADDRESS", str(tmp_path / "networks")):
            session = guest_onnxruntime.InferenceSession(
                "/opt/finder.onnx", guest_onnxruntime.SessionOptions(), []
            )
        lender = NetworkLender(listener.accept()[0])
        for _ in range(2):
            outputs = session.run(None, {session.get_inputs()[0].name: batch})
            assert all(np.array_equal(*pair) for pair in zip(outputs, expected, strict=True))
        session.close()
        lender.close()
