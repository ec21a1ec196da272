"""The book: keeps the journal in step with the explanation in force.

Every line comes from an entry of that explanation. Where another explanation takes its place, the lines that no longer
hold are said to be ``corrected``, and what holds instead is said after it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from table.errors import TableError
from table.events.happenings import Event
from table.events.kind import Said, bare
from table.events.known import QUESTIONS
from table.games.base import Refusal, State
from table.games.copies import but
from table.games.game import Game
from table.referee.explanation import Entry, Explanation
from table.referee.journal import Journal, JournalLine, effective
from table.words.spoken import text

Correction = Mapping[str, Any]
"""The fields ``what``, ``from``, ``to`` and ``by`` of a line ``corrected``."""


def lines_agree(line: JournalLine, said: Said) -> bool:
    """Whether a journal line says what ``said`` says, as JSON has it."""
    fields = json.loads(json.dumps(dict(said.fields)))
    return line["event"] == said.event and all(line.get(key) == value for key, value in fields.items())


class Book:
    """What has been said of a game under way."""

    def __init__(self, game: Game, journal: Journal) -> None:
        self.game = game
        self.journal = journal
        self._start = game.start()
        self.said = Explanation(self._start.state)
        """The explanation that the journal tells."""
        self.entries: list[Entry] = []
        self._numbers: list[tuple[int, ...]] = []
        """For each entry the numbers of its lines."""

    @property
    def state(self) -> State:
        """Where the game stands, by the journal."""
        return self.said.state

    def open(self, t_ns: int, now_ns: int) -> None:
        """Say the game's first lines."""
        self._say([(t_ns, said) for said in self._start.said], now_ns)

    def last(self, wanted: Callable[[Entry], bool]) -> int | None:
        """The index of the last entry that is ``wanted``."""
        return next((n for n in range(len(self.entries) - 1, -1, -1) if wanted(self.entries[n])), None)

    def follow(
        self,
        explanation: Explanation,
        now_ns: int,
        correction: Callable[[Entry | None, Entry | None], Correction],
    ) -> tuple[Entry | None, Entry | None] | None:
        """Bring the journal in step with ``explanation``.

        Where lines no longer hold, ``correction`` gives the line's fields from the first entry that does not hold and
        the one in its place; the two are returned then.
        """
        fresh = self._fresh(explanation)
        start = fresh[0].place if fresh else self._end(explanation)
        old = self.entries[start:]
        numbers = [number for each in self._numbers[start:] for number in each]
        del self.entries[start:], self._numbers[start:]
        self.said = explanation
        gone = [line for entry in old for line in _lines(entry)]
        come = [line for entry in fresh for line in _lines(entry)]
        alike = sum(1 for _ in takewhile(_equal, zip(gone, come, strict=False)))
        if alike == len(gone):
            # Nothing that was said is untrue.
            self._enter(fresh, [*numbers, *self._say(come[alike:], now_ns)])
            return None
        was, now = _entry_of(old, alike), _entry_of(fresh, alike)
        fields = {**correction(was, now), "since": numbers[alike]}
        with self.journal.correction(gone[alike][0], now_ns, fields):
            again = self._say(come[alike:], now_ns)
        self._enter(fresh, [*numbers[:alike], *again])
        return was, now

    def _fresh(self, explanation: Explanation) -> list[Entry]:
        """The entries of ``explanation`` that the book has not, oldest first."""
        fresh: list[Entry] = []
        for entry in explanation.entries():
            if entry.place < len(self.entries) and self.entries[entry.place] is entry:
                break
            fresh.append(entry)
        fresh.reverse()
        alike = 0
        for entry in fresh:
            if entry.place < len(self.entries) and self.entries[entry.place].same(entry):
                self.entries[entry.place] = entry
                alike += 1
            else:
                break
        return fresh[alike:]

    def _end(self, explanation: Explanation) -> int:
        return explanation.last.place + 1 if explanation.last is not None else 0

    def _enter(self, fresh: Sequence[Entry], numbers: Sequence[int]) -> None:
        """Note the entries with the numbers of their lines."""
        left = list(numbers)
        for entry in fresh:
            self.entries.append(entry)
            self._numbers.append(tuple(left[: len(entry.said)]))
            del left[: len(entry.said)]

    def resume(
        self, lines: Sequence[JournalLine], event_of: Callable[[JournalLine], Event | None], now_ns: int
    ) -> None:
        """Come back to where the journal's ``lines`` left the game; they are not said again.

        Where the power went while the lines of one event were being written, the missing ones are said now.
        ``TableError`` names the line that can't be of this game.
        """
        held = [line for line in effective(lines) if line["event"] not in QUESTIONS]
        if held and not lines_agree(held[0], self._start.said[0]):
            raise TableError("journal line 1: another game, other seats or other options than table.toml's")
        followed: list[Said] = list(self._start.said)
        t_ns, numbers = now_ns, [line.get("seq", 0) for line in held]
        entered = 0
        for number, line in enumerate(held):
            entry = self._resumed(line, event_of)
            if entry is not None:
                followed, t_ns, entered = list(entry.said), line["t_ns"], number
                self.entries.append(entry)
                self._numbers.append(tuple(numbers[number : number + len(followed)]))
        missing = followed[len(held) - entered :] if held else []
        if missing:
            self._say([(t_ns, said) for said in missing], now_ns)

    def _resumed(self, line: JournalLine, event_of: Callable[[JournalLine], Event | None]) -> Entry | None:
        """What a line says happened, once more; None for a line that only follows, or is a remark."""
        try:
            event = event_of(line)
        except ValueError as error:
            raise TableError(f"journal line {line.get('seq')}: {error}") from None
        if event is None:
            return None
        step = self.said.applied(self.game, event, line["t_ns"], extra=bare(line))
        if isinstance(step, Refusal):
            raise TableError(f"journal line {line.get('seq')}: {line['event']} can't be: {text(step.why)}")
        self.said = but(step, cost=0.0)
        return step.last

    def go_on(self, explanation: Explanation, numbers: Sequence[int], now_ns: int) -> None:
        """Go on from what is settled to ``explanation``, whose first lines the journal has under these numbers.

        The missing ones are said now.
        """
        fresh = self._fresh(explanation)
        lines = [line for entry in fresh for line in _lines(entry)]
        self.said = explanation
        self._enter(fresh, [*numbers, *self._say(lines[len(numbers) :], now_ns)])

    def number_of(self, entry: Entry | None) -> int:
        """The number of the journal's last line when ``entry`` had been said; None: when the game had begun."""
        while entry is not None:
            if numbers := self._numbers[entry.place]:
                return numbers[-1]
            entry = entry.earlier
        return len(self._start.said)

    def _say(self, lines: Sequence[tuple[int, Said]], now_ns: int) -> list[int]:
        """Say lines; their numbers."""
        return [self.journal.say(said.event, t_ns, now_ns, said.fields)["seq"] for t_ns, said in lines]


def _equal(pair: tuple[object, object]) -> bool:
    return pair[0] == pair[1]


def _lines(entry: Entry) -> list[tuple[int, Said]]:
    return [(entry.t_ns, said) for said in entry.said]


def _entry_of(entries: Sequence[Entry], line: int) -> Entry | None:
    """The entry that says the line of that number; None past the last."""
    for entry in entries:
        if line < len(entry.said):
            return entry
        line -= len(entry.said)
    return None
