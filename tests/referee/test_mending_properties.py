"""Whatever happens and whatever people put right: mark, game and journal agree, and an undo leaves no trace."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase as Stage
from hypothesis import example, given, settings
from hypothesis import strategies as st

from table.cards import card
from table.events.game_events import Bid, Event, Played
from table.games.engine.game_state import Phase
from table.observed_facts import Fact
from table.referee.model.search_context import Pins
from table.referee.records.journal import Journal, JournalLine, effective_lines
from table.referee.records.journal_of_hypothesis import read_journal
from tests.referee.tabletop import TableTop, correct, entries_of, find_last, redo, undo
from tests.speeds import first_quick

SEATS = ("Ada", "Ben", "Cleo")
CARDS = ("9H", "8H", "4H", "KH", "3S", "QD", "10C", "2C")
GAMES: dict[str, dict[str, Any]] = {
    "whysteria": {"hands": [2, 1]},
    "prediction-whist": {"hands": [2, 1, 2]},
}

steps = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 7), st.integers(0, 2)), min_size=8, max_size=30)
few = settings(max_examples=settings().max_examples // 5, phases=[Stage.explicit, Stage.generate])
"""No shrinking: a whole evening is worked out again for each try."""


class Evening:
    """People at a table: mostly they do what is waited for, sometimes anything."""

    def __init__(self, game: str, pins: Pins | None = None) -> None:
        self.table = TableTop(game, **GAMES[game])
        if pins is not None:
            search = self.table.referee.shared.search
            search.context = replace(search.context, pins=pins)
        self.now = 0.0

    def does(self, act: int, which: int, seat: int) -> list[Fact]:
        """One thing happens, a second and a half after the one before; return the facts that it makes."""
        self.now += 1500
        expected = self.table.referee.expected
        whose = SEATS[seat] if act >= 8 or expected.default_seat is None else expected.default_seat
        if act == 7:
            self._leaves(which)
        elif act >= 8:
            (self._lays if which % 2 else self._calls)(whose, which)
        elif expected.phase is Phase.PICK_UP:
            self._picks_up()
        elif expected.phase in (Phase.LEAD, Phase.FOLLOW):
            self._lays(whose, which)
        else:
            self._calls(whose, which)
        facts = list(self.table.facts)
        self.table.settle(self.now + 1400)
        return facts

    def _calls(self, seat: str, which: int) -> None:
        if self.table.referee.expected.phase is Phase.BID and which != 7:
            self.table.bid(seat, which % 3, self.now, until=self.now + 300)
        else:
            self.table.rap(seat, self.now)

    def _lays(self, seat: str, which: int) -> None:
        name = next((one for one in CARDS[which:] + CARDS if one not in self.table.ids), None)
        if name is not None:
            other = CARDS[(which + 3) % len(CARDS)]
            self.table.lay(name, self.now, seat, others=[(other, 0.01)] if other != name else ())

    def _leaves(self, which: int) -> None:
        lie = sorted(self.table.ids)
        if lie:
            self.table.withdraw(lie[which % len(lie)], self.now)

    def _picks_up(self) -> None:
        lie = [
            str(one.card)
            for one in self.table.referee.view(0).cards_on_mark
            if str(one.card) in self.table.ids
        ]
        if lie:
            self.table.clear(*dict.fromkeys(lie), at=self.now, arm=self.table.referee.state.trick.winner)


def holds(table: TableTop) -> list[JournalLine]:
    """The lines that still hold, but for when they were said."""
    left_out = {"seq", "decided_ns"}
    lines = effective_lines(json.loads(json.dumps(table.referee.journal.lines)))
    return [
        {key: value for key, value in line.items() if key not in left_out}
        for line in lines
        if line["event"] not in ("asked", "answered")
    ]


def agree(table: TableTop) -> None:
    """Mark and game, journal and state, view and mark."""
    referee = table.referee
    plays: Counter[tuple[str | None, object]] = Counter(
        (play.seat, play.card) for play in referee.state.trick.plays
    )
    view = referee.view(0)
    shown: Counter[tuple[str | None, object]] = Counter(
        (one.seat, one.card) for one in view.cards_on_mark if one.role == "played" and one.card is not None
    )
    assert shown <= plays
    lines = json.loads(json.dumps(referee.journal.lines))
    assert read_journal(referee.game, Journal(earlier=lines)).hypothesis.state == referee.state == view.state


def mend(evening: Evening, act: int, which: int, seat: int) -> None:
    """Somebody answers what is asked, undoes, does again, or puts something right."""
    referee = evening.table.referee
    if referee.questions and which % 2:
        question = referee.questions[which % len(referee.questions)]
        choices = (*question.choices, CARDS[which])
        referee.answer(question.number, choices[act % len(choices)], 0, SEATS[seat])
        return
    entries = entries_of(referee)
    changed = [at for at, one in enumerate(entries) if one.is_event]
    if act < 3 or not changed:
        undo(referee, 0, SEATS[seat])
    elif act < 5:
        redo(referee, 0, SEATS[seat])
    elif act < 6:
        undo(referee, 0, SEATS[seat], changed[which * len(changed) // 8])
    else:
        at = changed[which * len(changed) // 8]
        cause = entries[at].cause
        other: Event | None = None
        if isinstance(cause, Played):
            other = Played(SEATS[seat], cause.card) if act < 8 else Played(cause.seat, card(CARDS[which]))
        elif isinstance(cause, Bid):
            other = Bid(cause.seat, which % 3)
        if other is not None:
            correct(referee, at, other, 0, SEATS[seat])


@first_quick("game", GAMES)
@few
@given(acts=steps, words=steps)
def test_mark_game_and_journal_agree_after_any_correction_and_answer(
    game: str, acts: Any, words: Any
) -> None:
    evening = Evening(game)
    for number, act in enumerate(acts):
        evening.does(*act)
        if number % 4 == 3:
            agree(evening.table)
            mend(evening, *words[number % len(words)])
            agree(evening.table)
    agree(evening.table)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
@few
@given(acts=steps)
def test_a_redo_leaves_no_trace_of_the_undo(game: str, acts: Any) -> None:
    evening = Evening(game)
    table = evening.table
    for act in acts:
        evening.does(*act)
    before, said = table.referee.state, holds(table)
    if undo(table.referee, 0, "Ada"):
        assert holds(table) != said
        assert redo(table.referee, 0, "Ada")
    assert (table.referee.state, holds(table)) == (before, said)
    agree(table)


A_DEAL = [(5, 1, 2), (0, 3, 1), (4, 0, 0), (4, 3, 2), (2, 1, 1), (3, 0, 2), (9, 4, 2), (2, 5, 0)]
A_DEAL += [(2, 6, 1), (0, 4, 1), (9, 3, 1), (0, 7, 1), (7, 2, 2), (8, 2, 1), (7, 1, 0), (9, 5, 2)]
"""The last that happens in it is a deal, which closes a hand in which not all was clear."""
AFTER_A_DEAL = [(5, 0, 2), (4, 3, 2), (5, 4, 1), (9, 2, 1), (4, 3, 1), (0, 2, 0), (4, 4, 0), (5, 5, 1)]
AFTER_A_DEAL += [(0, 5, 0), (2, 3, 2), (8, 0, 1), (4, 0, 0), (1, 1, 1), (6, 4, 0), (4, 1, 1), (9, 6, 0)]
AFTER_A_DEAL += [(0, 6, 1), (6, 5, 2), (8, 1, 2), (7, 7, 1), (6, 2, 1), (5, 7, 0), (0, 7, 2), (1, 1, 2)]
AFTER_A_DEAL += [(7, 2, 0), (5, 4, 1), (0, 4, 0), (9, 5, 0)]
"""A bid in the hand after such a one."""


@first_quick("game", GAMES)
@few
@example(acts=A_DEAL)
@example(acts=AFTER_A_DEAL)
@given(acts=steps)
def test_what_is_undone_has_never_happened(game: str, acts: Any) -> None:
    evening = Evening(game)
    table = evening.table
    did = [(evening.does(*act), evening.now + 1400) for act in acts]
    at = find_last(table.referee, lambda entry: entry.is_event)
    if at is None:
        return
    item = entries_of(table.referee)[at].observation_number
    assert item is not None
    undo(table.referee, 0, "Ada")
    other = Evening(game, Pins(undone=frozenset((item,))))
    for facts, until in did:
        other.table.facts = facts
        other.table.settle(until)
    assert holds(table) == holds(other.table)
    assert table.referee.state == other.table.referee.state
