"""The language in which this process speaks on the terminal."""

from __future__ import annotations

from table.phrase import Phrase, say
from table.words.catalogue import ENGLISH
from table.words.render import Words, words_of


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
    print(text(say(code, **fields)), flush=True)
