"""The journal sync: keeps the journal in step with the hypothesis in force.

Every journal line comes from an entry of that hypothesis. Where another hypothesis takes its place, the lines that no
longer hold are ``corrected``, and what holds instead is written after that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

from table.errors import TableError
from table.events.event_registry import (
    QUESTION_EVENTS,
    comparable_fields,
    event_from_line,
    event_line,
    line_brief,
)
from table.events.event_spec import Announcement, without_header
from table.games.engine.game_state import Refusal
from table.games.game import Game
from table.phrase import Phrase, PhrasedError, expected_error, make_phrase
from table.referee.model.hypothesis import Hypothesis, StoryEntry, add_line_fields
from table.referee.records.journal import Journal, JournalLine, effective_lines, find_line_fault

Correction: TypeAlias = Mapping[str, Any]
"""The fields ``what``, ``from``, ``to`` and ``by`` of a line ``corrected``."""
_Line: TypeAlias = tuple[StoryEntry, Announcement]
"""A journal line, with the entry from which it comes."""


def line_matches(line: JournalLine, said: Announcement) -> bool:
    """Return whether a journal line says what an announcement says, as JSON has it."""
    fields = json.loads(json.dumps(dict(said.fields)))
    return line["event"] == said.event and all(line.get(key) == value for key, value in fields.items())


def line_begins(line: JournalLine, game: Game) -> bool:
    """Return whether a journal line begins this game: with its players and options."""
    options = line.get("options")
    if isinstance(options, dict):
        # A journal of an earlier version lacks the options that were not known yet: they have their defaults.
        line = {**line, "options": {**type(game.settled)().by_name(), **options}}
    return line_matches(line, game.start().announcements[0])


def make_entry_line(entry: StoryEntry | None) -> dict[str, Any] | None:
    """Return the journal line of an entry's event, without number and times; None for no entry or no event."""
    cause = entry.cause if entry is not None else None
    return event_line(cause) if cause is not None else None


def make_entry_phrase(entry: StoryEntry | None) -> Phrase | None:
    """Return a short phrase for an entry's event; None for no entry or no event."""
    line = make_entry_line(entry)
    return line_brief(line) if line is not None else None


class ImpossibleLineError(TableError):
    """A line of a journal that the game can't have."""

    number: int
    """The line's number."""


def read_journal(game: Game, journal: Journal) -> JournalSync:
    """Read a game back from the lines of its journal that still hold; ``ImpossibleLineError`` for one that can't be."""
    journal_sync, number = JournalSync(game, journal), 1
    try:
        if not journal.lines or not line_begins(journal.lines[0], game):
            raise TableError("journal.other_game")
        for number, line in enumerate(journal.lines, start=1):
            if (fault := find_line_fault(line, number)) is not None:
                raise fault
        for line in effective_lines(journal.lines):
            number = line["seq"]
            journal_sync.read_line(line)
    except Exception as error:  # whatever the rules stumble over in a line that no referee wrote
        garbled = make_phrase("row.garbled", error=f"{type(error).__name__}: {error}")
        what = error if isinstance(error, PhrasedError) else garbled
        wrong = ImpossibleLineError(what, at=make_phrase("at.journal_line", line=number))
        wrong.number = number
        raise wrong from None
    return journal_sync


class JournalSync:
    """The journal of a game, with the hypothesis that it tells."""

    def __init__(self, game: Game, journal: Journal) -> None:
        """A game that begins: no line of ``journal`` has been read."""
        self.game = game
        self.journal = journal
        start = game.start()
        self.hypothesis = Hypothesis(start.state)
        """The hypothesis that the journal tells."""
        self._opening = start.announcements
        self._numbers: list[list[int]] = [[]]
        """The numbers of the journal lines of the opening, and then of each entry."""

    def read_line(self, line: JournalLine) -> None:
        """Read one more line of the journal; ``PhrasedError`` where it can't be of this game.

        The line ``corrected`` takes back those that no longer hold.
        """
        number = line.get("seq", 0)
        if line["event"] == "corrected":
            self._take_back(line.get("since"))
            return
        if line["event"] in QUESTION_EVENTS:
            return
        event, missing = event_from_line(line), self._missing_lines()
        if event is not None:
            step = self.game.apply(self.hypothesis.state, event)
            if isinstance(step, Refusal):
                raise TableError("journal.impossible", event=line["event"], why=step.why)
            due = add_line_fields(step.announcements, without_header(line))
            self.hypothesis = self.hypothesis.add_entry(event, due, line["t_ns"], state=step.state)
            self._numbers[-1] += [number] * len(missing)  # earlier versions did not write these lines
            self._numbers.append([])
        elif not missing:  # it follows from no event: a remark of the referee
            said = Announcement(line["event"], without_header(line))
            self.hypothesis = self.hypothesis.add_entry(said, (said,), line["t_ns"])
            self._numbers.append([])
        self._numbers[-1].append(number)

    def _take_back(self, since: object) -> None:
        """Take back the lines from number ``since`` on."""
        if type(since) is not int:
            raise expected_error("expected.line", at="since")
        while (last := self.hypothesis.last_entry) is not None and self._numbers[-1][0] >= since:
            self.hypothesis = self.hypothesis.rewind_before(last)
            del self._numbers[-1]
        self._numbers[-1] = [number for number in self._numbers[-1] if number < since]

    def _missing_lines(self) -> tuple[Announcement, ...]:
        """Return the lines of the last entry, or of the opening, that are not in the journal."""
        last = self.hypothesis.last_entry
        return (last.announcements if last is not None else self._opening)[len(self._numbers[-1]) :]

    def write_missing(self, now_ns: int) -> None:
        """Write the lines of the last event that are not in the journal: all of a game that begins, else what a power
        cut has torn off.
        """
        last = self.hypothesis.last_entry
        t_ns = last.t_ns if last is not None else now_ns
        missing = [(t_ns, said) for said in self._missing_lines()]
        self._numbers[-1] += self.journal.append_at_once(missing, now_ns)

    def sync_to(
        self,
        hypothesis: Hypothesis,
        now_ns: int,
        correction: Correction | None = None,
    ) -> tuple[StoryEntry, StoryEntry | None] | None:
        """Bring the journal in step with a hypothesis, by new lines and, where lines no longer hold, by a correction.

        Then the first entry that does not hold and the one in its place, if any, are returned, else None.
        ``correction``: that line's fields, where people have corrected something. Where the table changes its mind of
        its own accord, a line holds as long as people read the same in it, though it was at another moment.
        """
        old, fresh = self.hypothesis.entries_beyond(hypothesis), hypothesis.entries_beyond(self.hypothesis)
        start = hypothesis.entry_count - len(fresh)
        numbers = [number for each in self._numbers[start + 1 :] for number in each]
        del self._numbers[start + 1 :]
        self.hypothesis = hypothesis
        gone, come = _lines(old), _lines(fresh)
        still = _same_text if correction is None else _same_text_and_time
        alike = sum(1 for _ in takewhile(still, zip(gone, come, strict=False)))
        added = [(entry.t_ns, said) for entry, said in come[alike:]]
        changed = None
        if alike < len(gone):
            was, now = changed = gone[alike][0], come[alike][0] if added else None
            until = len(self.journal.lines) + 1 + len(added)
            fields = {**(correction or _table_correction(was, now)), "since": numbers[alike], "until": until}
            added.insert(0, (was.t_ns, Announcement("corrected", fields)))
        written = self.journal.append_at_once(added, now_ns)
        left = [*numbers[:alike], *(written[1:] if changed else written)]
        for entry in fresh:
            self._numbers.append(left[: len(entry.announcements)])
            del left[: len(entry.announcements)]
        return changed

    def line_numbers(self, entry: StoryEntry) -> Sequence[int]:
        """Return the numbers of the journal lines of an entry, one for each announcement."""
        return self._numbers[entry.index + 1]

    def line_number_after(self, hypothesis: Hypothesis) -> int:
        """Return the number of the journal's last line of an earlier hypothesis."""
        written = reversed(self._numbers[: hypothesis.entry_count + 1])
        return next(numbers[-1] for numbers in written if numbers)

    def hypothesis_after(self, line: int) -> Hypothesis | None:
        """Return the hypothesis that the journal told up to line ``line``; None where no entry ends there that still
        holds.
        """
        earlier = self.hypothesis
        for entry in self.hypothesis.entries():
            if self.line_numbers(entry)[-1] <= line:
                break
            earlier = earlier.rewind_before(entry)
        return earlier if self.line_number_after(earlier) == line else None


def tells_same(hypothesis: Hypothesis, other: Hypothesis, root: Hypothesis) -> bool:
    """Return whether the lines after ``root`` of a hypothesis begin with those of another, as people read them."""
    mine, theirs = (_lines(each.entries_beyond(root)) for each in (hypothesis, other))
    return len(mine) >= len(theirs) and all(map(_same_text, zip(mine, theirs, strict=False)))


def _lines(entries: Iterable[StoryEntry]) -> list[_Line]:
    return [(entry, said) for entry in entries for said in entry.announcements]


def _same_text(pair: tuple[_Line, _Line]) -> bool:
    """Return whether two lines tell people the same, as JSON has it; confidences and stamps may differ."""
    was, now = (json.loads(json.dumps(comparable_fields(line.event, line.fields))) for _, line in pair)
    return bool(was == now)


def _same_text_and_time(pair: tuple[_Line, _Line]) -> bool:
    """Return whether two lines tell people the same of the same moment."""
    return _same_text(pair) and pair[0][0].t_ns == pair[1][0].t_ns


def _table_correction(was: StoryEntry, now: StoryEntry | None) -> Correction:
    """Return the fields of the journal line ``corrected`` for a correction by the table itself."""
    what = (now or was).announcements[0].event
    return {"what": what, "from": make_entry_line(was), "to": make_entry_line(now), "by": "table"}
