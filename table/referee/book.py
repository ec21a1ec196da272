"""The book: keeps the journal in step with the explanation in force.

Every line comes from an entry of that explanation. Where another explanation takes its place, the lines that no longer
hold are said to be ``corrected``, and what holds instead is said after it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

from table.errors import TableError
from table.events.happenings import Event
from table.events.kind import Said, bare
from table.events.known import QUESTIONS, tells_event, told
from table.games.base import Refusal, State, Step
from table.games.game import Game
from table.phrase import Phrase, WrongValueError, say
from table.referee.explanation import Entry, Explanation, with_fields
from table.referee.journal import Journal, JournalLine, effective
from table.referee.past import Past, Row
from table.referee.settled import Settled, rules_crc

Correction = Mapping[str, Any]
"""The fields ``what``, ``from``, ``to`` and ``by`` of a line ``corrected``."""


def _line(number: object) -> Phrase:
    """The place of a line, for whoever does not know the file."""
    return say("at.journal_line", line=number)


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
        self.entries: Row[Entry] = Row()
        self._numbers: Row[tuple[int, ...]] = Row()
        """For each entry the numbers of its lines."""
        self._before = len(self._start.said)
        """The number of the last line before those entries that are at hand."""

    @property
    def state(self) -> State:
        """Where the game stands, by the journal."""
        return self.said.state

    def open(self, t_ns: int, now_ns: int) -> None:
        """Say the game's first lines."""
        self._say([(t_ns, said) for said in self._start.said], now_ns)

    def last(self, wanted: Callable[[Entry], bool]) -> int | None:
        """The index of the last entry that is ``wanted``."""
        return next((entry.place for entry in reversed(self.entries) if wanted(entry)), None)

    def follow(
        self,
        explanation: Explanation,
        now_ns: int,
        correction: Callable[[Entry | None, Entry | None], Correction],
        *,
        by_people: bool = False,
    ) -> tuple[Entry | None, Entry | None] | None:
        """Bring the journal in step with ``explanation``.

        Where lines no longer hold, ``correction`` gives the line's fields from the first entry that does not hold and
        the one in its place; the two are returned then. Where the table changes its mind of its own accord (not
        ``by_people``), a line holds as long as people read the same in it, though it was at another moment.
        """
        fresh = self._fresh(explanation)
        start = fresh[0].place if fresh else explanation.length
        old = self.entries.cut(start)
        numbers = [number for each in self._numbers.cut(start) for number in each]
        self.said = explanation
        gone = [line for entry in old for line in _lines(entry)]
        come = [line for entry in fresh for line in _lines(entry)]
        still = _hold if by_people else _read_alike
        alike = sum(1 for _ in takewhile(still, zip(gone, come, strict=False)))
        if alike == len(gone):
            # Nothing that people have read is untrue.
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
                self.entries.put(entry.place, entry)
                alike += 1
            else:
                break
        return fresh[alike:]

    def _enter(self, fresh: Sequence[Entry], numbers: Sequence[int]) -> None:
        """Note the entries with the numbers of their lines."""
        left = list(numbers)
        for entry in fresh:
            self.entries.add(entry)
            self._numbers.add(tuple(left[: len(entry.said)]))
            del left[: len(entry.said)]

    def resume(
        self,
        lines: Sequence[JournalLine],
        event_of: Callable[[JournalLine], Event | None],
        now_ns: int,
        settled: Settled | None = None,
    ) -> None:
        """Come back to where the journal's ``lines`` left the game; they are not said again.

        ``settled``: how the game is known to have stood at one of them; what comes before it is gone through only when
        it is asked for. Where the power went while the lines of one event were being written, the missing ones are said
        now. ``TableError`` names the line that can't be of this game.
        """
        held = [line for line in effective(lines) if line["event"] not in QUESTIONS]
        if held and not lines_agree(held[0], self._start.said[0]):
            raise TableError("journal.other_game", at=_line(1))
        stood = self._settled(settled, held) if settled is not None else self._worked_out(held, event_of)
        begin = self._settle(*stood, held, event_of) if stood is not None else 0
        followed, t_ns, entered = self._start.said, now_ns, begin
        for entered, one in self._read_back(self.said, held, range(begin, len(held)), event_of):
            self.said, entry = one, _last(one)
            self.entries.add(entry)
            self._numbers.add(_numbers(held, entered, entry))
            followed, t_ns = entry.said, entry.t_ns
        missing = followed[len(held) - entered :] if held else ()
        if missing:
            said = self._say([(t_ns, one) for one in missing], now_ns)
            if self.said.last is not None:
                self._numbers.put(self.said.last.place, (*self._numbers[self.said.last.place], *said))

    def _settled(self, settled: Settled, held: Sequence[JournalLine]) -> tuple[int, State] | None:
        """How many of the lines that hold lead to what is known, and how the game stood then."""
        begin = settled.place_in(held)
        return (begin, settled.state) if begin else None

    def _worked_out(
        self, held: Sequence[JournalLine], event_of: Callable[[JournalLine], Event | None]
    ) -> tuple[int, State] | None:
        """The same by the rules alone, up to what ended the last hand but two: what is told may go back as far."""
        begun = [place for place, line in enumerate(held) if line["event"] == "hand_started"]
        stood = here = (0, self._start.state)
        for place in range(begun[-2] if len(begun) > 1 else 0):
            happened = self._happened(here[1], held[place], event_of)
            if happened is not None:
                step = happened[1]
                stood, here = here, (place + len(step.said), step.state)
        return stood if stood[0] else None

    def _settle(
        self,
        begin: int,
        state: State,
        held: Sequence[JournalLine],
        event_of: Callable[[JournalLine], Event | None],
    ) -> int:
        """Take it for granted that the game stood at ``state`` after ``begin`` of the lines that hold.

        The place of the first line to be gone through: 0 where that can't be.
        """
        count = sum(map(tells_event, held[:begin]))
        if not count or not any(map(tells_event, held[begin:])):
            return 0

        @cache
        def found() -> list[tuple[Entry, tuple[int, ...]]]:
            start = Explanation(self._start.state)
            read = self._read_back(start, held, range(begin), event_of)
            return [(_last(one), _numbers(held, place, _last(one))) for place, one in read]

        past = Past(count, lambda: [entry for entry, _ in found()])
        self.entries = Row(past)
        self._numbers = Row(Past(count, lambda: [numbers for _, numbers in found()]))
        self._before = held[begin - 1].get("seq", begin)
        self.said = Explanation(state, past=past)
        return begin

    def _read_back(
        self,
        one: Explanation,
        held: Sequence[JournalLine],
        places: Iterable[int],
        event_of: Callable[[JournalLine], Event | None],
    ) -> Iterator[tuple[int, Explanation]]:
        """What came of each line that says what happened, and its place among those that hold."""
        for place in places:
            step = self._resumed(one, held[place], event_of)
            if step is not None:
                one = step
                yield place, one

    def _resumed(
        self, one: Explanation, line: JournalLine, event_of: Callable[[JournalLine], Event | None]
    ) -> Explanation | None:
        """What a line says happened, once more; None for a line that only follows, or is a remark."""
        happened = self._happened(one.state, line, event_of)
        if happened is None:
            return None
        event, step = happened
        said = with_fields(step.said, bare(line))
        return one.told(event, said, line["t_ns"], step.state, None, None, ())

    def _happened(
        self, state: State, line: JournalLine, event_of: Callable[[JournalLine], Event | None]
    ) -> tuple[Event, Step] | None:
        """The event that a line is the own one of, and what comes of it; None for any other line."""
        try:
            event = event_of(line)
        except WrongValueError as wrong:
            raise TableError(wrong, at=_line(line.get("seq"))) from None
        if event is None:
            return None
        step = self.game.apply(state, event)
        if isinstance(step, Refusal):
            raise TableError(
                "journal.impossible", at=_line(line.get("seq")), event=line["event"], why=step.why
            )
        return event, step

    def go_on(self, explanation: Explanation, numbers: Sequence[int], now_ns: int) -> None:
        """Go on from what is settled to ``explanation``, whose first lines the journal has under these numbers.

        The missing ones are said now.
        """
        fresh = self._fresh(explanation)
        lines = [line for entry in fresh for line in _lines(entry)]
        self.said = explanation
        self._enter(fresh, [*numbers, *self._say(lines[len(numbers) :], now_ns)])

    def number_of(self, length: int) -> int:
        """The number of the journal's last line when so many entries had been said."""
        for place in range(length - 1, self._numbers.begins - 1, -1):
            if numbers := self._numbers[place]:
                return numbers[-1]
        return self._before

    def settled_before(self, root: Explanation, crc: Callable[[int], int | None]) -> Settled | None:
        """How the game stood a hand before ``root``, which it has said; what was said since comes back as it is.

        ``crc``: of the journal's rows up to a line. None where nothing came before that, or where it isn't certain what
        of it is on the disk.
        """
        first = root.last
        while (
            first is not None and first.before.hand >= root.state.hand - 1 and isinstance(first.upon, Entry)
        ):
            first = first.upon
        if first is None or not first.place:
            return None
        after = self.number_of(first.place)
        found = crc(after)
        return Settled(after, first.before, found, rules_crc()) if found is not None else None

    def _say(self, lines: Sequence[tuple[int, Said]], now_ns: int) -> list[int]:
        """Say lines; their numbers."""
        return [self.journal.say(said.event, t_ns, now_ns, said.fields)["seq"] for t_ns, said in lines]


def _read_alike(pair: tuple[tuple[int, Said], tuple[int, Said]]) -> bool:
    """Whether two lines tell people the same; how sure that is, or when it was, may differ."""
    (_, was), (_, now) = pair
    return told(was.event, was.fields) == told(now.event, now.fields)


def _hold(pair: tuple[tuple[int, Said], tuple[int, Said]]) -> bool:
    """Whether they tell it of the same moment, too."""
    return _read_alike(pair) and pair[0][0] == pair[1][0]


def _lines(entry: Entry) -> list[tuple[int, Said]]:
    return [(entry.t_ns, said) for said in entry.said]


def _last(one: Explanation) -> Entry:
    """The entry that an explanation has come to."""
    assert one.last is not None
    return one.last


def _numbers(held: Sequence[JournalLine], place: int, entry: Entry) -> tuple[int, ...]:
    """The numbers of an entry's lines, of which the first stands there among those that hold."""
    return tuple(line.get("seq", 0) for line in held[place : place + len(entry.said)])


def _entry_of(entries: Sequence[Entry], line: int) -> Entry | None:
    """The entry that says the line of that number; None past the last."""
    for entry in entries:
        if line < len(entry.said):
            return entry
        line -= len(entry.said)
    return None
