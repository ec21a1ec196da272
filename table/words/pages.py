"""A game's page of rules: a template for each language, drawn from the game's options.

The template is a text beside the game's module, ``NAME.LANGUAGE.txt``. A blank line parts paragraphs, whose lines run
on and are wrapped anew; a line that begins with two spaces stands alone. ``{name}`` is the value of an option, or of
what the game tells besides. A line after ``[name]``, ``[not name]`` or ``[name=value]`` (or several, joined by ``and``)
stands only where that holds.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from table.words.catalogue import ENGLISH

WIDTH = 88
_CONDITION = re.compile(r"\[([^\]]+)\] ?")


def page(
    name: str, fields: Mapping[str, Any], language: str = ENGLISH, *, package: str = "table.games"
) -> str:
    """The rules of the game ``name`` as played, plain text of :data:`WIDTH` columns.

    ``fields``: what the template may name; ``package``: where it lies. In English where the game has no page in that
    language.
    """
    folder, stem = files(package), name.replace("-", "_")
    template = folder.joinpath(f"{stem}.{language}.txt")
    if not template.is_file():
        template = folder.joinpath(f"{stem}.{ENGLISH}.txt")
    return set_page(template.read_text(encoding="utf-8"), fields)


def set_page(template: str, fields: Mapping[str, Any]) -> str:
    """A template with these fields."""
    paragraphs = [list(_lines(text, fields)) for text in template.split("\n\n")]
    return "\n\n".join(_wrapped(lines) for lines in paragraphs if lines) + "\n"


def _lines(text: str, fields: Mapping[str, Any]) -> Iterator[str]:
    shown = {name: _shown(value) for name, value in fields.items()}
    for line in text.splitlines():
        condition = _CONDITION.match(line)
        if condition is None or all(_holds(part, fields) for part in condition[1].split(" and ")):
            yield line[condition.end() if condition else 0 :].format_map(shown)


def _holds(condition: str, fields: Mapping[str, Any]) -> bool:
    if condition.startswith("not "):
        return not _holds(condition.removeprefix("not "), fields)
    name, equals, value = condition.partition("=")
    return _shown(fields[name]) == value if equals else bool(fields[name])


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _wrapped(lines: list[str]) -> str:
    """Lines run on, but those that stand alone."""
    rows: list[str] = []
    for line in lines:
        if rows and not line.startswith("  ") and not rows[-1].startswith("  "):
            rows[-1] += " " + line
        else:
            rows.append(line)
    return "\n".join(textwrap.fill(row, WIDTH) for row in rows)
