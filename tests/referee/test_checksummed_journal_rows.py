"""A journal's file: flipped bits are caught, whatever stands in it; older files without checksums are read."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from table.errors import TableError
from table.events.event_spec import MAX_NAME_LENGTH
from table.phrase import line_place
from table.referee.records.checksummed_journal_rows import (
    MAX_DEPTH,
    JournalLine,
    dump,
    scan_rows,
    seal_row,
)
from table.referee.records.journal import Journal, read_lines, resume_lines
from tests.wrong import wrong

ODD: dict[str, str | bytes] = {
    "nested": '{"event": ' + "[" * 2000 + "]" * 2000 + "}",
    "nested less": '{"event": "rap", "seat": ' + "[" * 40 + "]" * 40 + "}",
    "long number": '{"event": "rap", "t_ns": ' + "1" * 5000 + "}",
    "too long for a moment": '{"event": "rap", "t_ns": ' + "1" * 20 + "}",
    "no number": '{"event": "rap", "t_ns": NaN}',
    "endless": '{"event": "rap", "t_ns": 1e999}',
    "half a letter": '{"event": "rap", "seat": "\\ud800"}',
    "list": "[1, 2]",
    "no event": '{"seat": "Ada"}',
    "event of no text": '{"event": 5}',
    "zeros": "\0" * 100,
    "no UTF-8": b"\xff\xfe{}",
    "number of another line": '{"seq": 25, "event": "rap"}',
    "yes for 1": '{"seq": true, "event": "rap"}',
}


def as_bytes(row: str | bytes) -> bytes:
    return row if isinstance(row, bytes) else row.encode()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    with Journal(path) as kept:
        kept.append("rap", 10, 12, {"seat": "Zoë"})
        kept.append("bid", 20, 25, {"seat": "Ada", "bid": 2})
        kept.append("rap", 30, 31, {"seat": "Ada"})
    return path


def test_a_row_is_a_json_object_with_its_checksum_last(journal: Path) -> None:
    rows = journal.read_text().splitlines()
    assert [json.loads(row)["seq"] for row in rows] == [1, 2, 3]
    for row in rows:
        assert list(json.loads(row))[-1] == "crc"
    assert all("crc" not in line for line in scan_rows(journal).lines)


def test_every_flipped_bit_is_caught_or_does_no_harm(journal: Path) -> None:
    whole = journal.read_bytes()
    lines = scan_rows(journal).lines
    first = whole.index(b"\n")
    for at in range(len(whole)):
        for bit in range(8):
            journal.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
            found = scan_rows(journal)
            # A first line whose checksum has lost its name is read as an old one's: what it says is as it was.
            kept = [{key: line[key] for key in good} for line, good in zip(found.lines, lines, strict=False)]
            assert kept == lines[: len(kept)], (at, bit)
            unharmed = len(kept) == len(lines) and found.fault is None
            assert unharmed or found.damage is not None, (at, bit)
            if at < first - len('"crc": "00000000"}') or first < at < len(whole) - 1:
                assert found.damage is not None, (at, bit)


@pytest.mark.parametrize("name", [name for name, row in ODD.items() if as_bytes(row).endswith(b"}")])
def test_a_right_checksum_makes_no_line_of_what_is_none(journal: Path, name: str) -> None:
    sound = scan_rows(journal)
    row = as_bytes(ODD[name])
    sealed = row[:-1] + b', "crc": "%08x"}\n' % zlib.crc32(row)
    more = seal_row({"seq": 5, "event": "rap"}).encode() + b"\n"
    for before in (0, 2, 3):
        journal.write_bytes(sound.data[: ([0, *sound.line_ends])[before]] + sealed + more)
        found = scan_rows(journal)
        assert found.lines == sound.lines[:before]
        assert found.line_ends == sound.line_ends[:before]
        assert found.fault is not None
        assert found.fault.where[0] == line_place(before + 1)


def test_a_journal_without_checksums_is_read_and_gets_them_from_there_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    old: list[JournalLine] = [
        {"seq": 1, "t_ns": 1, "decided_ns": 2, "event": "rap", "seat": "Ada"},
        {"seq": 2, "t_ns": 3, "decided_ns": 4, "event": "rap", "seat": "Ben"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in old)
    path.write_text(text)
    with Journal(path, earlier=resume_lines(path)) as journal:
        journal.append("rap", 5, 6, {"seat": "Cleo"})
    assert path.read_text().startswith(text)
    assert resume_lines(path) == journal.lines
    path.write_bytes(path.read_bytes() + dump({**old[0], "seq": 4}).encode() + b"\n")
    with wrong("row.no_checksum", at=(path, line_place(4))):
        resume_lines(path)


def test_lines_may_be_laid_out_anew(journal: Path) -> None:
    rows = [json.loads(row) for row in journal.read_text().splitlines()]
    lines = scan_rows(journal).lines
    journal.write_text("".join(json.dumps(row, indent=None, ensure_ascii=True) + "\n\n" for row in rows))
    assert scan_rows(journal).lines == lines
    assert scan_rows(journal).fault is None


@pytest.mark.parametrize(("deep", "is_line"), [(MAX_DEPTH, True), (MAX_DEPTH + 1, False)])
def test_a_row_that_is_nested_too_deeply_is_no_line(journal: Path, deep: int, is_line: bool) -> None:
    note: Any = "of a later version"
    for _ in range(deep - 1):
        note = [note]
    row = seal_row({"seq": 4, "event": "rap", "seat": "Ada", "note": note})
    journal.write_bytes(journal.read_bytes() + f"{row}\n".encode())
    found = scan_rows(journal)
    assert (len(found.lines), found.fault is None) == (3 + is_line, is_line)


@pytest.mark.parametrize("name", ODD)
def test_an_odd_line_is_named_and_what_stands_before_it_is_good(journal: Path, name: str) -> None:
    whole, lines = journal.read_bytes(), scan_rows(journal).lines
    for place in range(4):
        rows = whole.splitlines(keepends=True)
        journal.write_bytes(b"".join([*rows[:place], as_bytes(ODD[name]) + b"\n", *rows[place:]]))
        found = scan_rows(journal)
        assert found.lines == lines[:place]
        assert found.later_lines == lines[place:]
        assert found.damage is not None
        assert found.damage.where == (line_place(place + 1),)
        assert found.head_bytes(place) == b"".join(rows[:place])
        with pytest.raises(TableError) as caught:
            read_lines(journal, torn_end=True)
        assert caught.value.where == (journal, line_place(place + 1))


def test_a_text_longer_than_any_is_no_field(journal: Path) -> None:
    line = {"seq": 4, "t_ns": 40, "decided_ns": 41, "event": "rap", "seat": "A" * MAX_NAME_LENGTH}
    before = journal.read_text()
    journal.write_text(f"{before}{seal_row(line)}\n")
    assert resume_lines(journal)[-1] == line
    journal.write_text(before + seal_row({**line, "seat": "A" * 8_000}) + "\n")
    with wrong("row.event_garbled", at=(journal, line_place(4)), error="seat"):
        resume_lines(journal)


def test_a_truth_needs_neither_numbers_nor_order(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    path.write_text(
        '{"seq": 7, "event": "rap"}\n{"event": "bid"}\n' + seal_row({"seq": 2, "event": "rap"}) + "\n"
    )
    assert [line["event"] for line in read_lines(path)] == ["rap", "bid", "rap"]
    path.write_text(seal_row({"seq": 2, "event": "rap"}).replace("rap", "tap") + "\n")
    with wrong("row.checksum_wrong", at=(path, line_place(1))):
        read_lines(path)
