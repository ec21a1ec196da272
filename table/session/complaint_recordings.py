"""Recordings of complaints: what the camera saw before somebody called a ruling wrong or the table corrected one.

They are stored beside the game's journal. Each can become a test: it holds what the table saw and, in
``before.jsonl``, the journal up to that moment.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from table.errors import print_error
from table.files.write_as_folder_owner import owner_rights
from table.history.archive import NO_START, GameStart, game_start
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.records.checksummed_journal_rows import seal_row
from table.referee.records.journal import JournalLine
from table.sources.recordings.last_half_minute_buffer import ReplayBuffer

RECORDING_DELAY_NS: Final = 3_000 * MS
"""Delay after the complaint before it is stored, so that what people did about it is on film too."""
MAX_BYTES: Final = 500 * 1024 * 1024
"""Limit of all complaint recordings together; the oldest are deleted."""
MIN_FREE_BYTES: Final = 300 * 1024 * 1024
"""With less free on the disk none is stored, so that games have room."""
MAX_WAIT_S: Final = 5.0
"""How long the end of a game waits for the last recording to be written: it is not checked again."""
SUFFIX: Final = ".complaints"
BEFORE: Final = "before.jsonl"


class ComplaintRecorder:
    """Stores a recording for each complaint and each correction."""

    def __init__(self, film: ReplayBuffer) -> None:
        self._film = film
        self._calls = 0
        self._due_ns: int | None = None
        self._journal: Path | None = None
        self._first: Path | None = None
        """Where the very first is being written: players are told of it."""
        self._writing: threading.Event | None = None
        """Set once the last one has been written."""
        self._trouble: Phrase | None = None

    def update(
        self,
        now_ns: int,
        journal: Path,
        lines: Sequence[JournalLine],
        decided: Sequence[JournalLine],
        calls: int,
    ) -> Phrase | None:
        """Note new complaints and store those that are due; return what players should know, if anything.

        ``lines``: the whole journal; ``decided``: its new lines; ``calls``: how often "that's wrong" was said so far.
        """
        resumed, self._journal = journal != self._journal, journal
        corrected = not resumed and any(line["event"] == "corrected" for line in decided)
        if (corrected or calls > self._calls) and self._due_ns is None:
            self._due_ns = now_ns + RECORDING_DELAY_NS
        self._calls = calls
        if self._due_ns is not None and now_ns >= self._due_ns:
            self._due_ns = None
            self._keep(journal, lines)
        return self._news()

    def close(self, lines: Sequence[JournalLine]) -> Phrase | None:
        """Store at once what is still due, as the game ends; return what players should know, if anything."""
        if self._due_ns is not None and self._journal is not None:
            self._due_ns = None
            self._keep(self._journal, lines)
        if self._writing is not None:
            self._writing.wait(MAX_WAIT_S)
        return self._news()

    def _keep(self, journal: Path, lines: Sequence[JournalLine]) -> None:
        try:
            if shutil.disk_usage(journal.parent).free < MIN_FREE_BYTES:
                return
            others = list_complaints(journal.parent)
            delete_oldest(others)
        except OSError:
            return  # the journal reports the same trouble
        folders = complaint_folder(journal)
        number = 1 + sum(path.parent == folders for path in others)
        while (folder := folders / f"{number:03}").exists():
            number += 1
        before = "".join(f"{seal_row(line)}\n" for line in lines).encode()
        self._writing = self._film.save(folder, ((BEFORE, before),))
        if not others:
            self._first = folder

    def _news(self) -> Phrase | None:
        if self._first is not None and self._first.exists():
            folder, self._first = self._first, None
            print_error(make_phrase("recording.complaint_folder", folder=str(folder.parent)))
            return make_phrase("recording.complaint_kept")
        before, self._trouble = self._trouble, self._film.trouble
        return self._film.trouble if self._film.trouble != before else None


def complaint_folder(journal: Path) -> Path:
    """Return the folder of a game's complaint recordings."""
    return journal.with_suffix(SUFFIX)


def list_complaints(games: Path) -> list[Path]:
    """Return all complaint recordings in a games folder, the oldest first; ``OSError`` if it can't be read."""
    folders = [path for folder in games.glob(f"*{SUFFIX}") for path in folder.iterdir() if path.is_dir()]
    return sorted(folders, key=_age_key)


def _age_key(recording: Path) -> tuple[GameStart, int, str]:
    """Return a key that orders recordings by age: by game and number, because the clock may have been set back."""
    start = game_start(recording.parent)
    file_ns = recording.stat().st_mtime_ns if start == NO_START else 0
    return start, file_ns, recording.name.zfill(9)


def delete_oldest(recordings: Iterable[Path]) -> None:
    """Delete the first of ``recordings`` (the oldest first) until the rest has room for one more."""
    sizes = [(path, sum(file.stat().st_size for file in path.iterdir())) for path in recordings]
    total = sum(size for _, size in sizes)
    for path, size in sizes:
        if total <= MAX_BYTES:
            return
        # Without the owner's rights, a link in somebody's games folder would have root delete what is elsewhere.
        with owner_rights(path):
            shutil.rmtree(path, ignore_errors=True)
        total -= size
