"""What the first bytes of a picture file say: its kind, and its size where nothing has to be decoded for it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["png", "jpeg", "heic"]

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_HEIC: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""Brands of ISO/IEC 23008-12 with which phones' photographs begin."""
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers (ITU-T T.81, table B.1) that begin a frame: its size stands in it."""
_BARE: Final = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers without a length."""
_MOST_SEGMENTS: Final = 1_000


def kind_of_picture(data: bytes) -> Kind | None:
    """The kind of picture that the file begins as; None for any other."""
    if data.startswith(_PNG):
        return "png"
    if data.startswith(_JPEG):
        return "jpeg"
    return "heic" if data[4:8] == b"ftyp" and data[8:12] in _HEIC else None


def size_of_picture(data: bytes) -> tuple[int, int] | None:
    """Width and height by the header of a PNG or a JPEG; None where it says none."""
    kind = kind_of_picture(data)
    if kind == "png" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    return _size_of_jpeg(data) if kind == "jpeg" else None


def _size_of_jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    for _ in range(_MOST_SEGMENTS):
        if at + 9 > len(data) or data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker in _FRAMES:
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at += 1 if marker == 0xFF else 2 if marker in _BARE else 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
