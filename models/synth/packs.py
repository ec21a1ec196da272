"""Packs of card faces with the places of their corner indices, and the cache that holds them.

A face is an upright picture with alpha; an index is the rank with its suit below it in a corner. Faces that were cut
from published packs live in a cache folder built by ``python -m models fetch``; packs drawn anew come from
``models.synth.drawn`` and need no cache.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
HELD_PACKS = frozenset(
    {"anglo_poker", "neoclassical", "neoclassical_4_color", "tango", "dondorf", "atlasnye", "atlasnye_skat"}
)
"""Published packs that no training scene uses (with their near copies)."""


def default_cache() -> Path:
    """The cache folder: ``CARD_CACHE`` in the environment, else ``models/cache`` beside this package."""
    return Path(os.environ.get("CARD_CACHE", Path(__file__).resolve().parents[1] / "cache"))


def split_name(name: str) -> tuple[str, str | None]:
    """Rank and suit of a card's name: ``"10H"`` gives ``("10", "H")``, ``"JOKER"`` gives ``("JOKER", None)``."""
    if name == "JOKER":
        return "JOKER", None
    return name[:-1], name[-1]


@dataclass(frozen=True)
class Index:
    """One corner index in face pixels; the way from rank to suit is the index's own downward direction.

    ``box`` is (4, 2): the corners TL, TR, BR, BL *as the upright index is read* around rank and suit together.
    ``rank_box`` and ``suit_box`` are the same around each alone; a joker's word is parted in an upper and a lower half.
    """

    rank_xy: tuple[float, float]
    suit_xy: tuple[float, float]
    box: Floats
    rank_box: Floats
    suit_box: Floats


def rect(x0: float, y0: float, x1: float, y1: float) -> Floats:
    """The corners TL, TR, BR, BL of an upright rectangle, (4, 2)."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def make_index(rank: tuple[float, float, float, float], suit: tuple[float, float, float, float]) -> Index:
    """An upright index from the rank's and the suit's (x0, y0, x1, y1)."""
    box = rect(min(rank[0], suit[0]), min(rank[1], suit[1]), max(rank[2], suit[2]), max(rank[3], suit[3]))
    return Index(
        ((rank[0] + rank[2]) / 2, (rank[1] + rank[3]) / 2),
        ((suit[0] + suit[2]) / 2, (suit[1] + suit[3]) / 2),
        box,
        rect(*rank),
        rect(*suit),
    )


def word_drop(width: float, height: float) -> float:
    """How far below a joker's word set across its second point is put: the word then fills a cut-out's width."""
    return max(1.1 * height, 0.6 * width)


def turned(index: Index, width: int, height: int) -> Index:
    """The index at the opposite corner: turned by half a turn about the card's centre."""
    size = np.array([width, height], np.float32)

    def turn(xy: tuple[float, float]) -> tuple[float, float]:
        return (width - xy[0], height - xy[1])

    return Index(
        turn(index.rank_xy),
        turn(index.suit_xy),
        size - index.box,
        size - index.rank_box,
        size - index.suit_box,
    )


def shifted(index: Index, dx: float, dy: float) -> Index:
    """The index moved by (dx, dy) pixels."""
    d = np.array([dx, dy], np.float32)

    def move(xy: tuple[float, float]) -> tuple[float, float]:
        return (xy[0] + dx, xy[1] + dy)

    return Index(
        move(index.rank_xy), move(index.suit_xy), index.box + d, index.rank_box + d, index.suit_box + d
    )


@dataclass
class Face:
    """One card's face: ``rgba`` is uint8 (H, W, 4) in OpenCV's order B, G, R, A; ``width_mm`` its real width."""

    rgba: Image
    width_mm: float
    indices: list[Index]
    _levels: list[Image] = field(default_factory=list, repr=False)

    def level(self, scale: float) -> tuple[Image, float]:
        """The picture reduced by halves so that drawing it at ``scale`` shrinks it by less than 1.6; and its scale."""
        if not self._levels:
            self._levels.append(np.ascontiguousarray(self.rgba))
        k, s = 0, 1.0
        while scale < 0.62 * s and k < 3:
            k, s = k + 1, s / 2
            if len(self._levels) <= k:
                last = self._levels[-1]
                # An exact half in each direction, so that level k's pixel x is the face's pixel x * 2^k.
                h, w = last.shape[0] // 2 * 2, last.shape[1] // 2 * 2
                self._levels.append(
                    np.asarray(
                        cv2.resize(last[:h, :w], (w // 2, h // 2), interpolation=cv2.INTER_AREA), np.uint8
                    )
                )
        return self._levels[k], s


@dataclass
class Pack:
    """A pack: faces by card name (``"AS"``, ``"10H"``, ``"JOKER"``, ``"11S"``), and a back."""

    name: str
    faces: Mapping[str, Face]
    back: Face | None = None


def save_pack(folder: Path, name: str, faces: Mapping[str, Face], back: Image | None) -> None:
    """Write a pack to the cache: one ``.npz`` with the pictures as WebP and the indices as JSON.

    The whole cache stays below 64 MB, so that it can be carried to another machine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [face.rgba for face in faces.values()] + ([back] if back is not None else [])
    meta: dict[str, Any] = {"back": back is not None, "cards": []}
    for n, face in faces.items():
        rows = [[i.rank_box.tolist(), i.suit_box.tolist(), i.box.tolist()] for i in face.indices]
        meta["cards"].append({"name": n, "width_mm": face.width_mm, "indices": rows})
    encoded = {f"p{k}": encode(".webp", p, cv2.IMWRITE_WEBP_QUALITY, 95) for k, p in enumerate(pictures)}
    np.savez(folder / f"{name}.npz", meta=np.array(json.dumps(meta)), **encoded)  # type: ignore[arg-type]


def encode(kind: str, picture: Image, setting: int, quality: int) -> Image:
    """A picture's bytes in the format of the file ending ``kind``."""
    ok, data = cv2.imencode(kind, picture, [setting, quality])
    if not ok:
        raise ValueError(f"a picture of {picture.shape} can't be encoded as {kind}")
    return np.asarray(data, np.uint8).reshape(-1)


@lru_cache(maxsize=128)
def load_pack(folder: Path, name: str) -> Pack:
    """Read a pack from the cache."""
    with np.load(folder / f"{name}.npz") as file:
        meta = json.loads(str(file["meta"]))
        count = len(meta["cards"]) + int(meta["back"])
        pictures = [
            np.asarray(cv2.imdecode(file[f"p{k}"], cv2.IMREAD_UNCHANGED), np.uint8) for k in range(count)
        ]
    pictures = [
        p if p.shape[2] == 4 else np.dstack([p, np.full(p.shape[:2], 255, np.uint8)]) for p in pictures
    ]
    faces: dict[str, Face] = {}
    for picture, row in zip(pictures, meta["cards"], strict=False):
        indices = []
        for rank_box, suit_box, box in row["indices"]:
            r, s = np.array(rank_box, np.float32), np.array(suit_box, np.float32)
            rc, sc = r.mean(0), s.mean(0)
            indices.append(
                Index(
                    (float(rc[0]), float(rc[1])),
                    (float(sc[0]), float(sc[1])),
                    np.array(box, np.float32),
                    r,
                    s,
                )
            )
        faces[row["name"]] = Face(picture, float(row["width_mm"]), indices)
    back = Face(pictures[-1], next(iter(faces.values())).width_mm, []) if meta["back"] else None
    return Pack(name, faces, back)
