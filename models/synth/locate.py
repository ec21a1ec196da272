"""Finding the corner indices on an upright face without being told where they are.

A pack prints its indices in one place: the ranks of its twos and threes stand alone (their pips are in the middle of
the card), so they tell the column, the rank's line and the suit's; every other card is searched near there.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.synth.packs import Image, Index, make_index, split_name, turned

Rect = tuple[float, float, float, float]
Mask = npt.NDArray[np.uint8]


def ink_mask(bgra: Image, threshold: float = 60.0) -> Mask:
    """Where the face is printed: pixels far from the paper's colour (the commonest light colour), uint8 0 or 1."""
    h, w = bgra.shape[:2]
    bgr = bgra[:, :, :3].astype(np.float32)
    inner = bgr[h // 20 : h - h // 20, w // 20 : w - w // 20].reshape(-1, 3)
    light = inner[inner.sum(1) >= np.percentile(inner.sum(1), 60)]
    paper = np.median(light, 0)
    ink: Mask = (np.abs(bgr - paper).max(2) > threshold).astype(np.uint8)
    ink[bgra[:, :, 3] < 250] = 0
    edge = max(2, round(w * 0.022))
    ink[:edge], ink[-edge:], ink[:, :edge], ink[:, -edge:] = 0, 0, 0, 0
    return ink


def components(ink: Mask, window: Rect) -> list[Rect]:
    """Boxes (x0, y0, x1, y1) of the printed parts inside the window that are no specks, whole parts only."""
    x0, y0, x1, y1 = (round(v) for v in window)
    part = ink[y0:y1, x0:x1]
    count, _, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=8)
    boxes = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        if area >= 12 and max(w, h) >= 5:
            boxes.append((float(x0 + x), float(y0 + y), float(x0 + x + w), float(y0 + y + h)))
    return boxes


def union(boxes: list[Rect]) -> Rect:
    """The smallest box round all of them."""
    a = np.array(boxes)
    return (float(a[:, 0].min()), float(a[:, 1].min()), float(a[:, 2].max()), float(a[:, 3].max()))


def rank_and_suit(ink: Mask, window: Rect) -> tuple[Rect, Rect] | None:
    """The rank above and the suit below it in a window that holds nothing else, or None."""
    boxes = components(ink, window)
    if len(boxes) < 2:
        return None
    boxes.sort(key=lambda b: b[1])
    groups: list[list[Rect]] = [[boxes[0]]]
    bottom = boxes[0][3]
    for box in boxes[1:]:
        if box[1] > bottom:
            groups.append([])
        groups[-1].append(box)
        bottom = max(bottom, box[3])
    if len(groups) < 2:
        return None
    rank, suit = union(groups[0]), union(groups[1])
    if rank[3] - rank[1] < 8 or suit[3] - suit[1] < 6 or suit[1] - rank[3] > 1.2 * (rank[3] - rank[1]):
        return None
    return rank, suit


class IndexPlaces:
    """Where a pack prints its indices, learned from its twos and threes."""

    def __init__(self, inks: dict[str, Mask]) -> None:
        """``inks``: the masks of all faces by name, all of one size. Raises ValueError when no corner is found."""
        any_mask = next(iter(inks.values()))
        self.height, self.width = any_mask.shape
        self.left = self._corner(inks, mirrored=False)
        if self.left is None:
            raise ValueError("no index found in the top left corner of the twos and threes")
        self.right = self._corner(inks, mirrored=True)

    def _window(self, mirrored: bool) -> Rect:
        w, h = self.width, self.height
        return (w * 0.70, 0.0, float(w), h * 0.49) if mirrored else (0.0, 0.0, w * 0.30, h * 0.49)

    def _corner(self, inks: dict[str, Mask], mirrored: bool) -> tuple[Rect, dict[str, Rect]] | None:
        ranks, suits = [], {}
        for suit in "SHDC":
            found = [
                r
                for r in (
                    rank_and_suit(inks[n], self._window(mirrored))
                    for n in ("2" + suit, "3" + suit)
                    if n in inks
                )
                if r
            ]
            if found:
                ranks += [r for r, _ in found]
                suits[suit] = tuple(float(v) for v in np.median([s for _, s in found], 0))
        if len(suits) < 3:
            return None
        for suit in "SHDC":
            suits.setdefault(suit, next(iter(suits.values())))
        median = np.median(np.array(ranks), 0)
        return tuple(float(v) for v in median), suits  # type: ignore[return-value]

    def _rank(self, ink: Mask, rank: str, default: Rect) -> Rect:
        x0, y0, x1, y1 = default
        w, h = x1 - x0, y1 - y0
        reach = 0.75 * w if rank == "10" else 0.30 * w
        window = (max(0.0, x0 - reach), max(0.0, y0 - 0.12 * h), min(self.width, x1 + reach), y1 + 0.12 * h)
        boxes = [
            b
            for b in components(ink, window)
            if b[3] - b[1] > 0.55 * h
            and (b[2] < window[2] - 0.5 or b[0] < x0 + 0.5 * w)
            and b[0] < x1 + 0.35 * w
        ]
        if not boxes:
            return default
        ux0, uy0, ux1, uy1 = union(boxes)
        if ux1 - ux0 < 0.2 * w or abs((uy1 - uy0) - h) > 0.3 * h:
            return default
        return (ux0, min(uy0, y0 + 2), ux1, max(uy1, y1 - 2))

    def _suit(self, ink: Mask, default: Rect) -> Rect:
        """The sign near the pack's usual place: photographed faces are a few pixels off."""
        x0, y0, x1, y1 = default
        w, h = x1 - x0, y1 - y0
        window = (max(0.0, x0 - 0.4 * w), max(0.0, y0 - 0.4 * h), min(self.width, x1 + 0.4 * w), y1 + 0.4 * h)
        boxes = [
            b
            for b in components(ink, window)
            if x0 < (b[0] + b[2]) / 2 < x1 and y0 < (b[1] + b[3]) / 2 < y1 and b[3] - b[1] > 0.3 * h
        ]
        if not boxes:
            return default
        found = union(boxes)
        fits = 0.75 < (found[2] - found[0]) / w < 1.3 and 0.75 < (found[3] - found[1]) / h < 1.3
        return found if fits else default

    def indices(self, name: str, ink: Mask) -> list[Index]:
        """All indices that the card ``name`` shows at this pack's places."""
        rank, suit = split_name(name)
        if suit is None:
            return []
        assert self.left is not None
        out = []
        for corner in (self.left, self.right):
            if corner is None:
                continue
            default, suits = corner
            upper = make_index(self._rank(ink, rank, default), self._suit(ink, suits[suit]))
            # The lower corner is the upper one of the card turned round, measured on its own print.
            flipped = np.ascontiguousarray(ink[::-1, ::-1])
            lower = make_index(self._rank(flipped, rank, default), self._suit(flipped, suits[suit]))
            out += [upper, turned(lower, self.width, self.height)]
        return out
