"""Visual order of a line of mixed text directions: Unicode's bidirectional algorithm (UAX #9).

Explicit embeddings and paired brackets are not supported. Beyond the standard, a card's suit stays behind its rank and
a sign before its number, whatever the direction of the line: ``10♥`` and ``-5`` look alike in every language.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from unicodedata import bidirectional

_SUITS = "♠♥♦♣"
_RTL_CLASSES = ("R", "AL")


@lru_cache(maxsize=8192)
def visual_runs(text: str, rtl: bool) -> tuple[tuple[str, bool], ...]:
    """Split a line into runs in visual order, each with its letters in logical order and whether it is right-to-left.

    ``rtl``: whether the line as a whole runs from right to left.
    """
    if not rtl and not any(bidirectional(letter) in (*_RTL_CLASSES, "AN") for letter in text):
        return ((text, False),) if text else ()
    levels = _embedding_levels(text, rtl)
    ordered_runs = [
        ("".join(letter for letter, _ in pairs), level)
        for level, pairs in groupby(zip(text, levels, strict=True), key=lambda pair: pair[1])
    ]
    for level in range(max(levels, default=0), 0, -1):
        ordered: list[tuple[str, int]] = []
        for is_high, group in groupby(ordered_runs, key=lambda run: run[1] >= level):
            part = list(group)
            ordered.extend(reversed(part) if is_high else part)
        ordered_runs = ordered
    return tuple((run, level % 2 == 1) for run, level in ordered_runs)


def is_right_to_left(text: str) -> bool:
    """Return whether a text runs from right to left, as its first strongly directional letter decides."""
    return next(
        (side in _RTL_CLASSES for side in map(bidirectional, text) if side in ("L", *_RTL_CLASSES)), False
    )


def _embedding_levels(text: str, rtl: bool) -> list[int]:
    base = 1 if rtl else 0
    outside = "R" if rtl else "L"
    kinds = _resolve_weak_classes(text, outside)
    neutral = ("ON", "WS", "S", "B", "BN")
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] in neutral:
            end += 1
        if end > at:
            before = _neighbour_direction(kinds[at - 1]) if at else outside
            after = _neighbour_direction(kinds[end]) if end < len(kinds) else outside
            kinds[at:end] = [before if before == after else outside] * (end - at)
        at = end + 1
    if rtl:
        return [1 if kind == "R" else 2 for kind in kinds]
    return [{"L": base, "R": 1}.get(kind, 2) for kind in kinds]


def _neighbour_direction(kind: str) -> str:
    """Return the direction that a class gives to neutral letters beside it: numbers count as right to left."""
    return "L" if kind == "L" else "R"


def _resolve_weak_classes(text: str, outside: str) -> list[str]:
    """Return the bidirectional class of each letter after rules W1 to W7 of the standard."""
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
        elif kind == "ET" and "EN" in (before, next((other for other in kinds[at:] if other != "ET"), "")):
            kind = "EN"
        elif kind in ("ES", "CS", "ET"):
            kind = "ON"
        if kind in ("L", *_RTL_CLASSES):
            strong = kind
        kinds[at] = kind
        before = kind
    last = outside
    for at, kind in enumerate(kinds):
        if kind in ("L", *_RTL_CLASSES):
            last = "L" if kind == "L" else "R"
            kinds[at] = last
        elif kind == "EN" and last == "L":
            kinds[at] = "L"
    return kinds
