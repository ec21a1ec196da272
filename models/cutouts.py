"""Cut-outs with labels, from which the namers learn.

They come from pool scenes (lamp, blur, overlap and all, with the finder's errors in place, size and angle). A fifth
shows no index: other parts of cards, background, indices upside down or far off, and what the finder itself took for
an index (models/mine.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.mine import MARGIN
from models.pool import Pools, PoolScene
from table.detection.indices.class_labels import CARDS, JOKER, NONE
from table.detection.indices.index_crop import (
    NARROW_WINDOW,
    RANK_TO_SUIT_PX,
    WIDE_WINDOW,
    CropWindow,
    crop_upright,
    upright_crop_matrix,
)

_NONE = CARDS.index(NONE)
_JOKER = CARDS.index(JOKER)
_HALF = 0.5
"""Of an index this share must show of rank and suit to be named: what half an 8 may be is learned, not guessed."""
_PLAIN = 0.75
"""The same where the namers are measured."""
_MIN_VISIBLE = 0.05
"""With ``hidden``, indices from this visible share to `_HALF` are cut too, with a label weight below 1 ..."""
_HIDDEN = 0.4
"""... at most this many for each index that is at least half visible."""
_UNREADABLE, _READABLE = 0.2, 0.6
"""Visible shares at which the label weight is 0 and 1: an index of which two fifths show is a tie of card and none."""


def label_weight(visible: Any) -> Any:
    """Return the training weight of an index's card; "none" gets the rest.

    Args:
        visible: the smaller of the visible shares of rank and suit (of a joker, its rank part's), 0 to 1; an array
            or a tensor.
    """
    return ((visible - _UNREADABLE) / (_READABLE - _UNREADABLE)).clip(0, 1)


class CutoutSource:
    """Draws cut-outs with labels from pool scenes."""

    def __init__(
        self,
        pools: Pools,
        config: dict[str, Any],
        seed: int,
        *,
        plain: bool = False,
        negatives: Sequence[NDArray[np.uint8]] = (),
        window: CropWindow = NARROW_WINDOW,
    ) -> None:
        self.window = window
        self.pools, self.config, self.plain = pools, config, plain
        self.negatives = negatives  # each file (models/mine.py) counts the same, however much it holds
        self.rng = np.random.default_rng(seed)

    def from_scene(self, scene: PoolScene, count: int) -> tuple[list[NDArray[np.uint8]], list[int]]:
        """Up to about `count` cut-outs of one scene with their numbers in `CARDS`."""
        return self.weighted_from_scene(scene, count, hidden=False)[:2]

    def weighted_from_scene(
        self, scene: PoolScene, count: int, *, hidden: bool = True
    ) -> tuple[list[NDArray[np.uint8]], list[int], list[float]]:
        """Return what ``from_scene`` does and the weight of each label (``label_weight``).

        ``hidden``: cut indices of which less than half shows, too.
        """
        rng, config = self.rng, self.config
        image = scene.image
        if not self.plain and rng.random() < 0.3:
            image = shrink(image, float(rng.uniform(0.4, 0.9)))
        clear = scene.indices[scene.indices[:, 12] >= (_PLAIN if self.plain else _HALF)]
        if hidden:
            shown = scene.indices[:, 12]
            some = np.flatnonzero((shown >= _MIN_VISIBLE) & (shown < _HALF))
            some = rng.permutation(some)[: max(1, round(_HIDDEN * min(len(clear), count)))]
            clear = np.concatenate([clear, scene.indices[some]])
        cutouts, names, weights = [], [], []
        chosen = rng.permutation(len(clear))[:count]
        if not self.plain:
            # Two cards of 54 are jokers, and no two packs' jokers look alike.
            jokers = chosen[clear[chosen, 13] == _JOKER]
            chosen = np.concatenate([chosen, np.repeat(jokers, config["jokers"] - 1)])
        for k in chosen:
            row = clear[k]
            rank, suit = row[0:2].astype(float), row[2:4].astype(float)
            reach = float(np.hypot(*(suit - rank)))
            if reach < 2 or not (0 <= rank[0] < image.shape[1] and 0 <= rank[1] < image.shape[0]):
                continue
            wrong = not self.plain and rng.random() < config["negatives"] / 2
            label = int(row[13])
            turn = float(rng.normal(0, config["turn_deg"]))
            zoom = float(np.exp(rng.normal(0, config["zoom"])))
            shift = rng.normal(0, config["shift"], 2) * reach
            if wrong:
                label = _NONE
                kind = rng.random()
                if kind < 0.35:
                    turn += 180
                elif kind < 0.6 and int(row[13]) != _JOKER:
                    # A star is a star from its side too, and a word across its card one that runs along it.
                    turn += float(rng.choice([-1, 1]) * rng.uniform(60, 120))
                else:
                    away = rng.uniform(0, 2 * np.pi)
                    shift = np.array([np.cos(away), np.sin(away)]) * reach * rng.uniform(1.0, 2.5)
            matrix = upright_crop_matrix(tuple(rank + shift), tuple(suit + shift), turn, zoom, self.window)
            cutouts.append(crop_upright(image, matrix, self.window))
            names.append(label)
            weights.append(float(label_weight(row[12])) if hidden and label != _NONE else 1.0)
        lost = scene.indices[scene.indices[:, 12] < 0.3]
        for _ in range(round(count * config["negatives"] / 2) or int(rng.random() < 0.5)):
            place = self._no_index(scene, lost)
            if place is not None:
                matrix = upright_crop_matrix(*place, window=self.window)
                cutouts.append(crop_upright(image, matrix, self.window))
                names.append(_NONE)
                weights.append(1.0)
        return cutouts, names, weights

    def _no_index(self, scene: PoolScene, lost: NDArray[np.float32]) -> tuple[Any, Any] | None:
        """A place in the scene where no visible index is: on a card, on a hidden index, or anywhere."""
        rng = self.rng
        size = scene.image.shape[0]
        kind = rng.random()
        if kind < 0.25 and len(lost):
            row = lost[rng.integers(len(lost))]
            rank, suit = row[0:2].astype(float), row[2:4].astype(float)
        else:
            if kind < 0.75 and len(scene.cards):
                quad = scene.cards[rng.integers(len(scene.cards)), :8].reshape(4, 2).astype(float)
                u, v = rng.uniform(0.05, 0.95, 2)
                point = quad[0] + u * (quad[1] - quad[0]) + v * (quad[3] - quad[0])
                edge = quad[3] - quad[0]
                angle = np.arctan2(edge[1], edge[0]) + rng.choice([0, np.pi]) + rng.normal(0, 0.2)
                width = float(np.hypot(*(quad[1] - quad[0])))
            else:
                point, angle, width = rng.uniform(0, size, 2), rng.uniform(0, 2 * np.pi), rng.uniform(60, 140)
            reach = width * rng.uniform(0.09, 0.2)
            step = np.array([np.cos(angle), np.sin(angle)]) * reach
            rank, suit = point - step / 2, point + step / 2
        middle = (rank + suit) / 2
        if not (0 <= middle[0] < size and 0 <= middle[1] < size):
            return None
        # In real pictures not all indices are known: none of their cards' area is sure to show no index.
        areas = scene.indices[scene.indices[:, 0] < -1e3, 4:12].reshape(-1, 4, 2)
        if ((areas.min(axis=1) < middle) & (middle < areas.max(axis=1))).all(axis=1).any():
            return None
        shown = scene.indices[scene.indices[:, 12] >= 0.3]
        if len(shown):
            theirs = (shown[:, 0:2] + shown[:, 2:4]) / 2
            reach = np.hypot(*(shown[:, 2:4] - shown[:, 0:2]).T)
            if (np.hypot(*(theirs - middle).T) < 1.1 * reach).any():
                return None
        return tuple(rank), tuple(suit)

    def batch(self, size: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """A batch of cut-outs (size, height, width, 3) and their numbers in `CARDS`."""
        cutouts: list[NDArray[np.uint8]] = []
        names: list[int] = []
        while len(cutouts) < size:
            more, labels = self.from_scene(self.pools.sample(self.rng), 7)
            cutouts += more
            names += labels
        if self.negatives:
            # The last few are the finder's own mistakes, jittered as the others are.
            for k in range(size - round(size * self.config["mined"]), size):
                mined = self.negatives[int(self.rng.integers(len(self.negatives)))]
                cutouts[k] = cut_mined(mined[self.rng.integers(len(mined))], self.rng, self.window)
                names[k] = _NONE
        return np.stack(cutouts[:size]), np.array(names[:size])


def cut_mined(wide: NDArray[np.uint8], rng: np.random.Generator, window: CropWindow) -> NDArray[np.uint8]:
    """The window's cut-out of what models/mine.py found, jittered as the others are."""
    corner = np.array(WIDE_WINDOW.rank_at) - window.rank_at + MARGIN
    middle = (WIDE_WINDOW.rank_at[0] + MARGIN, WIDE_WINDOW.rank_at[1] + MARGIN + RANK_TO_SUIT_PX / 2)
    turn, zoom = float(rng.normal(0, 6)), float(np.exp(rng.normal(0, 0.1)))
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, turn, zoom), np.float64)
    matrix[:, 2] += rng.normal(0, 2.0, 2) - corner
    return np.asarray(
        cv2.warpAffine(wide, matrix, (window.width, window.height), borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )


def shrink(image: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """The picture as a camera with fewer pixels would give it, in its old size."""
    side = image.shape[0]
    small = cv2.resize(image, (max(1, round(side * share)),) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def augment(cutouts: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Change light, colour, sharpness; cover parts. Never mirrors."""
    n = len(cutouts)
    contrast = rng.uniform(0.6, 1.25, (n, 1, 1, 1))
    gamma = rng.uniform(0.7, 1.45, (n, 1, 1, 1)).astype(np.float32)
    tint = (255 * contrast * rng.uniform(0.85, 1.1, (n, 1, 1, 3))).astype(np.float32)
    out: NDArray[Any] = (cutouts.astype(np.float32) / 255) ** gamma * tint
    # Glare or shadow across the cut-out: a linear ramp.
    ramp = rng.random(n) < 0.3
    if ramp.any():
        x, y = np.meshgrid(np.linspace(-1, 1, out.shape[2]), np.linspace(-1, 1, out.shape[1]))
        angle = rng.uniform(0, 2 * np.pi, ramp.sum())
        slope = np.cos(angle)[:, None, None] * x + np.sin(angle)[:, None, None] * y
        out[ramp] *= (1 + 0.35 * slope[..., None] * rng.random((ramp.sum(), 1, 1, 1))).astype(np.float32)
    haze = np.where(rng.random((n, 1, 1, 1)) < 0.25, rng.uniform(0, 70, (n, 1, 1, 1)), 0)
    out = out * (1 - haze / 255).astype(np.float32) + haze.astype(np.float32)
    for k in np.flatnonzero(rng.random(n) < 0.3):
        out[k] = cv2.GaussianBlur(out[k], (0, 0), rng.uniform(0.4, 2.0))
    for k in np.flatnonzero(rng.random(n) < 0.1):
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), rng.uniform(0, 180), 1)
        smear = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), dtype=np.float32)
        out[k] = cv2.filter2D(out[k], -1, smear / max(float(smear.sum()), 1e-3))
    noisy = rng.random(n) < 0.35
    grain = rng.standard_normal(out[noisy].shape, dtype=np.float32)
    out[noisy] += grain * rng.uniform(2, 14, (noisy.sum(), 1, 1, 1)).astype(np.float32)
    for k in np.flatnonzero(rng.random(n) < 0.15):
        # Something lies over one side: another card, a thumb.
        side = rng.integers(4)
        depth = int(rng.integers(3, 11))
        colour = rng.uniform(20, 255, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(170, 250))
        cover = [np.s_[:depth], np.s_[-depth:], np.s_[:, :depth], np.s_[:, -depth:]][side]
        out[k][cover] = colour
    return np.asarray(np.clip(out, 0, 255), dtype=np.uint8)
