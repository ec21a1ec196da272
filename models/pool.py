"""A growing pool of scenes that one process makes and others train from.

Making a scene costs more than a training step on it, so scenes are made once, in the background, kept in a ring on
disk (memory-mapped, so that in practice they stay in memory), and used several times, each time turned, cropped and
lit differently. Several makers may work at once, each with a pool of its own.

    python -m models pool --out runs/pool/a --seed 1 --capacity 8000      # makes scenes until stopped

A pool is a folder: `meta.json`, `images.u8` (capacity, size, size, 3) BGR, `indices.f4` (capacity, 96, 16),
`cards.f4` (capacity, 32, 10), `made.i8` (1,) the number of scenes made so far.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from table.detection.indices.class_labels import CARDS, JOKER, NONE
from table.errors import TableError

MAX_INDICES = 96
MAX_CARDS = 32
INDEX_FIELDS = 16
"""rank x y, suit x y, quad (8), visible share, number in `CARDS`, number of the card in the scene, 1 for a true row."""
CARD_FIELDS = 10
"""quad (8), number in `CARDS`, 1 for a true row."""


@dataclass(frozen=True)
class PoolScene:
    """A scene from the pool: image (size, size, 3) uint8 BGR, indices (n, 16), cards (m, 10)."""

    image: NDArray[np.uint8]
    indices: NDArray[np.float32]
    cards: NDArray[np.float32]


class Pool:
    """One pool folder, for its one maker to fill or for many readers."""

    def __init__(self, folder: Path, *, size: int = 384, capacity: int | None = None) -> None:
        self.folder = folder
        meta_path = folder / "meta.json"
        if capacity is not None and not meta_path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            meta_path.write_text(json.dumps({"size": size, "capacity": capacity}))
        meta = json.loads(meta_path.read_text())
        self.size: int = meta["size"]
        self.capacity: int = meta["capacity"]
        self._images = self._map("images.u8", np.uint8, (self.capacity, self.size, self.size, 3), capacity)
        self._indices = self._map(
            "indices.f4", np.float32, (self.capacity, MAX_INDICES, INDEX_FIELDS), capacity
        )
        self._cards = self._map("cards.f4", np.float32, (self.capacity, MAX_CARDS, CARD_FIELDS), capacity)
        self._made = self._map("made.i8", np.int64, (1,), capacity)

    def _map(self, name: str, kind: Any, shape: tuple[int, ...], capacity: int | None) -> Any:
        path = self.folder / name
        if not path.exists() and capacity is None:
            raise TableError(f"{path}: no pool here (make one with python -m models pool)")
        mode: Literal["r+", "w+", "r"] = "r" if capacity is None else ("r+" if path.exists() else "w+")
        return np.memmap(path, dtype=kind, mode=mode, shape=shape)

    @property
    def made(self) -> int:
        """Scenes made so far; once over `capacity`, the oldest have been overwritten."""
        return int(self._made[0])

    def __len__(self) -> int:
        return min(self.made, self.capacity)

    def restart(self) -> None:
        """Forget what was made; the next scene goes to the first place."""
        self._made[0] = 0

    def put(self, image: NDArray[np.uint8], indices: NDArray[np.float32], cards: NDArray[np.float32]) -> None:
        """Add a scene, in the place of the oldest when the ring is full."""
        slot = self.made % self.capacity
        self._indices[slot] = 0
        self._cards[slot] = 0
        self._images[slot] = image
        self._indices[slot, : min(len(indices), MAX_INDICES)] = indices[:MAX_INDICES]
        self._cards[slot, : min(len(cards), MAX_CARDS)] = cards[:MAX_CARDS]
        self._made[0] = self.made + 1

    def get(self, slot: int) -> PoolScene:
        """The scene in a slot (a copy)."""
        indices = np.array(self._indices[slot])
        cards = np.array(self._cards[slot])
        return PoolScene(np.array(self._images[slot]), indices[indices[:, 15] > 0], cards[cards[:, 9] > 0])


class Pools:
    """Several pools read as one."""

    def __init__(self, folders: list[Path]) -> None:
        self.pools = [Pool(folder) for folder in folders]

    def __len__(self) -> int:
        return sum(len(pool) for pool in self.pools)

    def sample(self, rng: np.random.Generator) -> PoolScene:
        """Any scene of any pool, all equally likely."""
        sizes = [len(pool) for pool in self.pools]
        slot = int(rng.integers(sum(sizes)))
        for pool, size in zip(self.pools, sizes, strict=True):
            if slot < size:
                return pool.get(slot)
            slot -= size
        raise AssertionError("slot out of range")

    def at(self, slot: int) -> PoolScene:
        """The scene of that number, counted through the pools in order."""
        for pool in self.pools:
            if slot < len(pool):
                return pool.get(slot)
            slot -= len(pool)
        raise IndexError(slot)


def _visible_share(card: str, index: Any) -> float:
    """Return how much of an index shows; of a joker's, how much of its rank part.

    The suit part of a star or of a word across the card is blank paper or picture.
    """
    if card != JOKER:
        return float(index.visible)
    uncovered = min(index.rank_visible, index.suit_visible)
    # Glare and darkness lower the share of what is not covered.
    readable = index.visible / uncovered if uncovered else 1.0
    return float(index.rank_visible * readable)


def rows(scene: Any) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A synthesised scene's labels as the pool's rows."""
    index_rows, card_rows = [], []
    number = {name: k for k, name in enumerate(CARDS)}
    for k, card in enumerate(scene.cards):
        label = number.get(card.name, number[NONE])
        card_rows.append(np.concatenate([np.asarray(card.quad, np.float32).reshape(8), [label, 1.0]]))
        for index in card.indices:
            index_rows.append(
                np.concatenate(
                    [
                        np.asarray(index.rank_xy, np.float32).reshape(2),
                        np.asarray(index.suit_xy, np.float32).reshape(2),
                        np.asarray(index.quad, np.float32).reshape(8),
                        [_visible_share(card.name, index), label, k, 1.0],
                    ]
                )
            )
    indices = np.array(index_rows, np.float32).reshape(-1, INDEX_FIELDS)
    return indices, np.array(card_rows, np.float32).reshape(-1, CARD_FIELDS)


def main() -> None:
    """Make scenes until stopped, or until --scenes of them are made."""
    import cv2

    from models.synth.scenes import RARE, make_scene
    from models.synth.splits import load_packs

    parser = argparse.ArgumentParser(prog="python -m models pool", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--capacity", type=int, default=8000)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--split", choices=["train", "held"], default="train")
    parser.add_argument("--rate", type=float, default=15.0, help="scenes a second once the ring is full")
    parser.add_argument("--scenes", type=int, default=0, help="stop after this many (0: never)")
    parser.add_argument(
        "--rare", type=float, default=1.0, help="how much more often the cards of --often lie there"
    )
    parser.add_argument("--often", nargs="+", default=list(RARE), help="ranks (default: %(default)s)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    pool = Pool(args.out, size=args.size, capacity=args.capacity)
    packs = load_packs(args.split)
    start, begun = pool.made, time.monotonic()
    while not args.scenes or pool.made < args.scenes:
        # The scene depends on the seed and its number alone, so a maker that was stopped goes on where it was.
        rng = np.random.default_rng([args.seed, pool.made])
        scene = make_scene(rng, packs, size=args.size, rare=args.rare, often=tuple(args.often))
        indices, cards = rows(scene)
        pool.put(scene.image, indices, cards)
        if args.rate and pool.made > pool.capacity:
            time.sleep(1 / args.rate)
        if pool.made % 500 == 0:
            rate = (pool.made - start) / (time.monotonic() - begun)
            print(f"{pool.made} scenes, {rate:.1f} a second", flush=True)
