"""An ``.npz`` as ``numpy.savez`` writes it, read without trusting it.

NumPy's own reader makes room for what a header asks for and parses headers as Python; here an array is as large as
the bytes that are there, and a header is one that NumPy writes or none.
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


def arrays_of(data: bytes, most: int) -> dict[str, NDArray[Any]]:
    """The arrays of an ``.npz`` by name; ``ValueError`` where it is none, damaged, or of more than ``most`` bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            listed = parts.infolist()
            # Neither packed tighter nor locked: so nothing unfolds to more than is there.
            if any(part.compress_type != zipfile.ZIP_STORED or part.flag_bits & 1 for part in listed):
                raise ValueError("expected parts that are stored as they are")
            if sum(part.file_size for part in listed) > most:
                raise ValueError("too large")
            return {part.filename.removesuffix(".npy"): _array(parts.read(part)) for part in listed}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError) as error:
        raise ValueError(f"expected a file that numpy.savez wrote ({error})") from None


def _array(part: bytes) -> NDArray[Any]:
    header = _HEADER.match(part)
    if header is None:
        raise ValueError("expected an array that numpy.save wrote")
    kind, by_column, sides = header.groups()
    shape = tuple(int(side) for side in (sides or b"").replace(b" ", b"").split(b",") if side)
    dtype = np.dtype(kind.decode())
    values = part[header.end() :]
    if math.prod(shape) * dtype.itemsize != len(values):
        raise ValueError("expected as many values as the header says")
    if dtype.kind == "U" and any(np.frombuffer(values, "<u4") > sys.maxunicode):
        raise ValueError("expected text")
    array = np.frombuffer(values, dtype) if values else np.zeros(0, dtype)
    return array.reshape(shape[::-1]).T if by_column == b"True" else array.reshape(shape)
