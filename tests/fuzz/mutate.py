"""What may happen to a file: between a seed and what a disk, an editor or a joker makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

DEEP = 2_000
LONG = 200_000

NUMBERS: Sequence[str] = (
    "1" * 400,
    "9" * 5_000,
    "-" + "7" * 400,
    "0." + "3" * 5_000,
    "1e999",
    "-1e999",
    "1e-999",
    "nan",
    "inf",
    "-inf",
    "NaN",
    "Infinity",
    "-1",
    "0",
    "-0",
    "00",
    "1.5",
    "9223372036854775807",
    "9223372036854775808",
    "9999999999999999999",
    "4611686018427387904",
    "1_000",
    "0x10",
    "٣",
    "²",
    "true",
    "",
)
TEXTS: Sequence[str] = (
    "x" * LONG,
    "x" * 300,
    "é" * 300,
    "🂡" * 300,
    "",
    " ",
    "~nosuchuser/x",
    "~nosuchuser",
    "../../../../etc/passwd",
    "/dev/zero",
    "/",
    "a\0b",
    "\x1b[2J\x07",
    "\u202e\u2066abc",
    "\ud800",
    "a\nb",
    '"',
    "'",
    ",",
    "AS",
    "?",
    "JOKER",
)
STEERS: Sequence[str] = (
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x9b31m",
    "\x7f",
    "\r",
    "\n",
    "\u202egnp",
    "\u2066",
    "\u2028",
    "\x85",
    "\t",
)
"""What steers a terminal."""
VALUES: Sequence[Any] = (
    "?",
    "",
    None,
    True,
    -1,
    0,
    10**18,
    2**63,
    10**400,
    1.5,
    -1e308,
    float("nan"),
    float("inf"),
    "",
    "AS",
    "?",
    "x" * 300,
    "\x1b[2J",
    "\ud800",
    [],
    {},
    [[]],
    [None],
    [1, "AS", None],
    {"seat": None},
    {"Ada": 1},
    {"Ada": 10**18, "Ben": "x"},
    {"a": {"b": {"c": []}}},
)

Mutation: TypeAlias = Callable[[Random, bytes], bytes]


def flipped(random: Random, data: bytes) -> bytes:
    """A few bits the other way round."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8, 64))):
        if found:
            found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found)


def truncated(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def hole(random: Random, data: bytes) -> bytes:
    """A stretch gone, doubled or overwritten."""
    start = random.randrange(len(data) + 1)
    end = min(len(data), start + random.choice((1, 4, 64, 1000)))
    instead = random.choice((b"", data[start:end] * 2, bytes(end - start), b"\xff" * (end - start)))
    return data[:start] + instead + data[end:]


def rows_moved(random: Random, data: bytes) -> bytes:
    """A line gone, twice there, or elsewhere."""
    rows = data.splitlines(keepends=True) or [b""]
    row = rows.pop(random.randrange(len(rows)))
    for _ in range(random.randrange(3)):
        rows.insert(random.randrange(len(rows) + 1), row)
    return b"".join(rows)


def nested(random: Random, data: bytes) -> bytes:
    """Brackets in one another where a value stands, closed or not."""
    opening, closing = random.choice((("[", "]"), ("{", "}"), ('{"a":', "}"), ("{a=", "}"), ("(", ")")))
    text = opening * DEEP + random.choice(("", "1")) + closing * random.choice((DEEP, DEEP, 0))
    return _instead(random, data, rb'"[^"\n]*"|-?[\d.]+|\[[^\n]*', text.encode())


def odd_number(random: Random, data: bytes) -> bytes:
    return _instead(random, data, rb"-?\d[\d.]*", random.choice(NUMBERS).encode())


def odd_text(random: Random, data: bytes) -> bytes:
    text = random.choice(TEXTS)
    escaped = json.dumps(text)[1:-1] if random.random() < 0.7 else text
    return _instead(random, data, rb'(?<=")[^"\n]*(?=")|[A-Za-z]\w*', escaped.encode(errors="surrogatepass"))


def odd_type(random: Random, data: bytes) -> bytes:
    """A value of a kind that nobody expects."""
    value = random.choice(
        (b"[]", b"{}", b"true", b"null", b'""', b"[[1]]", b"1979-05-27T07:32:00Z", b"07:32:00")
    )
    return _instead(random, data, rb'"[^"\n]*"|-?\d[\d.]*|\[[^\n]*\]', value)


def encoded(random: Random, data: bytes) -> bytes:
    """As another editor would save it."""
    text = data.decode(errors="replace")
    ways: Sequence[Callable[[], bytes]] = (
        lambda: b"\xef\xbb\xbf" + data,
        lambda: text.replace("e", "é", 3).encode("latin-1", "replace"),
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-16-le"),
        lambda: text.encode("utf-32"),
        lambda: text.replace("\n", "\r\n").encode(),
        lambda: text.replace("\n", "\r").encode(),
        lambda: text.replace("\n", "\u2028").encode(),
    )
    return random.choice(ways)()


def controls(random: Random, data: bytes) -> bytes:
    """Characters that no text has, somewhere."""
    place = random.randrange(len(data) + 1)
    what = random.choice(
        (b"\0", b"\x1b[2J", b"\x07", b"\x7f", b"\x85", b"\xc2\x85", b"\xed\xa0\x80", b"\xe2\x80\xae")
    )
    return data[:place] + what * random.choice((1, 3, 1000)) + data[place:]


def something_else(random: Random, data: bytes) -> bytes:
    """Another kind of file altogether."""
    return random.choice(
        (
            b"",
            b"\n",
            b" " * 1000,
            random.randbytes(1000),
            b"a.b" * 30_000,
            b"[" * 100_000,
            b"{" * LONG,
            b'"' * 999,
        )
    )


def many_parts(random: Random, data: bytes) -> bytes:
    """A key of thousands of parts, a row of thousands of cells, very many rows."""
    row = random.choice(
        (b"a" + b".a" * 20_000 + b" = 1\n", b"1," * 50_000 + b"\n", b"[[seat]]\n" * 5_000, b"{}\n" * 50_000)
    )
    rows = data.splitlines(keepends=True)
    rows.insert(random.randrange(len(rows) + 1), row)
    return b"".join(rows)


BYTES: Sequence[Mutation] = (flipped, truncated, hole)
TEXT: Sequence[Mutation] = (
    *BYTES,
    rows_moved,
    nested,
    odd_number,
    odd_number,
    odd_text,
    odd_text,
    odd_type,
    encoded,
    controls,
    something_else,
    many_parts,
)


def mutated(random: Random, data: bytes, ways: Sequence[Mutation] = TEXT) -> bytes:
    """The seed after one thing has happened to it, seldom two or three."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(ways)(random, data)
    return data


def garbled(random: Random, value: Any) -> Any:
    """A tree of JSON values of which one has become another."""
    inner = (
        list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    )
    if not inner or random.random() < 0.3:
        return random.choice(VALUES)
    key = random.choice(inner)
    changed = value.copy()
    if random.random() < 0.15:
        del changed[key]
    else:
        changed[key] = garbled(random, value[key])
    return changed


def _instead(random: Random, data: bytes, pattern: bytes, new: bytes) -> bytes:
    places = [found.span() for found in re.finditer(pattern, data)] or [(0, 0)]
    start, end = random.choice(places)
    return data[:start] + new + data[end:]
