"""The camera over the virtual table: draws a moment of the scene as a photograph of it would look.

What rests is drawn once and kept; what moves is drawn onto a copy; noise comes from a bank. Every frame is a
function of the scene, the look, the seed and the frame's number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import MS, Image
from table.virtual.faces import CLASSIC, HEIGHT_MM, WIDTH_MM, Face, Style, back, face, outline_mask
from table.virtual.hands import SKINS, SLEEVES, Part, hand_parts
from table.virtual.scene import Hand, Lying, Pose, Scene, Snapshot, Thing, direction
from table.virtual.shapes import Colour, Points, oval
from table.virtual.things import thing_parts

_TEXTURE_PX_PER_MM = 4.0
_LIGHT = (0.55, 0.8)
"""Whereto shadows fall: mm to the side for each mm of height."""
_CAMERA_HEIGHT_MM = 1100.0
_SHADOW_SCALE = 4
"""Shadows are soft: they are drawn in a picture so many times smaller."""
_STEP_PX = 4.0
"""With the shutter open something moves by this much at most between two of the moments that are averaged ..."""
_MOST_STEPS = 8
"""... of which there are no more than so many."""
_WHOLE = 256
"""The weights of the moments in a picture add up to this."""
_SLOW_PX = 0.4
"""What moves by less while the shutter is open is drawn once."""
_SOFT_PX = 40.0
"""How far a soft shadow reaches beyond its outline, more than enough."""


@dataclass(frozen=True, slots=True)
class Look:
    """The room: cloth, lamp and camera. All of it is seen by whoever reads the cards."""

    cloth: Colour = (74, 54, 34)
    grain: float = 0.10
    """The cloth's texture, as a share of its brightness."""
    mark: Literal["ring", "joker", "none"] = "ring"
    glass: bool = False
    """Whether somebody's glass stands on the table, near the mark."""
    lamp: float = 0.16
    """How much darker the picture's dark corner is than its bright one."""
    warmth: tuple[float, float, float] = (0.97, 1.0, 1.0)
    """The lamp's colour: blue, green, red."""
    noise: float = 2.2
    """The sensor's noise, standard deviation in grey levels."""
    noise_fields: int = 3
    """So many fields of noise are drawn beforehand; a frame takes one of them, from some place on."""
    blur_px: float = 0.55
    """The lens's blur, standard deviation in pixels."""
    style: Style = CLASSIC
    faces: Callable[[str, float], Face] | None = None
    """The faces of another pack than our own, by name and pixels a millimetre."""
    exposure_ms: float = 0.0
    """How long the shutter is open for a row; 0: a picture of one instant. A frame's stamp is the middle of it."""
    readout_ms: float = 0.0
    """How much later than the first row the last one is exposed (a rolling shutter); the stamp is the middle row's."""
    skin: Colour | None = None
    """Everybody's; various ones unless given."""
    sleeve: Colour | None = None
    """Everybody's; various ones unless given."""
    lit_arms: bool = False
    """Whether arms too are seen in the lamp's light, or always as bright as by day."""


CLOTHS: Mapping[str, Colour] = {
    "navy": (74, 54, 34),
    "green": (62, 104, 40),
    "red": (48, 40, 112),
    "wood": (70, 112, 156),
    "grey": (126, 128, 130),
}


class Camera:
    """Draws moments as pictures of ``size``; ``homography`` takes mm on the table to pixels."""

    def __init__(
        self,
        size: tuple[int, int],
        homography: Sequence[Sequence[float]],
        seats: Sequence[str],
        look: Look,
        seed: int,
    ) -> None:
        self._size = size
        self._h = np.array(homography, np.float64)
        self._look = look
        self._seed = seed
        people = np.random.default_rng((seed, 1)).permutation(len(SLEEVES))
        self._skins = {
            seat: look.skin or SKINS[(seed + 2 * number) % len(SKINS)] for number, seat in enumerate(seats)
        }
        self._sleeves = {
            seat: look.sleeve or SLEEVES[people[number % len(SLEEVES)]] for number, seat in enumerate(seats)
        }
        self._lamp = _lamp(size, look, np.random.default_rng((seed, 2)))
        self._cloth = self._draw_cloth(np.random.default_rng((seed, 3)))
        self._noise = _noise_bank(size, look, np.random.default_rng((seed, 4)))
        self._still: tuple[tuple[Thing, ...], tuple[Lying, ...], Image] = ((), (), self._cloth)
        self._scratch = np.empty_like(self._cloth)

    def exposed(self, scene: Scene, t_ns: int, number: int) -> Image:
        """The frame of that number: what passed before the open shutter around ``t_ns``."""
        span = round((self._look.exposure_ms + self._look.readout_ms) * MS)
        ends = scene.at(t_ns - span // 2), scene.at(t_ns + span // 2)
        moved = self._moved(*ends)
        far = max(moved.values(), default=0.0)
        steps = int(np.clip(np.ceil(far / _STEP_PX), 1, _MOST_STEPS))
        if steps == 1:
            return self.picture(scene.at(t_ns), number)
        moments = [scene.at(t_ns + round(((k + 0.5) / steps - 0.5) * span)) for k in range(steps)]
        slow = {key for key, by in moved.items() if by < _SLOW_PX}
        fast = [_without(moment, slow) for moment in moments]
        x0, y0, x1, y1 = self._touched(fast)
        image = self._resting(scene.at(t_ns)).copy()
        self._moving(image, _only(scene.at(t_ns), slow))
        if x1 > x0 and y1 > y0:
            light = np.full((y1 - y0, x1 - x0, 3), _WHOLE // 2, np.uint16)
            still: Snapshot | None = None
            for moment, moving, weight in zip(moments, fast, self._weights(steps), strict=True):
                if still is None or still.resting != moment.resting or still.things != moment.things:
                    still = moment
                    beneath = self._resting(moment).copy()
                    self._moving(beneath, _only(moment, slow))
                rows = np.nonzero(weight[y0:y1] > 0)[0]
                if not len(rows):
                    continue
                top, end = y0 + int(rows[0]), y0 + int(rows[-1]) + 1
                self._scratch[y0:y1, x0:x1] = beneath[y0:y1, x0:x1]
                self._moving(self._scratch, moving, fine=1)
                light[top - y0 : end - y0] += self._scratch[top:end, x0:x1] * weight[top:end, None, None]
            image[y0:y1, x0:x1] = light // _WHOLE
        return self._with_noise(image, number)

    def picture(self, moment: Snapshot, number: int) -> Image:
        """The frame of that number, showing ``moment``."""
        image = self._resting(moment).copy()
        self._moving(image, moment)
        return self._with_noise(image, number)

    # --- the shutter ------------------------------------------------------------------------------------------

    def _moved(self, first: Snapshot, last: Snapshot) -> dict[str, float]:
        """How far, in pixels, everything moves between two moments; what comes or goes in between counts as moved."""
        before, after = ({_key(one): _place(one) for one in _all(moment)} for moment in (first, last))
        scale = self._px_per_mm()
        moved = dict.fromkeys(before.keys() ^ after.keys(), 2 * _STEP_PX)
        for key in before.keys() & after.keys():
            moved[key] = float(np.hypot(*(after[key] - before[key]).T).max()) * scale
        return moved

    def _weights(self, steps: int) -> NDArray[np.uint16]:
        """How much each of so many moments counts in each row, steps x height; a row's weights make _WHOLE."""
        exposure, readout = self._look.exposure_ms, self._look.readout_ms
        height = self._size[1]
        opens = (np.arange(height) + 0.5) / height * readout
        ends = np.arange(1, steps + 1)[:, None] / steps * (exposure + readout)
        passed = np.rint(_WHOLE * np.clip((ends - opens) / max(exposure, 1e-6), 0, 1)).astype(np.uint16)
        return np.diff(passed, axis=0, prepend=np.uint16(0))

    def _touched(self, moments: Sequence[Snapshot]) -> tuple[int, int, int, int]:
        """The box of pixels that what moves touches in any of these moments: x0, y0, x1, y1."""
        outlines: list[Points] = []
        for moment in moments:
            for hand in moment.hands:
                fall = np.array(_LIGHT) * (hand.lift + 14)
                for part in _hand_parts(hand):
                    outlines += [part.outline, part.outline + fall]
            for thing in moment.held:
                fall = np.array(_LIGHT) * (thing.pose.lift + 14)
                outlines += [outline + by for outline, _ in thing_parts(thing) for by in (np.zeros(2), fall)]
            for lying in moment.carried:
                fall = np.array(_LIGHT) * (lying.pose.lift + 1.5)
                outlines += [_outline(lying.pose), _outline(lying.pose) + fall]
            for other in moments[:1]:
                for lying in set(moment.resting) ^ set(other.resting):
                    outlines.append(_outline(lying.pose))
        if not outlines:
            return (0, 0, 0, 0)
        points = self._project(np.concatenate(outlines))
        low = np.clip(points.min(axis=0) - _SOFT_PX, 0, self._size).astype(int)
        high = np.clip(points.max(axis=0) + _SOFT_PX, 0, self._size).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    # --- what rests -------------------------------------------------------------------------------------------

    def _draw_cloth(self, rng: np.random.Generator) -> Image:
        width, height = self._size
        grain = np.zeros((height, width), np.float32)
        for cells, weight in ((6, 0.3), (24, 0.35), (90, 0.3)):
            coarse = rng.standard_normal((cells * 9 // 16 + 2, cells + 2)).astype(np.float32)
            grain += weight * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        fine = rng.standard_normal((height, width)).astype(np.float32)
        grain += 0.8 * cv2.GaussianBlur(fine, (0, 0), 1.0)
        grain = 1 + self._look.grain * grain
        plain = np.array(self._look.cloth, np.float32) * grain[..., None]
        image: Image = np.clip(plain * self._lamp, 0, 255).astype(np.uint8)
        if self._look.mark == "joker":
            self._paste(image, Lying(0, "JOKER", Pose(0, 0, 0)))
        elif self._look.mark == "ring":
            brighter = tuple(min(255, round(part * 1.5 + 14)) for part in self._look.cloth)
            for radius in (58.0, 60.5):
                ring = self._project(oval(0, 0, radius, radius, steps=180))
                cv2.polylines(image, [_fixed(ring)], True, brighter, 1, cv2.LINE_AA, 4)
        if self._look.glass:
            self._draw_glass(image, rng)
        return image

    def _draw_glass(self, image: Image, rng: np.random.Generator) -> None:
        """A glass seen from above: a shadow, rings, a drink, a highlight."""
        far = float(rng.uniform(125, 150))
        x, y = (part * far for part in direction(float(rng.uniform(0, 360))))
        for right, down, radius, colour, weight in (
            (_LIGHT[0] * 26, _LIGHT[1] * 26, 36.0, (18, 16, 14), 0.4),
            (0.0, 0.0, 35.0, (206, 208, 204), 0.35),
            (0.0, 0.0, 31.0, (38, 92, 168), 0.75),
            (0.0, 0.0, 15.0, (70, 130, 206), 0.4),
            (-14.0, -16.0, 5.0, (250, 252, 252), 0.8),
        ):
            layer = image.copy()
            disc = _fixed(self._project(oval(x + right, y + down, radius, radius)))
            cv2.fillPoly(layer, [disc], colour, cv2.LINE_AA, 4)
            image[:] = cv2.addWeighted(layer, weight, image, 1 - weight, 0)
        rim = _fixed(self._project(oval(x, y, 35.0, 35.0)))
        cv2.polylines(
            image, [rim], True, (236, 238, 236), max(1, round(1.2 * self._px_per_mm())), cv2.LINE_AA, 4
        )

    def _resting(self, moment: Snapshot) -> Image:
        things, drawn, image = self._still
        resting = moment.resting
        if resting != drawn or moment.things != things:
            if resting[: len(drawn)] == drawn and moment.things == things:
                image, todo = image.copy(), resting[len(drawn) :]
            else:
                image, todo = self._cloth.copy(), resting
                self._stand(image, moment.things)
            for lying in todo:
                self._paste(image, lying)
            self._still = (moment.things, resting, image)
        return image

    def _stand(self, image: Image, things: tuple[Thing, ...]) -> None:
        """Draw what stands on the table, each with its shadow."""
        if things:
            outlines = [outline + np.array(_LIGHT) * 8 for one in things for outline, _ in thing_parts(one)]
            self._shadow(image, outlines)
        for thing in things:
            self._draw_thing(image, thing)

    def _draw_thing(self, image: Image, thing: Thing) -> None:
        x, y = self._project(np.array([[thing.pose.x, thing.pose.y]]))[0]
        width, height = self._size
        lamp = self._lamp[int(np.clip(y, 0, height - 1)), int(np.clip(x, 0, width - 1))]
        for outline, colour in thing_parts(thing):
            blue, green, red = (float(part * light) for part, light in zip(colour, lamp, strict=True))
            cv2.fillPoly(image, [_fixed(self._project(outline))], (blue, green, red), cv2.LINE_AA, 4)

    # --- what moves -------------------------------------------------------------------------------------------

    def _moving(self, image: Image, moment: Snapshot, *, fine: int = 2) -> None:
        if not (moment.hands or moment.carried):
            return
        arms = [(hand, _hand_parts(hand)) for hand in moment.hands]
        shades: list[Points] = []
        for hand, parts in arms:
            fall = np.array(_LIGHT) * (hand.lift + 14)
            shades += [part.outline + fall for part in parts if part.shades]
        for lying in moment.carried:
            shades.append(_outline(lying.pose) + np.array(_LIGHT) * (lying.pose.lift + 1.5))
        for thing in moment.held:
            fall = np.array(_LIGHT) * (thing.pose.lift + 14)
            shades += [outline + fall for outline, _ in thing_parts(thing)]
        self._shadow(image, shades)
        for lying in moment.carried:
            self._paste(image, lying, shadow=False, fine=fine)
        for thing in moment.held:
            self._draw_thing(image, thing)
        for hand, parts in arms:
            self._draw_arm(image, hand, parts)

    def _draw_arm(self, image: Image, hand: Hand, parts: Sequence[Part]) -> None:
        for part in parts:
            colour = part.colour(self._skins[hand.seat], self._sleeves[hand.seat])
            if self._look.lit_arms:
                blue, green, red = (
                    round(one * light) for one, light in zip(colour, self._look.warmth, strict=True)
                )
                colour = (blue, green, red)
            outline = _fixed(self._project(part.outline))
            if part.line_mm:
                thickness = max(1, round(part.line_mm * self._px_per_mm()))
                cv2.polylines(image, [outline], False, colour, thickness, cv2.LINE_AA, 4)
            else:
                cv2.fillPoly(image, [outline], colour, cv2.LINE_AA, 4)

    def _shadow(self, image: Image, outlines: Sequence[Points]) -> None:
        """What lies in the shade of these outlines is darker."""
        width, height = self._size
        shade = np.zeros((height // _SHADOW_SCALE, width // _SHADOW_SCALE), np.uint8)
        for outline in outlines:
            self._shade(shade, outline)
        x, y, w, h = cv2.boundingRect(shade)
        if w and h:
            self._darken(image, shade, (x, y, w, h))

    def _shade(self, shade: NDArray[np.uint8], outline: Points) -> None:
        cv2.fillPoly(shade, [_fixed(self._project(outline) / _SHADOW_SCALE)], 150, cv2.LINE_AA, 4)

    def _darken(self, image: Image, shade: NDArray[np.uint8], box: tuple[int, int, int, int]) -> None:
        grow = 8
        x0, y0 = max(0, box[0] - grow), max(0, box[1] - grow)
        x1, y1 = min(shade.shape[1], box[0] + box[2] + grow), min(shade.shape[0], box[1] + box[3] + grow)
        soft = 255 - cv2.GaussianBlur(shade[y0:y1, x0:x1], (0, 0), 2.6)
        scale = _SHADOW_SCALE
        part = image[y0 * scale : y1 * scale, x0 * scale : x1 * scale]
        light = cv2.resize(soft, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_LINEAR)
        part[:] = cv2.multiply(part, cv2.merge([light, light, light]), scale=1 / 255)

    # --- one card ---------------------------------------------------------------------------------------------

    def _paste(self, image: Image, lying: Lying, *, shadow: bool = True, fine: int = 2) -> None:
        """Draw a card; ``fine`` times as fine as the picture and then shrunk, so that its edges are smooth."""
        pose = lying.pose
        corners = self._project(_outline(pose))
        width, height = self._size
        x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 4, 0)
        x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 5, (width, height))
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        px = _TEXTURE_PX_PER_MM
        if lying.card is None:
            texture, outline = back(px), outline_mask(px)
        else:
            look = self._look
            drawn = look.faces(lying.card, px) if look.faces else face(lying.card, px, look.style)
            texture, outline = drawn.image, drawn.alpha
        source = (
            np.array([[0, 0], [WIDTH_MM, 0], [WIDTH_MM, HEIGHT_MM], [0, HEIGHT_MM]], np.float32) * px - 0.5
        )
        target = ((corners - (x0, y0)) * fine + (fine - 1) / 2).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        half = (int(x1 - x0), int(y1 - y0))
        size = (half[0] * fine, half[1] * fine)
        printed = cv2.warpPerspective(
            texture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        shape = cv2.warpPerspective(outline, warp, size, flags=cv2.INTER_LINEAR)
        blur = self._look.blur_px * fine
        if blur > 0.2:
            printed = cv2.GaussianBlur(printed, (0, 0), blur)
            shape = cv2.GaussianBlur(shape, (0, 0), blur)
        if fine > 1:
            printed = cv2.resize(printed, half, interpolation=cv2.INTER_AREA)
            shape = cv2.resize(shape, half, interpolation=cv2.INTER_AREA)
        alpha = shape.astype(np.float32)[..., None] / 255
        part = image[y0:y1, x0:x1]
        beneath = part.astype(np.float32)
        if shadow:
            offset = np.array(_LIGHT) * self._px_per_mm() * 1.3
            move = np.array([[1, 0, offset[0]], [0, 1, offset[1]]])
            cast = cv2.GaussianBlur(cv2.warpAffine(alpha, move, half), (0, 0), 1.2 * self._px_per_mm())
            beneath *= 1 - 0.4 * cast[..., None]
        lit = printed.astype(np.float32) * self._lamp[y0:y1, x0:x1] * 0.93
        part[:] = np.clip(beneath * (1 - alpha) + lit * alpha + 0.5, 0, 255).astype(np.uint8)

    # --- small things -----------------------------------------------------------------------------------------

    def _project(self, points: Points) -> Points:
        flat = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ self._h.T
        placed: Points = flat[:, :2] / flat[:, 2:]
        return placed

    def _px_per_mm(self) -> float:
        return float(np.sqrt(abs(np.linalg.det(self._h[:2, :2]))) / self._h[2, 2])

    def _with_noise(self, image: Image, number: int) -> Image:
        if not self._noise:
            return image
        rng = np.random.default_rng((self._seed, 5, number))
        brighter, darker = self._noise[int(rng.integers(len(self._noise)))]
        dy, dx = (int(shift) for shift in rng.integers(0, _SPARE, 2))
        height, width = image.shape[:2]
        window = (slice(dy, dy + height), slice(dx, dx + width))
        cv2.add(image, brighter[window], dst=image)
        cv2.subtract(image, darker[window], dst=image)
        return image


_SPARE = 48


_hand_parts = lru_cache(maxsize=64)(hand_parts)
"""A hand is asked for several times in a moment: what it touches, its shadow, itself."""


def _only(moment: Snapshot, keys: Collection[str]) -> Snapshot:
    """The moment with these of its moving things alone."""
    return Snapshot(
        (),
        tuple(one for one in moment.carried if _key(one) in keys),
        tuple(one for one in moment.hands if _key(one) in keys),
        (),
        tuple(one for one in moment.held if _key(one) in keys),
    )


def _without(moment: Snapshot, keys: Collection[str]) -> Snapshot:
    """The moment without these of its moving things."""
    moving = {_key(one) for one in _all(moment)} - set(keys)
    return replace(_only(moment, moving), resting=moment.resting, things=moment.things)


def _all(moment: Snapshot) -> Iterator[Hand | Thing | Lying]:
    """Everything that can move."""
    yield from moment.hands
    yield from moment.held
    yield from moment.carried
    yield from moment.resting


def _key(one: Hand | Thing | Lying) -> str:
    if isinstance(one, Lying):
        return f"card {one.id}"
    return f"hand {one.seat} {one.home}" if isinstance(one, Hand) else one.kind


def _place(one: Hand | Thing | Lying) -> Points:
    """Points of it, in mm."""
    if isinstance(one, Hand):
        return np.array([one.tip])
    return _outline(one.pose) if isinstance(one, Lying) else np.array([(one.pose.x, one.pose.y)])


def _outline(pose: Pose) -> Points:
    """A card's corners in mm: those at the upper left, upper right, lower right and lower left of its face."""
    scale = 1 + pose.lift / _CAMERA_HEIGHT_MM
    angle = np.radians(pose.angle)
    right, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    x, y = WIDTH_MM / 2 * scale, HEIGHT_MM / 2 * scale
    middle = np.array([pose.x, pose.y])
    corners: Points = np.stack(
        [middle + a * x * right + b * y * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    return corners


def _fixed(points: Points) -> NDArray[np.int32]:
    """Pixels with four bits below the pixel, as OpenCV's drawing takes them."""
    return np.round(np.clip(points, -20000, 20000) * 16).astype(np.int32)


def _lamp(size: tuple[int, int], look: Look, rng: np.random.Generator) -> NDArray[np.float32]:
    """The light on each pixel, height x width x 3: a lamp somewhat off the middle."""
    width, height = size
    x0, y0 = rng.uniform(0.25, 0.75, 2)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    far = np.hypot((x / width - x0) * width / height, y / height - y0)
    light = 1 - look.lamp * (far / far.max()) ** 1.5
    tinted: NDArray[np.float32] = (light[..., None] * np.array(look.warmth, np.float32)).astype(np.float32)
    return tinted


def _noise_bank(
    size: tuple[int, int], look: Look, rng: np.random.Generator
) -> tuple[tuple[Image, Image], ...]:
    """Fields of noise, each as what it adds and what it takes away (both unsigned, as OpenCV adds fastest)."""
    sigma = look.noise
    if sigma <= 0:
        return ()
    bank = []
    for _ in range(look.noise_fields):
        shape = (size[1] + _SPARE, size[0] + _SPARE)
        grey = rng.standard_normal((*shape, 1), np.float32) * (0.8 * sigma)
        colour = rng.standard_normal((*shape, 3), np.float32) * (0.6 * sigma)
        field = np.rint(grey + colour)
        bank.append((np.maximum(field, 0).astype(np.uint8), np.maximum(-field, 0).astype(np.uint8)))
    return tuple(bank)
