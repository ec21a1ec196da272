"""The facts of the hand in play and the one before, kept beside the journal: ``NAME.jsonl.facts``.

The journal says what was decided; this file says on what grounds, so that after a power cut the table may still
change its mind. Its first row says what the hand began with and after which line of the journal, its second, where it
has one, how the game stood just before, so that nothing earlier need be worked out again; each further row is a card
fact as it came, something observed that was made of such facts, a card read better, what people have said, what of that
can be taken back, or what stands of the hand before.
Rows have numbers and checksums as the journal's have. A row is on the disk before any line of the journal that follows
from it; when the next hand begins so does the file, all at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from table.errors import TableError
from table.facts import CardFact, CardLanded, CardReread, Reading
from table.files.reading import MB, exists
from table.files.rights import rights_at
from table.files.writing import replace_file
from table.phrase import Phrase
from table.referee.book import Book
from table.referee.explanation import Explanation, Leaving, Piece
from table.referee.journal import JournalLine, keep_aside
from table.referee.observations import Landed, Left, Observation, Restarted
from table.referee.opened import Opened, opened_by
from table.referee.plain import from_plain, to_plain
from table.referee.rows import checksum, scan, seal
from table.referee.search import Search
from table.referee.setting import Pins
from table.referee.settled import Settled

ROOT, SETTLED, OPENED, CAME, OBSERVED = "root", "settled", "opened", "came", "observed"
READ, SAID, WORDS = "read", "said", "words"
"""The kinds of rows."""
MOST = 4 * MB
"""Bytes of the file; a long hand has a twentieth."""
MOST_ROWS = 2_000
"""Each is accounted for again; a hand of thirteen cards for six players has some four hundred."""
MOST_LYING = 54
"""Cards on the mark at once: a whole pack with its jokers. With each that lies there are more to account for."""
MOST_WAITING = 28
"""Card facts that are not judged yet: of each of seven players a card that lands, is read again twice, and is taken
back. They wait for a tie window; in the tests' games there are 3 at most."""
MOST_AT_ONCE = 7
"""Cards among them that have landed: each of seven players leads. What else they may be grows as their permutations."""


def facts_path(journal: Path) -> Path:
    """Where the facts of the game lie that is kept in ``journal``."""
    return journal.with_name(f"{journal.name}.facts")


@dataclass(frozen=True, slots=True)
class Stand:
    """What stood when the hand in play began, and where."""

    after: int
    """The number of the last journal line that belongs to it."""
    game: str
    """The checksum of the journal's first line ..."""
    line: str
    """... and that of the line ``after``."""
    number: int
    """The last observation's number."""
    highest: int
    """No card on the mark has had a higher number."""
    pieces: tuple[Piece, ...] = ()
    leaving: Leaving | None = None
    landed: tuple[CardLanded, ...] = ()
    """How those pieces were read last that can be seen."""

    def fits(self, lines: Sequence[JournalLine]) -> bool:
        """Whether it is of the game whose journal holds these lines."""
        if not 1 <= self.after <= len(lines):
            return False
        return (checksum(lines[0]), checksum(lines[self.after - 1])) == (self.game, self.line)


@dataclass(frozen=True, slots=True)
class KeptWord:
    """Something that somebody has said of what was decided, which can be taken back."""

    what: Phrase
    line: Any
    """The same as the journal has it: the line of what happened, an answer, or nothing."""
    undid: bool
    """Whether it was an undo."""
    number: int
    """What has been observed since has a higher number."""
    pins: Pins
    """What people had said before it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the file tells."""

    stand: Stand
    settled: Settled | None = None
    """How the game stood before what led to it."""
    opened: Opened | None = None
    """What stands of the hand before; None where people have changed something in it since."""
    log: tuple[Observation, ...] = ()
    landed: Mapping[int, CardLanded] = field(default_factory=dict)
    pins: Pins = field(default_factory=Pins)
    waiting: tuple[CardFact, ...] = ()
    """The card facts that came and were not judged yet."""
    words: tuple[KeptWord, ...] = ()
    """The latest last."""

    @property
    def number(self) -> int:
        """The last observation's number."""
        return max(self.stand.number, *(one.number for one in self.log), 0)

    @property
    def latest_ns(self) -> int:
        """The latest moment at which something was seen or heard; 0: nothing was."""
        return max((one.t_ns for one in (*self.log, *self.waiting)), default=0)

    @property
    def highest(self) -> int:
        """No card on the mark has had a higher number."""
        return max(self.stand.highest, *self.landed, *(one.id for one in self.waiting), 0)


def read_kept(path: Path) -> list[Kept]:
    """What the file at ``path`` tells, up to its last sound row; empty: nothing.

    Where that row is what a person has said, or a better look at a card, the same without it comes second: the power
    may have gone before the journal was corrected by it.
    """
    return scan_kept(path)[0]


def scan_kept(path: Path) -> tuple[list[Kept], bool]:
    """The same, and whether the file is damaged: more is wrong with it than what a power cut tears off."""
    try:
        # What its rows may hold is told by the types of what they tell.
        found = scan(path, check=lambda _: None, most=MOST)
    except TableError:
        return [], exists(path)
    if len(found.lines) > MOST_ROWS:
        return [], True
    kept: list[Kept] = []
    before: list[Kept] = []
    event = ""
    try:
        for row in found.lines:
            before, kept, event = kept, [_with_row(kept[0], row) if kept else _root(row)], row["event"]
    except ValueError:
        return kept, True
    if not all(map(_is_plausible, kept)):
        return [], True
    return [*kept, *(before if event in (READ, SAID) else ())], found.damage is not None


def _is_plausible(kept: Kept) -> bool:
    """Whether no observation comes twice, no more waits than comes at once, and no more cards lie than a pack has."""
    numbers = [one.number for one in kept.log]
    lying = [len(kept.stand.pieces)]
    for one in kept.log:
        match one:
            case Landed():
                lying.append(lying[-1] + len(one.cards))
            case Left():
                lying.append(max(0, lying[-1] - len(one.cards)))
            case Restarted():  # what lies there is seen anew
                lying.append(0)
    is_once = len(set(numbers)) == len(numbers)
    at_once = sum(isinstance(fact, CardLanded) for fact in kept.waiting)
    waits = len(kept.waiting) <= MOST_WAITING and at_once <= MOST_AT_ONCE
    return is_once and waits and max(lying) <= MOST_LYING


def put_aside(path: Path) -> None:
    """Keep a damaged file under another name, where that can be done: nothing needs it."""
    with suppress(OSError):
        keep_aside(path)


def _root(row: JournalLine) -> Kept:
    """What the first of the rows tells."""
    if row["event"] != ROOT:
        raise ValueError("expected a root")
    stand: Stand = from_plain(row.get("stand"), Stand)
    return Kept(stand, landed={fact.id: fact for fact in stand.landed})


def _with_row(kept: Kept, row: JournalLine) -> Kept:
    """What is known after one more row; ``ValueError`` where it is none."""
    match row["event"]:
        case "settled":
            return replace(kept, settled=_settled(row))
        case "opened":
            return replace(kept, opened=_opened(row))
        case "came":
            came = from_plain(row.get("facts"), tuple[CardFact, ...])
            return replace(kept, waiting=(*kept.waiting, *came))
        case "observed":
            return _observed(kept, from_plain(row.get("what"), Observation))
        case "read":
            readings = from_plain(row.get("readings"), tuple[Reading, ...])
            return _read_better(kept, from_plain(row.get("card"), int), readings)
        case "said":
            return replace(kept, pins=from_plain(row.get("pins"), Pins), opened=None)
        case "words":
            return replace(kept, words=from_plain(row.get("words"), tuple[KeptWord, ...]))
        case other:
            raise ValueError(f"no such row: {other}")


def _settled(row: JournalLine) -> Settled | None:
    """What a row says; None where that is no state of today's games: then the journal alone tells it."""
    with suppress(ValueError):
        found: Settled = from_plain(row.get("what"), Settled)
        return found
    return None


def _opened(row: JournalLine) -> Opened | None:
    """What a row says; None where it says nothing of today's games: then the hand is worked out again."""
    with suppress(ValueError):
        found: Opened = from_plain(row.get("what"), Opened)
        return found
    return None


def _observed(kept: Kept, seen: Observation) -> Kept:
    """With one more observation; what it was made of waits no more."""
    kept = replace(kept, log=(*kept.log, seen))
    if isinstance(seen, Landed | Left):
        kept = replace(kept, waiting=tuple(fact for fact in kept.waiting if fact not in seen.cards))
    if isinstance(seen, Landed):
        kept = replace(kept, landed={**kept.landed, **{fact.id: fact for fact in seen.cards}})
    return kept


def _read_better(kept: Kept, number: int, readings: tuple[Reading, ...]) -> Kept:
    """With a card read otherwise than when it landed."""
    waiting = tuple(fact for fact in kept.waiting if not (isinstance(fact, CardReread) and fact.id == number))
    known = kept.landed.get(number)
    landed = {**kept.landed, number: replace(known, readings=readings)} if known is not None else kept.landed
    before = kept.log[: kept.opened.gate] if kept.opened is not None else ()
    is_before = any(
        isinstance(one, Landed) and any(fact.id == number for fact in one.cards) for one in before
    )
    return replace(kept, waiting=waiting, landed=landed, opened=None if is_before else kept.opened)


class Keeper:
    """Writes down what a search goes by."""

    def __init__(self, path: Path | None, highest: int = 0) -> None:
        """``path``: None where nothing is kept; ``highest``: no card has had a higher number."""
        self.path = path
        self.highest = highest
        self.words: tuple[KeptWord, ...] = ()
        """What can be taken back of what people have said."""
        self._root: Explanation | None = None
        """What the file begins with; None while it has to be begun anew."""
        self._gate = 0
        """Where in it the hand in play begins."""
        self._log = 0
        self._landed: Mapping[int, CardLanded] = {}
        self._pins = Pins()
        self._rows = 0
        self._bytes = 0

    def came(self, facts: Sequence[CardFact]) -> None:
        """Write down card facts as they come: nobody can make them again, as a press can be made again."""
        if self._root is not None and facts:
            self._append([_came(facts)])

    def add(self, search: Search) -> None:
        """Write down what is new, before anything is said that follows from it."""
        if search.root is self._root:
            self._append(self._fresh(search))

    def note(self, search: Search, words: Sequence[KeptWord]) -> None:
        """What can be taken back now of what people have said; all of it was said on top of the same root."""
        if tuple(words) == self.words:
            return
        self.words = tuple(words)
        if search.root is self._root:
            self._append([self._said()])

    def _said(self) -> JournalLine:
        return {"event": WORDS, "words": to_plain(self.words, tuple[KeptWord, ...])}

    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        if self.path is None or not rows:
            return
        data = self._sealed(rows)
        try:
            with rights_at(self.path):
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

    def begin(self, search: Search, book: Book, number: int, waiting: Sequence[CardFact] = ()) -> None:
        """Begin the file anew where the search stands elsewhere now, its root on what ``book`` has said.

        ``number``: the last observation's; ``waiting``: the card facts that came and are not judged yet. A disk that
        fails stops no game: it is tried again.
        """
        if self.path is None or (search.root is self._root and search.gate == self._gate):
            return
        root = search.root
        if self._root is not None and root is not self._root:
            self.words = ()
        self.highest = max(self.highest, *search.setting.landed, 0)
        stand = self._stand(search, book, number)
        self._log, self._rows, self._pins = 0, 0, Pins()
        self._landed = {fact.id: fact for fact in stand.landed}
        head = {"event": ROOT, "stand": to_plain(stand, Stand)}
        settled = book.settled_before(root, book.journal.crc)
        also = [{"event": SETTLED, "what": to_plain(settled, Settled)}] if settled is not None else []
        rest = [*([self._said()] if self.words else []), *([_came(waiting)] if waiting else [])]
        opened = opened_by(search)
        if opened is not None:
            rest.append({"event": OPENED, "what": to_plain(opened, Opened)})
        data = self._sealed([head, *also, *self._fresh(search), *rest])
        try:
            replace_file(self.path, data)
        except OSError:
            return
        self._root, self._gate, self._bytes = root, search.gate, len(data)

    def _stand(self, search: Search, book: Book, number: int) -> Stand:
        """What stands at the search's root."""
        root, lines = search.root, book.journal.lines
        after = book.number_of(root.length)
        lying = {one.id for one in root.pieces}
        seen = tuple(fact for known, fact in search.setting.landed.items() if known in lying)
        first, last = checksum(lines[0]), checksum(lines[after - 1])
        return Stand(after, first, last, number, self.highest, root.pieces, root.leaving, seen)

    def end(self) -> None:
        """The game is over, and nothing of it in play any more."""
        self._root, self.words = None, ()
        if self.path is not None:
            with suppress(OSError), rights_at(self.path):
                self.path.unlink(missing_ok=True)

    def _fresh(self, search: Search) -> list[JournalLine]:
        """Rows for what was not written yet."""
        rows: list[JournalLine] = []
        known = dict(self._landed)
        for one in search.log[self._log :]:
            rows.append({"event": OBSERVED, "what": to_plain(one, Observation)})
            if isinstance(one, Landed):
                known.update((fact.id, fact) for fact in one.cards)
        self._log = len(search.log)
        if search.setting.landed is not self._landed:
            for number, fact in search.setting.landed.items():
                if number in known and known[number].readings != fact.readings:
                    readings = to_plain(fact.readings, tuple[Reading, ...])
                    rows.append({"event": READ, "card": number, "readings": readings})
            self._landed = search.setting.landed
        if search.setting.pins != self._pins:
            self._pins = search.setting.pins
            rows.append({"event": SAID, "pins": to_plain(self._pins, Pins)})
        return rows

    def _sealed(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        sealed = [seal({"seq": self._rows + place, **row}) for place, row in enumerate(rows, start=1)]
        self._rows += len(rows)
        return "".join(f"{row}\n" for row in sealed).encode()


def _came(facts: Sequence[CardFact]) -> dict[str, Any]:
    return {"event": CAME, "facts": to_plain(tuple(facts), tuple[CardFact, ...])}
