"""The catalogues: for each language the words of every code, and how that language counts and lists.

A catalogue is a TOML file. Under ``[line]`` the key ``bid`` is the code ``line.bid``; a key may have dots of its own
(``"trump.none"``). Its value is a template: text in which ``{seat}`` stands for a field and ``{card:card}`` for a
field written as a card (the ways are listed in ``table/words/render.py``; one with a dot is a code, whose template
gets the field as ``{n}``). Where the words depend on how many there are, the value is a table: ``by`` names the field
(a number, or a list that is counted), a key such as ``2`` is for that very number, others are the language's plural
forms, of which ``other`` is for all the rest. ``[language]`` has its name for people, its plural forms, the rows of
letters of which the menu spells names, and ``rtl = true`` where it is written from right to left.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

Entry: TypeAlias = str | Mapping[str, str]
"""A template; or several, ``by`` a number."""

ENGLISH = "en"


@dataclass(frozen=True)
class Catalogue:
    """The words of one language."""

    language: str
    """As ``[screen] language`` has it."""
    name: str
    """As people who speak it call it."""
    plurals: Mapping[str, tuple[int, ...]]
    """The numbers that have a plural form of their own, by its name; all others are ``other``."""
    entries: Mapping[str, Entry]
    """By code."""
    letters: tuple[str, ...] = ()
    """Of which names are spelled, in rows of a few; ``_`` is the space."""
    rtl: bool = False
    """Whether it is written from right to left."""

    def template(self, entry: Entry, fields: Mapping[str, Any]) -> str:
        """The template for these fields."""
        if isinstance(entry, str):
            return entry
        counted = fields.get(entry["by"], 0)
        number = counted if isinstance(counted, int) else len(counted)
        form = next((form for form, numbers in self.plurals.items() if number in numbers), "other")
        return entry.get(str(number)) or entry.get(form) or entry["other"]


def languages() -> tuple[str, ...]:
    """The languages that there are catalogues of."""
    names = (path.name for path in files("table.words").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def catalogue(language: str = ENGLISH) -> Catalogue:
    """The catalogue of a language; ``LookupError`` where there is none."""
    if language not in languages():
        raise LookupError(language)
    text = files("table.words").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return parse(language, tomllib.loads(text))


def parse(language: str, data: Mapping[str, Any]) -> Catalogue:
    """The catalogue that a file holds."""
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
