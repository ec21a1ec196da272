"""A reader that slips: it takes some of what it sees for another card, as any reader does in haste, only more often.

What the trained one reads wrongly is rare, so a few thousand scenes hardly show what sight makes of it. It should ask
whose hand and what place that was: a slip may cost a name, but it is no further card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from table.cards import SUITS
from table.facts import Image, Reading
from table.reader.sightings import CardReader, Sighting

_LIKE: Final = dict(
    zip("A23456789JQK", ("4", "7", "8", "A", "3", "8", "2", "3", "8", "10", "J", "A"), strict=True)
) | {"10": "J"}
"""For each rank one that looks much like it."""
_SURE: Final = (0.5, 0.95)
"""So surely it reads what is wrong."""


@dataclass(frozen=True, slots=True)
class Slipping:
    """Reads as ``reader`` does, but ``chance`` of its sightings as another card; each the same every time."""

    reader: CardReader
    chance: float

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[Sighting]:
        """One sighting for each card, no two of one name."""
        read: list[Sighting] = []
        true = self.reader.read(image, card_px)
        for sighting in true:
            rng = np.random.default_rng([round(abs(value) * 1000) for value in sighting.box])
            slips = sighting.card[:-1] in _LIKE and rng.random() < self.chance
            one = self._slip(sighting, true, rng) if slips else sighting
            if all(one.card != other.card for other in read):
                read.append(one)
        return read

    @staticmethod
    def _slip(sighting: Sighting, others: Sequence[Sighting], rng: np.random.Generator) -> Sighting:
        """A sighting read as another one of its picture, or as a card of like rank or of another suit."""
        rank, suit = sighting.card[:-1], sighting.card[-1]
        names = [other.card for other in others if other is not sighting]
        names += [_LIKE[rank] + suit, rank + str(rng.choice([one for one in SUITS if one != suit]))]
        sure = float(rng.uniform(*_SURE))
        readings = (Reading(str(rng.choice(names)), sure), Reading(sighting.card, 0.6 * (1 - sure)))
        return replace(sighting, readings=readings)
