"""Options of the screen that apply to every picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from table.config.settings import ScreenConfig


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """The options of section ``[screen]`` in ``table.toml`` that affect all pictures."""

    four_colours: bool = False
    """Whether the suits have four colours: clubs green, diamonds blue."""
    lies_flat: bool = False
    """Whether the screen lies flat: then each player's content is rotated towards that player's seat."""

    @classmethod
    def of(cls, screen: ScreenConfig) -> Self:
        """Return the options from a table's screen configuration."""
        return cls(screen.four_colours, screen.lies_flat)


PLAIN: Final = ScreenOptions()
"""The default options."""
