"""Two-stage classification of corner indices: a small network reads all, a larger one the uncertain ones again.

The first network is small, because most indices are plain. The second sees more of the card's corner, at seven times
the cost. (models/namer.py trains both.)
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from table.detection.indices import joker_exceptions
from table.detection.indices.class_labels import CARDS, JOKER, NONE, apply_priors, card_probabilities
from table.detection.indices.enrolled_pack import (
    REACH_NEAR,
    REACH_SAME,
    EnrolledPack,
    PackClassifier,
    nearness,
)
from table.detection.indices.foreign_court_letters import cache_fits, load_court_pack
from table.detection.indices.index_crop import (
    NARROW_WINDOW,
    WIDE_WINDOW,
    CropWindow,
    crop_upright,
    normalize_white,
    upright_crop_matrix,
)
from table.detection.indices.keypoints import FoundIndices
from table.detection.indices.onnx_inference import Network
from table.detection.indices.pack_fitting import crop_patch, fit_pack
from table.errors import TableError

CropVariants = tuple[tuple[float, float], ...]
"""Variants of a crop (test-time augmentation): turn in degrees and zoom of each."""

_LETTERS_LAYER: Final = "letters"
_PACK_LAYER: Final = "pack"
"""The layers of what is learned: other court letters first, then the enrolled pack, which has the last word."""
_CERTAIN: Final = 0.95
"""A first classification above this probability is final."""
_MAX_RECHECKED: Final = 24
"""At most this many indices of a picture are classified again, those of the highest finder score."""
_SECOND_VARIANTS: Final[CropVariants] = ((0.0, 1.0), (7.0, 1.0), (-7.0, 1.0))
"""The variants of the second stage: the finder's angle errs a little, and the variants' errors partly cancel."""
_FIRST_WEIGHT: Final = 0.25
"""The weight of the first stage where there was a second."""
NEAR_ENROLLED: Final = 0.5
"""A faint detection that is nearer than this to an enrolled index is classified again too, and then counts."""
_FOREIGN_PRIOR: Final = 0.02
"""The prior of a card that is not in play: a stray one may still be on the table."""


@dataclass(frozen=True)
class ClassPosteriors:
    """The class posteriors of n corner indices."""

    probabilities: NDArray[np.float64]
    """(n, len(CARDS)) probabilities, the last for "no index"."""
    priors: NDArray[np.float64]
    """(n, len(CARDS)): the prior of each card, which ``probabilities`` contain as a factor."""
    nearness: NDArray[np.float64]
    """(n,): how near each index is to those of the enrolled pack, 0 to 1."""

    @property
    def equal_prior_probabilities(self) -> NDArray[np.float64]:
        """The class probabilities if all cards had the same prior."""
        return apply_priors(self.probabilities, 1.0 / self.priors)


class IndexClassifier:
    """One network that classifies upright crops of corner indices."""

    def __init__(self, path: Path, window: CropWindow, temperature: float) -> None:
        """Load the network; its temperature was fitted on held-out crops."""
        self._network = Network(path)
        self._window = window
        self._temperature = temperature
        self._pack_classifiers: dict[str, PackClassifier] = {}

    def learn_pack(self, layer: str, pack: EnrolledPack, each: int | None = None, beside: int = 2) -> bool:
        """Fit the classifier to the examples of a pack.

        Args:
            layer: the layer's name; an earlier layer of the same name is replaced.
            pack: the examples; an earlier fit of this network is taken from the pack, a new one is stored in it.
            each: variants of each example, where a fit is needed.
            beside: negative crops beside each example.

        Returns:
            Whether a fit was needed.
        """
        fingerprint = self._network.fingerprint
        is_new = fingerprint not in pack.fits
        if is_new:
            pack.fits[fingerprint] = fit_pack(
                pack.examples, self._network, self._window, self._temperature, each=each, beside=beside
            )
        fit = pack.fits[fingerprint]
        features = self._network(np.zeros((1, 3, self._window.height, self._window.width), np.float32))[2:3]
        if not features or features[0].shape[1] != len(fit.mean):
            raise TableError("weights.other_pack")
        self._pack_classifiers[layer] = fit
        return is_new

    def classify(
        self, image: NDArray[np.uint8], indices: FoundIndices, variants: CropVariants
    ) -> tuple[NDArray[np.float64], dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]]:
        """Classify each index; all values are means over its variants.

        Returns:
            (n, len(CARDS)) probabilities; for each learned layer the same by its classifier, and (n,) the distance of
            the index from the layer's examples.
        """
        rank, suit, *features = self.run_network(image, indices, variants)
        shape = (len(indices), len(variants))
        probabilities = card_probabilities(rank, suit, self._temperature)
        by_layer = {}
        for layer, fit in self._pack_classifiers.items():
            layer_probabilities, distances = fit.classify(rank, suit, features[0], self._temperature)
            by_layer[layer] = (
                _mean_of_variants(layer_probabilities, shape),
                _mean_of_variants(distances, shape),
            )
        return _mean_of_variants(probabilities, shape), by_layer

    def find_misread_cards(self, pack: EnrolledPack) -> list[tuple[str, str]]:
        """Return enrolled cards whose own index reads as another card: pairs (card, read as), each once."""
        examples = [example for example in pack.examples if example.card != NONE]
        fit = pack.fits[self._network.fingerprint]
        misread = []
        for start in range(0, len(examples), 64):
            batch = examples[start : start + 64]
            cutouts = np.stack([crop_patch(example.patch, self._window) for example in batch])
            rank, suit, features = self._network(normalize_white(cutouts, self._window))[:3]
            probabilities, _ = fit.classify(rank, suit, features, self._temperature)
            read_cards = [CARDS[k] for k in probabilities.argmax(axis=1)]
            misread += [
                (example.card, read_card)
                for example, read_card in zip(batch, read_cards, strict=True)
                if example.card != read_card
            ]
        return list(dict.fromkeys(misread))

    def run_network(
        self, image: NDArray[np.uint8], indices: FoundIndices, variants: CropVariants
    ) -> list[NDArray[np.float32]]:
        """Run the network on the crops of all indices and variants.

        Returns:
            (n * variants, ...) each: rank logits, suit logits, features.
        """
        crops = [
            crop_upright(
                image,
                upright_crop_matrix((rx, ry), (sx, sy), turn, zoom, self._window),
                self._window,
            )
            for (rx, ry), (sx, sy) in zip(indices.rank.tolist(), indices.suit.tolist(), strict=True)
            for turn, zoom in variants
        ]
        return self._network(normalize_white(np.stack(crops), self._window))


class TwoStageClassifier:
    """The two networks as one classifier."""

    def __init__(self, folder: Path, settings: dict[str, Any], pack: Collection[str] | None = None) -> None:
        """Load the networks of a weights folder.

        Args:
            folder: the folder of namer.onnx and second.onnx.
            settings: the content of the folder's model.json.
            pack: the names of the cards in play, where they are known; others then have a low prior.
        """
        self.first = IndexClassifier(folder / "namer.onnx", NARROW_WINDOW, float(settings["temperature"]))
        self.second = IndexClassifier(
            folder / "second.onnx", WIDE_WINDOW, float(settings["second_temperature"])
        )
        priors = {JOKER: float(settings["joker_share"])}
        if pack is not None:
            priors = {card: 1.0 if card in pack else _FOREIGN_PRIOR for card in CARDS if card != NONE}
            priors[JOKER] = min(priors[JOKER], joker_exceptions.MAX_JOKER_PRIOR)
        self._priors = np.array([priors.get(card, 1.0) for card in CARDS])
        self._layers: dict[str, _PackLayer] = {}

    def learn_court_letters(self, courts: str) -> None:
        """Adapt to court cards with the letters ``courts``."""
        pack, cache_path = load_court_pack(courts)
        fitted = [
            classifier.learn_pack(_LETTERS_LAYER, pack, each=2, beside=1)
            for classifier in (self.first, self.second)
        ]
        if any(fitted):
            cache_fits(pack, cache_path)
        known_cards = pack.index_counts
        unknown = np.array([card not in known_cards and card != NONE for card in CARDS])
        self._layers[_LETTERS_LAYER] = _PackLayer(self._priors, unknown)

    def learn_pack(self, pack: EnrolledPack) -> None:
        """Adapt to an enrolled pack, whose faces then count most."""
        self.first.learn_pack(_PACK_LAYER, pack)
        self.second.learn_pack(_PACK_LAYER, pack)
        self._layers[_PACK_LAYER] = _PackLayer(pack.priors_if_near(self._priors), pack.find_unseen_cards())

    def find_misread_cards(self, pack: EnrolledPack) -> list[tuple[str, str]]:
        """Return enrolled cards whose own index reads as another card (the pack must have been learned)."""
        return self.first.find_misread_cards(pack)

    def classify(
        self,
        image: NDArray[np.uint8],
        indices: FoundIndices,
        min_score: float = 0.0,
        *,
        thorough: bool = False,
    ) -> ClassPosteriors:
        """Classify the detected indices.

        Args:
            image: the picture.
            indices: the indices, best first.
            min_score: below this finder score only indices that are near to the enrolled pack's ones are classified
                again.
            thorough: classify all again that may be an index, also where the first stage was certain.
        """
        posteriors = self._combine_with_layers(*self.first.classify(image, indices, ((0.0, 1.0),)))
        eligible = (indices.score >= min_score) | (posteriors.nearness >= NEAR_ENROLLED)
        first_certainty = (
            posteriors.probabilities[:, -1] if thorough else posteriors.probabilities.max(axis=1)
        )
        rechecked = np.flatnonzero((first_certainty < _CERTAIN) & eligible)[
            : None if thorough else _MAX_RECHECKED
        ]
        if len(rechecked):
            second = self._combine_with_layers(
                *self.second.classify(image, indices[rechecked], _SECOND_VARIANTS)
            )
            for whole, part in (
                (posteriors.probabilities, second.probabilities),
                (posteriors.priors, second.priors),
                (posteriors.nearness, second.nearness),
            ):
                whole[rechecked] = _FIRST_WEIGHT * whole[rechecked] + (1 - _FIRST_WEIGHT) * part
        return posteriors

    def _combine_with_layers(
        self,
        probabilities: NDArray[np.float64],
        by_layer: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
    ) -> ClassPosteriors:
        """Combine the network's own probabilities with those of the learned layers."""
        probabilities = apply_priors(probabilities, self._priors)
        priors = np.tile(self._priors, (len(probabilities), 1))
        nearness_to_pack = np.zeros(len(probabilities))
        for name, layer in self._layers.items():
            layer_probabilities, distances = by_layer[name]
            # A card that was not shown cannot be mistaken for a shown one, unless it looks just like one.
            unknown_probability = probabilities[:, layer.unknown].sum(axis=1)
            layer_weight = (1 - unknown_probability) * nearness(
                distances, REACH_NEAR
            ) + unknown_probability * nearness(distances, REACH_SAME)
            probabilities = (1 - layer_weight[:, None]) * probabilities + layer_weight[
                :, None
            ] * apply_priors(layer_probabilities, layer.shares)
            priors = (1 - layer_weight[:, None]) * priors + layer_weight[:, None] * layer.shares
            if name == _PACK_LAYER:
                nearness_to_pack = layer_weight
        return ClassPosteriors(probabilities, priors, nearness_to_pack)


@dataclass(frozen=True)
class _PackLayer:
    """One learned layer: the priors of the cards in it, and the cards that it does not know."""

    shares: NDArray[np.float64]
    unknown: NDArray[np.bool_]


def _mean_of_variants(values: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return the mean over the variants of each index."""
    return np.asarray(values.reshape(*shape, *values.shape[1:]).mean(axis=1))
