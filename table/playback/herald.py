"""The herald: has what is decided heard, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from table.display.sound import Player
from table.events.kind import Sound
from table.events.known import KINDS
from table.games.base import Expected, Phase
from table.pipeline import Pipeline
from table.referee.journal import Journal, JournalLine

FIRST: tuple[Sound, ...] = ("revoke", "question", "tie", "refused", "trick", "bid")
"""Of what is decided at once, the first of these is heard."""


class Herald:
    """Listens to the journal of a game under way; a game that is taken up again begins in silence."""

    def __init__(self, pipeline: Pipeline, play: Player) -> None:
        self._pipeline = pipeline
        self._play = play
        self._journal: Journal | None = None
        self._told = 0
        self._turn: str | None = None

    def __call__(self) -> None:
        """Have heard what is new since the last call."""
        referee = self._pipeline.referee
        if referee.journal is not self._journal:
            # Another game, or the first one: what its journal holds already has been.
            self._journal, self._told = referee.journal, len(referee.journal.lines)
            self._turn = turn(referee.expected)
            return
        fresh = referee.journal.lines[self._told :]
        if not fresh:
            return
        self._told += len(fresh)
        sound = heard(fresh)
        if sound is not None:
            self._play(sound)
        before, self._turn = self._turn, turn(referee.expected)
        if self._turn not in (None, before):
            self._play("turn")


def heard(lines: Sequence[JournalLine]) -> str | None:
    """What is heard of some lines that are decided at once; nothing of those that a correction only says again."""
    said = set()
    for line in lines:
        if line["event"] == "corrected":
            break
        kind = KINDS.get(line["event"])
        said.add(kind.sound if kind is not None else None)
    return next((sound for sound in FIRST if sound in said), None)


def turn(expected: Expected) -> str | None:
    """Whose turn it is, where the table waits for one player alone.

    Nobody's while the trick is to be picked up: its winner has just been heard.
    """
    alone = (expected.must or not expected.free) and expected.phase is not Phase.PICK_UP
    return expected.default if alone else None
