"""Parsing of picture headers: the kind of a file, and its size without decoding it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["png", "jpeg", "heic"]

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_HEIC: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""Brands of ISO/IEC 23008-12 with which phones' photographs begin."""
_FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers (ITU-T T.81, table B.1) that begin a frame header, which holds the size."""
_MARKERS_WITHOUT_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD8)})
"""JPEG markers without a length."""
_MAX_SEGMENTS: Final = 1_000


def picture_kind(data: bytes) -> Kind | None:
    """Return the kind of picture that the bytes begin as; None for any other."""
    if data.startswith(_PNG):
        return "png"
    if data.startswith(_JPEG):
        return "jpeg"
    return "heic" if data[4:8] == b"ftyp" and data[8:12] in _HEIC else None


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the header of a PNG or a JPEG; None if it holds none."""
    kind = picture_kind(data)
    if kind == "png" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    return _size_of_jpeg(data) if kind == "jpeg" else None


def _size_of_jpeg(data: bytes) -> tuple[int, int] | None:
    position = 2
    for _ in range(_MAX_SEGMENTS):
        if position + 9 > len(data) or data[position] != 0xFF:
            return None
        marker = data[position + 1]
        if marker in _FRAME_MARKERS:
            return int.from_bytes(data[position + 7 : position + 9]), int.from_bytes(
                data[position + 5 : position + 7]
            )
        position += (
            1
            if marker == 0xFF
            else 2
            if marker in _MARKERS_WITHOUT_LENGTH
            else 2 + int.from_bytes(data[position + 2 : position + 4])
        )
    return None
