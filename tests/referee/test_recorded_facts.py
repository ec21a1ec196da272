"""Facts kept as JSON lines come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.games.registry import make_game
from table.observed_facts import Call, CardGone, CardLanded, CardReread, Fact, Gesture, Reading
from tests.referee.recorded_facts import FOLDER, RecordedGame, ReportedFact, load, save

NAMES = sorted(path.name.removesuffix(".truth.jsonl") for path in FOLDER.glob("*.truth.jsonl"))

FACTS: tuple[Fact, ...] = (
    Call(1_000, 2_000, "Ada", Gesture.TAPS, 3),
    Call(1_000, 2_000, "Ben", Gesture.DOUBLE_NIL),
    CardLanded(3_000, 1, (), (-1.5, 20.0), 359.9, None, 0.0, 90),
    CardLanded(
        4_000, 2, (Reading("QS", 0.9871), Reading("QC", 0.01)), (0.1, -0.1), 12.3, 41.5, 0.75, 91, (1,), (1,)
    ),
    CardLanded(4_500, 3, (Reading("2H", 0.99),), (0.0, 0.0), 0.0, None, 0.0, 92, (2,), (2,), 0.75, 400),
    CardReread(5_000, 1, (Reading("10H", 0.5),)),
    CardGone(6_000, 2, 41.5, False),
    CardGone(6_001, 1, None, True),
)


def test_every_kind_of_fact_comes_back_as_it_was(tmp_path: Path) -> None:
    told = tuple(ReportedFact(10_000 + number, fact) for number, fact in enumerate(FACTS))
    truth = [{"t_ns": 3_000, "event": "card_played", "seat": "Ada", "card": "QS"}]
    game = RecordedGame("oh-hell", {"hands": [2, 1]}, {"Ada": 40.0, "Ben": 220.5}, 500, told, truth)
    save(game, "some", tmp_path)
    assert load("some", tmp_path) == game


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_games_are_written_as_they_are_read(name: str, tmp_path: Path) -> None:
    save(load(name), name, tmp_path)
    for part in (f"{name}.jsonl", f"{name}.truth.jsonl"):
        assert (tmp_path / part).read_bytes() == (FOLDER / part).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_games_can_be_played(name: str) -> None:
    game = load(name)
    make_game(game.game, tuple(game.angles), game.options)
    last = next(line["event"] for line in reversed(game.truth) if line["event"] != "lives")
    assert last in ("hand_scored", "game_over")
    gone = {fact.id for fact in game.facts if isinstance(fact, CardGone)}
    landed = {fact.id for fact in game.facts if isinstance(fact, CardLanded)}
    assert gone <= landed
    assert {fact.seat for fact in game.facts if isinstance(fact, Call)} <= set(game.angles)
