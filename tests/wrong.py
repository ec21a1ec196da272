"""What is wrong, in codes: tests ask for the code, the fields and the places, not for the sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from table.i18n.phrase_rendering import renderer_for
from table.phrase import Phrase, PhrasedError, Place, expected_error, make_phrase

ENGLISH_WORDS = renderer_for()


def phrases(phrase: Phrase) -> Iterator[Phrase]:
    """A phrase and those among its fields."""
    yield phrase
    for value in phrase.fields.values():
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, Phrase):
                yield from phrases(one)


def check(error: PhrasedError, code: str, /, *, at: Place | tuple[Place, ...] = (), **fields: Any) -> None:
    """That an error says this: the code (its own or of a phrase in it), these fields, and these last places."""
    every = list(phrases(error.what))
    codes = [one.code for one in every]
    assert code in codes, f"{error!r} says {codes}, not {code}"
    said = {name: value for one in reversed(every) for name, value in one.fields.items()}
    said |= every[codes.index(code)].fields
    assert {name: said.get(name) for name in fields} == fields
    places = at if isinstance(at, tuple) else (at,)
    assert error.where[len(error.where) - len(places) :] == places


def told(code: str, **fields: Any) -> str:
    """The sentence of that code in English, for a test of what is printed."""
    return ENGLISH_WORDS(make_phrase(code, **fields))


def expects(code: str, **fields: Any) -> str:
    """What was expected, as it is printed; with what stood there ``instead``, if that is given."""
    return ENGLISH_WORDS(expected_error(code, **fields).phrase)


@contextmanager
def wrong(
    code: str,
    /,
    *,
    at: Place | tuple[Place, ...] = (),
    kind: type[PhrasedError] = PhrasedError,
    **fields: Any,
) -> Iterator[pytest.ExceptionInfo[PhrasedError]]:
    """What is done inside goes wrong, and says so, as :func:`check` has it."""
    with pytest.raises(kind) as caught:
        yield caught
    check(caught.value, code, at=at, **fields)
