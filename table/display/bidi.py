"""In which order a line is written whose letters run to both sides: Unicode's bidirectional algorithm (UAX #9).

Without explicit embeddings and paired brackets. Beyond the standard, a card's suit stays behind its rank and a sign
before its number, whichever way the line runs: ``10♥`` and ``-5`` are written alike in every language.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from unicodedata import bidirectional

_SUITS = "♠♥♦♣"
_RIGHT = ("R", "AL")


@lru_cache(maxsize=8192)
def runs(text: str, rtl: bool) -> tuple[tuple[str, bool], ...]:
    """The pieces of a line from left to right, each with its letters as they are read, and whether it runs leftwards.

    ``rtl``: whether the line as a whole runs from right to left.
    """
    if not rtl and not any(bidirectional(letter) in (*_RIGHT, "AN") for letter in text):
        return ((text, False),) if text else ()
    of = _levels(text, rtl)
    found = [
        ("".join(letter for letter, _ in pairs), level)
        for level, pairs in groupby(zip(text, of, strict=True), key=lambda pair: pair[1])
    ]
    for level in range(max(of, default=0), 0, -1):
        ordered: list[tuple[str, int]] = []
        for high, group in groupby(found, key=lambda run: run[1] >= level):
            part = list(group)
            ordered.extend(reversed(part) if high else part)
        found = ordered
    return tuple((run, level % 2 == 1) for run, level in found)


def runs_leftwards(text: str) -> bool:
    """Whether a text runs from right to left by itself: by its first letter that says so."""
    return next((side in _RIGHT for side in map(bidirectional, text) if side in ("L", *_RIGHT)), False)


def _levels(text: str, rtl: bool) -> list[int]:
    """The embedding level of each letter."""
    base = 1 if rtl else 0
    outside = "R" if rtl else "L"
    kinds = _strong_or_neutral(text, outside)
    neutral = ("ON", "WS", "S", "B", "BN")
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] in neutral:
            end += 1
        if end > at:
            before = _side(kinds[at - 1]) if at else outside
            after = _side(kinds[end]) if end < len(kinds) else outside
            kinds[at:end] = [before if before == after else outside] * (end - at)
        at = end + 1
    if rtl:
        return [1 if kind == "R" else 2 for kind in kinds]
    return [{"L": base, "R": 1}.get(kind, 2) for kind in kinds]


def _side(kind: str) -> str:
    """What a number or a letter counts for beside neutral letters: numbers as letters that run leftwards."""
    return "L" if kind == "L" else "R"


def _strong_or_neutral(text: str, outside: str) -> list[str]:
    """The bidirectional class of each letter after the standard's rules W1 to W7."""
    kinds = [bidirectional(letter) or "L" for letter in text]
    strong = before = outside
    for at, kind in enumerate(kinds):
        after = kinds[at + 1] if at + 1 < len(kinds) else ""
        if kind == "NSM" or (text[at] in _SUITS and before in ("L", "EN")):
            kind = before
        elif kind == "EN" and strong == "AL":
            kind = "AN"
        elif kind == "ES" and after == "EN" and before in ("EN", "WS", "ON", outside):
            kind = "EN"
        elif kind == "CS" and before in ("EN", "AN") and after in ("EN", before):
            kind = before
        elif kind == "ET" and "EN" in (before, _past(kinds, at, "ET")):
            kind = "EN"
        elif kind in ("ES", "CS", "ET"):
            kind = "ON"
        if kind in ("L", *_RIGHT):
            strong = kind
        kinds[at] = kind
        before = kind
    last = outside
    for at, kind in enumerate(kinds):
        if kind in ("L", *_RIGHT):
            last = "L" if kind == "L" else "R"
            kinds[at] = last
        elif kind == "EN" and last == "L":
            kinds[at] = "L"
    return kinds


def _past(kinds: list[str], at: int, kind: str) -> str:
    """The class of the first letter from there on that is of another one."""
    return next((one for one in kinds[at:] if one != kind), "")
