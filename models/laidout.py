"""Faces cut from photographs of a real pack whose cards lie apart on something dark, to measure with at the table.

The detector's own reading names and turns each card and is checked against the photographs' list (`truth.csv`); its
outline is found anew, from the paper's edge. For measuring only: what is cut here never becomes a training scene.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.photos import listed
from models.synth.locate import IndexPlaces, ink_mask
from models.synth.packs import RANKS, SUITS, Face, Image, Pack, rect
from table.detection.card_detections import CardDetection
from table.detection.detector import Detector
from table.detection.photo_reading import read_still
from table.simulation.rendering.card_artwork import HEIGHT_MM, WIDTH_MM, outline_mask

_PX_PER_MM: Final = 4.0
WIDTH, HEIGHT = round(WIDTH_MM * _PX_PER_MM), round(HEIGHT_MM * _PX_PER_MM)
CARD_PX: Final = 90.0
"""About how wide the cards are in the photographs."""
_SURROUNDINGS: Final = 1.3
"""So much wider than the sighting's outline is the part of the picture in which the paper is looked for."""
_PAPER_OF_HULL: Final = 0.93
_LEAST: Final = 0.5
"""The least confidence that names a card."""


def packs_of(root: Path, folder: str = "overhead") -> list[Pack]:
    """Whole packs from the photographs in ``root/folder``: pack n has, of every card, the nth picture that shows it.

    ``root/truth.csv`` lists what they show. ``ValueError`` where a card of the list is not found lying apart.
    """
    pictures: dict[str, list[Image]] = defaultdict(list)
    detector = Detector()
    for name, lines in listed(root, folder).items():
        cards = [line["card"] for line in lines]
        image = cv2.imread(str(root / name))
        if image is None:
            raise ValueError(f"{root / name}: expected a picture")
        picture = np.asarray(image, np.uint8)
        cut = faces_in(
            picture, [one for one in read_still(detector, picture, CARD_PX) if one.confidence >= _LEAST]
        )
        missing = Counter(cards) - Counter(card for card, _ in cut)
        if missing:
            raise ValueError(f"{root / name}: expected to find {' '.join(sorted(missing))} lying apart")
        for card, face in cut:
            if card in cards:
                pictures[card].append(face)
    names = [rank + suit for suit in SUITS for rank in RANKS]
    whole = min(len(pictures[name]) for name in names)
    return [_pack(f"{folder}-{n + 1}", {name: pictures[name][n] for name in names}) for n in range(whole)]


def _pack(title: str, pictures: dict[str, Image]) -> Pack:
    inks = {name: ink_mask(picture) for name, picture in pictures.items()}
    places = IndexPlaces(inks)
    return Pack(
        title,
        {
            name: Face(picture, WIDTH_MM, places.indices(name, inks[name]))
            for name, picture in pictures.items()
        },
    )


def faces_in(picture: Image, seen: list[CardDetection]) -> list[tuple[str, Image]]:
    """The faces of the cards that lie apart in a picture: name, upright (HEIGHT, WIDTH, 4)."""
    found = []
    target = rect(0, 0, WIDTH, HEIGHT)
    mask = outline_mask(_PX_PER_MM)
    for one in seen:
        corners = _outline(picture, np.array(one.quad, np.float32))
        if corners is not None:
            matrix = cv2.getPerspectiveTransform(corners, target)
            face = cv2.warpPerspective(picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC)
            found.append((one.card, np.dstack([face, mask])))
    return found


def _outline(picture: Image, quad: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """The paper's corners (4, 2), in the order of the sighting's: TL, TR, BR, BL of the upright card."""
    middle = quad.mean(0)
    around = middle + (quad - middle) * _SURROUNDINGS
    x0, y0 = np.maximum(np.floor(around.min(0)).astype(int), 0)
    x1, y1 = np.ceil(around.max(0)).astype(int) + 1
    grey = np.asarray(cv2.cvtColor(picture[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY), np.uint8)
    _, paper = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    inside = [c for c in contours if cv2.pointPolygonTest(c, (middle - (x0, y0)).tolist(), False) >= 0]
    if not inside or cv2.contourArea(inside[0]) < _PAPER_OF_HULL * cv2.contourArea(cv2.convexHull(inside[0])):
        return None
    edge = inside[0].reshape(-1, 2).astype(np.float32) + np.array([x0, y0], np.float32)
    # The sighting tells which way the card lies, the paper where.
    box = cv2.boxPoints(cv2.minAreaRect(edge))
    turns = [np.roll(box, k, axis=0) for k in range(4)]
    quad = np.asarray(
        min(turns, key=lambda one: float(np.abs(one - one.mean(0) - quad + middle).sum())), np.float32
    )
    middle = quad.mean(0)
    # Each side's middle part as a line: the corners are round.
    lines = []
    for k in range(4):
        start, end = quad[k], quad[(k + 1) % 4]
        length = float(np.linalg.norm(end - start))
        along = (end - start) / length
        away = np.array([along[1], -along[0]], np.float32)  # outwards: the corners go round clockwise
        share = (edge - start) @ along / length
        across = float(np.linalg.norm(quad[(k + 2) % 4] - end))
        side = edge[(share > 0.15) & (share < 0.85) & ((edge - middle) @ away > 0.25 * across)]
        if len(side) < 10:
            return None
        dx, dy, x, y = cv2.fitLine(side, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y]), np.array([dx, dy])))
    return np.array([_crossing(lines[k - 1], lines[k]) for k in range(4)], np.float32)


def _crossing(
    a: tuple[NDArray[np.float64], NDArray[np.float64]], b: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> NDArray[np.float64]:
    way = np.linalg.solve(np.column_stack([a[1], -b[1]]), b[0] - a[0])
    return np.asarray(a[0] + way[0] * a[1])
