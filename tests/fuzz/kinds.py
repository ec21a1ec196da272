"""The kinds of files, the commands that read them, and what is done to each."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import numpy as np

from table.referee.records.checksummed_journal_rows import seal_row
from tests.fuzz.mutate import BYTES, NUMBERS, TEXT, Mutation, garbled, mutated
from tests.fuzz.seeds import Seeds

Case: TypeAlias = tuple[str, ...]
"""A command and its arguments."""
Maker: TypeAlias = Callable[[Random, Seeds, Path], Case]
"""Leaves damaged files in an empty folder, and says which command reads them."""


def table(random: Random, seeds: Seeds, folder: Path) -> Case:
    put(folder / "table.toml", mutated(random, (seeds.recording / "table.toml").read_bytes()))
    if random.random() < 0.2:
        for name in ("video.mkv", "frames.csv", "buttons.csv", "truth.jsonl"):
            os.link(seeds.recording / name, folder / name)
        return ("replay", str(folder), "--check")
    if random.random() < 0.1:
        return (
            "enrol",
            str(seeds.pictures[0]),
            "--config",
            str(folder / "table.toml"),
            "--out",
            str(folder / "x.npz"),
        )
    if random.random() < 0.1:
        return (
            "play",
            "--headless",
            "--config",
            str(folder / "table.toml"),
            "--journal",
            str(folder / "j.jsonl"),
        )
    return ("games", "--config", str(folder / "table.toml"))


def _of_recording(name: str) -> Maker:
    def maker(random: Random, seeds: Seeds, folder: Path) -> Case:
        for path in seeds.recording.iterdir():
            if path.name != name:
                os.link(path, folder / path.name)
        put(folder / name, mutated(random, (seeds.recording / name).read_bytes()))
        return ("replay", str(folder), "--check")

    return maker


def truth(random: Random, seeds: Seeds, folder: Path) -> Case:
    for path in seeds.recording.iterdir():
        if path.name != "truth.jsonl":
            os.link(path, folder / path.name)
    data = (seeds.recording / "truth.jsonl").read_bytes()
    put(
        folder / "truth.jsonl",
        lines_garbled(random, data) if random.random() < 0.4 else mutated(random, data),
    )
    return ("replay", str(folder), "--check")


def lists(random: Random, seeds: Seeds, folder: Path) -> Case:
    """The list of pictures that ``enrol`` takes, and a recording's answers."""
    if random.random() < 0.5:
        return _of_recording("answers.csv")(random, seeds, folder)
    put(folder / "cards.csv", mutated(random, seeds.cards.read_bytes()))
    return (
        "enrol",
        str(seeds.pictures[0]),
        "--list",
        str(folder / "cards.csv"),
        "--out",
        str(folder / "x.npz"),
    )


def journals(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A folder of games of which one is damaged, or has a strange name, or strange facts beside it."""
    source = random.choice(sorted(seeds.games.glob("*.jsonl")))
    data = source.read_bytes()
    way = random.random()
    name = source.name
    if way < 0.1:
        name = random.choice(NAMES)
    elif way < 0.5:
        data = lines_garbled(random, data)
    else:
        data = mutated(random, data)
    games = folder / "cardtable" / "games"
    games.mkdir(parents=True)
    try:
        put(games / name, data)
    except OSError:
        put(games / source.name, data)  # no disk has such a name
        name = source.name
    facts = source.with_name(f"{source.name}.facts")
    if facts.exists():
        kept = facts.read_bytes()
        if random.random() < 0.3:
            data = source.read_bytes()
            put(games / name, data)
            kept = lines_garbled(random, kept) if random.random() < 0.5 else mutated(random, kept)
        put(games / f"{name}.facts"[:255], kept)
    which = random.random()
    if which < 0.25:
        return ("history", "--games", str(games), *random.choice(((), ("--json",))))
    if which < 0.6:
        asked = random.choice(((), (name.removesuffix(".jsonl"),), (str(games / name),), ("x" * 300,)))
        return ("export", *random.choice(((), ("--csv",), ("--html",))), "--games", str(games), *asked)
    if which < 0.75:
        what = random.choice(((), ("--at", "9"), ("--at", "2s"), ("--sheet",)))
        out = str(folder / "table.png")
        return ("show", str(games / name), *what, "--size", "320x200", "--out", out)
    put(folder / "table.toml", set_up(source, seeds))
    place = random.choice(((), ("--journal", str(games / name))))
    return ("play", "--headless", "--config", str(folder / "table.toml"), *place)


NAMES: Sequence[str] = (
    "9999-12-31-235959.jsonl",
    "2199-12-31-235959.jsonl",
    "0001-01-01-000000.jsonl",
    "x" * 240 + ".jsonl",
    ".jsonl",
    "a\nb.jsonl",
    "\x1b[2J.jsonl",
    "\udcff\udcfe.jsonl",
    "~nosuchuser.jsonl",
    "x-y.jsonl",
    "x" * 300 + ".jsonl",
)


def packs(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A file that ``enrol`` wrote: its bytes damaged, or its parts replaced and packed anew."""
    data = seeds.pack.read_bytes()
    way = random.random()
    damaged = _packed_anew(random, data) if way > 0.3 else mutated(random, data, _mostly_bytes(random))
    put(folder / "pack.npz", damaged)
    if random.random() < 0.2:
        put(
            folder / "table.toml",
            (seeds.recording / "table.toml")
            .read_bytes()
            .replace(b"[camera]", b'[camera]\npack = "pack.npz"'),
        )
        for name in ("video.mkv", "frames.csv", "buttons.csv"):
            os.link(seeds.recording / name, folder / name)
        return ("replay", str(folder))
    return ("detect", str(seeds.pictures[0]), "--pack", str(folder / "pack.npz"))


def pictures(random: Random, seeds: Seeds, folder: Path) -> Case:
    source = random.choice(seeds.pictures)
    data = source.read_bytes()
    if random.random() < 0.5:
        data = _header_asks(random, source.suffix, data)
    else:
        data = mutated(random, data, _mostly_bytes(random))
    name = random.choice((source.name, source.name, "x" * 240, "a\nb.png", "\x1b[2J.png", "\udcff.png"))
    put(folder / name, data)
    asked = random.choice((("detect", "--json"), ("detect",), ("enrol", "--out", str(folder / "x.npz"))))
    return (*asked, str(folder / name))


KINDS: dict[str, Maker] = {
    "table.toml": table,
    "buttons.csv": _of_recording("buttons.csv"),
    "frames.csv": _of_recording("frames.csv"),
    "truth.jsonl": truth,
    "journals": journals,
    "packs": packs,
    "lists": lists,
    "pictures": pictures,
}


def _mostly_bytes(random: Random) -> Sequence[Mutation]:
    return BYTES if random.random() < 0.8 else TEXT


def put(path: Path, data: bytes) -> None:
    """Leave a file."""
    path.write_bytes(data)


# --- lines ------------------------------------------------------------------------------------------------


def lines_garbled(random: Random, data: bytes) -> bytes:
    """JSON lines of which a value has become another, with a checksum that fits it, or a line stands elsewhere."""
    lines: list[Any] = [json.loads(row) for row in data.splitlines()]
    at = random.randrange(len(lines))
    lines[at] = garbled(random, lines[at])
    if random.random() < 0.2:
        lines.insert(random.randrange(len(lines)), lines.pop(random.randrange(len(lines))))
    had = "crc" in json.loads(data.splitlines()[0])
    rows = []
    for number, line in enumerate(lines, start=1):
        if isinstance(line, dict):
            line = {key: value for key, value in line.items() if key != "crc"}
            if had and random.random() < 0.98 and "seq" in line:
                line["seq"] = number
        try:
            row = seal_row(line) if had and isinstance(line, dict) else json.dumps(line, ensure_ascii=False)
            rows.append(row.encode())
        except ValueError:
            rows.append(json.dumps(line).encode())
    return b"\n".join(rows) + b"\n"


def set_up(journal: Path, seeds: Seeds) -> bytes:
    """A table.toml for the game of a journal; its camera is a film."""
    first, angles = json.loads(journal.read_bytes().splitlines()[0]), seeds.angles[journal.name]
    text = f"[game]\nname = {json.dumps(first['game'])}\n[game.options]\n"
    text += "".join(
        f"{key} = {_toml(value)}\n" for key, value in first["options"].items() if value is not None
    )
    for number, seat in enumerate(first["seats"]):
        text += f"[[seat]]\nname = {json.dumps(seat)}\nangle = {angles[seat]}\nbid = {number}\n"
    set_up = (seeds.recording / "table.toml").read_text()
    camera = set_up[set_up.index("[camera]") : set_up.index("[buttons]")]
    lines = [line for line in camera.splitlines() if not line.startswith("source")]
    return (
        text + "\n".join([*lines, f"source = {json.dumps(str(seeds.recording / 'video.mkv'))}"]) + "\n"
    ).encode()


def _toml(value: object) -> str:
    return json.dumps(value)


# --- packs ------------------------------------------------------------------------------------------------

HEADERS: Sequence[bytes] = (
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (100000000000,), }",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000), }",
    b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
    b"{'descr': '<U9999999', 'fortran_order': False, 'shape': (9999,), }",
    b"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
    b"{'descr': '<M8[ns]', 'fortran_order': True, 'shape': (2,), }",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (1",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': " + b"(" * 2_000,
    b"{" * 9_000,
    b"[" * 200 + b"]" * 200,
    b"-" * 9_000 + b"1",
    b"'" * 3,
    b"\0" * 64,
    b"1" * 5_000,
    b"{'descr': '<f4'}",
    b"f(1)",
    b"\xff\xfe",
)


def _packed_anew(random: Random, data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as pack:
        parts = {name: pack.read(name) for name in pack.namelist()}
    name = random.choice(sorted(parts))
    way = random.randrange(6)
    if way == 0:
        parts[name] = mutated(random, parts[name], BYTES)
    elif way == 1:
        header = random.choice(HEADERS)
        version = random.choice((b"\x01\x00", b"\x02\x00", b"\x03\x00"))
        size = struct.pack("<H" if version[0] == 1 else "<I", len(header) + 1)
        parts[name] = b"\x93NUMPY" + version + size + header + b"\n" + bytes(100)
    elif way == 2:
        parts["about.npy"] = _array(_about(random, parts["about.npy"]))
    elif way == 3:
        parts[name] = _array(random.choice(ARRAYS))
    elif way == 4:
        parts["fits"] = b""
        about = {"format": 1, "cards": ["AS", "10H", "none"], "fits": [random.choice(("a", "", None, 3))]}
        parts["about.npy"] = _array(np.array(json.dumps(about)))
        shapes = {"mean": (4,), "basis": (4, 3), "delta": (4, 23), "whiten": (2, 2), "centres": (2, 2)}
        shapes[random.choice(sorted(shapes))] = random.choice(((0,), (1,), (4, 4), (2, 3, 4), (3, 0)))
        for key, shape in shapes.items():
            parts[f"{key}0.npy"] = _array(np.full(shape, random.choice((0, 1, np.nan, np.inf)), np.float32))
    else:
        del parts[name]
    out = io.BytesIO()
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(out, "w", method) as pack:
        for part, content in parts.items():
            pack.writestr(part, content)
        if random.random() < 0.02:
            pack.writestr("mean0.npy", bytes(700_000_000))  # a bomb
    return out.getvalue()


def _about(random: Random, part: bytes) -> np.ndarray[Any, Any]:
    text = str(np.load(io.BytesIO(part)))
    if random.random() < 0.5:
        return np.array(json.dumps(garbled(random, json.loads(text))))
    return np.array(mutated(random, text.encode()).decode(errors="replace"))


def _array(array: np.ndarray[Any, Any]) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


ARRAYS: Sequence[np.ndarray[Any, Any]] = (
    np.zeros(0),
    np.zeros((3, 3)),
    np.array([-1, 5, 9]),
    np.array([2**62, 2**62, 9]),
    np.array([1e300, np.nan, np.inf]),
    np.array([None, {}], dtype=object),
    np.array("x" * 1000),
    np.array(["a", "b", "c"]),
    np.array(7),
    np.zeros(3, np.int64),
    np.array([True, False, True]),
    np.array([1 + 2j] * 3),
)


# --- pictures ---------------------------------------------------------------------------------------------

SIDES: Sequence[int] = (0, 1, 9_000, 20_000, 32_767, 65_535, 100_000, 1_000_000, 2**31 - 1, 2**31, 2**32 - 1)


def _header_asks(random: Random, suffix: str, data: bytes) -> bytes:
    """A picture whose header says another size than it has, as exactly as its format allows."""
    width, height = random.choice(SIDES), random.choice(SIDES)
    found = bytearray(data)
    if suffix == ".png":
        struct.pack_into(">II", found, 16, width, height)
        if random.random() < 0.3:
            found[24], found[25] = random.choice(((16, 6), (8, 2), (1, 0), (8, 3), (4, 0)))
        struct.pack_into(">I", found, 29, zlib.crc32(found[12:29]))
    elif suffix == ".bmp":
        struct.pack_into("<ii", found, 18, (width + 2**31) % 2**32 - 2**31, (height + 2**31) % 2**32 - 2**31)
        if random.random() < 0.3:
            struct.pack_into("<H", found, 28, random.choice((1, 4, 8, 16, 24, 32)))
    elif suffix == ".gif":
        struct.pack_into("<HH", found, 6, width % 65536, height % 65536)
    elif suffix in (".ppm", ".pgm"):
        head = b"P6" if suffix == ".ppm" else b"P5"
        found = bytearray(head + f"\n{random.choice((width, *NUMBERS))} {height}\n255\n".encode() + data[20:])
    elif suffix == ".jpg":
        at = data.find(b"\xff\xc0")
        if at > 0:
            struct.pack_into(">HH", found, at + 5, height % 65536, width % 65536)
    else:
        return mutated(random, data, BYTES)
    return bytes(found)
