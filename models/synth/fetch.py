"""Build the cache of faces, fonts, photographs: ``python -m models fetch [--npm] [--realcards DIR]``.

Sources: Debian's gnome-cards-data and kdegames-card-data-kf5 (installed), npm packages (fetched with ``npm pack``), the
installed fonts, and the folder of real cards named by ``--realcards``. ``rsvg-convert`` (librsvg2-bin) draws the
vector faces.
"""

from __future__ import annotations

import argparse
import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.synth import glyphs, real, surfaces
from models.synth.locate import IndexPlaces, Rect, components, ink_mask, union
from models.synth.packs import (
    RANKS,
    Face,
    Image,
    Index,
    default_cache,
    make_index,
    save_pack,
    shifted,
    turned,
    word_drop,
)
from table.errors import TableError

WIDTH = 240
"""Pixels across a cached face: enough for the largest card in a scene (135 px) at less than half size."""

GNOME = Path("/usr/share/aisleriot/cards")
GNOME_LEFT_OUT = {"ancient_french", "tarocco", "swiss-xvii", "slavic_costumes", "tango_nuevo", "Атласные"}
"""French, Italian, Swiss or Cyrillic letters, or the suit beside the rank."""
NO_COURT_INDEX = {"guyenne-classic"}
"""Packs whose court cards have no index. (German B and D stand for jack and queen: they are read by their meaning.)"""
TWO_ONLY = {"tango"}
"""Packs whose other two corners hold something that is no index."""
KDE = Path("/usr/share/carddecks")
KDE_DECKS = ("svg-nicu-white", "svg-standard")
BRIDGE_WIDTH, POKER_WIDTH = 57.0, 63.5


def run_tool(command: Sequence[str], package: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run another program; ``TableError`` names the Debian package to install where it is missing."""
    try:
        return subprocess.run(command, check=True, **options)
    except FileNotFoundError:
        raise TableError(f"{command[0]} is not installed: sudo apt install {package} first") from None


def convert(*arguments: str) -> None:
    """Draw an SVG file as ``arguments`` of rsvg-convert say."""
    run_tool(["rsvg-convert", "--unlimited", *arguments], "librsvg2-bin")


def render_svg(svg: Path, width: int) -> Image:
    """Draw an SVG file (plain or gzipped) ``width`` pixels wide: uint8 (H, W, 4) B, G, R, A."""
    with tempfile.TemporaryDirectory() as folder:
        plain, png = Path(folder) / "a.svg", Path(folder) / "a.png"
        raw = svg.read_bytes()
        plain.write_bytes(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
        convert("-w", str(width), str(plain), "-o", str(png))
        picture = cv2.imread(str(png), cv2.IMREAD_UNCHANGED)
    if picture is not None and picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    if picture is None or picture.shape[2] != 4:
        raise ValueError(f"{svg}: not drawn with alpha")
    return np.asarray(picture, np.uint8)


def rounded(bgra: Image) -> Image:
    """Cut to the card's own outline; a face that fills its cell gets the rounded corners of a real card."""
    h, w = bgra.shape[:2]
    if (bgra[:4, :4, 3] > 200).all():
        r = round(w * 0.052)
        mask = np.zeros((h * 4, w * 4), np.uint8)
        big = r * 4
        cv2.rectangle(mask, (big, 0), (w * 4 - big, h * 4), 255, -1)
        cv2.rectangle(mask, (0, big), (w * 4, h * 4 - big), 255, -1)
        for x in (big, w * 4 - big):
            for y in (big, h * 4 - big):
                cv2.circle(mask, (x, y), big, 255, -1)
        bgra = bgra.copy()
        bgra[:, :, 3] = np.minimum(bgra[:, :, 3], cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA))
    # Where nothing is seen stands the paper's colour, or interpolation would draw a dark rim round the card.
    bgra = bgra.copy()
    solid = bgra[bgra[:, :, 3] > 250][:, :3]
    light = solid[solid.sum(1) >= np.percentile(solid.sum(1), 60)]
    bgra[bgra[:, :, 3] < 230, :3] = np.median(light, 0).astype(np.uint8)
    return bgra


def without_outline(cells: dict[str, Image]) -> dict[str, Image]:
    """Take off the dark line that drawn faces have round them and printed cards have not."""
    out = {}
    for name, cell in cells.items():
        k = 2 * round(cell.shape[1] * 0.013) + 1
        framed = cv2.copyMakeBorder(cell[:, :, 3], 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
        alpha = cv2.erode(framed, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (k, k)))[2:-2, 2:-2]
        out[name] = np.dstack([cell[:, :, :3], alpha])
    return out


def cut_common(cells: dict[str, Image]) -> dict[str, Image]:
    """Cut every cell to the box that holds the cards, and bring them to ``WIDTH`` pixels."""
    some = next(iter(cells.values()))
    alpha = np.max([c[:, :, 3] for c in list(cells.values())[:52]], 0)
    ys, xs = np.where(alpha > 128)
    y0, y1, x0, x1 = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    height = round(WIDTH * (y1 - y0) / (x1 - x0))
    out = {}
    for name, cell in cells.items():
        part = cell[: some.shape[0], : some.shape[1]][y0:y1, x0:x1].astype(np.float32)
        part[:, :, :3] *= part[:, :, 3:] / 255.0
        small = cv2.resize(part, (WIDTH, height), interpolation=cv2.INTER_AREA)
        a = np.maximum(small[:, :, 3:], 1.0)
        small[:, :, :3] = np.minimum(small[:, :, :3] * 255.0 / a, 255)
        out[name] = rounded(small.astype(np.uint8))
    return out


def gnome_cells(svg: Path) -> dict[str, Image]:
    """The cells of GNOME's grid of 13 x 5: clubs, diamonds, hearts, spades, ace to king; jokers and the back below."""
    sheet = render_svg(svg, 13 * 300)
    ch, cw = sheet.shape[0] / 5, 300.0
    cells = {}
    for row, suit in enumerate("CDHS"):
        for col, rank in enumerate(RANKS):
            cells[rank + suit] = (row, col)
    cells |= {"JOKER": (4, 0), "JOKER2": (4, 1), "BACK": (4, 2)}
    size = (int(ch), int(cw))
    return {
        n: np.ascontiguousarray(
            sheet[round(r * ch) : round(r * ch) + size[0], round(c * cw) : round(c * cw) + size[1]]
        )
        for n, (r, c) in cells.items()
        if round(r * ch) + size[0] <= sheet.shape[0] + 1
    }


def npm_folder(package: str, work: Path) -> Path:
    """Fetch a package with npm and unpack it; the folder that holds its files."""
    done = run_tool(["npm", "pack", package], "npm", cwd=work, capture_output=True, text=True)
    archive = work / done.stdout.strip().splitlines()[-1]
    target = work / archive.stem
    target.mkdir(exist_ok=True)
    shutil.unpack_archive(archive, target)
    return target / "package"


def bring(bgra: Image) -> Image:
    """Cut to what is there, ``WIDTH`` pixels wide."""
    return cut_common({"one": bgra})["one"]


def same_size(cells: dict[str, Image]) -> dict[str, Image]:
    """All faces at the height of the commonest."""
    height = int(np.median([c.shape[0] for c in cells.values()]))
    return {n: np.asarray(cv2.resize(c, (WIDTH, height)), np.uint8) for n, c in cells.items()}


def kde_cells(svg: Path) -> dict[str, Image]:
    """Faces of a KDE deck, drawn one by one by the names of its elements (``king_spade``, ``10_heart``)."""
    words = dict(zip(RANKS, ["1", *RANKS[1:10], "jack", "queen", "king"], strict=True))
    suits = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
    cells = {}
    with tempfile.TemporaryDirectory() as folder:
        plain, png = Path(folder) / "a.svg", Path(folder) / "a.png"
        raw = svg.read_bytes()
        plain.write_bytes(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
        for rank, word in words.items():
            for suit, suit_word in suits.items():
                convert("--export-id", f"{word}_{suit_word}", "-z", "2", str(plain), "-o", str(png))
                picture = cv2.imread(str(png), cv2.IMREAD_UNCHANGED)
                if picture is None:
                    raise ValueError(f"{svg}: {word}_{suit_word} not drawn")
                cells[rank + suit] = bring(without_outline({"one": np.asarray(picture, np.uint8)})["one"])
    return same_size(cells)


_REACT_TO_SVG = r"""
const fs = require('fs');
let code = fs.readFileSync(process.argv[2], 'utf8').replace(/^import .*$/gm, '').replace(/^export .*$/gms, '');
const kebab = k => k === 'className' ? 'class' : k === 'xlinkHref' ? 'xlink:href' :
  (k === 'viewBox' || k === 'preserveAspectRatio' || k.startsWith('pattern') || k.startsWith('gradient')
    || k === 'clipPathUnits' || k === 'stdDeviation' ? k : k.replace(/[A-Z]/g, c => '-' + c.toLowerCase()));
const flat = v => typeof v === 'object' ? Object.entries(v).map(([a, b]) => kebab(a) + ':' + b).join(';') : v;
const _extends = Object.assign;
const React = {createElement: (tag, props, ...kids) => '<' + tag + Object.entries(props || {})
  .filter(([k, v]) => v !== undefined && v !== null)
  .map(([k, v]) => ' ' + kebab(k) + '="' + String(flat(v)).replace(/"/g, '&quot;') + '"').join('')
  + (tag === 'svg' && !(props || {})['xmlns:xlink'] && !(props || {}).xmlnsXlink
     ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : '')
  + '>' + kids.filter(k => k).flat().join('') + '</' + tag + '>'};
const names = [...code.matchAll(/^const (Svg\w+) =/gm)].map(m => m[1]);
const all = new Function('React', '_extends', code + '; return {' + names.join(',') + '};')(React, _extends);
for (const n of names)
  fs.writeFileSync(process.argv[3] + '/' + n + '.svg', all[n]({}).replace(/xmlns-xlink/g, 'xmlns:xlink'));
"""


def npm_packs(work: Path) -> dict[str, dict[str, Image]]:
    """The faces of the npm packages, by pack name."""
    packs: dict[str, dict[str, Image]] = {}
    images = npm_folder("@heruka_urgyen/react-playing-cards", work) / "src" / "images"
    for folder in sorted(p for p in images.iterdir() if p.is_dir()):
        cells = {}
        for svg in folder.glob("*.svg"):
            m = re.fullmatch(r"([2-9TJQKA])([SHDC])", svg.stem)
            if m:
                cells[("10" if m[1] == "T" else m[1]) + m[2]] = render_svg(svg, 320)
        packs[f"kennard-{folder.name}"] = cut_common(without_outline(cells))
    cells = {}
    for svg in (npm_folder("@younestouati/playing-cards-standard-deck", work) / "cards").glob("*.svg"):
        m = re.fullmatch(r"(\d+)([shdc])", svg.stem)
        if m:
            cells[RANKS[int(m[1]) - 1] + m[2].upper()] = render_svg(svg, 320)
        elif svg.stem in ("joker", "back"):
            cells[svg.stem.upper()] = render_svg(svg, 320)
    packs["younestouati"] = same_size({n: bring(c) for n, c in without_outline(cells).items()})
    cells = {}
    for png in (npm_folder("svg-cards", work) / "png" / "2x").glob("*_*.png"):
        m = re.fullmatch(r"(spade|heart|diamond|club)_(\d+|jack|queen|king)", png.stem)
        picture = cv2.imread(str(png), cv2.IMREAD_UNCHANGED)
        if m and picture is not None:
            rank = {"1": "A", "jack": "J", "queen": "Q", "king": "K"}.get(m[2], m[2])
            cells[rank + m[1][0].upper()] = np.asarray(picture, np.uint8)
    packs["svg-cards"] = cut_common(without_outline(cells))
    script, out = work / "svg.js", work / "letele"
    out.mkdir(exist_ok=True)
    script.write_text(_REACT_TO_SVG)
    bundle = npm_folder("@letele/playing-cards", work) / "dist" / "index.esm.js"
    run_tool(["node", str(script), str(bundle), str(out)], "nodejs")
    cells = {}
    for svg in out.glob("*.svg"):
        m = re.fullmatch(r"Svg([SHDC])([2-9AJQKajqk]|10)", svg.stem)
        if m:
            cells[m[2].upper() + m[1]] = render_svg(svg, 320)
    packs["letele"] = cut_common(without_outline(cells))
    return packs


def joker_indices(bgra: Image) -> list[Index]:
    """A joker's indices where its corner holds one separate mark, word or star; else none."""
    ink = ink_mask(bgra)
    h, w = ink.shape
    # A word across: letters of one height side by side.
    letters = sorted(components(ink, (0.0, 0.0, w * 0.6, h * 0.2)))
    row: list[Rect] = []
    for b in letters:
        if not row:
            if b[0] < w * 0.16 and 0.02 * h < b[3] - b[1] < 0.12 * h:
                row = [b]
            continue
        high = row[0][3] - row[0][1]
        level = abs(b[1] - row[0][1]) + abs(b[3] - row[0][3]) < 0.5 * high
        if level and b[0] - row[-1][2] < 0.7 * high:
            row.append(b)
    if 4 <= len(row) <= 6:
        x0, y0, x1, y1 = union(row)
        if x1 - x0 > 1.6 * (y1 - y0):
            down = word_drop(x1 - x0, y1 - y0)
            across = make_index((x0, y0, x1, y1), (x0, y0 + down, x1, y1 + down))
            return [across, turned(across, w, h)]
    window = (0.0, 0.0, w * 0.27, h * 0.42)
    boxes = [b for b in components(ink, window) if b[2] < window[2] - 2 and b[3] < window[3] - 2]
    corner = [b for b in boxes if b[0] < w * 0.14 and b[1] < h * 0.5]
    if not corner:
        return []
    x0, y0, x1, y1 = union(corner)
    if x1 - x0 > 0.25 * w or y0 > 0.12 * h or y1 - y0 < 0.04 * h:
        return []
    if y1 - y0 >= 2.2 * (x1 - x0):
        middle = (y0 + y1) / 2
        upper = make_index((x0, y0, x1, middle), (x0, middle, x1, y1))
    else:
        upper = make_index((x0, y0, x1, y1), (x0, y1, x1, 2 * y1 - y0))
    both = [upper, turned(upper, w, h)]
    here = ink[int(y0) : int(y1), int(x0) : int(x1)].mean()
    there = ink[int(y0) : int(y1), int(w - x1) : int(w - x0)].mean()
    around = ink[int(y0) : int(y1), int(w - x1 - 0.06 * w) : int(w - x1)].mean()
    if there > 0.7 * here and around < 0.2 * here:  # the same mark in the other two corners
        right = shifted(upper, w - x1 - x0, 0.0)
        both += [right, turned(right, w, h)]
    return both


def build(
    folder: Path, name: str, cells: dict[str, Image], width_mm: float, bare_courts: bool = False
) -> None:
    """Find the indices of a pack's faces and write it to the cache."""
    inks = {n: ink_mask(c) for n, c in cells.items() if n not in ("BACK", "JOKER", "JOKER2")}
    places = IndexPlaces(inks)
    if name in TWO_ONLY:
        places.right = None
    faces = {}
    for n, cell in cells.items():
        if n == "BACK":
            continue
        if n.startswith("JOKER"):
            indices = joker_indices(cell)
        elif bare_courts and n[0] in "JQK":
            indices = []
        else:
            indices = places.indices(n, inks[n])
        faces[n] = Face(cell, width_mm, indices)
    save_pack(folder, name, faces, cells.get("BACK"))
    corners = 4 if places.right else 2
    print(f"{name}: {len(faces)} faces, {corners} indices each", flush=True)


def contact_sheet(pack_folder: Path, name: str, out: Path) -> None:
    """A picture of every index found, upright, to be looked at."""
    from models.synth.packs import load_pack

    pack = load_pack(pack_folder, name)
    tiles = []
    for face in pack.faces.values():
        bgr = np.ascontiguousarray(face.rgba[:, :, :3]).copy()
        for index in face.indices:
            cv2.polylines(bgr, [np.round(index.rank_box).astype(np.int32)], True, (255, 0, 255), 1)
            cv2.polylines(bgr, [np.round(index.suit_box).astype(np.int32)], True, (0, 160, 0), 1)
        h, w = bgr.shape[:2]
        top = bgr[: int(h * 0.32), : int(w * 0.36)]
        bottom = cv2.resize(bgr[int(h * 0.68) :, int(w * 0.64) :][::-1, ::-1], (top.shape[1], top.shape[0]))
        right = cv2.resize(bgr[: int(h * 0.32), int(w * 0.64) :], (top.shape[1], top.shape[0]))
        tiles.append(np.hstack([top, right, bottom]))
    tile_h, tile_w = tiles[0].shape[:2]
    tiles += [np.zeros((tile_h, tile_w, 3), np.uint8)] * (-len(tiles) % 9)
    sheet = np.vstack([np.hstack(tiles[k : k + 9]) for k in range(0, len(tiles), 9)])
    out.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(
        str(out / f"{name}.png"), cv2.resize(sheet, None, fx=0.66, fy=0.66, interpolation=cv2.INTER_AREA)
    )


def main(argv: list[str] | None = None) -> int:
    """Build the cache; faces that cannot be had are named and left out."""
    parser = argparse.ArgumentParser(prog="python -m models fetch", description=__doc__)
    parser.add_argument("--realcards", type=Path, help="folder with photographed faces in faces/")
    parser.add_argument("--npm", action="store_true", help="fetch the npm packages too (npm and node needed)")
    parser.add_argument("--sheets", type=Path, help="write a contact sheet of each pack's indices here")
    parser.add_argument("--only", nargs="*", help="names of packs to build")
    args = parser.parse_args(argv)
    folder = default_cache() / "faces"

    def wanted(name: str) -> bool:
        return not args.only or name in args.only

    if GNOME.is_dir():
        for svg in sorted(GNOME.glob("*.svgz")):
            if svg.stem not in GNOME_LEFT_OUT and wanted(svg.stem):
                try:
                    cells = cut_common(without_outline(gnome_cells(svg)))
                    build(folder, svg.stem, cells, BRIDGE_WIDTH, svg.stem in NO_COURT_INDEX)
                except (ValueError, subprocess.CalledProcessError) as error:
                    print(f"{svg.stem}: left out, {error}", file=sys.stderr)
    else:
        print(f"{GNOME} not found: install gnome-cards-data", file=sys.stderr)
    for deck in KDE_DECKS:
        for svg in sorted((KDE / deck).glob("*.svgz")):
            if wanted(deck):
                try:
                    build(folder, deck, kde_cells(svg), BRIDGE_WIDTH)
                except (ValueError, subprocess.CalledProcessError) as error:
                    print(f"{deck}: left out, {error}", file=sys.stderr)
    if args.npm:
        with tempfile.TemporaryDirectory() as work:
            for name, cells in npm_packs(Path(work)).items():
                if wanted(name):
                    try:
                        build(folder, name, cells, BRIDGE_WIDTH if name == "younestouati" else POKER_WIDTH)
                    except ValueError as error:
                        print(f"{name}: left out, {error}", file=sys.stderr)
    if args.realcards and wanted("bidly"):
        cells = {}
        for path in sorted((args.realcards / "faces").glob("*.jpg")):
            bgr = cv2.imread(str(path))
            if bgr is not None:
                cells[path.stem] = np.dstack([bgr, np.full(bgr.shape[:2], 255, np.uint8)])
        build(folder, "bidly", cut_common(cells), POKER_WIDTH)
    if args.realcards and wanted("poker-cards"):
        build(
            folder, "poker-cards", cut_common(real.photographed_pack(args.realcards / "train")), POKER_WIDTH
        )
    if args.realcards and wanted("photographs"):
        scenes = real.solve(args.realcards / "train")
        real.save(scenes, real.held_out(args.realcards / "train"), default_cache() / "real.npz")
        print(f"{len(scenes)} photographs with the places of their indices", flush=True)
    if args.realcards and wanted("surfaces"):
        parts = real.card_free(args.realcards / "train", surfaces.SIDE)
        surfaces.save_photographed(parts)
        print(f"{len(parts)} photographed surfaces", flush=True)
    if wanted("fonts"):
        print(f"{glyphs.save_fonts(default_cache())} fonts", flush=True)
    if args.sheets:
        for path in sorted(folder.glob("*.npz")):
            if wanted(path.stem):
                contact_sheet(folder, path.stem, args.sheets)
    return 0
