"""Comparing a journal with the truth of a recording."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from table.events.kind import CALL_NS, CARD_NS
from table.events.known import COMPARED, KINDS, NOT_COMPARED
from table.phrase import Phrase, say
from table.referee.journal import JournalLine, dump, effective

Pair: TypeAlias = tuple[JournalLine | None, JournalLine | None]
"""A line of the truth and the journal's line of the same event; None where one of them is missing."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A place where truth and journal part: what differs between two events on which both agree."""

    truth: tuple[JournalLine, ...]
    journal: tuple[JournalLine, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it."""

    differences: tuple[str, ...]
    """One line each, in order: ``-`` stands in the truth alone, ``+`` in the journal alone, ``~`` in both, but its
    ``t_ns`` is ``off_ns`` from the true one, which is more than the limit."""
    matched: int
    expected: int
    delays_ns: tuple[int, ...]
    """For each event that both have: from its ``t_ns`` to when the table knew."""
    gaps: tuple[Gap, ...] = ()
    """The same differences by the places where they stand."""
    calls_ns: tuple[int, ...] = ()
    """For each call that both have: how far its ``t_ns`` is from the true one."""
    cards_ns: tuple[int, ...] = ()
    """As ``calls_ns``, for each card."""

    def summary(self) -> Phrase:
        """The result."""
        counts = {"matched": self.matched, "expected": self.expected, "differences": len(self.differences)}
        if not self.delays_ns:
            return say("check.summary", **counts)
        median_s, worst_s = statistics.median(self.delays_ns) / 1e9, max(self.delays_ns) / 1e9
        times = {"calls": _distance(self.calls_ns), "cards": _distance(self.cards_ns)}
        return say("check.summary_with_delays", **counts, median_s=median_s, worst_s=worst_s, **times)


def _distance(off_ns: Sequence[int]) -> Phrase:
    if not off_ns:
        return say("check.no_distance")
    distances_ms = [abs(one) / 1e6 for one in off_ns]
    return say("check.distance", median_ms=statistics.median(distances_ms), worst_ms=max(distances_ms))


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
            if is_late(there, here):
                differences.append("~ " + dump({**there, "off_ns": off_ns(there, here)}))
        elif there is not None:
            differences.append("- " + dump(there))
        elif here is not None:
            differences.append("+ " + dump(here))
    return Comparison(
        tuple(differences),
        sum(not _differs(pair) for pair in pairs),
        len(wanted),
        tuple(delays),
        _gaps(pairs),
        calls_ns=_offs(pairs, CALL_NS),
        cards_ns=_offs(pairs, CARD_NS),
    )


def off_ns(truth: JournalLine, line: JournalLine) -> int | None:
    """How much later than the true moment a line's ``t_ns`` is; None where it has no moment of its own.

    Such are lines that follow from others, and cards that no camera saw come, whether or not people named them.
    """
    kind = KINDS[line["event"]]
    unseen = line.get("by") == "corrected" or line.get("card") == "?"
    if kind.within_ns is None or unseen or not kind.tells_event(line):
        return None
    there, here = truth.get("t_ns"), line.get("t_ns")
    return here - there if isinstance(there, int) and isinstance(here, int) else None


def is_late(truth: JournalLine, line: JournalLine) -> bool:
    """Whether a line's ``t_ns`` is further from the true moment than is allowed, before or after it."""
    off = off_ns(truth, line)
    return off is not None and abs(off) > (KINDS[line["event"]].within_ns or 0)


def _offs(pairs: Iterable[Pair], within_ns: int) -> tuple[int, ...]:
    """How far off the matched lines are whose limit is ``within_ns``."""
    both = [(there, here) for there, here in pairs if there is not None and here is not None]
    offs = [off_ns(there, here) for there, here in both if KINDS[here["event"]].within_ns == within_ns]
    return tuple(off for off in offs if off is not None)


def _differs(pair: Pair) -> bool:
    there, here = pair
    return there is None or here is None or is_late(there, here)


def _gaps(pairs: Sequence[Pair]) -> tuple[Gap, ...]:
    """The runs of pairs that differ."""
    runs = [list(run) for apart, run in groupby(pairs, _differs) if apart]
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
_AT_THE_TIME, _SAME = 3, 2
"""What two lines that say the same are worth in the alignment, more where their times agree too: of several equal
events the one of that time is meant."""


def _worth(truth: JournalLine, line: JournalLine) -> int:
    if not _same(truth, line):
        return 0
    return _SAME if is_late(truth, line) else _AT_THE_TIME


def _align(truth: list[JournalLine], journal: list[JournalLine]) -> list[Pair]:
    """The common sequence that is worth most, with what stands on one side only in its place."""
    rows, columns = len(truth), len(journal)
    worth = [[_worth(there, here) for here in journal] for there in truth]
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            together = worth[row][column] and worth[row][column] + best[row + 1][column + 1]
            best[row][column] = max(together, best[row + 1][column], best[row][column + 1])
    pairs: list[Pair] = []
    row = column = 0
    while row < rows or column < columns:
        both = row < rows and column < columns
        if (
            both
            and worth[row][column]
            and best[row][column] == worth[row][column] + best[row + 1][column + 1]
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
