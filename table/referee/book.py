"""The book: the game's state with the journal that makes it, and the way back.

Every line comes from an entry: an event applied to the game (then the game says the lines), or something that
the referee says on its own and that changes no state. Undoing or correcting takes the entries off from some
point, says ``corrected``, and works everything after it out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from table.errors import TableError
from table.games.base import Event, Game, Refusal, Said, State
from table.referee.journal import Journal, Line, effective


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
        self.journal.say("corrected", first.t_ns, now_ns, {**correction, "since": first.seq})
        del self.entries[at:]
        assert first.before is not None
        self.state = first.before
        refusals = []
        for entry in (*replacement, *rest):
            if isinstance(entry.cause, Said):
                self.remark(entry.cause.event, entry.t_ns, now_ns, entry.cause.fields)
            elif refusal := self.apply(entry.cause, entry.t_ns, now_ns, entry.extra):
                refusals.append(refusal)
        return refusals

    def last(self, wanted: Callable[[Entry], bool]) -> int | None:
        """The index of the last entry that is ``wanted``."""
        return next((n for n in range(len(self.entries) - 1, -1, -1) if wanted(self.entries[n])), None)

    def resume(self, lines: Iterable[Line], event_of: Callable[[Line], Event | None]) -> None:
        """Come back to where a journal's ``lines`` left the game, without saying anything again.

        ``TableError`` when the lines are not those of this game (then the line is named).
        """
        own = {"seq", "t_ns", "decided_ns", "event"}
        for line in effective(lines):
            event = event_of(line)
            if event is None:
                continue
            step = self.game.apply(self.state, event)
            if isinstance(step, Refusal):
                raise TableError(f"journal line {line['seq']}: {line['event']} can't be: {step.why}")
            fields = {key: value for key, value in line.items() if key not in own}
            extra = {key: value for key, value in fields.items() if key not in step.said[0].fields}
            self.entries.append(Entry(line["t_ns"], event, extra, line["seq"], self.state))
            self.state = step.state

    def _say(self, said: Sequence[Said], t_ns: int, now_ns: int, extra: Mapping[str, Any]) -> None:
        for number, one in enumerate(said):
            fields = {**one.fields, **extra} if number == 0 else one.fields
            self.journal.say(one.event, t_ns, now_ns, fields)
