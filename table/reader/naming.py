"""Names what the finder found: a quick look at each index, a second and better one where the first is in doubt.

The first namer reads every find; it is small, for most finds are plain. The second sees more of the card's corner at
seven times the work. (How both are made: models/namer.py.)
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from table.errors import TableError
from table.reader import jokers
from table.reader.courts import court_pack, keep
from table.reader.cutout import NARROW, WIDE, Window, cut_upright, upright_matrix, whiten
from table.reader.enrolfit import cut_patch, fit_pack
from table.reader.enrolled import REACH_NEAR, REACH_SAME, EnrolledPack, Fit, nearness
from table.reader.finder import Finds
from table.reader.labels import CARDS, JOKER, NONE, card_probabilities, expect
from table.reader.network import Network

Looks = tuple[tuple[float, float], ...]
"""Turn in degrees and zoom of each look at an index."""

_LETTERS: Final = "letters"
_PACK: Final = "pack"
"""What is learned: other court letters first, then the enrolled pack, which has the last word."""
_SURE: Final = 0.95
"""A first look that is surer than this stands."""
_MOST_UNSURE: Final = 24
"""So many finds of a picture are looked at again at most, the finder's surest."""
_AGAIN: Final[Looks] = ((0.0, 1.0), (7.0, 1.0), (-7.0, 1.0))
"""The second looks: the finder's angle errs a little, and the errors of the looks partly cancel."""
_FIRST_SHARE: Final = 0.25
"""What the first look still counts where there was a second."""
NEAR: Final = 0.5
"""A faint find that is nearer than this to an enrolled index is looked at again too, and then counts."""
_FOREIGN: Final = 0.02
"""How much a card that is not in play is expected: a stray one may lie there all the same."""


@dataclass(frozen=True)
class Names:
    """What n finds read as."""

    chances: NDArray[np.float64]
    """(n, len(CARDS)) probabilities, the last for "no index"."""
    expected: NDArray[np.float64]
    """(n, len(CARDS)): how much each card was expected, which ``chances`` contain once each."""
    near: NDArray[np.float64]
    """(n,): how near each is to the enrolled pack's indices, 0 to 1."""

    @property
    def plain(self) -> NDArray[np.float64]:
        """The chances as if all cards were as common."""
        return expect(self.chances, 1.0 / self.expected)


class Namer:
    """One network that reads upright cut-outs."""

    def __init__(self, path: Path, window: Window, temperature: float) -> None:
        """Load the network; its temperature was fitted on held-out cut-outs."""
        self._network = Network(path)
        self._window = window
        self._temperature = temperature
        self._fits: dict[str, Fit] = {}

    def learn(self, what: str, pack: EnrolledPack, each: int | None = None, beside: int = 2) -> bool:
        """Take in what can be learned from a pack's examples.

        Args:
            what: the same again takes the place of what it was.
            pack: the examples; what was learned from them before, by this network, is taken from it and kept there.
            each: looks at each example, where it has to be learned.
            beside: looks beside each.

        Returns:
            Whether it had to be learned.
        """
        mark = self._network.mark
        new = mark not in pack.fits
        if new:
            pack.fits[mark] = fit_pack(
                pack.examples, self._network, self._window, self._temperature, each=each, beside=beside
            )
        fit = pack.fits[mark]
        features = self._network(np.zeros((1, 3, self._window.height, self._window.width), np.float32))[2:3]
        if not features or features[0].shape[1] != len(fit.mean):
            raise TableError("weights.other_pack")
        self._fits[what] = fit
        return new

    def read(
        self, image: NDArray[np.uint8], found: Finds, looks: Looks
    ) -> tuple[NDArray[np.float64], dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]]:
        """Read each found index; all is the mean of its looks.

        Returns:
            (n, len(CARDS)) probabilities; for what was learned the same as that has them, and (n,) how far the index is
            from what was learned.
        """
        rank, suit, *features = self.outputs(image, found, looks)
        shape = (len(found), len(looks))
        chances = card_probabilities(rank, suit, self._temperature)
        learned = {}
        for what, fit in self._fits.items():
            own, far = fit.read(rank, suit, features[0], self._temperature)
            learned[what] = (_mean(own, shape), _mean(far, shape))
        return _mean(chances, shape), learned

    def mistakes(self, pack: EnrolledPack) -> list[tuple[str, str]]:
        """Enrolled cards whose own index reads as another card: (card, what it reads as), each once."""
        examples = [example for example in pack.examples if example.card != NONE]
        fit = pack.fits[self._network.mark]
        found = []
        for start in range(0, len(examples), 64):
            part = examples[start : start + 64]
            cutouts = np.stack([cut_patch(example.patch, self._window) for example in part])
            rank, suit, features = self._network(whiten(cutouts, self._window))[:3]
            chances, _ = fit.read(rank, suit, features, self._temperature)
            read = [CARDS[k] for k in chances.argmax(axis=1)]
            found += [(one.card, card) for one, card in zip(part, read, strict=True) if one.card != card]
        return list(dict.fromkeys(found))

    def outputs(self, image: NDArray[np.uint8], found: Finds, looks: Looks) -> list[NDArray[np.float32]]:
        """The network's outputs, (n * looks, ...) each: rank logits, suit logits, features."""
        cutouts = [
            cut_upright(
                image,
                upright_matrix((rx, ry), (sx, sy), turn, zoom, self._window),
                self._window,
            )
            for (rx, ry), (sx, sy) in zip(found.rank.tolist(), found.suit.tolist(), strict=True)
            for turn, zoom in looks
        ]
        return self._network(whiten(np.stack(cutouts), self._window))


class Naming:
    """Both namers as one."""

    def __init__(self, folder: Path, settings: dict[str, Any], pack: Collection[str] | None = None) -> None:
        """Load the networks of a weights folder.

        Args:
            folder: where namer.onnx and second.onnx lie.
            settings: the folder's model.json.
            pack: the names of the cards in play, where they are known; others are then hardly expected.
        """
        self.first = Namer(folder / "namer.onnx", NARROW, float(settings["temperature"]))
        self.second = Namer(folder / "second.onnx", WIDE, float(settings["second_temperature"]))
        shares = {JOKER: float(settings["joker_share"])}
        if pack is not None:
            shares = {card: 1.0 if card in pack else _FOREIGN for card in CARDS if card != NONE}
            shares[JOKER] = min(shares[JOKER], jokers.IN_PLAY)
        self._shares = np.array([shares.get(card, 1.0) for card in CARDS])
        self._layers: dict[str, _Layer] = {}

    def learn_letters(self, courts: str) -> None:
        """Read the court cards by the letters ``courts`` from now on."""
        pack, place = court_pack(courts)
        new = [namer.learn(_LETTERS, pack, each=2, beside=1) for namer in (self.first, self.second)]
        if any(new):
            keep(pack, place)
        known = pack.cards
        others = np.array([card not in known and card != NONE for card in CARDS])
        self._layers[_LETTERS] = _Layer(self._shares, others)

    def learn(self, pack: EnrolledPack) -> None:
        """Count an enrolled pack's faces most from now on."""
        self.first.learn(_PACK, pack)
        self.second.learn(_PACK, pack)
        self._layers[_PACK] = _Layer(pack.shares(self._shares), pack.unknown())

    def mistakes(self, pack: EnrolledPack) -> list[tuple[str, str]]:
        """Enrolled cards whose own index reads as another card (the pack must have been learned)."""
        return self.first.mistakes(pack)

    def name(
        self,
        image: NDArray[np.uint8],
        found: Finds,
        plain: float = 0.0,
        *,
        thorough: bool = False,
    ) -> Names:
        """Read the found indices, best first.

        Args:
            image: the picture.
            found: what the finder found.
            plain: below this score only what is near to the enrolled pack's indices is worth a second look.
            thorough: look again at all that may be an index, also where the first look was sure (there is time).
        """
        names = self._weigh(*self.first.read(image, found, ((0.0, 1.0),)))
        worth = (found.score >= plain) | (names.near >= NEAR)
        settled = names.chances[:, -1] if thorough else names.chances.max(axis=1)
        unsure = np.flatnonzero((settled < _SURE) & worth)[: None if thorough else _MOST_UNSURE]
        if len(unsure):
            second = self._weigh(*self.second.read(image, found[unsure], _AGAIN))
            for whole, part in (
                (names.chances, second.chances),
                (names.expected, second.expected),
                (names.near, second.near),
            ):
                whole[unsure] = _FIRST_SHARE * whole[unsure] + (1 - _FIRST_SHARE) * part
        return names

    def _weigh(
        self,
        chances: NDArray[np.float64],
        learned: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
    ) -> Names:
        """Put the network's own reading and what was learned together."""
        chances = expect(chances, self._shares)
        expected = np.tile(self._shares, (len(chances), 1))
        near = np.zeros(len(chances))
        for what, layer in self._layers.items():
            own, far = learned[what]
            # A card that was not shown is not among those it can be taken for, unless it looks just like one.
            unknown = chances[:, layer.unknown].sum(axis=1)
            share = (1 - unknown) * nearness(far, REACH_NEAR) + unknown * nearness(far, REACH_SAME)
            chances = (1 - share[:, None]) * chances + share[:, None] * expect(own, layer.shares)
            expected = (1 - share[:, None]) * expected + share[:, None] * layer.shares
            if what == _PACK:
                near = share
        return Names(chances, expected, near)


@dataclass(frozen=True)
class _Layer:
    """What was learned besides: how much each card is expected by it, and which cards it does not know."""

    shares: NDArray[np.float64]
    unknown: NDArray[np.bool_]


def _mean(values: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    """The mean over the looks at each index."""
    return np.asarray(values.reshape(*shape, *values.shape[1:]).mean(axis=1))
