"""The journal sync: keeps the journal in step with the hypothesis in force.

Every journal line comes from an entry of that hypothesis. Where another hypothesis takes its place, the lines that no
longer hold are ``corrected``, and what holds instead is written after that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

from table.errors import TableError
from table.events.event_registry import QUESTION_EVENTS, comparable_fields, is_own_line
from table.events.event_spec import Announcement, without_header
from table.events.game_events import Event
from table.games.engine.game_state import Refusal, State, Step
from table.games.game import Game
from table.phrase import Phrase, WrongValueError, make_phrase
from table.referee.model.hypothesis import Hypothesis, StoryEntry, add_line_fields
from table.referee.model.journal_backed_list import LazyList, LazyPrefix
from table.referee.records.game_state_checkpoint import StateCheckpoint, rules_crc
from table.referee.records.journal import Journal, JournalLine, effective_lines

Correction = Mapping[str, Any]
"""The fields ``what``, ``from``, ``to`` and ``by`` of a line ``corrected``."""


def _line_place(number: object) -> Phrase:
    """Return the place of a line, for error messages to people who do not know the file."""
    return make_phrase("at.journal_line", line=number)


def line_matches(line: JournalLine, said: Announcement) -> bool:
    """Return whether a journal line says what an announcement says, as JSON has it."""
    fields = json.loads(json.dumps(dict(said.fields)))
    return line["event"] == said.event and all(line.get(key) == value for key, value in fields.items())


class JournalSync:
    """The journal of a game under way, with the hypothesis that it tells."""

    def __init__(self, game: Game, journal: Journal) -> None:
        self.game = game
        self.journal = journal
        self._start = game.start()
        self.hypothesis = Hypothesis(self._start.state)
        """The hypothesis that the journal tells."""
        self.entries: LazyList[StoryEntry] = LazyList()
        self._numbers: LazyList[tuple[int, ...]] = LazyList()
        """The numbers of the journal lines of each entry."""
        self._last_skipped_number = len(self._start.announcements)
        """The number of the last line before the entries that are in memory."""

    def write_opening(self, t_ns: int, now_ns: int) -> None:
        """Write the game's first lines."""
        self._write([(t_ns, said) for said in self._start.announcements], now_ns)

    def find_last(self, wanted: Callable[[StoryEntry], bool]) -> int | None:
        """Return the index of the last entry that is ``wanted``; None where there is none."""
        return next((entry.index for entry in reversed(self.entries) if wanted(entry)), None)

    def sync_to(
        self,
        hypothesis: Hypothesis,
        now_ns: int,
        correction: Callable[[StoryEntry | None, StoryEntry | None], Correction],
        *,
        by_people: bool = False,
    ) -> tuple[StoryEntry | None, StoryEntry | None] | None:
        """Bring the journal in step with a hypothesis, by new lines and, where lines no longer hold, by a correction.

        ``correction`` makes that line's fields of the first entry that does not hold and the one in its place; the
        two are returned then, else None. Where the table changes its mind of its own accord (not ``by_people``), a
        line holds as long as people read the same in it, though it was at another moment.
        """
        fresh = self._new_entries(hypothesis)
        start = fresh[0].index if fresh else hypothesis.entry_count
        old = self.entries.pop_from(start)
        numbers = [number for each in self._numbers.pop_from(start) for number in each]
        self.hypothesis = hypothesis
        gone = [line for entry in old for line in _lines(entry)]
        come = [line for entry in fresh for line in _lines(entry)]
        still = _same_text_and_time if by_people else _same_text
        alike = sum(1 for _ in takewhile(still, zip(gone, come, strict=False)))
        if alike == len(gone):
            # All lines that people have read still hold.
            self._add_entries(fresh, [*numbers, *self._write(come[alike:], now_ns)])
            return None
        was, now = _entry_of(old, alike), _entry_of(fresh, alike)
        fields = {**correction(was, now), "since": numbers[alike]}
        with self.journal.write_correction(gone[alike][0], now_ns, fields):
            again = self._write(come[alike:], now_ns)
        self._add_entries(fresh, [*numbers[:alike], *again])
        return was, now

    def _new_entries(self, hypothesis: Hypothesis) -> list[StoryEntry]:
        """Return the entries of a hypothesis that are not in the journal yet, oldest first."""
        fresh: list[StoryEntry] = []
        for entry in hypothesis.entries():
            if entry.index < len(self.entries) and self.entries[entry.index] is entry:
                break
            fresh.append(entry)
        fresh.reverse()
        alike = 0
        for entry in fresh:
            if entry.index < len(self.entries) and self.entries[entry.index].reads_same_as(entry):
                self.entries.replace_at(entry.index, entry)
                alike += 1
            else:
                break
        return fresh[alike:]

    def _add_entries(self, fresh: Sequence[StoryEntry], numbers: Sequence[int]) -> None:
        """Add entries with the numbers of their lines."""
        left = list(numbers)
        for entry in fresh:
            self.entries.append(entry)
            self._numbers.append(tuple(left[: len(entry.announcements)]))
            del left[: len(entry.announcements)]

    def resume(
        self,
        lines: Sequence[JournalLine],
        event_of: Callable[[JournalLine], Event | None],
        now_ns: int,
        settled: StateCheckpoint | None = None,
    ) -> None:
        """Restore the game from the lines of its journal, without writing them again.

        ``settled``: a known state of the game at one of them; what comes before that is read only when it is needed.
        Where the power went while the lines of one event were being written, the missing ones are written now.
        ``TableError`` names the line that can't be of this game.
        """
        held = [line for line in effective_lines(lines) if line["event"] not in QUESTION_EVENTS]
        if held and not line_matches(held[0], self._start.announcements[0]):
            raise TableError("journal.other_game", at=_line_place(1))
        stood = (
            self._from_checkpoint(settled, held) if settled is not None else self._from_rules(held, event_of)
        )
        begin = self._start_at(*stood, held, event_of) if stood is not None else 0
        followed, t_ns, entered = self._start.announcements, now_ns, begin
        for entered, hypothesis in self._replay(self.hypothesis, held, range(begin, len(held)), event_of):
            self.hypothesis, entry = hypothesis, _last_entry(hypothesis)
            self.entries.append(entry)
            self._numbers.append(_numbers_of(held, entered, entry))
            followed, t_ns = entry.announcements, entry.t_ns
        missing = followed[len(held) - entered :] if held else ()
        if missing:
            said = self._write([(t_ns, announcement) for announcement in missing], now_ns)
            if self.hypothesis.last_entry is not None:
                self._numbers.replace_at(
                    self.hypothesis.last_entry.index,
                    (*self._numbers[self.hypothesis.last_entry.index], *said),
                )

    def _from_checkpoint(
        self, settled: StateCheckpoint, held: Sequence[JournalLine]
    ) -> tuple[int, State] | None:
        """Return the number of valid lines up to the checkpoint, and the state of the game there."""
        begin = settled.count_lines_before(held)
        return (begin, settled.state) if begin else None

    def _from_rules(
        self, held: Sequence[JournalLine], event_of: Callable[[JournalLine], Event | None]
    ) -> tuple[int, State] | None:
        """Compute a checkpoint by the rules alone, at the end of the last hand but two: corrections may go back as
        far.
        """
        begun = [place for place, line in enumerate(held) if line["event"] == "hand_started"]
        stood = here = (0, self._start.state)
        for place in range(begun[-2] if len(begun) > 1 else 0):
            happened = self._event_of_line(here[1], held[place], event_of)
            if happened is not None:
                step = happened[1]
                stood, here = here, (place + len(step.announcements), step.state)
        return stood if stood[0] else None

    def _start_at(
        self,
        begin: int,
        state: State,
        held: Sequence[JournalLine],
        event_of: Callable[[JournalLine], Event | None],
    ) -> int:
        """Start from ``state`` after the first ``begin`` valid lines, and read those only when they are needed.

        Returns the place of the first line to be read now: 0 where that is impossible.
        """
        count = sum(map(is_own_line, held[:begin]))
        if not count or not any(map(is_own_line, held[begin:])):
            return 0

        @cache
        def found() -> list[tuple[StoryEntry, tuple[int, ...]]]:
            start = Hypothesis(self._start.state)
            read = self._replay(start, held, range(begin), event_of)
            return [
                (_last_entry(hypothesis), _numbers_of(held, place, _last_entry(hypothesis)))
                for place, hypothesis in read
            ]

        past = LazyPrefix(count, lambda: [entry for entry, _ in found()])
        self.entries = LazyList(past)
        self._numbers = LazyList(LazyPrefix(count, lambda: [numbers for _, numbers in found()]))
        self._last_skipped_number = held[begin - 1].get("seq", begin)
        self.hypothesis = Hypothesis(state, past_entries=past)
        return begin

    def _replay(
        self,
        hypothesis: Hypothesis,
        held: Sequence[JournalLine],
        places: Iterable[int],
        event_of: Callable[[JournalLine], Event | None],
    ) -> Iterator[tuple[int, Hypothesis]]:
        """Yield the place and the resulting hypothesis of each line that is an event of its own."""
        for place in places:
            step = self._apply_line(hypothesis, held[place], event_of)
            if step is not None:
                hypothesis = step
                yield place, hypothesis

    def _apply_line(
        self, hypothesis: Hypothesis, line: JournalLine, event_of: Callable[[JournalLine], Event | None]
    ) -> Hypothesis | None:
        """Return the hypothesis after a line's event; None for a line that only follows, or is a remark."""
        happened = self._event_of_line(hypothesis.state, line, event_of)
        if happened is None:
            return None
        event, step = happened
        said = add_line_fields(step.announcements, without_header(line))
        return hypothesis.add_entry(event, said, line["t_ns"], step.state, None, None, ())

    def _event_of_line(
        self, state: State, line: JournalLine, event_of: Callable[[JournalLine], Event | None]
    ) -> tuple[Event, Step] | None:
        """Return the event of which a line is the own one, and its step; None for any other line."""
        try:
            event = event_of(line)
        except WrongValueError as wrong:
            raise TableError(wrong, at=_line_place(line.get("seq"))) from None
        if event is None:
            return None
        step = self.game.apply(state, event)
        if isinstance(step, Refusal):
            raise TableError(
                "journal.impossible", at=_line_place(line.get("seq")), event=line["event"], why=step.why
            )
        return event, step

    def extend_to(self, hypothesis: Hypothesis, numbers: Sequence[int], now_ns: int) -> None:
        """Extend the committed hypothesis to ``hypothesis``, whose first lines the journal has under ``numbers``.

        The missing lines are written now.
        """
        fresh = self._new_entries(hypothesis)
        lines = [line for entry in fresh for line in _lines(entry)]
        self.hypothesis = hypothesis
        self._add_entries(fresh, [*numbers, *self._write(lines[len(numbers) :], now_ns)])

    def line_number_after(self, length: int) -> int:
        """Return the number of the journal's last line after the first ``length`` entries."""
        for place in range(length - 1, self._numbers.first_loaded - 1, -1):
            if numbers := self._numbers[place]:
                return numbers[-1]
        return self._last_skipped_number

    def make_checkpoint_before(
        self, root: Hypothesis, crc: Callable[[int], int | None]
    ) -> StateCheckpoint | None:
        """Return a checkpoint of the game a hand before ``root``; later lines are read back as they are.

        ``crc``: returns the CRC-32 of the journal's rows up to a line. None where nothing came before that, or where
        it isn't certain what of it is on the disk.
        """
        first = root.last_entry
        while (
            first is not None
            and first.state_before.hand >= root.state.hand - 1
            and isinstance(first.predecessor, StoryEntry)
        ):
            first = first.predecessor
        if first is None or not first.index:
            return None
        after = self.line_number_after(first.index)
        found = crc(after)
        return StateCheckpoint(after, first.state_before, found, rules_crc()) if found is not None else None

    def _write(self, lines: Sequence[tuple[int, Announcement]], now_ns: int) -> list[int]:
        """Write lines to the journal, and return their numbers."""
        return [self.journal.append(said.event, t_ns, now_ns, said.fields)["seq"] for t_ns, said in lines]


def _same_text(pair: tuple[tuple[int, Announcement], tuple[int, Announcement]]) -> bool:
    """Return whether two lines tell people the same; confidences and stamps may differ."""
    (_, was), (_, now) = pair
    return comparable_fields(was.event, was.fields) == comparable_fields(now.event, now.fields)


def _same_text_and_time(pair: tuple[tuple[int, Announcement], tuple[int, Announcement]]) -> bool:
    """Return whether two lines tell people the same of the same moment."""
    return _same_text(pair) and pair[0][0] == pair[1][0]


def _lines(entry: StoryEntry) -> list[tuple[int, Announcement]]:
    return [(entry.t_ns, said) for said in entry.announcements]


def _last_entry(hypothesis: Hypothesis) -> StoryEntry:
    """Return the last entry of a hypothesis."""
    assert hypothesis.last_entry is not None
    return hypothesis.last_entry


def _numbers_of(held: Sequence[JournalLine], place: int, entry: StoryEntry) -> tuple[int, ...]:
    """Return the numbers of an entry's lines, of which the first is at ``place`` of the valid lines."""
    return tuple(line.get("seq", 0) for line in held[place : place + len(entry.announcements)])


def _entry_of(entries: Sequence[StoryEntry], line: int) -> StoryEntry | None:
    """Return the entry that has the line of that index; None past the last."""
    for entry in entries:
        if line < len(entry.announcements):
            return entry
        line -= len(entry.announcements)
    return None
