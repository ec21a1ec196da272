"""What the camera's pictures of a scene show, whoever looks at them: which names can be read, which orders seen.

The bench asks for nothing that no picture shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from table.observed_facts import MS
from table.simulation.players.player_strategy import card_corners
from table.simulation.rendering.hand_outlines import arm_shadow_outlines
from table.simulation.rendering.motions_over_time import Scene, Snapshot, to_table_mm
from table.simulation.rendering.stray_object_outlines import object_outlines
from table.simulation.rendering.vector_shapes import Points
from tests.scenes.scenario import Scenario, Tie

_INDEX = np.array([(x, y) for x in (-30.0, -26.5, -23.0) for y in (-42.0, -36.0, -28.0)])
"""Points of the index in the upper left corner, mm from the card's centre."""
SHARP_MM = 1.0
"""An index that moves by no more than this while the shutter is open can still be read (its strokes are as wide)."""
LEAST_OVERLAP = 0.03
"""With less in common than this, nobody sees which of two cards lies on top."""


def named(scenario: Scenario) -> frozenset[int]:
    """The cards of which some picture shows a whole index, and no more blurred than can be read."""
    world = scenario.world
    scene = world.scene
    half = round(scenario.look.exposure_ms * MS) // 2
    open_ = {card.id for card in scenario.cards}
    found: set[int] = set()
    # The moments at which most is at rest come first: nearly all cards are shown in them.
    times = world.clock.times
    for t_ns in [*times[::6], *times]:
        if not open_:
            break
        for number in _clear(scene, t_ns, half, open_, scenario):
            open_.discard(number)
            found.add(number)
    return frozenset(found)


def order_shown(scenario: Scenario, tie: Tie) -> bool:
    """Whether the pictures show which of two tied cards came first: one lies on the other, or still moves."""
    if tie.overlap >= LEAST_OVERLAP:
        return True
    laid = {card.id: card.landed_ns for card in scenario.cards}
    half = round(scenario.look.exposure_ms * MS) // 2
    return any(
        laid[tie.first] <= t_ns - half and t_ns + half < laid[tie.second] - 10 * MS
        for t_ns in scenario.world.clock.times
    )


def _clear(scene: Scene, t_ns: int, half: int, wanted: set[int], scenario: Scenario) -> list[int]:
    moment = scene.snapshot_at(t_ns)
    lying = [*moment.resting, *moment.carried]
    chosen = [place for place, one in enumerate(lying) if one.id in wanted]
    if not chosen:
        return []
    ends = [scene.snapshot_at(t_ns - half), scene.snapshot_at(t_ns + half)]
    covers = [card_corners(one.pose, grow=1.0) for one in lying]
    over = _arms(moment)
    clear = []
    for place in chosen:
        one = lying[place]
        above = [*covers[place + 1 :], *over]
        for corner in (_INDEX, -_INDEX):
            points = to_table_mm(corner, one.pose)
            if _seen(points, above, scenario) and _sharp(one.id, corner, ends):
                clear.append(one.id)
                break
    return clear


def _arms(moment: Snapshot) -> list[Points]:
    arms = [outline for hand in moment.hands for outline in arm_shadow_outlines(hand)]
    return arms + [outline for thing in moment.held_objects for outline, _ in object_outlines(thing)]


def _seen(points: Points, above: Sequence[Points], scenario: Scenario) -> bool:
    matrix = np.array(scenario.config.camera.homography)
    pixels = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    x, y = pixels[:, 0] / pixels[:, 2], pixels[:, 1] / pixels[:, 2]
    width, height = scenario.config.camera.size
    if not (x.min() >= 0 and y.min() >= 0 and x.max() < width and y.max() < height):
        return False
    return all(
        cv2.pointPolygonTest(cover.astype(np.float32), (float(a), float(b)), False) < 0
        for cover in above
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
