"""A cached pack's faces as the virtual table draws them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from models.synth.packs import Pack
from table.simulation.rendering.card_artwork import HEIGHT_MM, WIDTH_MM, CardArtwork


def faces_of(pack: Pack) -> Callable[[str, float], CardArtwork]:
    """The pack's faces as the virtual table draws them, each in the size of a poker card."""

    @lru_cache(maxsize=128)
    def drawn(name: str, px_per_mm: float) -> CardArtwork:
        size = (round(WIDTH_MM * px_per_mm), round(HEIGHT_MM * px_per_mm))
        rgba = np.asarray(cv2.resize(pack.faces[name].rgba, size, interpolation=cv2.INTER_AREA), np.uint8)
        alpha = rgba[..., 3:]
        # Outside its round corners a face has no colour of its own: the paper's keeps the edge clean.
        paper = np.full_like(rgba[..., :3], 245)
        image = np.where(alpha > 127, rgba[..., :3], paper)
        return CardArtwork(np.ascontiguousarray(image), np.ascontiguousarray(alpha[..., 0]))

    return drawn
