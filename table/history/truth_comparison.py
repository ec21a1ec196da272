"""Comparison of a journal with the truth of a recording, and its differences in sentences."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from table.events.event_registry import COMPARED_EVENTS, EVENT_SPECS, UNCOMPARED_FIELDS, line_sentence
from table.events.event_spec import CALL_TOLERANCE_NS, CARD_TOLERANCE_NS
from table.i18n.terminal_output import phrase_text
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
    is ``off_ns`` from the true one, which is more than the limit.
    """
    matched: int
    expected: int
    decision_delays_ns: tuple[int, ...]
    """For each event that both have: the time from its ``t_ns`` to the table's decision."""
    gaps: tuple[Gap, ...]
    """The same differences grouped by place."""
    call_offsets_ns: tuple[int, ...]
    """For each call that both have: how far its ``t_ns`` is from the true one."""
    card_offsets_ns: tuple[int, ...]
    """The same for each card."""

    def summary(self) -> Phrase:
        """Return the phrase of the result, with the delays if there are any."""
        counts = {"matched": self.matched, "expected": self.expected, "differences": len(self.differences)}
        if not self.decision_delays_ns:
            return make_phrase("check.summary", **counts)
        return make_phrase(
            "check.summary_with_delays",
            **counts,
            median_s=statistics.median(self.decision_delays_ns) / 1e9,
            worst_s=max(self.decision_delays_ns) / 1e9,
            calls=_distance_phrase(self.call_offsets_ns),
            cards=_distance_phrase(self.card_offsets_ns),
        )


def _distance_phrase(offsets_ns: Sequence[int]) -> Phrase:
    if not offsets_ns:
        return make_phrase("check.no_distance")
    distances_ms = [abs(offset_ns) / 1e6 for offset_ns in offsets_ns]
    median_ms = statistics.median(distances_ms)
    return make_phrase("check.distance", median_ms=median_ms, worst_ms=max(distances_ms))


def compare(truth: Sequence[JournalLine], journal: Sequence[JournalLine]) -> Comparison:
    """Compare the truth with the journal, leaving out what was corrected later."""
    true_lines = [line for line in effective_lines(truth) if line["event"] in COMPARED_EVENTS]
    journal_lines = [line for line in effective_lines(journal) if line["event"] in COMPARED_EVENTS]
    pairs = _align(true_lines, journal_lines)
    differences = []
    delays_ns = []
    offsets_ns: dict[int | None, list[int]] = defaultdict(list)
    """Of the events that both have, by their limit."""
    for true_line, line in pairs:
        if true_line is not None and line is not None:
            if isinstance(line.get("decided_ns"), int) and isinstance(line.get("t_ns"), int):
                delays_ns.append(line["decided_ns"] - line["t_ns"])
            offset_ns = time_offset_ns(true_line, line)
            if offset_ns is not None:
                offsets_ns[EVENT_SPECS[line["event"]].tolerance_ns].append(offset_ns)
            if is_off_time(true_line, line):
                differences.append("~ " + dump({**true_line, "off_ns": offset_ns}))
        elif true_line is not None:
            differences.append("- " + dump(true_line))
        elif line is not None:
            differences.append("+ " + dump(line))
    runs = [list(run) for differs, run in groupby(pairs, _differs) if differs]
    gaps = [
        Gap(
            tuple(true_line for true_line, _ in run if true_line is not None),
            tuple(line for _, line in run if line is not None),
        )
        for run in runs
    ]
    return Comparison(
        tuple(differences),
        sum(not _differs(pair) for pair in pairs),
        len(true_lines),
        tuple(delays_ns),
        tuple(gaps),
        call_offsets_ns=tuple(offsets_ns[CALL_TOLERANCE_NS]),
        card_offsets_ns=tuple(offsets_ns[CARD_TOLERANCE_NS]),
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


def _differs(pair: Pair) -> bool:
    true_line, line = pair
    return true_line is None or line is None or is_off_time(true_line, line)


_MISSING = object()
_SAME_IN_TIME, _SAME = 3, 2
"""The values of two matching lines in the alignment: higher where their times agree too, because of several equal
events the one of that time is meant."""


def _match_value(truth: JournalLine, line: JournalLine) -> int:
    """Return the value of aligning these lines; 0 where a field differs, besides times and confidence."""
    fields = ((key, value) for key, value in truth.items() if key not in UNCOMPARED_FIELDS)
    if truth["event"] != line["event"] or any(line.get(key, _MISSING) != value for key, value in fields):
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
    while row < rows and column < columns:
        value, rest = values[row][column], best[row][column]
        if value and rest == value + best[row + 1][column + 1]:
            pairs.append((truth[row], journal[column]))
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            pairs.append((truth[row], None))
            row += 1
        else:
            pairs.append((None, journal[column]))
            column += 1
    return [
        *pairs,
        *((true_line, None) for true_line in truth[row:]),
        *((None, line) for line in journal[column:]),
    ]


# --- in sentences ---------------------------------------------------------------------------------------------------


def describe_gap(gap: Gap) -> list[tuple[int, Phrase]]:
    """Return each difference of a gap with its time, in order.

    Times are nanoseconds, by the truth where it has the event. An event is compared with the journal's event
    of the same kind, and of the same player if there is one.
    """
    unmatched = list(gap.journal)
    differences: list[tuple[int, Phrase]] = []
    for true_line in gap.truth:
        same_event = [line for line in unmatched if line["event"] == true_line["event"]]
        same_seat = [line for line in same_event if line.get("seat") == true_line.get("seat")]
        journal_line = next(iter(same_seat or same_event), None)
        if journal_line is None:
            description = make_phrase("check.missed", happened=line_sentence(true_line))
        else:
            unmatched.remove(journal_line)
            description = _describe_difference(true_line, journal_line)
        differences.append((true_line["t_ns"], description))
    for line in unmatched:
        differences.append((line["t_ns"], make_phrase("check.did_not_happen", wrote=line_sentence(line))))
    return sorted(differences, key=lambda difference: difference[0])


def _describe_difference(true_line: JournalLine, journal_line: JournalLine) -> Phrase:
    """Describe an event that the journal has differently; by the differing fields where sentences are equal."""
    true_sentence, journal_sentence = line_sentence(true_line), line_sentence(journal_line)
    if phrase_text(journal_sentence) != phrase_text(true_sentence):
        return make_phrase("check.made_of_it", happened=true_sentence, wrote=journal_sentence)
    compared = [name for name in true_line if name not in UNCOMPARED_FIELDS]
    names = [name for name in compared if true_line[name] != journal_line.get(name)]
    time_error_ns = time_offset_ns(true_line, journal_line)
    if not names and time_error_ns is not None and is_off_time(true_line, journal_line):
        code = "check.too_early" if time_error_ns < 0 else "check.too_late"
        return make_phrase(code, happened=true_sentence, ms=abs(time_error_ns) / 1e6)
    if not names:
        return make_phrase("check.elsewhere", happened=true_sentence)
    fields = tuple(
        make_phrase("check.field", name=name, value=_to_phrase_value(journal_line.get(name)))
        for name in names
    )
    return make_phrase("check.but_for", happened=true_sentence, fields=fields)


def _to_phrase_value(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"seat", "card"}:
        return make_phrase("word.play", seat=value["seat"], card=value["card"])
    if isinstance(value, Mapping):
        parts = tuple(
            make_phrase("word.field", name=name, value=_to_phrase_value(part)) for name, part in value.items()
        )
        return make_phrase("check.parts", parts=parts)
    if isinstance(value, list):
        return make_phrase("check.parts", parts=tuple(map(_to_phrase_value, value)))
    return make_phrase("check.value", value=value) if isinstance(value, int | str) else value
