"""The facts that sources, buttons and tracking hand to the referee: frozen values without behaviour.

Every fact carries ``t_ns``: integer nanoseconds of one monotonic clock, stamped where the thing happened. Each layer
also gives its *watermark*: a time before which it will never again report anything. Facts are taken in the order of
their stamps once every layer's watermark has passed them, so no decision depends on how late a fact was delivered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from table.cards import card
from table.phrase import Phrase

MS = 1_000_000
"""Nanoseconds in a millisecond."""

Image: TypeAlias = NDArray[np.uint8]
"""A colour picture: height x width x 3, BGR, as OpenCV has them."""

Control: TypeAlias = Literal["bid", "rap"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw change of a button's GPIO line, bounce included, as the kernel stamped it."""

    t_ns: int
    seat: str
    control: Control
    level: int
    """1 pressed, 0 released."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of the table and the moment of its exposure."""

    t_ns: int
    image: Image = field(repr=False)
    index: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a source delivers at one moment: edges (in any order) and at most one frame.

    ``now_ns`` is the clock at that moment (it never goes back); ``edges_until_ns`` and ``frames_until_ns`` are the
    watermarks: every edge or frame stamped before them has been delivered, this delivery included.
    """

    now_ns: int
    edges: tuple[Edge, ...]
    frame: Frame | None
    edges_until_ns: int
    frames_until_ns: int
    lost: int = 0
    """Button events newly known to be lost: stamped by the kernel, but never delivered."""
    troubles: tuple[Phrase, ...] = ()
    """What is wrong with the source now (a camera that has stopped)."""


END_NS = 2**62
"""The watermark of a source that has ended: later than any stamp."""


class Gesture(Enum):
    """What a player did with the buttons, whatever the number of buttons at that seat."""

    TAPS = "taps"
    """``count`` taps of BID: a bid of that number, or steps of the dial or of a panel."""
    ZERO = "zero"
    """Bid 0: BID held; on a one-button seat a tap, then a hold."""
    RAP = "rap"
    """A rap on the table: RAP pressed; on a one-button seat a hold."""
    DOUBLE_NIL = "double nil"
    WRONG = "that's wrong"
    UNKNOWN = "unknown"
    """A pattern without a meaning: signalled at the lamp as refused, without effect."""


@dataclass(frozen=True, slots=True)
class Call:
    """A gesture of a player: it happened at its first press edge and is known when its burst has ended."""

    t_ns: int
    end_ns: int
    """When the burst ended: its value could not have been known earlier."""
    seat: str
    gesture: Gesture
    count: int = 0
    """The taps, for ``Gesture.TAPS`` (and for a one-button ``ZERO``, 1)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One candidate of what a card is, with its confidence."""

    card: str
    confidence: float
    """Calibrated: the share of such readings that are right, 0..1."""

    def __post_init__(self) -> None:
        card(self.card)  # ``ValueError`` for what is not a card's name


@dataclass(frozen=True, slots=True)
class CardLanded:
    """A card came to rest on the mark. ``t_ns`` is the stamp of the first frame in which it lies at rest."""

    t_ns: int
    id: int
    """Identifies this physical card on the mark until it is gone; ids are never reused."""
    readings: tuple[Reading, ...]
    """Best first; empty for a card that lies face down."""
    place_mm: tuple[float, float]
    """The card's centre on the table (x right, y down, from the mark)."""
    angle_deg: float
    arm_deg: float | None
    """The direction of the arm that brought it, from the mark, clockwise from the picture's top; None if not seen."""
    arm_sure: float
    """The confidence of ``arm_deg``, 0..1 (two arms over one card, or a faint one, lower it)."""
    frame: int
    """The number of the frame of ``t_ns``: where the numbers of two cards differ, a picture shows which lay first."""
    upon: tuple[int, ...] = ()
    """The ids of the cards that it overlaps and that are known to lie beneath it."""
    overlaps: tuple[int, ...] = ()
    """The ids of all the cards that it overlaps, whichever lies beneath."""
    order_sure: float | None = None
    """The lowest confidence, 0..1, of which of those lie beneath it and which upon it; None: as usual."""
    unseen_ns: int = 0
    """How long before ``t_ns`` the card may have landed, because no picture shows its place in that time. 0: pictures
    came as usual; ``END_NS``: it may have lain there before the first picture.
    """


@dataclass(frozen=True, slots=True)
class CardReread:
    """A card on the mark is now read differently, or better (a hand has gone, a card above was taken away)."""

    t_ns: int
    id: int
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class CardGone:
    """A card has left the mark: withdrawn, or picked up with the trick (then all go)."""

    t_ns: int
    id: int
    arm_deg: float | None
    mark_empty: bool
    """Whether nothing is left on the mark once this card is gone (true for all that left together)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question of the table, noted beforehand; a recording may hold such answers."""

    t_ns: int
    """The answer is not given before this moment."""
    about: str
    """``card``, ``owner``, ``order``, ``gone`` or ``bid``."""
    hand: int
    trick: int
    seat: str
    """Whose card or bid it is; for ``owner`` this is the answer. Empty where only ``card`` counts."""
    card: str
    """The answer; for ``owner`` the card that it is about, empty for any."""


CardFact: TypeAlias = CardLanded | CardReread | CardGone
Fact: TypeAlias = Call | CardFact


def fact_sort_key(fact: Fact, seats: tuple[str, ...]) -> tuple[int, int, int]:
    """Return the sort key of a fact: by stamp; at equal stamps calls come first, in seat order."""
    if isinstance(fact, Call):
        return (fact.t_ns, 0, seats.index(fact.seat) if fact.seat in seats else len(seats))
    return (fact.t_ns, 1, fact.id)
