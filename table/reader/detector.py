"""The detector: reads the cards in a picture of the mark, or in any other of which the scale is known.

How its networks are made and how well they read stands in models/README.md.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from table.config import COURTS
from table.errors import TableError
from table.phrase import expected
from table.reader.corners import Mark
from table.reader.enrolled import EnrolledPack
from table.reader.evidence import SURE, once_a_card
from table.reader.finder import Finder, Finds
from table.reader.naming import NEAR, Naming
from table.reader.sightings import Sighting, gather
from table.reader.words import as_words

_FAINT: Final = 0.03
"""With an enrolled pack the finder's score may be this low, for an index that looks like one of the pack's ..."""
_MOST_FAINT: Final = 8
"""... of so many in a picture at most; the surest first."""
_NO_INDEX: Final = 0.9
"""What is surer than this to be no index is none."""
WEIGHTS: Final = Path(__file__).with_name("weights")


class Detector:
    """Reads the cards in pictures; one thread, no state between pictures."""

    def __init__(
        self,
        weights: Path | None = None,
        courts: str = "JQK",
        *,
        threshold: float | None = None,
        pack: Collection[str] | None = None,
        enrolled: EnrolledPack | None = None,
    ) -> None:
        """Load the networks.

        Args:
            weights: a folder with finder.onnx, namer.onnx and model.json; the packaged one by default.
            courts: the court cards' letters on the pack in use ("JQK", "BDK", "VDR").
            threshold: the least score of the finder; the weights' own by default.
            pack: the names of the cards in play, where they are known.
            enrolled: a pack whose faces count most (`cardtable enrol`).

        Raises:
            TableError: weights missing or damaged, unknown court letters, an enrolled pack that is empty.
        """
        if courts not in COURTS:
            raise TableError(expected("expected.courts", at="courts", instead=courts))
        folder = weights or WEIGHTS
        self._finder = Finder(folder / "finder.onnx")
        try:
            settings: dict[str, Any] = json.loads((folder / "model.json").read_text())
            self._threshold = float(settings["finder_threshold"]) if threshold is None else threshold
            self._still_threshold = float(settings["still_threshold"]) if threshold is None else threshold
            self._least = float(settings["least_confidence"])
            self._naming = Naming(folder, settings, pack)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise TableError("weights.no_settings", at=folder / "model.json", error=error) from None
        self.courts = courts
        if courts != "JQK":
            self._naming.learn_letters(courts)
        self._enrolled = enrolled is not None
        if enrolled is not None:
            self._naming.learn(enrolled)

    def learn(self, pack: EnrolledPack) -> list[tuple[str, str]]:
        """Count an enrolled pack's faces most from now on; says which of its cards read as others all the same."""
        self._naming.learn(pack)
        self._enrolled = True
        return self._naming.mistakes(pack)

    def read(self, image: NDArray[np.uint8], card_px: float = 100.0) -> list[Sighting]:
        """Read the cards in a picture.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in this picture, in pixels; within a third of the truth will do.

        Returns:
            One entry for each physical card, the surest first. Entries surer than 0.5 are readings to rely on;
            less sure ones are there for who knows what cards can be expected.
        """
        check(image, card_px)
        return self.gather(self.look(image, card_px), card_px)

    def look(self, image: NDArray[np.uint8], card_px: float, *, still: bool = False) -> list[Mark]:
        """The indices in a picture, read.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in this picture, in pixels.
            still: there is time, and several scales are tried: fainter finds count, and all is looked at twice.
        """
        plain = self._still_threshold if still else self._threshold
        # In a still picture, whose scale is tried, faint finds are too many to be told from print.
        faint = self._enrolled and not still
        found = self.find(image, card_px, min(plain, _FAINT) if faint else plain)
        found = found[: int((found.score >= plain).sum()) + _MOST_FAINT]
        if not len(found):
            return []
        names = self._naming.name(image, found, plain, thorough=still)
        found, names = as_words(self._naming, image, found, names, card_px)
        chances = once_a_card(found, names, card_px)
        surely = (names.near >= NEAR) & (chances[:, :-1].max(axis=1) >= SURE)
        # What is most likely no index says nothing about cards.
        counts = ((found.score >= plain) | surely) & (chances[:, -1] <= _NO_INDEX)
        return found[counts].marks(chances[counts])

    def gather(self, marks: list[Mark], card_px: float, *, flat: bool = True) -> list[Sighting]:
        """Put indices together to cards, the surest first; `flat` as in the grouping."""
        return gather(marks, card_px, self._least, flat=flat)

    def find(self, image: NDArray[np.uint8], card_px: float, threshold: float | None = None) -> Finds:
        """Find the indices, best first; ``threshold``: the finder's least score, the weights' own by default."""
        return self._finder.find(image, card_px, self._threshold if threshold is None else threshold)

    def name(self, image: NDArray[np.uint8], found: Finds) -> NDArray[np.float64]:
        """Read the found indices: (n, len(CARDS)) probabilities, the last for "no index"."""
        return self._naming.name(image, found).chances


def check(image: NDArray[np.uint8], card_px: float) -> None:
    """Refuse what is no colour picture and scales that make no sense."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or 0 in image.shape:
        raise TableError("image.no_colour", shape=str(image.shape), dtype=str(image.dtype))
    if not 5.0 <= card_px <= 5000.0:
        raise TableError("image.card_size", px=card_px)
