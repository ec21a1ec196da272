"""The store of this table's games, locked for the one process that plays at the table."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from table.errors import TableError, print_error
from table.files.safe_reading import BOM, exists, is_file, is_folder, read_head
from table.games.game import Game
from table.games.registry import game_begun_by
from table.history.archive import (
    Unfinished,
    find_unfinished_game,
    games_folder,
    has_lines,
    list_journals,
    lock_path,
    new_journal_path,
    resume_or_repair_game,
)
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.records.checksummed_journal_rows import scan_rows, unseal_row
from table.system.clock_reliability import is_date_reliable
from table.system.process_lock import HeldError, Lock

LOCK_CHECK_INTERVAL_NS: Final = 1_000 * MS
MOST_HEAD_BYTES: Final = 64 * 1024
"""The most bytes of a journal that are read for its first line: a game's players and options."""


class GameStore:
    """The store of this table's games; locked against other tables from entering to leaving."""

    def __init__(self, file: Path | None) -> None:
        """``file``: for the first game, instead of a new file in the state folder."""
        self._file = file
        self._lock: Lock | None = None
        self._checked_ns = 0
        self._lost = False
        self.remarks: list[Phrase] = []
        """What players should know of the journals that were read."""

    def __enter__(self) -> GameStore:
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
            # A table that did not start at all would be worse.
            self._add_remark(make_phrase("journal.without_lock", error=error))
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def find_unfinished(self, game: Game) -> Unfinished | None:
        """Return the last game with the same rules and players, if it can be resumed; None for a new one."""
        if self._file is not None:
            return self._unfinished_in_file(self._file, game)
        try:
            unfinished_game = find_unfinished_game(games_folder(), game, self._add_remark)
        except TableError as error:
            # A table that did not start at all would be worse; the file stays so that it can be repaired.
            self._add_remark(make_phrase("journal.cant_go_on", error=error))
            unfinished_game = None
        return self._report_resumed(unfinished_game)

    def games_from_last(self) -> Iterator[Game]:
        """Yield the games of all journals, the last first, until one of which the game can't be read."""
        paths = [self._file] if self._file is not None else list_journals(games_folder())[::-1]
        try:
            for path in paths:
                if exists(path) and has_lines(path):
                    head = read_head(path, make_phrase("expected.json_lines"), MOST_HEAD_BYTES)
                    yield game_begun_by(unseal_row(head.split(b"\n")[0].removeprefix(BOM))[0])
        except (TableError, ValueError, LookupError, TypeError, AttributeError):
            return

    def _unfinished_in_file(self, file: Path, game: Game) -> Unfinished | None:
        if not exists(file) or not has_lines(file):
            return None
        if file.suffix != ".jsonl" and not (journal := scan_rows(file)).lines:
            raise TableError("journal.none", at=file, fault=journal.fault or make_phrase("row.none"))
        return self._report_resumed(resume_or_repair_game(file, game, self._add_remark))

    def _report_resumed(self, unfinished_game: Unfinished | None) -> Unfinished | None:
        if unfinished_game is None and self.remarks:
            self._add_remark(make_phrase("journal.new_game"))
        elif unfinished_game is not None and self._lock is not None:
            self._lock.write_holder(unfinished_game.path)
        return unfinished_game

    def _add_remark(self, remark: Phrase) -> None:
        self.remarks.append(remark)
        print_error(remark)

    def pop_remarks(self) -> list[Phrase]:
        """Return and clear the remarks."""
        remarks, self.remarks = self.remarks, []
        return remarks

    def renew_lock(self, now_ns: int) -> Phrase | None:
        """Renew the lock, at every delivery; return a message, once, when another table has taken it."""
        if self._lock is None or self._lost or now_ns - self._checked_ns < LOCK_CHECK_INTERVAL_NS:
            return None
        self._checked_ns = now_ns
        self._lost = not self._lock.renew()
        return make_phrase("journal.another_play") if self._lost else None

    def new_journal_path(self) -> Path:
        """Return the path of a new game's journal, and write it in the lock."""
        if self._file is None:
            path = new_journal_path(games_folder(), datetime.now().astimezone(), sure=is_date_reliable())
        else:
            path, number = self._file, 1
            while exists(path) and path.stat().st_size > 0:
                number += 1
                path = self._file.with_stem(f"{self._file.stem}-{number}")
            if not os.access(path if exists(path) else path.parent, os.W_OK):
                raise TableError("journal.cant_be_written", at=path, error=os.strerror(errno.EACCES))
        if self._lock is not None:
            self._lock.write_holder(path)
        return path
