"""The stored facts of the hand in play and the one before, beside the journal: ``NAME.jsonl.facts``.

The journal says what was decided; this file says on what grounds, so that after a power cut the table may still
change its mind. Its first row says what the hand began with and after which line of the journal. Each further row is
a card fact as it came, an observation made of such facts (written again where one of its cards is read better), or
what people have said. Rows have numbers and checksums as the journal's have. A row is on the disk before any line of
the journal that follows from it; when the next hand begins so does the file, all at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from table.errors import TableError
from table.files.atomic_writing import replace_file
from table.files.safe_reading import MB, exists
from table.files.write_as_folder_owner import owner_rights
from table.games.game import Game
from table.observed_facts import CardFact, CardLanded, CardReread
from table.referee.beam_search import BeamSearch
from table.referee.model.hypothesis import DepartingTrick, Hypothesis, TableCard
from table.referee.model.observations import CardsLanded, CardsLeft, Observation, Restarted, landed_cards
from table.referee.model.search_context import Pins, UndoRecord
from table.referee.records.checksummed_journal_rows import line_checksum, scan_rows, seal_row
from table.referee.records.journal import Journal, JournalLine, move_aside
from table.referee.records.journal_of_hypothesis import JournalSync, read_journal
from table.referee.records.json_codec import from_plain, to_plain

ROOT, CAME, OBSERVED, SAID = "root", "came", "observed", "said"
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
class ResumeFacts:
    """The contents of a facts file."""

    hand_start: HandStart
    log: tuple[Observation, ...] = ()
    pins: Pins = field(default_factory=Pins)
    history: tuple[UndoRecord, ...] = ()
    pending_facts: tuple[CardFact, ...] = ()
    """The card facts that came and were not judged yet."""

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
        facts = (*landed_cards(self.log), *self.pending_facts)
        return max(self.hand_start.highest_card_id, *(fact.id for fact in facts), 0)


class StoredGame(NamedTuple):
    """An interrupted game, read back from its journal and from the facts beside it."""

    journal_sync: JournalSync
    facts: Sequence[ResumeFacts] = ()
    """As `scan_facts` returns them."""
    are_facts_damaged: bool = False
    """Whether the facts are damaged by more than a power cut."""


def read_stored_game(game: Game, journal: Journal, facts: Path | None) -> StoredGame:
    """Read a game back from the lines of ``journal``, and from the file ``facts`` beside it; errors as for
    `read_journal`.
    """
    journal_sync = read_journal(game, journal)
    return StoredGame(journal_sync, *(scan_facts(facts) if facts is not None else ()))


def scan_facts(path: Path) -> tuple[list[ResumeFacts], bool]:
    """Read a facts file up to its last sound row, and return also whether it is damaged by more than a power cut.

    The contents without that row come second: where it is what a person has said, or a better reading of a card, the
    power may have gone before the journal was corrected by it. Empty where there is nothing.
    """
    try:
        # The contents of the rows are checked by the codec, not by the events.
        found = scan_rows(path, check=lambda _: None, most=MAX_BYTES)
    except TableError:
        return [], exists(path)
    kept: list[ResumeFacts] = []
    before: list[ResumeFacts] = []
    try:
        for row in found.lines:
            before, kept = kept, [_with_row(kept[0], row) if kept else _parse_root(row)]
    except ValueError:
        return kept, True
    return [*kept, *before], found.damage is not None


def _parse_root(row: JournalLine) -> ResumeFacts:
    """Return the contents after the first row."""
    if row["event"] != ROOT:
        raise ValueError("expected a root")
    return ResumeFacts(from_plain(row.get("stand"), HandStart))


def _with_row(kept: ResumeFacts, row: JournalLine) -> ResumeFacts:
    """Return the contents after one more row; ``ValueError`` where it is none."""
    match row["event"]:
        case "came":
            came = from_plain(row.get("facts"), tuple[CardFact, ...])
            return replace(kept, pending_facts=(*kept.pending_facts, *came))
        case "observed":
            return _with_observation(kept, from_plain(row.get("what"), Observation))
        case "said":
            history = from_plain(row.get("history"), tuple[UndoRecord, ...])
            return replace(kept, pins=from_plain(row.get("pins"), Pins), history=history)
        case other:
            raise ValueError(f"no such row: {other}")


def _with_observation(kept: ResumeFacts, seen: Observation) -> ResumeFacts:
    """Return the contents with one more observation, or with one of which a card was read better.

    The facts that it was made of wait no more. After a restart none waits: they were judged, or are reported again.
    """
    old = next((known for known in kept.log if known.number == seen.number), None)
    if old is None and kept.log and seen.number < kept.log[-1].number:
        raise ValueError("expected a later observation")
    if old is not None and (not isinstance(old, CardsLanded) or old == seen):
        raise ValueError("expected a better reading")
    log = (*kept.log, seen) if old is None else tuple(seen if known is old else known for known in kept.log)
    if isinstance(seen, Restarted):
        return replace(kept, log=log, pending_facts=())
    judged: set[CardFact] = {*seen.cards} if isinstance(seen, CardsLanded | CardsLeft) else set()
    if isinstance(old, CardsLanded):
        reread = {fact.id for fact in judged - {*old.cards}}
        judged |= {fact for fact in kept.pending_facts if isinstance(fact, CardReread) and fact.id in reread}
    return replace(
        kept, log=log, pending_facts=tuple(fact for fact in kept.pending_facts if fact not in judged)
    )


class FactLog:
    """Writes the facts file: what the search depends on."""

    def __init__(self, path: Path | None) -> None:
        """``path``: None where nothing is kept."""
        self.path = path
        self._root: Hypothesis | None = None
        """The search's root that the file begins with; None while it has to be begun anew."""
        self._log: Sequence[Observation] = ()
        self._said: tuple[Pins, tuple[UndoRecord, ...]] = Pins(), ()
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
        journal_sync: JournalSync,
        number: int,
        highest: int,
        waiting: Sequence[CardFact],
    ) -> None:
        """Begin the file anew, where the search has moved on to another root.

        ``journal_sync``: has written the root's lines; ``number``: the last observation's; ``highest``:
        the highest card id so far; ``waiting``: the card facts that came and are not judged yet. A disk that fails
        stops no game: it is tried again.
        """
        if self.path is None or search.root is self._root:
            return
        root = search.root
        stand = _make_hand_start(search, journal_sync, number, highest)
        self._log, self._rows, self._said = (), 0, (Pins(), ())
        head = {"event": ROOT, "stand": to_plain(stand, HandStart)}
        waits = [_facts_row(waiting)] if waiting else []
        data = self._seal_rows([head, *self._new_rows(search), *waits])
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
        pairs = zip_longest(search.log, self._log)
        rows: list[JournalLine] = [
            {"event": OBSERVED, "what": to_plain(now, Observation)} for now, was in pairs if now is not was
        ]
        self._log = search.log
        pins, history = said = search.context.pins, search.context.history
        if said != self._said:
            plain_history = to_plain(history, tuple[UndoRecord, ...])
            rows.append({"event": SAID, "pins": to_plain(pins, Pins), "history": plain_history})
            self._said = said
        return rows

    def _seal_rows(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        sealed = [seal_row({"seq": self._rows + place, **row}) for place, row in enumerate(rows, start=1)]
        self._rows += len(rows)
        return "".join(f"{row}\n" for row in sealed).encode()


def _facts_row(facts: Sequence[CardFact]) -> dict[str, Any]:
    return {"event": CAME, "facts": to_plain(tuple(facts), tuple[CardFact, ...])}


def _make_hand_start(search: BeamSearch, journal_sync: JournalSync, number: int, highest: int) -> HandStart:
    """Return the start of the hand at the search's root."""
    root, lines = search.root, journal_sync.journal.lines
    after = journal_sync.line_number_after(root)
    lying = {piece.id for piece in root.table_cards}
    seen = tuple(fact for known, fact in search.context.landed.items() if known in lying)
    first, last = line_checksum(lines[0]), line_checksum(lines[after - 1])
    return HandStart(after, first, last, number, highest, root.table_cards, root.departing_trick, seen)
