"""Comparing a journal with the truth of a recording."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from table.events.known import COMPARED, NOT_COMPARED
from table.phrase import Phrase, say
from table.referee.journal import JournalLine, dump, effective


@dataclass(frozen=True, slots=True)
class Gap:
    """A place where truth and journal part: what stands in one alone between two events that both have."""

    truth: tuple[JournalLine, ...]
    journal: tuple[JournalLine, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it."""

    differences: tuple[str, ...]
    """One line each: ``-`` stands in the truth alone, ``+`` in the journal alone, in order."""
    matched: int
    expected: int
    delays_ns: tuple[int, ...]
    """For each matched event: from when it happened (by the truth) to when the table knew."""
    gaps: tuple[Gap, ...] = ()
    """The same differences by the places where they stand."""

    def summary(self) -> Phrase:
        """The result."""
        counts = {"matched": self.matched, "expected": self.expected, "differences": len(self.differences)}
        if not self.delays_ns:
            return say("check.summary", **counts)
        median_s, worst_s = statistics.median(self.delays_ns) / 1e9, max(self.delays_ns) / 1e9
        return say("check.summary_with_delays", **counts, median_s=median_s, worst_s=worst_s)


def compare(truth: Sequence[JournalLine], journal: Sequence[JournalLine]) -> Comparison:
    """Compare what happened with what the table made of it, leaving out what was corrected later."""
    wanted = [line for line in effective(truth) if line["event"] in COMPARED]
    found = [line for line in effective(journal) if line["event"] in COMPARED]
    pairs = _align(wanted, found)
    differences = []
    delays = []
    for there, here in pairs:
        if there is not None and here is not None:
            if isinstance(here.get("decided_ns"), int) and isinstance(here.get("t_ns"), int):
                delays.append(here["decided_ns"] - here["t_ns"])
        elif there is not None:
            differences.append("- " + dump(there))
        elif here is not None:
            differences.append("+ " + dump(here))
    return Comparison(tuple(differences), len(delays), len(wanted), tuple(delays), _gaps(pairs))


def _gaps(pairs: Sequence[tuple[JournalLine | None, JournalLine | None]]) -> tuple[Gap, ...]:
    """The runs of pairs of which one side is missing."""
    runs = [list(run) for apart, run in groupby(pairs, lambda pair: None in pair) if apart]
    return tuple(
        Gap(
            tuple(there for there, _ in run if there is not None),
            tuple(here for _, here in run if here is not None),
        )
        for run in runs
    )


def _same(truth: JournalLine, line: JournalLine) -> bool:
    """Whether every field that the truth names, but for times and confidence, stands so in the journal."""
    if truth["event"] != line["event"]:
        return False
    return all(line.get(key, _MISSING) == value for key, value in truth.items() if key not in NOT_COMPARED)


_MISSING = object()


def _align(
    truth: list[JournalLine], journal: list[JournalLine]
) -> list[tuple[JournalLine | None, JournalLine | None]]:
    """The longest common sequence, with what stands on one side only in its place."""
    rows, columns = len(truth), len(journal)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            if _same(truth[row], journal[column]):
                best[row][column] = best[row + 1][column + 1] + 1
            else:
                best[row][column] = max(best[row + 1][column], best[row][column + 1])
    pairs: list[tuple[JournalLine | None, JournalLine | None]] = []
    row = column = 0
    while row < rows or column < columns:
        if row < rows and column < columns and _same(truth[row], journal[column]):
            pairs.append((truth[row], journal[column]))
            row, column = row + 1, column + 1
        elif column == columns or (row < rows and best[row + 1][column] >= best[row][column + 1]):
            pairs.append((truth[row], None))
            row += 1
        else:
            pairs.append((None, journal[column]))
            column += 1
    return pairs
