"""Where games are kept: a folder of journals, one a game, named by the moment at which it began."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from table.errors import TableError
from table.games.base import Game
from table.games.lines import event_of
from table.referee.book import Book, lines_agree
from table.referee.journal import Journal, Line, effective, read_lines, take_up

NAME = "%Y-%m-%d-%H%M%S"


def games_folder(environ: Mapping[str, str] | None = None) -> Path:
    """``cardtable/games`` in the user's state folder (the XDG one; ``~/.local/state`` unless set)."""
    environ = os.environ if environ is None else environ
    state = environ.get("XDG_STATE_HOME", "")
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "cardtable" / "games"


def fresh_path(folder: Path, now: datetime) -> Path:
    """A journal's path for a game that begins now; the folder is made.

    Its name comes after all others even where the machine's date has gone back, as it does after a power cut on a
    machine that keeps none: the last name tells which game was the last.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"{folder}: games can't be kept there ({error.strerror})") from None
    moments = [moment for path in journals(folder) if (moment := _moment(path)) is not None]
    after = max(moments, default=now - timedelta(seconds=1)) + timedelta(seconds=1)
    return folder / f"{max(now, after):{NAME}}.jsonl"


def journals(folder: Path) -> list[Path]:
    """The journals in a folder, the earliest first."""
    return sorted(path for path in folder.glob("*.jsonl") if path.is_file())


def _moment(path: Path) -> datetime | None:
    try:
        return datetime.strptime(path.stem, NAME)
    except ValueError:
        return None


def is_over(lines: Iterable[Line]) -> bool:
    """Whether a journal's game has come to its end (and the end was not taken back)."""
    return any(line["event"] == "game_over" for line in effective(lines))


def is_of(lines: Sequence[Line], game: Game) -> bool:
    """Whether a journal is of this game, with these seats and these options."""
    return bool(lines) and lines_agree(lines[0], game.start().said[0])


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that may go on."""

    path: Path
    lines: tuple[Line, ...]


def unfinished(folder: Path, game: Game) -> Unfinished | None:
    """The last game of this kind in ``folder``, if it was not finished; ``TableError`` if it can't be gone on with.

    Journals that can't be read at all are passed over: who wrote them is not known.
    """
    for path in reversed(journals(folder)):
        try:
            lines = read_lines(path, torn_end=True)
        except TableError:
            continue
        if is_of(lines, game):
            return None if is_over(lines) else go_on_with(path, game)
    return None


def go_on_with(path: Path, game: Game) -> Unfinished:
    """Take up the journal at ``path``; ``TableError`` says why its game can't go on at this table."""
    lines = take_up(path)
    if not is_of(lines, game):
        raise TableError(f"{path}: another game, other seats or other options than table.toml's")
    if is_over(lines):
        raise TableError(f"{path}: its game is over: expected a new file, or an unfinished game's")
    try:
        Book(game, Journal(earlier=lines)).resume(lines, event_of, 0)
    except TableError as error:
        raise TableError(f"{path}: {error}") from None
    return Unfinished(path, tuple(lines))


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


def summary(path: Path) -> Summary:
    """What the journal at ``path`` tells of its game; ``TableError`` where it is no game's."""
    lines = effective(read_lines(path, torn_end=True))
    try:
        if not lines or lines[0]["event"] != "game_started":
            raise TableError(f"{path}: line 1: expected game_started")
        scored = [line for line in lines if line["event"] in ("hand_scored", "game_over")]
        over = [line for line in lines if line["event"] == "game_over"]
        return Summary(
            name=path.stem,
            game=str(lines[0]["game"]),
            seats=tuple(lines[0]["seats"]),
            over=bool(over),
            hand=max((int(line["hand"]) for line in lines if line["event"] == "hand_started"), default=0),
            totals=dict(scored[-1]["totals"]) if scored else {},
            winners=tuple(over[-1]["winners"]) if over else (),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise TableError(f"{path}: a line lacks or garbles a field ({error})") from None


COLUMNS = ("hand", "cards", "dealer", "trump", "seat", "bid", "tricks", "points", "total")


def hand_rows(path: Path) -> list[dict[str, object]]:
    """A row for each player of each finished hand, with :data:`COLUMNS`; what was corrected stands corrected."""
    rows: list[dict[str, object]] = []
    started: Line = {}
    trump: object = None
    try:
        for line in effective(read_lines(path, torn_end=True)):
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
    except (KeyError, TypeError, AttributeError) as error:
        raise TableError(f"{path}: a line lacks or garbles a field ({error})") from None
    return rows
