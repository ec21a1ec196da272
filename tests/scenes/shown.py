"""What the camera's pictures of a scene show, whoever looks at them: which names can be read, which orders seen.

The bench asks for nothing that no picture shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import cv2
import numpy as np

from table.observed_facts import MS
from table.simulation.players.player_strategy import card_corners
from table.simulation.rendering.hand_outlines import arm_shadow_outlines
from table.simulation.rendering.motions_over_time import Snapshot, to_table_mm
from table.simulation.rendering.vector_shapes import Points
from tests.scenes.film.camera import FilmCamera
from tests.scenes.hands.sprites import Layer
from tests.scenes.scenario import START_NS, Scenario, Tie
from tests.simulation.scene_motions import Moment, moment_at
from tests.simulation.stray_object_outlines import object_outlines

_INDEX = np.array([(x, y) for x in (-30.0, -26.5, -23.0) for y in (-42.0, -36.0, -28.0)])
"""Points of the index in the upper left corner, mm from the card's centre."""
SHARP_MM = 1.0
"""An index that moves by no more than this while the shutter is open can still be read (its strokes are as wide)."""
LEAST_SHOWN_NS = 200 * MS
"""So long a filmed card's index is to be seen."""
LEAST_HEIGHT_PX = 12.0
"""So high the rank and suit of a filmed card's index are at least."""
MAX_HUNTING_PX = 1.0
"""A lens that hunts for its focus blurs by no more than this where an index can be read."""
LEAST_OVERLAP = 0.03
"""With less in common than this, nobody sees which of two cards lies on top."""


def named(scenario: Scenario) -> frozenset[int]:
    """The cards whose index the pictures show whole, large and sharp enough to be read.

    In a filmed scene for ``LEAST_SHOWN_NS`` on end, else in some picture.
    """
    view = View(scenario)
    times = scenario.world.clock.times
    waiting = {card.id for card in scenario.cards if card.name}
    readable: set[int] = set()
    if scenario.film is None:
        # The moments at which most is at rest come first: nearly all cards are shown in them.
        for t_ns in [*times[::6], *times]:
            readable |= view.clear(t_ns, waiting - readable).keys()
        return frozenset(readable)
    since: dict[tuple[int, int], int] = {}
    for t_ns in times:
        clear = view.clear(t_ns, waiting - readable)
        since = {(card, end): since.get((card, end), t_ns) for card, ends in clear.items() for end in ends}
        readable |= {card for (card, _), first in since.items() if t_ns - first >= LEAST_SHOWN_NS}
    return frozenset(readable)


def order_shown(scenario: Scenario, tie: Tie) -> bool:
    """Whether the pictures show which of two tied cards came first: one lies on the other, or still moves."""
    if tie.overlap >= LEAST_OVERLAP:
        return True
    laid = {card.id: card.landed_ns for card in scenario.cards}
    half = round((scenario.film or scenario.look).exposure_ms * MS) // 2
    return any(
        laid[tie.first] <= t_ns - half and t_ns + half < laid[tie.second] - 10 * MS
        for t_ns in scenario.world.clock.times
    )


class View:
    """What the camera can see of a scene's indices."""

    def __init__(self, scenario: Scenario) -> None:
        self._scene, self._film = scenario.world.scene, scenario.film
        camera = scenario.config.camera
        self._matrix, self._size = np.array(camera.homography), camera.size
        self._camera = scenario.source().camera if scenario.film else None
        exposure_ms = (scenario.film or scenario.look).exposure_ms
        self._half_ns = round(exposure_ms * MS) // 2

    def clear(self, t_ns: int, wanted: Collection[int]) -> dict[int, list[int]]:
        """For each wanted card the ends (0: the upper, 1: the lower) of which a whole index can be read."""
        moment = moment_at(self._scene, t_ns)
        lying = [*moment.resting, *moment.carried]
        chosen = [place for place, card in enumerate(lying) if card.id in wanted and card.card is not None]
        if not chosen or (self._film and self._film.blur_at((t_ns - START_NS) / MS) > MAX_HUNTING_PX):
            return {}
        ends = [moment_at(self._scene, t_ns - self._half_ns), moment_at(self._scene, t_ns + self._half_ns)]
        covers = [card_corners(card.pose, grow=1.0) for card in lying]
        hidden = self._hidden(moment)
        found: dict[int, list[int]] = {}
        for place in chosen:
            card = lying[place]
            for end, corner in enumerate((_INDEX, -_INDEX)):
                points = to_table_mm(corner, card.pose)
                if (
                    _sharp(card.id, corner, ends)
                    and self._large(points)
                    and _uncovered(points, covers[place + 1 :])
                    and not hidden(points)
                ):
                    found.setdefault(card.id, []).append(end)
        return found

    def _pixels(self, points: Points) -> Points:
        pixels: Points = cv2.perspectiveTransform(points[None], self._matrix)[0]
        return pixels

    def _large(self, points: Points) -> bool:
        """Whether the index is in the picture, and in a filmed one high enough."""
        pixels = self._pixels(points)
        inside = bool((pixels >= 0).all() and (pixels < self._size).all())
        height_px = float(np.hypot(*(pixels[2] - pixels[0])))
        return inside and (self._film is None or height_px >= LEAST_HEIGHT_PX)

    def _hidden(self, moment: Moment) -> Callable[[Points], bool]:
        """What tells whether a hand, or an object in it, hides one of these points (table mm)."""
        things = [outline for thing in moment.held_objects for outline, _ in object_outlines(thing)]
        if not isinstance(self._camera, FilmCamera):
            arms = [outline for hand in moment.hands for outline in arm_shadow_outlines(hand)]
            return lambda points: not _uncovered(points, [*arms, *things])
        hands = [placed.hand for placed in self._camera.placed_hands(moment)]
        return lambda points: (
            not _uncovered(points, things) or any(_covers(hand, self._pixels(points)) for hand in hands)
        )


def _covers(layer: Layer, pixels: Points) -> bool:
    """Whether one of these pixels lies beneath what the layer shows."""
    x0, y0, x1, y1 = layer.box
    return any(
        layer.pixels[int(y) - y0, int(x) - x0, 3] > 40
        for x, y in pixels
        if x0 <= int(x) < x1 and y0 <= int(y) < y1
    )


def _uncovered(points: Points, covers: Sequence[Points]) -> bool:
    return all(
        cv2.pointPolygonTest(cover.astype(np.float32), (float(a), float(b)), False) < 0
        for cover in covers
        for a, b in points
    )


def _sharp(number: int, corner: Points, ends: Sequence[Snapshot]) -> bool:
    places = [
        to_table_mm(corner, one.pose)
        for end in ends
        for one in (*end.resting, *end.carried)
        if one.id == number
    ]
    return len(places) == 2 and float(np.hypot(*(places[1] - places[0]).T).max()) <= SHARP_MM
