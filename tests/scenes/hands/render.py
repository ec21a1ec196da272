"""Render the sprites of hands: ``python -m tests.scenes.hands.render --out FILE --seed N --count 240``.

Needs Blender (Debian: ``apt-get install blender python3-numpy``) and the hand mesh of an npm package (MIT licence, see
LICENCE.md); a run of 240 takes some 20 minutes of one core. Nothing else of the project needs either.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.scenes.hands.sprites import FILE

PACKAGE: Final = "@webxr-input-profiles/assets"
MESH: Final = "dist/profiles/generic-hand/right.glb"
MM_PER_PX: Final = 0.5
_QUALITY: Final = 72
_RIM_SHADE: Final = 0.32
_RIM_MM: Final = 1.6
"""How much darker the outermost edge is, and how soon that ends."""
Floats = NDArray[np.float32]


def main() -> None:
    """Render into a folder and pack the sprites."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--package", type=Path, help=f"folder of the unpacked npm package {PACKAGE}")
    parser.add_argument("--folder", type=Path, help="folder of the rendered pictures; what is there is kept")
    parser.add_argument("--mm-per-px", type=float, default=MM_PER_PX)
    parser.add_argument("--pack-only", action="store_true", help="pack what the folder has, without Blender")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not options.pack_only:
            render(folder, find_mesh(options.package), options.seed, options.count, options.mm_per_px)
        packed = pack(folder, options.out)
    print(f"{packed} sprites, {options.out.stat().st_size / 1e6:.2f} MB: {options.out}")


def find_mesh(package: Path | None) -> Path:
    """Return the hand mesh, or say what to install."""
    for folder in (package, Path("node_modules") / PACKAGE):
        if folder is not None and (folder / MESH).exists():
            return folder / MESH
    return sys.exit(f"The hand mesh is missing: `npm install {PACKAGE}` here, or give --package FOLDER.")


def render(folder: Path, mesh: Path, seed: int, count: int, mm_per_px: float) -> None:
    """Let Blender render ``count`` sprites; those that the folder has already are kept."""
    blender = shutil.which("blender")
    if blender is None:
        sys.exit("Blender is missing: `apt-get install blender python3-numpy`.")
    script = Path(__file__).with_name("blender_script.py")
    root = Path(__file__).parents[3]
    arguments = [root, mesh.resolve(), folder.resolve(), seed, 0, count, mm_per_px]
    command = [blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python", str(script), "--"]
    subprocess.run([*command, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def pack(folder: Path, out: Path) -> int:
    """Pack the rendered pictures into one file; return the number of sprites."""
    facts, blobs, length = [], [], 0
    for path in sorted(folder.glob("*.json")):
        fact, pictures = _pack_one(path)
        spans: list[tuple[int, int] | None] = []
        for picture in pictures:
            spans.append(None if picture is None else (length, length + len(picture)))
            if picture is not None:
                blobs.append(picture)
                length += len(picture)
        facts.append({**fact, "pictures": spans})
    np.savez(
        out,
        facts=np.frombuffer(json.dumps(facts).encode(), np.uint8),
        pictures=np.frombuffer(b"".join(blobs), np.uint8),
    )
    return len(facts)


def _pack_one(path: Path) -> tuple[dict[str, Any], list[bytes | None]]:
    raw = json.loads(path.read_text())
    stem = str(path.with_suffix(""))
    colour, albedo, above = (_read(f"{stem}-{name}.png") for name in ("colour", "albedo-0001", "above-0001"))
    alpha = colour[..., 3]
    mm_per_px = (raw["box"][2] - raw["box"][0]) / colour.shape[1]
    clean = denoise(colour[..., :3], albedo[..., :3], alpha) * _rim(alpha, mm_per_px)[..., None]
    pixels = np.dstack([clean, alpha])
    shadow = cv2.GaussianBlur(_read(f"{stem}-shadow.png")[..., 3], (0, 0), 0.8).astype(np.float32)
    held = raw["card"] is not None
    mask = None
    if held:
        over = cv2.GaussianBlur(above[..., 1] / np.maximum(alpha, 0.05), (0, 0), 0.7)
        half = cv2.resize(over, (over.shape[1] // 2, over.shape[0] // 2), interpolation=cv2.INTER_AREA)
        mask = _encode((np.round(np.clip(half, 0, 1) * 15) * 17).astype(np.uint8), 101)
    box, shadow_box = raw["box"], raw["shadow_box"]
    shadow_mm = (shadow_box[2] - shadow_box[0]) / shadow.shape[1]
    rounded = {finger: (round(x, 2), round(-y, 2)) for finger, (x, y) in raw["tips"].items()}
    fact = {
        "number": int(path.stem),
        **{name: raw[name] for name in ("kind", "left", "person", "skin", "dress")},
        "arm_deg": round(raw["arm"] + 180, 3),
        "mm_per_px": mm_per_px,
        "origin": (-box[0] / mm_per_px - 0.5, box[3] / mm_per_px - 0.5),
        "shadow_mm_per_px": shadow_mm,
        "shadow_origin": (-shadow_box[0] / shadow_mm - 0.5, shadow_box[3] / shadow_mm - 0.5),
        "tips": rounded,
        "card": (round(raw["card"][0], 2), round(-raw["card"][1], 2), round(raw["card"][2], 2))
        if held
        else None,
        "card_lift_mm": round(raw["card_height"], 1) if held else 0.0,
        "tip_lift_mm": round(raw["tip_height"], 1),
        "lamp": (round(raw["lamp"][0]), round(-raw["lamp"][1]), round(raw["lamp"][2])),
    }
    return fact, [_encode(_bytes(pixels), _QUALITY), mask, _encode(_bytes(shadow), 80)]


def _rim(alpha: Floats, mm_per_px: float) -> Floats:
    """Return how bright the edge of a hand is: it looks down at the table, where no light comes from."""
    padded = np.pad((alpha > 0.5).astype(np.uint8), ((1, 0), (1, 1)))
    # The arm's cut end is no edge.
    padded = np.pad(padded, ((0, 8), (0, 0)), mode="edge")
    inside = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-8, 1:-1] * mm_per_px
    rim: Floats = (1 - _RIM_SHADE * np.exp(-inside / _RIM_MM)).astype(np.float32)
    return rim


def _read(path: str) -> Floats:
    picture = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    assert picture is not None, path
    scaled: Floats = (picture / 65535).astype(np.float32)
    return scaled


def _bytes(picture: NDArray[Any]) -> NDArray[np.uint8]:
    rounded: NDArray[np.uint8] = np.clip(picture * 255 + 0.5, 0, 255).astype(np.uint8)
    return rounded


def _encode(picture: NDArray[np.uint8], quality: int) -> bytes:
    done, data = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])
    assert done
    return data.tobytes()


def denoise(colour: Floats, albedo: Floats, alpha: Floats) -> Floats:
    """Smooth the light on a hand, but not its texture: what the surface reflects is known without noise."""
    surface = np.maximum(albedo**2.2 / np.maximum(alpha, 0.05)[..., None], 0.01)
    light = np.clip(colour**2.2 / surface, 0, 4)
    weight = np.where(alpha > 0.02, 1.0, 0.0)[..., None].astype(np.float32)
    # The transparent surroundings take the light at the edge, so that the filter doesn't darken it.
    nearby = np.maximum(cv2.GaussianBlur(weight, (0, 0), 3), 1e-3)[..., None]
    light = light * weight + cv2.GaussianBlur(light * weight, (0, 0), 3) / nearby * (1 - weight)
    level = np.log(light + 0.05).astype(np.float32)
    smooth = cv2.bilateralFilter(cv2.bilateralFilter(level, 7, 0.35, 2.0), 5, 0.2, 1.5)
    clean: Floats = (np.clip((np.exp(smooth) - 0.05) * surface, 0, 1) ** (1 / 2.2) * weight).astype(
        np.float32
    )
    return clean


if __name__ == "__main__":
    main()
