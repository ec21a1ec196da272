"""A name is spelled: a row of letters first, then one of them; large and small letters come by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table.config import NAME_LENGTH, player_name
from table.names import same_person

SPACE = "_"
"""How the space shows among the letters."""
BEFORE_LARGE = " -'"
"""After these a large letter comes."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name that is being spelled."""

    name: str = ""
    row: int | None = None
    """The row of letters that is open; None while rows are stepped through."""

    def took(self, letter: str) -> Spelling:
        """With another letter, the rows to choose from again; unchanged where the name would be too long."""
        if len(self.name) >= NAME_LENGTH:
            return replace(self, row=None)
        if letter == SPACE:
            letter = " " if self.name and not self.name.endswith(" ") else ""
        elif self.name and self.name[-1] not in BEFORE_LARGE:
            letter = letter.lower()
        return Spelling(self.name + letter)

    def typed(self, letter: str) -> Spelling:
        """With a letter as a keyboard has it; unchanged where the name would be too long."""
        return Spelling(self.name + letter) if len(self.name) < NAME_LENGTH else replace(self, row=None)

    @property
    def without_last(self) -> Spelling:
        """Without its last letter."""
        return Spelling(self.name[:-1])

    def done(self, others: Sequence[str]) -> str | None:
        """The name as a player may have it; None where it can't be one yet, or another player has it."""
        try:
            name = player_name(self.name.strip())
        except ValueError:
            return None
        return None if any(same_person(name, other) for other in others) else name
