"""What is said to people, before it has words: a code with fields. A catalogue (``table.words``) has the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Self, TypeAlias


@dataclass(frozen=True, slots=True)
class Phrase:
    """A code, and the fields that its words may name: names, numbers, cards, lists of them, other phrases."""

    code: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, *self.fields))


def say(code: str, **fields: Any) -> Phrase:
    """The phrase of that code with these fields; an exception among them is what it says."""
    return Phrase(code, {name: _said(value) for name, value in fields.items()})


def _said(value: Any) -> Any:
    if isinstance(value, PhrasedError):
        return value.phrase
    if isinstance(value, OSError) and value.strerror:
        return value.strerror
    if isinstance(value, BaseException):
        return " ".join(str(value).split()) or type(value).__name__
    return value


# --- what is wrong ------------------------------------------------------------------------------------------------

Place: TypeAlias = "str | PurePath | Phrase"
"""A file, a key or an option by its name; a line of a file is a phrase."""


class PhrasedError(Exception):
    """What is wrong, where, and what was expected, before it has words.

    ``what``: a code with its ``fields``, a phrase, or another exception, whose places come after those of ``at``; of
    an exception that has no phrase the text stands as it is. ``at``: the places from the outermost inwards.
    """

    def __init__(
        self, what: str | Phrase | BaseException, /, *, at: Place | tuple[Place, ...] = (), **fields: Any
    ) -> None:
        self.where: tuple[Place, ...] = at if isinstance(at, tuple) else (at,)
        if isinstance(what, PhrasedError):
            self.where = (*self.where, *what.where)
            self.what: Phrase = what.what
        elif isinstance(what, BaseException):
            self.what = say("wrong.as_told", error=what)
        else:
            self.what = what if isinstance(what, Phrase) else say(what, **fields)
        super().__init__(self.what)

    @property
    def phrase(self) -> Phrase:
        """All of it."""
        return say("wrong.at", where=self.where, what=self.what) if self.where else self.what

    def without(self, place: Place) -> Self:
        """The same without its outermost place, where that is ``place``."""
        return type(self)(self.what, at=self.where[1:] if self.where[:1] == (place,) else self.where)

    def __str__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.what.fields.items())
        return ": ".join([*map(str, self.where), f"{self.what.code}({fields})"])


class WrongValueError(PhrasedError, ValueError):
    """A value that can't be, for whoever knows where it stands."""


def at_line(number: object) -> Phrase:
    """The place of a line in its file."""
    return say("at.line", line=number)


def range_of(low: int, high: int) -> Phrase:
    """A whole number in a range, which may hold only one."""
    return say("expected.the_number", n=low) if low == high else say("expected.range", low=low, high=high)


def dimensions(size: Sequence[float]) -> Phrase:
    """A size, across and down."""
    return say("at.size", width=size[0], height=size[1])


def expected(code: str | Phrase, *, at: Place | tuple[Place, ...] = (), **fields: Any) -> WrongValueError:
    """What was expected, a phrase or a code with its fields; among them what stood there ``instead``, if anything."""
    stood = {"instead": fields.pop("instead")} if "instead" in fields else {}
    what = code if isinstance(code, Phrase) else say(code, **fields)
    return WrongValueError("wrong.instead" if stood else "wrong.expected", at=at, what=what, **stood)


# --- in a journal -------------------------------------------------------------------------------------------------


def to_json(phrase: Phrase) -> dict[str, Any]:
    """A phrase as a journal's line has it: its code with its fields."""
    return {"code": phrase.code, **{name: _plain(value) for name, value in phrase.fields.items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, Phrase):
        return to_json(value)
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def of_json(data: Any) -> Any:
    """What :func:`to_json` made of a phrase; text that is no code of ours (of an older journal) stays as it is."""
    if isinstance(data, Mapping) and isinstance(data.get("code"), str):
        return Phrase(data["code"], {name: of_json(value) for name, value in data.items() if name != "code"})
    if isinstance(data, list):
        return tuple(of_json(one) for one in data)
    return data
