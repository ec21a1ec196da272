"""What came of checking one part of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check."""

    part: str
    good: bool
    text: str
    """What was found; for a fault also what to do."""

    def line(self, width: int) -> str:
        """As a command prints it; ``width``: of the longest part's name with its colon."""
        return f"{'ok   ' if self.good else 'FAULT'}  {self.part + ':':{width}}{self.text}"
