"""A small table to test sight on: cards with printed markers, arms, shadows, lamps, drawn frame by frame.

The cards carry ArUco markers in two corners instead of indices, and :class:`MarkerReader` reads them from the pixels:
so what the detector sees and misses (covered, moving, out of the picture) is as real as in a photograph.
All places are millimetres from the mark, x right, y down; angles are degrees clockwise, seats seen from the mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config.settings import CameraConfig
from table.detection.card_detections import CardDetection, DetectedIndex
from table.observed_facts import CardFact, CardGone, CardLanded, Frame, Image, Reading
from table.tracking.tracker import CardTracker

SIZE = (960, 540)
SCALE = 1.25
HOMOGRAPHY = ((SCALE, 0.03, 480.0), (-0.03, SCALE, 270.0), (0.0, 0.0, 1.0))
CAMERA = CameraConfig(size=SIZE, homography=HOMOGRAPHY)
FRAME_NS = 33_333_333
START_NS = 5_000_000_000
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
NAMES = tuple(rank + suit for suit in "SHDC" for rank in _RANKS)[:50]
CARD = (63.5, 88.9)
_FACE_SCALE = 3.0
_MARKER_MM = 17.0
_MARGIN_MM = 4.0
_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)


def _paper(tint: tuple[int, int, int] = (246, 246, 246)) -> Image:
    size = (round(CARD[1] * _FACE_SCALE), round(CARD[0] * _FACE_SCALE), 3)
    return np.full(size, tint, dtype=np.uint8)


def face(name: str) -> Image:
    """A card's face: two markers and a few pips in the middle."""
    paper = _paper()
    side, margin = round(_MARKER_MM * _FACE_SCALE), round(_MARGIN_MM * _FACE_SCALE)
    number = NAMES.index(name)
    height, width = paper.shape[:2]
    colour = (40, 30, 190) if name[-1] in "HD" else (40, 40, 40)
    for k in range(3 + number % 3):
        spot = (width // 2 - 30 + 60 * (k % 2), height // 2 - 40 + 28 * k)
        cv2.circle(paper, spot, 11, colour, -1, cv2.LINE_AA)
    for end in range(2):
        marker = cv2.aruco.generateImageMarker(_DICTIONARY, 2 * number + end, side)
        part = paper[margin : margin + side, margin : margin + side]
        part[:] = cv2.cvtColor(marker, cv2.COLOR_GRAY2BGR)
        paper = np.ascontiguousarray(np.rot90(paper, 2))
    return paper


def back() -> Image:
    """The back of every card: white border, pattern."""
    paper = _paper((150, 60, 50))
    height, width = paper.shape[:2]
    cv2.rectangle(paper, (0, 0), (width - 1, height - 1), (240, 240, 240), 12)
    for k in range(0, width + height, 16):
        cv2.line(paper, (k, 12), (k - height, height - 12), (190, 110, 90), 2)
    cv2.rectangle(paper, (0, 0), (width - 1, height - 1), (240, 240, 240), 12)
    return paper


class MarkerReader:
    """Reads the cards from their markers; counts how often it is asked."""

    def __init__(self, wrong: Callable[[int, str], str] | None = None) -> None:
        """``wrong``: from the number of the look and the true name to the name that is reported."""
        self.asked = 0
        self._wrong = wrong
        parameters = cv2.aruco.DetectorParameters()
        parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = 13, 33
        parameters.adaptiveThreshWinSizeStep = 20
        self._detector = cv2.aruco.ArucoDetector(_DICTIONARY, parameters)

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """One sighting for each card with a marker in sight."""
        self.asked += 1
        corners, ids, _ = self._detector.detectMarkers(image)
        scale = card_px / CARD[0]
        found: dict[int, list[tuple[NDArray[Any], NDArray[Any]]]] = {}
        for quad, marker in zip(corners, [] if ids is None else ids.ravel(), strict=True):
            low, high = _MARGIN_MM, _MARGIN_MM + _MARKER_MM
            model = np.array([[low, low], [high, low], [high, high], [low, high]], dtype=np.float32)
            if marker % 2:
                model = np.array(CARD, dtype=np.float32) - model
            found.setdefault(int(marker) // 2, []).append((model * scale, quad.reshape(4, 2)))
        sightings = []
        for number, pairs in sorted(found.items()):
            if number >= len(NAMES):
                continue
            model = np.vstack([pair[0] for pair in pairs])
            seen = np.vstack([pair[1] for pair in pairs])
            matrix, _ = cv2.estimateAffinePartial2D(model, seen, method=cv2.LMEDS)
            width, height = CARD[0] * scale, CARD[1] * scale
            outline = np.array([[0, 0], [width, 0], [width, height], [0, height]])
            placed = outline @ matrix[:, :2].T + matrix[:, 2]
            name = NAMES[number]
            if self._wrong:
                name = self._wrong(self.asked, name)
            if not name:
                continue
            readings = (Reading(name, 0.95), Reading("2S" if name != "2S" else "3S", 0.03))
            sightings.append(
                CardDetection(
                    readings,
                    _box(seen),
                    tuple((float(x), float(y)) for x, y in placed),
                    math.degrees(math.atan2(matrix[1, 0], matrix[0, 0])),
                    tuple(_index_at(corner, readings) for _, corner in pairs),
                    indices_disagree=False,
                )
            )
        return sightings


def _index_at(corners: NDArray[Any], readings: tuple[Reading, ...]) -> DetectedIndex:
    """An index in a marker's place: its rank is the marker's upper edge, its suit the lower one."""
    top, bottom = corners[:2].mean(axis=0), corners[2:].mean(axis=0)
    rank, suit = (float(top[0]), float(top[1])), (float(bottom[0]), float(bottom[1]))
    return DetectedIndex(rank, suit, _box(corners), 0.9, readings)


def _box(points: NDArray[Any]) -> tuple[float, float, float, float]:
    """x1, y1, x2, y2 around points."""
    (x1, y1), (x2, y2) = points.min(axis=0), points.max(axis=0)
    return float(x1), float(y1), float(x2), float(y2)


def _out(share: float) -> float:
    return 1.0 - (1.0 - share) ** 2


def _in(share: float) -> float:
    return share**2


@dataclass
class _Track:
    """A place that changes with time: (frame, x, y, turn), eased between."""

    keys: list[tuple[float, float, float, float]]
    easings: list[Callable[[float], float]] = field(default_factory=list)

    def at(self, frame: float) -> tuple[float, float, float] | None:
        if frame < self.keys[0][0] or frame > self.keys[-1][0]:
            return None
        for k in range(len(self.keys) - 1):
            before, after = self.keys[k], self.keys[k + 1]
            if before[0] <= frame <= after[0]:
                share = (frame - before[0]) / max(after[0] - before[0], 1e-9)
                eased = self.easings[k](share)
                x, y, turn = (a + (b - a) * eased for a, b in zip(before[1:], after[1:], strict=True))
                return x, y, turn
        return self.keys[-1][1], self.keys[-1][2], self.keys[-1][3]

    def go(self, frame: float, x: float, y: float, turn: float, easing: Callable[[float], float]) -> None:
        self.keys.append((frame, x, y, turn))
        self.easings.append(easing)

    def wait(self, frame: float) -> None:
        self.keys.append((frame, *self.keys[-1][1:]))
        self.easings.append(_out)


@dataclass
class _Arm:
    track: _Track
    seat: float
    sleeve: tuple[int, int, int]


FAR = 460.0
"""Beyond the picture's border on every side."""
LAST = 100_000
_SKINS = ((80, 110, 160), (60, 90, 140), (140, 170, 215))


class Stage:
    """What happens on the table; draw it with :meth:`frame`, or let sight see it with :func:`watch`."""

    def __init__(
        self, table: str = "cloth", *, noise: float = 2.0, shake: float = 0.0, seed: int = 1
    ) -> None:
        self._rng = np.random.default_rng(seed)
        self._ground = self._make_ground(table)
        self._noise: tuple[Image, ...] = ()
        if noise:
            plane = self._rng.normal(0, noise, (SIZE[1], SIZE[0], 1)).round()
            brighter, darker = np.maximum(plane, 0), np.maximum(-plane, 0)
            self._noise = tuple(np.tile(part.astype(np.uint8), (1, 2, 3)) for part in (brighter, darker))
        self._shake = shake
        self._cards: dict[str, _Track] = {}
        self._faces: dict[str, Image] = {}
        self._rendered: dict[str, tuple[tuple[float, float, float], _RenderedCard | None]] = {}
        self._arms: list[_Arm] = []
        self._shadows: list[tuple[int, int, NDArray[np.int32], float]] = []
        self._glasses: list[tuple[int, tuple[float, float]]] = []
        self.lie_order: list[str] = []
        """Cards named here are drawn in this order, lowest first, before all others."""
        self.light: Callable[[int], float | tuple[float, float, float]] = lambda _: 1.0
        self.sleeve = (90, 30, 110)

    # --- what happens -------------------------------------------------------------------------------------

    def lie(self, card: str, place: tuple[float, float], turn: float = 0.0, *, hidden: bool = False) -> None:
        """A card lies there from the start."""
        self._add(card, _Track([(0, *place, turn), (LAST, *place, turn)], [_out]), hidden)

    def play(
        self,
        card: str,
        seat: float,
        land: int,
        place: tuple[float, float],
        turn: float = 0.0,
        *,
        hold: int = 4,
        travel: int = 10,
        hidden: bool = False,
    ) -> None:
        """A hand from ``seat`` brings a card; ``land`` is the first frame in which it lies."""
        way = _toward(seat)
        start = (land - travel, place[0] + way[0] * FAR, place[1] + way[1] * FAR, turn - 15)
        track = _Track([start])
        track.go(land, *place, turn, _out)
        track.wait(LAST)
        self._add(card, track, hidden)
        hand = _Track([(start[0], start[1] + way[0] * 45, start[2] + way[1] * 45, 0)])
        at = (place[0] + way[0] * 45, place[1] + way[1] * 45)
        hand.go(land, *at, 0, _out)
        hand.wait(land + hold)
        hand.go(land + hold + 8, at[0] + way[0] * FAR, at[1] + way[1] * FAR, 0, _in)
        self._arms.append(_Arm(hand, seat, self.sleeve))

    def take(self, cards: Sequence[str], seat: float, start: int, *, touch: str | None = None) -> None:
        """A hand from ``seat`` takes cards away; ``start`` is the first frame in which they have moved."""
        way = _toward(seat)
        grip = self._cards[touch or cards[-1]].at(start - 1)
        assert grip is not None
        at = (grip[0] + way[0] * 25, grip[1] + way[1] * 25)
        hand = _Track([(start - 11, at[0] + way[0] * FAR, at[1] + way[1] * FAR, 0)])
        hand.go(start - 4, *at, 0, _out)
        hand.wait(start - 1)
        hand.go(start + 9, at[0] + way[0] * FAR, at[1] + way[1] * FAR, 0, _in)
        self._arms.append(_Arm(hand, seat, self.sleeve))
        for card in cards:
            track = self._cards[card]
            x, y, turn = track.at(start - 1) or (0.0, 0.0, 0.0)
            track.keys[-1] = (start - 1, x, y, turn)
            track.go(start + 9, x + way[0] * FAR, y + way[1] * FAR, turn, _in)

    def nudge(
        self, card: str, start: int, by: tuple[float, float], turn: float = 0.0, seat: float = 180.0
    ) -> None:
        """A finger from ``seat`` comes, pushes a lying card over six frames and goes."""
        track = self._cards[card]
        x, y, angle = track.at(start) or (0.0, 0.0, 0.0)
        track.keys[-1] = (start, x, y, angle)
        track.go(start + 6, x + by[0], y + by[1], angle + turn, _out)
        track.wait(LAST)
        way = _toward(seat)
        at = (x + way[0] * 50, y + way[1] * 50)
        hand = _Track([(start - 8, at[0] + way[0] * FAR, at[1] + way[1] * FAR, 0)])
        hand.go(start, *at, 0, _out)
        hand.go(start + 6, at[0] + by[0], at[1] + by[1], 0, _out)
        hand.wait(start + 8)
        hand.go(start + 16, at[0] + way[0] * FAR, at[1] + way[1] * FAR, 0, _in)
        self._arms.append(_Arm(hand, seat, self.sleeve))

    def square(
        self, cards: Sequence[str], start: int, places: Sequence[tuple[float, float]], seat: float = 180.0
    ) -> None:
        """Two fingers from ``seat`` push cards together over six frames; ``places``: where each comes to lie."""
        for card, place in zip(cards, places, strict=True):
            self.drag(card, start, place, 6)
        x, y = np.mean(places, axis=0)
        way = _toward(seat)
        self.hand(seat, start - 8, (float(x) + way[0] * 50, float(y) + way[1] * 50), 6)

    def drag(self, card: str, start: int, to: tuple[float, float], frames: int) -> None:
        """The hand that has just laid a card takes it along a little as it goes."""
        track = self._cards[card]
        x, y, turn = track.at(start) or (0.0, 0.0, 0.0)
        track.keys[-1] = (start, x, y, turn)
        track.go(start + frames, *to, turn, _out)
        track.wait(LAST)

    def turn(self, card: str, start: int, turn: float, frames: int) -> None:
        """A card that is pushed about from ``start`` on comes to lie turned like that."""
        track = self._cards[card]
        track.keys = [(at, x, y, turn if at >= start + frames else angle) for at, x, y, angle in track.keys]

    def throw(self, card: str, seat: float, land: int, place: tuple[float, float], turn: float = 0.0) -> None:
        """A card slides in alone and comes to rest."""
        way = _toward(seat)
        track = _Track([(land - 10, place[0] + way[0] * FAR, place[1] + way[1] * FAR, turn - 120)])
        track.go(land, *place, turn, _out)
        track.wait(LAST)
        self._add(card, track, hidden=False)

    def glass(self, start: int, place: tuple[float, float]) -> None:
        """A glass is put down by a hand from the north and stays."""
        self.hand(350.0, start, place, 4)
        self._glasses.append((start + 8, place))

    def hand(self, seat: float, start: int, place: tuple[float, float], stay: int) -> None:
        """A hand from ``seat`` comes over ``place``, stays there for some frames and goes."""
        way = _toward(seat)
        hand = _Track([(start, place[0] + way[0] * FAR, place[1] + way[1] * FAR, 0)])
        hand.go(start + 8, *place, 0, _out)
        hand.wait(start + 8 + stay)
        hand.go(start + 16 + stay, place[0] + way[0] * FAR, place[1] + way[1] * FAR, 0, _in)
        self._arms.append(_Arm(hand, seat, self.sleeve))

    def shadow(
        self, start: int, stop: int, corners: Sequence[tuple[float, float]], strength: float = 0.6
    ) -> None:
        """A soft shadow lies over part of the table for a while."""
        self._shadows.append((start, stop, _to_camera(np.array(corners)).astype(np.int32), strength))

    def _add(self, card: str, track: _Track, hidden: bool) -> None:
        self._cards[card] = track
        self._faces[card] = back() if hidden else face(card)

    # --- pictures -----------------------------------------------------------------------------------------

    def _make_ground(self, table: str) -> Image:
        width, height = SIZE
        coarse = self._rng.normal(0, 1, (height // 8, width // 8))
        rough = np.asarray(cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC))[..., None]
        if table == "white":
            picture = np.full((height, width, 3), 232.0) + rough * 2
        elif table == "pattern":
            picture = np.full((height, width, 3), (90.0, 110.0, 130.0)) + rough * 4
            for k in range(0, width + height, 40):
                cv2.line(picture, (k, 0), (k - height, height), (180, 190, 200), 8)
                cv2.line(picture, (k - height, 0), (k, height), (60, 40, 120), 6)
        elif table == "wood":
            grain = self._rng.normal(0, 6, (height, 1, 1))
            picture = np.full((height, width, 3), (95.0, 140.0, 185.0)) + grain + rough * 3
        else:
            picture = np.full((height, width, 3), (70.0, 60.0, 45.0)) + rough * 5
        return np.clip(picture, 0, 255).astype(np.uint8)

    def frame(self, number: int) -> Frame:
        """The picture of one moment."""
        picture = self._ground.copy()
        rest = [card for card in self._cards if card not in self.lie_order]
        for card in [*self.lie_order, *rest]:
            place = self._cards[card].at(number)
            if place is not None:
                self._draw_card(picture, card, place)
        for since, spot in self._glasses:
            if number >= since:
                x, y = _to_camera(np.array([spot]))[0].astype(int)
                cv2.circle(picture, (int(x), int(y)), round(36 * SCALE), (210, 215, 190), -1, cv2.LINE_AA)
                cv2.circle(picture, (int(x), int(y)), round(30 * SCALE), (120, 130, 110), 3, cv2.LINE_AA)
        for start, stop, corners, strength in self._shadows:
            if start <= number < stop:
                flat = np.full(picture.shape[:2], 1.0)
                cv2.fillPoly(flat, [corners], strength)
                shade = np.asarray(cv2.GaussianBlur(flat, (0, 0), 12))
                picture = (picture * shade[..., None]).astype(np.uint8)
        for k, arm in enumerate(self._arms):
            place = arm.track.at(number)
            if place is not None:
                _draw_arm(picture, place[:2], arm.seat, arm.sleeve, _SKINS[k % len(_SKINS)])
        light = self.light(number)
        if light != 1.0:
            picture = np.clip(picture * np.asarray(light), 0, 255).astype(np.uint8)
        if self._noise:
            # A window into one plane, kept twice side by side: brighter and darker apart, since pixels have no sign.
            left = -number * 37 % SIZE[0]
            brighter, darker = (plane[:, left : left + SIZE[0]] for plane in self._noise)
            picture = np.asarray(cv2.add(picture, brighter), dtype=np.uint8)
            picture = np.asarray(cv2.subtract(picture, darker), dtype=np.uint8)
        if self._shake:
            x, y = self._rng.uniform(-self._shake, self._shake, 2)
            matrix = np.array([[1, 0, x], [0, 1, y]])
            picture = cv2.warpAffine(picture, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)
        return Frame(START_NS + number * FRAME_NS, picture, number)

    def _draw_card(self, picture: Image, card: str, place: tuple[float, float, float]) -> None:
        """Draw a card where it lies; one that has not moved is not rendered anew."""
        at, rendered = self._rendered.get(card, (None, None))
        if at != place:
            rendered = _render_card(self._faces[card], *place)
            self._rendered[card] = place, rendered
        if rendered is not None:
            part = picture[rendered.low[1] : rendered.high[1], rendered.low[0] : rendered.high[0]]
            part[:] = (part * rendered.uncovered + rendered.paint).astype(np.uint8)


def _toward(seat: float) -> tuple[float, float]:
    return math.sin(math.radians(seat)), -math.cos(math.radians(seat))


def _to_camera(points: NDArray[np.float64]) -> NDArray[np.float64]:
    matrix = np.array(HOMOGRAPHY)
    return np.asarray(points @ matrix[:2, :2].T + matrix[:2, 2])


@dataclass(frozen=True)
class _RenderedCard:
    """A card as the camera sees it: paint over a part of the picture."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    """The part's corners (x, y) in the picture, px; ``high`` lies outside."""
    uncovered: NDArray[np.floating[Any]]
    """What of each pixel it leaves in sight."""
    paint: NDArray[np.floating[Any]]


def _render_card(printed: Image, x: float, y: float, turn: float) -> _RenderedCard | None:
    """Return a card as the camera sees it there, or None where it is out of the picture."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    half = np.array([[-CARD[0], -CARD[1]], [CARD[0], -CARD[1]], [CARD[0], CARD[1]], [-CARD[0], CARD[1]]]) / 2
    corners = _to_camera(half @ np.array([[cos, sin], [-sin, cos]]) + (x, y))
    low = np.floor(corners.min(axis=0)).astype(int) - 2
    high = np.ceil(corners.max(axis=0)).astype(int) + 3
    low, high = np.maximum(low, 0), np.minimum(high, SIZE)
    if (high - low).min() <= 0:
        return None
    height, width = printed.shape[:2]
    source = np.array([[0, 0], [width, 0], [0, height]], dtype=np.float32)
    target = (corners[[0, 1, 3]] - low).astype(np.float32)
    matrix = cv2.getAffineTransform(source, target)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    smooth = cv2.blur(printed, (2, 2))
    drawn = cv2.warpAffine(smooth, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)
    cover = np.full((height, width), 255, dtype=np.uint8)
    alpha = cv2.warpAffine(cover, matrix, size).astype(np.float32)[..., None] / 255
    return _RenderedCard(low, high, 1 - alpha, drawn * alpha)


def _draw_arm(
    picture: Image,
    hand: tuple[float, float],
    seat: float,
    sleeve: tuple[int, int, int],
    skin: tuple[int, int, int],
) -> None:
    way = _toward(seat)
    wrist = (hand[0] + way[0] * 70, hand[1] + way[1] * 70)
    body = (hand[0] + way[0] * 900, hand[1] + way[1] * 900)
    points = _to_camera(np.array([hand, wrist, body])).astype(int)
    tip, middle, end = ((int(x), int(y)) for x, y in points)
    cv2.line(picture, tip, middle, skin, round(52 * SCALE), cv2.LINE_AA)
    cv2.line(picture, middle, end, sleeve, round(68 * SCALE), cv2.LINE_AA)


# --- seeing -----------------------------------------------------------------------------------------------


@dataclass
class Watched:
    """What sight made of a stage."""

    facts: list[CardFact]
    known: list[int]
    """For each fact the frame at which it was told."""
    sight: CardTracker
    reader: MarkerReader

    @property
    def landed(self) -> list[CardLanded]:
        """The landings, in the order of their stamps."""
        found = [fact for fact in self.facts if isinstance(fact, CardLanded)]
        return sorted(found, key=lambda fact: (fact.t_ns, fact.id))

    @property
    def gone(self) -> list[CardGone]:
        """The departures."""
        found = [fact for fact in self.facts if isinstance(fact, CardGone)]
        return sorted(found, key=lambda fact: (fact.t_ns, fact.id))

    def names(self) -> list[str]:
        """The landed cards, likeliest readings, in order; "" for one that can't be read."""
        return [fact.readings[0].card if fact.readings else "" for fact in self.landed]

    def left(self) -> list[str]:
        """The cards that went, in order."""
        names = {fact.id: (fact.readings[0].card if fact.readings else "") for fact in self.landed}
        return [names[fact.id] for fact in self.gone]


def frame_of(t_ns: int) -> float:
    """The frame number of a stamp."""
    return (t_ns - START_NS) / FRAME_NS


def watch(stage: Stage, frames: int, *, reader: MarkerReader | None = None, joker: bool = False) -> Watched:
    """Let sight see the first ``frames`` frames; checks on the way that every fact keeps to the watermark."""
    reader = reader or MarkerReader()
    sight = CardTracker(CAMERA, reader, joker_is_card=joker)
    facts: list[CardFact] = []
    known: list[int] = []
    until = 0
    for number in range(frames):
        frame = stage.frame(number)
        seen = sight.see(frame)
        for fact in seen.facts:
            assert fact.t_ns >= until, f"{fact} is stamped before the watermark {until}"
        stamps = [fact.t_ns for fact in seen.facts]
        assert stamps == sorted(stamps)
        assert until <= seen.until_ns <= frame.t_ns
        assert frame.t_ns - seen.until_ns <= 2_100_000_000
        until = seen.until_ns
        facts += seen.facts
        known += [number] * len(seen.facts)
    for fact in sight.end().facts:
        assert fact.t_ns >= until
        facts.append(fact)
        known.append(frames)
    return Watched(facts, known, sight, reader)
