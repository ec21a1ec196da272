"""Where the table was wrong about a game whose truth is known: what happened and what it made of it, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.events.known import NOT_COMPARED, sentence
from table.journals.comparison import Gap, is_late, off_ns
from table.phrase import Phrase, say
from table.referee.journal import JournalLine
from table.words.spoken import text


def sentences(gap: Gap) -> list[tuple[int, Phrase]]:
    """Each difference of a gap in order: when (in nanoseconds, by the truth where it stands there) and what.

    An event is set beside the one of its kind, and of the same player if there is one, that the table wrote instead.
    """
    left = list(gap.journal)
    found: list[tuple[int, Phrase]] = []
    for happened in gap.truth:
        instead = _instead(happened, left)
        if instead is None:
            said = say("check.missed", happened=sentence(happened))
        else:
            left.remove(instead)
            said = _apart(happened, instead)
        found.append((happened["t_ns"], said))
    for wrong in left:
        found.append((wrong["t_ns"], say("check.did_not_happen", wrote=sentence(wrong))))
    return sorted(found, key=lambda one: one[0])


def _instead(happened: JournalLine, left: list[JournalLine]) -> JournalLine | None:
    same = [line for line in left if line["event"] == happened["event"]]
    own = [line for line in same if line.get("seat") == happened.get("seat")]
    return next(iter(own or same), None)


def _apart(happened: JournalLine, instead: JournalLine) -> Phrase:
    """What the table wrote; where its sentence says the same, the fields that differ."""
    what, wrote = sentence(happened), sentence(instead)
    if text(wrote) != text(what):
        return say("check.made_of_it", happened=what, wrote=wrote)
    names = [name for name in happened if name not in NOT_COMPARED and happened[name] != instead.get(name)]
    off = off_ns(happened, instead)
    if not names and off is not None and is_late(happened, instead):
        return say("check.too_early" if off < 0 else "check.too_late", happened=what, ms=abs(off) / 1e6)
    if not names:
        return say("check.elsewhere", happened=what)
    fields = tuple(say("check.field", name=name, value=_plain(instead.get(name))) for name in names)
    return say("check.but_for", happened=what, fields=fields)


def _plain(value: Any) -> Any:
    """A field's value as a phrase has it."""
    if isinstance(value, Mapping) and set(value) == {"seat", "card"}:
        return say("word.play", seat=value["seat"], card=value["card"])
    if isinstance(value, Mapping):
        parts = tuple(say("word.field", name=name, value=_plain(one)) for name, one in value.items())
        return say("check.parts", parts=parts)
    if isinstance(value, list):
        return say("check.parts", parts=tuple(map(_plain, value)))
    return say("check.value", value=value) if isinstance(value, int | str) else value
