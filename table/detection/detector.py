"""The detector: detects the cards in a picture of the mark, or in any other picture of known scale.

models/README.md says how its networks are trained and how well they read.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from table.config.settings import COURTS
from table.detection.card_detections import CardDetection, assemble_detections
from table.detection.combined_posteriors import SURE, apply_priors_once_per_card
from table.detection.indices.classifier import NEAR_ENROLLED, TwoStageClassifier
from table.detection.indices.enrolled_pack import EnrolledPack
from table.detection.indices.index_pair_geometry import ReadIndex
from table.detection.indices.keypoints import FoundIndices, KeypointFinder
from table.detection.joker_words import classify_as_words
from table.detection.pips import PipReader
from table.errors import TableError
from table.phrase import expected_error

_FAINT_SCORE: Final = 0.03
"""With an enrolled pack the finder's score may be this low, for an index that resembles one of the pack ..."""
_MAX_FAINT: Final = 8
"""... but for at most this many indices of a picture; those of the highest score."""
_MAX_NONE_PROBABILITY: Final = 0.9
"""An index whose probability of being none exceeds this is dropped."""
WEIGHTS: Final = Path(__file__).with_name("weights")


class Detector:
    """Detects the cards in pictures; for use by one thread, without state between pictures."""

    def __init__(
        self,
        weights: Path | None = None,
        courts: str = "JQK",
        *,
        threshold: float | None = None,
        pack: Collection[str] | None = None,
        enrolled: EnrolledPack | None = None,
    ) -> None:
        """Load the networks and discriminants.

        Args:
            weights: a folder with finder.onnx, namer.onnx, second.onnx, pips.json and model.json; the packaged one
                by default.
            courts: the court cards' letters on the pack in use ("JQK", "BDK", "VDR").
            threshold: the least score of the finder; the weights' own by default.
            pack: the names of the cards in play, where they are known.
            enrolled: a pack whose faces count most (`cardtable enrol`).

        Raises:
            TableError: weights missing or damaged, unknown court letters, an enrolled pack that is empty.
        """
        if courts not in COURTS:
            raise TableError(expected_error("expected.courts", at="courts", instead=courts))
        folder = weights or WEIGHTS
        self._finder = KeypointFinder(folder / "finder.onnx")
        try:
            settings: dict[str, Any] = json.loads((folder / "model.json").read_text())
            self._threshold = float(settings["finder_threshold"]) if threshold is None else threshold
            self._still_threshold = float(settings["still_threshold"]) if threshold is None else threshold
            self._min_confidence = float(settings["least_confidence"])
            self._classifier = TwoStageClassifier(folder, settings, pack)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise TableError("weights.no_settings", at=folder / "model.json", error=error) from None
        self._pips = PipReader(folder / "pips.json")
        self.courts = courts
        if courts != "JQK":
            self._classifier.learn_court_letters(courts)
        self._enrolled = enrolled is not None
        if enrolled is not None:
            self._classifier.learn_pack(enrolled)

    def learn_pack(self, pack: EnrolledPack) -> list[tuple[str, str]]:
        """Adapt to an enrolled pack, whose faces then count most; return its cards that are still read as others."""
        self._classifier.learn_pack(pack)
        self._enrolled = True
        return self._classifier.find_misread_cards(pack)

    def read(self, image: NDArray[np.uint8], card_px: float = 100.0) -> list[CardDetection]:
        """Detect the cards in a picture.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in this picture, in pixels; within a third of the truth is enough.

        Returns:
            One detection for each physical card, the most confident first. Those above 0.5 can be relied on; the others
                are for
            callers who know which cards to expect.
        """
        check_image(image, card_px)
        return self.assemble_detections(self.read_indices(image, card_px), card_px, image=image)

    def read_indices(
        self, image: NDArray[np.uint8], card_px: float, *, still: bool = False
    ) -> list[ReadIndex]:
        """Find the corner indices in a picture and read them.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in this picture, in pixels.
            still: a still picture, tried at several scales without haste: fainter indices count, and each is classified
                twice.
        """
        min_score = self._still_threshold if still else self._threshold
        # In a still picture at several scales there are too many faint indices to tell them from print.
        allow_faint = self._enrolled and not still
        indices = self.find_indices(
            image, card_px, min(min_score, _FAINT_SCORE) if allow_faint else min_score
        )
        indices = indices[: int((indices.score >= min_score).sum()) + _MAX_FAINT]
        if not len(indices):
            return []
        posteriors = self._classifier.classify(image, indices, min_score, thorough=still)
        indices, posteriors = classify_as_words(self._classifier, image, indices, posteriors, card_px)
        probabilities = apply_priors_once_per_card(indices, posteriors, card_px)
        resembles_pack = (posteriors.nearness >= NEAR_ENROLLED) & (probabilities[:, :-1].max(axis=1) >= SURE)
        # What is most likely no index says nothing about cards.
        valid = ((indices.score >= min_score) | resembles_pack) & (
            probabilities[:, -1] <= _MAX_NONE_PROBABILITY
        )
        return indices[valid].with_posteriors(probabilities[valid])

    def assemble_detections(
        self,
        indices: list[ReadIndex],
        card_px: float,
        *,
        flat: bool = True,
        image: NDArray[np.uint8] | None = None,
    ) -> list[CardDetection]:
        """Group indices and return one detection for each card, the most confident first.

        ``flat`` as in grouping; ``image``: the picture, in which the pips of cards in doubt are read.
        """
        likelihoods = partial(self._pips.likelihoods, image) if image is not None else None
        return assemble_detections(
            indices, card_px, self._min_confidence, flat=flat, face_likelihoods=likelihoods
        )

    def find_indices(
        self, image: NDArray[np.uint8], card_px: float, threshold: float | None = None
    ) -> FoundIndices:
        """Find the indices, best first; ``threshold`` is the lowest finder score, the weights' own by default."""
        return self._finder.find(image, card_px, self._threshold if threshold is None else threshold)

    def classify_indices(self, image: NDArray[np.uint8], indices: FoundIndices) -> NDArray[np.float64]:
        """Classify found indices: return (n, len(CARDS)) probabilities, the last for "no index"."""
        return self._classifier.classify(image, indices).probabilities


def check_image(image: NDArray[np.uint8], card_px: float) -> None:
    """Raise `TableError` for an image that is not (H, W, 3) BGR bytes or a scale outside 5 to 5000 px a card."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or 0 in image.shape:
        raise TableError("image.no_colour", shape=str(image.shape), dtype=str(image.dtype))
    if not 5.0 <= card_px <= 5000.0:
        raise TableError("image.card_size", px=card_px)
