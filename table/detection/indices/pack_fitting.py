"""Fits a classifier to an enrolled pack within seconds, without training a network.

Each index that was shown is cropped again in many lights, sizes and turns, with variation like that of the finder and
the camera. Between a classifier's features and its heads' logits a small linear map is fitted to these crops
(multinomial logistic regression that starts from the heads and is regularised towards them), in the main directions of
the crops' features only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.indices import joker_exceptions
from table.detection.indices.class_labels import CARDS, JOKER, NONE, RANKS, SUITS, head_labels
from table.detection.indices.enrolled_pack import PATCH_WINDOW, Array, Example, PackClassifier
from table.detection.indices.index_crop import (
    NARROW_WINDOW,
    RANK_TO_SUIT_PX,
    CropWindow,
    crop_upright,
    normalize_white,
    upright_crop_matrix,
)
from table.errors import TableError

Network = Callable[[Array], list[Array]]

_TOTAL_VARIANTS: Final = 1800
"""The approximate number of variants of all indices together; each index gets _MIN_VARIANTS to _MAX_VARIANTS.

A wider window gets fewer by the ratio of the areas, because its variants cost more by it.
"""
_MIN_VARIANTS: Final = 4
_MAX_VARIANTS: Final = 20
_NEGATIVES_BESIDE: Final = 2
"""The number of negative crops beside each index."""
_DIRECTIONS: Final = 256
_DISTANCE_DIRECTIONS: Final = 64
"""The number of directions in which the distance from the examples is measured."""
_REGULARISATION: Final = 1e-3
"""The strength of the regularisation of the map towards zero ..."""
_BIAS_REGULARISATION: Final = 1e-3
"""... and of its last row, the bias."""
_ITERATIONS: Final = 30
_MIN_SPREAD_SHARE: Final = 0.05
"""A card's variants spread at least this share of the mean spread, in every direction."""
_BATCH: Final = 64

_HEAD_LABELS: Final = np.array([head_labels(card) for card in CARDS])
_NONE_NUMBER: Final = CARDS.index(NONE)


def fit_pack(
    examples: list[Example],
    network: Network,
    window: CropWindow,
    temperature: float,
    *,
    each: int | None = None,
    beside: int = _NEGATIVES_BESIDE,
    seed: int = 1,
) -> PackClassifier:
    """Fit one classifier to a pack's examples.

    Args:
        examples: the indices that were shown, and places where there is none ("none").
        network: the classifier's network: (n, 3, height, width) to rank logits, suit logits, features.
        window: its crop window.
        temperature: its temperature.
        each: the number of variants of each index; by default as many as there is time for.
        beside: the number of negative crops beside each index.
        seed: of the random variation; the same seed and examples give the same fit.

    Raises:
        TableError: no example was given, or the network gives no features.
    """
    shown = sum(example.card != NONE for example in examples)
    if not shown:
        raise TableError("weights.empty_pack")
    rng = np.random.default_rng(seed)
    if each is None:
        total = _TOTAL_VARIANTS * NARROW_WINDOW.width * NARROW_WINDOW.height // (window.width * window.height)
        each = int(np.clip(total // shown, _MIN_VARIANTS, _MAX_VARIANTS))
    crops, labels = augment_examples(examples, window, each, rng, beside)
    batches: list[list[Array]] = []
    for start in range(0, len(crops), _BATCH):
        outputs = network(normalize_white(crops[start : start + _BATCH], window))
        if len(outputs) < 3:
            raise TableError("weights.no_features")
        batches.append(outputs[:3])
    rank, suit, features = (np.concatenate([batch[k] for batch in batches]) for k in range(3))
    return fit_classifier(rank / temperature, suit / temperature, features, labels, rng)


def augment_examples(
    examples: list[Example],
    window: CropWindow,
    each: int,
    rng: np.random.Generator,
    beside: int = _NEGATIVES_BESIDE,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the examples' crops, as they are and varied (n, height, width, 3), and their numbers in ``CARDS``."""
    crops, labels = [], []
    for example in examples:
        is_none = example.card == NONE
        number = CARDS.index(example.card)
        crops.append(crop_patch(example.patch, window))
        labels.append(number)
        count, error_scale = (1 if is_none else each), 1.0
        if example.card == JOKER:
            count, error_scale = each * joker_exceptions.VARIANTS_FACTOR, joker_exceptions.FINDER_ERROR_FACTOR
        for _ in range(count):
            crops.append(vary_lighting(_vary_crop(example.patch, window, rng, error_scale), rng))
            labels.append(number)
        if not is_none:
            for _ in range(beside):
                crops.append(vary_lighting(_negative_crop(example.patch, window, rng), rng))
                labels.append(_NONE_NUMBER)
    return np.stack(crops), np.array(labels)


def crop_patch(
    patch: NDArray[np.uint8],
    window: CropWindow,
    turn_deg: float = 0.0,
    zoom: float = 1.0,
    shift: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
) -> NDArray[np.uint8]:
    """Crop a classifier's window from a stored patch; ``shift`` moves rank x y and suit x y, in patch pixels."""
    x, y = PATCH_WINDOW.rank_at
    rank = (x + shift[0], y + shift[1])
    suit = (x + shift[2], y + RANK_TO_SUIT_PX + shift[3])
    return crop_upright(patch, upright_crop_matrix(rank, suit, turn_deg, zoom, window), window)


def _vary_crop(
    patch: NDArray[np.uint8], window: CropWindow, rng: np.random.Generator, error_scale: float
) -> NDArray[np.uint8]:
    """Return a crop with ``errors`` times the finder's usual errors, sometimes at a lower resolution."""
    if rng.random() < 0.5:
        patch = _lower_resolution(patch, float(rng.uniform(0.4, 0.9)))
    sx, sy, tx, ty = rng.normal(0, 0.05 * RANK_TO_SUIT_PX * error_scale, 4)
    turn_deg, zoom = float(rng.normal(0, 5 * error_scale)), float(np.exp(rng.normal(0, 0.07 * error_scale)))
    return crop_patch(patch, window, turn_deg, zoom, (sx, sy, tx, ty))


def _negative_crop(
    patch: NDArray[np.uint8], window: CropWindow, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Return a crop that is no index: upside down, across, or beside one."""
    x, y = PATCH_WINDOW.rank_at
    centre = np.array([x, y + RANK_TO_SUIT_PX / 2])
    angle = float(rng.choice([180.0, 90.0, -90.0, 0.0]))
    if angle == 0.0:
        direction = rng.uniform(0, 2 * np.pi)
        centre = centre + np.array([np.cos(direction), np.sin(direction)]) * RANK_TO_SUIT_PX * rng.uniform(
            1.1, 1.7
        )
    angle_rad = np.radians(angle + rng.normal(0, 8))
    half = np.array([-np.sin(angle_rad), np.cos(angle_rad)]) * RANK_TO_SUIT_PX / 2
    rank, suit = centre - half, centre + half
    return crop_upright(
        patch, upright_crop_matrix((rank[0], rank[1]), (suit[0], suit[1]), 0.0, 1.0, window), window
    )


def _lower_resolution(patch: NDArray[np.uint8], factor: float) -> NDArray[np.uint8]:
    """Return the patch as a camera with fewer pixels would show it, at its original size."""
    height, width = patch.shape[:2]
    size = (max(4, round(width * factor)), max(4, round(height * factor)))
    small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def vary_lighting(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return the crop with random changes of light, sharpness, noise and occlusion; never mirrored."""
    height, width = crop.shape[:2]
    gamma, tint = rng.uniform(0.7, 1.4), 255 * rng.uniform(0.6, 1.2) * rng.uniform(0.85, 1.1, 3)
    tone_curve = np.clip((np.arange(256)[:, None] / 255) ** gamma * tint, 0, 255)
    changed = np.take_along_axis(tone_curve.astype(np.float32), crop.reshape(-1, 3), axis=0).reshape(
        crop.shape
    )
    if rng.random() < 0.3:
        # Glare or shadow across.
        angle, strength = rng.uniform(0, 2 * np.pi), 0.35 * rng.random()
        across = np.cos(angle) * np.linspace(-1, 1, width)[None, :]
        along = np.sin(angle) * np.linspace(-1, 1, height)[:, None]
        changed *= (1 + strength * (across + along)).astype(np.float32)[..., None]
    if rng.random() < 0.25:
        haze = rng.uniform(0, 70)
        changed = changed * np.float32(1 - haze / 255) + np.float32(haze)
    blur_choice = rng.random()
    if blur_choice < 0.35:
        changed = np.asarray(cv2.GaussianBlur(changed, (0, 0), rng.uniform(0.4, 2.0)), np.float32)
    elif blur_choice < 0.45:
        length = int(rng.integers(3, 8))
        line = np.zeros((length, length), np.float32)
        line[length // 2] = 1.0
        rotation = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), rng.uniform(0, 180), 1)
        kernel = np.asarray(cv2.warpAffine(line, rotation, (length, length)), np.float32)
        changed = np.asarray(cv2.filter2D(changed, -1, kernel / max(float(kernel.sum()), 1e-3)), np.float32)
    if rng.random() < 0.35:
        changed = changed + rng.standard_normal(changed.shape, dtype=np.float32) * np.float32(
            rng.uniform(2, 14)
        )
    if rng.random() < 0.15:
        # Another card, or a thumb, over one side.
        depth = int(rng.integers(3, max(4, width // 5)))
        sides = (changed[:depth], changed[-depth:], changed[:, :depth], changed[:, -depth:])
        sides[rng.integers(4)][:] = rng.uniform(20, 250)
    return np.asarray(np.clip(changed, 0, 255), np.uint8)


def fit_classifier(
    rank: NDArray[np.floating],
    suit: NDArray[np.floating],
    features: Array,
    labels: NDArray[np.int64],
    rng: np.random.Generator,
) -> PackClassifier:
    """Fit the map and the distance measure to labelled features.

    Args:
        rank: (n, 18) logits divided by the temperature.
        suit: (n, 5) likewise.
        features: (n, d).
        labels: (n,) numbers in ``CARDS``.
        rng: for the search of the main directions.
    """
    mean = features.mean(axis=0)
    basis = _main_directions(features - mean, min(_DIRECTIONS, *features.shape), rng)
    projected = (features - mean) @ basis
    return PackClassifier(
        mean.astype(np.float32),
        basis.astype(np.float32),
        _fit_map(rank, suit, projected, labels),
        *_fit_distance(projected[:, :_DISTANCE_DIRECTIONS], labels),
    )


def _main_directions(centred: Array, count: int, rng: np.random.Generator) -> Array:
    """Return the ``count`` main directions (d, count) of rows (n, d).

    The method is a randomised range finder with power iterations (Halko, Martinsson and Tropp 2011).
    """
    guess = rng.standard_normal((centred.shape[1], count + 8), dtype=np.float32)
    for _ in range(3):
        guess = _orthonormal_basis(centred.T @ (centred @ guess))
    small = centred @ guess
    _, eigenvectors = np.linalg.eigh(small.T @ small)
    return np.asarray(guess @ eigenvectors[:, ::-1][:, :count], np.float32)


def _orthonormal_basis(columns: Array) -> Array:
    """Return an orthonormal basis of the span of tall columns, from their products: far cheaper than a QR."""
    values, eigenvectors = np.linalg.eigh((columns.T @ columns).astype(np.float64))
    scale = 1.0 / np.sqrt(np.maximum(values, values[-1] * 1e-9))
    return np.asarray(columns @ (eigenvectors * scale), np.float32)


def _fit_map(
    rank: NDArray[np.floating],
    suit: NDArray[np.floating],
    projected: NDArray[np.floating],
    labels: NDArray[np.int64],
) -> Array:
    """Return the map's (k + 1, ranks + suits) weights.

    Newton steps with Böhning's bound in place of the Hessian (1992), which is the same for all classes and iterations,
    accelerated by Nesterov's method: no step size to choose.
    """
    rows = np.column_stack([projected, np.ones(len(projected))]).astype(np.float64)
    regularisation = np.full(rows.shape[1], _REGULARISATION)
    regularisation[-1] = _BIAS_REGULARISATION
    bound = np.linalg.inv(0.5 * rows.T @ rows / len(rows) + 2 * np.diag(regularisation))
    ranks = len(RANKS)
    targets = np.column_stack(
        [np.eye(ranks)[_HEAD_LABELS[labels, 0]], np.eye(len(SUITS))[_HEAD_LABELS[labels, 1]]]
    )
    weights = np.zeros((rows.shape[1], targets.shape[1]))
    previous = weights
    for k in range(_ITERATIONS):
        extrapolated = weights + k / (k + 3) * (weights - previous)
        correction = rows @ extrapolated
        predicted = np.column_stack(
            [_softmax(rank + correction[:, :ranks]), _softmax(suit + correction[:, ranks:])]
        )
        gradient = rows.T @ (predicted - targets) / len(rows) + 2 * regularisation[:, None] * extrapolated
        previous, weights = weights, extrapolated - bound @ gradient
    return weights.astype(np.float32)


def _softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the softmax of each row."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _fit_distance(projected: NDArray[np.floating], labels: NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the whitening (g, g) of one card's variants, and each card's centre (cards, g) in it."""
    cards = [number for number in np.unique(labels) if number != _NONE_NUMBER]
    groups = [projected[labels == number] for number in cards]
    residuals = np.concatenate([group - group.mean(axis=0) for group in groups]).astype(np.float64)
    covariance = residuals.T @ residuals / len(residuals)
    covariance += np.eye(len(covariance)) * max(
        float(np.trace(covariance)) / len(covariance) * _MIN_SPREAD_SHARE, 1e-9
    )
    whitening = np.linalg.cholesky(np.linalg.inv(covariance))
    centres = np.array([group.mean(axis=0) for group in groups]) @ whitening
    return whitening.astype(np.float32), centres.astype(np.float32)
