"""What came of checking one part of the table."""

from __future__ import annotations

from dataclasses import dataclass

from table.phrase import Phrase, say
from table.words.catalogue import catalogue
from table.words.render import Words
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

    def line(self, width: int | None = None) -> str:
        """As a command prints it; ``width``: of the longest name with its colon, unless parts are told of."""
        words = spoken()
        good, fault = words(say("part_is.good")), words(say("part_is.fault"))
        verdict = f"{good if self.good else fault:{max(len(good), len(fault))}}"
        return f"{verdict}  {self.name + ':':{_widest_part(words) if width is None else width}}{self.text}"


def _widest_part(words: Words) -> int:
    """The width of the longest part's name in a language, with what parts it from the rest."""
    return 2 + max(len(words(say(code))) for code in catalogue().entries if code.startswith("part."))
