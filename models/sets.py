"""The sets that the detector is measured on, as pictures with their cards.

Scenes of packs that no training scene uses, photographs with the list of their cards, the resting cards of recordings,
and tables without cards. Always the same ones. (What lies on the virtual table's mark: models/onmark.py.)
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.photos import listed, mirrored, without_cards
from table.table_geometry import MARK_PX, PX_PER_MM

Image = NDArray[np.uint8]
TO_SQUARE = np.array([[PX_PER_MM, 0, MARK_PX / 2], [0, PX_PER_MM, MARK_PX / 2], [0, 0, 1]])
"""From mm on the table to the mark's square, as sight cuts it out of the camera's picture."""


@dataclass
class Sample:
    """A picture with its cards; `optional` ones (hardly visible) count neither when found nor when missed."""

    name: str
    image: Image
    card_px: float
    cards: list[str]
    optional: list[str] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    """Further ways to break the figures down: {"pack": "tango", "overlap": "pile"}."""
    still: bool = False
    """Read it as `cardtable detect` does, which tries neighbouring scales too."""
    sizes: dict[str, str] = field(default_factory=dict)
    """How much is to be seen of each card, by name."""
    pack: frozenset[str] | None = None
    """What cards there are, where the game in play tells it."""


def scene_samples(number: int, seed: int) -> Iterator[Sample]:
    """Scenes of the held-out packs: `number` of each pack, the same ones every time."""
    from models.synth.scenes import make_scene
    from models.synth.splits import load_packs

    for p, pack in enumerate(load_packs("held")):
        for k in range(number):
            # The sizes of the frozen held-out set (models/synth/heldout.toml), taken in turn.
            px = (100.0, 100.0, 100.0, 115.0, 85.0, 60.0, 45.0)[k % 7]
            scene: Any = make_scene(np.random.default_rng([seed, p, k]), [pack], size=512, card_px=px)
            cards, optional, sizes = [], [], {}
            for card in scene.cards:
                shown = max((float(index.visible) for index in card.indices), default=0.0)
                inside = [
                    i
                    for i in card.indices
                    if i.visible >= 0.85
                    and (np.asarray(i.quad) > 2).all()
                    and (np.asarray(i.quad) < 510).all()
                ]
                if inside:
                    cards.append(card.name)
                    sizes[card.name] = "one index" if len(inside) == 1 else "two or more"
                elif shown > 0:
                    optional.append(card.name)
            groups = {"pack": pack.name, "size": f"{int(scene.card_px) // 20 * 20} px"}
            yield Sample(
                f"{pack.name}-{k:03d}",
                scene.image,
                float(scene.card_px),
                cards,
                optional,
                groups,
                sizes=sizes,
            )


def photo_samples(root: Path, folder: str, card_px: float, *, every: int = 1) -> Iterator[Sample]:
    """Photographs listed in root/truth.csv whose name starts with the folder's; every n-th only.

    `card_px` 0: the scale of each picture is taken from its cards' boxes.
    """
    for name, lines in list(listed(root, folder).items())[::every]:
        if Path(name).stem in mirrored():
            continue
        path = root / name
        path = path if path.exists() else root / Path(name).name
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        # A card's box is on average 1.45 times the card, the card 1.4 times its short side squared.
        px = card_px or float(
            np.sqrt(np.median([float(line["w"]) * float(line["h"]) for line in lines]) / 1.45 / 1.4)
        )
        cards = [line["card"] for line in lines]
        yield Sample(
            Path(name).stem, image, px, cards, groups={"scale": f"{int(px) // 40 * 40} px"}, still=True
        )


def recording_samples(folder: Path) -> Iterator[Sample]:
    """The resting cards of a recording: for each card that comes to lie, the quietest frame before the next event.

    The picture is the mark's square, 512 px for 325 mm, rectified by the recording's own homography.
    """
    import tomllib

    config = tomllib.loads((folder / "table.toml").read_text())
    homography = np.array(config["camera"]["homography"], dtype=np.float64)
    events = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    with (folder / "frames.csv").open(newline="") as file:
        times = np.array([int(row["t_ns"]) for row in csv.DictReader(file)])
    to_square = TO_SQUARE @ np.linalg.inv(homography)
    wanted = list(_resting(events))
    video = cv2.VideoCapture(str(next(folder.glob("video.*"))))
    best: dict[int, tuple[float, Image]] = {}
    small_before: NDArray[np.float32] | None = None
    for t in times:
        good, frame = video.read()
        if not good:
            break
        square = np.asarray(cv2.warpPerspective(frame, to_square, (MARK_PX, MARK_PX)), dtype=np.uint8)
        small = cv2.resize(square, (64, 64), interpolation=cv2.INTER_AREA).astype(np.float32)
        motion = float(np.abs(small - small_before).max()) if small_before is not None else 1e9
        small_before = np.asarray(small)
        for k, (start, end, _) in enumerate(wanted):
            if start <= t <= end and motion < best.get(k, (1e9, square))[0]:
                best[k] = (motion, square)
    for k, (start, _, cards) in enumerate(wanted):
        if k in best:
            name = f"{folder.name}-{(start - int(times[0])) / 1e9:.0f}s"
            yield Sample(name, best[k][1], 100.0, cards, groups={"cards": f"{len(cards)} lying"})


def _resting(events: list[dict[str, Any]]) -> Iterator[tuple[int, int, list[str]]]:
    """(from, to, cards lying) in ns for every moment at which the lying cards are known."""
    lying: list[str] = []
    for k, event in enumerate(events):
        later = [e["t_ns"] for e in events[k + 1 :] if e["t_ns"] > event["t_ns"]]
        end = later[0] - 700_000_000 if later else event["t_ns"] + 1_500_000_000
        kind = event["event"]
        if kind == "trump" and event.get("card"):
            lying = [event["card"]]
        elif kind == "leads_tied":
            lying = [played["card"] for played in event["taken_back"]]
            if event["kept"]:
                continue  # the kept card's own event follows, of the same moment
        elif kind == "card_played":
            before = events[k - 1]["event"]
            if before in ("bid", "bidding_over", "trick_won", "hand_scored"):
                lying = []  # a lead; the turned-up card has been taken off
            if event["card"] not in lying:
                lying.append(event["card"])
        elif kind == "card_taken_back" and event["card"] in lying:
            lying.remove(event["card"])
            continue
        else:
            continue
        yield event["t_ns"] + 250_000_000, min(end, event["t_ns"] + 1_200_000_000), list(lying)


def empty_samples(number: int, seed: int) -> Iterator[Sample]:
    """Tables without a card: surfaces with what lies on tables."""
    from models.synth.scenes import make_scene
    from models.synth.splits import load_packs

    packs = load_packs("held")
    for k in range(number):
        scene: Any = make_scene(
            np.random.default_rng([seed, 999, k]), packs, size=512, card_px=100.0, empty=1.0
        )
        yield Sample(f"empty-{k:03d}", scene.image, 100.0, [])


def elsewhere_samples(folder: Path) -> Iterator[Sample]:
    """Pictures that show no cards, and no table either: photographs, textures, screens."""
    for name, image in without_cards(folder):
        yield Sample(name, image, 100.0, [], still=True)
