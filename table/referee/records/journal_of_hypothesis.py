"""The journal sync: keeps the journal in step with the hypothesis in force.

Every journal line comes from an entry of that hypothesis. Where another hypothesis takes its place, the lines that no
longer hold are ``corrected``, and what holds instead is written after that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from table.events.event_spec import Announcement, LineFields, without_header
from table.games.engine.game_state import Refusal
from table.games.game import Game
from table.phrase import Phrase, WrongValueError, make_phrase
from table.referee.model.hypothesis import Hypothesis, StoryEntry, add_line_fields
from table.referee.records.journal import Journal, JournalLine, effective_lines

Correction: TypeAlias = Mapping[str, Any]
"""The fields ``what``, ``from``, ``to`` and ``by`` of a line ``corrected``."""
_Line: TypeAlias = tuple[StoryEntry, Announcement]
"""A journal line, with the entry from which it comes."""


def _line_place(number: object) -> Phrase:
    """Return the place of a line, for error messages to people who do not know the file."""
    return make_phrase("at.journal_line", line=number)


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


@dataclass(frozen=True, slots=True)
class Story:
    """A game as read back from the lines of its journal."""

    hypothesis: Hypothesis
    numbers: tuple[tuple[int, ...], ...]
    """The numbers of the journal lines of each entry."""
    missing: tuple[Announcement, ...] = ()
    """The lines of the last event that were not written before the power went."""

    def cut_after(self, line: int) -> Story | None:
        """Return the story up to journal line ``line``; None where no entry ends there that still holds."""
        story = self._first_entries(sum(numbers[-1] <= line for numbers in self.numbers))
        ends_there = not story.numbers or story.numbers[-1][-1] == line
        return story if ends_there and not story.missing else None

    def before_hand(self, hand: int) -> Story:
        """Return the story up to where a hand began."""
        since = takewhile(lambda entry: entry.state_before.hand >= hand, self.hypothesis.entries())
        return self._first_entries(len(self.numbers) - sum(1 for _ in since))

    def _first_entries(self, count: int) -> Story:
        """Return the story of the first ``count`` entries."""
        cut = next((entry for entry in self.hypothesis.entries() if entry.index == count), None)
        if cut is None:
            return self
        return Story(self.hypothesis.rewind_before(cut), self.numbers[:count])


def read_story(game: Game, lines: Sequence[JournalLine]) -> Story:
    """Read a game back from the lines of its journal; ``TableError`` names the line that can't be of this game."""
    held = [line for line in effective_lines(lines) if line["event"] not in QUESTION_EVENTS]
    start = game.start()
    if held and not line_begins(held[0], game):
        raise TableError("journal.other_game", at=_line_place(1))
    hypothesis, numbers = Hypothesis(start.state), []
    due, since = start.announcements, 0
    for place, line in enumerate(held):
        try:
            event = event_from_line(line)
        except WrongValueError as wrong:
            raise TableError(wrong, at=_line_place(line.get("seq"))) from None
        if event is None:
            if place >= since + len(due):  # it follows from no event: a remark of the referee
                said = Announcement(line["event"], without_header(line))
                hypothesis = hypothesis.add_entry(said, (said,), line["t_ns"])
                numbers.append((line.get("seq", 0),))
            continue
        step = game.apply(hypothesis.state, event)
        if isinstance(step, Refusal):
            where = _line_place(line.get("seq"))
            raise TableError("journal.impossible", at=where, event=line["event"], why=step.why)
        due, since = add_line_fields(step.announcements, without_header(line)), place
        numbers.append(tuple(line.get("seq", 0) for line in held[place : place + len(due)]))
        hypothesis = hypothesis.add_entry(event, due, line["t_ns"], state=step.state)
    return Story(hypothesis, tuple(numbers), due[len(held) - since :] if held else ())


def make_entry_line(entry: StoryEntry | None) -> dict[str, Any] | None:
    """Return the journal line of an entry's event, without number and times; None for no entry or no event."""
    cause = entry.cause if entry is not None else None
    return event_line(cause) if cause is not None else None


def make_entry_phrase(entry: StoryEntry | None) -> Phrase | None:
    """Return a short phrase for an entry's event; None for no entry or no event."""
    line = make_entry_line(entry)
    return line_brief(line) if line is not None else None


class JournalSync:
    """The journal of a game under way, with the hypothesis that it tells."""

    def __init__(self, game: Game, journal: Journal, story: Story | None = None) -> None:
        """``story``: what the lines of ``journal`` tell, where the game goes on from there."""
        self.game = game
        self.journal = journal
        self._opening = game.start().announcements
        self.hypothesis = story.hypothesis if story is not None else Hypothesis(game.start().state)
        """The hypothesis that the journal tells."""
        self._numbers: list[tuple[int, ...]] = [*story.numbers] if story is not None else []
        """The numbers of the journal lines of each entry."""

    def write_opening(self, t_ns: int, now_ns: int) -> None:
        """Write the game's first lines."""
        self.journal.append_at_once([(t_ns, said) for said in self._opening], now_ns)

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
        numbers = [number for each in self._numbers[start:] for number in each]
        del self._numbers[start:]
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
            self._numbers.append(tuple(left[: len(entry.announcements)]))
            del left[: len(entry.announcements)]
        return changed

    def write_missing(self, missing: Sequence[Announcement], now_ns: int) -> None:
        """Write the lines of the last event that were not written before the power went."""
        if missing:
            last = self.hypothesis.last_entry
            t_ns = last.t_ns if last is not None else now_ns
            written = self.journal.append_at_once([(t_ns, said) for said in missing], now_ns)
            self._numbers[-1:] = [(*numbers, *written) for numbers in self._numbers[-1:]]

    def line_numbers(self, entry: StoryEntry) -> tuple[int, ...]:
        """Return the numbers of the journal lines of an entry of the story, one for each announcement."""
        return self._numbers[entry.index]

    def line_number_after(self, length: int) -> int:
        """Return the number of the journal's last line after the first ``length`` entries."""
        written = (numbers[-1] for numbers in reversed(self._numbers[:length]) if numbers)
        return next(written, len(self._opening))


def readable_fields(event: str, fields: LineFields) -> Any:
    """Return what a line tells people, as JSON has it, without confidences: the journal has those of the time of
    writing.
    """
    return json.loads(json.dumps(comparable_fields(event, fields)))


def _lines(entries: Iterable[StoryEntry]) -> list[_Line]:
    return [(entry, said) for entry in entries for said in entry.announcements]


def _same_text(pair: tuple[_Line, _Line]) -> bool:
    """Return whether two lines tell people the same; confidences and stamps may differ."""
    (_, was), (_, now) = pair
    return bool(readable_fields(was.event, was.fields) == readable_fields(now.event, now.fields))


def _same_text_and_time(pair: tuple[_Line, _Line]) -> bool:
    """Return whether two lines tell people the same of the same moment."""
    return _same_text(pair) and pair[0][0].t_ns == pair[1][0].t_ns


def _table_correction(was: StoryEntry, now: StoryEntry | None) -> Correction:
    """Return the fields of the journal line ``corrected`` for a correction by the table itself."""
    what = (now or was).announcements[0].event
    return {"what": what, "from": make_entry_line(was), "to": make_entry_line(now), "by": "table"}
