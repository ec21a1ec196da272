"""Real photographs of cards as training scenes: whole cards are given as boxes, the indices' places are found here.

For each card one photograph and its outline are written down (``realseeds.json``, found once and looked at);
rectified, they are the pack's faces. In every other photograph the faces are found again by their features within the
given boxes, and an index counts as seen when the photograph looks there like the face. Where a card could not be found
for certain, its whole box is "half seen", so that nothing is learned from it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from models.photos import listed
from models.synth import camera
from models.synth.locate import IndexPlaces, ink_mask
from models.synth.packs import Floats, Image, default_cache, encode, rect
from models.synth.scenes import Matrix, Scene, SceneCard, SceneIndex, project
from table.errors import TableError

SEEDS = Path(__file__).with_name("realseeds.json")
WIDTH, HEIGHT = 228, 318
WIDTH_MM = 63.5
UNSURE = 0.45
"""The share written for what may be seen or not: trained on neither as an index nor as none."""
HELD_EVERY = 5
"""Every 5th photograph by name, the first one too, is kept for validation."""


@dataclass(frozen=True)
class Box:
    """A card's name and the box round it in its photograph, pixels."""

    name: str
    x: float
    y: float
    w: float
    h: float


def read_truth(folder: Path) -> dict[str, list[Box]]:
    """``truth.csv`` of the photographs: boxes by the picture's file name."""
    return {
        Path(name).name: [Box(line["card"], *(float(line[k]) for k in "xywh")) for line in lines]
        for name, lines in listed(folder).items()
    }


def seed_faces(folder: Path) -> dict[str, Image]:
    """The pack's faces, each rectified from one photograph: uint8 (HEIGHT, WIDTH, 3) by name."""
    faces = {}
    target = rect(0, 0, WIDTH, HEIGHT)
    for name, seed in json.loads(SEEDS.read_text()).items():
        picture = cv2.imread(str(folder / seed["image"]))
        if picture is None:
            raise TableError(f"{folder / seed['image']}: not a picture")
        matrix = cv2.getPerspectiveTransform(np.array(seed["quad"], np.float32), target)
        face = np.asarray(
            cv2.warpPerspective(picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC), np.uint8
        )
        if seed["mirrored"]:
            face = np.ascontiguousarray(face[:, ::-1])
        if "hidden" in seed:  # another card lies there: the face turned round shows the same
            x0, y0, x1, y1 = (round(v * n) for v, n in zip(seed["hidden"], (WIDTH, HEIGHT) * 2, strict=True))
            face[y0:y1, x0:x1] = face[::-1, ::-1][y0:y1, x0:x1].copy()
        faces[name] = face
    return faces


def photographed_pack(folder: Path) -> dict[str, Image]:
    """The faces with alpha, for the pack cache; their paper brought to one white."""
    out = {}
    for name, face in seed_faces(folder).items():
        paper = np.percentile(face.reshape(-1, 3), 75, axis=0)
        white = np.clip(face * (238.0 / np.maximum(paper, 40)), 0, 255).astype(np.uint8)
        out[name] = np.dstack([white, np.full(face.shape[:2], 255, np.uint8)])
    return out


class FaceFinder:
    """Finds a known face in a box of a photograph by its features."""

    def __init__(self, faces: dict[str, Image]) -> None:
        self.sift = cv2.SIFT_create(nfeatures=900, contrastThreshold=0.02)  # type: ignore[attr-defined]
        self.matcher = cv2.BFMatcher(cv2.NORM_L2)
        self.faces = {n: np.asarray(cv2.cvtColor(f, cv2.COLOR_BGR2GRAY), np.uint8) for n, f in faces.items()}
        self.features = {n: self.sift.detectAndCompute(g, None) for n, g in self.faces.items()}

    def find(self, grey: Image, box: Box) -> tuple[Matrix, float] | None:
        """The homography from the face to the photograph and how alike they look (-1..1), or None."""
        pad = 6
        x0, y0 = max(0, int(box.x) - pad), max(0, int(box.y) - pad)
        x1, y1 = min(grey.shape[1], int(box.x + box.w) + pad), min(grey.shape[0], int(box.y + box.h) + pad)
        part = grey[y0:y1, x0:x1]
        if min(part.shape) < 30 or box.name not in self.features:
            return None
        low, high = np.percentile(part, [1, 99])
        part = np.clip((part.astype(np.float32) - low) * 255 / max(high - low, 1), 0, 255).astype(np.uint8)
        zoom = 2.0 if max(part.shape) < 330 else 1.0
        large = cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
        points, features = self.sift.detectAndCompute(large, None)
        known, known_features = self.features[box.name]
        if features is None or len(points) < 8:
            return None
        # Pips look alike, so a ratio test would throw the matches away: take two nearest and let the geometry decide.
        pairs = self.matcher.knnMatch(features, known_features, k=3)
        src = np.array([known[m.trainIdx].pt for row in pairs for m in row], np.float32)
        dst = np.array([points[m.queryIdx].pt for row in pairs for m in row], np.float32) / zoom + [x0, y0]
        best: tuple[Matrix, float] | None = None
        for _ in range(2):
            if len(src) < 8:
                break
            fitted, inliers = cv2.findHomography(
                src, dst.astype(np.float32), cv2.USAC_MAGSAC, 3.0, maxIters=8000, confidence=0.999
            )
            if fitted is None:
                break
            matrix = np.asarray(fitted, np.float64)
            if not self._plausible(matrix, box):
                break
            alike = self.alike(grey, matrix, box.name)
            if best is None or alike > best[1]:
                best = (matrix, alike)
            keep = inliers.ravel() == 0
            src, dst = src[keep], dst[keep]
            if alike > 0.75:
                break
        return best

    def fit(self, grey: Image, box: Box) -> tuple[Matrix, float] | None:
        """Like ``find`` for a card that shows most of itself, from the box alone.

        A card's proportions and its box's tell its angle up to the sign; from there the face is drawn to the
        photograph by maximising their correlation (ECC, Evangelidis and Psarakis 2008).
        """
        if box.name not in self.faces or min(box.x, box.y, 640 - box.x - box.w, 640 - box.y - box.h) < 2:
            return None
        ratio = HEIGHT / WIDTH
        angles = np.radians(np.arange(0, 90.5, 0.5))
        wide, high = np.cos(angles) + ratio * np.sin(angles), np.sin(angles) + ratio * np.cos(angles)
        error = np.abs(np.log(wide / high) - np.log(box.w / box.h))
        k0 = int(error.argmin())
        face = self.faces[box.name]
        starts: list[tuple[float, Matrix]] = []
        for k in range(max(0, k0 - 40), min(len(angles), k0 + 41), 5):
            side = (box.w / wide[k] + box.h / high[k]) / 2
            for angle in (angles[k], -angles[k], angles[k] + np.pi, np.pi - angles[k]):
                for zoom in (0.93, 1.0):
                    c, n = np.cos(angle) * side * zoom / WIDTH, np.sin(angle) * side * zoom / WIDTH
                    matrix = np.array([[c, -n, 0], [n, c, 0], [0, 0, 1]])
                    centre = matrix[:2, :2] @ [WIDTH / 2, HEIGHT / 2]
                    matrix[:2, 2] = [box.x + box.w / 2 - centre[0], box.y + box.h / 2 - centre[1]]
                    starts.append((self._roughly(grey, face, matrix), matrix))
        starts.sort(key=lambda s: -s[0])
        best: tuple[Matrix, float] | None = None
        for _, matrix in starts[:6]:
            try:
                for step in (6.0, 3.0, 2.0):
                    matrix = self._draw_to(grey, face, matrix, step)
            except cv2.error:
                continue  # it did not converge: another start
            if not self._plausible(matrix, box):
                continue
            alike = self.alike(grey, matrix, box.name)
            if best is None or alike > best[1]:
                best = (matrix, alike)
            if alike > 0.85:
                break
        return best

    @staticmethod
    def _roughly(grey: Image, face: Image, matrix: Matrix) -> float:
        small = np.diag([6.0, 6.0, 1.0])
        size = (WIDTH // 6, HEIGHT // 6)
        seen = cv2.warpPerspective(grey, np.linalg.inv(matrix @ small), size, flags=cv2.INTER_LINEAR)
        known = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
        blur = cv2.GaussianBlur(seen, (0, 0), 2).astype(np.float32)
        return _correlation(blur, cv2.GaussianBlur(known, (0, 0), 2).astype(np.float32))

    @staticmethod
    def _draw_to(grey: Image, face: Image, matrix: Matrix, step: float) -> Matrix:
        shrink = np.diag([1 / step, 1 / step, 1.0])
        small_face = cv2.resize(face, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
        small = cv2.resize(grey, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
        start = (shrink @ matrix @ np.linalg.inv(shrink)).astype(np.float32)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
        everywhere = np.full(small.shape[:2], 255, np.uint8)
        _, found = cv2.findTransformECC(
            small_face, small, start / start[2, 2], cv2.MOTION_HOMOGRAPHY, stop, everywhere, 5
        )
        back = np.linalg.inv(shrink) @ np.asarray(found, np.float64) @ shrink
        return np.asarray(back / back[2, 2], np.float64)

    def _plausible(self, matrix: Matrix, box: Box) -> bool:
        quad = project(matrix, rect(0, 0, WIDTH, HEIGHT))
        area = cv2.contourArea(quad, True)
        if area <= 0 or not cv2.isContourConvex(quad) or not np.isfinite(quad).all():
            return False  # mirrored or folded
        low, high = quad.min(0), quad.max(0)
        off = max(
            abs(low[0] - box.x),
            abs(low[1] - box.y),
            abs(high[0] - box.x - box.w),
            abs(high[1] - box.y - box.h),
        )
        sides = [float(np.hypot(*(quad[k] - quad[(k + 1) % 4]))) for k in range(4)]
        ratio = (sides[1] + sides[3]) / max(1e-6, sides[0] + sides[2])
        clipped = min(box.x, box.y, 640 - box.x - box.w, 640 - box.y - box.h) < 3
        return bool(off < (0.35 if clipped else 0.10) * max(box.w, box.h) and 0.9 < ratio < 2.1)

    def alike(self, grey: Image, matrix: Matrix, name: str) -> float:
        """Correlation of the rectified photograph with the face, the least alike third (hidden?) left out."""
        seen = cv2.warpPerspective(grey, np.linalg.inv(matrix), (WIDTH, HEIGHT))
        a = cv2.GaussianBlur(seen, (0, 0), 1.5).astype(np.float32)[8:-8, 8:-8]
        b = cv2.GaussianBlur(self.faces[name], (0, 0), 1.5).astype(np.float32)[8:-8, 8:-8]
        scores = []
        for rows in np.array_split(np.arange(a.shape[0]), 4):
            for cols in np.array_split(np.arange(a.shape[1]), 3):
                scores.append(_correlation(a[rows][:, cols], b[rows][:, cols]))
        return float(np.sort(scores)[len(scores) // 3 :].mean())


def _correlation(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> float:
    a, b = a - a.mean(), b - b.mean()
    n = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / n) if n > 1e-3 else 0.0


def _index_seen(grey: Image, face: Image, matrix: Matrix, quad: Floats) -> float:
    """How alike photograph and face are around an index, a little displacement allowed."""
    x0, y0 = np.floor(quad.min(0)).astype(int) - 3
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 3
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(WIDTH, x1), min(HEIGHT, y1)
    seen = np.asarray(cv2.warpPerspective(grey, np.linalg.inv(matrix), (WIDTH, HEIGHT)), np.uint8)
    patch = face[y0:y1, x0:x1]
    m = 5
    area = seen[max(0, y0 - m) : y1 + m, max(0, x0 - m) : x1 + m]
    if area.shape[0] < patch.shape[0] or area.shape[1] < patch.shape[1]:
        return 0.0
    blur = (0, 0)
    result = cv2.matchTemplate(
        cv2.GaussianBlur(area, blur, 1.0), cv2.GaussianBlur(patch, blur, 1.0), cv2.TM_CCOEFF_NORMED
    )
    return float(result.max())


def solve(folder: Path) -> list[tuple[str, Scene]]:
    """Every photograph of the folder (file name, scene) with its indices, those that can't be told ``UNSURE``.

    Photographs in which fewer than half of the cards are found (mirrored ones among them) are left out.
    """
    truth = read_truth(folder)
    faces = seed_faces(folder)
    finder = FaceFinder(faces)
    places = IndexPlaces(
        {n: ink_mask(np.dstack([f, np.full(f.shape[:2], 255, np.uint8)])) for n, f in faces.items()}
    )
    boxes_of = {
        n: places.indices(n, ink_mask(np.dstack([f, np.full(f.shape[:2], 255, np.uint8)])))
        for n, f in faces.items()
    }
    scenes = []
    for name, boxes in truth.items():
        picture = cv2.imread(str(folder / name))
        if picture is None:
            continue
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        cards, solved, sides = [], 0, []
        for box in boxes:
            found = finder.find(grey, box)
            if found is None or found[1] < 0.7:
                other = finder.fit(grey, box)
                if other is not None and (found is None or other[1] > found[1]):
                    found = other
            if found is None or found[1] < 0.5:
                quad = rect(box.x, box.y, box.x + box.w, box.y + box.h)
                middle = (box.x + box.w / 2, box.y + box.h / 2)
                below = (middle[0], middle[1] + box.h / 4)
                cards.append(
                    SceneCard(box.name, quad, [SceneIndex(middle, below, quad, UNSURE, UNSURE, UNSURE)])
                )
                continue
            solved += 1
            matrix = found[0]
            quad = project(matrix, rect(0, 0, WIDTH, HEIGHT))
            sides.append(
                float(np.hypot(*(quad[0] - quad[1]))) / 2 + float(np.hypot(*(quad[2] - quad[3]))) / 2
            )
            indices = []
            for index in boxes_of[box.name]:
                points = project(matrix, np.vstack([[index.rank_xy], [index.suit_xy], index.box]))
                score = [
                    _index_seen(grey, finder.faces[box.name], matrix, q)
                    for q in (index.box, index.rank_box, index.suit_box)
                ]
                inside = bool((points[2:] > 0).all() and (points[2:] < 639).all())
                if score[0] > 0.72 and min(score) > 0.55 and inside:
                    visible = 1.0
                elif max(score) < 0.35:
                    visible = 0.0
                else:
                    visible = UNSURE
                rank_xy = (float(points[0, 0]), float(points[0, 1]))
                suit_xy = (float(points[1, 0]), float(points[1, 1]))
                indices.append(SceneIndex(rank_xy, suit_xy, points[2:6], visible, visible, visible))
            cards.append(SceneCard(box.name, quad, indices))
        if solved * 2 > len(boxes):
            scenes.append((name, Scene(np.asarray(picture, np.uint8), cards, float(np.median(sides)))))
    return scenes


def card_free(folder: Path, side: int, most: int = 60) -> npt.NDArray[np.uint8]:
    """The largest squares of the photographs that hold no card, (N, side, side, 3), mirrored outward to their size."""
    parts = []
    for name, boxes in read_truth(folder).items():
        picture = cv2.imread(str(folder / name))
        if picture is None:
            continue
        taken = np.zeros(picture.shape[:2], np.uint8)
        for box in boxes:
            x, y = max(0, int(box.x) - 12), max(0, int(box.y) - 12)
            taken[y : int(box.y + box.h) + 12, x : int(box.x + box.w) + 12] = 1
        walled = cv2.copyMakeBorder(taken, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
        room = np.asarray(cv2.distanceTransform(1 - np.asarray(walled, np.uint8), cv2.DIST_C, 3))
        radius = int(room.max()) - 2
        if radius < 70:
            continue
        y, x = divmod(int(room.argmax()), room.shape[1])
        part = picture[max(0, y - radius) : y + radius - 1, max(0, x - radius) : x + radius - 1]
        parts.append((radius, np.asarray(cv2.resize(part, (side // 2, side // 2)), np.uint8)))
    parts.sort(key=lambda p: -p[0])
    every = max(1, len(parts) // most)
    chosen = [p for _, p in parts[::every]][:most]
    q = side // 4
    return np.stack([cv2.copyMakeBorder(p, q, q, q, q, cv2.BORDER_REFLECT_101) for p in chosen])


def held_out(folder: Path) -> set[str]:
    """The file names of the photographs that are kept for validation."""
    return set(sorted(read_truth(folder))[::HELD_EVERY])


def save(scenes: Sequence[tuple[str, Scene]], held: set[str], path: Path) -> None:
    """Write solved photographs to the cache: pictures as JPEG in one ``.npz`` with their labels."""
    labels = []
    pictures: dict[str, npt.NDArray[np.uint8]] = {}
    for k, (name, scene) in enumerate(scenes):
        pictures[f"p{k}"] = encode(".jpg", scene.image, cv2.IMWRITE_JPEG_QUALITY, 88)
        rows = [
            [c.name, c.quad.tolist(), [[i.rank_xy, i.suit_xy, i.quad.tolist(), i.visible] for i in c.indices]]
            for c in scene.cards
        ]
        labels.append([name in held, scene.card_px, rows])
    np.savez(path, labels=np.array(json.dumps(labels)), **pictures)  # type: ignore[arg-type]


def load_real(split: Literal["train", "held"] = "train", cache: Path | None = None) -> list[Scene]:
    """The solved photographs of a split, or none when the cache has none."""
    path = (cache or default_cache()) / "real.npz"
    if not path.exists():
        return []
    scenes = []
    with np.load(path) as file:
        for k, (held, card_px, rows) in enumerate(json.loads(str(file["labels"]))):
            if held != (split == "held"):
                continue
            picture = cv2.imdecode(file[f"p{k}"], cv2.IMREAD_COLOR)
            cards = []
            for name, quad, indices in rows:
                found = [
                    SceneIndex((r[0], r[1]), (s[0], s[1]), np.array(q, np.float32), v, v, v)
                    for r, s, q, v in indices
                ]
                cards.append(SceneCard(name, np.array(quad, np.float32), found))
            scenes.append(Scene(np.asarray(picture, np.uint8), cards, float(card_px)))
    return scenes


def make_real_scene(
    rng: np.random.Generator, scenes: Sequence[Scene], size: int = 384, *, card_px: float | None = None
) -> Scene:
    """A part of a photograph turned, scaled to the table's scale and lit anew, as ``make_scene`` gives scenes."""
    scene = scenes[int(rng.integers(0, len(scenes)))]
    if card_px is None:
        card_px = float(np.exp(rng.uniform(np.log(60), np.log(135))))
    scale = card_px / scene.card_px
    card = scene.cards[int(rng.integers(0, len(scene.cards)))]
    about = card.quad.mean(0) + rng.normal(0, 0.25 * size / scale, 2)
    angle = rng.uniform(0, 360)
    turn = cv2.getRotationMatrix2D((float(about[0]), float(about[1])), angle, scale)
    matrix = np.asarray(turn, dtype=np.float64)
    matrix[:, 2] += np.array([size / 2, size / 2]) - about
    picture = scene.image
    if scale < 0.6:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 / scale), np.uint8)
    # Outside the photograph is a plain colour: reflected cards would stand there mirrored and unlabelled.
    border = tuple(float(v) for v in picture[::16, ::16].reshape(-1, 3).mean(0) * rng.uniform(0.3, 1))
    image = cv2.warpAffine(picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=border)
    if rng.random() < 0.6:
        image = camera.photograph(rng, np.asarray(image, np.uint8), card_px)

    def move(points: npt.ArrayLike) -> Floats:
        p = np.asarray(points, np.float64).reshape(-1, 2)
        return np.asarray(p @ matrix[:, :2].T + matrix[:, 2], np.float32)

    cards = []
    for card in scene.cards:
        indices = []
        for index in card.indices:
            points = move(np.vstack([[index.rank_xy], [index.suit_xy], index.quad]))
            quad = points[2:]
            inside = np.clip(quad, 0, size)
            share = cv2.contourArea(cv2.convexHull(inside)) / max(1e-3, cv2.contourArea(quad))
            visible = index.visible * min(1.0, float(share))
            if index.visible == UNSURE and share > 0:
                visible = UNSURE
            rank_xy, suit_xy = (
                (float(points[0, 0]), float(points[0, 1])),
                (float(points[1, 0]), float(points[1, 1])),
            )
            indices.append(SceneIndex(rank_xy, suit_xy, quad, visible, visible, visible))
        cards.append(SceneCard(card.name, move(card.quad), indices))
    return Scene(np.asarray(image, np.uint8), cards, card_px)
