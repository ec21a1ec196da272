"""What a simulated game consists of: the players' true acts, the camera's clock, and the world that they make.

Acts are as the players intend them: input of the ground-truth referee, not observations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from table.cards import Card
from table.config.settings import TableConfig
from table.observed_facts import MS, Call, Edge
from table.simulation.reference_rules.common import BidValue
from table.simulation.rendering.motions_over_time import CardPose, Motion, Scene

TruthLine: TypeAlias = dict[str, Any]
"""A true event with its fields, as a line of the journal without number."""


@dataclass(frozen=True, slots=True)
class CallAct:
    """A player uses the buttons: a bid, a rap, or a call of what the player's dial shows."""

    t_ns: int
    """Time of the first edge."""
    end_ns: int
    """Time at which the burst of presses ends."""
    seat: str
    call: BidValue | None
    """The bid; from a dial such as ``6C``, ``pass`` or the suit of a led joker. None: a rap."""
    turned_ns: int | None = None
    """Time of the first press that turned the dial; None if none was turned."""


@dataclass(frozen=True, slots=True)
class LayAct:
    """A player lays a card on the mark."""

    t_ns: int
    """Time at which the card comes to rest."""
    id: int
    """Identifies this physical card until it leaves the mark."""
    seat: str
    card: Card
    face_up: bool
    upon: tuple[int, ...]
    """Ids of the cards that this card partly covers."""
    pose: CardPose


@dataclass(frozen=True, slots=True)
class TakeAct:
    """A player takes cards off the mark."""

    t_ns: int
    """Time at which the cards begin to move."""
    ids: tuple[int, ...]
    seat: str
    to_hand: bool
    """True: back to their players' hands. False: a trick is picked up, or the turned card goes to the stock."""


Act: TypeAlias = CallAct | LayAct | TakeAct


class FrameClock:
    """Exposure times of the simulated camera's frames: its frame rate with the jitter of real cameras."""

    def __init__(self, start_ns: int, end_ns: int, fps: float, seed: int) -> None:
        period = 1e9 / fps
        count = int((end_ns - start_ns) / period) + 2
        rng = np.random.default_rng((seed, 11))
        jitter = np.clip(rng.normal(0, 1.4 * MS, count), -5 * MS, 5 * MS)
        self._times = start_ns + np.round(np.arange(count) * period + jitter).astype(np.int64)

    @cached_property
    def times(self) -> tuple[int, ...]:
        """Time stamp of each frame, in nanoseconds."""
        return tuple(self._times.tolist())

    def first_frame_at(self, t_ns: int) -> int:
        """Return the number of the first frame that is not earlier than ``t_ns``."""
        return int(np.searchsorted(self._times, t_ns))

    def time_within_frame(self, t_ns: int) -> int:
        """Return a time midway between two frames, not before ``t_ns``, so that acts near it share a frame."""
        number = self.first_frame_at(t_ns)
        return int(self._times[number] + self._times[number + 1]) // 2


@dataclass(frozen=True)
class World:
    """A whole simulated game, computed completely before the first frame is drawn."""

    config: TableConfig
    seed: int
    start_ns: int
    end_ns: int
    edges: tuple[Edge, ...]
    """Raw button edges in the order of their time stamps."""
    motions: tuple[Motion, ...]
    truth: tuple[TruthLine, ...] = ()
    """The true events, as lines of ``truth.jsonl``."""
    calls: tuple[Call, ...] = ()
    """The calls that the players intended by their presses."""
    acts: tuple[Act, ...] = ()

    @cached_property
    def scene(self) -> Scene:
        """The motions as a scene that can be sampled at any moment."""
        return Scene(self.motions)

    @cached_property
    def clock(self) -> FrameClock:
        """The camera's frame clock."""
        return FrameClock(self.start_ns, self.end_ns, self.config.camera.fps, self.seed)
