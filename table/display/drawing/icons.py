"""Icons and panels, drawn by SDL's own renderer of SVG and cached.

The icons are the suits, and symbols that distinguish things by shape. Each is a file in ``table/display/icons/``, black
with white holes.
"""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import pygame

from table.display.drawing.boxes import Size
from table.display.drawing.colours import Colour
from table.display.drawing.surface_cache import cached_surface

_FOLDER = files("table.display") / "icons"
ICONS = tuple(sorted(path.name.removesuffix(".svg") for path in _FOLDER.iterdir()))


@cache
def _read_icon(name: str) -> bytes:
    return (_FOLDER / f"{name}.svg").read_bytes()


@cached_surface
def draw_icon(name: str, side: int, colour: Colour) -> pygame.Surface:
    """Draw the icon ``name`` (one of :data:`ICONS`) in a transparent square of ``side`` pixels."""
    size = max(1, side), max(1, side)
    drawn = pygame.Surface(size, depth=32)
    drawn.fill((255, 255, 255))
    drawn.blit(pygame.image.load_sized_svg(io.BytesIO(_read_icon(name)), size), (0, 0))
    icon = pygame.Surface(size, pygame.SRCALPHA)
    icon.fill(colour)
    alpha = pygame.surfarray.pixels_alpha(icon)
    alpha[:] = 255 - pygame.surfarray.array_red(drawn)
    return icon


@cached_surface
def draw_rounded_rect(size: Size, radius: int, fill: Colour, edge: Colour, width: int) -> pygame.Surface:
    """Draw a smooth filled rounded rectangle with an edge of ``width`` pixels (0: none)."""
    inner = (size[0] - 2 * width, size[1] - 2 * width)
    shapes = _rect((0, 0), size, radius, edge)
    return render_svg(shapes + _rect((width, width), inner, max(0, radius - width), fill), size)


def _rect(corner: tuple[int, int], size: Size, radius: int, colour: Colour) -> str:
    """Return a filled rounded rectangle as an element of SVG."""
    (x, y), (width, height) = corner, size
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="rgb{colour}"/>'


def render_svg(elements: str, size: Size) -> pygame.Surface:
    """Render elements of SVG, whose unit is a pixel, on a transparent surface of this size."""
    width, height = size
    document = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{elements}</svg>'
    surface = pygame.Surface(size, pygame.SRCALPHA)
    # What SDL renders has another order of colours, and is slow to copy.
    surface.blit(pygame.image.load_sized_svg(io.BytesIO(document.encode()), size), (0, 0))
    return surface
