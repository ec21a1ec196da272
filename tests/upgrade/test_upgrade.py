"""A table that was updated while a game was interrupted goes on with it, and keeps what people have chosen."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from table.detection.detector import Detector
from table.detection.indices.enrolled_pack import load_pack
from table.games.registry import make_game
from table.history.archive import find_unfinished_game
from table.menu.next_game_plan import GamePlan
from table.menu.remembered_choices import load_plan
from table.phrase import Phrase
from table.referee.records.journal import Journal, JournalLine, read_lines
from table.referee.records.stored_facts import facts_path
from table.referee.referee import Referee
from tests.enrol.oddpack import lay_odd
from tests.referee.powercut import Evening, holding, known_ns
from tests.referee.recorded_facts import RecordedGame, load
from tests.speeds import first_quick
from tests.tracking.cards_on_cloth import cloth

VERSIONS = sorted(path for path in Path(__file__).parent.iterdir() if (path / "chosen.json").exists())
GAMES = [
    pytest.param(version, path.name.removesuffix(".rest.truth.jsonl"), id=f"{version.name}-{path.name}")
    for version in VERSIONS
    for path in sorted(version.glob("*.rest.truth.jsonl"))
]
SEEN_ANEW = ("confidence", "t_ns", "by", "doubt")
"""A card that lies there after a restart is read anew, brought by no hand that was seen."""
ADDED_LATER = ("presses_ns",)
"""Fields of lines that the earlier versions did not write yet."""


class Interrupted:
    """A game of an earlier version, in the folder of a table that comes up."""

    def __init__(self, version: Path, name: str, place: Path, *, facts: bool) -> None:
        self.path = place / "2026-11-20-200000.jsonl"
        self.kept: RecordedGame = load(f"{name}.rest", version)
        self.game = make_game(self.kept.game, tuple(self.kept.angles), self.kept.options)
        shutil.copyfile(version / f"{name}.jsonl", self.path)
        if facts:
            shutil.copyfile(facts_path(version / f"{name}.jsonl"), facts_path(self.path))
        self.written = read_lines(self.path)

    def come_up(self) -> Referee:
        """The table goes on with what it finds; nothing is said to be wrong with it."""
        said: list[Phrase] = []
        found = find_unfinished_game(self.path.parent, self.game, said.append)
        assert found is not None
        assert (found.path, said) == (self.path, [])
        referee = Referee(self.game, self.kept.angles, Journal(self.path, earlier=found.lines))
        referee.resume(self.kept.start_ns)
        return referee

    def play_on(self, referee: Referee) -> list[JournalLine]:
        """All that happened after the interruption."""
        facts = sorted(self.kept.facts, key=known_ns)
        Evening(self.game, self.kept.angles, facts).rest(referee, self.kept.start_ns)
        referee.journal.close()
        return referee.journal.lines


def held(lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The lines without what a camera that starts anew sees otherwise, and without what was added later."""
    left_out = {*SEEN_ANEW, *ADDED_LATER}
    return [{name: value for name, value in line.items() if name not in left_out} for line in lines]


@first_quick("facts", [True, False], ids=["with its facts", "without them"])
@pytest.mark.parametrize(("version", "name"), GAMES)
def test_an_interrupted_game_goes_on_to_the_same_end(
    version: Path, name: str, facts: bool, tmp_path: Path
) -> None:
    interrupted = Interrupted(version, name, tmp_path, facts=facts)
    referee = interrupted.come_up()
    lines = interrupted.play_on(referee)
    assert lines[: len(interrupted.written)] == interrupted.written
    assert held(holding(lines)) == held(interrupted.kept.truth)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_a_question_that_was_open_is_still_open_and_can_be_answered(version: Path, tmp_path: Path) -> None:
    interrupted = Interrupted(version, "whysteria-asked", tmp_path, facts=True)
    asked = [line for line in interrupted.written if line["event"] == "asked"]
    referee = interrupted.come_up()
    (question,) = referee.questions
    assert question.number == asked[-1]["question"]
    now_ns = interrupted.kept.start_ns + 1
    assert referee.answer(question.number, asked[-1]["choices"][0], now_ns, interrupted.game.seats[0])
    assert question.number not in {other.number for other in referee.questions}
    referee.journal.close()


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_what_was_chosen_in_the_menu_stands_marked(version: Path) -> None:
    chosen = GamePlan(
        "oh-hell", "harsh", {"1": "Ada", "3": "Zoë שרה"}, "Ada", known_players=("Ada", "Zoë שרה", "Ben")
    )
    assert load_plan(version / "chosen.json") == chosen


@pytest.mark.thorough
@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_an_enrolled_pack_is_read_as_it_was(version: Path) -> None:
    detector = Detector(enrolled=load_pack(version / "pack.npz"))
    picture = cloth()
    for card, spot in (("JS", (110, 130, 20)), ("KD", (370, 370, 310))):
        lay_odd(picture, card, *spot)
    assert sorted(sighting.card for sighting in detector.read(picture) if sighting.confidence >= 0.9) == [
        "JS",
        "KD",
    ]
