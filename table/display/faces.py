"""The fonts, and which of them writes a letter.

Noto Sans comes first (Latin, Greek and Cyrillic letters): its semi-condensed cut, in a medium and a bold weight, with
figures of one width. The others write what it lacks: Hebrew, Arabic, Japanese, and signs. All lie beside this module,
in ``fonts/``, each with a part of its letters, as ``tests/display/fonts.py`` cuts them. Nothing of the machine is
asked, so that a picture is the same everywhere.
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

FOLDER = files("table.display") / "fonts"
_SANS = "NotoSans-SemiCondensedBold.ttf"
_HEBREW = "NotoSansHebrew-Bold.ttf"
_ARABIC = "NotoSansArabic-Bold.ttf"
FACES = (
    _SANS,
    _HEBREW,
    _ARABIC,
    "NotoSansCJKjp-Bold.otf",
    "NotoSansSymbols2-Regular.ttf",
    "DejaVuSans.ttf",
)
"""In the order in which they are asked."""
MEDIUM = {_SANS: "NotoSans-SemiCondensedMedium.ttf", _HEBREW: "NotoSansHebrew-Medium.ttf"}
"""The lighter weight of a face, with the same letters; the others have a single one."""
UNKNOWN = "•"
"""Stands for a letter that no font has: a dot is seen to be none, a box looks like a fault."""
_SCALES = {_SANS: 1.03, _ARABIC: 0.8, "NotoSansCJKjp-Bold.otf": 0.94}
"""The side of a font's em square, in heights of a line's letters, where it is not 1."""
_SCRIPTS = {_ARABIC: "Arab", _HEBREW: "Hebr"}
"""Whose letters join, or carry marks."""
_ASKED = 24
"""The height in which it is asked what letters there are, in pixels."""


@lru_cache(maxsize=512)
def face(name: str, height: int, rtl: bool = False, *, strong: bool = False) -> pygame.font.Font:
    """A font (one of :data:`FACES`) for lines ``height`` pixels high, that writes leftwards if ``rtl``.

    ``strong``: in the bold weight, else in the medium one.
    """
    if not pygame.font.get_init():
        pygame.font.init()
    file = name if strong else MEDIUM.get(name, name)
    found = pygame.font.Font(io.BytesIO(_file(file)), max(4, round(height * _SCALES.get(name, 1.0))))
    if name in _SCRIPTS:
        found.set_script(_SCRIPTS[name])
    if rtl:
        found.set_direction(pygame.DIRECTION_RTL)
    return found


@lru_cache(maxsize=len(FACES) + len(MEDIUM))
def _file(name: str) -> bytes:
    """A font's file: each size that was opened by its name would keep it open for good."""
    return (FOLDER / name).read_bytes()


@lru_cache(maxsize=4096)
def pieces(text: str) -> tuple[tuple[str, str], ...]:
    """A text in pieces that one font can write, each with the font's name; what can't be seen is left out."""
    found: list[tuple[str, str]] = []
    for cluster in _clusters(normalize("NFC", text)):
        letters, name = _written(cluster)
        if found and found[-1][1] == name:
            found[-1] = (found[-1][0] + letters, name)
        else:
            found.append((letters, name))
    return tuple(found)


def _clusters(text: str) -> Iterator[str]:
    """Each letter with the marks upon it."""
    held = ""
    for letter in text:
        kind = category(letter)
        if letter in JOINERS and held and bidirectional(held[0]) == "AL":
            held += letter  # it says whether Arabic letters join
            continue
        if kind == "Cf" or "\ufe00" <= letter <= "\ufe0f" or "\U0001f3fb" <= letter <= "\U0001f3ff":
            continue
        if kind in ("Cc", "Zl", "Zp", "Zs"):
            letter = " "
        if held and kind not in ("Mn", "Me"):
            yield held
            held = ""
        held += letter
    if held:
        yield held


@lru_cache(maxsize=4096)
def _written(cluster: str) -> tuple[str, str]:
    """What is written of a letter with its marks, and by which font: without the marks where none has them."""
    # Letters that join are of one font.
    faces = (_ARABIC, *FACES) if bidirectional(cluster[0]) == "AL" else FACES
    for letters in (cluster, cluster[0], normalize("NFKD", cluster)[0]):
        for name in faces:
            if has(name, letters):
                return letters, name
    return UNKNOWN, _SANS


def has(name: str, letters: str) -> bool:
    """Whether a font has all these letters."""
    drawn = letters.rstrip(JOINERS)
    return all(one is not None for one in _asked(name).get_metrics(drawn))


@lru_cache(maxsize=len(FACES))
def _asked(name: str) -> pygame.freetype.Font:
    if not pygame.freetype.get_init():
        pygame.freetype.init()
    return pygame.freetype.Font(str(FOLDER / name), _ASKED)
