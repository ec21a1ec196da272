"""Message catalogues: for each language a template for every phrase code, and its plural and list rules.

A catalogue is a TOML file. Under ``[line]`` the key ``bid`` is the code ``line.bid``; a key may contain dots
(``"trump.none"``). Its value is a template: text in which ``{seat}`` stands for a field and ``{card:card}`` for a
field written as a card (``table/i18n/phrase_rendering.py`` lists the formats; a format with a dot is a code, whose
template gets the field as ``{n}``). If the text depends on a number, the value is a table: ``by`` names the field (a
number, or a list that is counted), a key such as ``2`` is for exactly that number, the other keys are the language's
plural forms, of which ``other`` is the default. ``[language]`` has the language's own name, its plural forms, the rows
of letters with which the menu spells names, and ``rtl = true`` for a language written from right to left.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

CatalogueEntry: TypeAlias = str | Mapping[str, str]
"""A template; or one for each plural form, with the counted field under ``by``."""

ENGLISH = "en"


@dataclass(frozen=True)
class Catalogue:
    """The message catalogue of one language."""

    language: str
    """The language's code, as in ``[screen] language``."""
    name: str
    plurals: Mapping[str, tuple[int, ...]]
    """The numbers of each plural form, by the form's name; all other numbers have the form ``other``."""
    entries: Mapping[str, CatalogueEntry]
    letters: tuple[str, ...] = ()
    """The letters with which names are spelled, in rows; ``_`` is the space."""
    rtl: bool = False

    def template(self, entry: CatalogueEntry, fields: Mapping[str, Any]) -> str:
        """Return the template of ``entry`` for these fields, which decide its plural form."""
        if isinstance(entry, str):
            return entry
        counted = fields.get(entry["by"], 0)
        number = counted if isinstance(counted, int | float) else len(counted)
        form = next((form for form, numbers in self.plurals.items() if number in numbers), "other")
        return entry.get(str(number)) or entry.get(form) or entry["other"]


def languages() -> tuple[str, ...]:
    """Return the codes of all languages that have a catalogue."""
    names = (path.name for path in files("table.i18n").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def load_catalogue(language: str = ENGLISH) -> Catalogue:
    """Load the catalogue of a language; raise ``LookupError`` when there is none."""
    if language not in languages():
        raise LookupError(language)
    text = files("table.i18n").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return parse_catalogue(language, tomllib.loads(text))


def parse_catalogue(language: str, data: Mapping[str, Any]) -> Catalogue:
    """Return the catalogue for the parsed TOML ``data`` of a language."""
    about = data["language"]
    entries = {
        f"{part}.{name}": entry
        for part, table in data.items()
        if part != "language"
        for name, entry in table.items()
    }
    plurals = {form: tuple(numbers) for form, numbers in about["plurals"].items()}
    return Catalogue(
        language, about["name"], plurals, entries, tuple(about["letters"]), about.get("rtl", False)
    )
