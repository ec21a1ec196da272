"""Contact sheet of the hands, to look at: ``python -m tests.scenes.hands.sheet --out sheet.png --kind push``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from table.simulation.rendering.card_artwork import HEIGHT_MM, WIDTH_MM, render_back, render_face
from tests.scenes.hands.poses import KINDS
from tests.scenes.hands.sprites import FILE, Image, Matrix, Sprite, load_sprites, place

TILE: Final = (360, 400)
"""Width and height of a tile, pixels."""
PX_PER_MM: Final = 1.6
_CLOTHS: Final = ((62, 104, 40), (74, 54, 34), (126, 128, 130), (48, 40, 112), (70, 112, 156))
_NAMES: Final = ("AS", "10H", "QD", "7C", "KS")


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sprites", type=Path, default=FILE)
    parser.add_argument("--out", type=Path, default=Path("hands.png"))
    parser.add_argument("--kind", choices=list(KINDS))
    parser.add_argument("--person", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument(
        "--travel", type=float, default=0.0, help="motion along the arm during the exposure, pixels"
    )
    options = parser.parse_args()
    chosen = [
        sprite
        for sprite in load_sprites(options.sprites)
        if options.kind in (None, sprite.kind) and options.person in (None, sprite.person)
    ][options.first : options.first + options.count]
    tiles = [draw_tile(sprite, options.travel) for sprite in chosen]
    while len(tiles) % options.columns:
        tiles.append(np.zeros_like(tiles[0]))
    rows = [
        np.hstack(tiles[start : start + options.columns]) for start in range(0, len(tiles), options.columns)
    ]
    cv2.imwrite(str(options.out), np.vstack(rows))


def draw_tile(sprite: Sprite, travel_px: float = 0.0) -> Image:
    """Draw one sprite on a cloth, with a card where it holds one."""
    width, height = TILE
    rng = np.random.default_rng(sprite.number)
    cloth = np.array(_CLOTHS[sprite.number % len(_CLOTHS)], np.float32)
    grain = cv2.GaussianBlur(rng.standard_normal((height, width)).astype(np.float32), (0, 0), 1.0)
    picture: Image = np.clip(cloth * (1 + 0.25 * grain[..., None]), 0, 255).astype(np.uint8)
    homography = np.array([[PX_PER_MM, 0, width / 2], [0, PX_PER_MM, 150], [0, 0, 1]])
    hand = place(sprite, homography, TILE, (0, 0), 180 + float(rng.normal(0, 12)), travel_px=(0, travel_px))
    hand.draw_shadow(picture)
    hand.draw_under(picture)
    if hand.card is not None:
        draw_card(
            picture, homography, hand.card, None if sprite.kind == "hold" else _NAMES[sprite.number % 5]
        )
    hand.draw_above(picture)
    side = "left" if sprite.left else "right"
    text = f"{sprite.number} {sprite.kind} {side} {sprite.dress}"
    cv2.putText(picture, text, (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return picture


def draw_card(picture: Image, homography: Matrix, pose: tuple[float, float, float], name: str | None) -> None:
    """Draw a card (None: its back) onto the picture."""
    x, y, degrees = pose
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    texture = render_back(4.0) if name is None else render_face(name, 4.0).image
    to_card = np.array([[0.25, 0, -WIDTH_MM / 2], [0, 0.25, -HEIGHT_MM / 2], [0, 0, 1]])
    matrix = homography @ np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]]) @ to_card
    size = (picture.shape[1], picture.shape[0])
    mask = cv2.warpPerspective(np.full(texture.shape[:2], 255, np.uint8), matrix, size)
    warped = cv2.warpPerspective(texture[..., :3], matrix, size)
    share = mask[..., None].astype(np.float32) / 255
    picture[:] = np.clip(picture * (1 - share) + warped * 0.9 * share, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    main()
