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
from table.detection.card_detections import CardDetection, CardReader
from table.observed_facts import Image, Reading

_LIKE: Final = dict(
    zip("A23456789JQK", ("4", "7", "8", "A", "3", "8", "2", "3", "8", "10", "J", "A"), strict=True)
) | {"10": "J"}
"""For each rank one that looks much like it."""
_SURE: Final = (0.5, 0.95)
"""So surely it reads what is wrong."""
_ABOUT_PX: Final = 20
"""A slip lasts until the card has gone so far, or shows more of its corners or fewer."""


@dataclass(frozen=True, slots=True)
class Slipping:
    """Reads as ``reader`` does, but ``chance`` of its sightings as another card; each the same every time.

    ``lasting``: as a card that is half hidden, or blurred, is read wrongly again and again while it lies so.
    """

    reader: CardReader
    chance: float
    lasting: bool = False

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """One sighting for each card, no two of one name."""
        read: list[CardDetection] = []
        true = self.reader.read(image, card_px)
        for sighting in true:
            rng = np.random.default_rng(self._seed(sighting))
            slips = sighting.card[:-1] in _LIKE and rng.random() < self.chance
            one = self._slip(sighting, () if self.lasting else true, rng) if slips else sighting
            if all(one.card != other.card for other in read):
                read.append(one)
        return read

    def _seed(self, sighting: CardDetection) -> list[int]:
        """What decides whether it slips, and how."""
        x1, y1, x2, y2 = sighting.box
        if self.lasting:
            about = (round(abs(a + b) / 2 / _ABOUT_PX) for a, b in ((x1, x2), (y1, y2)))
            return [*map(ord, sighting.card), *about, len(sighting.indices)]
        return [round(abs(value) * 1000) for value in sighting.box]

    @staticmethod
    def _slip(
        sighting: CardDetection, others: Sequence[CardDetection], rng: np.random.Generator
    ) -> CardDetection:
        """A sighting read as another one of its picture, or as a card of like rank or of another suit."""
        rank, suit = sighting.card[:-1], sighting.card[-1]
        names = [other.card for other in others if other is not sighting]
        names += [_LIKE[rank] + suit, rank + str(rng.choice([one for one in SUITS if one != suit]))]
        sure = float(rng.uniform(*_SURE))
        readings = (Reading(str(rng.choice(names)), sure), Reading(sighting.card, 0.6 * (1 - sure)))
        return replace(sighting, readings=readings)
