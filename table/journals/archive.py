"""Where games are kept: a folder of journals, one a game, named by the moment at which it began.

A name such as ``2026-10-25-023000+0200`` is a local time with its offset from UTC, so names are in order through a
night when clocks go back, and after the time zone was corrected. A clock that was really set back since the last game
counts: ``-clock2`` is later than any moment of the first clock. ``-unsure`` ends the name where the machine did not
know the date. Older names have no offset: they are read in the time zone of now.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, NamedTuple

from table.errors import TableError
from table.files.writing import make_folder
from table.games.game import Game
from table.host.collecting import nothing_collected
from table.phrase import Phrase, PhrasedError, at_line, expected, say
from table.referee.book import Book, lines_agree
from table.referee.journal import (
    Journal,
    JournalLine,
    effective,
    fault_of,
    keep_aside,
    put_in_place,
    take_up,
    untorn,
)
from table.referee.keeping import facts_path, read_kept
from table.referee.referee import Referee
from table.referee.rows import Scan, scan, seal
from table.referee.settled import Settled

NAME = "%Y-%m-%d-%H%M%S%z"
OLD_NAME = "%Y-%m-%d-%H%M%S"
_STEM = re.compile(r"(\d{4}-\d\d-\d\d-\d{6}([+-]\d{4,6})?)(?:-clock(\d{1,6}))?(?:-unsure)?", re.ASCII)
CLOSE = timedelta(seconds=5)
"""Games that begin at nearly the same moment are a second apart by name; that says nothing about the clock."""
UNSURE = "-unsure"
"""Ends the name of a game of which nobody knows when it began: its moment only keeps it after those before it."""
LAST_YEAR = 2199
"""A name of a later year tells no moment: no table's clock has been there."""


def games_folder(environ: Mapping[str, str] | None = None) -> Path:
    """``cardtable/games`` in the user's state folder (the XDG one; ``~/.local/state`` unless set).

    ``TableError`` where there is neither.
    """
    environ = os.environ if environ is None else environ
    state = environ.get("XDG_STATE_HOME", "")
    if Path(state).is_absolute():
        return Path(state) / "cardtable" / "games"
    try:
        return Path.home() / ".local" / "state" / "cardtable" / "games"
    except RuntimeError:
        raise TableError("folder.no_home") from None


def lock_path(folder: Path) -> Path:
    """Where the lock lies of a table that keeps its games in ``folder``: beside the games folder, else in it."""
    folder = folder.resolve()
    games = games_folder()
    return games.parent / "lock" if folder == games.resolve() else folder / ".cardtable.lock"


class Began(NamedTuple):
    """When a game began, as its journal's name says; a later one is greater."""

    clock: int
    """How often the date had been found to be behind the last game's by then, plus one."""
    moment: datetime
    """In UTC."""


def fresh_path(folder: Path, now: datetime, *, sure: bool = True) -> Path:
    """A journal's path for a game that begins ``now`` (local time, or with its zone); the folder is made if it can be.

    Its name comes after all others: the last name tells which game was the last. Where the date has gone back, as it
    does after a power cut on a machine that keeps none, a machine that is ``sure`` of its date begins another clock;
    else the moment is the last one's and a second, and the name says that nobody knows the day (:data:`UNSURE`).
    """
    zone = now.tzinfo or now.astimezone().tzinfo
    now = now.astimezone(UTC)
    with suppress(OSError):  # the journal says so
        make_folder(folder)
    last = max((began for path in journals(folder) if (began := _began(path)) is not None), default=None)
    clock, moment = 1, now
    if last is not None:
        after = last.moment + timedelta(seconds=1)
        behind = (sure and after - now > CLOSE) or after.year > LAST_YEAR
        clock = last.clock + behind
        moment = now if behind else max(now, after)
    mark = (f"-clock{clock}" if clock > 1 else "", "" if sure else UNSURE)
    while any(os.path.lexists(folder / _named(moment, zone, mark[0], one)) for one in ("", UNSURE)):
        moment += timedelta(seconds=1)
    return folder / _named(moment, zone, *mark)


def _named(moment: datetime, zone: tzinfo | None, *marks: str) -> str:
    return f"{moment.astimezone(zone):{NAME}}{''.join(marks)}.jsonl"


def journals(folder: Path) -> list[Path]:
    """The journals in a folder, the earliest first; those whose names tell no moment come before all others."""
    try:
        found = [path for path in folder.glob("*.jsonl") if path.is_file()]
    except OSError as error:
        raise TableError("file.unread", at=folder, error=error, expected=say("expected.games")) from None
    return sorted(found, key=lambda path: (_began(path) or _BEFORE_ALL, path.name))


def holds_something(path: Path) -> bool:
    """Whether a journal has any line; one that has just gone, or can't be asked, may."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError:
        return True


_BEFORE_ALL = Began(0, datetime.min.replace(tzinfo=UTC))


def _began(path: Path) -> Began | None:
    """When the game of a journal began; None where its name tells no moment."""
    found = _STEM.fullmatch(path.stem)
    if found is None:
        return None
    try:
        moment = datetime.strptime(found[1], NAME if found[2] else OLD_NAME)
        moment = moment.astimezone(UTC)  # (without an offset it is local time)
    except (ValueError, OverflowError):
        return None
    return Began(int(found[3] or 1), moment) if moment.year <= LAST_YEAR else None


def is_over(lines: Sequence[JournalLine]) -> bool:
    """Whether a journal's game has come to its end (and the end was not taken back)."""
    return _ends(lines) and _ends(effective(lines))


def _ends(lines: Iterable[JournalLine]) -> bool:
    return any(line["event"] == "game_over" for line in lines)


def is_of(lines: Sequence[JournalLine], game: Game) -> bool:
    """Whether a journal is of this game, with these seats and these options."""
    return bool(lines) and lines_agree(lines[0], game.start().said[0])


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that may go on."""

    path: Path
    lines: tuple[JournalLine, ...]
    until_ns: int
    """No moment is later that these tell of, or what is kept beside them: the table's clock goes on from there."""
    settled: Settled | None = field(default=None, compare=False)
    """How it stood late in them, so that not all of them need be gone through once more."""


class DamagedError(TableError):
    """A journal of which not every line is sound, or one that the game's rules don't allow."""


Tell = Callable[[Phrase], None]
"""Is told what players should know, a sentence each."""


@nothing_collected()
def unfinished(folder: Path, game: Game, tell: Tell = lambda _: None) -> Unfinished | None:
    """The last game of this kind in ``folder``, if it was not finished.

    Where its journal is damaged it goes on from the last good line, also where that is the first line and all the
    others are of this table's game. A journal of which nothing can be read is kept aside: who wrote it is not known.
    Both are said. ``TableError`` where a damaged one can't be kept aside.
    """
    for path in reversed(journals(folder)):
        try:
            found = scan(path)
        except TableError as error:
            tell(say("journal.skipped", error=error))
            continue
        headed = _headed(found, game) if not found.lines else []
        if not found.lines and not headed and found.data.strip():
            _put_aside(path, found, tell)
        if not is_of(found.lines or headed, game):
            continue
        if is_over(found.lines):
            return None
        if is_over((*found.lines, *found.rest)):
            tell(say("journal.over_but_damaged", name=path.name, fault=found.fault))
            return None
        return go_on_or_mend(path, game, tell, found)
    return None


def _put_aside(path: Path, found: Scan, tell: Tell) -> None:
    try:
        aside = keep_aside(path)
    except OSError as error:
        tell(say("journal.unread_lies", name=path.name, fault=found.fault, error=error.strerror))
    else:
        tell(say("journal.unread", name=path.name, fault=found.fault, aside=aside.name))


def go_on_or_mend(path: Path, game: Game, tell: Tell, found: Scan | None = None) -> Unfinished | None:
    """Take up the journal at ``path``; where it is damaged, as far as it is good (None: nothing of it is).

    ``found``: what the file holds, if it has just been read.

    The damaged one is kept aside, and that is said. ``TableError``: it is of another game, or over, or can't be kept
    aside.
    """
    try:
        return go_on_with(path, game, found)
    except DamagedError as error:
        path = Path(os.path.realpath(path))
        found = scan(path)
        count = _good(found.lines, game)
        headed = _headed(found, game) if not found.lines else []
        if not count and not headed:
            _put_aside(path, found, tell)
            return None
        whole = "".join(f"{seal(line)}\n" for line in headed).encode()
        try:
            file, aside = put_in_place(path, found.head(count) if count else whole)
        except OSError as trouble:
            raise TableError("journal.not_kept_aside", fault=error, error=trouble) from None
        file.close()
        kept = aside.name if aside is not None else None
        fault = error.without(path)
        tell(say("journal.damaged", name=path.name, fault=fault, line=count or len(headed), aside=kept))
        return go_on_with(path, game)


def _good(lines: Sequence[JournalLine], game: Game) -> int:
    """As many lines as a game can go on with: a later line is no use where an earlier one can't be."""

    def good(count: int) -> bool:
        try:
            _try(untorn(lines[:count]), game)
        except DamagedError:
            return False
        return True

    low, high = 0, len(lines)
    if good(high):
        low = high
    while high - low > 1:
        middle = (low + high) // 2
        if good(middle):
            low = middle
        else:
            high = middle
    return len(untorn(lines[:low]))


def _headed(found: Scan, game: Game) -> list[JournalLine]:
    """The good lines of a journal that lacks its first one, with this table's in its place.

    None where what they say isn't what this game says, with these seats and options, at what happened in them.
    """
    whole = [line for at, line in enumerate(found.rest) if line.get("seq") == at + 2]
    if len(whole) < len(game.start().said):
        return []
    stamps = {name: whole[0].get(name) for name in ("t_ns", "decided_ns")}
    opening = game.start().said[0]
    head = {"seq": 1, **stamps, "event": opening.event, **json.loads(json.dumps(dict(opening.fields)))}
    lines = [head, *whole]
    lines = lines[: _good(lines, game)]
    return lines if _says(lines, game) else []


def _says(lines: Sequence[JournalLine], game: Game) -> bool:
    """Whether a journal holds, in this order, all that this game says at what happened in it."""
    referee = Referee(game, dict.fromkeys(game.start().state.players, 0.0), Journal(earlier=lines))
    try:
        referee.resume(0)
    except TableError:
        return False
    entries = referee.blackboard.book.entries
    held = iter(effective(lines))
    said = (*game.start().said, *(one for entry in entries for one in entry.said))
    return all(any(lines_agree(line, one) for line in held) for one in said)


def _try(lines: Sequence[JournalLine], game: Game, settled: Settled | None = None) -> Book:
    """Go on with a game once for nothing; ``DamagedError`` says which line can't be.

    ``settled``: how it is known to have stood at one of them.
    """
    for number, line in enumerate(lines, start=1):
        fault = fault_of(line, number)
        if fault is not None:
            raise DamagedError(fault, at=at_line(number))
    if not is_of(lines, game):
        raise DamagedError(expected("expected.this_game", at=at_line(1)))
    try:
        referee = Referee(game, dict.fromkeys(game.start().state.players, 0.0), Journal(earlier=lines))
        referee.resume(0, settled)
        referee.view(0)
        return referee.blackboard.book
    except TableError as error:
        raise DamagedError(error) from None
    except Exception as error:  # whatever the rules stumble over in a line that no referee wrote
        raise DamagedError("row.garbled", error=f"{type(error).__name__}: {error}") from None


def _book(lines: Sequence[JournalLine], game: Game, settled: Settled | None) -> Book:
    """As :func:`_try`; where it can't be done by what is ``settled``, that is damaged, and the lines alone count."""
    if settled is not None:
        with suppress(DamagedError):
            return _try(lines, game, settled)
    return _try(lines, game)


def go_on_with(path: Path, game: Game, found: Scan | None = None) -> Unfinished:
    """Take up the journal at ``path``; ``TableError`` says why its game can't go on at this table.

    It is ``DamagedError`` where the journal is, of a game that might go on. ``found``: what the file holds, if it has
    just been read.
    """
    found = scan(path) if found is None else found
    if found.lines and not is_of(found.lines, game):
        raise TableError("journal.other_game", at=path)
    if is_over((*found.lines, *found.rest)):
        raise TableError("journal.is_over", at=path)
    if found.damage is not None:
        raise DamagedError(found.damage, at=path)
    lines = untorn(found.lines)
    beside = read_kept(facts_path(path))
    settled = beside[0].settled if beside else None
    if settled is not None and not settled.is_of(found.crc(settled.after)):
        settled = None
    try:
        book = _book(lines, game, settled)
    except DamagedError as error:
        raise DamagedError(error, at=path) from None
    told = [line[name] for line in lines for name in ("t_ns", "decided_ns")]
    seen = [one.latest_ns for one in beside if one.stand.fits(lines)]
    settled = book.settled_before(book.said, found.crc)
    return Unfinished(path, tuple(take_up(path, found)), max([0, *told, *seen]), settled)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a journal tells of its game."""

    name: str
    """The file's name without its ending."""
    game: str
    seats: tuple[str, ...]
    over: bool
    hand: int
    """The hand that is being played, or was the last."""
    totals: Mapping[str, int]
    """After the last finished hand; empty before."""
    winners: tuple[str, ...]
    damaged: PhrasedError | None
    """What is wrong in its journal; what is told is how it stood before."""
    unsure: bool = False
    """Whether the machine did not know the date when it began."""


def summary(path: Path) -> Summary:
    """What the journal at ``path`` tells of its game; ``TableError`` where it is no game's."""
    found = scan(path)
    lines = effective(found.lines)
    if not lines or lines[0]["event"] != "game_started":
        raise TableError(found.damage or expected("expected.game_started", at=at_line(1)), at=path)
    try:
        scored = [line for line in lines if line["event"] in ("hand_scored", "hand_rescored", "game_over")]
        over = [line for line in lines if line["event"] == "game_over"]
        hands = [_int(line["hand"]) for line in lines if line["event"] == "hand_started"]
        return Summary(
            name=os.fsencode(path.stem).decode(errors="replace"),
            game=_text(lines[0]["game"]),
            seats=_texts(lines[0]["seats"]),
            over=bool(over),
            hand=max(hands, default=0),
            totals={seat: _int(total) for seat, total in scored[-1]["totals"].items()} if scored else {},
            winners=_texts(over[-1]["winners"]) if over else (),
            damaged=found.damage,
            unsure=path.stem.endswith(UNSURE),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise TableError("row.garbled", at=path, error=error) from None


def _int(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(_text(one) for one in value)


COLUMNS = ("hand", "cards", "dealer", "trump", "seat", "bid", "tricks", "points", "total")


def hand_rows(lines: Iterable[JournalLine]) -> list[dict[str, object]]:
    """A row for each player of each finished hand, with :data:`COLUMNS`; what was corrected stands corrected.

    ``TableError`` for a line that lacks or garbles a field.
    """
    rows: list[dict[str, object]] = []
    started: JournalLine = {}
    trump: object = None
    try:
        for line in effective(lines):
            if line["event"] == "hand_started":
                started = line
            elif line["event"] == "trump":
                trump = line["suit"]
            elif line["event"] == "hand_scored":
                head = (line["hand"], started["cards"], started["dealer"], trump)
                for seat, total in line["totals"].items():
                    cells = (
                        line["bids"].get(seat),
                        line["tricks"].get(seat),
                        line["points"].get(seat),
                        total,
                    )
                    rows.append(dict(zip(COLUMNS, (*head, seat, *cells), strict=True)))
            elif line["event"] == "hand_rescored":
                _rescore(rows, line)
    except (KeyError, TypeError, AttributeError) as error:
        raise TableError("row.garbled", error=error) from None
    return rows


def _rescore(rows: Iterable[dict[str, Any]], line: JournalLine) -> None:
    """Put a hand's points right, and the totals from there on."""
    last = {row["seat"]: row["total"] for row in rows}
    more = {seat: total - last[seat] for seat, total in line["totals"].items()}
    for row in rows:
        if row["hand"] == line["hand"]:
            row["points"] = line["points"].get(row["seat"], row["points"])
        if row["hand"] >= line["hand"]:
            row["total"] += more[row["seat"]]
