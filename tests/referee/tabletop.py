"""A table without devices: facts stated exactly, in milliseconds, given to a referee in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from table.events.game_events import Event
from table.games.registry import make_game
from table.observed_facts import END_NS, MS, Call, CardGone, CardLanded, CardReread, Fact, Gesture, Reading
from table.referee.interaction.corrections import try_correction, try_redo, try_undo
from table.referee.model.hypothesis import StoryEntry
from table.referee.records.journal import JournalLine
from table.referee.referee import Referee

ANGLES = {"Ada": 40.0, "Ben": 160.0, "Cleo": 280.0}


def entries_of(referee: Referee) -> list[StoryEntry]:
    """The entries of the story, the oldest first."""
    return [*referee.shared.searched_hypothesis().entries()][::-1]


def find_last(referee: Referee, wanted: Callable[[StoryEntry], bool]) -> int | None:
    """The place of the last entry of the story that is wanted, if there is one."""
    return next((entry.index for entry in reversed(entries_of(referee)) if wanted(entry)), None)


def undo(referee: Referee, now_ns: int, by: str, at: int | None = None) -> bool:
    """Undo the last event, or entry ``at`` and all after it; return False where there is none."""
    entry = referee.shared.find_last_event() if at is None else entries_of(referee)[at]
    if entry is not None:
        referee.shared.now_ns = now_ns
        try_undo(referee.shared, entry, by).put_in_force(now_ns)
    return entry is not None


def redo(referee: Referee, now_ns: int, by: str) -> bool:
    """Take the last undo or correction back; return False where there is none."""
    referee.shared.now_ns = now_ns
    change = try_redo(referee.shared, by)
    if change is not None:
        change.put_in_force(now_ns)
    return change is not None


def correct(referee: Referee, at: int, event: Event, now_ns: int, by: str) -> bool:
    """Replace entry ``at`` by an event; return whether that is possible."""
    referee.shared.now_ns = now_ns
    change = try_correction(referee.shared, entries_of(referee)[at], event, by)
    if change is not None:
        change.put_in_force(now_ns)
    return change is not None


class TableTop:
    """Ada, Ben and Cleo (unless told otherwise) around the mark."""

    def __init__(
        self, game: str = "whysteria", angles: dict[str, float] | None = None, **options: Any
    ) -> None:
        self.angles = angles or ANGLES
        self.referee = Referee(make_game(game, tuple(self.angles), options), self.angles)
        self.referee.start(0)
        self.facts: list[Fact] = []
        self.watched = 0.0
        """Cards laid before this may have lain there when the camera started (ms)."""
        self._next_id = 1
        self.ids: dict[str, int] = {}

    # What people do. Times in ms.

    def rap(self, seat: str, at: float) -> None:
        self.facts.append(Call(int(at * MS), int((at + 100) * MS), seat, Gesture.RAP))

    def bid(self, seat: str, number: int, at: float, *, until: float | None = None) -> None:
        gesture = Gesture.TAPS if number else Gesture.ZERO
        end = int((until if until is not None else at + 600) * MS)
        self.facts.append(Call(int(at * MS), end, seat, gesture, number))

    def lay(
        self,
        card: str,
        at: float,
        arm: str | None = None,
        *,
        upon: Iterable[str] = (),
        sure: float = 0.9,
        others: Iterable[tuple[str, float]] = (),
        confidence: float = 0.99,
        place: tuple[float, float] = (0, 0),
        order_sure: float | None = None,
        unseen: float = 0,
    ) -> None:
        """A card comes to rest; ``arm``: whose arm is seen; ``others``: what else it might be.

        ``unseen``: for so many milliseconds before no picture came.
        """
        number = self._next_id
        self._next_id += 1
        self.ids[card] = number
        beneath = tuple(self.ids[other] for other in upon)
        readings = (Reading(card, confidence), *(Reading(*other) for other in others)) if card != "?" else ()
        degrees = self.angles[arm] if arm else None
        frame = int(at / 33.3)
        self.facts.append(
            CardLanded(
                int(at * MS),
                number,
                readings,
                place,
                0,
                degrees,
                sure if arm else 0,
                frame,
                beneath,
                beneath,
                order_sure,
                END_NS if at < self.watched else int(unseen * MS),
            )
        )

    def reread(self, laid: str, card: str, at: float, confidence: float = 0.99) -> None:
        self.facts.append(CardReread(int(at * MS), self.ids[laid], (Reading(card, confidence),)))

    def withdraw(self, card: str, at: float, arm: str | None = None) -> None:
        degrees = self.angles[arm] if arm else None
        self.facts.append(CardGone(int(at * MS), self.ids.pop(card), degrees, False))

    def clear(self, *cards: str, at: float, arm: str | None = None) -> None:
        """These cards leave the mark together, and nothing stays."""
        degrees = self.angles[arm] if arm else None
        for card in cards:
            self.facts.append(CardGone(int(at * MS), self.ids.pop(card), degrees, True))

    # What the referee makes of it.

    def settle(self, until: float | None = None) -> list[JournalLine]:
        """Give everything to the referee; the journal so far."""
        end = END_NS if until is None else int(until * MS)
        now = max((fact.t_ns for fact in self.facts), default=0)
        self.referee.take(self.facts, end, now)
        self.facts = []
        return self.referee.journal.lines

    def said(self, *events: str) -> list[tuple[Any, ...]]:
        """The lines of these events as (event, fields...), times left out."""
        left_out = {"seq", "t_ns", "decided_ns", "event", "confidence", "by", "played"}
        return [
            (line["event"], *(value for key, value in line.items() if key not in left_out))
            for line in self.settle()
            if line["event"] in events
        ]
