"""The view: one immutable value, made by the referee, that the screen is drawn from."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from table.cards import Card, card
from table.events.event_spec import LineFields
from table.games.engine.game_state import Expected, Phase, State
from table.games.game import Game
from table.phrase import Phrase, make_phrase
from table.referee.model.bid_dial import Dial
from table.referee.model.hypothesis import CardRole, Hypothesis, TableCard, find_lead_that_may_stay
from table.referee.model.moments import Moment
from table.referee.model.notices import Notice

_SHOWN_ROLES: frozenset[CardRole] = frozenset(("played", "back", "turned up", "unread"))
"""The roles of the cards that the screen shows."""


def make_cards_on_mark(game: Game, hypothesis: Hypothesis, landed: Container[int]) -> tuple[TableCard, ...]:
    """Return the cards on the mark, in the order of landing, with what the screen shows of them."""
    shown = [piece for piece in hypothesis.table_cards if piece.id in landed and piece.role in _SHOWN_ROLES]
    may_stay = find_lead_that_may_stay(game, hypothesis)
    return tuple(
        TableCard(
            piece.id,
            piece.card if isinstance(piece.card, Card) else None,
            piece.seat,
            "may stay" if piece is may_stay else piece.role,
        )
        for piece in sorted(shown, key=lambda piece: piece.id or 0)
    )


def make_cards_to_take_back(lines: Iterable[LineFields]) -> tuple[TableCard, ...]:
    """Return the cards still to be taken back after these lines of a journal, all of which hold, as the screen shows
    them.
    """
    backs: dict[tuple[str, str], None] = {}
    for line in lines:
        match line["event"]:
            case "hand_started" | "thrown_in":
                backs = {}
            case "leads_tied":
                backs.update(((back["seat"], back["card"]), None) for back in line["taken_back"])
            case "out_of_turn":
                backs[line["seat"], line["card"]] = None
            case "card_played" | "card_taken_back" if not line.get("played"):
                backs.pop((line["seat"], line["card"]), None)
    known = [(seat, name) for seat, name in backs if name != "?"]
    return tuple(
        TableCard(number, card(name), seat, "back") for number, (seat, name) in enumerate(known, start=1)
    )


def find_game_over_ns(state: State, lines: Sequence[LineFields]) -> int | None:
    """Return when the game was decided to be over; None where it is not over."""
    if state.phase is not Phase.OVER:
        return None
    said = (line for line in reversed(lines) if line["event"] == "game_over")
    return next((int(line["decided_ns"]) for line in said), None)


@dataclass(frozen=True, slots=True)
class Honour:
    """An honour of a finished game: what it is for, who has it, and the figure that won it."""

    title: Phrase
    seats: tuple[str, ...]
    figure: Phrase


@dataclass(frozen=True, slots=True)
class TrickReview:
    """A moment of a trick of a scored hand, which the screen shows again."""

    state: State
    """The state of the game at that moment."""
    cards_to_take_back: tuple[TableCard, ...]
    said: Phrase | None
    """What happened at that moment; of the finished trick a ruling about it, or None without any."""
    picture: bytes | None = None
    """The photo finish of the tied leads of that moment, a JPEG, which is shown in place of the table."""


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """A list of options on the screen: the panel behind "that's wrong", or a question that is asked meanwhile."""

    seat: str | None
    """The player who has it open; None for a question that nobody has taken up."""
    options: tuple[Phrase, ...]
    """None once a later fact has settled the question."""
    marked: int = 0
    """The index of the marked line, from 0."""
    title: Phrase = field(default_factory=lambda: make_phrase("panel.what_is_wrong"))
    """The title of the open level, or the question."""
    path: tuple[Phrase, ...] = ()
    """The lines that were chosen on the way to this level, the first one first."""
    will_be_lost: Phrase | None = None
    """What will be lost by the choice, where the level asks for confirmation."""
    reads_rules: bool = False
    """Whether the marked line stands for that paragraph of the game's rules, which is shown instead."""
    review: TrickReview | None = None
    """The moment of a trick for which the marked line stands, and which is shown instead."""
    hint: Phrase | None = None
    """How to take the question up, until somebody has; who draws it knows what the seats have to press."""


@dataclass(frozen=True, slots=True)
class Controls:
    """The buttons of a seat."""

    kind: Literal["two", "one", "knock"] = "two"
    """Two buttons; one alone; a button and a knock sensor, which can't be held."""
    keys: tuple[str, ...] = ()
    """The names of the keyboard's keys that stand in for the buttons, BID's first; none where no keyboard plays."""
    wrong_s: float = 2.0
    """How long "that's wrong" is held, in seconds."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the screen may show at one moment; hidden information is not in it."""

    game: Game
    state: State
    expected: Expected
    seat_angles: Mapping[str, float]
    """The direction of each seat, degrees clockwise from the picture's top edge, seen from the mark."""
    cards_on_mark: tuple[TableCard, ...] = ()
    """The cards on the mark, in the order of landing."""
    notices: tuple[Notice, ...] = ()
    """The notices to show, the latest first."""
    calling_seats: frozenset[str] = frozenset()
    """Seats with a call under way (its number is nobody's business yet)."""
    now_ns: int = 0
    dealt_ns: int | None = None
    """When this hand's dealer rapped; None before."""
    game_over_ns: int | None = None
    """When the game was over; None before."""
    moments: tuple[Moment, ...] = ()
    """What is shown large for a few seconds each, one after the other, of what was decided last."""
    honours: tuple[Honour, ...] = ()
    """The honours of the game, once it is over."""
    dial: Dial | None = None
    """The dial of the player in the auction, or of one with a led joker."""
    countdown_ends_ns: int | None = None
    """When the countdown before bids in secret is over; None without a countdown."""
    panel: OpenOptions | None = None
    question: OpenOptions | None = None
    """The oldest open question, or the one that somebody has taken up."""
    controls: Mapping[str, Controls] = field(default_factory=dict)
    """The buttons of each seat; two buttons for a seat that is not listed."""
    awaits_next_choice: bool = False
    """Whether the table waits for a rap to choose what comes next, once the game is over."""
    paused: bool = False
    """Whether the game is paused: nothing counts until somebody raps."""
    dimmed: bool = False
    """Whether the screen is dimmed, as nobody has been there for long."""
    provisional_hands: frozenset[int] = frozenset()
    """The numbers of scored hands whose score is provisional, because a question about them is open."""

    @property
    def turned_up(self) -> TableCard | None:
        """The card that was turned up for trumps, while it lies on the mark."""
        return next((lying for lying in self.cards_on_mark if lying.role == "turned up"), None)

    @property
    def lead_that_may_stay(self) -> TableCard | None:
        """The tied lead that the player to act may leave lying."""
        return next((lying for lying in self.cards_on_mark if lying.role == "may stay"), None)

    @property
    def cards_beside_trick(self) -> tuple[TableCard, ...]:
        """The cards on the mark that are not (yet) plays of the trick."""
        return tuple(lying for lying in self.cards_on_mark if lying.role in ("unread", "back", "may stay"))

    @property
    def shown_dial(self) -> Dial | None:
        """The dial, while it shows a value."""
        return self.dial if self.dial is not None and self.dial.shown is not None else None

    @property
    def choosing_seat(self) -> str | None:
        """The seat whose buttons control the open panel, or the question that it has taken up."""
        if self.panel is not None:
            return self.panel.seat
        return self.question.seat if self.question is not None else None

    @property
    def moment(self) -> Moment | None:
        """What is shown large now in place of the table or the score sheet; nothing over a panel."""
        if self.choosing_seat is not None:
            return None
        return next(
            (moment for moment in self.moments if moment.since_ns <= self.now_ns < moment.until_ns), None
        )
