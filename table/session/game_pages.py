"""Pages of finished games: each is written beside its journal as the game ends, and onto a stick that is plugged in."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from table.errors import TableError
from table.history.export import PAGE_SUFFIX, make_stick_folder, write_page
from table.i18n.terminal_output import terminal_renderer
from table.phrase import Phrase, make_phrase
from table.referee.records.journal import JournalLine
from table.system.disks import StickError

MAX_WAIT_S: Final = 10.0
"""How long the end of the table waits for a page that is being written."""


class GamePages:
    """Writes the page of a game when it ends, and again when something is put right, or the end taken back."""

    def __init__(self) -> None:
        self._writing: threading.Thread | None = None
        self._over: Path | None = None
        """The journal of the game that was over at the last update."""
        self._due: Path | None = None
        """The journal whose page is to be written next."""
        self._news: SimpleQueue[Phrase] = SimpleQueue()

    def update(self, journal: Path | None, decided: Sequence[JournalLine], *, over: bool) -> list[Phrase]:
        """Begin to write the page of a game that is ``over``, or was, as soon as anything was ``decided``.

        Returns the news.
        ``journal``: where the lines are stored; None where they are not. The page is written in a thread of its own:
        no button waits for it.
        """
        if journal is not None and decided:
            if (over or journal == self._over) and journal.suffix != PAGE_SUFFIX:
                self._due = journal
            self._over = journal if over else None
        if self._due is not None and (self._writing is None or not self._writing.is_alive()):
            path, self._due = self._due, None
            self._writing = threading.Thread(target=self._write, args=(path,), name="page", daemon=True)
            self._writing.start()
        return self._take_news()

    def close(self) -> list[Phrase]:
        """Wait for what is being written, and return the news."""
        news = []
        for _ in range(2):  # the page that is being written, and one that is due after it
            if self._writing is not None:
                self._writing.join(MAX_WAIT_S)
            news += self.update(None, (), over=False)
        return news

    def _take_news(self) -> list[Phrase]:
        news = []
        with suppress(Empty):
            while True:
                news.append(self._news.get_nowait())
        return news

    def _write(self, journal: Path) -> None:
        words = terminal_renderer()
        try:
            write_page(journal, journal.parent, words)
            page = write_page(journal, make_stick_folder(), words)
        except StickError:  # there is none that can be written
            return
        except TableError as error:
            self._news.put(error.phrase)
        else:
            self._news.put(make_phrase("history.page_on_stick", path=str(page)))
