"""The owner's enrolled pack: pictures of its corner indices (`cardtable enrol`), and the classifiers' fits to them.

The file stores pictures of the indices, so it stays valid when the networks change. A fit belongs to one network and is
stored beside them; with other networks it is made anew when the pack is loaded
(table/detection/indices/pack_fitting.py).

How it classifies: a linear map of the features before a classifier's heads is added to the heads' logits. The distance
of the features from the shown indices decides how much that counts: a crop unlike all of them, one of another pack, is
read as if nothing had been enrolled.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.indices.class_labels import CARDS, CARDS_OF_63, NONE, RANKS, SUITS, card_probabilities
from table.detection.indices.index_crop import CropWindow
from table.detection.indices.npz_files import parse_npz
from table.errors import TableError
from table.files.atomic_writing import replace_file
from table.files.picture_and_video_reading import decode_picture
from table.files.safe_reading import MOST_PACK, parse_json, read_bytes
from table.phrase import make_phrase

FORMAT: Final = 1
_EXPECTED_PACK: Final = make_phrase("expected.pack")
PATCH_WINDOW: Final = CropWindow(116, 140, (46, 46))
"""The stored window around an index: the crop of either classifier with room to turn, shift and shrink it."""
REACH_NEAR: Final = 2.5
"""The squared distance, as a multiple of the number of dimensions, at which a crop's nearness is a half.

Indices of the enrolled pack lie at 1 to 4 times, of others at 2 to 8 (held-out packs). Farther out, all is read as
without a pack.
"""
REACH_SAME: Final = 0.6
"""The same for a crop that may be a card of the pack that was never shown.

Of variants of cards that were shown (half of each of seven held-out packs) three in four lie within it; a 2 lies beyond
it from a Z for a jack.
"""
_BORDER_SOFTNESS: Final = 0.05
"""The width of the soft border at these distances, as a share of them."""
_MAX_PER_CARD: Final = 8
"""At most this many indices of a card are stored ..."""
_MAX_NEGATIVES: Final = 160
"""... and this many places without an index."""
_MIN_CARDS: Final = 10
"""Fewer cards than this do not show a pack's pips and pictures: "none" then needs a crop just like an enrolled one."""

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Example:
    """One corner index as it was shown, upright: of ``PATCH_WINDOW``'s size, BGR; ``card`` may be "none"."""

    card: str
    patch: NDArray[np.uint8]


@dataclass(frozen=True)
class PackClassifier:
    """A pack's fit for one classifier: d features, k of their main directions, g of these for the distance."""

    mean: Array
    """(d,): the mean of the features."""
    basis: Array
    """(d, k): the main directions, the strongest first."""
    delta: Array
    """(k + 1, ranks + suits): the weights that are added to the heads' logits; the last row is the bias."""
    whiten: Array
    """(g, g): the whitening, which makes the spread of one card's variants equal in every direction."""
    centres: Array
    """(cards, g): the mean position of each enrolled card's indices, whitened."""

    def classify(
        self, rank: Array, suit: Array, features: Array, temperature: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Classify crops by their features.

        Args:
            rank: (n, 18) logits of the rank head.
            suit: (n, 5) logits of the suit head.
            features: (n, d).
            temperature: divides the logits.

        Returns:
            (n, len(CARDS)) probabilities; (n,) the distance of each crop from the enrolled indices (`nearness`).
        """
        projected = (features - self.mean) @ self.basis
        correction = projected @ self.delta[:-1] + self.delta[-1]
        ranks = len(RANKS)
        probabilities = card_probabilities(
            rank / temperature + correction[:, :ranks], suit / temperature + correction[:, ranks:]
        )
        size = len(self.whiten)
        whitened = projected[:, :size] @ self.whiten
        distances = (
            (whitened**2).sum(axis=1)[:, None] - 2 * whitened @ self.centres.T + (self.centres**2).sum(axis=1)
        )
        return probabilities, distances.min(axis=1).astype(np.float64) / size


def nearness(distance: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return how near a crop is to an enrolled index, 0 to 1; a half at the distance ``reach``."""
    return np.asarray(1.0 / (1.0 + np.exp(np.clip((distance / reach - 1) / _BORDER_SOFTNESS, -50, 50))))


@dataclass
class EnrolledPack:
    """The examples of a pack, and the fits to them by the network's fingerprint (`Network.fingerprint`)."""

    examples: list[Example] = field(default_factory=list)
    fits: dict[str, PackClassifier] = field(default_factory=dict)

    @property
    def index_counts(self) -> dict[str, int]:
        """The number of indices of each enrolled card, in the order of ``CARDS``."""
        return {
            card: count
            for card in CARDS
            if card != NONE and (count := sum(example.card == card for example in self.examples))
        }

    def replace_examples(self, shown: list[Example]) -> None:
        """Add examples, which replace all earlier ones of the same cards; drops the fits."""
        shown_cards = {example.card for example in shown} - {NONE}
        by_card: dict[str, list[Example]] = {}
        for example in [*(example for example in self.examples if example.card not in shown_cards), *shown]:
            by_card.setdefault(example.card, []).append(example)
        # This many are enough to learn a card; more would cost time at every change of the weights.
        self.examples = [
            example
            for card, examples in by_card.items()
            for example in _sample_evenly(examples, _max_examples(card))
        ]
        self.fits = {}

    def priors_if_near(self, priors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the priors for crops near an enrolled index: 1 for enrolled cards, the given ones for others."""
        enrolled = self.index_counts
        return np.array(
            [1.0 if card in enrolled else prior for card, prior in zip(CARDS, priors, strict=True)]
        )

    def find_unseen_cards(self) -> NDArray[np.bool_]:
        """Return which cards the pack certainly has though they were never shown: a reading as one of these stands.

        "none" is among them where few cards were shown.
        """
        enrolled = self.index_counts
        has_high_cards = any(card in CARDS_OF_63 for card in enrolled)
        few_cards = len(enrolled) < _MIN_CARDS
        return np.array(
            [
                card not in enrolled
                and (has_high_cards or card not in CARDS_OF_63)
                and (few_cards or card != NONE)
                for card in CARDS
            ]
        )


def _max_examples(card: str) -> int:
    """Return how many examples of a card are stored at most, or of places without an index."""
    return _MAX_NEGATIVES if card == NONE else _MAX_PER_CARD


def _sample_evenly(examples: list[Example], count: int) -> list[Example]:
    """Return at most ``count`` examples, taken evenly from the whole list."""
    return [examples[k] for k in np.unique(np.linspace(0, len(examples) - 1, count).round().astype(int))]


FILE_MODE: Final = 0o644
"""The mode of a pack's file: everybody may read it."""


def save_pack(path: Path, pack: EnrolledPack) -> None:
    """Write the pack file atomically: the old file stays whole until the new one is complete."""
    arrays: dict[str, Any] = {}
    pictures = [_encode(example.patch) for example in pack.examples]
    arrays["sizes"] = np.array([len(picture) for picture in pictures], np.int64)
    arrays["pictures"] = np.concatenate([*pictures, np.zeros(0, np.uint8)])
    header = {
        "format": FORMAT,
        "cards": [example.card for example in pack.examples],
        "fits": list(pack.fits),
    }
    arrays["about"] = np.array(json.dumps(header))
    for number, fit in enumerate(pack.fits.values()):
        for attribute in fields(PackClassifier):
            # The directions are most of the data, and half precision is enough for them.
            dtype = np.float16 if attribute.name == "basis" else np.float32
            arrays[f"{attribute.name}{number}"] = getattr(fit, attribute.name).astype(dtype)
    data = io.BytesIO()
    np.savez(data, **arrays)
    try:
        # The user who enrolls is not always the one who plays, and the file holds no secret.
        replace_file(path, data.getvalue(), mode=FILE_MODE)
    except OSError as error:
        raise TableError(
            "file.not_written_as", at=path, error=error, expected=make_phrase("expected.pack_place")
        ) from None


def _encode(patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    _, data = cv2.imencode(".png", patch)
    return np.asarray(data, np.uint8).reshape(-1)


def load_pack(path: Path) -> EnrolledPack:
    """Read a pack file; raise `TableError` with what is wrong with it."""
    data = read_bytes(path, _EXPECTED_PACK, MOST_PACK)
    try:
        return _parse_pack(parse_npz(data, MOST_PACK))
    except (ValueError, KeyError, TypeError):
        raise TableError("file.damaged", at=path, expected=_EXPECTED_PACK) from None


def _parse_pack(arrays: Mapping[str, NDArray[Any]]) -> EnrolledPack:
    """Return the pack in these arrays; raise ``ValueError``, ``KeyError`` or ``TypeError`` if they hold none."""
    header = parse_json(str(arrays["about"]))
    if header["format"] != FORMAT:
        raise ValueError
    # More examples than a pack keeps would take minutes, and gigabytes, to learn.
    if any(count > _max_examples(card) for card, count in Counter(header["cards"]).items()):
        raise ValueError
    sizes, pictures = arrays["sizes"], arrays["pictures"]
    if sizes.ndim != 1 or sizes.dtype.kind != "i" or not all(0 < size <= len(pictures) for size in sizes):
        raise ValueError
    examples = []
    for card, end, size in zip(header["cards"], np.cumsum(sizes), sizes, strict=True):
        patch = decode_picture(pictures[end - size : end].tobytes())
        if card not in CARDS or patch is None or patch.shape != (PATCH_WINDOW.height, PATCH_WINDOW.width, 3):
            raise ValueError
        examples.append(Example(card, patch))
    return EnrolledPack(
        examples,
        {
            _parse_fingerprint(fingerprint): _parse_classifier(arrays, number)
            for number, fingerprint in enumerate(header["fits"])
        },
    )


def _parse_fingerprint(fingerprint: object) -> str:
    if not isinstance(fingerprint, str):
        raise TypeError
    return fingerprint


def _parse_classifier(arrays: Mapping[str, NDArray[Any]], number: int) -> PackClassifier:
    fit = PackClassifier(
        **{
            attribute.name: np.asarray(arrays[f"{attribute.name}{number}"], np.float32)
            for attribute in fields(PackClassifier)
        }
    )
    (size,), (cards, dimensions) = fit.mean.shape, fit.centres.shape
    directions = len(fit.delta) - 1
    expected = ((size, directions), (directions + 1, len(RANKS) + len(SUITS)), (dimensions, dimensions))
    if (
        (fit.basis.shape, fit.delta.shape, fit.whiten.shape) != expected
        or not cards
        or dimensions > directions
    ):
        raise ValueError
    if not all(np.isfinite(getattr(fit, attribute.name)).all() for attribute in fields(PackClassifier)):
        raise ValueError
    return fit
