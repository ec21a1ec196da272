"""Pictures that are drawn once and shown often: as many as have room, whatever the size of the screen.

A line of text is a few kilobytes on a small window and some hundred on a large screen. So they are counted by what they
take, all together, and not by how many there are: else an evening of new names and scores would fill the memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Final, ParamSpec

import pygame

Drawn = ParamSpec("Drawn")

MOST_BYTES: Final = 64 * 2**20
"""Of all pictures that are kept: what one screen of 3840 x 2160 shows at once, and five times that of 1920 x 1080."""


class Kept:
    """Pictures by what they show, those that were shown last."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._pictures: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def get(self, key: Hashable, draw: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The picture of that key; it is drawn where it is not kept."""
        found = self._pictures.get(key)
        if found is not None:
            self._pictures.move_to_end(key)
            return found
        found = draw()
        self._pictures[key] = found
        self.bytes += _bytes(found)
        while self.bytes > self.most_bytes:
            self.bytes -= _bytes(self._pictures.popitem(last=False)[1])
        return found


PICTURES: Final = Kept(MOST_BYTES)


def kept(draw: Callable[Drawn, pygame.Surface]) -> Callable[Drawn, pygame.Surface]:
    """Keep the pictures that a function of hashable values draws; nobody is to draw upon them. A decorator."""

    @wraps(draw)
    def found(*args: Drawn.args, **named: Drawn.kwargs) -> pygame.Surface:
        return PICTURES.get((draw, args, *named.items()), lambda: draw(*args, **named))

    return found


def _bytes(picture: pygame.Surface) -> int:
    return picture.get_height() * picture.get_pitch()
