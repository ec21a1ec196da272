"""A size-limited cache of surfaces that are drawn once and shown often.

A line of text takes a few kilobytes on a small window and several hundred on a large screen. So the cache limits the
total bytes, not the number of surfaces: else an evening of new names and scores would fill the memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Final, ParamSpec

import pygame

Drawn = ParamSpec("Drawn")

MAX_BYTES: Final = 64 * 2**20
"""The limit of all cached surfaces: what a 3840 x 2160 screen shows at once, or five times a 1920 x 1080 screen."""


class SurfaceCache:
    """A cache of surfaces that drops the least recently used ones beyond a limit of bytes (``lru_cache`` has none)."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._surfaces: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def get(self, key: Hashable, draw: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the surface cached under ``key``, or draw and cache it."""
        surface = self._surfaces.pop(key, None)
        if surface is None:
            surface = draw()
            self.bytes += surface.get_height() * surface.get_pitch()
        self._surfaces[key] = surface
        while self.bytes > self.most_bytes:
            _, oldest = self._surfaces.popitem(last=False)
            self.bytes -= oldest.get_height() * oldest.get_pitch()
        return surface


PICTURES: Final = SurfaceCache(MAX_BYTES)


def cached_surface(draw: Callable[Drawn, pygame.Surface]) -> Callable[Drawn, pygame.Surface]:
    """Decorator: cache the surfaces that a function of hashable arguments draws. Callers must not draw on them."""

    @wraps(draw)
    def cached(*args: Drawn.args, **named: Drawn.kwargs) -> pygame.Surface:
        return PICTURES.get((draw, args, *named.items()), lambda: draw(*args, **named))

    return cached
