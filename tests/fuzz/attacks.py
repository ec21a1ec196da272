"""Files that somebody made on purpose: pipes, links, bombs, pictures of odd sizes, names that steer a terminal."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import struct
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from table.referee.records.checksummed_journal_rows import seal_row
from tests.fuzz import kinds
from tests.fuzz.kinds import Case, Maker, lines_garbled, put, set_up
from tests.fuzz.mutate import STEERS
from tests.fuzz.seeds import Seeds

SMALL = ("--size", "320x200")
"""Of a screen: the least."""


def _recording(seeds: Seeds, folder: Path, *without: str) -> Path:
    """A sound recording in ``folder``, but for these files."""
    for path in seeds.recording.iterdir():
        if path.name not in without:
            os.link(path, folder / path.name)
    return folder


def _game(random: Random, seeds: Seeds, folder: Path) -> tuple[Path, Path]:
    """A sound game in its own folder, with what lies beside it, and the set-up for it; the journal and the set-up."""
    source = random.choice(sorted(seeds.games.glob("*.jsonl")))
    games = folder / "cardtable" / "games"
    games.mkdir(parents=True)
    for path in (source, source.with_name(f"{source.name}.facts")):
        if path.exists():
            put(games / path.name, path.read_bytes())
    put(folder / "table.toml", set_up(source, seeds))
    return games / source.name, folder / "table.toml"


# --- what is no file --------------------------------------------------------------------------------------------------


def _socket(path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as made:
        here = os.getcwd()
        os.chdir(path.parent)  # a socket's whole name is short
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


SPECIAL: Sequence[Callable[[Path], None]] = (
    os.mkfifo,
    os.mkfifo,
    os.mkfifo,
    Path.mkdir,
    _socket,
    lambda path: path.symlink_to("/dev/zero"),
    lambda path: path.symlink_to("/dev/full"),
    lambda path: path.symlink_to("/proc/self/mem"),
    lambda path: path.symlink_to(path.name),
    lambda path: path.symlink_to("nowhere"),
)


def pipes(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A pipe, a folder, a socket, a device or a link to nothing where a file should be."""
    put_there = random.choice(SPECIAL)
    special = folder / "special.jsonl"
    way = random.random()
    if way < 0.35:
        name = random.choice([path.name for path in seeds.recording.iterdir()])
        _recording(seeds, folder, name)
        put_there(folder / name)
        return random.choice((("replay", str(folder), "--check"), ("show", str(folder), *SMALL)))
    if way < 0.55:
        journal, set_up_of_it = _game(random, seeds, folder)
        there = random.choice(
            (journal, journal.with_name(f"{journal.name}.facts"), journal.with_name("z.jsonl"))
        )
        there.unlink(missing_ok=True)
        put_there(there)
        play = ("play", "--headless", "--config", str(set_up_of_it))
        games: Sequence[Case] = (
            play,
            (*play, "--journal", str(there)),
            ("history", "--games", str(journal.parent)),
            ("export", "--games", str(journal.parent), str(there)),
            ("show", str(there), *SMALL, "--out", str(folder / "x.png")),
        )
        return random.choice(games)
    put_there(special)
    config = str(seeds.recording / "table.toml")
    picture, out = str(seeds.pictures[0]), ("--out", str(folder / "x.npz"))
    cases: Sequence[Case] = (
        ("detect", str(special)),
        ("detect", picture, "--pack", str(special)),
        ("enrol", str(special), *out),
        ("enrol", picture, "--list", str(special), *out),
        ("enrol", picture, "--out", str(special)),
        ("calibrate", str(special), "--config", config, "--picture", str(folder / "x.png")),
        ("games", "--config", str(special)),
        ("play", "--headless", "--config", str(special)),
        ("replay", str(seeds.recording), "--journal", str(special)),
        ("show", str(seeds.recording), *SMALL, "--out", str(special)),
    )
    return random.choice(cases)


# --- links ------------------------------------------------------------------------------------------------------------


def links(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A link to another file where one is written, or where something is put beside it while it is.

    All else is sound, so that each command comes to write it.
    """
    way = random.randrange(7)
    out = folder / ("x.png", "x.npz", "table.toml.old", "x.png", "x.mkv", "x.pdf", "pictures")[way]
    planted = random.choice(
        (out, out, out.with_name(f"{out.name}.part"), out.with_name(f"{out.stem}.part{out.suffix}"))
    )
    config = folder / "table.toml"
    text = (seeds.recording / "table.toml").read_text()
    put(config, re.sub(r"(?m)^size = .*", "size = [1280, 720]", text, count=1).encode())
    if way == 6:
        out.mkdir()
        for number in range(1, 60):
            for event in ("dealt", "trick-won", "leads-tied", "game-over", "bids-tied", "hand-scored"):
                (out / f"{number:04}-{event}.png.part").symlink_to(seeds.witness)
    else:
        planted.symlink_to(seeds.witness)
    journal = str(random.choice(sorted(seeds.games.glob("*.jsonl"))))
    cases: Sequence[Case] = (
        ("show", journal, *SMALL, "--out", str(out)),
        ("enrol", str(seeds.card), "--new", "--out", str(out)),
        ("init", "--force", "--config", str(config), "--players", "Ada", "Ben", "Cleo"),
        ("calibrate", str(seeds.mat), "--config", str(config), "--picture", str(out)),
        ("show", journal, *SMALL, "--film", str(out)),
        ("calibrate", "--config", str(config), "--mat", str(out)),
        ("replay", str(seeds.recording), "--pictures", str(out)),
    )
    return cases[way]


# --- bombs ------------------------------------------------------------------------------------------------------------


def png(width: int, height: int, depth: int, colour: int, *, interlaced: int = 0, data: bytes = b"") -> bytes:
    """A PNG with that header, and that data for its pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(data, 1))
        + chunk(b"IEND", b"")
    )


def _large_png(random: Random) -> bytes:
    width, height = random.choice(
        ((16_000, 16_000), (5_700, 5_700), (2_000, 2_000), (32_000, 1_000), (65_000, 500), (9_000, 9_000))
    )
    depth, colour = random.choice(((8, 2), (16, 6), (16, 2), (8, 6), (1, 0), (8, 0)))
    whole = random.random() < 0.2 and width * height <= 4_000_000
    row = width * {0: 1, 2: 3, 6: 4}[colour] * depth // 8 + 1
    data = bytes(row * height) if whole else b""
    return png(width, height, depth, colour, interlaced=random.randrange(2), data=data)


def _large_film(random: Random, path: Path) -> bytes:
    """A film of small pictures whose own headers say that they are large."""
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MPNG"), 20, (64, 64))
    for _ in range(2):
        writer.write(np.zeros((64, 64, 3), np.uint8))
    writer.release()
    found = bytearray(path.read_bytes())
    path.unlink()
    side = random.choice((16_000, 8_000, 20_000))
    for at in (found_at.start() for found_at in re.finditer(b"IHDR", bytes(found))):
        struct.pack_into(">IIBB", found, at + 4, side, side, 16, 6)
        struct.pack_into(">I", found, at + 17, zlib.crc32(found[at : at + 17]))
    return bytes(found)


def _full_pack(random: Random, seeds: Seeds) -> bytes:
    """A pack that says again and again what it was shown."""
    with np.load(seeds.pack) as arrays:
        parts = {name: arrays[name] for name in arrays.files}
    times = random.choice((50, 500, 3_000))
    about = json.loads(str(parts["about"]))
    about["cards"] = [random.choice(("AS", "none")) if random.random() < 0.1 else "AS" for _ in range(times)]
    picture = parts["pictures"][: parts["sizes"][0]]
    out = io.BytesIO()
    named: dict[str, Any] = {
        "sizes": np.full(times, len(picture), np.int64),
        "pictures": np.tile(picture, times),
        "about": np.array(json.dumps({**about, "fits": []})),
    }
    np.savez(out, **named)
    return out.getvalue()


def bombs(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A few bytes that ask for very much: a picture, a film, a pack, a name."""
    way = random.random()
    config = str(seeds.recording / "table.toml")
    if way < 0.3:
        path = folder / "AS.png"
        put(path, _large_png(random))
        asked: Sequence[Case] = (
            ("detect", str(path)),
            ("enrol", str(path), "--out", str(folder / "x.npz")),
            ("calibrate", str(path), "--config", config, "--picture", str(folder / "x.png")),
        )
        return random.choice(asked)
    if way < 0.5:
        _recording(seeds, folder, "video.mkv")
        film = folder / random.choice(("video.mkv", "video.avi", "video.ts", "video.mp4"))
        put(film, _large_png(random) if random.random() < 0.5 else _large_film(random, folder / "made.avi"))
        calibrate = ("calibrate", str(film), "--config", config, "--picture", str(folder / "x.png"))
        return random.choice((("replay", str(folder)), ("show", str(folder), *SMALL), calibrate))
    if way < 0.6:
        put(folder / "pack.npz", _full_pack(random, seeds))
        return ("detect", str(seeds.pictures[0]), "--pack", str(folder / "pack.npz"))
    if way < 0.7:
        _recording(seeds, folder, "table.toml")
        text = (seeds.recording / "table.toml").read_text()
        size = random.choice(("[16384, 16384]", "[16384, 2048]", "[7680, 4320]"))
        put(folder / "table.toml", re.sub(r"(?m)^size = .*", f"size = {size}", text).encode())
        return random.choice((("replay", str(folder)), ("show", str(folder))))
    journal, config = (str(path) for path in _game(random, seeds, folder))
    _lengthen(random, Path(journal))
    return random.choice(
        (
            ("show", journal, *SMALL, "--out", str(folder / "x.png")),
            ("show", journal, *SMALL, "--sheet", "--out", str(folder / "x.png")),
            ("history", "--games", str(Path(journal).parent), "--statistics"),
            ("export", journal, random.choice(("--csv", "--html", "--pbn"))),
            ("play", "--headless", "--config", config, "--journal", journal),
        )
    )


def _lengthen(random: Random, journal: Path) -> None:
    """Have a game told by very long names, or beside it by very many rows."""
    facts = journal.with_name(f"{journal.name}.facts")
    if random.random() < 0.3 and facts.exists():
        rows = [json.loads(row) for row in facts.read_bytes().splitlines()]
        many = [*rows, *(rows[-1] for _ in range(random.choice((1_000, 20_000))))]
        put(facts, _sealed(many))
        return
    lines = journal.read_text()
    name = random.choice(json.loads(lines.splitlines()[0])["seats"])
    long = random.choice(("A", "é", "W ", "🂡", "ש")) * random.choice((100, 200, 2_000, 8_000))
    told = [json.loads(row.replace(json.dumps(name), json.dumps(long))) for row in lines.splitlines()]
    put(journal, _sealed(told))


def _sealed(lines: Sequence[dict[str, Any]]) -> bytes:
    bare = ({key: value for key, value in line.items() if key not in ("crc", "seq")} for line in lines)
    return "".join(
        f"{seal_row({'seq': number, **line})}\n" for number, line in enumerate(bare, start=1)
    ).encode()


# --- views ------------------------------------------------------------------------------------------------------------

SIDES: Sequence[int] = (16, 17, 24, 31, 32, 64, 100, 128, 240, 400, 540, 960)


def views(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A recording of pictures of any size, seen in any way."""
    _recording(seeds, folder, "video.mkv", "table.toml")
    size = random.choice(SIDES), random.choice(SIDES)
    writer = cv2.VideoWriter(
        str(folder / "video.mkv"), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 20, size
    )
    noise = np.random.default_rng(random.randrange(10**6))
    for _ in range(3):
        writer.write(noise.integers(60, 120, (size[1], size[0], 3), np.uint8))
    writer.release()
    scale = max(0.21, min(size) / 10 ** random.uniform(1.8, 3.2))
    plain = [[scale, 0.0, size[0] / 2], [0.0, scale, size[1] / 2], [0.0, 0.0, 1.0]]
    rows = [
        [value + random.choice((0, 0, 0, random.gauss(0, 0.2 * scale))) for value in row] for row in plain
    ]
    if random.random() < 0.5:
        rows[2] = [
            random.gauss(0, 10 ** random.uniform(-6, -1)),
            random.gauss(0, 1e-3),
            random.choice((1.0, 1.0, -1.0)),
        ]
    text = re.sub(
        r"(?m)^homography = .*", f"homography = {rows}", (seeds.recording / "table.toml").read_text()
    )
    put(folder / "table.toml", re.sub(r"(?m)^size = .*", f"size = {list(size)}", text, count=1).encode())
    config = str(folder / "table.toml")
    film = str(folder / "video.mkv")
    calibrate = ("calibrate", film, "--config", config, "--check", "--picture", str(folder / "x.png"))
    replay = ("replay", str(folder))
    return random.choice((replay, replay, (*replay, "--check"), calibrate))


# --- names ------------------------------------------------------------------------------------------------------------


def names(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A game, or a recording, of people whose names would steer a terminal; its file has such a name too."""
    if random.random() < 0.3:
        place = folder / f"recording{random.choice(STEERS)}"
        place.mkdir()
        _recording(seeds, place, "table.toml")
        put(
            place / "table.toml",
            _renamed(random, (seeds.recording / "table.toml").read_text(), "Ada").encode(),
        )
        return ("replay", str(place), *random.choice(((), ("--check",))))
    journal, config = _game(random, seeds, folder)
    lines = journal.read_text()
    for name in json.loads(lines.splitlines()[0])["seats"]:
        lines = _renamed(random, lines, name)
    put(journal, _sealed([json.loads(row) for row in lines.splitlines()]))
    odd = journal.with_name(f"game{random.choice(STEERS)}.jsonl")
    journal.rename(odd)
    out = ("--out", str(folder / f"x{random.choice(STEERS)}.png"))
    asked: Sequence[Case] = (
        ("show", str(odd), *SMALL, *out),
        ("show", str(odd), *SMALL, "--at", str(random.randrange(1, 50)), *out),
        ("export", str(odd)),
        ("export", str(odd), "--csv"),
        ("export", str(odd), "--html"),
        ("export", str(odd), "--pbn"),
        ("history", "--games", str(odd.parent)),
        ("history", "--games", str(odd.parent), "--json"),
        ("history", "--games", str(odd.parent), "--statistics"),
        ("play", "--headless", "--config", str(config), "--journal", str(odd)),
    )
    return random.choice(asked)


def _renamed(random: Random, text: str, name: str) -> str:
    odd = f"{name[:3]}{random.choice(STEERS)}"
    return text.replace(json.dumps(name), json.dumps(odd))


# --- what lies beside a game ------------------------------------------------------------------------------------------


def facts(random: Random, seeds: Seeds, folder: Path) -> Case:
    """A sound game beside which lie facts with checksums that fit, but which say what can't be."""
    journal, config = _game(random, seeds, folder)
    beside = journal.with_name(f"{journal.name}.facts")
    if beside.exists():
        kept = beside.read_bytes()
        if random.random() < 0.3:
            card = random.choice(re.findall(rb'"card": ("\w+")', kept) or [b'"9H"'])
            rows = kept.replace(card, random.choice((b'"?"', b'""', b'"11X"', b'"none"', b"null", b"[]")))
            kept = _sealed([json.loads(row) for row in rows.splitlines()])
        else:
            with suppress(ValueError):  # what it has become can't be garbled again
                for _ in range(random.choice((1, 1, 2, 5))):
                    kept = lines_garbled(random, kept)
        put(beside, kept)
    return ("play", "--headless", "--config", str(config))


ATTACKS: dict[str, Maker] = {
    "pipes": pipes,
    "links": links,
    "bombs": bombs,
    "views": views,
    "names": names,
    "facts": facts,
}
KINDS: dict[str, Maker] = {**kinds.KINDS, **ATTACKS}
"""All kinds of files."""
