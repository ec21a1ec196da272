"""Phrases: messages to people as a code with fields. The catalogues (``table.i18n``) turn them into text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Self, TypeAlias


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message before it is translated: a code, and fields (names, numbers, cards, lists of them, other phrases)."""

    code: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, *self.fields))


def make_phrase(code: str, **fields: Any) -> Phrase:
    """Return the phrase of that code with these fields; an exception among them is replaced by its message."""
    return Phrase(code, {field_name: _message_value(value) for field_name, value in fields.items()})


def _message_value(value: Any) -> Any:
    """Return a field's value with exceptions replaced by their phrase or text."""
    if isinstance(value, PhrasedError):
        return value.phrase
    if isinstance(value, OSError) and value.strerror:
        return value.strerror
    if isinstance(value, BaseException):
        return " ".join(str(value).split()) or type(value).__name__
    return value


# --- errors -------------------------------------------------------------------------------------------------------

Place: TypeAlias = "str | PurePath | Phrase"
"""Where an error is: a file, a key or an option by its name; a line of a file is a phrase."""


class PhrasedError(Exception):
    """An error as a phrase: what is wrong, where, and what was expected.

    ``what``: a code with its ``fields``, a phrase, or another exception, whose places come after those of ``at``; an
    exception without a phrase keeps its text. ``at``: the places from the outermost inwards.
    """

    def __init__(
        self, what: str | Phrase | BaseException, /, *, at: Place | tuple[Place, ...] = (), **fields: Any
    ) -> None:
        self.where: tuple[Place, ...] = at if isinstance(at, tuple) else (at,)
        if isinstance(what, PhrasedError):
            self.where = (*self.where, *what.where)
            self.what: Phrase = what.what
        elif isinstance(what, BaseException):
            self.what = make_phrase("wrong.as_told", error=what)
        else:
            self.what = what if isinstance(what, Phrase) else make_phrase(what, **fields)
        super().__init__(self.what)

    @property
    def phrase(self) -> Phrase:
        """The whole message: the places and what is wrong there."""
        return make_phrase("wrong.at", where=self.where, what=self.what) if self.where else self.what

    def without_place(self, place: Place) -> Self:
        """Return the same error without its outermost place, where that is ``place``."""
        return type(self)(self.what, at=self.where[1:] if self.where[:1] == (place,) else self.where)

    def __str__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.what.fields.items())
        return ": ".join([*map(str, self.where), f"{self.what.code}({fields})"])


class WrongValueError(PhrasedError, ValueError):
    """An invalid value; the caller adds the place where it was read."""


def line_place(number: object) -> Phrase:
    """Return the place of a line in its file."""
    return make_phrase("at.line", line=number)


def range_phrase(low: int, high: int) -> Phrase:
    """Return the phrase for a whole number in a range, which may hold only one."""
    return (
        make_phrase("expected.the_number", n=low)
        if low == high
        else make_phrase("expected.range", low=low, high=high)
    )


def size_phrase(size: Sequence[float]) -> Phrase:
    """Return the phrase for a size: width and height."""
    return make_phrase("at.size", width=size[0], height=size[1])


def expected_error(
    code: str | Phrase, *, at: Place | tuple[Place, ...] = (), **fields: Any
) -> WrongValueError:
    """Return the error of what was expected, a phrase or a code with fields; ``instead``: what was read."""
    actual = {"instead": fields.pop("instead")} if "instead" in fields else {}
    what = code if isinstance(code, Phrase) else make_phrase(code, **fields)
    return WrongValueError("wrong.instead" if actual else "wrong.expected", at=at, what=what, **actual)


# --- phrases in the journal ---------------------------------------------------------------------------------------


def phrase_to_json(phrase: Phrase) -> dict[str, Any]:
    """Return a phrase as it is written in a line of the journal: its code with its fields."""
    return {"code": phrase.code, **{name: _json_value(value) for name, value in phrase.fields.items()}}


def _json_value(value: Any) -> Any:
    if isinstance(value, Phrase):
        return phrase_to_json(value)
    if isinstance(value, tuple | list):
        return [_json_value(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _json_value(item) for name, item in value.items()}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def phrase_from_json(data: Any) -> Any:
    """Read a phrase that :func:`phrase_to_json` has written; text without a code (of an older journal) stays."""
    if isinstance(data, Mapping) and isinstance(data.get("code"), str):
        return Phrase(
            data["code"], {name: phrase_from_json(value) for name, value in data.items() if name != "code"}
        )
    if isinstance(data, list):
        return tuple(phrase_from_json(item) for item in data)
    return data
