"""What stands on the screen, in English."""

from __future__ import annotations

from dataclasses import dataclass

from table.i18n.terminal_output import phrase_text
from table.referee.model.view import OpenOptions


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


def read(shown: OpenOptions) -> Read:
    """The texts of a panel or a question."""
    return Read(
        shown.seat,
        phrase_text(shown.title),
        tuple(map(phrase_text, shown.options)),
        shown.marked,
        tuple(map(phrase_text, shown.path)),
        phrase_text(shown.will_be_lost) if shown.will_be_lost is not None else "",
        phrase_text(shown.hint) if shown.hint is not None else "",
    )
