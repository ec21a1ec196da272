"""Findings of checks on parts of the table."""

from __future__ import annotations

from dataclasses import dataclass

from table.i18n.catalogue import load_catalogue
from table.i18n.phrase_rendering import PhraseRenderer
from table.i18n.terminal_output import phrase_text, terminal_renderer
from table.phrase import Phrase, make_phrase


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    part: str
    """The name of the checked part, one word; or a seat's name."""
    good: bool
    message: Phrase | str
    """The message; for a fault also what to do (for an error, its text)."""

    @property
    def text(self) -> str:
        """The message in the current language."""
        return phrase_text(self.message)

    @property
    def name(self) -> str:
        """The part's name in the current language."""
        return terminal_renderer().render_code("part", self.part)

    def format_line(self, width: int | None = None) -> str:
        """Return the finding as a line of output; ``width``: of the names, by default that of all parts."""
        render = terminal_renderer()
        good, fault = render(make_phrase("part_is.good")), render(make_phrase("part_is.fault"))
        verdict = f"{good if self.good else fault:{max(len(good), len(fault))}}"
        return f"{verdict}  {self.name + ':':{_label_width(render) if width is None else width}}{self.text}"


def _label_width(render: PhraseRenderer) -> int:
    """Return the width of the longest part name in a language, plus colon and space."""
    return 2 + max(
        len(render(make_phrase(code))) for code in load_catalogue().entries if code.startswith("part.")
    )
