"""A language that nobody speaks: English with every letter replaced by one of another alphabet, the fields kept.

What then still shows a Latin letter was never in the catalogue.
"""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase

from table.i18n.catalogue import Catalogue, CatalogueEntry, load_catalogue
from table.i18n.phrase_rendering import PhraseRenderer

GREEK = "αβγδεζηθικλμνξοπρστυφχψωάέ"
_OTHER = str.maketrans(ascii_lowercase + ascii_uppercase, GREEK + GREEK.upper())
_PIECE = re.compile(r"(\{[^}]*\})")


def _template(text: str) -> str:
    """Every letter that is no field's."""
    return "".join(
        piece if piece.startswith("{") else piece.translate(_OTHER) for piece in _PIECE.split(text)
    )


def _entry(entry: CatalogueEntry) -> CatalogueEntry:
    if isinstance(entry, str):
        return _template(entry)
    return {form: text if form == "by" else _template(text) for form, text in entry.items()}


def nonsense() -> PhraseRenderer:
    """The words of that language."""
    english = load_catalogue()
    entries = {code: _entry(entry) for code, entry in english.entries.items()}
    return PhraseRenderer(Catalogue("xx", _template(english.name), english.plurals, entries))


def latin(text: str, known: tuple[str, ...]) -> list[str]:
    """The words with a Latin letter in a text: no names that are ``known``, no ranks, no units, no suit's letter."""
    for name in sorted(known, key=len, reverse=True):
        text = text.replace(name, " ")
    text = re.sub(r"(?<![A-Za-z])[JQKA](?=[♠♥♦♣])", " ", text)
    return re.findall(r"[A-Za-z]+", text)
