"""Sprites of photograph-like hands, and a compositor that lays them over a picture.

    sprites = load_sprites()
    hand = place(sprites[3], homography, (960, 640), tip_mm=(10, -20), arm_deg=135.0, travel_px=(12, -3))
    hand.draw_shadow(picture)
    hand.draw_under(picture)   # the part beneath a held card
    ...                        # the card at hand.card, (x, y, degrees), or nothing
    hand.draw_above(picture)   # the part over it

``hand.draw(picture)`` does all of that without a card. Pictures are BGR, height x width x 3, 8 bits. Positions on the
table are millimetres, x right and y down in the picture; directions are degrees clockwise from the picture's top.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

FILE: Final = Path(__file__).with_name("sprites.npz")
ARM_END_MM: Final = 260.0
"""How far the compositor draws an arm on past its sprite's end."""
_CARD_REACH_MM: Final = 68.0
"""Only so far from a held card's centre does it matter what lies over it."""
_MARGIN_PX: Final = 2
_SHADOW_SOFTNESS: Final = 0.22
"""How much softer a shadow is for each mm that the hand is lifted more, mm."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A hand with its arm, seen from above. Positions are mm from the place of its finger tips, x right, y down."""

    number: int
    kind: str
    """Pose: lay_over (the fingers hold a card from above), lay_thumb (the thumb does), hold (a pack in the palm), push,
    rest, point, drum or leave."""
    left: bool
    person: int
    """Sprites of one person have the same skin and sleeve."""
    skin: int
    """Number of the skin tone, 0 to 14."""
    dress: str
    arm_deg: float
    """Direction from the finger tips to the elbow."""
    mm_per_px: float
    origin: tuple[float, float]
    """Pixel of the finger tips' place, the grip: column and row, pixel centres being whole numbers."""
    shadow_mm_per_px: float
    shadow_origin: tuple[float, float]
    tips: dict[str, tuple[float, float]]
    """Pads of the five finger tips."""
    card: tuple[float, float, float] | None
    """Centre and direction of the held card or pack; None: nothing is held."""
    card_lift_mm: float
    """Height of the held card over the table."""
    tip_lift_mm: float
    lamp: tuple[float, float, float]
    """Place of the main lamp; z: mm over the table."""
    _blobs: tuple[bytes, bytes | None, bytes] = field(repr=False)

    @property
    def pixels(self) -> Image:
        """Blue, green, red and alpha; colours are multiplied by alpha. The arm goes on past the rendered end."""
        return _decode(self)[0]

    @property
    def over(self) -> tuple[Image, tuple[float, float]] | None:
        """The part that lies over the held card, near the card only, like ``pixels``; and the pixel of the grip in it.

        None: nothing is held.
        """
        return _decode(self)[1]

    @property
    def shadow(self) -> Image:
        """Shadow on the table, 255 for full shadow, at ``shadow_mm_per_px``."""
        return _decode(self)[2]


@lru_cache(maxsize=1)
def load_sprites(path: Path = FILE) -> tuple[Sprite, ...]:
    """Return all sprites; their pictures are decoded when they are first used."""
    with np.load(path) as stored:
        facts, blob = json.loads(stored["facts"].tobytes()), stored["pictures"].tobytes()
    return tuple(_read_sprite(fact, blob) for fact in facts)


def _read_sprite(fact: dict[str, Any], blob: bytes) -> Sprite:
    colour, above, shadow = (
        None if span is None else blob[span[0] : span[1]] for span in fact.pop("pictures")
    )
    assert colour is not None
    assert shadow is not None
    known: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in fact.items()
        if name != "tips"
    }
    tips = {finger: (x, y) for finger, (x, y) in fact["tips"].items()}
    return Sprite(**known, tips=tips, _blobs=(colour, above, shadow))


_Pictures: TypeAlias = tuple[Image, tuple[Image, tuple[float, float]] | None, Image]
_decoded: dict[int, _Pictures] = {}
_KEPT: Final = 96


def _decode(sprite: Sprite) -> _Pictures:
    key = id(sprite._blobs)
    if key not in _decoded:
        while len(_decoded) >= _KEPT:
            _decoded.pop(next(iter(_decoded)))
        _decoded[key] = _decode_pictures(sprite)
    return _decoded[key]


def _decode_pictures(sprite: Sprite) -> _Pictures:
    colour_blob, above_blob, shadow_blob = sprite._blobs
    colour = _unpack(colour_blob)
    alpha = cv2.merge([colour[..., 3]] * 3)
    pixels = _bytes(
        cv2.merge([*cv2.split(cv2.multiply(colour[..., :3], alpha, scale=1 / 255)), colour[..., 3]])
    )
    pixels = _lengthen(pixels, sprite.arm_deg, round(ARM_END_MM / sprite.mm_per_px))
    over = None
    if above_blob is not None and sprite.card is not None:
        height, width = colour.shape[:2]
        share = cv2.resize(_unpack(above_blob)[..., 0], (width, height), interpolation=cv2.INTER_LINEAR)
        column, row = (
            start + mm / sprite.mm_per_px for start, mm in zip(sprite.origin, sprite.card, strict=False)
        )
        reach = _CARD_REACH_MM / sprite.mm_per_px
        x0, y0 = max(0, int(column - reach)), max(0, int(row - reach))
        near = slice(y0, min(height, int(row + reach))), slice(x0, min(width, int(column + reach)))
        held = cv2.multiply(pixels[near], cv2.merge([share[near]] * 4), scale=1 / 255)
        over = _bytes(held), (sprite.origin[0] - x0, sprite.origin[1] - y0)
    more = round(ARM_END_MM / sprite.shadow_mm_per_px)
    shadow = _lengthen(np.ascontiguousarray(_unpack(shadow_blob)[..., 0]), sprite.arm_deg, more)
    return pixels, over, shadow


def _unpack(blob: bytes) -> Image:
    picture = cv2.imdecode(np.frombuffer(blob, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return _bytes(picture)


def _bytes(picture: NDArray[Any]) -> Image:
    """Return the same picture, for the type checker."""
    assert picture.dtype == np.uint8
    return picture


def _lengthen(pixels: Image, arm_deg: float, more: int) -> Image:
    """Mirror the arm at the sprite's lower edge, so that it goes on along its own direction."""
    height, width = pixels.shape[:2]
    more = min(more, height * 3 // 4)
    slope = float(np.clip(-np.tan(np.radians(arm_deg)), -0.35, 0.35))
    # A row below the edge shows the row as far above it, moved along the arm's axis.
    source = np.array([[1.0, -2 * slope, 0.0], [0.0, -1.0, height - 1.0]])
    grown = cv2.warpAffine(pixels, source, (width, more), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return _bytes(np.concatenate([pixels, grown]))


@dataclass(frozen=True, slots=True)
class Layer:
    """A picture at its place; box: x0, y0, x1, y1 in pixels."""

    box: tuple[int, int, int, int]
    pixels: Image

    def paste(self, picture: Image) -> None:
        """Lay the layer, whose colours are multiplied by alpha, over the picture."""
        x0, y0, x1, y1 = self.box
        if x1 <= x0 or y1 <= y0:
            return
        part = picture[y0:y1, x0:x1]
        blue, green, red, alpha = cv2.split(self.pixels)
        clear = cv2.bitwise_not(alpha)
        cv2.multiply(part, cv2.merge([clear, clear, clear]), dst=part, scale=1 / 255)
        cv2.add(part, cv2.merge([blue, green, red]), dst=part)


@dataclass(frozen=True, slots=True)
class PlacedHand:
    """A sprite brought into a picture's perspective; it changes only pixels inside its layers' boxes."""

    hand: Layer
    """All of the hand and its arm."""
    over: Layer | None
    """What lies over the held card; None: nothing is held."""
    shadow: Layer
    """One channel, 255 for full shadow."""
    card: tuple[float, float, float] | None
    """Centre (table mm) and direction of the held card."""

    def draw_shadow(self, picture: Image, strength: float = 0.8) -> None:
        """Darken the picture by the hand's shadow; ``strength`` 1: to black where no light falls."""
        x0, y0, x1, y1 = self.shadow.box
        if x1 <= x0 or y1 <= y0:
            return
        part = picture[y0:y1, x0:x1]
        light = cv2.convertScaleAbs(self.shadow.pixels, alpha=-strength, beta=255)
        cv2.multiply(part, cv2.merge([light, light, light]), dst=part, scale=1 / 255)

    def draw_under(self, picture: Image) -> None:
        """Draw what may lie beneath a held card; nothing for a hand that holds none."""
        if self.over is not None:
            self.hand.paste(picture)

    def draw_above(self, picture: Image) -> None:
        """Draw what lies over a held card; all of a hand that holds none."""
        (self.over or self.hand).paste(picture)

    def draw(self, picture: Image, strength: float = 0.8) -> None:
        """Draw the whole hand with its shadow, without a card."""
        self.draw_shadow(picture, strength)
        self.hand.paste(picture)


def place(
    sprite: Sprite,
    homography: Matrix | Sequence[Sequence[float]],
    size: tuple[int, int],
    tip_mm: tuple[float, float],
    arm_deg: float,
    *,
    travel_px: tuple[float, float] = (0.0, 0.0),
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
    lift_mm: float = 0.0,
    scale: float = 1.0,
    mirrored: bool = False,
    blur_px: float = 0.0,
) -> PlacedHand:
    """Bring a sprite into a picture of ``size`` (width, height).

    ``homography`` maps table mm to pixels. The sprite's finger tips come to ``tip_mm``, and its arm goes from there in
    the direction ``arm_deg`` (that of the player's seat). ``travel_px`` is how far it moves while the shutter is open;
    ``light`` the gains of blue, green and red; ``lift_mm`` how much higher than rendered the hand is, for its shadow;
    ``scale`` its size; ``mirrored`` makes a left hand of a right one; ``blur_px`` the lens's blur.
    """
    matrix = np.asarray(homography, np.float64)
    sign = -1.0 if mirrored else 1.0
    turn = np.radians(arm_deg - sign * sprite.arm_deg)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    on_table = np.array([[sign * cos, -sin, tip_mm[0]], [sign * sin, cos, tip_mm[1]], [0, 0, 1]])
    pixels, over = sprite.pixels, sprite.over

    def layer(
        picture: Image, to_table: Matrix, origin: tuple[float, float], mm_per_px: float, lens: float
    ) -> Layer:
        return warp_layer(
            picture, matrix @ to_table @ _pixel_matrix(origin, mm_per_px), size, travel_px, lens
        )

    hand = _lit(layer(pixels, on_table, sprite.origin, sprite.mm_per_px, blur_px), light)
    held = None
    if over is not None:
        held = _lit(layer(over[0], on_table, over[1], sprite.mm_per_px, blur_px), light)
    # A higher hand throws its shadow further from the lamp, and a softer one.
    shadow = sprite.shadow
    away = np.array(sprite.lamp[:2]) * (-lift_mm / sprite.lamp[2])
    dx, dy = on_table[:2, :2] @ away / scale
    beneath = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]]) @ on_table
    if lift_mm > 0:
        softness = max(0.3, _SHADOW_SOFTNESS * lift_mm / sprite.shadow_mm_per_px)
        shadow = _bytes(cv2.GaussianBlur(shadow, (0, 0), softness))
    cast = layer(shadow, beneath, sprite.shadow_origin, sprite.shadow_mm_per_px, 0.0)
    return PlacedHand(hand, held, cast, card_pose(sprite, tip_mm, arm_deg, scale=scale, mirrored=mirrored))


def _lit(layer: Layer, light: tuple[float, float, float]) -> Layer:
    """Return the layer under a lamp of these gains."""
    if light == (1.0, 1.0, 1.0) or not layer.pixels.size:
        return layer
    lit = cv2.multiply(layer.pixels, np.array((*light, 1.0), np.float64))
    # No colour is brighter than white behind the same alpha.
    alpha = layer.pixels[..., 3]
    return Layer(layer.box, _bytes(cv2.min(lit, cv2.merge([alpha, alpha, alpha, alpha]))))


def card_pose(
    sprite: Sprite, tip_mm: tuple[float, float], arm_deg: float, *, scale: float = 1.0, mirrored: bool = False
) -> tuple[float, float, float] | None:
    """Return centre (table mm) and direction of the card that a placed hand holds."""
    if sprite.card is None:
        return None
    sign = -1.0 if mirrored else 1.0
    turn_deg = arm_deg - sign * sprite.arm_deg
    x, y = sign * sprite.card[0] * scale, sprite.card[1] * scale
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return (
        float(tip_mm[0] + x * cos - y * sin),
        float(tip_mm[1] + x * sin + y * cos),
        float((sign * sprite.card[2] + turn_deg) % 360),
    )


def _pixel_matrix(origin: tuple[float, float], mm_per_px: float) -> Matrix:
    """Return the matrix from a sprite's pixels to mm about its finger tips."""
    return np.array(
        [[mm_per_px, 0, -origin[0] * mm_per_px], [0, mm_per_px, -origin[1] * mm_per_px], [0, 0, 1]]
    )


def warp_layer(
    pixels: Image,
    matrix: Matrix,
    size: tuple[int, int],
    travel_px: tuple[float, float] = (0.0, 0.0),
    blur_px: float = 0.0,
) -> Layer:
    """Bring pixels into a picture of ``size`` by ``matrix`` (3x3), blurred along a straight path and by the lens."""
    height, width = pixels.shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64) @ matrix.T
    places = corners[:, :2] / corners[:, 2:]
    shifts = _path(travel_px)
    whole = shifts.sum(axis=0)
    reach = np.abs(whole) / 2 + 3 * blur_px + _MARGIN_PX
    x0, y0 = np.clip(np.floor(places.min(axis=0) - reach), 0, size).astype(int)
    x1, y1 = np.clip(np.ceil(places.max(axis=0) + reach) + 1, 0, size).astype(int)
    box = int(x0), int(y0), int(x1), int(y1)
    if x1 <= x0 or y1 <= y0:
        return Layer((0, 0, 0, 0), np.zeros((0, 0, *pixels.shape[2:]), np.uint8))
    # Each averaging of two copies takes off a margin, so that what comes in from outside the picture is right too.
    start = np.array([x0, y0]) - np.maximum(whole, 0)
    warped_size = int(x1 - x0 + abs(whole[0])), int(y1 - y0 + abs(whole[1]))
    offset = -start - whole / 2
    matrix = np.array([[1, 0, offset[0]], [0, 1, offset[1]], [0, 0, 1]]) @ matrix
    # Halved first where the picture is much coarser than the sprite, which a linear filter would let flicker.
    while (
        np.sqrt(abs(np.linalg.det(matrix[:2, :2]))) / abs(matrix[2, 2]) < 0.55 and min(pixels.shape[:2]) > 8
    ):
        height, width = pixels.shape[:2]
        pixels = _bytes(cv2.resize(pixels, (width // 2, height // 2), interpolation=cv2.INTER_AREA))
        fx, fy = width / (width // 2), height / (height // 2)
        matrix = matrix @ np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]])
    warped = _bytes(cv2.warpPerspective(pixels, matrix, warped_size, flags=cv2.INTER_LINEAR))
    if blur_px > 0:
        warped = _bytes(cv2.GaussianBlur(warped, (0, 0), blur_px))
    for dx, dy in shifts.tolist():
        height, width = warped.shape[:2]
        here = warped[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)]
        there = warped[max(0, -dy) : height - max(0, dy), max(0, -dx) : width - max(0, dx)]
        warped = _bytes(cv2.addWeighted(here, 0.5, there, 0.5, 0.0))
    return Layer(box, warped)


def _path(travel_px: tuple[float, float]) -> NDArray[np.int64]:
    """Return steps in whole pixels of which every sum lies on the path: each doubles the copies that are averaged."""
    length = float(np.hypot(*travel_px))
    if length < 0.5:
        return np.zeros((0, 2), np.int64)
    count = max(1, int(np.ceil(np.log2(length + 1))))
    shares = 2.0 ** np.arange(count) / (2.0**count - 1)
    ends = np.round(np.cumsum(shares)[:, None] * np.array(travel_px))
    steps: NDArray[np.int64] = np.diff(ends, axis=0, prepend=0.0).astype(np.int64)
    return steps
