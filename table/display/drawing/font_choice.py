"""The fonts, and the choice of the font for each letter.

Noto Sans comes first (Latin, Greek and Cyrillic letters): its semi-condensed cut, in a medium and a bold weight, with
figures of one width. The other fonts have what it lacks: Hebrew, Arabic, Japanese and symbols. All files lie in
``table/display/fonts/``, each a subset made by ``tests/display/fonts.py``. System fonts are not used, so that a picture
is the same on every machine.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from unicodedata import bidirectional, category, normalize

import pygame
import pygame.freetype

from table.names import JOINERS

FONT_FOLDER = files("table.display") / "fonts"
_SANS = "NotoSans-SemiCondensedBold.ttf"
_HEBREW = "NotoSansHebrew-Bold.ttf"
_ARABIC = "NotoSansArabic-Bold.ttf"
FONT_FILES = (
    _SANS,
    _HEBREW,
    _ARABIC,
    "NotoSansCJKjp-Bold.otf",
    "NotoSansSymbols2-Regular.ttf",
    "DejaVuSans.ttf",
)
"""The font files in the order in which they are tried."""
MEDIUM_FILES = {_SANS: "NotoSans-SemiCondensedMedium.ttf", _HEBREW: "NotoSansHebrew-Medium.ttf"}
"""The medium-weight file of a font, with the same letters; the other fonts have a single weight."""
REPLACEMENT_LETTER = "•"
"""The replacement for a letter that no font has: a dot, because a box looks like a fault."""
_SCALES = {_SANS: 1.03, _ARABIC: 0.8, "NotoSansCJKjp-Bold.otf": 0.94}
"""The side of a font's em square relative to the text height, where it is not 1."""
_SCRIPTS = {_ARABIC: "Arab", _HEBREW: "Hebr"}
"""The script of fonts whose letters join or carry marks."""
_PROBE_SIZE = 24
"""The size in pixels at which fonts are opened to look up their glyphs."""


@lru_cache(maxsize=512)
def open_font(name: str, height: int, rtl: bool = False, *, strong: bool = False) -> pygame.font.Font:
    """Open a font (one of :data:`FONT_FILES`), bold or medium, for text ``height`` pixels high, or right to left."""
    if not pygame.font.get_init():
        pygame.font.init()
    file = name if strong else MEDIUM_FILES.get(name, name)
    font = pygame.font.Font(io.BytesIO(_read_font_file(file)), max(4, round(height * _SCALES.get(name, 1.0))))
    if name in _SCRIPTS:
        font.set_script(_SCRIPTS[name])
    if rtl:
        font.set_direction(pygame.DIRECTION_RTL)
    return font


@lru_cache(maxsize=len(FONT_FILES) + len(MEDIUM_FILES))
def _read_font_file(name: str) -> bytes:
    """Read a font file once: a font opened by its path would keep the file open for each size."""
    return (FONT_FOLDER / name).read_bytes()


@lru_cache(maxsize=4096)
def split_by_font(text: str) -> tuple[tuple[str, str], ...]:
    """Split a text into pieces that one font can write, each with the font's name; invisible characters are dropped."""
    parts: list[tuple[str, str]] = []
    for cluster in _clusters(normalize("NFC", text)):
        letters, name = _choose_font(cluster)
        if parts and parts[-1][1] == name:
            parts[-1] = (parts[-1][0] + letters, name)
        else:
            parts.append((letters, name))
    return tuple(parts)


def _clusters(text: str) -> Iterator[str]:
    """Yield each letter together with its combining marks."""
    cluster = ""
    for letter in text:
        kind = category(letter)
        if letter in JOINERS and cluster and bidirectional(cluster[0]) == "AL":
            cluster += letter  # controls whether Arabic letters join
            continue
        if kind == "Cf" or "\ufe00" <= letter <= "\ufe0f" or "\U0001f3fb" <= letter <= "\U0001f3ff":
            continue
        if kind in ("Cc", "Zl", "Zp", "Zs"):
            letter = " "
        if cluster and kind not in ("Mn", "Me"):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster


@lru_cache(maxsize=4096)
def _choose_font(cluster: str) -> tuple[str, str]:
    """Return the letters that are written for a cluster, and their font: without marks when no font has them."""
    # Letters that join must come from one font.
    faces = (_ARABIC, *FONT_FILES) if bidirectional(cluster[0]) == "AL" else FONT_FILES
    for letters in (cluster, cluster[0], normalize("NFKD", cluster)[0]):
        for name in faces:
            if has_glyphs(name, letters):
                return letters, name
    return REPLACEMENT_LETTER, _SANS


def has_glyphs(name: str, letters: str) -> bool:
    """Return whether a font has glyphs for all these letters."""
    visible = letters.rstrip(JOINERS)
    return all(metrics is not None for metrics in _probe_font(name).get_metrics(visible))


@lru_cache(maxsize=len(FONT_FILES))
def _probe_font(name: str) -> pygame.freetype.Font:
    if not pygame.freetype.get_init():
        pygame.freetype.init()
    return pygame.freetype.Font(str(FONT_FOLDER / name), _PROBE_SIZE)
