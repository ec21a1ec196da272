"""What stands on the screen, in English."""

from __future__ import annotations

from dataclasses import dataclass

from table.i18n.terminal_output import phrase_text
from table.referee.model.view import OpenPanel, OpenQuestion


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
    lines = tuple(map(phrase_text, shown.options))
    if isinstance(shown, OpenPanel):
        lost = phrase_text(shown.will_be_lost) if shown.will_be_lost is not None else ""
        return Read(
            shown.seat,
            phrase_text(shown.title),
            lines,
            shown.marked,
            tuple(map(phrase_text, shown.path)),
            lost,
        )
    hint = phrase_text(shown.hint) if shown.hint is not None else ""
    return Read(shown.seat, phrase_text(shown.text), lines, shown.marked, hint=hint)
