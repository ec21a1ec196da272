"""Letters and figures as masks: from installed fonts (kept in the cache), or from OpenCV's own strokes."""

from __future__ import annotations

import importlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.uint8]

CHARS = "0123456789AJQKOERBDVkoert★"
CAP = 96
"""Height of a figure's mask in pixels."""
LEFT_OUT = (
    "Symbols",
    "Symbol",
    "Math",
    "Italic",
    "Oblique",
    "STIXSize",
    "STIXInt",
    "STIXVar",
    "STIXNon",
    "Unicode",
    "OCRAItalic",
    "Initials",
    "Keyboard",
    "Outline",
    "Unjoined",
    "Supplement",
    "Nushu",
    "Music",
    "Slanted",
    "Junkyard",
    "Balker",
    "Penguin",
    "Marked",
    "wasnt",
    "Biolinum_K",
    "Dingbats",
    "Standard Symbols",
    "D050000L",
    "Script",
    "Caliban",
    "mono",
    "Display8",
)
NOTO_KEPT = ("NotoSans-", "NotoSerif-", "NotoSansDisplay-", "NotoSerifDisplay-", "NotoSansMono-")
NOTO_STYLES = (
    "-Regular",
    "-Bold",
    "-Light",
    "-Medium",
    "-Black",
    "-CondensedBold",
    "-Condensed",
    "-ExtraCondensed",
    "-ExtraCondensedBold",
    "-SemiCondensed",
    "-Thin",
)


@dataclass(frozen=True)
class Font:
    """Masks by character, figures ``CAP`` pixels high; ``tops`` how far a glyph's top is below the figures' top."""

    name: str
    masks: dict[str, Mask]


def held_out(name: str) -> bool:
    """Whether a font is kept for the held-out packs: one in eight, by its family's name."""
    family = name.split("-")[0].split("[")[0].lower()
    return sum(ord(c) * (k + 3) for k, c in enumerate(family)) % 8 == 0


def font_files() -> list[Path]:
    """Installed upright text fonts, by fontconfig."""
    done = subprocess.run(["fc-list", ":", "file"], check=True, capture_output=True, text=True)
    files = sorted({line.split(":")[0].strip() for line in done.stdout.splitlines()})
    out = []
    for file in files:
        stem = Path(file).stem
        if Path(file).suffix.lower() not in (".ttf", ".otf", ".t1", ".pfb"):
            continue
        if any(word.lower() in stem.lower() for word in LEFT_OUT):
            continue
        if stem.startswith("Noto") and not (stem.startswith(NOTO_KEPT) and stem.endswith(NOTO_STYLES)):
            continue
        out.append(Path(file))
    return out


def draw_font(file: Path) -> dict[str, Mask] | None:
    """All of ``CHARS`` that a font has, or None when it is no font for cards (no lining figures)."""
    # Pillow comes with Ultralytics; only building the cache needs it.
    pil, image_draw, image_font = (
        importlib.import_module(f"PIL.{m}") for m in ("Image", "ImageDraw", "ImageFont")
    )
    try:
        font = image_font.truetype(str(file), 200)
    except OSError:
        return None
    masks: dict[str, Mask] = {}
    heights = {}
    for char in CHARS:
        picture = pil.new("L", (420, 420))
        try:
            image_draw.Draw(picture).text((100, 60), char, font=font, fill=255)
        except (OSError, ValueError):
            return None
        a = np.asarray(picture)
        ys, xs = np.where(a > 100)
        if len(ys) == 0:
            if char in "0123456789AJQK":
                return None
            continue
        masks[char] = a[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].copy()
        heights[char] = (int(ys.min()), int(ys.max()))
    figures = [heights[c][1] - heights[c][0] for c in "023456789"]
    if max(figures) > 1.12 * min(figures) or min(figures) < 50:
        return None
    for one, other in ("AK", "23", "58"):
        if masks[one].shape == masks[other].shape and np.array_equal(masks[one], masks[other]):
            return None  # a box stands for what the font has not
    scale = CAP / float(np.median(figures))
    out = {}
    for char, mask in masks.items():
        h, w = mask.shape
        s = scale
        if char in "AKJBDVR":  # capitals stand as high as the figures on a card
            s = CAP / h
        elif char == "Q":
            s = min(scale, 1.12 * CAP / h)
        size = (max(3, round(w * s)), max(3, round(h * s)))
        out[char] = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)
    return out


def save_fonts(folder: Path) -> int:
    """Draw every installed font's figures into the cache; the number of fonts."""
    table: list[dict[str, object]] = []
    data: list[npt.NDArray[np.uint8]] = []
    at = 0
    seen: set[bytes] = set()
    for file in font_files():
        masks = draw_font(file)
        if masks is None:
            continue
        key = b"".join(cv2.resize(masks[c], (12, 12)).tobytes() for c in "2A8K")
        if key in seen:
            continue
        seen.add(key)
        rows = {}
        for char, mask in masks.items():
            rows[char] = [at, *mask.shape]
            data.append(mask.reshape(-1))
            at += mask.size
        table.append({"name": file.stem, "glyphs": rows})
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "glyphs.npz", data=np.concatenate(data), table=np.array(json.dumps(table)))
    return len(table)


def load_fonts(folder: Path) -> list[Font]:
    """The cached fonts; none when there is no cache."""
    if not (folder / "glyphs.npz").exists():
        return []
    with np.load(folder / "glyphs.npz") as file:
        data, table = np.asarray(file["data"], np.uint8), json.loads(str(file["table"]))
    fonts = []
    for row in table:
        masks = {c: data[a : a + h * w].reshape(h, w) for c, (a, h, w) in row["glyphs"].items()}
        fonts.append(Font(row["name"], masks))
    return fonts


def set_word(masks: list[Mask], gap: int, *, stacked: bool) -> Mask:
    """Letters beside one another on a line, or each under the last and centred, ``gap`` pixels apart."""
    way = 0 if stacked else 1
    across = max(mask.shape[1 - way] for mask in masks)
    out = np.zeros((0, across) if stacked else (across, 0), np.uint8)
    for k, mask in enumerate(masks):
        room = across - mask.shape[1 - way]
        before = (gap if k else 0, 0)
        sides = (before, (room // 2, room - room // 2)) if stacked else ((room, 0), before)
        out = np.asarray(np.concatenate([out, np.pad(mask, sides)], axis=way), np.uint8)
    return out


def varied(font: Font, rng: np.random.Generator) -> Font:
    """The font with its waists higher or lower, leaning a little: as another hand would have cut it."""
    waist, lean = rng.uniform(-0.1, 0.1), rng.normal(0, 0.04)
    masks = {}
    for char, mask in font.masks.items():
        h = mask.shape[0]
        room = int(np.ceil(abs(lean) * h / 2))
        wide = cv2.copyMakeBorder(mask, 0, 0, room, room, cv2.BORDER_CONSTANT, value=0)
        down = np.arange(h, dtype=np.float32)[:, None] / h
        # 0 and 1 stay where they are; the middle moves by the waist's share of the height.
        y = h * (down + waist * np.sin(np.pi * down)).repeat(wide.shape[1], axis=1)
        x = np.arange(wide.shape[1], dtype=np.float32)[None, :] + lean * h * (down - 0.5)
        line = cv2.remap(wide, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
        masks[char] = np.asarray(line, np.uint8)
    return Font(font.name, masks)


def stroke_fonts() -> list[Font]:
    """Fonts drawn with OpenCV's own strokes: always there, plain, used by tests and as a few styles among many."""
    fonts = []
    for face, name in ((cv2.FONT_HERSHEY_SIMPLEX, "simplex"), (cv2.FONT_HERSHEY_COMPLEX, "complex")):
        for thick in (10, 18):
            masks = {}
            for char in CHARS[:-1]:
                canvas = np.zeros((300, 300), np.uint8)
                cv2.putText(canvas, char, (60, 220), face, 5.0, 255, thick, cv2.LINE_AA)
                ys, xs = np.where(canvas > 100)
                cut = canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
                size = (max(3, round(cut.shape[1] * CAP / cut.shape[0])), CAP)
                masks[char] = np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)
            fonts.append(Font(f"stroke-{name}-{thick}", masks))
    return fonts
