"""Write the frozen held-out scenes: ``python -m models heldout OUT [--scenes N]``.

Packs, fonts, signs and pictures are those that no training scene uses. Writes ``0000.png`` and so on, and
``truth.jsonl`` with a line for each: ``{"image", "card_px", "cards": [{"card", "quad", "indices": [{"rank", "suit",
"quad", "visible"}]}]}``, all in pixels.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.synth.packs import Pack
from models.synth.scenes import Scene, make_scene
from models.synth.splits import load_packs

CONFIG = Path(__file__).with_name("heldout.toml")


def held_scenes(packs: list[Pack] | None = None, count: int | None = None) -> Iterator[Scene]:
    """The held-out scenes in order; scene k is the same however many are asked for."""
    config = tomllib.loads(CONFIG.read_text())
    packs = load_packs("held") if packs is None else packs
    sizes: list[float] = config["card_px"]
    for k in range(count if count is not None else int(config["scenes"])):
        rng = np.random.default_rng([int(config["seed"]), k])
        yield make_scene(rng, packs, int(config["size"]), card_px=sizes[k % len(sizes)])


def truth(scene: Scene, image: str) -> dict[str, Any]:
    """A scene's truth as a JSON object."""
    cards = []
    for card in scene.cards:
        indices = [
            {
                "rank": [round(v, 1) for v in i.rank_xy],
                "suit": [round(v, 1) for v in i.suit_xy],
                "quad": np.round(i.quad.astype(float), 1).tolist(),
                "visible": round(i.visible, 3),
            }
            for i in card.indices
        ]
        cards.append(
            {"card": card.name, "quad": np.round(card.quad.astype(float), 1).tolist(), "indices": indices}
        )
    return {"image": image, "card_px": scene.card_px, "cards": cards}


def main(argv: list[str] | None = None) -> int:
    """Write the scenes."""
    parser = argparse.ArgumentParser(prog="python -m models heldout", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, help="only the first N")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    with (args.out / "truth.jsonl").open("w") as lines:
        for k, scene in enumerate(held_scenes(count=args.scenes)):
            name = f"{k:04d}.png"
            cv2.imwrite(str(args.out / name), scene.image)
            lines.write(json.dumps(truth(scene, name)) + "\n")
    return 0
