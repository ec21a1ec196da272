"""An honour of a finished game, as the screen and the page of the game show it."""

from __future__ import annotations

from dataclasses import dataclass

from table.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Honour:
    """One honour: what it is for, who has it, and the figure that won it."""

    title: Phrase
    seats: tuple[str, ...]
    figure: Phrase
