"""How a screen is set up, whatever it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from table.config import ScreenConfig


@dataclass(frozen=True, slots=True)
class Look:
    """What ``[screen]`` of a ``table.toml`` says of all pictures."""

    four_colours: bool = False
    """Clubs green, diamonds blue."""
    lies_flat: bool = False
    """What belongs to a player is turned to that player's seat."""

    @classmethod
    def of(cls, screen: ScreenConfig) -> Self:
        """As a table has it."""
        return cls(screen.four_colours, screen.lies_flat)


PLAIN: Final = Look()
