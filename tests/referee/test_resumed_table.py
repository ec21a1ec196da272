"""After a power cut the referee goes on, and knows the cards that lie on the mark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table.cards import card
from table.errors import TableError
from table.events.event_spec import Announcement, without_header
from table.events.game_events import Bid, Played
from table.games.engine.game_state import Phase
from table.games.registry import make_game
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS
from table.phrase import line_place
from table.referee.records.journal import Journal, JournalLine, effective_lines, resume_lines
from table.referee.referee import Referee
from tests.referee.tabletop import TableTop, correct, entries_of, find_last, redo, undo
from tests.speeds import first_quick
from tests.wrong import check, wrong


def resumed(
    lines: list[JournalLine], now: float = 60_000, game: str = "whysteria", **options: Any
) -> TableTop:
    """A table that has come up again after a power cut that left these lines."""
    table = TableTop(game, **options)
    written = [json.loads(json.dumps(line)) for line in lines]
    table.referee = Referee(
        make_game(game, tuple(table.angles), options), table.angles, Journal(earlier=written)
    )
    table.referee.resume(int(now * MS))
    table.watched = now + 2_500
    return table


def half_a_trick() -> TableTop:
    """Bids are made; Ben has led the nine, Cleo has followed."""
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Cleo", 1, 3000)
    table.bid("Ada", 2, 4000)
    table.lay("9H", 6000, "Ben")
    table.lay("8H", 7000, "Cleo")
    table.settle()
    assert table.referee.state.phase is Phase.FOLLOW
    return table


def test_the_cards_of_the_trick_are_known_when_they_are_seen_again() -> None:
    table = resumed(half_a_trick().referee.journal.lines, hands=[2])
    count = len(table.referee.journal.lines)
    table.lay("8H", 60_001)
    table.lay("9H", 60_002)
    table.lay("2H", 65_000, "Ada")
    table.clear("9H", "8H", "2H", at=67_000, arm="Ben")
    table.settle()
    assert [line["event"] for line in table.referee.journal.lines[count:]] == [
        "card_played",
        "trick_won",
        "trick_taken",
    ]
    assert not table.referee.view(0).cards_on_mark
    assert "The game goes on where it was: hand 1, trick 1 of 2, 2 of its cards played" in {
        phrase_text(notice.phrase) for notice in table.referee.view(0).notices
    }


def test_a_card_taken_up_in_the_dark_is_still_played() -> None:
    table = resumed(half_a_trick().referee.journal.lines, hands=[2])
    table.lay("2H", 65_000, "Ada")
    table.clear("2H", at=67_000, arm="Ben")
    lines = table.settle()
    assert [line["event"] for line in lines[-3:]] == ["card_played", "trick_won", "trick_taken"]


def test_a_card_of_the_trick_that_is_withdrawn_after_it_is_taken_back() -> None:
    table = resumed(half_a_trick().referee.journal.lines, hands=[2])
    table.lay("9H", 60_001)
    table.lay("8H", 60_002)
    table.withdraw("8H", 62_000)
    line = table.settle()[-1]
    assert (line["event"], line["seat"], line["card"]) == ("card_taken_back", "Cleo", "8H")


def out_of_turn() -> list[JournalLine]:
    """Ben has led the nine, and Ada laid the two although it is Cleo's turn."""
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, number, 2000 + 1000 * number)
    table.lay("9H", 6000, "Ben")
    table.lay("2H", 7000, "Ada")
    lines = table.settle(until=8000)
    assert lines[-1]["event"] == "out_of_turn"
    return lines


def test_a_card_out_of_turn_that_is_taken_back_in_the_dark_counts_no_more() -> None:
    table = resumed(out_of_turn(), hands=[2])
    table.lay("9H", 60_001)
    table.lay("8H", 62_000, "Cleo")
    table.lay("4H", 64_000, "Ada")
    assert table.said("card_taken_back", "card_played")[1:] == [
        ("card_taken_back", "Ada", "2H"),
        ("card_played", "Cleo", "8H"),
        ("card_played", "Ada", "4H"),
    ]


def test_a_card_out_of_turn_that_still_lies_waits_for_its_turn_until_it_is_seen() -> None:
    for late in (60_001, 60_003, 61_000):
        table = resumed(out_of_turn(), hands=[2])
        table.lay("9H", 60_001)
        table.lay("8H", 60_002)  # Cleo laid it in the dark
        table.lay("2H", late)  # a hand may have hovered over it
        table.settle()
        assert table.said("card_taken_back", "card_played")[1:] == [
            ("card_played", "Cleo", "8H"),
            ("card_played", "Ada", "2H"),
        ], late


def test_a_lead_that_is_withdrawn_in_the_dark_is_told_of_by_the_next_one() -> None:
    table = resumed(out_of_turn()[:-1], hands=[2])
    table.lay("10H", 62_000, "Ben")
    table.lay("8H", 64_000, "Cleo")
    cards = [line for line in effective_lines(table.settle()) if {"seat", "card"} <= line.keys()]
    held = [(line["event"], line["seat"], line["card"]) for line in cards]
    assert held[1:] == [
        ("card_taken_back", "Ben", "9H"),
        ("card_played", "Ben", "10H"),
        ("card_played", "Cleo", "8H"),
    ]


def complete_trick() -> list[JournalLine]:
    table = half_a_trick()
    table.lay("2H", 8000, "Ada")
    lines = table.settle()
    assert table.referee.state.phase is Phase.PICK_UP
    return lines


def test_a_trick_picked_up_in_the_dark_is_taken_when_the_next_card_falls() -> None:
    table = resumed(complete_trick(), hands=[2])
    table.lay("KS", 70_000, "Ben")
    lines = table.settle()
    assert [(line["event"], line.get("seat")) for line in lines[-2:]] == [
        ("trick_taken", "Ben"),
        ("card_played", "Ben"),
    ]


def test_a_trick_that_still_lies_is_not_taken_by_what_is_seen_first() -> None:
    table = resumed(complete_trick(), hands=[2])
    table.lay("KS", 60_100)  # one of them, misread
    table.lay("9H", 60_100)
    table.settle(until=61_000)
    assert table.referee.state.phase is Phase.PICK_UP


def test_what_is_not_seen_after_a_while_has_gone() -> None:
    taken = resumed(complete_trick(), hands=[2])
    assert taken.settle(until=62_400)[-1]["event"] == "trick_won"
    taken.referee.note_view_since(None)  # the camera was unplugged
    assert taken.settle(until=70_000)[-1]["event"] == "trick_won"
    taken.referee.note_view_since(70_000 * MS)
    assert taken.settle(until=72_600)[-1]["event"] == "trick_taken"
    back = resumed(out_of_turn(), hands=[2])
    back.lay("9H", 60_001)
    back.settle(until=65_100)
    assert back.said("card_taken_back") == [("card_taken_back", "Ada", "2H")]
    assert [str(one.card) for one in back.referee.view(0).cards_on_mark] == ["9H"]


def test_a_lead_to_be_taken_back_is_not_taken_for_another_players() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Cleo", 1, 3000)
    table.bid("Ada", 2, 4000)
    table.lay("9H", 6000, "Ada", place=(-60, 0))
    table.lay("8H", 6010, "Cleo", place=(60, 0))
    lines = table.settle()
    assert lines[-1]["event"] == "leads_tied"
    assert lines[-1]["kept"] is None
    default = table.referee.expected.default_seat
    again = resumed(lines, hands=[2])
    assert again.referee.expected.default_seat == default
    for name in ("9H", "8H"):
        again.lay(name, 60_010)
    again.settle()
    statuses = {str(lying.card): (lying.seat, lying.role) for lying in again.referee.view(0).cards_on_mark}
    assert statuses == {"9H": ("Ada", "back"), "8H": ("Cleo", "back")}
    again.withdraw("8H", 62_000)
    assert again.settle()[-1]["event"] == "card_taken_back"


def test_a_lead_taken_back_that_still_lies_is_its_players_card_when_the_next_one_falls() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, number, 2000 + 1000 * number)
    table.lay("9H", 6000, "Ada", place=(-60, 0))
    table.lay("8H", 6100, "Ben", place=(60, 0))
    lines = table.settle()
    [tie] = [line for line in lines if line["event"] == "leads_tied"]
    assert tie["taken_back"] == [{"seat": "Ben", "card": "8H"}]
    again = resumed(lines, hands=[2])
    again.lay("9H", 60_001)
    again.lay("8H", 60_002)
    again.lay("4H", 65_000, "Cleo")
    again.settle()
    assert again.said("card_played", "out_of_turn")[1:] == [
        ("card_played", "Ben", "8H"),
        ("card_played", "Cleo", "4H"),
    ]


def test_the_turned_up_card_lies_where_it_lay() -> None:
    table = TableTop("oh-hell", hands=[2])
    table.lay("9H", 1000, "Ada")
    table.rap("Ada", 2000)
    lines = table.settle()
    assert lines[-1]["event"] == "dealt"
    again = resumed(lines, game="oh-hell", hands=[2])
    again.lay("9H", 60_010)
    again.settle()
    (lying,) = again.referee.view(0).cards_on_mark
    assert lying.role == "turned up"
    assert again.referee.journal.lines[-1]["event"] == "dealt"


def test_bids_in_secret_are_made_anew_after_another_count() -> None:
    table = TableTop("oh-shit", hands=[1])
    table.lay("9H", 500, "Ada")
    table.rap("Ada", 1000)
    for number, seat in enumerate(("Ada", "Ben", "Cleo")):
        table.rap(seat, 3000 + 10 * number)
    table.bid("Ben", 1, 8000)
    lines = table.settle()
    assert table.referee.state.phase is Phase.SECRET_BID
    again = resumed(lines, game="oh-shit", hands=[1])
    for number, seat in enumerate(("Ada", "Ben", "Cleo")):
        again.bid(seat, 1, 64_000 + 10 * number)
    assert "bids_revealed" in [line["event"] for line in again.settle()]


def corrected_game(path: Path) -> list[JournalLine]:
    """A journal in which an early bid was corrected after a later one."""
    table = TableTop(hands=[2])
    journal = Journal(path, durable=False)
    table.referee = Referee(table.referee.game, table.angles, journal)
    table.referee.start(0)
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.bid("Cleo", 1, 3000)
    table.settle()
    before = effective_lines(journal.lines)
    at = next(
        n for n, one in enumerate(entries_of(table.referee)) if getattr(one.cause, "seat", None) == "Ben"
    )
    correct(table.referee, at, Bid("Ben", 2), 4000 * MS, "Ben")
    journal.close()
    return before


def test_a_correction_of_which_a_part_is_torn_off_has_not_happened(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    before = corrected_game(path)
    whole = path.read_bytes()
    rows = whole.splitlines(keepends=True)
    at = next(n for n, row in enumerate(rows) if b'"corrected"' in row)
    assert len(rows) - at == 3
    for cut in range(len(b"".join(rows[:at])), len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert resume_lines(path) == before, cut
        assert path.read_bytes() == b"".join(rows[:at])
    path.write_bytes(whole[:-1])
    assert [line["bid"] for line in effective_lines(resume_lines(path)) if line["event"] == "bid"] == [2, 1]
    assert path.read_bytes() == whole


def test_a_journal_that_is_taken_up_is_gone_on_with_without_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Journal(path) as journal:
        journal.append("rap", 1, 2, {"seat": "Zoë"})
        journal.append("rap", 3, 4, {"seat": "Ada"})
    whole = path.read_bytes()
    for cut in range(len(whole.splitlines(True)[0]), len(whole) + 1):
        path.write_bytes(whole[:cut])
        lines = resume_lines(path)
        with Journal(path, earlier=lines) as journal:
            journal.append("rap", 5, 6, {"seat": "Ben"})
        again = resume_lines(path)
        assert [line["seq"] for line in again] == list(range(1, len(again) + 1))
        assert again[-1]["seat"] == "Ben"
        assert len(again) == (3 if cut >= len(whole) - 1 else 2)


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ('{"seq": 2, "t_ns": 1, "decided_ns": 1, "event": "rap"}\n', "expected.seq", ()),
        ('{"t_ns": 1, "decided_ns": 1, "event": "rap"}\n', "expected.seq", ()),
        ('{"seq": 1, "t_ns": 1, "event": "rap"}\n', "expected.nanoseconds", ("decided_ns",)),
        ('{"sq": 1}\n{"seq": 2}\n{"seq": 3}\n', "expected.event", ()),
    ],
)
def test_a_journal_that_is_none_is_named(tmp_path: Path, text: str, code: str, at: tuple[str, ...]) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(text)
    with wrong(code, at=(path, line_place(1), *at), kind=TableError) as caught:
        resume_lines(path)
    if code == "expected.seq":
        check(caught.value, code, number=1, instead=2 if "seq" in text else "None")


# --- what people put right after a power cut of which only the journal is left ------------------------------------


def test_what_only_the_journal_tells_can_be_undone_and_done_again() -> None:
    table = resumed(half_a_trick().referee.journal.lines, hands=[2])
    for number, name in enumerate(("8H", "9H")):
        table.lay(name, 60_001 + number)
    table.settle(until=63_000)
    assert undo(table.referee, 64_000 * MS, "Ada")
    shown = {str(one.card): one.role for one in table.referee.view(0).cards_on_mark}
    assert shown == {"9H": "played", "8H": "back"}
    assert redo(table.referee, 65_000 * MS, "Ada")
    table.lay("2H", 66_000, "Ada")
    assert table.said("trick_won")[-1][2] == "Ben"


@pytest.mark.parametrize("seen_first", [False, True])
def test_a_card_of_the_journal_that_is_put_right_is_known_though_it_is_read_as_before(
    seen_first: bool,
) -> None:
    table = resumed(half_a_trick().referee.journal.lines, hands=[2])
    led = find_last(table.referee, lambda entry: entry.cause == Played("Ben", card("9H")))
    assert led is not None
    table.lay("9H", 60_001)  # it is the six
    table.lay("8H", 60_002)
    table.settle(until=63_000 if seen_first else 60_000)
    assert correct(table.referee, led, Played("Ben", card("6H")), 60_000 * MS, "Ben")
    table.lay("2H", 66_000, "Ada")
    assert table.said("trick_won")[-1][2] == "Cleo"
    assert not table.said("out_of_turn", "card_taken_back")


def test_a_scored_hand_of_which_only_the_journal_tells_can_be_put_right(tmp_path: Path) -> None:
    table, path = TableTop(hands=[2, 1]), tmp_path / "game.jsonl"
    play_steps(table, WHOLE[:26])
    lines = table.settle(until=91_000)
    assert lines[-1]["event"] == "bid"
    bid = find_last(table.referee, lambda entry: entry.cause == Bid("Ada", 0))
    assert bid is not None
    game = table.referee.game
    with Journal(path) as journal:
        journal.append_at_once(
            [(one["t_ns"], Announcement(one["event"], without_header(one))) for one in lines], 0
        )
    for again in range(2):  # the second time by the file that the first one has begun
        with Journal(path, earlier=resume_lines(path)) as journal:
            referee = Referee(game, table.angles, journal)
            referee.resume((100 + again) * 1_000 * MS)
            if again:
                assert redo(referee, 102_000 * MS, "Ada")
            else:
                assert correct(referee, bid, Bid("Ada", 2), 101_000 * MS, "Ada")
            assert referee.state.results[0].bids["Ada"] == (0 if again else 2)
            assert referee.state.bids == table.referee.state.bids


# --- power cuts at every moment ---------------------------------------------------------------------------

Step = tuple[str, dict[str, Any]]
"""What is done at the table: a method of the table top, and what it is given."""


def step(what: str, **given: Any) -> Step:
    return what, given


def an_evening() -> list[tuple[float, Step]]:
    """A whole game of two hands with everything that happens at tables; each step with its moment in ms."""
    steps: list[tuple[float, Step]] = []

    def at(ms: float, what: str, **given: Any) -> None:
        steps.append((ms, step(what, **given)))

    at(1_000, "rap", seat="Ada")
    at(5_000, "bid", seat="Ben", number=1)
    at(5_010, "bid", seat="Cleo", number=1)
    at(9_000, "bid", seat="Ben", number=1)
    at(13_000, "bid", seat="Cleo", number=0)
    at(17_000, "bid", seat="Ada", number=1)
    at(21_000, "bid", seat="Ada", number=0)
    at(25_000, "lay", card="4D", arm="Ada", place=(-60, 0))
    at(25_020, "lay", card="8H", arm="Cleo", place=(60, 0))
    at(29_000, "withdraw", card="8H")
    at(33_000, "withdraw", card="4D")
    at(37_000, "lay", card="10H", arm="Ben")
    at(41_000, "lay", card="4H", arm="Ada")
    at(45_000, "withdraw", card="4H")
    at(49_000, "lay", card="8H", arm="Cleo", upon=["10H"])
    at(53_000, "lay", card="4H", arm="Ada", upon=["8H"])
    at(57_000, "clear", cards=("10H", "8H", "4H"), arm="Ben")
    at(61_000, "lay", card="2C", arm="Ben")
    at(65_000, "lay", card="5C", arm="Cleo")
    at(69_000, "lay", card="9C", arm="Ada")
    at(73_000, "withdraw", card="9C")
    at(77_000, "lay", card="KC", arm="Ada")
    at(81_000, "clear", cards=("2C", "5C", "KC"), arm="Ada")
    at(85_000, "rap", seat="Ben")
    at(89_000, "bid", seat="Cleo", number=0)
    at(93_000, "bid", seat="Ada", number=0)
    at(97_000, "bid", seat="Ben", number=0)
    at(101_000, "lay", card="AS", arm="Cleo")
    at(105_000, "lay", card="3S", arm="Ada")
    at(109_000, "lay", card="KD", arm="Ben")
    at(113_000, "clear", cards=("AS", "3S", "KD"), arm="Cleo")
    return steps


def play_steps(table: TableTop, steps: list[tuple[float, Step]]) -> None:
    for at, (what, given) in steps:
        if what == "clear":
            table.clear(*given["cards"], at=at, arm=given["arm"])
        else:
            getattr(table, what)(**given, at=at)


def outcome(lines: list[JournalLine]) -> list[Any]:
    """What counts in the end: every hand's bids, tricks and scores, and the tricks themselves."""
    names = ("hand", "bids", "tricks", "points", "totals", "winners", "cards", "trick")
    return [
        [line["event"], {name: line[name] for name in names if name in line}]
        for line in effective_lines(lines)
        if line["event"] in ("trick_won", "hand_scored", "game_over")
    ]


WHOLE = an_evening()


def test_the_evening_without_a_power_cut_ends() -> None:
    table = TableTop(hands=[2, 1])
    play_steps(table, WHOLE)
    events = [line["event"] for line in table.settle()]
    assert {"bids_tied", "bid_refused", "leads_tied", "out_of_turn", "card_taken_back"} <= set(events)
    assert events[-1] == "game_over"


@first_quick(
    "done", [n for n in range(len(WHOLE) - 1, 0, -1) if WHOLE[n][0] - WHOLE[n - 1][0] > 1000], quick=8
)  # what is tied is not torn apart
def test_whenever_the_power_goes_the_game_ends_with_the_same_scores(done: int) -> None:
    whole = TableTop(hands=[2, 1])
    play_steps(whole, WHOLE)
    cut = TableTop(hands=[2, 1])
    play_steps(cut, WHOLE[:done])
    now = (WHOLE[done - 1][0] + WHOLE[done][0]) / 2
    lying = [str(card) for card in cut.ids]
    lines = cut.settle(until=now)
    again = resumed(lines, now, hands=[2, 1])
    for name in lying:
        again.lay(name, now + 0.001)
    play_steps(again, WHOLE[done:])
    assert outcome(again.settle()) == outcome(whole.settle())
