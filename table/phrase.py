"""What is said to people, before it has words: a code with fields. A catalogue (``table.words``) has the words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Phrase:
    """A code, and the fields that its words may name: names, numbers, cards, lists of them, other phrases."""

    code: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, *self.fields))


def say(code: str, **fields: Any) -> Phrase:
    """The phrase of that code with these fields."""
    return Phrase(code, fields)


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
