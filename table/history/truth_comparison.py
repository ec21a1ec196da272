"""Comparison of a journal with the truth of a recording."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from table.events.event_registry import COMPARED_EVENTS, EVENT_SPECS, UNCOMPARED_FIELDS
from table.events.event_spec import CALL_TOLERANCE_NS, CARD_TOLERANCE_NS
from table.phrase import Phrase, make_phrase
from table.referee.records.journal import JournalLine, dump, effective_lines

Pair: TypeAlias = tuple[JournalLine | None, JournalLine | None]
"""A line of the truth and the journal's line of the same event; None where one of them is missing."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A run of lines in which truth and journal differ, between two events on which both agree."""

    truth: tuple[JournalLine, ...]
    journal: tuple[JournalLine, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison."""

    differences: tuple[str, ...]
    """One line each, in order: ``-`` is in the truth alone, ``+`` in the journal alone, ``~`` in both, but its ``t_ns``
    is ``time_offset_ns`` from the true one, which is more than the limit.
    """
    matched: int
    expected: int
    decision_delays_ns: tuple[int, ...]
    """For each event that both have: the time from its ``t_ns`` to the table's decision."""
    gaps: tuple[Gap, ...] = ()
    """The same differences grouped by place."""
    call_offsets_ns: tuple[int, ...] = ()
    """For each call that both have: how far its ``t_ns`` is from the true one."""
    card_offsets_ns: tuple[int, ...] = ()
    """As ``calls_ns``, for each card."""

    def summary(self) -> Phrase:
        """Return the phrase of the result, with the delays if there are any."""
        counts = {"matched": self.matched, "expected": self.expected, "differences": len(self.differences)}
        if not self.decision_delays_ns:
            return make_phrase("check.summary", **counts)
        median_s, worst_s = (
            statistics.median(self.decision_delays_ns) / 1e9,
            max(self.decision_delays_ns) / 1e9,
        )
        times = {
            "calls": _distance_phrase(self.call_offsets_ns),
            "cards": _distance_phrase(self.card_offsets_ns),
        }
        return make_phrase("check.summary_with_delays", **counts, median_s=median_s, worst_s=worst_s, **times)


def _distance_phrase(off_ns: Sequence[int]) -> Phrase:
    """Return the phrase for the median and the largest distance in time."""
    if not off_ns:
        return make_phrase("check.no_distance")
    distances_ms = [abs(distance) / 1e6 for distance in off_ns]
    return make_phrase(
        "check.distance", median_ms=statistics.median(distances_ms), worst_ms=max(distances_ms)
    )


def compare(truth: Sequence[JournalLine], journal: Sequence[JournalLine]) -> Comparison:
    """Compare the truth with the journal, leaving out what was corrected later."""
    true_lines = [line for line in effective_lines(truth) if line["event"] in COMPARED_EVENTS]
    journal_lines = [line for line in effective_lines(journal) if line["event"] in COMPARED_EVENTS]
    pairs = _align(true_lines, journal_lines)
    differences = []
    delays = []
    for true_line, line in pairs:
        if true_line is not None and line is not None:
            if isinstance(line.get("decided_ns"), int) and isinstance(line.get("t_ns"), int):
                delays.append(line["decided_ns"] - line["t_ns"])
            if is_off_time(true_line, line):
                differences.append("~ " + dump({**true_line, "off_ns": time_offset_ns(true_line, line)}))
        elif true_line is not None:
            differences.append("- " + dump(true_line))
        elif line is not None:
            differences.append("+ " + dump(line))
    return Comparison(
        tuple(differences),
        sum(not _differs(pair) for pair in pairs),
        len(true_lines),
        tuple(delays),
        _gaps(pairs),
        call_offsets_ns=_offsets_ns(pairs, CALL_TOLERANCE_NS),
        card_offsets_ns=_offsets_ns(pairs, CARD_TOLERANCE_NS),
    )


def time_offset_ns(truth: JournalLine, line: JournalLine) -> int | None:
    """Return how much later than the true moment a line's ``t_ns`` is; None where it has no moment of its own.

    Those are lines that follow from others, and cards that no camera saw land, whether or not people named them.
    """
    kind = EVENT_SPECS[line["event"]]
    unseen = line.get("by") == "corrected" or line.get("card") == "?"
    if kind.tolerance_ns is None or unseen or not kind.is_own_line(line):
        return None
    true_ns, own_ns = truth.get("t_ns"), line.get("t_ns")
    return own_ns - true_ns if isinstance(true_ns, int) and isinstance(own_ns, int) else None


def is_off_time(truth: JournalLine, line: JournalLine) -> bool:
    """Return whether a line's ``t_ns`` is further from the true moment than is allowed, before or after it."""
    off = time_offset_ns(truth, line)
    return off is not None and abs(off) > (EVENT_SPECS[line["event"]].tolerance_ns or 0)


def _offsets_ns(pairs: Iterable[Pair], tolerance_ns: int) -> tuple[int, ...]:
    """Return the offsets of the matched lines whose limit is ``tolerance_ns``."""
    matched = [(true_line, line) for true_line, line in pairs if true_line is not None and line is not None]
    offsets = [
        time_offset_ns(true_line, line)
        for true_line, line in matched
        if EVENT_SPECS[line["event"]].tolerance_ns == tolerance_ns
    ]
    return tuple(offset for offset in offsets if offset is not None)


def _differs(pair: Pair) -> bool:
    """Return whether one line of the pair is missing, or is too late."""
    true_line, line = pair
    return true_line is None or line is None or is_off_time(true_line, line)


def _gaps(pairs: Sequence[Pair]) -> tuple[Gap, ...]:
    """Return the runs of pairs that differ."""
    runs = [list(run) for differs, run in groupby(pairs, _differs) if differs]
    return tuple(
        Gap(
            tuple(true_line for true_line, _ in run if true_line is not None),
            tuple(line for _, line in run if line is not None),
        )
        for run in runs
    )


def _is_same(truth: JournalLine, line: JournalLine) -> bool:
    """Return whether the journal has the same value in every field of the truth, except times and confidence."""
    if truth["event"] != line["event"]:
        return False
    return all(
        line.get(key, _MISSING) == value for key, value in truth.items() if key not in UNCOMPARED_FIELDS
    )


_MISSING = object()
_SAME_IN_TIME, _SAME = 3, 2
"""The values of two matching lines in the alignment: higher where their times agree too, because of several equal
events the one of that time is meant."""


def _match_value(truth: JournalLine, line: JournalLine) -> int:
    """Return the value of aligning these lines; 0 where they differ."""
    if not _is_same(truth, line):
        return 0
    return _SAME if is_off_time(truth, line) else _SAME_IN_TIME


def _align(truth: list[JournalLine], journal: list[JournalLine]) -> list[Pair]:
    """Align truth and journal by the common sequence of the highest value, with unmatched lines in their places."""
    rows, columns = len(truth), len(journal)
    values = [[_match_value(true_line, line) for line in journal] for true_line in truth]
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            aligned = values[row][column] and values[row][column] + best[row + 1][column + 1]
            best[row][column] = max(aligned, best[row + 1][column], best[row][column + 1])
    pairs: list[Pair] = []
    row = column = 0
    while row < rows or column < columns:
        rows_and_columns_left = row < rows and column < columns
        if (
            rows_and_columns_left
            and values[row][column]
            and best[row][column] == values[row][column] + best[row + 1][column + 1]
        ):
            pairs.append((truth[row], journal[column]))
            row, column = row + 1, column + 1
        elif column == columns or (row < rows and best[row + 1][column] >= best[row][column + 1]):
            pairs.append((truth[row], None))
            row += 1
        else:
            pairs.append((None, journal[column]))
            column += 1
    return pairs
