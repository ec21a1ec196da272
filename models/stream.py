"""Cut-outs of new scenes, made by many processes while one trains: where a GPU would wait for the pool.

Each maker draws scenes (`models.synth`), cuts every index that can be read out several times, each time as the finder
might have erred (`models.cutouts`), and leaves them in a block that the trainer takes. Nothing is kept: no scene is
ever shown twice.
"""

from __future__ import annotations

import multiprocessing as mp
import queue
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.config import load as load_config
from models.cutouts import CutoutSource
from models.pool import Pools, PoolScene, rows
from models.synth.drawn import JOKERS, Studio
from models.synth.scenes import RARE, make_scene
from models.synth.splits import load_packs
from table.detection.indices.index_crop import WIDE_WINDOW

BLOCK: Final = 512
"""Cut-outs that a maker hands over at once."""
_BLOCKS: Final = 3
"""Blocks there are for each maker: one being filled, one on the way, one being taken."""
_TIMES: Final = 2
"""How often each scene is cut."""
_MOST: Final = 14
"""Indices cut from a scene at a time."""


@dataclass(frozen=True)
class _Kind:
    """A kind of scene: its share of all scenes, and how much more often which cards lie there."""

    share: float
    rare: float = 1.0
    often: tuple[str, ...] = RARE
    most: int | None = None
    jokers: tuple[str, ...] = ()
    """Only packs drawn anew with jokers of these kinds (`models.synth.drawn.JOKERS`); empty: all packs."""


_MIXTURE: Final = (
    _Kind(0.56),
    _Kind(0.19, 12.0),
    _Kind(0.08, 6.0, ("Q",)),
    _Kind(0.08, 5.0, ("A", "J", "Q", "K")),
    # Half of these jokers have a word across, the kind that is read worst.
    _Kind(0.05, 40.0, ("JOKER",), 2, ("word across",)),
    _Kind(0.04, 40.0, ("JOKER",), 2, JOKERS),
)
"""The first four as the pools of models/README.md; the others show one card or two, mostly jokers."""
_FILMED: Final = 0.2
"""Share of the scenes that look like frames of a strongly compressed film, half of them with squared piles."""

Block = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]]
"""Cut-outs (n, 104, 80, 3) BGR of the wide window, their numbers in `CARDS` and the weights of these labels."""


@dataclass(frozen=True)
class _Shelf:
    """Where blocks lie between maker and trainer: on a file that all have mapped."""

    folder: Path
    blocks: int

    def pictures(self) -> NDArray[np.uint8]:
        shape = (self.blocks, BLOCK, WIDE_WINDOW.height, WIDE_WINDOW.width, 3)
        return self._map("pictures", np.dtype(np.uint8), shape)

    def names(self) -> NDArray[np.int64]:
        return self._map("names", np.dtype(np.int64), (self.blocks, BLOCK))

    def weights(self) -> NDArray[np.float32]:
        return self._map("weights", np.dtype(np.float32), (self.blocks, BLOCK))

    def _map(self, name: str, kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        path = self.folder / name
        return np.memmap(path, kind, "r+" if path.exists() else "w+", shape=shape)


class Stream:
    """Blocks of cut-outs from `makers` processes; to be used in a ``with``."""

    def __init__(self, makers: int, seed: int) -> None:
        """Start the makers."""
        memory = Path("/dev/shm")
        self._folder = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
        shelf = _Shelf(Path(self._folder.name), makers * _BLOCKS)
        self._parts = shelf.pictures(), shelf.names(), shelf.weights()
        context = mp.get_context("spawn")
        self._free: Any = context.Queue()
        self._full: Any = context.Queue()
        for block in range(shelf.blocks):
            self._free.put(block)
        self._makers = [
            context.Process(target=_make, args=(shelf, self._free, self._full, (seed, k)), daemon=True)
            for k in range(makers)
        ]
        for maker in self._makers:
            maker.start()

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for maker in self._makers:
            maker.terminate()
            maker.join()
        self._folder.cleanup()

    def take(self, *, wait_s: float) -> Block | None:
        """A copy of the next block; None where there is none within the time."""
        try:
            block = self._full.get(timeout=wait_s) if wait_s else self._full.get_nowait()
        except queue.Empty:
            return None
        pictures, names, weights = (np.array(part[block]) for part in self._parts)
        self._free.put(block)
        return pictures, names, weights


def cut_scene(source: CutoutSource, seed: Sequence[int], packs: Sequence[Any], size: int) -> Block:
    """The cut-outs of one new scene; the same seed and packs give the same scene."""
    rng = np.random.default_rng(seed)
    shares = np.array([kind.share for kind in _MIXTURE])
    kind = _MIXTURE[int(rng.choice(len(shares), p=shares / shares.sum()))]
    scene = make_scene(
        rng,
        [Studio(jokers=kind.jokers)] if kind.jokers else packs,
        size=size,
        rare=kind.rare,
        often=kind.often,
        filmed=bool(rng.random() < _FILMED),
        most=kind.most,
    )
    indices, cards = rows(scene)
    drawn = PoolScene(scene.image, indices, cards)
    cutouts: list[NDArray[np.uint8]] = []
    names: list[int] = []
    weights: list[float] = []
    for _ in range(_TIMES):
        more, labels, label_weights = source.weighted_from_scene(drawn, _MOST)
        cutouts += more
        names += labels
        weights += label_weights
    pictures = np.array(cutouts, np.uint8).reshape(-1, WIDE_WINDOW.height, WIDE_WINDOW.width, 3)
    return pictures, np.array(names, np.int64), np.array(weights, np.float32)


def _make(shelf: _Shelf, free: Any, full: Any, seed: tuple[int, int]) -> None:
    cv2.setNumThreads(1)
    config = load_config()
    packs = load_packs("train")
    source = CutoutSource(Pools([]), config["namer"], seed[0] + 7919 * seed[1], window=WIDE_WINDOW)
    shelves: tuple[NDArray[Any], ...] = (shelf.pictures(), shelf.names(), shelf.weights())
    number, block, filled = 0, free.get(), 0
    while True:
        made: Any = cut_scene(source, (*seed, number), packs, config["pool"]["size"])
        number += 1
        while len(made[0]):
            n = min(BLOCK - filled, len(made[0]))
            for part, new in zip(shelves, made, strict=True):
                part[block, filled : filled + n] = new[:n]
            made, filled = [new[n:] for new in made], filled + n
            if filled == BLOCK:
                full.put(block)
                block, filled = free.get(), 0
