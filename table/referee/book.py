"""The book: the game's state with the journal that makes it, and the way back.

Every line comes from an entry: an event applied to the game (then the game says the lines), or something that
the referee says on its own and that changes no state. Undoing or correcting takes the entries off from some
point, says ``corrected``, and works everything after it out again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from table.errors import TableError
from table.games.base import Event, Game, Refusal, Said, State
from table.referee.journal import Journal, Line, effective

_HEAD = ("seq", "t_ns", "decided_ns", "event")


def lines_agree(line: Line, said: Said) -> bool:
    """Whether a journal line says what ``said`` says, as JSON has it."""
    fields = json.loads(json.dumps(dict(said.fields)))
    return line["event"] == said.event and all(line.get(key) == value for key, value in fields.items())


@dataclass(frozen=True, slots=True)
class Entry:
    """One cause of journal lines."""

    t_ns: int
    cause: Event | Said
    """An event of the game, or what the referee said on its own."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that the referee adds to the first line (``confidence``, ``spread_ns`` ...)."""
    seq: int = 0
    """The number of its first line."""
    before: State | None = None
    """The state that it changed."""

    @property
    def changes(self) -> bool:
        """Whether it is an event of the game."""
        return not isinstance(self.cause, Said)


class Book:
    """A game under way."""

    def __init__(self, game: Game, journal: Journal) -> None:
        self.game = game
        self.journal = journal
        self.entries: list[Entry] = []
        self._start = game.start()
        self.state: State = self._start.state

    def open(self, t_ns: int, now_ns: int) -> None:
        """Say the game's first lines."""
        self._say(self._start.said, t_ns, now_ns, {})

    def apply(
        self, event: Event, t_ns: int, now_ns: int, extra: Mapping[str, Any] | None = None
    ) -> Refusal | None:
        """Apply an event and say what comes of it; a refusal changes and says nothing."""
        step = self.game.apply(self.state, event)
        if isinstance(step, Refusal):
            return step
        self.entries.append(Entry(t_ns, event, extra or {}, len(self.journal.lines) + 1, self.state))
        self.state = step.state
        self._say(step.said, t_ns, now_ns, extra or {})
        return None

    def remark(self, event: str, t_ns: int, now_ns: int, fields: Mapping[str, Any]) -> None:
        """Say a line that changes no state."""
        said = Said(event, fields)
        self.entries.append(Entry(t_ns, said, {}, len(self.journal.lines) + 1, self.state))
        self._say((said,), t_ns, now_ns, {})

    def rewrite(
        self,
        at: int,
        replacement: Sequence[Entry],
        now_ns: int,
        correction: Mapping[str, Any],
        *,
        keep_rest: bool = True,
    ) -> list[Refusal]:
        """Put ``replacement`` in the place of entry ``at`` and work everything after it out again.

        ``correction`` holds the fields ``what``, ``from``, ``to`` and ``by`` of the line ``corrected``. Returns
        the refusals of later events that no longer fit; those are left out. ``keep_rest`` false drops all later
        entries (an undo back to that point).
        """
        old = self.entries[at:]
        first = old[0]
        rest = old[1:] if keep_rest else []
        refusals = []
        with self.journal.correction(first.t_ns, now_ns, {**correction, "since": first.seq}):
            del self.entries[at:]
            assert first.before is not None
            self.state = first.before
            for entry in (*replacement, *rest):
                if isinstance(entry.cause, Said):
                    self.remark(entry.cause.event, entry.t_ns, now_ns, entry.cause.fields)
                elif refusal := self.apply(entry.cause, entry.t_ns, now_ns, entry.extra):
                    refusals.append(refusal)
        return refusals

    def last(self, wanted: Callable[[Entry], bool]) -> int | None:
        """The index of the last entry that is ``wanted``."""
        return next((n for n in range(len(self.entries) - 1, -1, -1) if wanted(self.entries[n])), None)

    def resume(self, lines: Sequence[Line], event_of: Callable[[Line], Event | None], now_ns: int) -> None:
        """Come back to where the journal's ``lines`` left the game; they are not said again.

        Where the power went while the lines of one event were being written, the missing ones are said now.
        ``TableError`` names the line that can't be of this game.
        """
        held = effective(lines)
        if held and not lines_agree(held[0], self._start.said[0]):
            raise TableError("journal line 1: another game, other seats or other options than table.toml's")
        last_said, last_t_ns, after = self._start.said, 0, 0
        for number, line in enumerate(held):
            try:
                event = event_of(line)
            except ValueError as error:
                raise TableError(f"journal line {line.get('seq')}: {error}") from None
            if event is None:
                continue
            step = self.game.apply(self.state, event)
            if isinstance(step, Refusal):
                raise TableError(f"journal line {line.get('seq')}: {line['event']} can't be: {step.why}")
            extra = {key: value for key, value in line.items() if key not in (*_HEAD, *step.said[0].fields)}
            self.entries.append(Entry(line["t_ns"], event, extra, line["seq"], self.state))
            self.state = step.state
            last_said, last_t_ns, after = step.said, line["t_ns"], number
        written = len(held) - after
        if held and written < len(last_said):
            self._say(last_said[written:], last_t_ns or now_ns, now_ns, {})

    def _say(self, said: Sequence[Said], t_ns: int, now_ns: int, extra: Mapping[str, Any]) -> None:
        for number, one in enumerate(said):
            fields = {**one.fields, **extra} if number == 0 else one.fields
            self.journal.say(one.event, t_ns, now_ns, fields)
