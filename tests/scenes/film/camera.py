"""The second camera: draws a moment of a scene from layers, with rendered hands, soft shadows and a slow shutter."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import MS, Image
from table.simulation.rendering.card_artwork import (
    HEIGHT_MM,
    WIDTH_MM,
    CardArtwork,
    outline_mask,
    render_back,
)
from table.simulation.rendering.motions_over_time import (
    GRIP_OFFSET_MM,
    CardPose,
    Hand,
    HandPose,
    Scene,
    SceneCard,
    Snapshot,
)
from tests.scenes.film.look import FilmLook
from tests.scenes.film.table_tops import SIDE_MM, draw_table_top
from tests.scenes.hands.sprites import Layer, PlacedHand, Sprite, card_pose, load_sprites, place, warp_layer
from tests.simulation.scene_motions import Moment, TableObject, moment_at
from tests.simulation.stray_object_outlines import object_outlines

Faces = Callable[[str, float], CardArtwork]
TEXTURE_PX_PER_MM: Final = 4.0
_CAMERA_HEIGHT_MM: Final = 1000.0
_CARD_OFFSET_MM: Final[Mapping[HandPose, float]] = {"lay": GRIP_OFFSET_MM, "take": 8.0, "hold": 25.0}
"""How far the centre of what a hand holds lies before its finger tips."""
_SPRITE_KINDS: Final[Mapping[HandPose, tuple[str, ...]]] = {
    "lay": ("lay_over", "lay_thumb"),
    "take": ("lay_thumb", "lay_over"),
}
"""Kinds of sprites that show a pose; any other pose is shown by the kind of its name."""
_SHADOW_SCALE: Final = 4
"""A shadow is drawn so much smaller than the picture: it is soft."""
_STILL_PX: Final = 0.4
"""A hand that moved by less stays where it was drawn."""
_NOISE_MARGIN_PX: Final = 64


@dataclass(frozen=True, slots=True)
class HeldCards:
    """A hand with what lies between its fingers, from the lowest card to the topmost."""

    hand: PlacedHand
    cards: tuple[SceneCard, ...]


class FilmCamera:
    """Draws pictures of a scene; ``seats`` get people with skins and sleeves of their own."""

    def __init__(self, look: FilmLook, seats: Sequence[str], faces: Faces, start_ns: int) -> None:
        """Create a camera; ``faces`` returns a card's face for its name and the pixels a millimetre."""
        self._look = look
        self._start_ns = start_ns
        self._faces = faces
        self._placed: dict[str, tuple[Hand, tuple[float, float], PlacedHand]] = {}
        self._textures: dict[str | None, Image] = {}
        self._matrix = np.array(look.homography, np.float64)
        self._px_per_mm = float(np.sqrt(abs(np.linalg.det(self._matrix[:2, :2]))))
        self._people = _choose_people(seats, look.seed)
        self._light = self._draw_light()
        self._top = self._draw_top()
        self._resting_image, self._resting_cards = self._top, tuple[SceneCard, ...]()
        self._resting_objects: tuple[TableObject, ...] = ()
        self._tone = _tone_curve(look.contrast)
        colour = 128 + look.saturation * (np.arange(256) - 128)
        self._colour = np.clip(np.rint(colour), 0, 255).astype(np.uint8)
        self._noise = self._draw_noise()

    def render_exposure(self, scene: Scene, t_ns: int, number: int) -> Image:
        """Draw the picture that is exposed around ``t_ns``; ``number`` chooses its noise."""
        planes = self.render_planes(scene, t_ns, number)
        return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8)

    def render_planes(self, scene: Scene, t_ns: int, number: int) -> Image:
        """Draw the same picture as an encoder takes it: Y, U and V (a quarter as large) below one another."""
        half_ns = round(self._look.exposure_ms * MS) // 2
        ends = moment_at(scene, t_ns - half_ns), moment_at(scene, t_ns + half_ns)
        travel = self._travel(*ends)
        now = moment_at(scene, t_ns)
        image = self._draw_resting(now, travel)
        self._draw_moving(image, now, travel)
        return self._develop(image, t_ns, number)

    def placed_hands(self, moment: Snapshot) -> list[PlacedHand]:
        """Return the hands of a moment without the blur of their motion: what they hide."""
        return [held.hand for held in self._hands(moment, {})]

    # --- what lies ------------------------------------------------------------------------------------------------

    def _draw_light(self) -> NDArray[np.float32]:
        width, height = self._look.size
        x0, y0 = self._look.lamp_at
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        distance = np.hypot(x / width - x0, y / height - y0)
        light = 1 - self._look.falloff * (distance / distance.max()) ** 1.6
        return np.asarray(cv2.merge([light * np.float32(gain) for gain in self._look.light]), np.float32)

    def _draw_top(self) -> Image:
        look = self._look
        top = draw_table_top(look.table, look.seed)
        if look.ring:
            middle = SIDE_MM // 2, SIDE_MM // 2
            ink = (40, 40, 40) if top[SIDE_MM // 2, SIDE_MM // 2].mean() > 120 else (205, 210, 210)
            for radius in (58, 61):
                cv2.circle(top, middle, radius, ink, 1, cv2.LINE_AA)
        to_mm = np.array([[1, 0, -SIDE_MM / 2], [0, 1, -SIDE_MM / 2], [0, 0, 1]])
        warped = cv2.warpPerspective(
            top, self._matrix @ to_mm, look.size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
        )
        warped = cv2.GaussianBlur(warped, (0, 0), look.blur_px)
        return np.asarray(np.clip(warped * self._light, 0, 255), np.uint8)

    def _draw_resting(self, moment: Moment, travel: Mapping[str, tuple[float, float]]) -> Image:
        """Return a copy of the table with all that rests; cards that do not move are drawn once."""
        still = tuple(card for card in moment.resting if _key(card) not in travel)
        while still != moment.resting[: len(still)]:  # what lies on a moving card is drawn after it
            still = still[:-1]
        known = self._resting_cards
        if moment.objects != self._resting_objects or still[: len(known)] != known:
            self._resting_image, known = self._top.copy(), ()
            for thing in moment.objects:
                self._draw_object(self._resting_image, thing)
        elif still != known:
            self._resting_image = self._resting_image.copy()
        for card in still[len(known) :]:
            self._draw_card(self._resting_image, card, shadow=True)
        self._resting_objects, self._resting_cards = moment.objects, still
        image = self._resting_image.copy()
        for card in moment.resting[len(still) :]:
            self._draw_card(image, card, travel.get(_key(card), (0.0, 0.0)), shadow=True)
        return image

    def _draw_object(self, image: Image, thing: TableObject) -> None:
        for outline, colour in object_outlines(thing):
            pixels = cv2.perspectiveTransform(outline[None], self._matrix)[0]
            cv2.fillPoly(image, [np.round(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    # --- what moves -----------------------------------------------------------------------------------------------

    def _draw_moving(self, image: Image, moment: Moment, travel: Mapping[str, tuple[float, float]]) -> None:
        hands = self._hands(moment, travel)
        held = {card.id for hand in hands for card in hand.cards}
        flying = [card for card in moment.carried if card.id not in held]
        for hand in hands:
            hand.hand.draw_shadow(image, 0.7)
        for card in flying:
            self._draw_card(image, card, travel.get(_key(card), (0.0, 0.0)), shadow=True)
        for thing in moment.held_objects:
            self._draw_object(image, thing)
        for hand in hands:
            for card in hand.cards[:1]:
                self._draw_shadow(image, card.pose)
            hand.hand.draw_under(image)
            for card in hand.cards:
                self._draw_card(image, card, travel.get(_key(card), (0.0, 0.0)), shadow=False)
            hand.hand.draw_above(image)

    def _hands(self, moment: Snapshot, travel: Mapping[str, tuple[float, float]]) -> list[HeldCards]:
        """Return the hands, each with the carried cards that are nearest to its fingers."""
        grips = [_grip(hand) for hand in moment.hands]
        held: list[list[SceneCard]] = [[] for _ in grips]
        for card in moment.carried:
            near = [float(np.hypot(x - card.pose.x, y - card.pose.y)) for x, y in grips]
            if near and min(near) < (90 if moment.hands[int(np.argmin(near))].pose != "lay" else 12):
                held[int(np.argmin(near))].append(card)
        return [
            HeldCards(self._place_hand(hand, travel.get(_key(hand), (0.0, 0.0))), tuple(cards))
            for hand, cards in zip(moment.hands, held, strict=True)
        ]

    def _place_hand(self, hand: Hand, travel_px: tuple[float, float]) -> PlacedHand:
        """Return the hand in the picture; one that hardly moves stays where it was placed last."""
        key = _key(hand)
        if key in self._placed:
            last, last_travel_px, placed = self._placed[key]
            moved_px = np.hypot(hand.tip[0] - last.tip[0], hand.tip[1] - last.tip[1]) * self._px_per_mm
            fastest_px = max(abs(part) for part in (*travel_px, *last_travel_px))
            if moved_px < _STILL_PX and fastest_px < _STILL_PX and replace(last, tip=hand.tip) == hand:
                return placed
        placed = self._warp_hand(hand, travel_px)
        self._placed[key] = hand, travel_px, placed
        return placed

    def _warp_hand(self, hand: Hand, travel_px: tuple[float, float]) -> PlacedHand:
        sprite = self._sprite(hand)
        arm_deg = float(np.degrees(np.arctan2(hand.home[0] - hand.tip[0], hand.tip[1] - hand.home[1])))
        mirrored = sprite.left != hand.left
        tip = hand.tip
        if (in_hand := card_pose(sprite, (0.0, 0.0), arm_deg, mirrored=mirrored)) is not None:
            x, y = _grip(hand)
            tip = x - in_hand[0], y - in_hand[1]
        light = tuple(float(part) for part in self._light_at(*hand.tip))
        return place(
            sprite,
            self._matrix,
            self._look.size,
            tip,
            arm_deg,
            travel_px=travel_px,
            light=(light[0], light[1], light[2]),
            lift_mm=hand.lift,
            mirrored=mirrored,
            blur_px=self._look.blur_px,
        )

    def _sprite(self, hand: Hand) -> Sprite:
        """Return the sprite of this hand: everybody holds cards in a way of their own."""
        kinds = _SPRITE_KINDS.get(hand.pose, (hand.pose,))
        sprites = [sprite for sprite in self._people[hand.seat] if sprite.kind in kinds]
        return sprites[zlib.crc32(_key(hand).encode()) % len(sprites)]

    def _travel(self, before: Snapshot, after: Snapshot) -> dict[str, tuple[float, float]]:
        """Return how far each thing that moves does so while the shutter is open, pixels."""
        then, now = ({_key(thing): thing for thing in _things(moment)} for moment in (before, after))
        travel = {}
        for key in then.keys() & now.keys():
            if then[key] != now[key]:
                points = np.array([[_position(then[key])], [_position(now[key])]])
                (x0, y0), (x1, y1) = cv2.perspectiveTransform(points, self._matrix)[:, 0].tolist()
                travel[key] = x1 - x0, y1 - y0
        return travel

    # --- a card ---------------------------------------------------------------------------------------------------

    def _draw_card(
        self, image: Image, card: SceneCard, travel_px: tuple[float, float] = (0.0, 0.0), *, shadow: bool
    ) -> None:
        if shadow:
            self._draw_shadow(image, card.pose)
        texture = self._texture(card.card)
        layer = warp_layer(
            texture, self._card_matrix(card.pose), self._look.size, travel_px, self._look.blur_px
        )
        if layer.pixels.size:
            gains = np.array((*self._light_at(card.pose.x, card.pose.y), 1.0), np.float64)
            Layer(layer.box, np.asarray(cv2.multiply(layer.pixels, gains), np.uint8)).paste(image)

    def _draw_shadow(self, image: Image, pose: CardPose) -> None:
        """Darken what lies beneath a card: close to it at rest, further away and softer when it is lifted."""
        height_mm = pose.lift + 0.6
        dx, dy = (part * height_mm for part in self._look.shadow_per_mm)
        beneath = CardPose(pose.x + dx, pose.y + dy, pose.angle)
        scale = _SHADOW_SCALE
        softness_px = (0.9 + 0.22 * pose.lift) * self._px_per_mm / scale
        width, height = self._look.size
        matrix = np.diag([1 / scale, 1 / scale, 1.0]) @ self._card_matrix(beneath, 1.0)
        size = width // scale, height // scale
        layer = warp_layer(outline_mask(1.0), matrix, size, (0.0, 0.0), softness_px)
        x0, y0, x1, y1 = (part * scale for part in layer.box)
        if x1 > x0 and y1 > y0:
            part = image[y0:y1, x0:x1]
            light = cv2.convertScaleAbs(layer.pixels, alpha=-0.45, beta=255)
            light = cv2.resize(light, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
            cv2.multiply(part, cv2.merge([light, light, light]), dst=part, scale=1 / 255)

    def _card_matrix(self, pose: CardPose, px_per_mm: float = TEXTURE_PX_PER_MM) -> NDArray[np.float64]:
        scale = 1 + pose.lift / _CAMERA_HEIGHT_MM
        angle = np.radians(pose.angle)
        cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
        on_table = np.array([[cos, -sin, pose.x], [sin, cos, pose.y], [0, 0, 1]])
        to_mm = np.array([[1 / px_per_mm, 0, -WIDTH_MM / 2], [0, 1 / px_per_mm, -HEIGHT_MM / 2], [0, 0, 1]])
        matrix: NDArray[np.float64] = self._matrix @ on_table @ to_mm
        return matrix

    def _texture(self, name: str | None) -> Image:
        """Return a card's face, or its back, multiplied by its outline's alpha."""
        if name not in self._textures:
            if name is None:
                image = _recoloured(render_back(TEXTURE_PX_PER_MM), self._look.back)
            else:
                image = self._faces(name, TEXTURE_PX_PER_MM).image
            self._textures[name] = _premultiplied(image)
        return self._textures[name]

    def _light_at(self, x: float, y: float) -> NDArray[np.float32]:
        width, height = self._look.size
        column, row = cv2.perspectiveTransform(np.array([[[x, y]]]), self._matrix)[0, 0].tolist()
        light: NDArray[np.float32] = self._light[
            int(np.clip(row, 0, height - 1)), int(np.clip(column, 0, width - 1))
        ]
        return light

    # --- the sensor -----------------------------------------------------------------------------------------------

    def _draw_noise(self) -> tuple[Image, Image]:
        """Return the positive and the negative part of a field of noise that is larger than a picture's planes."""
        width, height = self._look.size
        rng = np.random.default_rng((self._look.seed, 72))
        shape = height * 3 // 2 + _NOISE_MARGIN_PX, width + _NOISE_MARGIN_PX
        field = np.rint(rng.standard_normal(shape, np.float32) * self._look.noise)
        return np.maximum(field, 0).astype(np.uint8), np.maximum(-field, 0).astype(np.uint8)

    def _develop(self, image: Image, t_ns: int, number: int) -> Image:
        """Return the picture's planes as the camera gives them: out of focus, with its tones, colours and noise."""
        look = self._look
        hunting_px = look.blur_at((t_ns - self._start_ns) / MS)
        if hunting_px > 0.2:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), hunting_px), np.uint8)
        planes = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
        height = look.size[1]
        planes[:height] = cv2.LUT(planes[:height], self._tone)
        planes[height:] = cv2.LUT(planes[height:], self._colour)
        rng = np.random.default_rng((look.seed, 73, number))
        dy, dx = (int(shift) for shift in rng.integers(0, _NOISE_MARGIN_PX, 2))
        rows, columns = planes.shape
        brighter, darker = (field[dy : dy + rows, dx : dx + columns] for field in self._noise)
        cv2.add(planes, brighter, dst=planes)
        cv2.subtract(planes, darker, dst=planes)
        return planes


def _choose_people(seats: Sequence[str], seed: int) -> dict[str, tuple[Sprite, ...]]:
    """Return each seat's sprites: those of one person, with other people's for the poses that the person lacks."""
    rng = np.random.default_rng((seed, 74))
    sprites = load_sprites()
    people = rng.permutation(sorted({sprite.person for sprite in sprites})).tolist()
    chosen = {}
    for number, seat in enumerate(seats):
        person = people[number % len(people)]
        own = [sprite for sprite in sprites if sprite.person == person]
        missing = {sprite.kind for sprite in sprites} - {sprite.kind for sprite in own}
        skin = own[0].skin
        nearest = sorted(sprites, key=lambda sprite: (abs(sprite.skin - skin), sprite.number))
        own += [next(sprite for sprite in nearest if sprite.kind == kind) for kind in sorted(missing)]
        chosen[seat] = tuple(own)
    return chosen


def _grip(hand: Hand) -> tuple[float, float]:
    """Return where the centre of what the hand holds is, table mm."""
    dx, dy = hand.home[0] - hand.tip[0], hand.home[1] - hand.tip[1]
    length = max(1e-9, float(np.hypot(dx, dy)))
    ahead = _CARD_OFFSET_MM.get(hand.pose, 0.0) / length
    return hand.tip[0] - dx * ahead, hand.tip[1] - dy * ahead


def _things(moment: Snapshot) -> Iterator[Hand | SceneCard]:
    yield from moment.hands
    yield from moment.carried
    yield from moment.resting


def _key(thing: Hand | SceneCard) -> str:
    return f"card {thing.id}" if isinstance(thing, SceneCard) else f"hand {thing.seat} {thing.left}"


def _position(thing: Hand | SceneCard) -> tuple[float, float]:
    return (thing.pose.x, thing.pose.y) if isinstance(thing, SceneCard) else thing.tip


def _tone_curve(contrast: float) -> NDArray[np.uint8]:
    """Return the tone curve as a table of 256 grey levels: a power about the middle grey."""
    level = np.arange(256) / 255
    curve = np.where(level < 0.5, 0.5 * (2 * level) ** contrast, 1 - 0.5 * (2 - 2 * level) ** contrast)
    return np.round(curve * 255).astype(np.uint8)


def _recoloured(back: Image, design: int) -> Image:
    """Return one of six backs: the channels exchanged."""
    channels = ((0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0), (1, 0, 2), (0, 2, 1))[design]
    return np.ascontiguousarray(back[..., channels])


def _premultiplied(image: Image) -> Image:
    """Return a card as blue, green, red (multiplied by alpha) and alpha, its cut edge a little darker."""
    height, width = image.shape[:2]
    alpha = cv2.resize(outline_mask(TEXTURE_PX_PER_MM), (width, height))
    inside = cv2.erode(alpha, np.ones((3, 3), np.uint8), borderValue=0)
    share = 0.94 * (0.72 + 0.28 * inside.astype(np.float32) / 255) * alpha / 255
    return np.dstack([np.rint(image * share[..., None]), alpha]).astype(np.uint8)
