"""The referee's notices to the players: phrases with a tone, and whom they concern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from table.phrase import Phrase

Tone = Literal["ruling", "hint", "trouble"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice on the screen: a ruling with its reason, a hint, or a trouble."""

    t_ns: int
    tone: Tone
    phrase: Phrase
    seats: tuple[str, ...] = ()
    """The players concerned; empty for everybody."""

    @property
    def code(self) -> str:
        """The last part of the phrase's code, which names the notice."""
        return self.phrase.code.rpartition(".")[2]


def make_notice(t_ns: int, kind: Tone, code: str, *seats: str | None, **fields: Any) -> Notice:
    """Build a notice from the code ``make_notice.CODE`` of the catalogue and its fields.

    ``seats``: the players concerned; None is left out.
    """
    return Notice(t_ns, kind, Phrase(f"notice.{code}", fields), tuple(seat for seat in seats if seat))
