"""The camera of the scene bench: a simulated camera whose shutter stays open, in rooms of which more is chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import MS, Image
from table.simulation.rendering.camera_image import (
    SHADOW_OFFSET_PER_MM,
    RoomAppearance,
    SimulatedCamera,
    card_outline,
)
from table.simulation.rendering.hand_outlines import arm_outlines
from table.simulation.rendering.motions_over_time import Hand, Scene, SceneCard, Snapshot
from table.simulation.rendering.vector_shapes import Colour, Points
from tests.simulation.scene_motions import Moment, TableObject, moment_at
from tests.simulation.stray_object_outlines import object_outlines

MAX_STEP_PX = 4.0
"""Maximum motion between two of the moments that are averaged for motion blur ..."""
MAX_STEPS = 8
"""... and maximum number of these moments."""
WEIGHT_BITS = 8
TOTAL_WEIGHT = 1 << WEIGHT_BITS
"""Sum of the weights of the averaged moments."""
MIN_MOTION_PX = 0.4
"""Minimum motion during the exposure for motion blur; what moves less is drawn once."""
SHADOW_MARGIN_PX = 40.0
"""Margin around moving outlines that contains their soft shadows."""


@dataclass(frozen=True, slots=True)
class SceneAppearance(RoomAppearance):
    """Appearance of the bench's rooms: also of the people, and of what an open shutter does to moving things."""

    exposure_ms: float = 0.0
    """Exposure time of a row; 0: one instant. A frame's time stamp is the middle of the exposure."""
    readout_ms: float = 0.0
    """Delay of the last row after the first (rolling shutter); the time stamp is the middle row's."""
    skin: Colour | None = None
    """Skin colour of all players; None: various ones."""
    sleeve: Colour | None = None
    """Sleeve colour of all players; None: various ones."""
    lit_arms: bool = False
    """Whether the lamp's colour also tints the arms; else they keep their daylight colours."""

    @classmethod
    def of_room(cls, room: RoomAppearance, **more: Any) -> SceneAppearance:
        """Return the appearance of a room, with ``more`` of it chosen."""
        return cls(**{field.name: getattr(room, field.name) for field in fields(room)} | more)


class SceneCamera(SimulatedCamera):
    """Renders frames with motion blur and rolling shutter."""

    def __init__(
        self,
        size: tuple[int, int],
        homography: Sequence[Sequence[float]],
        seats: Sequence[str],
        look: SceneAppearance,
        seed: int,
    ) -> None:
        self._room = look
        super().__init__(size, homography, seats, look, seed)
        self._scratch = np.empty((size[1], size[0], 3), np.uint8)
        self._bare_cloth = self._cloth_image
        self._standing: tuple[TableObject, ...] = ()

    def colour_arm(self, skin: Colour, sleeve: Colour) -> list[Colour]:
        """Return the colours of an arm's parts, as ``PART_KINDS``."""
        room = self._room
        colours = super().colour_arm(room.skin or skin, room.sleeve or sleeve)
        light = room.warmth if room.lit_arms else (1.0, 1.0, 1.0)
        return [(round(b * light[0]), round(g * light[1]), round(r * light[2])) for b, g, r in colours]

    def render_exposure(self, scene: Scene, t_ns: int, number: int) -> Image:
        """Render the frame exposed around ``t_ns``, with motion blur and rolling shutter."""
        now = moment_at(scene, t_ns)
        span_ns = round((self._room.exposure_ms + self._room.readout_ms) * MS)
        moved = self._motion_px(moment_at(scene, t_ns - span_ns // 2), moment_at(scene, t_ns + span_ns // 2))
        max_px = max(moved.values(), default=0.0)
        steps = int(np.clip(np.ceil(max_px / MAX_STEP_PX), 1, MAX_STEPS))
        if steps == 1:
            return self.render_snapshot(now, number)
        moments = [moment_at(scene, t_ns + round(((k + 0.5) / steps - 0.5) * span_ns)) for k in range(steps)]
        slow = {key for key, distance_px in moved.items() if distance_px < MIN_MOTION_PX}
        fast_moments = [_choose_moving(moment, slow, keep=False) for moment in moments]
        x0, y0, x1, y1 = self._moving_box(fast_moments)
        image = self._resting_image(now).copy()
        self._draw_moving(image, _choose_moving(now, slow, keep=True))
        if x1 > x0 and y1 > y0:
            sum_image = np.full((y1 - y0, x1 - x0, 3), TOTAL_WEIGHT // 2, np.uint16)
            last_resting: Image | None = None
            for moment, moving, weight in zip(moments, fast_moments, self._row_weights(steps), strict=True):
                resting = self._resting_image(moment)
                if resting is not last_resting:
                    last_resting, beneath = resting, resting.copy()
                    self._draw_moving(beneath, _choose_moving(moment, slow, keep=True))
                rows = np.nonzero(weight[y0:y1])[0]
                if not len(rows):
                    continue
                top, end = y0 + int(rows[0]), y0 + int(rows[-1]) + 1
                window = self._scratch[top:end, x0:x1]
                window[:] = beneath[top:end, x0:x1]
                self._draw_moving(self._scratch, moving, fine=1)
                sum_image[top - y0 : end - y0] += window * weight[top:end, None, None]
            image[y0:y1, x0:x1] = sum_image >> WEIGHT_BITS
        return self._add_noise(image, number)

    # --- objects ----------------------------------------------------------------------------------------------

    def shadow_outlines(self, moment: Snapshot) -> list[Points]:
        """Return the outlines of the shadows of all moving items, in table mm."""
        outlines = super().shadow_outlines(moment)
        for thing in moment.held_objects if isinstance(moment, Moment) else ():
            offset = SHADOW_OFFSET_PER_MM * (thing.pose.lift + 14)
            outlines += [outline + offset for outline, _ in object_outlines(thing)]
        return outlines

    def draw_carried(self, image: Image, moment: Snapshot, *, fine: int) -> None:
        """Draw what hands carry."""
        super().draw_carried(image, moment, fine=fine)
        for thing in moment.held_objects if isinstance(moment, Moment) else ():
            self._draw_object(image, thing)

    def _resting_image(self, moment: Snapshot) -> Image:
        """Return the cloth with all that rests on it; objects stand on the bare cloth, beneath the cards."""
        things = moment.objects if isinstance(moment, Moment) else ()
        if things != self._standing:
            self._standing, self._cloth_image = things, self._bare_cloth.copy()
            self._draw_objects(self._cloth_image, things)
            self._drawn_image, self._drawn_cards = self._cloth_image, ()
        return super()._resting_image(moment)

    def _draw_objects(self, image: Image, things: tuple[TableObject, ...]) -> None:
        """Draw the objects that stand on the table, each with its shadow."""
        self._draw_shadows(
            image,
            [outline + SHADOW_OFFSET_PER_MM * 8 for thing in things for outline, _ in object_outlines(thing)],
        )
        for thing in things:
            self._draw_object(image, thing)

    def _draw_object(self, image: Image, thing: TableObject) -> None:
        x, y = self._project(np.array([[thing.pose.x, thing.pose.y]]))[0]
        width, height = self._size
        lamp = self._light_map[int(np.clip(y, 0, height - 1)), int(np.clip(x, 0, width - 1))]
        outlines, colours = zip(*object_outlines(thing), strict=True)
        for outline, colour in zip(self._to_fixed_point(outlines), colours, strict=True):
            blue, green, red = (float(part * light) for part, light in zip(colour, lamp, strict=True))
            cv2.fillPoly(image, [outline], (blue, green, red), cv2.LINE_AA, 4)

    # --- the shutter ------------------------------------------------------------------------------------------

    def _motion_px(self, first: Moment, last: Moment) -> dict[str, float]:
        """Return each item's motion in pixels between two moments; an item that comes or goes counts as moved."""
        if first == last:
            return {}
        before, after = (
            {_item_key(item): item for item in _movable_items(moment)} for moment in (first, last)
        )
        moved = dict.fromkeys(before.keys() ^ after.keys(), 2 * MAX_STEP_PX)
        for key in before.keys() & after.keys():
            moved[key] = 0.0
            if before[key] != after[key]:
                way = _item_points(after[key]) - _item_points(before[key])
                moved[key] = float(np.hypot(*way.T).max()) * self._px_per_mm
        return moved

    def _row_weights(self, steps: int) -> NDArray[np.uint16]:
        """Return the weights of ``steps`` moments in each row, steps x height; a row's weights sum to TOTAL_WEIGHT."""
        exposure, readout = self._room.exposure_ms, self._room.readout_ms
        height = self._size[1]
        opens = (np.arange(height) + 0.5) / height * readout
        ends = np.arange(1, steps + 1)[:, None] / steps * (exposure + readout)
        passed = np.rint(TOTAL_WEIGHT * np.clip((ends - opens) / max(exposure, 1e-6), 0, 1)).astype(np.uint16)
        return np.diff(passed, axis=0, prepend=np.uint16(0))

    def _moving_box(self, moments: Sequence[Moment]) -> tuple[int, int, int, int]:
        """Return the pixel box (x0, y0, x1, y1) that moving items and their shadows touch in any of these moments."""
        outlines: list[Points] = []
        for moment in moments:
            for hand in moment.hands:
                arm = np.concatenate(arm_outlines(hand))
                outlines += [arm, arm + SHADOW_OFFSET_PER_MM * (hand.lift + 14)]
            for thing in moment.held_objects:
                outlines += [outline for outline, _ in object_outlines(thing)]
            changed = set(moment.resting) ^ set(moments[0].resting)
            outlines += [card_outline(card.pose) for card in (*moment.carried, *changed)]
            outlines += self.shadow_outlines(replace(moment, hands=()))
        if not outlines:
            return (0, 0, 0, 0)
        points = self._project(np.concatenate(outlines))
        low = np.clip(points.min(axis=0) - SHADOW_MARGIN_PX, 0, self._size).astype(int)
        high = np.clip(points.max(axis=0) + SHADOW_MARGIN_PX, 0, self._size).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _choose_moving(moment: Moment, keys: Collection[str], *, keep: bool) -> Moment:
    """Return the moment with only the moving items of these keys, or without them."""
    chosen = {_item_key(item) for item in _movable_items(moment) if (_item_key(item) in keys) == keep}
    return replace(
        moment,
        carried=tuple(card for card in moment.carried if _item_key(card) in chosen),
        hands=tuple(hand for hand in moment.hands if _item_key(hand) in chosen),
        held_objects=tuple(thing for thing in moment.held_objects if _item_key(thing) in chosen),
    )


def _movable_items(moment: Moment) -> Iterator[Hand | TableObject | SceneCard]:
    """Yield every item that can move."""
    yield from moment.hands
    yield from moment.held_objects
    yield from moment.carried
    yield from moment.resting


def _item_key(item: Hand | TableObject | SceneCard) -> str:
    if isinstance(item, SceneCard):
        return f"card {item.id}"
    return f"hand {item.seat} {item.home}" if isinstance(item, Hand) else item.kind


def _item_points(item: Hand | TableObject | SceneCard) -> Points:
    """Return characteristic points of an item, in table mm."""
    if isinstance(item, Hand):
        return np.array([item.tip])
    return card_outline(item.pose) if isinstance(item, SceneCard) else np.array([(item.pose.x, item.pose.y)])
