"""A journal's hands as they were played: the lines that still hold, the tricks, the rulings and the score of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from table.cards import DOUBLE_NIL
from table.errors import convert_errors
from table.events.event_registry import RULINGS
from table.history.archive import GARBLED_LINE
from table.referee.records.journal import JournalLine, effective_lines

Outcome: TypeAlias = Literal["made", "over", "under"]
"""Of a bid: as many tricks were taken, or more, or fewer."""


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A finished trick."""

    winner: str
    cards: Mapping[str, str]
    """The cards by seat, in playing order."""

    @property
    def leader(self) -> str:
        """The seat that led."""
        return next(iter(self.cards))


@dataclass(slots=True)
class PlayedHand:
    """A hand that was begun, with the lines of the journal that belong to it."""

    number: int
    cards: int
    """The cards dealt to each player."""
    dealer: str
    seats: Sequence[str]
    """All players, each next one to the left of the one before."""
    play_off: bool = False
    """Whether the hand only decided a tie; its points are not in the totals."""
    trump: str | None = None
    lines: list[JournalLine] = field(default_factory=list)
    """All lines up to the next hand that still hold, and the corrections among them."""
    tricks: list[PlayedTrick] = field(default_factory=list)
    bids: Mapping[str, Any] = field(default_factory=dict)
    """The bids by seat as the journal has them; empty before the hand is scored, as are all of the following."""
    taken: Mapping[str, int] = field(default_factory=dict)
    """The number of tricks by seat."""
    points: Mapping[str, int] = field(default_factory=dict)
    totals: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_scored(self) -> bool:
        """Whether the hand was played to its end."""
        return bool(self.totals)

    def outcome(self, seat: str) -> Outcome | None:
        """Return the outcome of a seat's bid; None where it has none for a number of tricks, or before the score."""
        bid, taken = self.bids.get(seat), self.taken.get(seat, 0)
        tricks = 0 if bid == DOUBLE_NIL else bid
        if not isinstance(tricks, int):
            return None
        return "made" if taken == tricks else "over" if taken > tricks else "under"

    @property
    def rulings(self) -> list[JournalLine]:
        """The lines in which the referee ruled or was corrected."""
        return [line for line in self.lines if line["event"] in RULINGS]


def read_hands(lines: Iterable[JournalLine]) -> list[PlayedHand]:
    """Return all hands of a journal, those thrown in included; ``TableError`` for a garbled line."""
    all_lines = list(lines)
    effective = {id(line) for line in effective_lines(all_lines)}
    hands: list[PlayedHand] = []
    corrections: list[JournalLine] = []
    """Those after which nothing has been announced yet: they belong to the hand of the next line."""
    seats: Sequence[str] = ()
    play_off = False
    with convert_errors(GARBLED_LINE, "row.garbled"):
        for line in all_lines:
            if line["event"] == "corrected":
                corrections.append(line)
                continue
            if id(line) not in effective:
                continue
            if line["event"] in ("game_started", "reseated"):
                seats = line["seats"]
            elif line["event"] == "hand_started":
                hands.append(PlayedHand(line["hand"], line["cards"], line["dealer"], seats, play_off))
            play_off |= line["event"] == "play_off"
            if hands:
                hands[-1].lines += [*corrections, line]
                corrections.clear()
                _follow(hands, line)
    return hands


def _follow(hands: Sequence[PlayedHand], line: JournalLine) -> None:
    """Add to the last hand what a line tells of it; a score that is put right changes earlier ones."""
    hand = hands[-1]
    match line["event"]:
        case "reseated":  # before the deal
            hand.seats = line["seats"]
        case "trump":
            hand.trump = line["suit"]
        case "trick_won":
            # A trick whose last card was withdrawn is won anew.
            del hand.tricks[line["trick"] - 1 :]
            cards = {play["seat"]: play["card"] for play in line["cards"]}
            hand.tricks.append(PlayedTrick(line["seat"], cards))
        case "hand_scored":
            hand.bids, hand.taken = line["bids"], line["tricks"]
            hand.points, hand.totals = line["points"], line["totals"]
        case "hand_rescored":
            _rescore([hand for hand in hands if hand.is_scored], line)


def _rescore(hands: Sequence[PlayedHand], line: JournalLine) -> None:
    differences = {seat: total - hands[-1].totals[seat] for seat, total in line["totals"].items()}
    for hand in hands:
        if hand.number == line["hand"]:
            hand.points = {**hand.points, **line["points"]}
        if hand.number >= line["hand"]:
            hand.totals = {seat: total + differences[seat] for seat, total in hand.totals.items()}
