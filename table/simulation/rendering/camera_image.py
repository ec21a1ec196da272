"""Simulated overhead camera: renders a moment of the scene as a photograph.

Resting items are drawn once and cached, moving items are drawn onto a copy, and noise comes from precomputed fields.
Every frame is a function of the scene, the appearance, the seed and the frame number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from table.directions import direction_vector
from table.observed_facts import Image
from table.simulation.rendering.card_artwork import (
    CLASSIC,
    HEIGHT_MM,
    WIDTH_MM,
    CardArtwork,
    Style,
    outline_mask,
    render_back,
    render_face,
)
from table.simulation.rendering.hand_outlines import (
    FINGER_LINE_MM,
    PART_KINDS,
    SKINS,
    SLEEVES,
    arm_outlines,
    arm_shadow_outlines,
    part_colour,
)
from table.simulation.rendering.motions_over_time import (
    CardPose,
    Hand,
    Scene,
    SceneCard,
    Snapshot,
    to_table_mm,
)
from table.simulation.rendering.vector_shapes import Colour, Points, ellipse_points

_TEXTURE_PX_PER_MM = 4.0
SHADOW_OFFSET_PER_MM = np.array([0.55, 0.8])
"""Shadow offset (x, y) in mm for each mm of height above the table."""
_CAMERA_HEIGHT_MM = 1100.0
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (WIDTH_MM / 2, HEIGHT_MM / 2)
"""A card's corners, mm from its centre: upper left, upper right, lower right, lower left of its face."""
_SHADOW_SCALE = 4
"""Factor by which the shadow image is smaller than the frame; shadows are soft."""


@dataclass(frozen=True, slots=True)
class RoomAppearance:
    """Appearance of the rendered room: cloth, lamp, camera and people. All of it affects card detection."""

    cloth: Colour = (74, 54, 34)
    grain: float = 0.10
    """Contrast of the cloth's texture, as a share of its brightness."""
    mark: Literal["ring", "joker", "none"] = "ring"
    glass: bool = False
    """Whether a drinking glass stands on the table, near the mark."""
    lamp: float = 0.16
    """Light falloff: brightness lost from the brightest to the darkest corner, as a share."""
    warmth: tuple[float, float, float] = (0.97, 1.0, 1.0)
    """Gains of the lamp's colour: blue, green, red."""
    noise: float = 2.2
    """Standard deviation of the sensor noise, in grey levels."""
    noise_fields: int = 3
    """Number of precomputed noise fields; a frame uses one of them at a random offset."""
    blur_px: float = 0.55
    """Standard deviation of the lens blur, in pixels."""
    style: Style = CLASSIC
    faces: Callable[[str, float], CardArtwork] | None = None
    """Function that returns another pack's face for a card name and pixels a millimetre; None: our own pack."""


CLOTHS: Mapping[str, Colour] = {
    "navy": (74, 54, 34),
    "green": (62, 104, 40),
    "red": (48, 40, 112),
    "wood": (70, 112, 156),
    "grey": (126, 128, 130),
}


@dataclass(frozen=True, slots=True)
class _CardImage:
    """A card as the camera sees it."""

    box: tuple[slice, slice]
    """The rows and columns of the picture that it covers."""
    colour: NDArray[np.float32]
    """The light that comes from the card, grey levels."""
    transparency: NDArray[np.float32]
    """Share of the light from beneath that passes, 0..1."""
    shade: NDArray[np.float32] | None
    """Share of the light that the card's shadow leaves beneath; None: no shadow."""

    def paste(self, image: Image) -> None:
        part = image[self.box]
        light = part.astype(np.float32)
        if self.shade is not None:
            light *= self.shade
        light *= self.transparency
        light += self.colour
        light += 0.5
        part[:] = np.clip(light, 0, 255, out=light)


class SimulatedCamera:
    """Renders frames of ``size`` (width, height); ``homography`` maps table mm to pixels."""

    def __init__(
        self,
        size: tuple[int, int],
        homography: Sequence[Sequence[float]],
        seats: Sequence[str],
        look: RoomAppearance,
        seed: int,
    ) -> None:
        self._size = size
        self._homography = np.array(homography, np.float64)
        self._px_per_mm = float(
            np.sqrt(abs(np.linalg.det(self._homography[:2, :2]))) / self._homography[2, 2]
        )
        self._look = look
        self._seed = seed
        people = np.random.default_rng((seed, 1)).permutation(len(SLEEVES))
        self._arm_colours = {
            seat: self.colour_arm(
                SKINS[(seed + 2 * number) % len(SKINS)], SLEEVES[people[number % len(SLEEVES)]]
            )
            for number, seat in enumerate(seats)
        }
        self._card_images: dict[SceneCard, _CardImage | None] = {}
        self._light_map = _make_light_map(size, look, np.random.default_rng((seed, 2)))
        self._cloth_image = self._draw_cloth(np.random.default_rng((seed, 3)))
        self._noise_fields = _make_noise_fields(size, look, np.random.default_rng((seed, 4)))
        self._drawn_cards: tuple[SceneCard, ...] = ()
        self._drawn_image = self._cloth_image

    def render_exposure(self, scene: Scene, t_ns: int, number: int) -> Image:
        """Render the frame exposed at ``t_ns``; ``number`` chooses its noise."""
        return self.render_snapshot(scene.snapshot_at(t_ns), number)

    def render_snapshot(self, moment: Snapshot, number: int) -> Image:
        """Render a frame of one moment."""
        image = self._resting_image(moment).copy()
        self._draw_moving(image, moment)
        return self._add_noise(image, number)

    def colour_arm(self, skin: Colour, sleeve: Colour) -> list[Colour]:
        """Return the colours of an arm's parts, as ``PART_KINDS``."""
        return [part_colour(kind, skin, sleeve) for kind in PART_KINDS]

    # --- resting items ----------------------------------------------------------------------------------------

    def _draw_cloth(self, rng: np.random.Generator) -> Image:
        width, height = self._size
        grain = np.zeros((height, width), np.float32)
        for cells, weight in ((6, 0.3), (24, 0.35), (90, 0.3)):
            coarse = rng.standard_normal((cells * 9 // 16 + 2, cells + 2)).astype(np.float32)
            grain += weight * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        fine = rng.standard_normal((height, width)).astype(np.float32)
        grain += 0.8 * cv2.GaussianBlur(fine, (0, 0), 1.0)
        grain = 1 + self._look.grain * grain
        plain = cv2.merge([grain * np.float32(component) for component in self._look.cloth])
        image: Image = np.clip(plain * self._light_map, 0, 255).astype(np.uint8)
        if self._look.mark == "joker":
            self._draw_card(image, SceneCard(0, "JOKER", CardPose(0, 0, 0)))
        elif self._look.mark == "ring":
            brighter = tuple(min(255, round(part * 1.5 + 14)) for part in self._look.cloth)
            for radius in (58.0, 60.5):
                ring = self._to_fixed_point([ellipse_points(0, 0, radius, radius, steps=180)])
                cv2.polylines(image, ring, True, brighter, 1, cv2.LINE_AA, 4)
        if self._look.glass:
            self._draw_glass(image, rng)
        return image

    def _draw_glass(self, image: Image, rng: np.random.Generator) -> None:
        """Draw a drinking glass from above: shadow, rings, drink, highlight."""
        distance_mm = float(rng.uniform(125, 150))
        x, y = (component * distance_mm for component in direction_vector(float(rng.uniform(0, 360))))
        for right, down, radius, colour, weight in (
            (SHADOW_OFFSET_PER_MM[0] * 26, SHADOW_OFFSET_PER_MM[1] * 26, 36.0, (18, 16, 14), 0.4),
            (0.0, 0.0, 35.0, (206, 208, 204), 0.35),
            (0.0, 0.0, 31.0, (38, 92, 168), 0.75),
            (0.0, 0.0, 15.0, (70, 130, 206), 0.4),
            (-14.0, -16.0, 5.0, (250, 252, 252), 0.8),
        ):
            layer = image.copy()
            disc = self._to_fixed_point([ellipse_points(x + right, y + down, radius, radius)])
            cv2.fillPoly(layer, disc, colour, cv2.LINE_AA, 4)
            image[:] = cv2.addWeighted(layer, weight, image, 1 - weight, 0)
        rim = self._to_fixed_point([ellipse_points(x, y, 35.0, 35.0)])
        width = max(1, round(1.2 * self._px_per_mm))
        cv2.polylines(image, rim, True, (236, 238, 236), width, cv2.LINE_AA, 4)

    def _resting_image(self, moment: Snapshot) -> Image:
        """Return the cloth with all that rests on it; what was drawn last is drawn anew only where it must."""
        cards, drawn = moment.resting, self._drawn_cards
        if cards[: len(drawn)] != drawn:
            self._drawn_image, drawn = self._cloth_image.copy(), ()
        elif cards != drawn:
            self._drawn_image = self._drawn_image.copy()
        for card in cards[len(drawn) :]:
            self._draw_card(self._drawn_image, card)
        self._card_images = {card: self._card_images[card] for card in cards}
        self._drawn_cards = cards
        return self._drawn_image

    def _draw_card(self, image: Image, card: SceneCard) -> None:
        """Draw a card at rest, with its shadow."""
        if card not in self._card_images:
            self._card_images[card] = self._render_card(card, shadow=True)
        if card_image := self._card_images[card]:
            card_image.paste(image)

    # --- moving items -----------------------------------------------------------------------------------------

    def _draw_moving(self, image: Image, moment: Snapshot, *, fine: int = 2) -> None:
        if not (moment.hands or moment.carried):
            return
        self._draw_shadows(image, self.shadow_outlines(moment))
        self.draw_carried(image, moment, fine=fine)
        for hand in moment.hands:
            self._draw_arm(image, hand)

    def draw_carried(self, image: Image, moment: Snapshot, *, fine: int) -> None:
        """Draw what hands carry; ``fine``: as of ``_render_card``."""
        for card in moment.carried:
            card_image = self._render_card(card, shadow=False, fine=fine)
            if card_image:
                card_image.paste(image)

    def shadow_outlines(self, moment: Snapshot) -> list[Points]:
        """Return the outlines of the shadows of all moving items, in table mm."""
        outlines: list[Points] = []
        for hand in moment.hands:
            offset = SHADOW_OFFSET_PER_MM * (hand.lift + 14)
            outlines += [outline + offset for outline in arm_shadow_outlines(hand)]
        for card in moment.carried:
            outlines.append(card_outline(card.pose) + SHADOW_OFFSET_PER_MM * (card.pose.lift + 1.5))
        return outlines

    def _draw_arm(self, image: Image, hand: Hand) -> None:
        line_px = max(1, round(FINGER_LINE_MM * self._px_per_mm))
        outlines = self._to_fixed_point(arm_outlines(hand))
        for kind, outline, colour in zip(PART_KINDS, outlines, self._arm_colours[hand.seat], strict=True):
            if kind == "line":
                cv2.polylines(image, [outline], False, colour, line_px, cv2.LINE_AA, 4)
            else:
                cv2.fillPoly(image, [outline], colour, cv2.LINE_AA, 4)

    def _draw_shadows(self, image: Image, outlines: Sequence[Points]) -> None:
        """Darken the image with the soft shadows of these outlines (table mm)."""
        if not outlines:
            return
        width, height = self._size
        mask = np.zeros((height // _SHADOW_SCALE, width // _SHADOW_SCALE), np.uint8)
        for outline in self._to_fixed_point(outlines, _SHADOW_SCALE):
            cv2.fillPoly(mask, [outline], 150, cv2.LINE_AA, 4)
        x, y, w, h = cv2.boundingRect(mask)
        if not (w and h):
            return
        margin, scale = 8, _SHADOW_SCALE
        x0, y0 = max(0, x - margin), max(0, y - margin)
        x1, y1 = min(mask.shape[1], x + w + margin), min(mask.shape[0], y + h + margin)
        soft = 255 - cv2.GaussianBlur(mask[y0:y1, x0:x1], (0, 0), 2.6)
        part = image[y0 * scale : y1 * scale, x0 * scale : x1 * scale]
        light = cv2.resize(soft, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_LINEAR)
        part[:] = cv2.multiply(part, cv2.merge([light, light, light]), scale=1 / 255)

    # --- one card ---------------------------------------------------------------------------------------------

    def _render_card(self, card: SceneCard, *, shadow: bool, fine: int = 2) -> _CardImage | None:
        """Render a card, oversampled by ``fine`` and then shrunk for smooth edges; None if it is out of view."""
        corners = self._project(card_outline(card.pose))
        x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 4, 0)
        x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 5, self._size)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return None
        px = _TEXTURE_PX_PER_MM
        if card.card is None:
            texture, outline = render_back(px), outline_mask(px)
        else:
            look = self._look
            artwork = look.faces(card.card, px) if look.faces else render_face(card.card, px, look.style)
            texture, outline = artwork.image, artwork.alpha
        source = (
            np.array([[0, 0], [WIDTH_MM, 0], [WIDTH_MM, HEIGHT_MM], [0, HEIGHT_MM]], np.float32) * px - 0.5
        )
        target = ((corners - (x0, y0)) * fine + (fine - 1) / 2).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        box_size = (int(x1 - x0), int(y1 - y0))
        size = (box_size[0] * fine, box_size[1] * fine)
        printed = cv2.warpPerspective(
            texture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        shape = cv2.warpPerspective(outline, warp, size, flags=cv2.INTER_LINEAR)
        blur = self._look.blur_px * fine
        if blur > 0.2:
            printed = cv2.GaussianBlur(printed, (0, 0), blur)
            shape = cv2.GaussianBlur(shape, (0, 0), blur)
        if fine > 1:
            printed = cv2.resize(printed, box_size, interpolation=cv2.INTER_AREA)
            shape = cv2.resize(shape, box_size, interpolation=cv2.INTER_AREA)
        alpha = shape.astype(np.float32) / 255
        opacity = np.asarray(cv2.merge([alpha, alpha, alpha]), np.float32)
        colour = printed * self._light_map[y0:y1, x0:x1]
        colour *= 0.93
        colour *= opacity
        shade: NDArray[np.float32] | None = None
        if shadow:
            offset = SHADOW_OFFSET_PER_MM * self._px_per_mm * 1.3
            move = np.array([[1, 0, offset[0]], [0, 1, offset[1]]])
            cast = cv2.GaussianBlur(cv2.warpAffine(alpha, move, box_size), (0, 0), 1.2 * self._px_per_mm)
            shade = np.asarray(1 - 0.4 * cv2.merge([cast, cast, cast]), np.float32)
        return _CardImage((slice(y0, y1), slice(x0, x1)), colour, 1 - opacity, shade)

    # --- helpers ----------------------------------------------------------------------------------------------

    def _project(self, points: Points) -> Points:
        placed: Points = cv2.perspectiveTransform(points[None], self._homography)[0]
        return placed

    def _to_fixed_point(self, outlines: Sequence[Points], scale: float = 1.0) -> list[NDArray[np.int32]]:
        """Return outlines (table mm) as pixels in fixed point with four fractional bits, as OpenCV draws them.

        ``scale``: by which the image is smaller than the frame.
        """
        pixels = np.clip(self._project(np.concatenate(outlines)) / scale, -20000, 20000)
        points = np.round(pixels * 16).astype(np.int32)
        ends = accumulate((len(outline) for outline in outlines), initial=0)
        return [points[start:end] for start, end in pairwise(ends)]

    def _add_noise(self, image: Image, number: int) -> Image:
        if not self._noise_fields:
            return image
        rng = np.random.default_rng((self._seed, 5, number))
        brighter, darker = self._noise_fields[int(rng.integers(len(self._noise_fields)))]
        dy, dx = (int(shift) for shift in rng.integers(0, _NOISE_MARGIN_PX, 2))
        height, width = image.shape[:2]
        window = (slice(dy, dy + height), slice(dx, dx + width))
        cv2.add(image, brighter[window], dst=image)
        cv2.subtract(image, darker[window], dst=image)
        return image


_NOISE_MARGIN_PX = 48


@lru_cache(maxsize=64)
def card_outline(pose: CardPose) -> Points:
    """Return the corners of a card in table mm, as ``_CORNERS``."""
    return to_table_mm(_CORNERS * (1 + pose.lift / _CAMERA_HEIGHT_MM), pose)


def _make_light_map(
    size: tuple[int, int], look: RoomAppearance, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return the light on each pixel, height x width x 3, of a lamp somewhat off the centre."""
    width, height = size
    x0, y0 = rng.uniform(0.25, 0.75, 2)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    distance = np.hypot((x / width - x0) * width / height, y / height - y0)
    light = 1 - look.lamp * (distance / distance.max()) ** 1.5
    return np.asarray(cv2.merge([light * np.float32(gain) for gain in look.warmth]), np.float32)


def _make_noise_fields(
    size: tuple[int, int], look: RoomAppearance, rng: np.random.Generator
) -> tuple[tuple[Image, Image], ...]:
    """Return noise fields, each as its positive and its negative part (both unsigned, which OpenCV adds fastest)."""
    sigma = look.noise
    if sigma <= 0:
        return ()
    bank = []
    for _ in range(look.noise_fields):
        shape = (size[1] + _NOISE_MARGIN_PX, size[0] + _NOISE_MARGIN_PX)
        grey = rng.standard_normal(shape, np.float32) * (0.8 * sigma)
        field = rng.standard_normal((*shape, 3), np.float32) * (0.6 * sigma)
        field += cv2.merge([grey, grey, grey])
        np.rint(field, out=field)
        bank.append((np.maximum(field, 0).astype(np.uint8), np.maximum(-field, 0).astype(np.uint8)))
    return tuple(bank)
