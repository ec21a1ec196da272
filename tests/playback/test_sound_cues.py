"""What is heard of a game: what is decided, the weightiest first, and whose turn it is; nothing a second time."""

from __future__ import annotations

from typing import Any

import pytest

from table.events.event_registry import EVENT_SPECS
from table.games.engine.game_state import Expected, Phase
from table.observed_facts import MS
from table.playback.sound_cues import SOUND_PRIORITIES, SoundCues, player_to_move, sound_for_lines
from tests.referee.tabletop import TableTop, undo


class Table(TableTop):
    """Whose herald is heard after each moment."""

    def __init__(self, game: str = "whysteria", **options: Any) -> None:
        super().__init__(game, **options)
        self.sounds: list[str] = []
        self.played = 0
        self.cues = SoundCues(self.sounds.append)
        self.play()

    def heard(self, until: float) -> list[str]:
        self.settle(until)
        self.sounds.clear()
        self.play()
        return list(self.sounds)

    def play(self) -> None:
        """What has been decided since the last time is played."""
        self.cues(self.referee, self.referee.journal.lines[self.played :])
        self.played = len(self.referee.journal.lines)


def test_bids_ties_tricks_and_turns_are_heard() -> None:
    table = Table(hands=[1])
    table.rap("Ada", 1_000)
    assert table.heard(2_000) == []
    table.bid("Ben", 0, 3_000)
    assert table.heard(4_500) == ["bid"], "anyone may bid still: it is nobody's turn"
    table.bid("Cleo", 1, 5_000)
    table.bid("Ada", 1, 5_004)
    assert table.heard(7_000) == ["tie", "turn"]
    table.bid("Cleo", 0, 8_000)
    table.bid("Ada", 0, 9_500)
    assert table.heard(11_000) == ["bid"]
    table.lay("9H", 12_000, "Ben")
    assert table.heard(12_500) == ["turn"]
    table.lay("8H", 13_000, "Cleo")
    assert table.heard(13_500) == ["turn"]
    table.lay("7H", 14_000, "Ada")
    assert table.heard(14_500) == ["trick"]
    assert table.heard(14_600) == []


def test_a_refused_bid_is_heard_as_refused() -> None:
    table = Table(hands=[1])
    table.bid("Ben", 1, 1_000)
    assert table.heard(2_500) == ["refused"]


def test_bids_in_secret_are_heard_when_they_are_shown_and_once() -> None:
    table = Table("oh-shit", hands=[2])
    said = [{"event": "bids_revealed"}, *({"event": "bid", "seat": seat} for seat in ("Ada", "Ben"))]
    assert sound_for_lines(said) == "bid"
    assert table.sounds == []


def test_what_a_correction_says_again_is_not_heard_again() -> None:
    table = Table(hands=[2])
    table.rap("Ada", 1_000)
    table.bid("Ben", 0, 3_000)
    table.bid("Cleo", 1, 6_000)
    assert table.heard(9_000) == ["bid"]
    assert undo(table.referee, 10_000 * MS, "Ada")
    table.sounds.clear()
    table.play()
    assert table.sounds == []
    assert sound_for_lines([{"event": "corrected"}, {"event": "trick_won"}, {"event": "bid"}]) is None


def test_a_game_that_goes_on_and_the_next_game_begin_in_silence() -> None:
    table = Table(hands=[1])
    other = TableTop(hands=[1])
    other.rap("Ada", 1_000)
    other.bid("Ben", 1, 3_000)
    other.settle(5_000)
    table.cues(other.referee, other.referee.decided())
    assert table.sounds == []


@pytest.mark.parametrize("first", range(len(SOUND_PRIORITIES)))
def test_of_what_is_decided_at_once_the_weightiest_is_heard(first: int) -> None:
    events = {kind.sound: name for name, kind in EVENT_SPECS.items() if kind.sound is not None}
    assert set(events) == set(SOUND_PRIORITIES)
    lines = [
        {"event": "hand_started"},
        *({"event": events[sound]} for sound in reversed(SOUND_PRIORITIES[first:])),
    ]
    assert sound_for_lines(lines) == SOUND_PRIORITIES[first]


@pytest.mark.parametrize(
    ("expected", "whose"),
    [
        (Expected(Phase.BID, ("Ada", "Ben"), "Ada", anyone_may_act=True), None),
        (Expected(Phase.BID, ("Ada",), "Ada"), "Ada"),
        (Expected(Phase.FOLLOW, ("Ben",), "Ben"), "Ben"),
        (Expected(Phase.PICK_UP, ("Ben",), "Ben"), None),
        (Expected(Phase.OVER, (), None), None),
    ],
)
def test_it_is_somebodys_turn_where_the_table_waits_for_one_alone(
    expected: Expected, whose: str | None
) -> None:
    assert player_to_move(expected) == whose
