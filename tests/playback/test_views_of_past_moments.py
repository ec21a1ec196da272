"""A journal read line by line stands where the game stood when each line was decided."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from table.errors import TableError
from table.events.event_spec import Announcement
from table.events.game_events import Played, Reseated
from table.games.engine.game_state import Phase, State, Step
from table.games.engine.option_checks import option_place
from table.history.honours import game_honours
from table.observed_facts import MS
from table.phrase import Place, line_place
from table.playback.views_of_past_moments import EVENT_PRIORITIES, Moment, important_moments, replay_journal
from table.referee.records.journal import JournalLine
from tests.games.catalogue import KINDS, Kind, game_of, label
from tests.games.driver import Driver, Manners
from tests.games.play import Story
from tests.referee.tabletop import TableTop, find_last, undo
from tests.wrong import wrong


def journalled(kind: Kind) -> tuple[list[JournalLine], list[tuple[int, State]]]:
    """A game's lines, and after each event how many there were and where the game stood."""
    driver = Driver(
        game_of(kind), random.Random(5), Manners(revoke=0.1, take_back=0.1, come_and_go=0.02), max_hands=4
    )
    driver.play()
    step = driver.game.start()
    said: list[Announcement] = list(step.announcements)
    stood = [(len(said), step.state)]
    for state, event in driver.history:
        step = driver.game.apply(state, event)  # type: ignore[assignment]
        assert isinstance(step, Step)
        said += step.announcements
        stood.append((len(said), step.state))
    ends = [count for count, _ in stood]
    lines = []
    for number, one in enumerate(said, start=1):
        at_ns = next(end for end in ends if end >= number) * MS
        line = {"seq": number, "t_ns": at_ns, "decided_ns": at_ns, "event": one.event, **one.fields}
        lines.append(json.loads(json.dumps(line)))
    return lines, stood


@pytest.mark.parametrize("kind", KINDS[::3], ids=label)
def test_every_moment_of_a_journal_is_what_the_game_was(kind: Kind) -> None:
    lines, stood = journalled(kind)
    found = {len(moment.lines): moment.view().state for moment in replay_journal(lines)}
    assert found == dict(stood)


def test_after_a_change_of_chairs_people_are_shown_where_they_sit() -> None:
    story = Story("oh-hell", "ABC", hands=[1])
    story.does(Reseated(("B", "A", "C")))
    lines = [
        {"seq": seq, "t_ns": seq, "decided_ns": seq, "event": said.event, **said.fields}
        for seq, said in enumerate(story.said, start=1)
    ]
    *_, before, after = (moment.view().seat_angles for moment in replay_journal(lines))
    assert (after["A"], after["B"], after["C"]) == (before["B"], before["A"], before["C"])


def test_a_finished_game_has_its_podium_and_its_honours_and_no_other_has() -> None:
    lines, _ = journalled(KINDS[0])
    *before, last = (moment.view() for moment in replay_journal(lines))
    if last.state.phase is not Phase.OVER:
        ended = {"totals": dict(last.state.totals), "ranking": [], "winners": [], "ended": True}
        at_ns = lines[-1]["t_ns"] + MS
        over = {"seq": len(lines) + 1, "t_ns": at_ns, "decided_ns": at_ns, "event": "game_over", **ended}
        *before, last = (moment.view() for moment in replay_journal([*lines, over]))
    assert last.honours == game_honours(lines) != ()
    assert last.moments[-1].kind == "game_over"
    assert not any(view.honours for view in before)


def test_what_was_corrected_stands_corrected() -> None:
    table = TableTop(hands=[3])
    table.rap("Ada", 1_000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, number % 2, 2_000 + 2_000 * number)
    table.lay("9H", 16_000, "Ben")
    table.settle(20_000)
    led = find_last(table.referee, lambda entry: isinstance(entry.cause, Played))
    assert led is not None
    before = [one.view().state for one in replay_journal(table.referee.journal.lines)][-1]
    assert [str(play.card) for play in before.trick.plays] == ["9H"]
    assert undo(table.referee, 30_000 * MS, "Cleo")
    *_, last = replay_journal(table.referee.journal.lines)
    assert last.view().state == table.referee.state
    assert last.view().state.trick.plays == ()
    assert [one.phrase.code for one in last.view().notices] == ["line.corrected.undo"]


def test_a_card_that_has_to_go_back_lies_there_and_its_ruling_is_told() -> None:
    table = TableTop(hands=[3])
    table.rap("Ada", 1_000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, number % 2, 2_000 + 2_000 * number)
    table.lay("9H", 16_000, "Ben")
    table.lay("8H", 16_100, "Cleo", upon=("9H",))
    *_, last = replay_journal(table.settle(20_000))
    view = last.view()
    assert [(str(one.card), one.seat, one.role) for one in view.cards_on_mark] == [("8H", "Cleo", "back")]
    assert view.notices[0].code == "kept"


def test_each_moment_that_matters_is_told_once_when_it_was_known() -> None:
    lines, _ = journalled(("whysteria", 3, {"hands": [2]}))
    told = [(moment.now_ns, line["event"]) for moment, line in important_moments(replay_journal(lines))]
    known = [(line["decided_ns"], line["event"]) for line in lines if line["event"] in EVENT_PRIORITIES]
    assert [at for at, _ in told] == list(dict.fromkeys(at for at, _ in known))
    assert set(told) <= set(known)
    assert told[-1][1] == "game_over"


def test_what_a_correction_says_again_is_told_as_the_correction_that_it_is() -> None:
    again: list[JournalLine] = [
        {"seq": 31, "decided_ns": 5 * MS, "event": "corrected"},
        {"seq": 32, "decided_ns": 5 * MS, "event": "card_played"},
        {"seq": 33, "decided_ns": 5 * MS, "event": "trick_won"},
        {"seq": 34, "decided_ns": 5 * MS, "event": "out_of_turn"},
    ]
    moments = [Moment(5 * MS, again, lambda: pytest.fail("it is not looked at"))]
    assert [line["seq"] for _, line in important_moments(iter(moments))] == [31]


@pytest.mark.parametrize(
    ("changed", "code", "at"),
    [
        ({"event": "rap", "seat": "Ada"}, "expected.game_started", ()),
        ({"options": {"hands": [99]}}, "option.too_many_cards", ("whysteria", option_place("hands"))),
        ({"options": []}, "expected.game_fields", ()),
        ({"seats": ["Ada"]}, "option.players", ("whysteria",)),
        ({"decided_ns": "soon"}, "expected.nanoseconds", ("decided_ns",)),
    ],
)
def test_lines_of_no_game_are_one_line_of_complaint(
    changed: dict[str, Any], code: str, at: tuple[Place, ...]
) -> None:
    lines, _ = journalled(("whysteria", 3, {"hands": [2]}))
    with wrong(code, at=(line_place(1), *at), kind=TableError):
        list(replay_journal([{**lines[0], **changed}, *lines[1:]]))


def test_a_line_that_can_not_be_is_named() -> None:
    lines, _ = journalled(("whysteria", 3, {"hands": [2]}))
    bid = next(line for line in lines if line["event"] == "bid")
    odd: dict[str, Any]
    for odd in ({"bid": 99}, {"seat": "Nobody"}, {"seat": None}, {"bid": []}):
        broken = [{**line, **odd} if line is bid else line for line in lines]
        with pytest.raises(TableError) as caught:
            list(replay_journal(broken))
        assert caught.value.where[0] == line_place(bid["seq"])


@pytest.mark.parametrize(
    "odd",
    [
        {"event": "out_of_turn", "seat": "Ada", "card": {"rank": 9}},
        {"event": "card_taken_back", "seat": ["Ada"], "card": "9H"},
    ],
)
def test_an_odd_line_that_changes_nothing_stops_no_screen_but_in_a_line(odd: dict[str, Any]) -> None:
    lines, _ = journalled(("whysteria", 3, {"hands": [2]}))
    begun, last = lines[: len(lines) // 2], lines[-1]
    broken = [
        *begun,
        {"seq": len(begun) + 1, "t_ns": last["t_ns"], "decided_ns": last["decided_ns"] + 1, **odd},
    ]
    *whole, odd_one = replay_journal(broken)
    assert [moment.view() for moment in whole]
    with pytest.raises(TableError) as caught:
        odd_one.view()
    assert caught.value.where[0] == line_place(len(broken))


def test_a_line_whose_sentence_can_not_be_told_is_named() -> None:
    lines, _ = journalled(("whysteria", 3, {"hands": [2]}))
    won = next(line for line in lines if line["event"] == "trick_won")
    broken = [{**line, "cards": [3]} if line is won else line for line in lines]
    with pytest.raises(TableError) as caught:
        list(replay_journal(broken))
    assert caught.value.where[0] == line_place(won["seq"])


def test_a_file_without_lines_is_of_no_game(tmp_path: Path) -> None:
    with wrong("expected.game_started", at=line_place(1), kind=TableError):
        list(replay_journal([]))
