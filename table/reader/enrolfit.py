"""Learns an enrolled pack: seconds, no training.

Each index that was shown is looked at again in many lights, sizes and turns, the way the finder and the camera vary it.
Between a namer's features and its heads' logits a small linear map is fitted to these looks (multinomial logistic
regression that starts from the heads and is held to them), in the main directions of the looks only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.errors import TableError
from table.reader import jokers
from table.reader.cutout import NARROW, REACH, Window, cut_upright, upright_matrix, whiten
from table.reader.enrolled import PATCH, Array, Example, Fit
from table.reader.labels import CARDS, JOKER, NONE, RANKS, SUITS, split

Network = Callable[[Array], list[Array]]

_LOOKS: Final = 1800
"""Looks at all indices together, about; each gets at least _FEWEST and at most _MOST. Of a wider window fewer by its
area, for they cost more by it."""
_FEWEST: Final = 4
_MOST: Final = 20
_NOWHERE: Final = 2
"""Looks beside each index, where none is."""
_DIRECTIONS: Final = 256
_NEARNESS: Final = 64
"""Directions in which nearness is told."""
_HELD: Final = 1e-3
"""How strongly the map is held to nothing ..."""
_HELD_ALONE: Final = 1e-3
"""... and its last row, which no feature changes."""
_ROUNDS: Final = 30
_SPREAD: Final = 0.05
"""A card's looks spread at least this share of the mean spread, in every direction."""
_BATCH: Final = 64

_SPLIT: Final = np.array([split(card) for card in CARDS])
_NONE: Final = CARDS.index(NONE)


def fit_pack(
    examples: list[Example],
    network: Network,
    window: Window,
    temperature: float,
    *,
    each: int | None = None,
    beside: int = _NOWHERE,
    seed: int = 1,
) -> Fit:
    """Learn a pack for one namer.

    Args:
        examples: the indices that were shown, and places where there is none ("none").
        network: the namer: (n, 3, height, width) to rank logits, suit logits, features.
        window: its cut-outs.
        temperature: its temperature.
        each: how many looks at each index; as many as there is time for by default.
        beside: how many looks beside each index.
        seed: of the looks' chance; the same seed and examples give the same fit.

    Raises:
        TableError: nothing was shown, or the network gives no features.
    """
    shown = sum(example.card != NONE for example in examples)
    if not shown:
        raise TableError("weights.empty_pack")
    rng = np.random.default_rng(seed)
    if each is None:
        looks_at_all = _LOOKS * NARROW.width * NARROW.height // (window.width * window.height)
        each = int(np.clip(looks_at_all // shown, _FEWEST, _MOST))
    cutouts, labels = looks(examples, window, each, rng, beside)
    parts: list[list[Array]] = []
    for start in range(0, len(cutouts), _BATCH):
        outputs = network(whiten(cutouts[start : start + _BATCH], window))
        if len(outputs) < 3:
            raise TableError("weights.no_features")
        parts.append(outputs[:3])
    rank, suit, features = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return fit(rank / temperature, suit / temperature, features, labels, rng)


def looks(
    examples: list[Example], window: Window, each: int, rng: np.random.Generator, beside: int = _NOWHERE
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The examples' cut-outs as they are and varied: (n, height, width, 3), numbers in ``CARDS``."""
    cutouts, labels = [], []
    for example in examples:
        none = example.card == NONE
        number = CARDS.index(example.card)
        cutouts.append(cut_patch(example.patch, window))
        labels.append(number)
        count, errors = (1 if none else each), 1.0
        if example.card == JOKER:
            count, errors = each * jokers.MORE_LOOKS, jokers.VAGUE
        for _ in range(count):
            cutouts.append(light(_varied(example.patch, window, rng, errors), rng))
            labels.append(number)
        if not none:
            for _ in range(beside):
                cutouts.append(light(_beside(example.patch, window, rng), rng))
                labels.append(_NONE)
    return np.stack(cutouts), np.array(labels)


def cut_patch(
    patch: NDArray[np.uint8],
    window: Window,
    turn_deg: float = 0.0,
    zoom: float = 1.0,
    shift: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
) -> NDArray[np.uint8]:
    """A namer's cut-out from a kept patch; ``shift`` moves rank x y, suit x y, patch pixels."""
    x, y = PATCH.rank_at
    rank = (x + shift[0], y + shift[1])
    suit = (x + shift[2], y + REACH + shift[3])
    return cut_upright(patch, upright_matrix(rank, suit, turn_deg, zoom, window), window)


def _varied(
    patch: NDArray[np.uint8], window: Window, rng: np.random.Generator, errors: float
) -> NDArray[np.uint8]:
    """A cut-out with the finder's errors, so many times as large as usual, sometimes from farther away."""
    if rng.random() < 0.5:
        patch = _coarser(patch, float(rng.uniform(0.4, 0.9)))
    sx, sy, tx, ty = rng.normal(0, 0.05 * REACH * errors, 4)
    turn, zoom = float(rng.normal(0, 5 * errors)), float(np.exp(rng.normal(0, 0.07 * errors)))
    return cut_patch(patch, window, turn, zoom, (sx, sy, tx, ty))


def _beside(patch: NDArray[np.uint8], window: Window, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A cut-out that is no index: upside down, across, or beside one."""
    x, y = PATCH.rank_at
    middle = np.array([x, y + REACH / 2])
    angle = float(rng.choice([180.0, 90.0, -90.0, 0.0]))
    if angle == 0.0:
        away = rng.uniform(0, 2 * np.pi)
        middle = middle + np.array([np.cos(away), np.sin(away)]) * REACH * rng.uniform(1.1, 1.7)
    turn = np.radians(angle + rng.normal(0, 8))
    half = np.array([-np.sin(turn), np.cos(turn)]) * REACH / 2
    rank, suit = middle - half, middle + half
    return cut_upright(
        patch, upright_matrix((rank[0], rank[1]), (suit[0], suit[1]), 0.0, 1.0, window), window
    )


def _coarser(patch: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """As a camera with fewer pixels would give it, in its old size."""
    height, width = patch.shape[:2]
    size = (max(4, round(width * share)), max(4, round(height * share)))
    small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def light(cutout: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The cut-out in another light, less sharp, noisy, partly covered; each sometimes. Never mirrored."""
    height, width = cutout.shape[:2]
    gamma, tint = rng.uniform(0.7, 1.4), 255 * rng.uniform(0.6, 1.2) * rng.uniform(0.85, 1.1, 3)
    curve = np.clip((np.arange(256)[:, None] / 255) ** gamma * tint, 0, 255)
    out = np.take_along_axis(curve.astype(np.float32), cutout.reshape(-1, 3), axis=0).reshape(cutout.shape)
    if rng.random() < 0.3:
        # Glare or shadow across.
        angle, strength = rng.uniform(0, 2 * np.pi), 0.35 * rng.random()
        across = np.cos(angle) * np.linspace(-1, 1, width)[None, :]
        along = np.sin(angle) * np.linspace(-1, 1, height)[:, None]
        out *= (1 + strength * (across + along)).astype(np.float32)[..., None]
    if rng.random() < 0.25:
        haze = rng.uniform(0, 70)
        out = out * np.float32(1 - haze / 255) + np.float32(haze)
    chance = rng.random()
    if chance < 0.35:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 2.0)), np.float32)
    elif chance < 0.45:
        length = int(rng.integers(3, 8))
        line = np.zeros((length, length), np.float32)
        line[length // 2] = 1.0
        turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), rng.uniform(0, 180), 1)
        smear = np.asarray(cv2.warpAffine(line, turn, (length, length)), np.float32)
        out = np.asarray(cv2.filter2D(out, -1, smear / max(float(smear.sum()), 1e-3)), np.float32)
    if rng.random() < 0.35:
        out = out + rng.standard_normal(out.shape, dtype=np.float32) * np.float32(rng.uniform(2, 14))
    if rng.random() < 0.15:
        # Another card, or a thumb, over one side.
        depth = int(rng.integers(3, max(4, width // 5)))
        sides = (out[:depth], out[-depth:], out[:, :depth], out[:, -depth:])
        sides[rng.integers(4)][:] = rng.uniform(20, 250)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def fit(
    rank: NDArray[np.floating],
    suit: NDArray[np.floating],
    features: Array,
    labels: NDArray[np.int64],
    rng: np.random.Generator,
) -> Fit:
    """Fit the map and the nearness to looks.

    Args:
        rank: (n, 18) logits by temperature.
        suit: (n, 5) likewise.
        features: (n, d).
        labels: (n,) numbers in ``CARDS``.
        rng: for the search of the main directions.
    """
    mean = features.mean(axis=0)
    basis = _directions(features - mean, min(_DIRECTIONS, *features.shape), rng)
    place = (features - mean) @ basis
    return Fit(
        mean.astype(np.float32),
        basis.astype(np.float32),
        _map(rank, suit, place, labels),
        *_nearness(place[:, :_NEARNESS], labels),
    )


def _directions(centred: Array, count: int, rng: np.random.Generator) -> Array:
    """The ``count`` main directions (d, count) of rows (n, d): a randomised range finder with power iterations
    (Halko, Martinsson and Tropp 2011)."""
    guess = rng.standard_normal((centred.shape[1], count + 8), dtype=np.float32)
    for _ in range(3):
        guess = _frame(centred.T @ (centred @ guess))
    small = centred @ guess
    _, turn = np.linalg.eigh(small.T @ small)
    return np.asarray(guess @ turn[:, ::-1][:, :count], np.float32)


def _frame(columns: Array) -> Array:
    """An orthonormal frame of what tall columns span: by way of their products, far cheaper than a QR."""
    values, turn = np.linalg.eigh((columns.T @ columns).astype(np.float64))
    scale = 1.0 / np.sqrt(np.maximum(values, values[-1] * 1e-9))
    return np.asarray(columns @ (turn * scale), np.float32)


def _map(
    rank: NDArray[np.floating],
    suit: NDArray[np.floating],
    place: NDArray[np.floating],
    labels: NDArray[np.int64],
) -> Array:
    """The map's (k + 1, ranks + suits) weights.

    Newton steps with Böhning's bound in place of the Hessian (1992), which is the same for all classes and rounds, sped
    up as Nesterov does: no step size to choose.
    """
    rows = np.column_stack([place, np.ones(len(place))]).astype(np.float64)
    held = np.full(rows.shape[1], _HELD)
    held[-1] = _HELD_ALONE
    bound = np.linalg.inv(0.5 * rows.T @ rows / len(rows) + 2 * np.diag(held))
    ranks = len(RANKS)
    wanted = np.column_stack([np.eye(ranks)[_SPLIT[labels, 0]], np.eye(len(SUITS))[_SPLIT[labels, 1]]])
    weights = np.zeros((rows.shape[1], wanted.shape[1]))
    before = weights
    for k in range(_ROUNDS):
        ahead = weights + k / (k + 3) * (weights - before)
        added = rows @ ahead
        said = np.column_stack([_softmax(rank + added[:, :ranks]), _softmax(suit + added[:, ranks:])])
        slope = rows.T @ (said - wanted) / len(rows) + 2 * held[:, None] * ahead
        before, weights = weights, ahead - bound @ slope
    return weights.astype(np.float32)


def _softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _nearness(place: NDArray[np.floating], labels: NDArray[np.int64]) -> tuple[Array, Array]:
    """The whitening (g, g) of one card's looks, and each card's centre (cards, g) in it."""
    cards = [number for number in np.unique(labels) if number != _NONE]
    groups = [place[labels == number] for number in cards]
    rest = np.concatenate([group - group.mean(axis=0) for group in groups]).astype(np.float64)
    spread = rest.T @ rest / len(rest)
    spread += np.eye(len(spread)) * max(float(np.trace(spread)) / len(spread) * _SPREAD, 1e-9)
    whiten = np.linalg.cholesky(np.linalg.inv(spread))
    centres = np.array([group.mean(axis=0) for group in groups]) @ whiten
    return whiten.astype(np.float32), centres.astype(np.float32)
