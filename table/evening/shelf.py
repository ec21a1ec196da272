"""Where this table's games are kept, for the one process that plays at it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from table.config import TableConfig
from table.errors import TableError, complain
from table.facts import MS
from table.files.reading import exists, is_file, is_folder
from table.games.game import Game
from table.games.registry import make_game
from table.host.clock import date_is_sure
from table.host.lock import HeldError, Lock
from table.journals.archive import (
    Unfinished,
    fresh_path,
    games_folder,
    go_on_or_mend,
    holds_something,
    journals,
    lock_path,
    unfinished,
)
from table.phrase import Phrase, say
from table.referee.rows import scan

LOOK_NS: Final = 1_000 * MS
"""So often it is looked whether the lock is still there."""


class Shelf:
    """Where this table's games are kept; locked against other tables from entering to leaving."""

    def __init__(self, file: Path | None) -> None:
        """``file``: for the first game, instead of a new one in the state folder."""
        self._file = file
        self._lock: Lock | None = None
        self._looked_ns = 0
        self._lost = False
        self.remarks: list[Phrase] = []
        """What players should know of the journals that were found."""

    def __enter__(self) -> Shelf:
        folder = games_folder()
        if self._file is not None and (is_file(self._file) or not exists(self._file)):
            folder = self._file.parent
            if not is_folder(folder):
                raise TableError("journal.no_folder", at=self._file)
        try:
            self._lock = Lock(lock_path(folder))
        except HeldError:
            raise
        except TableError as error:
            # A table that did not come up at all would be worse.
            self._tell(say("journal.without_lock", error=error))
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def unfinished(self, game: Game) -> Unfinished | None:
        """The last game like this one, where it can be gone on with; None for a new one."""
        if self._file is not None:
            return self._of_file(self._file, game)
        try:
            kept = unfinished(games_folder(), game, self._tell)
        except TableError as error:
            # A table that did not come up at all would be worse; the file stays for whoever wants to mend it.
            self._tell(say("journal.cant_go_on", error=error))
            kept = None
        return self._told(kept)

    def last(self, sits: Callable[[Game], TableConfig | None]) -> tuple[TableConfig, Unfinished] | None:
        """The last game of all, where it can be gone on with; ``sits``: its set-up, if its players are here."""
        game = self._last_game()
        set_up = sits(game) if game is not None else None
        if game is None or set_up is None:
            return None
        try:
            kept = self.unfinished(game)
        except TableError:  # it is over, or can't go on; a new one can begin
            return None
        return (set_up, kept) if kept is not None else None

    def _last_game(self) -> Game | None:
        found = [self._file] if self._file is not None else journals(games_folder())[::-1]
        path = next((path for path in found if exists(path) and holds_something(path)), None)
        if path is None:
            return None
        try:
            line = scan(path).lines[0]
            return make_game(line["game"], line["seats"], line["options"])
        except (TableError, ValueError, LookupError, TypeError, AttributeError):
            return None

    def _of_file(self, file: Path, game: Game) -> Unfinished | None:
        if not exists(file) or not holds_something(file):
            return None
        if file.suffix != ".jsonl" and not scan(file).lines:
            raise TableError("journal.none", at=file, fault=scan(file).fault or say("row.none"))
        return self._told(go_on_or_mend(file, game, self._tell))

    def _told(self, kept: Unfinished | None) -> Unfinished | None:
        if kept is None and self.remarks:
            self._tell(say("journal.new_game"))
        elif kept is not None and self._lock is not None:
            self._lock.tell(kept.path)
        return kept

    def _tell(self, remark: Phrase) -> None:
        self.remarks.append(remark)
        complain(remark)

    def take_remarks(self) -> list[Phrase]:
        """What is new of them."""
        found, self.remarks = self.remarks, []
        return found

    def look_after(self, now_ns: int) -> Phrase | None:
        """Keep the lock, also when somebody deletes its file; to be called again and again.

        What there is to say, once, where another table has taken it.
        """
        if self._lock is None or self._lost or now_ns - self._looked_ns < LOOK_NS:
            return None
        self._looked_ns = now_ns
        self._lost = not self._lock.renew()
        return say("journal.another_play") if self._lost else None

    def fresh(self) -> Path:
        """A new game's place."""
        if self._file is None:
            path = fresh_path(games_folder(), datetime.now().astimezone(), sure=date_is_sure())
        else:
            path = self._beside(self._file)
            if not os.access(path if exists(path) else path.parent, os.W_OK):
                raise TableError("journal.cant_be_written", at=path, error=os.strerror(errno.EACCES))
        if self._lock is not None:
            self._lock.tell(path)
        return path

    def _beside(self, file: Path) -> Path:
        path, number = file, 1
        while exists(path) and path.stat().st_size > 0:
            number += 1
            path = file.with_stem(f"{file.stem}-{number}")
        return path
