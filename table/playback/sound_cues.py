"""Sounds of a game under way: the most important of what was decided at once, and one when a player's turn begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from table.display.sound_player import PlaySound
from table.events.event_registry import EVENT_SPECS
from table.events.event_spec import Sound
from table.games.engine.game_state import Expected, Phase
from table.referee.records.journal import JournalLine
from table.referee.referee import Referee

SOUND_PRIORITIES: tuple[Sound, ...] = ("revoke", "question", "tie", "refused", "trick", "bid")
"""The sounds by priority: of several events decided at once only the first of these is played."""


class SoundCues:
    """Plays the sounds of a game under way. A game begins, or resumes, in silence."""

    def __init__(self, play: PlaySound) -> None:
        self._play = play
        self._referee: Referee | None = None
        self._turn: str | None = None

    def __call__(self, referee: Referee, decided: Sequence[JournalLine]) -> None:
        """Play what is to be heard of the journal lines just decided."""
        if referee is not self._referee:
            self._referee, self._turn = referee, player_to_move(referee.expected)
            return
        if not decided:
            return
        sound = sound_for_lines(decided)
        if sound is not None:
            self._play(sound)
        before, self._turn = self._turn, player_to_move(referee.expected)
        if self._turn not in (None, before):
            self._play("turn")


def sound_for_lines(lines: Sequence[JournalLine]) -> str | None:
    """Return the sound for lines decided at once, or None; what a correction writes again counts for nothing."""
    new_events = takewhile(lambda event: event != "corrected", (line["event"] for line in lines))
    sounds = {EVENT_SPECS[event].sound for event in new_events if event in EVENT_SPECS}
    return next((sound for sound in SOUND_PRIORITIES if sound in sounds), None)


def player_to_move(expected: Expected) -> str | None:
    """Return whose turn it is if one player's alone, not while a trick is picked up: its sound was just played."""
    return expected.default_seat if expected.must_act and expected.phase is not Phase.PICK_UP else None
