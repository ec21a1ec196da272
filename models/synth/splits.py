"""The packs that training sees, and those that are held out to measure with."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from models.synth.drawn import Studio
from models.synth.packs import HELD_PACKS, Pack, default_cache, load_pack

PHOTOGRAPHED = frozenset({"bidly", "poker-cards"})
"""Packs of real cards: each stands three times in the list."""


def load_packs(split: Literal["train", "held"] = "train", cache: Path | None = None) -> list[Pack]:
    """All packs of a split: those in the cache, and for each 1.4 times a studio that draws packs anew.

    A cached pack is held out when it is named in ``HELD_PACKS``; drawn packs are held out by their fonts, signs and
    pictures (``models.synth.drawn.kit``).
    """
    folder = (cache or default_cache()) / "faces"
    names = sorted(p.stem for p in folder.glob("*.npz")) if folder.is_dir() else []
    packs = [load_pack(folder, n) for n in names if (n in HELD_PACKS) == (split == "held")]
    packs += [p for p in packs if p.name in PHOTOGRAPHED] * 2
    return packs + [Studio(held=split == "held") for _ in range(max(1, round(1.4 * len(packs))))]
