"""Report, in sentences, of the differences between a journal and the ground truth of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.events.event_registry import UNCOMPARED_FIELDS, line_sentence
from table.history.truth_comparison import Gap, is_off_time, time_offset_ns
from table.i18n.terminal_output import phrase_text
from table.phrase import Phrase, make_phrase
from table.referee.records.journal import JournalLine


def describe_gap(gap: Gap) -> list[tuple[int, Phrase]]:
    """Return each difference of a gap with its time, in order.

    Times are nanoseconds, by the truth where it has the event. An event is compared with the journal's event
    of the same kind, and of the same player if there is one.
    """
    unmatched = list(gap.journal)
    differences: list[tuple[int, Phrase]] = []
    for true_line in gap.truth:
        journal_line = _find_counterpart(true_line, unmatched)
        if journal_line is None:
            description = make_phrase("check.missed", happened=line_sentence(true_line))
        else:
            unmatched.remove(journal_line)
            description = _describe_difference(true_line, journal_line)
        differences.append((true_line["t_ns"], description))
    for extra_line in unmatched:
        differences.append(
            (extra_line["t_ns"], make_phrase("check.did_not_happen", wrote=line_sentence(extra_line)))
        )
    return sorted(differences, key=lambda difference: difference[0])


def _find_counterpart(true_line: JournalLine, unmatched: list[JournalLine]) -> JournalLine | None:
    same_event = [line for line in unmatched if line["event"] == true_line["event"]]
    same_seat = [line for line in same_event if line.get("seat") == true_line.get("seat")]
    return next(iter(same_seat or same_event), None)


def _describe_difference(true_line: JournalLine, journal_line: JournalLine) -> Phrase:
    """Describe an event that the journal has differently.

    Where both sentences are equal, the fields that differ are named.
    """
    true_sentence, journal_sentence = line_sentence(true_line), line_sentence(journal_line)
    if phrase_text(journal_sentence) != phrase_text(true_sentence):
        return make_phrase("check.made_of_it", happened=true_sentence, wrote=journal_sentence)
    names = [
        name
        for name in true_line
        if name not in UNCOMPARED_FIELDS and true_line[name] != journal_line.get(name)
    ]
    time_error_ns = time_offset_ns(true_line, journal_line)
    if not names and time_error_ns is not None and is_off_time(true_line, journal_line):
        return make_phrase(
            "check.too_early" if time_error_ns < 0 else "check.too_late",
            happened=true_sentence,
            ms=abs(time_error_ns) / 1e6,
        )
    if not names:
        return make_phrase("check.elsewhere", happened=true_sentence)
    fields = tuple(
        make_phrase("check.field", name=name, value=_to_phrase_value(journal_line.get(name)))
        for name in names
    )
    return make_phrase("check.but_for", happened=true_sentence, fields=fields)


def _to_phrase_value(value: Any) -> Any:
    """Return a field's value as a phrase can contain it."""
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
