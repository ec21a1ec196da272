"""What came of checking one part of the table."""

from __future__ import annotations

from dataclasses import dataclass

from table.phrase import Phrase, say
from table.words.spoken import spoken, text


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check."""

    part: str
    """Its name, one word; or a seat's."""
    good: bool
    said: Phrase | str
    """What was found; for a fault also what to do (of an error, its text)."""

    @property
    def text(self) -> str:
        """That in the language that is spoken."""
        return text(self.said)

    @property
    def name(self) -> str:
        """The part's name in that language."""
        return spoken().coded("part", self.part)

    def line(self, width: int) -> str:
        """As a command prints it; ``width``: of the longest part's name with its colon."""
        return f"{text(say('part_is.good' if self.good else 'part_is.fault')):5}  {self.name + ':':{width}}{self.text}"
