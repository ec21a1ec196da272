"""Where games are kept, and which of them goes on."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from table.errors import TableError
from table.games.game import Game
from table.games.registry import make_game
from table.history.archive import (
    DamagedError,
    find_unfinished_game,
    games_folder,
    is_over,
    list_journals,
    new_journal_path,
    read_summary,
    resume_game,
    resume_or_repair_game,
)
from table.i18n.terminal_output import phrase_text
from table.phrase import Phrase, make_phrase
from table.referee.records.checksummed_journal_rows import JournalLine, seal_row
from tests.referee.tabletop import TableTop
from tests.wrong import wrong

NOON = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


def game(**options: object) -> Game:
    return make_game("whysteria", ("Ada", "Ben", "Cleo"), {"hands": [1], **options})


def written(path: Path, *, over: bool = False) -> Path:
    """A game that was broken off after its first bid, or played to its end."""
    table = TableTop(hands=[1])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    if over:
        table.bid("Cleo", 0, 3000)
        table.bid("Ada", 0, 4000)
        for number, seat in enumerate(("Ben", "Cleo", "Ada")):
            table.lay(f"{9 - number}H", 6000 + 1000 * number, seat)
        table.clear("9H", "8H", "7H", at=12000, arm="Ben")
    lines = table.settle()
    assert is_over(lines) == over
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_games_are_kept_in_the_users_state_folder(tmp_path: Path) -> None:
    assert games_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "cardtable" / "games"
    assert games_folder({}) == Path.home() / ".local" / "state" / "cardtable" / "games"
    assert games_folder({"XDG_STATE_HOME": "relative"}) == games_folder({})


def test_a_game_is_named_by_its_beginning_and_after_all_others(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    first = new_journal_path(folder, NOON)
    assert first.name == "2026-11-21-120000+0000.jsonl"
    first.touch()
    assert new_journal_path(folder, NOON).name == "2026-11-21-120001+0000.jsonl"
    gone_back = new_journal_path(folder, datetime(1970, 1, 1, tzinfo=UTC), sure=False)
    assert gone_back.name == "2026-11-21-120001+0000-unsure.jsonl", "the last name is the last game"


def test_a_game_of_an_unsure_day_is_marked_and_comes_after_those_before_it(tmp_path: Path) -> None:
    begun = []
    for hours, sure in ((0, True), (-3, False), (3, False), (4, True)):
        begun.append(new_journal_path(tmp_path, NOON + timedelta(hours=hours), sure=sure))
        written(begun[-1])
    assert list_journals(tmp_path) == begun
    assert [read_summary(path).unsure for path in begun] == [False, True, True, False]
    kept = find_unfinished_game(tmp_path, game())
    assert kept is not None
    assert kept.path == begun[-1]


def begun_in_order(folder: Path, *moments: datetime) -> list[str]:
    """The names of games that begin one after the other on a machine that is sure of its date."""
    begun = []
    for now in moments:
        begun.append(new_journal_path(folder, now))
        begun[-1].touch()
    assert list_journals(folder)[-len(begun) :] == begun
    return [path.stem for path in begun]


def test_games_are_in_order_in_the_night_when_clocks_go_back(
    tmp_path: Path,
) -> None:
    begin = datetime(2026, 10, 25, 0, 10, tzinfo=UTC)
    moments = [
        (begin + timedelta(minutes=40 * step)).astimezone(ZoneInfo("Europe/Berlin")) for step in range(4)
    ]
    assert begun_in_order(tmp_path, *moments) == [
        "2026-10-25-021000+0200",
        "2026-10-25-025000+0200",
        "2026-10-25-023000+0100",
        "2026-10-25-031000+0100",
    ]


def test_games_are_in_order_after_the_time_zone_was_corrected(tmp_path: Path) -> None:
    west = timezone(timedelta(hours=-5))
    assert begun_in_order(tmp_path, NOON, (NOON + timedelta(hours=1)).astimezone(west)) == [
        "2026-11-21-120000+0000",
        "2026-11-21-080000-0500",
    ]


def test_a_journal_of_another_year_costs_no_later_game_its_place_or_its_date(tmp_path: Path) -> None:
    written(tmp_path / "2031-05-05-200000.jsonl", over=True)
    later = NOON + timedelta(days=1)
    assert begun_in_order(tmp_path, NOON, later) == [
        "2026-11-21-120000+0000-clock2",
        "2026-11-22-120000+0000-clock2",
    ]
    last = written(list_journals(tmp_path)[-1])
    assert not read_summary(last).unsure
    kept = find_unfinished_game(tmp_path, game())
    assert kept is not None
    assert kept.path == last


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kathmandu"])
def test_names_without_an_offset_are_read_as_local_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        old = ["2026-11-20-200000", "2026-11-20-200001-unsure", "2026-11-20-203000"]
        for stem in old:
            (tmp_path / f"{stem}.jsonl").touch()
        begun_in_order(tmp_path, datetime(2026, 11, 20, 20, 40))
        assert [path.stem for path in list_journals(tmp_path)][:3] == old
        assert "clock" not in list_journals(tmp_path)[-1].stem
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_last_game_goes_on_if_it_is_unfinished_and_of_this_table(tmp_path: Path) -> None:
    assert find_unfinished_game(tmp_path, game()) is None
    first = written(tmp_path / "2026-11-21-120000.jsonl")
    (tmp_path / "2026-11-21-130000.jsonl").write_text("no journal\nat all\n\n")
    (tmp_path / "2026-11-21-140000.jsonl").touch()
    kept = find_unfinished_game(tmp_path, game())
    assert kept is not None
    assert (kept.path, kept.lines[-1]["event"]) == (first, "bid")
    assert find_unfinished_game(tmp_path, game(hands=[2])) is None, "another game"
    written(tmp_path / "2026-11-21-150000.jsonl", over=True)
    assert find_unfinished_game(tmp_path, game()) is None, "a later one was played to its end"


def test_what_can_not_go_on_is_said_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl")
    with wrong("journal.other_game", at=path):
        resume_game(path, game(hands=[2]))
    with wrong("journal.is_over", at=tmp_path / "b.jsonl"):
        resume_game(written(tmp_path / "b.jsonl", over=True), game())
    rows = path.read_text().splitlines()
    bid = json.loads(rows[-1])
    path.write_text("\n".join([*rows[:-1], json.dumps({**bid, "bid": 77})]) + "\n")
    line = make_phrase("at.journal_line", line=bid["seq"])
    with wrong("journal.impossible", at=(path, line), kind=DamagedError, event="bid"):
        resume_game(path, game())


def test_a_name_that_is_no_moment_comes_before_all_others(tmp_path: Path) -> None:
    for name in ("9999-12-31-235959", "2026-11-21-120000", "evening", "2199-12-31-235959"):
        (tmp_path / f"{name}.jsonl").write_text("{}")
    assert [path.stem for path in list_journals(tmp_path)] == [
        "9999-12-31-235959",
        "evening",
        "2026-11-21-120000",
        "2199-12-31-235959",
    ]
    first = new_journal_path(tmp_path, NOON)
    first.touch()
    assert new_journal_path(tmp_path, NOON) != first, "no journal is written over another"
    (tmp_path / "2199-12-31-235959.jsonl").unlink()
    assert new_journal_path(tmp_path, datetime(2026, 11, 21, 12)).stem.startswith("2026-11-21-120001")


# --- damaged journals ---------------------------------------------------------------------------------------


def sealed(path: Path, *, over: bool = False) -> list[JournalLine]:
    """A game's journal as it is written today."""
    lines = [json.loads(row) for row in written(path, over=over).read_text().splitlines()]
    path.write_text("".join(seal_row(line) + "\n" for line in lines))
    return lines


def flipped(path: Path, number: int) -> bytes:
    """Flip a bit in a line; what the file holds then."""
    rows = path.read_bytes().splitlines(keepends=True)
    row = bytearray(rows[number - 1])
    row[len(row) // 2] ^= 1
    data = b"".join([*rows[: number - 1], bytes(row), *rows[number:]])
    path.write_bytes(data)
    return data


def test_a_damaged_game_goes_on_from_its_last_good_line_and_is_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-21-120000.jsonl"
    lines = sealed(path)
    for number in range(2, len(lines) + 1):
        sealed(path)
        data = flipped(path, number)
        said: list[Phrase] = []
        kept = find_unfinished_game(tmp_path, game(), said.append)
        assert kept is not None
        assert list(kept.lines) == lines[: number - 1]
        aside = path.with_name(path.name + (".damaged" if number == 2 else f".damaged-{number - 1}"))
        assert aside.read_bytes() == data
        assert len(said) == 1
        assert f"line {number}: " in phrase_text(said[0])
        assert f"goes on from line {number - 1}; all of it is kept as {aside.name}" in phrase_text(said[0])
        assert find_unfinished_game(tmp_path, game()) == kept, "it is whole now"
    assert list_journals(tmp_path) == [path]


@pytest.mark.parametrize("how", ["a bit", "another seat", "another game, without a checksum"])
def test_an_altered_first_line_is_put_right_by_the_others(tmp_path: Path, how: str) -> None:
    path = tmp_path / "2026-11-21-120000.jsonl"
    lines = sealed(path)
    if how == "a bit":
        flipped(path, 1)
    else:
        first = json.loads(path.read_text().splitlines()[0])
        if how == "another seat":
            first["seats"] = ["Ada", "Ben", "Dan"]
        else:
            first["game"] = "oh-hell"
            del first["crc"]
        rows = path.read_text().splitlines()[1:]
        path.write_text("".join(f"{row}\n" for row in [json.dumps(first), *rows]))
    data = path.read_bytes()
    said: list[Phrase] = []
    kept = find_unfinished_game(tmp_path, game(), said.append)
    assert kept is not None
    assert list(kept.lines) == lines
    aside = path.with_name(path.name + ".damaged")
    assert aside.read_bytes() == data
    assert len(said) == 1
    assert "line 1: " in phrase_text(said[0])
    assert f"goes on from line {len(lines)}; all of it is kept as {aside.name}" in phrase_text(said[0])


def test_an_altered_first_line_before_the_lines_of_another_game_is_no_game_of_this_table(
    tmp_path: Path,
) -> None:
    path = tmp_path / "2026-11-21-120000.jsonl"
    sealed(path)
    flipped(path, 1)
    said: list[Phrase] = []
    assert find_unfinished_game(tmp_path, game(hands=[2]), said.append) is None
    assert path.with_name(path.name + ".damaged").exists()
    assert len(said) == 1


def test_where_nothing_is_good_that_is_said_and_the_file_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-21-120000.jsonl"
    sealed(path)
    flipped(path, 2)
    data = flipped(path, 1)
    said: list[Phrase] = []
    assert find_unfinished_game(tmp_path, game(), said.append) is None
    aside = path.with_name(path.name + ".damaged")
    assert aside.read_bytes() == data
    assert len(said) == 1
    assert "can't be read (line 1: " in phrase_text(said[0])
    assert f"kept as {aside.name}" in phrase_text(said[0])
    assert not path.exists()
    assert find_unfinished_game(tmp_path, game(), said.append) is None
    assert len(said) == 1


def test_a_line_that_the_rules_do_not_allow_ends_what_is_good(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = sealed(path)
    odd = {**lines[-1], "seq": len(lines) + 1, "seat": "Cleo", "bid": 77}
    path.write_text(
        "".join(seal_row(line) + "\n" for line in [*lines, odd, {**odd, "seq": odd["seq"] + 1, "bid": 0}])
    )
    said: list[Phrase] = []
    kept = resume_or_repair_game(path, game(), said.append)
    assert kept is not None
    assert list(kept.lines) == lines
    assert f"journal line {odd['seq']}: bid can't be" in phrase_text(said[0])


def test_a_game_that_is_over_is_not_played_again_from_where_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-21-120000.jsonl"
    sealed(path, over=True)
    data = flipped(path, 4)
    said: list[Phrase] = []
    assert find_unfinished_game(tmp_path, game(), said.append) is None
    assert "is over but damaged (line 4: " in phrase_text(said[0])
    with wrong("journal.is_over", at=path):
        resume_or_repair_game(path, game(), said.append)
    assert path.read_bytes() == data


def test_a_torn_last_line_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-21-120000.jsonl"
    lines = sealed(path)
    whole = path.read_bytes()
    said: list[Phrase] = []
    for cut in range(1, len(whole.splitlines(keepends=True)[-1])):
        path.write_bytes(whole[:-cut])
        kept = find_unfinished_game(tmp_path, game(), said.append)
        assert kept is not None
        assert list(kept.lines) == (lines if cut == 1 else lines[:-1])
    assert said == []
    assert list_journals(tmp_path) == list(tmp_path.iterdir())


ODD: list[object] = [
    None,
    5,
    "x",
    [],
    {},
    [[]],
    True,
    -1,
    [1, "a"],
    {"a": 1},
    {"Ada": "x"},
    1.5,
    "é" * 200_000,
]


@pytest.mark.parametrize("over", [False, True])
def test_no_field_whatever_it_holds_stops_play_or_history(tmp_path: Path, over: bool) -> None:
    """Of journals without checksums, that is: with one nothing odd gets so far. Each field is made odd in turn."""
    path = tmp_path / "2026-11-21-120000.jsonl"
    lines = [json.loads(row) for row in written(path, over=over).read_text().splitlines()]
    odd = 0
    for number, line in enumerate(lines):
        for key in (*line, "since", "until", "ended", "played"):
            odd += 1
            new = [dict(one) for one in lines]
            new[number][key] = ODD[odd % len(ODD)]
            path.write_text("".join(json.dumps(one) + "\n" for one in new))
            with suppress(TableError):
                read_summary(path)
            kept = find_unfinished_game(tmp_path, game())
            assert kept is None or lines[:number] == list(kept.lines[:number])
    assert odd > 30
