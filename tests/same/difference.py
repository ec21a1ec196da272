"""Compares two streams of rows and says what differs, row by row and field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

from tests.same.tape import Row

Key = tuple[Any, ...]

COUNTED: Final = frozenset(("seq", "crc"))
"""Fields of a journal's line that follow from the lines before it."""
POINTERS: Final = frozenset(("since", "until"))
"""Fields that name another line by its ``seq``: compared as a distance."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One row that is missing, new or otherwise."""

    kind: str
    """What it is counted as: ``landed.arm_deg``, ``bid missing``."""
    text: str


def differences(stream: str, before: Sequence[Row], now: Sequence[Row]) -> list[Difference]:
    """What differs, in order; empty where both are the same."""
    if list(before) == list(now):
        return []
    prepare = _PREPARED.get(stream, _words)
    old, new = prepare(before), prepare(now)
    return list(_aligned(*(_without_renamed(old, new) if prepare is _words else (old, new))))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row as it is compared."""

    key: Key
    """Rows of one key are the same thing, told otherwise."""
    title: str
    fields: Mapping[str, Any]


def _aligned(old: Sequence[_Entry], new: Sequence[_Entry]) -> Iterator[Difference]:
    matcher = SequenceMatcher(None, [one.key for one in old], [one.key for one in new], autojunk=False)
    for _, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        gone, came = list(old[old_from:old_to]), list(new[new_from:new_to])
        for was, now in _pairs(gone, came):
            yield from _changed(was, now)
        yield from (Difference(f"{was.key[0]} missing", f"- {was.title}") for was in gone)
        yield from (Difference(f"{now.key[0]} new", f"+ {now.title}") for now in came)


def _pairs(gone: list[_Entry], came: list[_Entry]) -> Iterator[tuple[_Entry, _Entry]]:
    """Rows that stand for each other, taken out of both lists: of one key, else of one kind."""
    for length in (None, 1):
        for was in list(gone):
            now = next((entry for entry in came if entry.key[:length] == was.key[:length]), None)
            if now is not None:
                gone.remove(was)
                came.remove(now)
                yield was, now


def _changed(was: _Entry, now: _Entry) -> Iterator[Difference]:
    names = dict.fromkeys((*was.fields, *now.fields))
    other = {
        name: (was.fields.get(name), now.fields.get(name))
        for name in names
        if was.fields.get(name) != now.fields.get(name)
    }
    if not other:
        return
    told = "; ".join(
        f"{name} {_shown(name, old)} -> {_shown(name, new)}" for name, (old, new) in other.items()
    )
    yield Difference(f"{was.key[0]}: {', '.join(other)}", f"~ {was.title}: {told}")


def _shown(name: str, value: Any) -> str:
    if name.endswith("_ns") and isinstance(value, int):
        return f"{value / 1e9:.6f} s"
    return "nothing" if value is None else repr(value)


def _seconds(row: Row) -> str:
    return f"{row['t_ns'] / 1e9:.3f} s" if isinstance(row.get("t_ns"), int) else ""


# --- what rows are compared as


def _facts(rows: Sequence[Row]) -> list[_Entry]:
    """Card facts name a card by its first reading, since the numbers change where one card more or less is seen."""
    labels: dict[int, str] = {}
    count: Counter[str] = Counter()
    entries = []
    for row in rows:
        if row["kind"] == "call":
            entries.append(_Entry(("call", row["seat"], row["gesture"]), _fact_title(row, row["seat"]), row))
            continue
        if row["kind"] == "landed":
            name = row["readings"][0][0] if row["readings"] else "face down"
            count[name] += 1
            labels[row["id"]] = name if count[name] == 1 else f"{name} ({count[name]})"
        label = labels.get(row["id"], "unknown")
        fields = {**row, "id": label}
        for name in ("upon", "overlaps"):
            if name in row:
                fields[name] = [labels.get(number, "unknown") for number in row[name]]
        entries.append(_Entry((row["kind"], label), _fact_title(row, label), fields))
    return entries


def _fact_title(row: Row, whose: str) -> str:
    return f"{_seconds(row)} {row['kind']} {whose}"


def _journal(rows: Sequence[Row]) -> list[_Entry]:
    entries = []
    for row in rows:
        fields = {name: value for name, value in row.items() if name not in COUNTED}
        for name in POINTERS & fields.keys():
            if isinstance(fields[name], int):
                fields[name] -= row["seq"]
        key = (row["event"], *(str(row.get(name)) for name in ("seat", "card", "hand", "trick")))
        entries.append(_Entry(key, f"{_seconds(row)} {row['event']}: {row['says']}", fields))
    return entries


def _words(rows: Sequence[Row]) -> list[_Entry]:
    return [
        _Entry(("sentence", row["code"]), f"{row['code']}: {row['text']}", {"text": row["text"]})
        for row in rows
    ]


def _without_renamed(
    old: Sequence[_Entry], new: Sequence[_Entry]
) -> tuple[Sequence[_Entry], Sequence[_Entry]]:
    """Without sentences that only have another code now."""
    codes = {entry.key for entry in old} & {entry.key for entry in new}
    texts = [{str(entry.fields) for entry in side if entry.key not in codes} for side in (old, new)]
    moved = texts[0] & texts[1]
    first, second = (
        [entry for entry in side if entry.key in codes or str(entry.fields) not in moved]
        for side in (old, new)
    )
    return first, second


_PREPARED: Final[Mapping[str, Callable[[Sequence[Row]], list[_Entry]]]] = {
    "facts": _facts,
    "journal": _journal,
}
"""How the rows of a stream are read; all other streams are a language's sentences."""
