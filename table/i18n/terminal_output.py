"""Terminal output in the process's language."""

from __future__ import annotations

from typing import TextIO

from table.i18n.catalogue import ENGLISH
from table.i18n.phrase_rendering import PhraseRenderer, escape_unprintable, renderer_for
from table.phrase import Phrase, make_phrase


class _TerminalLanguage:
    words = renderer_for(ENGLISH)


def set_language(words: PhraseRenderer) -> None:
    """Set the language of all further terminal output."""
    _TerminalLanguage.words = words


def terminal_renderer() -> PhraseRenderer:
    """Return the phrase renderer of the current terminal language."""
    return _TerminalLanguage.words


def phrase_text(phrase: Phrase | str) -> str:
    """Render a phrase in the terminal language; a plain string stays as it is."""
    return _TerminalLanguage.words(phrase)


def print_phrase(code: str, **fields: object) -> None:
    """Make a phrase from its code and fields, and print it as a line."""
    print_line(make_phrase(code, **fields))


def print_line(what: Phrase | str, *, end: str = "\n", file: TextIO | None = None) -> None:
    """Print a phrase or lines of text; all terminal output goes through this function.

    Control characters are escaped, in a way that leaves JSON unchanged. ``file``: by default stdout.
    """
    print(_lines(what), end=end, file=file, flush=True)


def ask(question: Phrase | str) -> str:
    """Print a question and return the line that is typed after it; ``EOFError`` where nobody is there to answer."""
    return input(f"{_lines(question)} ")


def _lines(what: Phrase | str) -> str:
    return "\n".join(map(escape_unprintable, phrase_text(what).split("\n")))
