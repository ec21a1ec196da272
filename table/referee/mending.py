"""People's corrections: undo, redo, another card or player, another bid. All of them are said to the search."""

from __future__ import annotations

from dataclasses import replace

from table.games.base import Event, Played, Refusal
from table.referee.corrections import told
from table.referee.desk import Desk
from table.referee.explanation import Entry, Explanation
from table.referee.setting import Pins


class Mending:
    """Puts right what was decided."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._undone: list[tuple[Pins, str]] = []
        """What may be done again: what people had said before the undo, and what was undone."""

    def undo(self, at: int, by: str) -> str:
        """Take entry ``at`` of the book and all after it back; what was undone, in words."""
        entry = self.desk.book.entries[at]
        undone = told(entry) or ""
        correction = {"what": "undo", "from": undone, "to": None, "by": by}
        search = self.desk.search
        numbers = {one.number for one in search.log}
        if entry.item in numbers:
            items = {one.item for one in self.desk.book.entries[at:] if one.item is not None}
            pins = search.setting.pins
            self._undone.append((pins, undone))
            struck = pins.struck | {number for number in items if number >= (entry.item or 0)}
            self.desk.pin(pins.striking(frozenset(struck)), correction)
        else:
            self.desk.begin_from(self._until(entry), correction)
        self.desk.tell(self.desk.now_ns, "ruling", "undone", by, by=by, what=undone)
        return undone

    @property
    def redoable(self) -> str | None:
        """What was undone last and may be done again."""
        return self._undone[-1][1] if self._undone else None

    def redo(self, by: str) -> None:
        """Take the last undo back."""
        pins, what = self._undone.pop()
        self.desk.pin(pins, {"what": "redo", "from": None, "to": what, "by": by})
        self.desk.tell(self.desk.now_ns, "ruling", "redone", by, by=by, what=what)

    def correct(self, at: int, event: Event, by: str) -> bool:
        """Put ``event`` in the place of entry ``at``, and work everything after it out again.

        Whether the game agrees: false where the event can't have been, and then nothing has changed.
        """
        entry = self.desk.book.entries[at]
        if isinstance(self.desk.game.apply(entry.before, event), Refusal):
            return False
        self._undone.clear()
        correction = self._said(entry, event, by)
        pins = self._pinned(entry, event)
        if pins is not None:
            self.desk.pin(pins, correction)
        else:
            self.desk.begin_from(self._instead(at, event), correction)
        self.desk.tell(
            self.desk.now_ns,
            "ruling",
            "corrected",
            by,
            by=by,
            was=told(entry),
            now=told(replace(entry, cause=event)),
        )
        return True

    def _said(self, entry: Entry, event: Event, by: str) -> dict[str, object]:
        was, now = told(entry), told(replace(entry, cause=event))
        what = entry.said[0].event if entry.said else type(event).__name__
        if isinstance(event, Played) and isinstance(entry.cause, Played):
            other_card = event.card != entry.cause.card
            was = str(entry.cause.card) if other_card else entry.cause.seat
            now = str(event.card) if other_card else event.seat
        return {"what": what, "from": was, "to": now, "by": by}

    def _pinned(self, entry: Entry, event: Event) -> Pins | None:
        """What to say to the search; None where the entry is of a closed hand, or from before a power cut."""
        search = self.desk.search
        pins = search.setting.pins
        if entry.item is None or all(one.number != entry.item for one in search.log):
            return None
        if not isinstance(event, Played):
            return pins.with_event(entry.item, event)
        if entry.piece is not None:
            return pins.with_card(entry.piece, event.card).with_seat(entry.piece, event.seat)
        return pins.with_unseen(entry.before.hand, len(entry.before.tricks) + 1, event.seat, event.card)

    def _until(self, entry: Entry) -> Explanation:
        """The game as it stood before an entry that the log doesn't reach."""
        return replace(
            self.desk.search.root, state=entry.before, last=entry.earlier, pieces=(), leaving=None, cost=0.0
        )

    def _instead(self, at: int, event: Event) -> Explanation:
        """What is settled, with another event in the place of entry ``at``; what no longer fits is left out."""
        entries = self.desk.book.entries
        root = self.desk.search.root
        settled = root.last.place if root.last is not None else -1
        one = replace(root, state=entries[at].before, last=entries[at].earlier)
        for entry in entries[at : settled + 1]:
            cause = event if entry is entries[at] else entry.cause
            if not entry.changes or cause is None:
                one = one.remarked(entry.said[0] if entry.said else None, entry.t_ns, told=entry.told)
                continue
            extra = dict(entry.said[0].fields) if entry is not entries[at] else {"by": "corrected"}
            after = one.applied(self.desk.game, cause, entry.t_ns, extra=extra)  # type: ignore[arg-type]
            if not isinstance(after, Refusal):
                one = after
        return replace(one, cost=0.0, pieces=root.pieces, leaving=root.leaving)
