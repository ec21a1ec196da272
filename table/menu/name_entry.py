"""Entry of a name with buttons: choose a row of letters, then a letter; capitals are chosen automatically."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table.config.settings import NAME_LENGTH, check_player_name
from table.names import same_person

SPACE_SIGN = "_"
"""The sign that stands for the space among the letters."""
BEFORE_CAPITAL = " -'"
"""A capital letter follows these."""


@dataclass(frozen=True, slots=True)
class NameEntry:
    """A name that is being entered."""

    name: str = ""
    row: int | None = None
    """The index of the open row of letters; None while a row is being chosen."""

    def with_letter(self, letter: str) -> NameEntry:
        """Return a copy with another letter and no open row; unchanged where the name would be too long."""
        if len(self.name) >= NAME_LENGTH:
            return replace(self, row=None)
        if letter == SPACE_SIGN:
            letter = " " if self.name and not self.name.endswith(" ") else ""
        elif self.name and self.name[-1] not in BEFORE_CAPITAL:
            letter = letter.lower()
        return NameEntry(self.name + letter)

    def with_typed_letter(self, letter: str) -> NameEntry:
        """Return a copy with a letter from a keyboard; unchanged where the name would be too long."""
        return NameEntry(self.name + letter) if len(self.name) < NAME_LENGTH else replace(self, row=None)

    @property
    def without_last_letter(self) -> NameEntry:
        """A copy without the last letter."""
        return NameEntry(self.name[:-1])

    def finished_name(self, others: Sequence[str]) -> str | None:
        """Return the name as a player may have it; None where it is not valid yet, or another player has it."""
        try:
            name = check_player_name(self.name.strip())
        except ValueError:
            return None
        return None if any(same_person(name, other_name) for other_name in others) else name
