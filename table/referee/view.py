"""What the screen is drawn from: one immutable value, made by the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from table.cards import Card
from table.games.base import Expected, Game, State
from table.referee.dial import Dial


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the players: a ruling with its reason, a hint, or something in trouble."""

    t_ns: int
    kind: Literal["ruling", "hint", "trouble"]
    text: str
    seats: tuple[str, ...] = ()
    """Whom it concerns, if not everybody."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A card that lies on the mark."""

    id: int
    card: Card | None
    """None: face down or not read."""
    seat: str | None
    status: Literal["pending", "played", "go back", "turned up"]
    """``pending``: not judged yet (a tie is still possible); ``go back``: its player is to take it back."""
    place_mm: tuple[float, float]
    angle_deg: float
    confidence: float


@dataclass(frozen=True, slots=True)
class OpenPanel:
    """The panel behind "that's wrong", while somebody has it open."""

    seat: str
    lines: tuple[str, ...]
    at: int
    """The marked line, from 0."""
    asks: str = "What is wrong"
    """What its player is asked."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the screen may show at one moment; hidden information is not in it."""

    game: Game
    state: State
    expected: Expected
    angles: Mapping[str, float]
    """Where each seat is, degrees clockwise from the picture's top edge, seen from the mark."""
    lying: tuple[Lying, ...] = ()
    """In the order of landing."""
    notices: tuple[Notice, ...] = ()
    """The latest first."""
    tapping: frozenset[str] = frozenset()
    """Seats with a call under way (its number is nobody's business yet)."""
    now_ns: int = 0
    dealt_ns: int | None = None
    """When this hand's dealer rapped; None before."""
    dial: Dial | None = None
    """What a player in the auction, or with a led joker, has set so far."""
    pump_ends_ns: int | None = None
    """When the count before bids in secret is over; None while nobody counts."""
    panel: OpenPanel | None = None
