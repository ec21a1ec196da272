"""All event specs by name and class, and functions that look them up for a line or an event."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, cast

from table.events import derived_event_specs, game_events, referee_remark_specs
from table.events.event_spec import (
    Announcement,
    EventSpec,
    LineFields,
    added_field,
    is_bounded,
    is_short_text,
    is_whole_number,
    without_header,
)
from table.events.game_events import Event
from table.phrase import Phrase, WrongValueError, make_phrase


def _corrected_sentence(line: LineFields) -> Phrase:
    old, new = (_corrected_value(line[name]) for name in ("from", "to"))
    if line["what"] in ("undo", "redo"):
        return make_phrase(f"line.corrected.{line['what']}", by=line["by"], what=old if new is None else new)
    code = "line.corrected.gone" if new is None else "line.corrected.new" if old is None else "line.corrected"
    return make_phrase(code, by=line["by"], what=line["what"], was=old, now=new)


CORRECTED = EventSpec(
    "corrected",
    (
        added_field("what", is_short_text),
        added_field("from", is_bounded),
        added_field("to", is_bounded),
        added_field("by", is_short_text),
        added_field("since", is_whole_number),
        added_field("until", is_whole_number, optional=True),
    ),
    origin="referee",
    make_sentence=_corrected_sentence,
)


def _corrected_value(value: Any) -> Any:
    """Return the old or new value of a correction: a card, a seat, or the phrase of an event's line."""
    return line_brief(value) if isinstance(value, Mapping) and "event" in value else value


def _specs_in(module: ModuleType) -> list[EventSpec]:
    return [spec for spec in vars(module).values() if isinstance(spec, EventSpec)]


EVENT_SPECS = {
    spec.name: spec
    for spec in (
        *_specs_in(game_events),
        *_specs_in(derived_event_specs),
        *_specs_in(referee_remark_specs),
        CORRECTED,
    )
}
"""Every event of the journal by its name."""

_UNKNOWN = EventSpec("line", ())

_BY_CLASS = {kind.event_class: kind for kind in EVENT_SPECS.values() if kind.event_class is not None}

COMPARED_EVENTS = frozenset(kind.name for kind in EVENT_SPECS.values() if kind.compared)
"""The names of the events that ``replay --check`` compares."""

UNCOMPARED_FIELDS = frozenset(("t_ns", "seq", "decided_ns")) | {
    column.name for kind in EVENT_SPECS.values() for column in kind.fields if not column.compared
}
"""The fields that ``replay --check`` does not compare."""

QUESTION_EVENTS = frozenset(kind.name for kind in EVENT_SPECS.values() if kind.origin == "questions")
"""The names of the lines about the referee's questions, which belong to no hypothesis."""


def comparable_fields(event: str, fields: LineFields) -> tuple[str, dict[str, Any]]:
    """Return a line's event name and its fields without number, times, confidence and origin."""
    return event, {name: value for name, value in fields.items() if name not in UNCOMPARED_FIELDS}


def spec_of(event: Event) -> EventSpec:
    """Return the spec of an event, by its class."""
    return _BY_CLASS[type(event)]


def announcement_of(event: Event, **added: Any) -> Announcement:
    """Return the journal line of an event; ``added``: the fields that the rules add."""
    return spec_of(event).announcement(event, **added)


def event_line(cause: Event | Announcement) -> dict[str, Any]:
    """Return an event or announcement as a line without number and times; of an event its own fields alone."""
    announcement = cause if isinstance(cause, Announcement) else announcement_of(cause)
    return {"event": announcement.event, **announcement.fields}


def check_line(line: LineFields) -> WrongValueError | None:
    """Check a line that was read against its event's spec; return its first invalid field as an error, or None.

    An unknown event (of a later version) may have any fields of bounded size.
    """
    return EVENT_SPECS.get(line["event"], _UNKNOWN).check_line(line)


def is_own_line(line: LineFields) -> bool:
    """Return whether a line is an event's own, and does not follow from another event."""
    kind = EVENT_SPECS.get(line["event"])
    return kind is not None and kind.is_own_line(line)


def event_from_line(line: LineFields) -> Event | None:
    """Return the event whose own line this is; None for a line that only follows from others, or is a remark.

    ``ValueError`` for a line whose fields are missing or impossible.
    """
    kind = EVENT_SPECS.get(line["event"])
    return cast("Event | None", kind.event_from_line(line)) if kind is not None else None


def line_sentence(line: LineFields) -> Phrase:
    """Return a line of the journal as a sentence; one of an unknown or odd kind as its bare fields."""
    kind = EVENT_SPECS.get(str(line.get("event", "")))
    if kind is not None:
        try:
            if all(column.optional or column.name in line for column in kind.fields):
                return kind.sentence(line)
        except (KeyError, TypeError, AttributeError, ValueError):
            # A line of a later version or a damaged journal must not stop the table: show its fields.
            pass
    event, fields = str(line.get("event") or "line"), without_header(line)
    return make_phrase("line.unknown" if fields else "line.unknown_bare", event=event, fields=fields)


def line_brief(line: LineFields) -> Phrase:
    """Return an event's line in a few words that are used within a sentence."""
    return EVENT_SPECS[line["event"]].brief(line)
