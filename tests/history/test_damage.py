"""Lines and facts that hold what can't be are damage: the table comes up without them and says so."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.history.archive import find_unfinished_game, resume_game
from table.observed_facts import END_NS, Delivery
from table.phrase import Phrase, line_place
from table.pipeline import Pipeline
from table.referee.records.checksummed_journal_rows import JournalLine, scan_rows, seal_row
from table.referee.records.journal import resume_lines
from table.referee.records.stored_facts import (
    facts_path,
    scan_facts,
)
from table.referee.resume import MAX_SEARCH_S
from tests.fuzz.mutate import VALUES
from tests.referee.powercut import Evening, copied
from tests.referee.test_kept_facts import a_missed_card, everything_that_happens, snapshot
from tests.test_pipeline import NoCards
from tests.wrong import phrases

ODD: Sequence[Any] = (None, True, -1, 2**62, 1.5, "?", "", "A" * 8_000, [], [None], {}, {"Ada": None})


SEALABLE = [value for value in VALUES if value != "\ud800"]
"""Half a letter can't even be written."""


def sealed(lines: Sequence[Mapping[str, Any]]) -> str:
    return "".join(f"{seal_row(line)}\n" for line in lines)


def corrected(until: Any) -> JournalLine:
    """A correction after which nothing has been said yet."""
    what = {"what": "card", "from": "9H", "to": "8H", "by": "Ada", "since": 9, "until": until}
    return {"seq": 10, "t_ns": 1, "decided_ns": 1, "event": "corrected", **what}


@pytest.fixture(scope="module")
def evening() -> Evening:
    return everything_that_happens()


@pytest.fixture(scope="module")
def kept(evening: Evening, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that was broken off in its second hand."""
    return snapshot(evening, tmp_path_factory.mktemp("kept"), 45_000)[1]


def cases(lines: Sequence[JournalLine]) -> Iterator[tuple[int, str, Any]]:
    """The first line of each event, each of its fields, and what may be written there instead."""
    first = {line["event"]: number for number, line in reversed([*enumerate(lines)])}
    for number in sorted(first.values()):
        for name in lines[number]:
            if name not in ("seq", "event"):
                yield from ((number, name, value) for value in ODD)


def test_no_value_of_a_line_keeps_the_table_from_coming_up(
    evening: Evening, kept: Path, tmp_path: Path
) -> None:
    lines = scan_rows(kept).lines
    path = tmp_path / "games" / "2026-11-26-200000.jsonl"
    path.parent.mkdir()
    damaged = 0
    for number, name, value in Random(2).sample([*cases(lines)], 120):
        for old in path.parent.iterdir():
            old.unlink()
        path.write_text(sealed([*lines[:number], {**lines[number], name: value}, *lines[number + 1 :]]))
        told: list[Phrase] = []
        found = find_unfinished_game(path.parent, evening.game, told.append)
        assert found is None or len(found.lines) in (number, len(lines)) or told, (number, name, value)
        damaged += any(
            one.code in ("row.event_garbled", "row.garbled") for said in told for one in phrases(said)
        )
    assert damaged > 60


@pytest.mark.parametrize("until", ["ten", None, [], {}, 10.5, True, "9" * 300])
def test_a_correction_that_ends_at_no_line_is_damage(
    until: Any, evening: Evening, kept: Path, tmp_path: Path
) -> None:
    lines = scan_rows(kept).lines[:9]
    path = tmp_path / "2026-11-26-200000.jsonl"
    path.write_text(sealed([*lines, corrected(until)]))
    told: list[Phrase] = []
    found = find_unfinished_game(tmp_path, evening.game, told.append)
    assert found is not None
    assert list(found.lines) == lines
    assert found.path.with_name(f"{path.name}.damaged").exists()
    garbled = [one for one in phrases(told[0]) if one.code == "row.event_garbled"]
    assert [one.fields["error"] for one in garbled] == ["until"]
    assert line_place(10) in phrases(told[0])


# --- the facts beside it ----------------------------------------------------------------------------------------------


class Nothing:
    """A source that brings nothing."""

    def __init__(self, at: int) -> None:
        self._at = at

    def deliveries(self) -> Iterator[Delivery]:
        for now_ns in (self._at, self._at + 5_000_000_000):
            yield Delivery(now_ns, (), None, now_ns, now_ns)
        yield Delivery(now_ns, (), None, END_NS, END_NS)


def comes_up(evening: Evening, path: Path) -> set[str]:
    """The table goes on with the game at ``path``; the codes of what it says."""
    set_up = TableConfig(
        evening.game.name,
        evening.game.options,
        tuple(SeatConfig(seat, evening.angles[seat], bid=n) for n, seat in enumerate(evening.game.seats)),
        CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1))),
    )
    found = resume_game(path, evening.game)
    source = Nothing(found.latest_ns + 1)
    pipeline = Pipeline(
        set_up,
        source,
        journal=path,
        reader=NoCards(),
        resume=found.lines,
        stored=found.stored,
    )
    said = set()
    for now_ns in pipeline.run():
        said |= {one.phrase.code for one in pipeline.view(now_ns).notices}
    return said


def garbled(value: Any, place: int, instead: Any) -> tuple[Any, int]:
    """A tree of JSON values with the one at ``place`` changed; how many places are left to count."""
    if place == 0:
        return instead, -1
    place -= 1
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            if place < 0:
                break
            found, place = garbled(inner, place, instead)
            if place < 0:
                changed = value.copy()
                changed[key] = found
                return changed, -1
    return value, place


@pytest.mark.parametrize("name", ["?", "", "11X", "AS\x1b[2J"])
def test_facts_of_a_card_that_is_none_are_put_aside(name: str, tmp_path: Path) -> None:
    evening = a_missed_card()
    _, path = snapshot(evening, tmp_path, 18_000)
    facts = facts_path(path)
    text = facts.read_text()
    rows = json.loads(f"[{','.join(text.splitlines())}]")
    damaged = [json.loads(json.dumps({**row, "crc": None}).replace('"9H"', json.dumps(name))) for row in rows]
    assert damaged != [{**row, "crc": None} for row in rows]
    facts.write_text(sealed([{key: row[key] for key in row if key != "crc"} for row in damaged]))
    before = resume_lines(path)
    assert "notice.facts_damaged" in comes_up(evening, path)
    assert resume_lines(path)[: len(before)] == before
    assert facts.with_name(f"{facts.name}.damaged").exists()
    assert not scan_facts(facts)[1], "it is begun anew"


def test_no_value_of_the_facts_keeps_the_table_from_coming_up(tmp_path: Path) -> None:
    evening = a_missed_card()
    _, path = snapshot(evening, tmp_path, 18_000)
    rows = scan_rows(facts_path(path), check=lambda _: None).lines
    before = resume_lines(path)
    random = Random(3)
    put_aside = 0
    for number in range(40):
        again = copied(path, tmp_path / f"odd-{number}.jsonl")
        at = random.randrange(len(rows))
        places = len(json.dumps(rows[at]).split(": "))
        instead = random.choice((*ODD, *SEALABLE))
        row, _ = garbled(rows[at], random.randrange(1, places), instead)
        facts_path(again).write_text(sealed([*rows[:at], row, *rows[at + 1 :]]))
        said = comes_up(evening, again)
        assert "notice.resumed" in said, row
        assert resume_lines(again)[: len(before)] == before
        put_aside += "notice.facts_damaged" in said
    assert put_aside > 10


def more_rows(rows: Sequence[JournalLine]) -> Iterator[list[JournalLine]]:
    """What no hand can hold, as further rows: the same again, too many facts, more cards than a pack has."""
    yield [rows[-1]] * 2_000
    landed = next(row for row in rows if row["event"] == "observed" and row["what"]["is"] == "CardsLanded")
    card = landed["what"]["cards"][0]
    yield [landed]
    yield [{"event": "came", "facts": [{"is": "CardLanded", **card}] * 40}]
    reread = {"is": "CardReread", "t_ns": card["t_ns"], "id": card["id"], "readings": card["readings"]}
    yield [{"event": "came", "facts": [reread] * 400}]
    yield [
        {**landed, "what": {**landed["what"], "number": number, "cards": [{**card, "id": number}]}}
        for number in range(1000, 1100)
    ]


@pytest.mark.parametrize("kind", range(5))
def test_with_more_facts_than_a_hand_can_have_the_table_comes_up_as_the_journal_says(
    tmp_path: Path, kind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.referee.resume.MAX_SEARCH_S", 0.5)
    evening = a_missed_card()
    _, path = snapshot(evening, tmp_path, 18_000)
    rows = scan_rows(facts_path(path), check=lambda _: None).lines
    many = [*rows, *list(more_rows(rows))[kind]]
    facts_path(path).write_text(sealed([{**row, "seq": number} for number, row in enumerate(many, start=1)]))
    before = resume_lines(path)
    began = time.process_time()
    said = comes_up(evening, path)
    assert time.process_time() - began < 4
    assert "notice.resumed" in said
    assert "notice.facts_damaged" in said or kind in (2, 3)
    assert resume_lines(path)[: len(before)] == before


@pytest.mark.parametrize(
    ("kind", "count", "at_once"),
    [("CallMade", 400, 1), ("CardsLanded", 53, 1), ("CardsLanded", 2, 20)],
)
def test_facts_that_take_too_long_to_account_for_are_put_aside(
    tmp_path: Path, kind: str, count: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = a_missed_card()
    _, path = snapshot(evening, tmp_path, 18_000)
    facts = facts_path(path)
    rows = scan_rows(facts, check=lambda _: None).lines
    found = next(row for row in rows if row["event"] == "observed" and row["what"]["is"] == kind)
    for number in range(1000, 1000 + count):
        (card,) = found["what"].get("cards", (None,))
        cards = [{**card, "id": 100 * number + place} for place in range(at_once)] if card else []
        what = {**found["what"], "number": number, **({"cards": cards} if cards else {})}
        rows.append({**found, "seq": len(rows) + 1, "what": what})
    facts.write_text(sealed(rows))
    before = resume_lines(path)
    monkeypatch.setattr("table.referee.resume.MAX_SEARCH_S", 0.5)
    began = time.process_time()
    assert "notice.facts_damaged" in comes_up(evening, path)
    assert time.process_time() - began < 4
    assert resume_lines(path)[: len(before)] == before
    assert facts.with_name(f"{facts.name}.damaged").exists()


@pytest.mark.thorough
def test_facts_of_real_hands_take_a_fraction_of_that(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.referee.resume.MAX_SEARCH_S", MAX_SEARCH_S / 5)
    (tmp_path / "found").mkdir()
    found = sorted(evening.snapshots(tmp_path / "found").items())
    paths = [path for _, path in found if facts_path(path).exists()]
    for path in paths[:: len(paths) // 10]:
        assert "notice.facts_damaged" not in comes_up(evening, path)
