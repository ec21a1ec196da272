"""A safe parser of ``.npz`` files as ``numpy.savez`` writes them, for files that are not trusted.

NumPy's own reader allocates what a header asks for and parses headers as Python. Here an array is as large as the bytes
that are there, and only headers as NumPy writes them are accepted.
"""

from __future__ import annotations

import io
import math
import re
import sys
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(?s:..)"
    rb"\{'descr': '([<|][biufU]\d{1,9})', 'fortran_order': (True|False), 'shape': \((?:(\d[\d, ]{0,99}))?\), \} *\n"
)


def parse_npz(data: bytes, max_bytes: int) -> dict[str, NDArray[Any]]:
    """Return the arrays of an ``.npz`` by name; ``ValueError`` if it is damaged or exceeds ``max_bytes``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            # Neither compressed nor encrypted, so no entry expands to more than its bytes.
            if any(entry.compress_type != zipfile.ZIP_STORED or entry.flag_bits & 1 for entry in entries):
                raise ValueError("expected parts that are stored as they are")
            if sum(entry.file_size for entry in entries) > max_bytes:
                raise ValueError("too large")
            return {
                entry.filename.removesuffix(".npy"): _parse_array(archive.read(entry)) for entry in entries
            }
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError) as error:
        raise ValueError(f"expected a file that numpy.savez wrote ({error})") from None


def _parse_array(data: bytes) -> NDArray[Any]:
    """Return the array in the bytes of a ``.npy`` file."""
    header = _HEADER.match(data)
    if header is None:
        raise ValueError("expected an array that numpy.save wrote")
    kind, by_column, sides = header.groups()
    shape = tuple(int(side) for side in (sides or b"").replace(b" ", b"").split(b",") if side)
    dtype = np.dtype(kind.decode())
    values = data[header.end() :]
    if math.prod(shape) * dtype.itemsize != len(values):
        raise ValueError("expected as many values as the header says")
    if dtype.kind == "U" and any(np.frombuffer(values, "<u4") > sys.maxunicode):
        raise ValueError("expected text")
    array = np.frombuffer(values, dtype) if values else np.zeros(0, dtype)
    return array.reshape(shape[::-1]).T if by_column == b"True" else array.reshape(shape)
