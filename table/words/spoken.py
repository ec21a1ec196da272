"""The language in which this process speaks on the terminal."""

from __future__ import annotations

from typing import TextIO

from table.phrase import Phrase, say
from table.words.catalogue import ENGLISH
from table.words.render import Words, words_of
from table.words.terminal import printable


class _Tongue:
    words = words_of(ENGLISH)


def speak(words: Words) -> None:
    """From now on this language is spoken."""
    _Tongue.words = words


def spoken() -> Words:
    """The language that is spoken."""
    return _Tongue.words


def text(phrase: Phrase | str) -> str:
    """A phrase in the language that is spoken; what is no phrase stays as it is."""
    return _Tongue.words(phrase)


def tell(code: str, **fields: object) -> None:
    """Print a phrase as a line."""
    put(say(code, **fields))


def put(what: Phrase | str, *, end: str = "\n", file: TextIO | None = None) -> None:
    """Print a phrase, or lines of text: everything that is printed is printed here.

    What would steer a terminal is written out, in a way that leaves JSON what it is. ``file``: stdout unless given.
    """
    print(_lines(what), end=end, file=file, flush=True)


def ask(question: Phrase | str) -> str:
    """Print a question and return the line that is typed after it; ``EOFError`` where nobody is there to answer."""
    return input(f"{_lines(question)} ")


def _lines(what: Phrase | str) -> str:
    return "\n".join(map(printable, text(what).split("\n")))
