"""What is kept of hands long settled saves time and nothing else: with it and without it a table comes up the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

import table
from table.events.event_registry import event_line, is_own_line
from table.events.event_spec import without_header
from table.events.game_events import Bid, Event, Played
from table.games.engine.game_state import Phase
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.history.archive import resume_game
from table.referee.records.checksummed_journal_rows import scan_rows, seal_row
from table.referee.records.game_state_checkpoint import StateCheckpoint
from table.referee.records.journal import Journal, JournalLine, effective_lines
from table.referee.records.json_codec import from_plain, to_plain
from table.referee.records.stored_facts import OPENED, SETTLED, facts_path, read_facts
from table.referee.referee import Referee
from tests.referee.faults.damage import KINDS
from tests.referee.faults.games import SEVERAL, Outcome, Plan, play
from tests.referee.powercut import Evening, copied, known_ns, tell
from tests.speeds import first_quick

EVENINGS: dict[str, dict[str, Any]] = {
    "whysteria": {"hands": [2, 1, 1, 2, 1, 2]},
    "oh-hell": {"hands": [1, 2, 1, 2, 1, 2], "scoring": "catastrophe"},
    "oh-shit": {"hands": [2, 1, 1, 2, 1, 2]},
    "prediction-whist": {"hands": [1, 2, 1, 2, 1, 2], "lives": 7},
    "israeli-whist": {"hands": [4, 4, 4, 4, 4, 4], "gulash": "plain"},
}
SEATS = ("Ada", "Ben", "Cleo", "Dan")
ANGLES = {"Ada": 10.0, "Ben": 95.0, "Cleo": 185.0, "Dan": 280.0}
LATEST = 0.7
"""From this share of an evening on it is broken off: before that, hardly anything is settled."""


def table_of(name: str) -> tuple[Game, dict[str, float]]:
    """A game of many small hands."""
    options = {**GAMES[name].proposed_options, **EVENINGS[name], "first_dealer": "Ada"}
    return make_game(name, SEATS, options), ANGLES


def played(name: str) -> Outcome:
    """A random game in which now and then a card is missed or misread, or a call not heard."""
    with patch("tests.referee.faults.games.random_table", lambda name, _: table_of(name)):
        return play(Plan(1, 7, name, SEVERAL, KINDS), answers=False, keep=True)


def evening_of(name: str) -> Evening:
    """What is told of such a game."""
    return Evening(*table_of(name), sorted(played(name).facts, key=known_ns))


class People:
    """They undo, redo and correct now and then, this hand or one long past."""

    def __init__(self, seed: object) -> None:
        self.random = Random(f"{seed}/people")

    def mend(self, referee: Referee, now_ns: int) -> None:
        """One of them does so."""
        random, seats = self.random, referee.game.seats
        by, act = random.choice(seats), random.random()
        places = [one.index for one in referee.shared.journal_sync.entries if one.is_event]
        if act < 0.3 or not places:
            referee.undo(now_ns, by)
        elif act < 0.5:
            referee.redo(now_ns, by)
        else:
            at = random.choice(places[-12:] if act < 0.8 else places)
            other = self._other(referee.shared.journal_sync.entries[at].cause, seats, referee.game.pack())
            if other is not None:
                referee.correct(at, other, now_ns, by)

    def _other(self, cause: object, seats: Any, pack: Any) -> Event | None:
        random = self.random
        if isinstance(cause, Bid) and isinstance(cause.bid, int):
            return Bid(cause.seat, random.randrange(3))
        if isinstance(cause, Played):
            if random.random() < 0.5:
                return Played(random.choice(seats), cause.card)
            return Played(cause.seat, random.choice(pack))
        return None


def told(
    evening: Evening, path: Path, people: People, cuts: int, mends: float = 0.02
) -> Iterator[tuple[int, Path]]:
    """Tell an evening that is kept at ``path``; now and then, when it is and what lies on the disk then."""
    moments = [*evening.moments(), evening.end_ns]
    random = people.random
    chosen = set(random.sample(moments[int(LATEST * len(moments)) :], cuts))
    referee = evening.referee(path)
    with referee.journal:
        referee.start(0)
        before = 0
        for at in moments:
            tell(referee, [one for one in evening.facts if before <= known_ns(one) < at], at)
            before = at
            if random.random() < mends:
                people.mend(referee, at)
            held = any(one.t_ns < at <= known_ns(one) for one in evening.facts)
            if at in chosen and not held and referee.state.phase is not Phase.OVER:
                yield at, copied(path, path.with_name(f"{at}.jsonl"))


def without(path: Path) -> Path:
    """The same as kept, but for what is settled, and what stands of the hand before."""
    rows = [row for row in scan_rows(facts_path(path)).lines if row["event"] not in (SETTLED, OPENED)]
    return rewritten(path, "plain", rows)


def rewritten(path: Path, name: str, rows: list[JournalLine]) -> Path:
    """The same as kept, with other facts beside it."""
    other = path.with_name(f"{path.stem}-{name}.jsonl")
    shutil.copyfile(path, other)
    sealed = [seal_row({**row, "seq": number}) for number, row in enumerate(rows, start=1)]
    facts_path(other).write_text("".join(f"{row}\n" for row in sealed))
    return other


def shorter(path: Path, lines: int) -> Path:
    """The same as kept, with that many lines torn off the journal's end."""
    other = path.with_name(f"{path.stem}-{lines}.jsonl")
    copied(path, other)
    found = scan_rows(path)
    other.write_bytes(found.head_bytes(len(found.lines) - lines))
    return other


def looks(referee: Referee) -> tuple[object, ...]:
    """All that can be seen of a table."""
    blackboard = referee.shared
    search = blackboard.search
    costs = [
        [(one.cost, one.state, one.table_cards) for one in beam]
        for beam in search.beams[search.commit_point :]
    ]
    entries = [
        (one.t_ns, one.cause, one.announcements, one.state_before, one.observation_number)
        for one in blackboard.journal_sync.entries
    ]
    return referee.state, referee.view(0), referee.expected, costs, search.best.entry_count, entries


def goes_on(evening: Evening, path: Path, at: int, seed: object) -> tuple[list[object], bytes, bytes | None]:
    """What is seen of a table that comes up again, until the end, and what it has kept then."""
    lines = resume_game(path, evening.game).lines
    people = People(seed)
    with Journal(path, earlier=lines) as journal:
        referee = Referee(evening.game, evening.angles, journal)
        referee.resume(at)
        seen: list[object] = [looks(referee)]
        rest = [one for one in evening.facts if one.t_ns >= at]
        for number, fact in enumerate(islice(rest, 60)):
            until = known_ns(fact) + 1
            tell(referee, [fact], until)
            if number % 20 == 2:
                people.mend(referee, until)
                seen.append(looks(referee))
        referee.take((), evening.end_ns, evening.end_ns)
        seen.append(looks(referee))
    facts = facts_path(path)
    return seen, path.read_bytes(), facts.read_bytes() if facts.exists() else None


def known(path: Path) -> StateCheckpoint | None:
    return next((one.state_checkpoint for one in read_facts(facts_path(path))), None)


@pytest.mark.thorough
@pytest.mark.parametrize("name", EVENINGS)
def test_with_what_is_settled_and_without_it_a_table_goes_on_the_same(name: str, tmp_path: Path) -> None:
    evening = evening_of(name)
    used = opened = 0
    for at, path in told(evening, tmp_path / "evening.jsonl", People(name), cuts=3):
        # Where lines have been torn off, as a power cut does, what is kept beside them is ahead of the journal.
        for kept in (path, shorter(path, 4)):
            found = known(kept)
            used += found is not None and found.matches(scan_rows(kept).crc_up_to(found.after))
            opened += any(one.hand_checkpoint is not None for one in read_facts(facts_path(kept)))
            other = without(kept)
            assert goes_on(evening, kept, at, at) == goes_on(evening, other, at, at), (at, kept.stem)
    assert (used >= 4, opened >= 2) == (True, True)


# --- what of it counts ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory: pytest.TempPathFactory) -> tuple[Evening, int, Path]:
    """A game that was broken off late, when it is, and its journal."""
    evening = evening_of("whysteria")
    folder = tmp_path_factory.mktemp("settled")
    *_, (at, path) = told(evening, folder / "evening.jsonl", People("quiet"), cuts=6, mends=0.0)
    assert known(path) is not None
    return evening, at, path


@contextmanager
def resumed(evening: Evening, path: Path, at: int) -> Iterator[Referee]:
    with Journal(path, earlier=resume_game(path, evening.game).lines) as journal:
        referee = Referee(evening.game, evening.angles, journal)
        referee.resume(at)
        yield referee


def looks_resumed(evening: Evening, path: Path, at: int) -> tuple[object, ...]:
    with resumed(evening, path, at) as referee:
        return looks(referee)


def other_state(rows: list[JournalLine]) -> None:
    rows[1]["what"]["state"]["totals"] = {"Ada": 1_000}


def other_journal(rows: list[JournalLine]) -> None:
    other_state(rows)
    rows[1]["what"]["journal"] += 1


def other_rules(rows: list[JournalLine]) -> None:
    other_state(rows)
    rows[1]["what"]["rules"] += 1


def other_line(rows: list[JournalLine]) -> None:
    other_state(rows)
    rows[1]["what"]["after"] -= 1


def no_state(rows: list[JournalLine]) -> None:
    rows[1]["what"]["state"]["phase"] = "tea"


def no_line(rows: list[JournalLine]) -> None:
    rows[1]["what"]["after"] = 10_000


def no_entries(rows: list[JournalLine]) -> None:
    """What is said to stand of the hand before is not what the journal says."""
    opened = next(row for row in rows if row["event"] == OPENED)
    opened["what"]["entries"] = opened["what"]["entries"][:-2]


def no_such_card(rows: list[JournalLine]) -> None:
    opened = next(row for row in rows if row["event"] == OPENED)
    plays = [one for one in opened["what"]["entries"] if (one["cause"] or {}).get("is") == "Played"]
    plays[0]["cause"]["card"] = {"rank": "99", "suit": "S", "strength": 99}


def no_opening(rows: list[JournalLine]) -> None:
    opened = next(row for row in rows if row["event"] == OPENED)
    opened["what"] = {"commit_point": 1}


def no_place(rows: list[JournalLine]) -> None:
    next(row for row in rows if row["event"] == OPENED)["what"]["gate"] = 1_000


SPOILT = [other_journal, other_rules, other_line, no_state, no_line]
SPOILT += [no_entries, no_such_card, no_opening, no_place]


@first_quick("spoil", SPOILT, quick=4)
def test_what_is_not_of_this_journal_and_these_rules_counts_for_nothing(
    spoil: Callable[[list[JournalLine]], None], broken_off: tuple[Evening, int, Path], tmp_path: Path
) -> None:
    evening, at, path = broken_off
    whole = looks_resumed(evening, copied(path, tmp_path / "whole.jsonl"), at)
    rows = json.loads(json.dumps(scan_rows(facts_path(path)).lines))
    spoil(rows)
    spoiled = rewritten(copied(path, tmp_path / "evening.jsonl"), "spoiled", rows)
    assert looks_resumed(evening, spoiled, at) == whole


def test_a_journal_that_was_changed_before_it_counts_as_it_is_now(
    broken_off: tuple[Evening, int, Path], tmp_path: Path
) -> None:
    evening, at, path = broken_off
    lines = scan_rows(path).lines
    bid = next(number for number, line in enumerate(lines) if line["event"] == "bid")
    lines[bid]["t_ns"] += 1  # by another program, with a sum that fits
    changed = copied(path, tmp_path / "evening.jsonl")
    changed.write_text("".join(f"{seal_row(line)}\n" for line in lines))
    with resumed(evening, changed, at) as referee:
        assert lines[bid]["t_ns"] in [one.t_ns for one in referee.shared.journal_sync.entries]


def test_what_was_said_of_what_is_settled_is_what_the_journal_says(
    broken_off: tuple[Evening, int, Path], tmp_path: Path
) -> None:
    evening, at, path = broken_off
    alone = copied(path, tmp_path / "evening.jsonl")
    facts_path(alone).unlink()
    with resumed(evening, alone, at) as referee:
        said = [(one.t_ns, event_line(one.announcements[0])) for one in referee.shared.journal_sync.entries]
        held = [line for line in effective_lines(referee.journal.lines) if is_own_line(line)]
        assert said == [(line["t_ns"], {"event": line["event"], **without_header(line)}) for line in held]


SUM_OF_RULES = "from table.referee.records.game_state_checkpoint import rules_crc; print(rules_crc())"


def test_other_rules_events_or_cards_have_another_sum_and_nothing_else_has(tmp_path: Path) -> None:
    program = Path(table.__file__).parent
    shutil.copytree(
        program, tmp_path / "table", ignore=shutil.ignore_patterns("__pycache__", "*.onnx", "*.?tf", "*.wav")
    )
    sums = [_sum_of_rules(tmp_path)]
    for changed in ("display/window.py", "games/oh_hell.py", "events/game_events.py", "cards.py"):
        with (tmp_path / "table" / changed).open("a") as file:
            file.write("# changed\n")
        sums.append(_sum_of_rules(tmp_path))
    assert sums[1] == sums[0]
    assert len(set(sums[1:])) == 4


def _sum_of_rules(folder: Path) -> int:
    command = [sys.executable, "-B", "-c", SUM_OF_RULES]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PYTHONPATH": str(folder)}, capture_output=True, check=True
    )
    return int(done.stdout)


def test_a_line_that_can_not_be_before_it_is_named(
    broken_off: tuple[Evening, int, Path], tmp_path: Path
) -> None:
    evening, _, path = broken_off
    lines = scan_rows(path).lines
    bid = next(number for number, line in enumerate(lines) if line["event"] == "bid")
    lines[bid]["bid"] = 99
    changed = copied(path, tmp_path / "evening.jsonl")
    changed.write_text("".join(f"{seal_row(line)}\n" for line in lines))
    with pytest.raises(Exception, match=f"line {bid + 1}"):
        resume_game(changed, evening.game)


# --- how it is written ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_any_state_is_written_and_read_back(name: str) -> None:
    referee = Referee(*table_of(name), Journal(earlier=json.loads(json.dumps(played(name).lines))))
    referee.resume(0)
    for entry in referee.shared.journal_sync.entries:
        settled = StateCheckpoint(1, entry.state_before, 2, 3)
        data = json.loads(json.dumps(to_plain(settled, StateCheckpoint)))
        assert from_plain(data, StateCheckpoint) == settled
