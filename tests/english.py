"""What stands on the screen, in English."""

from __future__ import annotations

from dataclasses import dataclass

from table.referee.view import OpenPanel, OpenQuestion
from table.words.spoken import text


@dataclass(frozen=True)
class Read:
    """An open panel or question as people read it."""

    seat: str | None
    asks: str
    lines: tuple[str, ...]
    at: int
    path: tuple[str, ...] = ()
    lost: str = ""
    hint: str = ""


def read(shown: OpenPanel | OpenQuestion) -> Read:
    """The texts of a panel or a question."""
    lines = tuple(map(text, shown.lines))
    if isinstance(shown, OpenPanel):
        lost = text(shown.lost) if shown.lost is not None else ""
        return Read(shown.seat, text(shown.asks), lines, shown.at, tuple(map(text, shown.path)), lost)
    hint = text(shown.hint) if shown.hint is not None else ""
    return Read(shown.seat, text(shown.asks), lines, shown.at, hint=hint)
