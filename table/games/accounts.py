"""Setting a page of rules as plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

WIDTH = 88


def page(rows: Iterable[str]) -> str:
    """Paragraphs of wrapped text: rows run on, an empty one parts paragraphs, an indented one stands alone."""
    paragraphs: list[list[str]] = [[]]
    for row in rows:
        if not row:
            paragraphs.append([])
        elif row.startswith(" ") or not paragraphs[-1] or paragraphs[-1][-1].startswith(" "):
            paragraphs[-1].append(row)
        else:
            paragraphs[-1][-1] += " " + row
    texts = ["\n".join(textwrap.fill(row, WIDTH) for row in rows) for rows in paragraphs if rows]
    return "\n\n".join(texts) + "\n"
