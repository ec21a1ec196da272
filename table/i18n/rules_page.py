"""Render a game's page of rules: a template for each language, filled from the game's options.

The template is the file ``NAME.LANGUAGE.txt`` beside the game's module. A blank line separates paragraphs, whose lines
are joined and wrapped again; a line that begins with two spaces stands alone. ``{name}`` is the value of an option, or
of another field of the game. A line after ``[name]``, ``[not name]`` or ``[name=value]`` (or several, joined by
``and``) appears only if that holds.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from table.i18n.catalogue import ENGLISH

PAGE_WIDTH = 88
"""The width of the page, in columns."""
_CONDITION = re.compile(r"\[([^\]]+)\] ?")


def rules_page(
    name: str, fields: Mapping[str, Any], language: str = ENGLISH, *, package: str = "table.games"
) -> str:
    """Return a game's rules as text of :data:`PAGE_WIDTH` columns, in English if not in that ``language``."""
    return fill_page(_read_template(name, language, package), fields)


def rules_paragraphs(
    name: str, fields: Mapping[str, Any], language: str = ENGLISH, *, package: str = "table.games"
) -> tuple[str, ...]:
    """Return the paragraphs of a game's rules, each in one line; there are as many in every language."""
    paragraphs = _fill_paragraphs(_read_template(name, language, package), fields)
    return tuple(" ".join(row.strip() for row in rows) for rows in paragraphs)


def _read_template(name: str, language: str, package: str) -> str:
    folder, stem = files(package), name.replace("-", "_")
    template = folder.joinpath(f"{stem}.{language}.txt")
    if not template.is_file():
        template = folder.joinpath(f"{stem}.{ENGLISH}.txt")
    return template.read_text(encoding="utf-8")


def fill_page(template: str, fields: Mapping[str, Any]) -> str:
    """Fill a page template with ``fields`` and wrap its paragraphs."""
    paragraphs = _fill_paragraphs(template, fields)
    wrapped = ("\n".join(textwrap.fill(row, PAGE_WIDTH) for row in rows) for rows in paragraphs)
    return "\n\n".join(wrapped) + "\n"


def _fill_paragraphs(template: str, fields: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of each paragraph that has any."""
    paragraphs = (list(_template_lines(text, fields)) for text in template.split("\n\n"))
    return [_join_rows(lines) for lines in paragraphs if lines]


def _template_lines(text: str, fields: Mapping[str, Any]) -> Iterator[str]:
    shown = {name: _value_text(value) for name, value in fields.items()}
    for line in text.splitlines():
        condition = _CONDITION.match(line)
        if condition is None or all(_holds(part, fields) for part in condition[1].split(" and ")):
            yield line[condition.end() if condition else 0 :].format_map(shown)


def _holds(condition: str, fields: Mapping[str, Any]) -> bool:
    if condition.startswith("not "):
        return not _holds(condition.removeprefix("not "), fields)
    name, equals, value = condition.partition("=")
    return _value_text(fields[name]) == value if equals else bool(fields[name])


def _value_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _join_rows(lines: list[str]) -> list[str]:
    """Join the lines of a paragraph; lines that begin with two spaces stand alone."""
    rows: list[str] = []
    for line in lines:
        if rows and not line.startswith("  ") and not rows[-1].startswith("  "):
            rows[-1] += " " + line
        else:
            rows.append(line)
    return rows
