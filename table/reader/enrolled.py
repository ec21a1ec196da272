"""The owner's pack: corner indices that were shown once (`cardtable enrol`), and what the namers learned from them.

The file keeps pictures of the indices, so it stays good when the networks change. What was learned belongs to one
network and is kept beside them; with other networks it is learned anew when the pack is loaded
(table/reader/enrolfit.py).

How it reads: the features that a namer's heads look at are told apart anew, starting from what the heads say. How close
the features lie to an index that was shown decides how much that counts: a cut-out unlike all of them, one of another
pack, is read as if nothing had been enrolled.
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

from table.errors import TableError
from table.files.pictures import decoded
from table.files.reading import MOST_PACK, json_of, read_bytes
from table.files.writing import replace_file
from table.phrase import say
from table.reader.arrays import arrays_of
from table.reader.cutout import Window
from table.reader.labels import CARDS, NONE, OF_63, RANKS, SUITS, card_probabilities

FORMAT: Final = 1
_EXPECTED: Final = say("expected.pack")
PATCH: Final = Window(116, 140, (46, 46))
"""What is kept of an index: either namer's cut-out with room to turn, shift and shrink it."""
REACH_NEAR: Final = 2.5
"""A cut-out whose squared distance is this many times the number of dimensions is half as near as can be: indices of
the enrolled pack lie at 1 to 4 times, of others at 2 to 8 (held-out packs). Farther out, all is read as before."""
REACH_SAME: Final = 0.6
"""The same for a cut-out that may be a card of the pack that nobody has shown: of looks at cards that were shown (half
of each of seven held-out packs) three in four lie within it, a 2 lies beyond it from a Z for a jack."""
_EDGE: Final = 0.05
"""How soft these borders are, as a share of them."""
_EACH: Final = 8
"""So many indices of a card are kept at most ..."""
_NONES: Final = 160
"""... and so many places without an index."""
_FEW: Final = 10
"""Fewer cards than this don't tell how a pack's pips and pictures look: what seems no index must look just like one."""

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Example:
    """One corner index as it was shown, upright: ``PATCH``'s size, BGR; ``card`` may be "none"."""

    card: str
    patch: NDArray[np.uint8]


@dataclass(frozen=True)
class Fit:
    """What one namer learned from a pack; d features, k of their main directions, g of these to tell nearness by."""

    mean: Array
    """(d,)"""
    basis: Array
    """(d, k): the main directions, the strongest first."""
    delta: Array
    """(k + 1, ranks + suits): added to the heads' logits; the last row stands alone."""
    whiten: Array
    """(g, g): makes the spread of one card's looks the same in every direction."""
    centres: Array
    """(cards, g): where each enrolled card's indices lie."""

    def read(
        self, rank: Array, suit: Array, features: Array, temperature: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Read cut-outs by their features.

        Args:
            rank: (n, 18) logits of the namer's head.
            suit: (n, 5) likewise.
            features: (n, d).
            temperature: the namer's.

        Returns:
            (n, len(CARDS)) probabilities; (n,) how far each is from what was enrolled (`nearness`).
        """
        place = (features - self.mean) @ self.basis
        added = place @ self.delta[:-1] + self.delta[-1]
        ranks = len(RANKS)
        chances = card_probabilities(
            rank / temperature + added[:, :ranks], suit / temperature + added[:, ranks:]
        )
        size = len(self.whiten)
        spot = place[:, :size] @ self.whiten
        apart = (spot**2).sum(axis=1)[:, None] - 2 * spot @ self.centres.T + (self.centres**2).sum(axis=1)
        return chances, apart.min(axis=1).astype(np.float64) / size


def nearness(distance: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """How near to an enrolled index, 0 to 1: a half at ``reach``."""
    return np.asarray(1.0 / (1.0 + np.exp(np.clip((distance / reach - 1) / _EDGE, -50, 50))))


@dataclass
class EnrolledPack:
    """The examples, and what namers learned from them by the namer's mark (`Network.mark`)."""

    examples: list[Example] = field(default_factory=list)
    fits: dict[str, Fit] = field(default_factory=dict)

    @property
    def cards(self) -> dict[str, int]:
        """How many indices of each card there are, in the order of ``CARDS``."""
        return {
            card: count
            for card in CARDS
            if card != NONE and (count := sum(example.card == card for example in self.examples))
        }

    def replace(self, shown: list[Example]) -> None:
        """Take examples in; cards that are among them are forgotten as they were. What was learned is void."""
        again = {example.card for example in shown} - {NONE}
        by_card: dict[str, list[Example]] = {}
        for example in [*(old for old in self.examples if old.card not in again), *shown]:
            by_card.setdefault(example.card, []).append(example)
        # So many tell what a card looks like; more would cost time at every change of the weights.
        self.examples = [one for card, all_ in by_card.items() for one in _some(all_, _most_of(card))]
        self.fits = {}

    def shares(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """How much each card is expected where an enrolled index was seen: those enrolled all the same."""
        known = self.cards
        return np.array([1.0 if card in known else share for card, share in zip(CARDS, shares, strict=True)])

    def unknown(self) -> NDArray[np.bool_]:
        """Which cards the pack surely has though nobody has shown them: a reading as one of these stands.

        So does "none" where few cards were shown.
        """
        known = self.cards
        high = any(card in OF_63 for card in known)
        few = len(known) < _FEW
        return np.array(
            [card not in known and (high or card not in OF_63) and (few or card != NONE) for card in CARDS]
        )


def _most_of(card: str) -> int:
    """How many examples of a card are kept, or of places without an index."""
    return _NONES if card == NONE else _EACH


def _some(examples: list[Example], count: int) -> list[Example]:
    """At most ``count`` of them, from all over the list."""
    return [examples[k] for k in np.unique(np.linspace(0, len(examples) - 1, count).round().astype(int))]


READABLE: Final = 0o644
"""A pack's file may be read by everybody."""


def save_pack(path: Path, pack: EnrolledPack) -> None:
    """Write the file; the old one stays whole until the new one is."""
    arrays: dict[str, Any] = {}
    pictures = [_encode(example.patch) for example in pack.examples]
    arrays["sizes"] = np.array([len(picture) for picture in pictures], np.int64)
    arrays["pictures"] = np.concatenate([*pictures, np.zeros(0, np.uint8)])
    about = {
        "format": FORMAT,
        "cards": [example.card for example in pack.examples],
        "fits": list(pack.fits),
    }
    arrays["about"] = np.array(json.dumps(about))
    for number, fit in enumerate(pack.fits.values()):
        for part in fields(Fit):
            # The directions are most of it, and half the digits are enough for them.
            kind = np.float16 if part.name == "basis" else np.float32
            arrays[f"{part.name}{number}"] = getattr(fit, part.name).astype(kind)
    data = io.BytesIO()
    np.savez(data, **arrays)
    try:
        # Whoever enrolls is not always who plays: there is nothing secret in it.
        replace_file(path, data.getvalue(), mode=READABLE)
    except OSError as error:
        raise TableError(
            "file.not_written_as", at=path, error=error, expected=say("expected.pack_place")
        ) from None


def _encode(patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    _, data = cv2.imencode(".png", patch)
    return np.asarray(data, np.uint8).reshape(-1)


def load_pack(path: Path) -> EnrolledPack:
    """Read a pack's file; ``TableError`` says in one line what is wrong with it."""
    data = read_bytes(path, _EXPECTED, MOST_PACK)
    try:
        return _read(arrays_of(data, MOST_PACK))
    except (ValueError, KeyError, TypeError):
        raise TableError("file.damaged", at=path, expected=_EXPECTED) from None


def _read(arrays: Mapping[str, NDArray[Any]]) -> EnrolledPack:
    """The pack in these arrays; ``ValueError``, ``KeyError`` or ``TypeError`` where they are none."""
    about = json_of(str(arrays["about"]))
    if about["format"] != FORMAT:
        raise ValueError
    # More examples than a pack keeps would take minutes, and gigabytes, to learn.
    if any(count > _most_of(card) for card, count in Counter(about["cards"]).items()):
        raise ValueError
    sizes, pictures = arrays["sizes"], arrays["pictures"]
    if sizes.ndim != 1 or sizes.dtype.kind != "i" or not all(0 < size <= len(pictures) for size in sizes):
        raise ValueError
    examples = []
    for card, end, size in zip(about["cards"], np.cumsum(sizes), sizes, strict=True):
        patch = decoded(pictures[end - size : end].tobytes())
        if card not in CARDS or patch is None or patch.shape != (PATCH.height, PATCH.width, 3):
            raise ValueError
        examples.append(Example(card, patch))
    return EnrolledPack(
        examples, {_mark(mark): _fit(arrays, number) for number, mark in enumerate(about["fits"])}
    )


def _mark(mark: object) -> str:
    if not isinstance(mark, str):
        raise TypeError
    return mark


def _fit(arrays: Mapping[str, NDArray[Any]], number: int) -> Fit:
    fit = Fit(**{part.name: np.asarray(arrays[f"{part.name}{number}"], np.float32) for part in fields(Fit)})
    (size,), (cards, near) = fit.mean.shape, fit.centres.shape
    directions = len(fit.delta) - 1
    expected = ((size, directions), (directions + 1, len(RANKS) + len(SUITS)), (near, near))
    if (fit.basis.shape, fit.delta.shape, fit.whiten.shape) != expected or not cards or near > directions:
        raise ValueError
    if not all(np.isfinite(getattr(fit, part.name)).all() for part in fields(Fit)):
        raise ValueError
    return fit
