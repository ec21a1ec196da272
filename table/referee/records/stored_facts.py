"""The stored facts of the hand in play and the one before, beside the journal: ``NAME.jsonl.facts``.

The journal says what was decided; this file says on what grounds, so that after a power cut the table may still
change its mind. Its first row says what the hand began with and after which line of the journal. Each further row is
a card fact as it came, an observation made of such facts, a card read better, what people have said, or what of that
can be taken back. Rows have numbers and checksums as the journal's have. A row is on the disk before any line of the
journal that follows from it; when the next hand begins so does the file, all at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from table.errors import TableError
from table.files.atomic_writing import replace_file
from table.files.safe_reading import MB, exists
from table.files.write_as_folder_owner import owner_rights
from table.observed_facts import CardFact, CardLanded, CardReread, Reading
from table.phrase import Phrase
from table.referee.model.hypothesis import DepartingTrick, Hypothesis, TableCard
from table.referee.model.observations import CardsLanded, CardsLeft, Observation, Restarted
from table.referee.model.search_context import Pins
from table.referee.records.checksummed_journal_rows import line_checksum, scan_rows, seal_row
from table.referee.records.journal import JournalLine, move_aside
from table.referee.records.journal_of_hypothesis import JournalSync
from table.referee.records.json_codec import from_plain, to_plain
from table.referee.search.beam_search import BeamSearch

ROOT, CAME, OBSERVED, READ, SAID, WORDS = "root", "came", "observed", "read", "said", "words"
"""The kinds of rows."""
MAX_BYTES = 4 * MB
"""The largest size of the file in bytes; a long hand has a twentieth."""


def facts_path(journal: Path) -> Path:
    """Return the path of the facts file beside a journal."""
    return journal.with_name(f"{journal.name}.facts")


@dataclass(frozen=True, slots=True)
class HandStart:
    """The state of the mark when the hand in play began, and the place of that in the journal."""

    after_line: int
    """The number of the last journal line before the hand."""
    first_line_checksum: str
    """The checksum of the journal's first line ..."""
    last_line_checksum: str
    """... and that of the line ``after_line``."""
    last_observation: int
    """The number of the last observation."""
    highest_card_id: int
    """The highest card id so far."""
    table_cards: tuple[TableCard, ...] = ()
    departing_trick: DepartingTrick | None = None
    landed: tuple[CardLanded, ...] = ()
    """The latest readings of those cards that are in sight."""

    def matches(self, lines: Sequence[JournalLine]) -> bool:
        """Return whether it belongs to the game whose journal has these lines."""
        if not 1 <= self.after_line <= len(lines):
            return False
        return (line_checksum(lines[0]), line_checksum(lines[self.after_line - 1])) == (
            self.first_line_checksum,
            self.last_line_checksum,
        )


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """A correction, undo or answer that can be taken back, as stored in the facts file."""

    description: Phrase
    journal_value: Any
    """The correction as the journal has it: the line of what happened, an answer, or nothing."""
    was_undo: bool
    """Whether it was an undo."""
    pins: Pins
    """What people had said before it."""


@dataclass(frozen=True, slots=True)
class ResumeFacts:
    """The contents of a facts file."""

    hand_start: HandStart
    log: tuple[Observation, ...] = ()
    landed: Mapping[int, CardLanded] = field(default_factory=dict)
    pins: Pins = field(default_factory=Pins)
    pending_facts: tuple[CardFact, ...] = ()
    """The card facts that came and were not judged yet."""
    undo_records: tuple[UndoRecord, ...] = ()
    """The corrections that can be taken back, the latest last."""

    @property
    def last_observation(self) -> int:
        """The number of the last observation."""
        return max(self.hand_start.last_observation, *(observation.number for observation in self.log), 0)

    @property
    def latest_ns(self) -> int:
        """The latest stamp of an observation or a waiting fact; 0 for none."""
        return max((seen.t_ns for seen in (*self.log, *self.pending_facts)), default=0)

    @property
    def highest_card_id(self) -> int:
        """The highest card id so far."""
        return max(
            self.hand_start.highest_card_id, *self.landed, *(fact.id for fact in self.pending_facts), 0
        )


def read_facts(path: Path) -> list[ResumeFacts]:
    """Read a facts file up to its last sound row; empty where there is nothing.

    Where that row is what a person has said, or a better reading of a card, the contents without it come second: the
    power may have gone before the journal was corrected by it.
    """
    return scan_facts(path)[0]


def scan_facts(path: Path) -> tuple[list[ResumeFacts], bool]:
    """Read a facts file as :func:`read_facts` does, and return also whether it is damaged by more than a power cut."""
    try:
        # The contents of the rows are checked by the codec, not by the events.
        found = scan_rows(path, check=lambda _: None, most=MAX_BYTES)
    except TableError:
        return [], exists(path)
    kept: list[ResumeFacts] = []
    before: list[ResumeFacts] = []
    event = ""
    try:
        for row in found.lines:
            before, kept, event = kept, [_with_row(kept[0], row) if kept else _parse_root(row)], row["event"]
    except ValueError:
        return kept, True
    return [*kept, *(before if event in (READ, SAID) else ())], found.damage is not None


def _parse_root(row: JournalLine) -> ResumeFacts:
    """Return the contents after the first row."""
    if row["event"] != ROOT:
        raise ValueError("expected a root")
    stand: HandStart = from_plain(row.get("stand"), HandStart)
    return ResumeFacts(stand, landed={fact.id: fact for fact in stand.landed})


def _with_row(kept: ResumeFacts, row: JournalLine) -> ResumeFacts:
    """Return the contents after one more row; ``ValueError`` where it is none."""
    match row["event"]:
        case "came":
            came = from_plain(row.get("facts"), tuple[CardFact, ...])
            return replace(kept, pending_facts=(*kept.pending_facts, *came))
        case "observed":
            return _with_observation(kept, from_plain(row.get("what"), Observation))
        case "read":
            readings = from_plain(row.get("readings"), tuple[Reading, ...])
            return _with_reading(kept, from_plain(row.get("card"), int), readings)
        case "said":
            return replace(kept, pins=from_plain(row.get("pins"), Pins))
        case "words":
            return replace(kept, undo_records=from_plain(row.get("words"), tuple[UndoRecord, ...]))
        case other:
            raise ValueError(f"no such row: {other}")


def _with_observation(kept: ResumeFacts, seen: Observation) -> ResumeFacts:
    """Return the contents with one more observation; the facts that it was made of wait no more.

    After a restart none waits: they have been judged, or are reported again.
    """
    if kept.log and seen.number <= kept.log[-1].number:
        raise ValueError("expected a later observation")
    kept = replace(kept, log=(*kept.log, seen))
    if isinstance(seen, Restarted):
        kept = replace(kept, pending_facts=())
    if isinstance(seen, CardsLanded | CardsLeft):
        kept = replace(
            kept, pending_facts=tuple(fact for fact in kept.pending_facts if fact not in seen.cards)
        )
    if isinstance(seen, CardsLanded):
        kept = replace(kept, landed={**kept.landed, **{fact.id: fact for fact in seen.cards}})
    return kept


def _with_reading(kept: ResumeFacts, number: int, readings: tuple[Reading, ...]) -> ResumeFacts:
    """Return the contents with a new reading of a card."""
    waiting = tuple(
        fact for fact in kept.pending_facts if not (isinstance(fact, CardReread) and fact.id == number)
    )
    known = kept.landed.get(number)
    landed = {**kept.landed, number: replace(known, readings=readings)} if known is not None else kept.landed
    return replace(kept, pending_facts=waiting, landed=landed)


class FactLog:
    """Writes the facts file: what the search depends on."""

    def __init__(self, path: Path | None) -> None:
        """``path``: None where nothing is kept."""
        self.path = path
        self._root: Hypothesis | None = None
        """The search's root that the file begins with; None while it has to be begun anew."""
        self._log = 0
        self._landed: Mapping[int, CardLanded] = {}
        self._pins = Pins()
        self._rows = 0
        self._bytes = 0

    def write_facts(self, facts: Sequence[CardFact]) -> None:
        """Write card facts as they come: they can't be repeated, as a press of a button can."""
        if self._root is not None and facts:
            self._append([_facts_row(facts)])

    def write_search(self, search: BeamSearch) -> None:
        """Write the new observations, readings and pins of a search, before anything that follows is announced."""
        if search.root is self._root:
            self._append(self._new_rows(search))

    def write_undo_records(self, search: BeamSearch, records: tuple[UndoRecord, ...]) -> None:
        """Write which corrections can be taken back now; all of them were made on top of the same root."""
        if search.root is self._root:
            self._append([_undo_row(records)])

    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        if self.path is None or not rows:
            return
        data = self._seal_rows(rows)
        try:
            with owner_rights(self.path):
                file = self.path.open("r+b")
            with file:
                if file.seek(0, os.SEEK_END) != self._bytes:
                    raise OSError("it was changed by something else")
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            self._root = None
        self._bytes += len(data)

    def begin_hand(
        self,
        search: BeamSearch,
        book: JournalSync,
        number: int,
        highest: int,
        waiting: Sequence[CardFact],
        undo_records: tuple[UndoRecord, ...],
    ) -> None:
        """Begin the file anew, where the search has moved on to another root.

        ``book``: the journal sync that has written the root's lines; ``number``: the last observation's; ``highest``:
        the highest card id so far; ``waiting``: the card facts that came and are not judged yet; ``undo_records``: the
        corrections that can be taken back. A disk that fails stops no game: it is tried again.
        """
        if self.path is None or search.root is self._root:
            return
        root = search.root
        stand = _make_hand_start(search, book, number, highest)
        self._log, self._rows, self._pins = 0, 0, Pins()
        self._landed = {fact.id: fact for fact in stand.landed}
        head = {"event": ROOT, "stand": to_plain(stand, HandStart)}
        undo = [_undo_row(undo_records)] if undo_records else []
        waits = [_facts_row(waiting)] if waiting else []
        data = self._seal_rows([head, *self._new_rows(search), *undo, *waits])
        try:
            replace_file(self.path, data)
        except OSError:
            return
        self._root, self._bytes = root, len(data)

    def set_aside(self) -> bool:
        """Rename the file, by which the game can't be resumed; return whether there was one. Nothing needs it."""
        if self.path is None or not exists(self.path):
            return False
        with suppress(OSError):
            move_aside(self.path)
        return True

    def delete(self) -> None:
        """Delete the file, as the game is over."""
        self._root = None
        if self.path is not None:
            with suppress(OSError), owner_rights(self.path):
                self.path.unlink(missing_ok=True)

    def _new_rows(self, search: BeamSearch) -> list[JournalLine]:
        """Return rows for what was not written yet."""
        rows: list[JournalLine] = []
        known = dict(self._landed)
        for observation in search.log[self._log :]:
            rows.append({"event": OBSERVED, "what": to_plain(observation, Observation)})
            if isinstance(observation, CardsLanded):
                known.update((fact.id, fact) for fact in observation.cards)
        self._log = len(search.log)
        if search.context.landed is not self._landed:
            for number, fact in search.context.landed.items():
                if number in known and known[number].readings != fact.readings:
                    readings = to_plain(fact.readings, tuple[Reading, ...])
                    rows.append({"event": READ, "card": number, "readings": readings})
            self._landed = search.context.landed
        if search.context.pins != self._pins:
            self._pins = search.context.pins
            rows.append({"event": SAID, "pins": to_plain(self._pins, Pins)})
        return rows

    def _seal_rows(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        sealed = [seal_row({"seq": self._rows + place, **row}) for place, row in enumerate(rows, start=1)]
        self._rows += len(rows)
        return "".join(f"{row}\n" for row in sealed).encode()


def _facts_row(facts: Sequence[CardFact]) -> dict[str, Any]:
    return {"event": CAME, "facts": to_plain(tuple(facts), tuple[CardFact, ...])}


def _undo_row(records: tuple[UndoRecord, ...]) -> dict[str, Any]:
    return {"event": WORDS, "words": to_plain(records, tuple[UndoRecord, ...])}


def _make_hand_start(search: BeamSearch, book: JournalSync, number: int, highest: int) -> HandStart:
    """Return the start of the hand at the search's root."""
    root, lines = search.root, book.journal.lines
    after = book.line_number_after(root.entry_count)
    lying = {piece.id for piece in root.table_cards}
    seen = tuple(fact for known, fact in search.context.landed.items() if known in lying)
    first, last = line_checksum(lines[0]), line_checksum(lines[after - 1])
    return HandStart(after, first, last, number, highest, root.table_cards, root.departing_trick, seen)
