"""What the referee tells the players: phrases with a tone, and whom they concern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from table.phrase import Phrase

Tone = Literal["ruling", "hint", "trouble"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something for the players: a ruling with its reason, a hint, or something in trouble."""

    t_ns: int
    kind: Tone
    said: Phrase
    seats: tuple[str, ...] = ()
    """Whom it concerns, if not everybody."""

    @property
    def code(self) -> str:
        """What it says, in one word."""
        return self.said.code.rpartition(".")[2]


def notice(t_ns: int, kind: Tone, code: str, *seats: str | None, **fields: Any) -> Notice:
    """A notice of that code; ``seats`` are whom it concerns (None is left out)."""
    return Notice(t_ns, kind, Phrase(f"notice.{code}", fields), tuple(seat for seat in seats if seat))
