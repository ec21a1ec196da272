"""Every kind of event there is, and what is looked up by its name or its class."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, cast

from table.events import following, happenings, remarks
from table.events.happenings import Event
from table.events.kind import Kind, LineFields, Said, anything, bare, more, text, whole
from table.phrase import Phrase, WrongValueError, say


def _tell_corrected(line: LineFields) -> Phrase:
    was, now = (_value(line[name]) for name in ("from", "to"))
    if line["what"] in ("undo", "redo"):
        return say(f"line.corrected.{line['what']}", by=line["by"], what=was if now is None else now)
    code = "line.corrected.gone" if now is None else "line.corrected.new" if was is None else "line.corrected"
    return say(code, by=line["by"], what=line["what"], was=was, now=now)


CORRECTED = Kind(
    "corrected",
    (
        more("what", text),
        more("from", anything),
        more("to", anything),
        more("by", text),
        more("since", whole),
        more("until", whole, optional=True),
    ),
    said_by="referee",
    tells=_tell_corrected,
)


def _value(found: Any) -> Any:
    """What a correction was made from or to: a card, a seat, or the line of what happened."""
    return brief(found) if isinstance(found, Mapping) and "event" in found else found


def _in(module: ModuleType) -> list[Kind]:
    return [one for one in vars(module).values() if isinstance(one, Kind)]


KINDS = {one.name: one for one in (*_in(happenings), *_in(following), *_in(remarks), CORRECTED)}
"""Every event of the journal by its name."""

_UNKNOWN = Kind("line", ())

_BY_CLASS = {kind.happens: kind for kind in KINDS.values() if kind.happens is not None}

COMPARED = frozenset(kind.name for kind in KINDS.values() if kind.compared)
"""The events that ``replay --check`` compares."""

NOT_COMPARED = frozenset(("t_ns", "seq", "decided_ns")) | {
    one.name for kind in KINDS.values() for one in kind.fields if not one.compared
}
"""The fields that it doesn't."""

QUESTIONS = frozenset(kind.name for kind in KINDS.values() if kind.said_by == "questions")
"""Lines that no explanation says: they are about them."""


def told(event: str, fields: LineFields) -> tuple[str, dict[str, Any]]:
    """What a line tells people: all of it but number and times, how sure it is and what by."""
    return event, {name: value for name, value in fields.items() if name not in NOT_COMPARED}


def kind_of(event: Event) -> Kind:
    """The description of what happened."""
    return _BY_CLASS[type(event)]


def said_of(event: Event, **added: Any) -> Said:
    """The line of what happened; ``added``: the fields that the rules add."""
    return kind_of(event).said(event, **added)


def line_of(cause: Event | Said) -> dict[str, Any]:
    """What happened, or was said, as a line without number and times: an event's own fields alone."""
    said = cause if isinstance(cause, Said) else said_of(cause)
    return {"event": said.event, **said.fields}


def fault_of(line: LineFields) -> WrongValueError | None:
    """What can't be of a line that was read, by its event's description; None where nothing is wrong.

    An event that nobody knows (of a later version) may have any fields of bounded size.
    """
    return KINDS.get(line["event"], _UNKNOWN).fault_of(line)


def tells_event(line: LineFields) -> bool:
    """Whether it is an event's own line."""
    kind = KINDS.get(line["event"])
    return kind is not None and kind.tells_event(line)


def event_of(line: LineFields) -> Event | None:
    """The event whose own line this is; None for a line that only follows from others, or is a remark.

    ``ValueError`` for a line whose fields are missing or impossible.
    """
    kind = KINDS.get(line["event"])
    return cast("Event | None", kind.event_of(line)) if kind is not None else None


def sentence(line: LineFields) -> Phrase:
    """A line of the journal as a sentence; one of an unknown or odd kind as its bare fields."""
    kind = KINDS.get(str(line.get("event", "")))
    if kind is not None:
        try:
            if all(one.optional or one.name in line for one in kind.fields):
                return kind.sentence(line)
        except (KeyError, TypeError, AttributeError, ValueError):
            # A journal written by a later or damaged version must not stop the table: say what stands there.
            pass
    event, fields = str(line.get("event") or "line"), bare(line)
    return say("line.unknown" if fields else "line.unknown_bare", event=event, fields=fields)


def brief(line: LineFields) -> Phrase:
    """What happened, by its line, in a few words that stand in a sentence."""
    return KINDS[line["event"]].brief(line)
