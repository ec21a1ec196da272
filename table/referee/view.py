"""What the screen is drawn from: one immutable value, made by the referee."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from table.cards import Card
from table.events.kind import LineFields
from table.facts import CardLanded
from table.games.base import Expected, Phase, State
from table.games.game import Game
from table.phrase import Phrase, say
from table.referee.dial import Dial
from table.referee.explanation import Kind, Piece
from table.referee.notices import Notice

__all__ = ["Controls", "Lying", "Notice", "OpenPanel", "OpenQuestion", "View", "lying", "turned_up"]


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


_STATUS: Mapping[Kind, Literal["pending", "played", "go back", "turned up"]] = {
    "played": "played",
    "back": "go back",
    "turned up": "turned up",
    "unread": "pending",
}
"""What the screen calls a card, by what it counts for; others are not shown."""


def lying(pieces: Iterable[Piece], landed: Mapping[int, CardLanded]) -> tuple[Lying, ...]:
    """The cards on the mark in the order of landing."""
    shown = sorted(
        (piece.id, piece)
        for piece in pieces
        if piece.id is not None and piece.id in landed and piece.kind in _STATUS
    )
    return tuple(
        Lying(
            id=number,
            card=None if piece.card is None or piece.card.is_unseen else piece.card,
            seat=piece.seat,
            status=_STATUS[piece.kind],
            place_mm=landed[number].place_mm,
            angle_deg=landed[number].angle_deg,
            confidence=piece.confidence,
        )
        for number, piece in shown
    )


def turned_up(view: View) -> Lying | None:
    """The card that was turned up for trumps, while it lies on the mark."""
    return next((one for one in view.lying if one.status == "turned up"), None)


def over_ns(state: State, lines: Sequence[LineFields]) -> int | None:
    """When it was known that the game is over; None where it is not."""
    if state.phase is not Phase.OVER:
        return None
    said = (line for line in reversed(lines) if line["event"] == "game_over")
    return next((int(line["decided_ns"]) for line in said), None)


@dataclass(frozen=True, slots=True)
class OpenPanel:
    """The panel behind "that's wrong", while somebody has it open."""

    seat: str
    lines: tuple[Phrase, ...]
    at: int
    """The marked line, from 0."""
    asks: Phrase = field(default_factory=lambda: say("panel.what_is_wrong"))
    """What its player is asked."""
    path: tuple[Phrase, ...] = ()
    """The lines that were chosen on the way to this level, the first one first."""
    lost: Phrase | None = None
    """What will be lost, where that is asked about."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Something that the table asks, while play goes on."""

    asks: Phrase
    lines: tuple[Phrase, ...]
    """What may be answered; none once it has settled itself."""
    seat: str | None = None
    """Who has taken it up."""
    at: int = 0
    """The line that is marked, from 0, once somebody has."""
    hint: Phrase | None = None
    """How to take it up, until somebody has; who draws it knows what the seats have to press."""


@dataclass(frozen=True, slots=True)
class Controls:
    """What a seat has to press."""

    kind: Literal["two", "one", "knock"] = "two"
    """Two buttons; one alone; a button and a knock sensor, which can't be held."""
    keys: tuple[str, ...] = ()
    """The names of the keyboard's keys that stand in for them, BID's first; none where no keyboard plays."""


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
    over_ns: int | None = None
    """When the game was over; None before."""
    dial: Dial | None = None
    """What a player in the auction, or with a led joker, has set so far."""
    pump_ends_ns: int | None = None
    """When the count before bids in secret is over; None while nobody counts."""
    panel: OpenPanel | None = None
    question: OpenQuestion | None = None
    """The oldest question that is open, or the one that somebody has taken up."""
    controls: Mapping[str, Controls] = field(default_factory=dict)
    """What each seat has to press; two buttons where nothing is said."""
    offers_next: bool = False
    """Whether somebody's rap is waited for to choose what comes next, once the game is over."""
    paused: bool = False
    """Whether nothing counts until somebody raps."""
    dimmed: bool = False
    """Whether nobody has been there for long."""
    hanging: frozenset[int] = frozenset()
    """The numbers of scored hands whose score hangs on a question that is open: they count if it is as is believed."""
