"""The archive of games: a folder of journals, one a game, named by the moment at which the game began.

A name such as ``2026-10-25-023000+0200`` is a local time with its offset from UTC, so names are in order through a
night when clocks go back, and after the time zone was corrected. If the clock was really set back since the last game,
the name says so: ``-clock2`` is later than any moment of the first clock. ``-unsure`` ends the name where the machine
did not know the date. Older names have no offset: they are read in the current time zone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from table.errors import TableError, convert_errors
from table.files.atomic_writing import make_folder
from table.games.game import Game
from table.phrase import Phrase, PhrasedError, expected_error, line_place, make_phrase
from table.referee.records.checksummed_journal_rows import JournalScan, scan_rows, seal_row
from table.referee.records.journal import (
    Journal,
    JournalLine,
    drop_torn_correction,
    effective_lines,
    move_aside,
    resume_lines,
    write_keeping_old,
)
from table.referee.records.journal_of_hypothesis import (
    ImpossibleLineError,
    line_begins,
    line_matches,
    read_journal,
)
from table.referee.records.stored_facts import StoredGame, facts_path, read_stored_game
from table.system.memory_tuning import suspend_collection

NAME_FORMAT = "%Y-%m-%d-%H%M%S%z"
OLD_NAME_FORMAT = "%Y-%m-%d-%H%M%S"
_NAME_PATTERN = re.compile(r"(\d{4}-\d\d-\d\d-\d{6}([+-]\d{4,6})?)(?:-clock(\d{1,6}))?(?:-unsure)?", re.ASCII)
_LOCAL_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)\d\d", re.ASCII)
SAME_MOMENT = timedelta(seconds=5)
"""Games that begin at nearly the same moment get names a second apart; that says nothing about the clock."""
UNSURE_SUFFIX = "-unsure"
"""Ends the name of a game whose date is not known: its moment only sorts it after the earlier games."""
MAX_YEAR = 2199
"""A name with a later year gives no moment: no table's clock has been there."""


def games_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Return ``cardtable/games`` in the user's state folder (XDG's); ``TableError`` where there is no such folder."""
    environ = os.environ if environ is None else environ
    state = environ.get("XDG_STATE_HOME", "")
    if Path(state).is_absolute():
        return Path(state) / "cardtable" / "games"
    try:
        return Path.home() / ".local" / "state" / "cardtable" / "games"
    except RuntimeError:
        raise TableError("folder.no_home") from None


def lock_path(folder: Path) -> Path:
    """Return the path of the lock for a table with its games in ``folder``: beside the games folder, else in it."""
    folder = folder.resolve()
    games = games_folder()
    return games.parent / "lock" if folder == games.resolve() else folder / ".cardtable.lock"


class GameStart(NamedTuple):
    """The moment at which a game began, by its journal's name; later games compare greater."""

    clock: int
    """One more than the number of times the date had been found to be behind the last game's."""
    moment: datetime
    """In UTC."""


def new_journal_path(folder: Path, now: datetime, *, sure: bool = True) -> Path:
    """Return the path of a new journal for a game that begins ``now`` (local time, or with its zone); make the folder.

    Its name sorts after all others: the last name tells which game was the last. Where the date has gone back, as it
    does after a power cut on a machine without a clock, a machine that is ``sure`` of its date begins another clock;
    else the moment is the last one's and a second, and :data:`UNSURE_SUFFIX` says that the date is not known.
    """
    zone = now.tzinfo or now.astimezone().tzinfo
    now = now.astimezone(UTC)
    with suppress(OSError):  # opening the journal reports it
        make_folder(folder)
    last = max(map(game_start, list_journals(folder)), default=NO_START)
    clock, moment = 1, now
    if last != NO_START:
        after = last.moment + timedelta(seconds=1)
        behind = (sure and after - now > SAME_MOMENT) or after.year > MAX_YEAR
        clock = last.clock + behind
        moment = now if behind else max(now, after)
    while True:
        name = f"{moment.astimezone(zone):{NAME_FORMAT}}{f'-clock{clock}' if clock > 1 else ''}"
        paths = [folder / f"{name}{suffix}.jsonl" for suffix in ("", UNSURE_SUFFIX)]
        if not any(map(os.path.lexists, paths)):
            return paths[0 if sure else 1]
        moment += timedelta(seconds=1)


def list_journals(folder: Path) -> list[Path]:
    """Return the journals in a folder, the earliest first; those whose names give no moment come before all others."""
    with convert_errors(OSError, "file.unread", at=folder, expected=make_phrase("expected.games")):
        paths = [path for path in folder.glob("*.jsonl") if path.is_file()]
    return sorted(paths, key=lambda path: (game_start(path), path.name))


def list_games(folder: Path) -> list[Path]:
    """Return the journals in a folder that have any line, the earliest first."""
    return [path for path in list_journals(folder) if has_lines(path)]


def has_lines(path: Path) -> bool:
    """Return whether a journal has any line; also True for one that can't be examined."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError:
        return True


NO_START = GameStart(0, datetime.min.replace(tzinfo=UTC))
"""The start of a game whose journal's name gives no moment."""


def game_start(path: Path) -> GameStart:
    """Return when a game began, by its journal or a folder beside it; before all others if the name has no moment."""
    match = _NAME_PATTERN.fullmatch(path.stem)
    if match is None:
        return NO_START
    try:
        moment = datetime.strptime(match[1], NAME_FORMAT if match[2] else OLD_NAME_FORMAT)
        moment = moment.astimezone(UTC)  # (without an offset it is local time)
    except (ValueError, OverflowError):
        return NO_START
    return GameStart(int(match[3] or 1), moment) if moment.year <= MAX_YEAR else NO_START


def is_over(lines: Sequence[JournalLine]) -> bool:
    """Return whether a journal's game has ended (and the end was not taken back)."""
    return any(line["event"] == "game_over" for line in effective_lines(lines))


def is_journal_of(lines: Sequence[JournalLine], game: Game) -> bool:
    """Return whether a journal is of this game, with the same players and options."""
    return bool(lines) and line_begins(lines[0], game)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An unfinished game that may be resumed."""

    path: Path
    game: Game = field(compare=False)
    lines: tuple[JournalLine, ...]
    latest_ns: int
    """The latest moment in the lines or in the facts beside them: the table's clock goes on from there."""
    stored: StoredGame = field(compare=False)
    """The lines and the facts, read back."""


class DamagedError(TableError):
    """A journal with damaged lines, or with lines that the game's rules do not allow."""


ShowMessage = Callable[[Phrase], None]
"""A function that shows players a message, one sentence each."""


@suspend_collection()
def find_unfinished_game(folder: Path, game: Game, tell: ShowMessage = lambda _: None) -> Unfinished | None:
    """Return the last game of this kind in ``folder``, if it was not finished.

    A game with a damaged journal is resumed from the last good line, also where only the first line is damaged and all
    the others are of this table's game. A journal of which nothing can be read is put aside, because its owner is not
    known. Both are reported. ``TableError`` where a damaged one can't be put aside.
    """
    for path in reversed(list_journals(folder)):
        try:
            journal = scan_rows(path)
        except TableError as error:
            tell(make_phrase("journal.skipped", error=error))
            continue
        with_head = _restore_head(journal, game) if not journal.lines else []
        if not journal.lines and not with_head and journal.data.strip():
            _put_aside(path, journal, tell)
        if not is_journal_of(journal.lines or with_head, game):
            continue
        if is_over((*journal.lines, *journal.later_lines)):
            if not is_over(journal.lines):
                tell(make_phrase("journal.over_but_damaged", name=path.name, fault=journal.fault))
            return None
        return resume_or_repair_game(path, game, tell, journal)
    return None


def _put_aside(path: Path, journal: JournalScan, tell: ShowMessage) -> None:
    try:
        aside = move_aside(path)
    except OSError as error:
        tell(make_phrase("journal.unread_lies", name=path.name, fault=journal.fault, error=error.strerror))
    else:
        tell(make_phrase("journal.unread", name=path.name, fault=journal.fault, aside=aside.name))


def resume_or_repair_game(
    path: Path, game: Game, tell: ShowMessage, journal: JournalScan | None = None
) -> Unfinished | None:
    """Resume the game of the journal at ``path``; a damaged journal as far as it is good (None: nothing of it is).

    The damaged one is put aside, which is reported. ``journal``: the file's content, if it has just been read.
    ``TableError``: the game is another one, or over, or the journal can't be put aside.
    """
    try:
        return resume_game(path, game, journal)
    except DamagedError as error:
        path = Path(os.path.realpath(path))
        journal = scan_rows(path)
        good_count = len(_good_lines(journal.lines, game))
        with_head = _restore_head(journal, game) if not journal.lines else []
        if not good_count and not with_head:
            _put_aside(path, journal, tell)
            return None
        data = "".join(f"{seal_row(line)}\n" for line in with_head).encode()
        with convert_errors(OSError, "journal.not_kept_aside", fault=error):
            file, aside = write_keeping_old(path, journal.head_bytes(good_count) if good_count else data)
        file.close()
        fields = {"line": good_count or len(with_head), "aside": aside.name if aside is not None else None}
        tell(make_phrase("journal.damaged", name=path.name, fault=error.without_place(path), **fields))
        return resume_game(path, game)


def _good_lines(lines: Sequence[JournalLine], game: Game) -> list[JournalLine]:
    """Return the lines with which a game can be resumed: those before the first that is impossible."""
    good = drop_torn_correction(lines)
    while good:
        try:
            read_journal(game, Journal(earlier=good))
        except ImpossibleLineError as error:
            good = drop_torn_correction(good[: error.number - 1])
        else:
            break
    return good


def _restore_head(journal: JournalScan, game: Game) -> list[JournalLine]:
    """Return a journal's good lines with this game's first line for the missing one; none if they don't follow."""
    later_lines = [line for index, line in enumerate(journal.later_lines) if line.get("seq") == index + 2]
    if len(later_lines) < len(game.start().announcements):
        return []
    head_stamps = {name: later_lines[0].get(name) for name in ("t_ns", "decided_ns")}
    opening = game.start().announcements[0]
    head = {"seq": 1, **head_stamps, "event": opening.event, **json.loads(json.dumps(dict(opening.fields)))}
    lines = _good_lines([head, *later_lines], game)
    return lines if _follows_from_game(lines, game) else []


def _follows_from_game(lines: Sequence[JournalLine], game: Game) -> bool:
    """Return whether a journal contains, in this order, all announcements of this game for its events."""
    try:
        entries = [*read_journal(game, Journal(earlier=lines)).hypothesis.entries()]
    except ImpossibleLineError:
        return False
    stored_lines = iter(effective_lines(lines))
    announced = [game.start().announcements, *(entry.announcements for entry in reversed(entries))]
    return all(
        any(line_matches(line, announcement) for line in stored_lines) for announcement in chain(*announced)
    )


def resume_game(path: Path, game: Game, journal: JournalScan | None = None) -> Unfinished:
    """Resume the game of the journal at ``path``; ``TableError`` says why it can't go on at this table.

    It is ``DamagedError`` where the journal of a resumable game is damaged. ``journal``: the file's content, if it has
    just been read.
    """
    journal = scan_rows(path) if journal is None else journal
    if journal.lines and not is_journal_of(journal.lines, game):
        raise TableError("journal.other_game", at=path)
    if is_over((*journal.lines, *journal.later_lines)):
        raise TableError("journal.is_over", at=path)
    if journal.damage is not None:
        raise DamagedError(journal.damage, at=path)
    lines = drop_torn_correction(journal.lines)
    with convert_errors(ImpossibleLineError, at=path, into=DamagedError):
        stored = read_stored_game(game, Journal(earlier=lines), facts_path(path))
    line_stamps = [line[name] for line in lines for name in ("t_ns", "decided_ns")]
    fact_stamps = [facts.latest_ns for facts in stored.facts if facts.hand_start.matches(lines)]
    latest_ns = max([0, *line_stamps, *fact_stamps])
    return Unfinished(path, game, tuple(resume_lines(path, journal)), latest_ns, stored)


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a journal's game."""

    name: str
    """The file's name without its ending."""
    game: str
    seats: tuple[str, ...]
    over: bool
    hand: int
    """The number of the current hand, or of the last one."""
    totals: Mapping[str, int]
    """The totals after the last finished hand, the best first; empty before."""
    winners: tuple[str, ...]
    damaged: PhrasedError | None
    """The damage of its journal; the summary is as of the line before it."""
    unsure: bool = False
    """Whether the machine did not know the date when the game began."""

    @property
    def began(self) -> tuple[str, str] | None:
        """The local day and time of its beginning, as ``2026-11-20`` and ``20:00``; None where its name tells none."""
        moment = _LOCAL_MOMENT.match(self.name)
        return (moment[1], f"{moment[2]}:{moment[3]}") if moment is not None else None

    @property
    def outcome(self) -> Phrase:
        """How it ended, or how far it has come."""
        if not self.over:
            return make_phrase("history.unfinished", hand=self.hand)
        return make_phrase("history.won" if self.winners else "history.nobody_won", winners=self.winners)


def read_summary(path: Path) -> Summary:
    """Read the summary of the journal at ``path``; ``TableError`` where it is not a game's."""
    return read_game(path)[0]


def read_game(path: Path) -> tuple[Summary, JournalScan]:
    """Read the journal at ``path``, and return it with its summary; ``TableError`` where it is not a game's."""
    journal = scan_rows(path)
    lines = effective_lines(journal.lines)
    if not lines or lines[0]["event"] != "game_started":
        raise TableError(journal.damage or expected_error("expected.game_started", at=line_place(1)), at=path)
    with convert_errors(GARBLED_LINE, "row.garbled", at=path):
        scored = [line for line in lines if line["event"] in ("hand_scored", "hand_rescored", "game_over")]
        over = [line for line in lines if line["event"] == "game_over"]
        totals = scored[-1]["totals"] if scored else {}
        places = over[-1].get("ranking", ()) if over else ()
        order = [seat for place in places for seat in place]
        if set(order) != set(totals):
            order = sorted(totals, key=lambda seat: -totals[seat])
        hands = [line["hand"] for line in lines if line["event"] == "hand_started"]
        game = Summary(
            name=os.fsencode(path.stem).decode(errors="replace"),
            game=lines[0]["game"],
            seats=tuple(lines[0]["seats"]),
            over=bool(over),
            hand=max(hands, default=0),
            totals={seat: totals[seat] for seat in order},
            winners=tuple(over[-1]["winners"]) if over else (),
            damaged=journal.damage,
            unsure=path.stem.endswith(UNSURE_SUFFIX),
        )
    return game, journal


GARBLED_LINE = (KeyError, TypeError, AttributeError)
"""What reading a line raises that lacks or garbles a field."""
