"""The facts of the hand in play outlive a power cut: the table goes on to the same end, whenever the power goes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table.cards import Contract, UnseenCard, card
from table.events.event_spec import Announcement, Play
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    CardsPassed,
    Dealt,
    LeadsTied,
    Left,
    Passed,
    Played,
    SuitNamed,
    ThrownIn,
    TurnedUp,
)
from table.games.engine.game_state import Phase
from table.history.archive import resume_game
from table.observed_facts import END_NS, MS, Call, CardGone, CardLanded, CardReread, Gesture, Reading
from table.referee.model.notices import make_notice
from table.referee.model.observations import (
    CallMade,
    CardsLanded,
    CardsLeft,
    DialCleared,
    DialTurned,
    HandMayBeOver,
    JournalEvent,
    Observation,
    PickUpOver,
    Remark,
    Restarted,
    SecretBid,
)
from table.referee.model.search_context import Pins
from table.referee.records.journal import Journal, effective_lines, resume_lines
from table.referee.records.json_codec import from_plain, to_plain
from table.referee.records.stored_facts import facts_path
from table.referee.referee import Referee
from tests.referee.powercut import Evening, copied, holding, known_ns, read_facts, tell
from tests.referee.tabletop import TableTop, correct, entries_of, find_last, redo, undo
from tests.referee.test_referee_games import Auction
from tests.referee.test_resumed_table import an_evening, play_steps
from tests.speeds import first_quick


def as_evening(table: TableTop) -> Evening:
    return Evening(table.referee.game, table.angles, sorted(table.facts, key=known_ns))


def everything_that_happens() -> Evening:
    """Two hands with ties, a refusal, cards out of turn and taken back."""
    table = TableTop(hands=[2, 1])
    play_steps(table, an_evening())
    return as_evening(table)


def a_turned_up_card() -> Evening:
    """Oh Hell, two hands of one card, and a card that is read better later."""
    table = TableTop("oh-hell", hands=[1, 1])
    for start, seats, names in (
        (0, ("Ben", "Cleo", "Ada"), ("KH", "5H", "2H", "3C")),
        (60_000, ("Cleo", "Ada", "Ben"), ("9S", "6S", "JS", "4D")),
    ):
        dealer = seats[-1]
        table.lay(names[3], start + 1_000, dealer)
        table.rap(dealer, start + 4_000)
        for number, seat in enumerate(seats):
            table.bid(seat, 1, start + 8_000 + 4_000 * number)
        table.withdraw(names[3], start + 22_000)
        table.lay(names[0], start + 25_000, seats[0], confidence=0.7, others=[("QH", 0.3)])
        table.lay(names[1], start + 29_000, seats[1])
        table.reread(names[0], names[0], start + 31_000)
        table.lay(names[2], start + 33_000, seats[2])
        table.clear(*names[:3], at=start + 37_000, arm=seats[0] if start == 0 else seats[1])
    return as_evening(table)


def a_missed_card() -> Evening:
    """Whysteria: Cleo's first card is never seen, so Ada's seems to be out of turn, until the trick is picked up."""
    table = TableTop(hands=[2])
    table.rap("Ada", 1_000)
    table.bid("Ben", 0, 4_000)
    table.bid("Cleo", 1, 8_000)
    table.bid("Ada", 2, 12_000)
    table.lay("9H", 16_000, "Ben")
    table.lay("2H", 20_000, "Ada")
    table.clear("9H", "2H", at=24_000, arm="Ben")
    table.lay("KS", 28_000, "Ben")
    table.lay("3S", 32_000, "Cleo")
    table.lay("4S", 36_000, "Ada")
    table.clear("KS", "3S", "4S", at=40_000, arm="Ben")
    return as_evening(table)


def middle(at_ms: float) -> Callable[[int], int]:
    return lambda at: abs(at - int(at_ms * MS))


def snapshot(evening: Evening, folder: Path, at_ms: float) -> tuple[int, Path]:
    """What lies on the disk about ``at_ms``, and when exactly."""
    found = evening.snapshots(folder)
    at = min(found, key=middle(at_ms))
    return at, found[at]


# --- cuts at every moment -------------------------------------------------------------------------------------------


def test_the_clock_goes_on_after_what_was_seen_too_and_not_only_after_the_journal(tmp_path: Path) -> None:
    """It starts anew with the machine: a card that lies there must not have come after those that come now."""
    played = everything_that_happens()
    at, path = snapshot(played, tmp_path, 39_000)
    lines = resume_lines(path)
    told_ns = max(line["decided_ns"] for line in lines)
    assert resume_game(path, played.game).latest_ns == told_ns
    fact = next(one for one in played.facts if isinstance(one, CardLanded) and one.t_ns > at)
    with Journal(path, earlier=lines) as journal:
        referee = Referee(played.game, played.angles, journal)
        referee.resume(at)
        referee.take([fact], fact.t_ns - MS, fact.t_ns)
    assert len(resume_lines(path)) == len(lines), "it waits: nothing has been said of it yet"
    assert resume_game(path, played.game).latest_ns == fact.t_ns > told_ns
    # Where the journal is cut back, what was seen is as late as before.
    rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join(rows[:-1]))
    assert resume_game(path, played.game).latest_ns == fact.t_ns
    facts_path(path).unlink()
    assert resume_game(path, played.game).latest_ns == max(line["decided_ns"] for line in lines[:-1])


@first_quick("evening", [everything_that_happens, a_turned_up_card, a_missed_card])
def test_whenever_the_power_goes_the_journal_says_the_same_in_the_end(
    evening: Callable[[], Evening], tmp_path: Path
) -> None:
    played = evening()
    found = played.snapshots(tmp_path)
    # A card that lies there and is seen anew is read anew: its first reading gets no surer by that.
    whole = holding(resume_lines(tmp_path / "whole.jsonl"), "confidence")
    assert whole[-1]["event"] == "game_over"
    cuts = [at for at, path in found.items() if holding(resume_lines(path))[-1]["event"] != "game_over"]
    assert len(cuts) > 8
    for at in cuts:
        assert holding(played.went_on(found[at], at), "confidence") == whole, at / 1e9


def test_a_card_missed_before_the_cut_is_found_out_by_the_facts_alone(tmp_path: Path) -> None:
    evening = a_missed_card()
    at, path = snapshot(evening, tmp_path, 22_000)
    whole = holding(resume_lines(tmp_path / "whole.jsonl"))
    assert [line["event"] for line in effective_lines(resume_lines(path))][-1] == "out_of_turn"
    by_journal = copied(path, tmp_path / "journal.jsonl")
    facts_path(by_journal).unlink()
    assert holding(evening.went_on(path, at)) == whole
    assert holding(evening.went_on(by_journal, at)) != whole


def test_a_card_taken_back_between_cut_and_start_has_gone(tmp_path: Path) -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1_000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, number, 4_000 * (number + 1))
    table.lay("9H", 16_000, "Ben")
    table.lay("2H", 20_000, "Ada")
    table.withdraw("2H", 22_000)
    table.lay("8H", 28_000, "Cleo")
    table.lay("4H", 32_000, "Ada")
    table.clear("9H", "8H", "4H", at=36_000, arm="Ben")
    evening = as_evening(table)
    _, path = snapshot(evening, tmp_path, 21_000)
    whole = holding(resume_lines(tmp_path / "whole.jsonl"), "confidence", "t_ns")
    assert "2H" in [line.get("card") for line in whole if line["event"] == "card_taken_back"]
    assert holding(evening.went_on(path, 22_500 * MS), "confidence", "t_ns") == whole


@pytest.mark.thorough
def test_the_power_may_go_again_and_again(tmp_path: Path) -> None:
    evening = everything_that_happens()
    found = evening.snapshots(tmp_path)
    whole = holding(resume_lines(tmp_path / "whole.jsonl"))
    at, path = min(found.items(), key=lambda one: middle(52_000)(one[0]))
    for often in range(1, 4):
        referee = evening.referee(path)
        referee.resume(at)
        tell(referee, (replace(one, id=n) for n, one in enumerate(evening.seen_anew(at), start=1)), at + 1)
        lying = referee.view(at).cards_on_mark
        assert [(str(one.card), one.seat) for one in lying] == [("10H", "Ben"), ("8H", "Cleo")]
        log = read_facts(facts_path(path))[0].log
        assert sum(isinstance(one, Restarted) for one in log) == often
        numbers = [fact.id for one in log if isinstance(one, CardsLanded) for fact in one.cards]
        assert len(set(numbers)) == len(numbers)
        assert len({one.number for one in log}) == len(log)
        referee.journal.close()
    assert holding(evening.went_on(path, at)) == whole


@pytest.mark.parametrize("cut_ms", [25_050, 57_100])
def test_cards_that_were_seen_but_not_judged_are_judged_after_the_cut(tmp_path: Path, cut_ms: int) -> None:
    evening = everything_that_happens()  # tied leads at 25.00 and 25.02, a pick-up at 57.00
    evening.snapshots(tmp_path)
    whole = holding(resume_lines(tmp_path / "whole.jsonl"), "confidence")
    path = tmp_path / "cut.jsonl"
    referee = evening.referee(path)
    referee.start(0)
    at = cut_ms * MS
    before = 0
    for moment in (*(one for one in evening.moments() if one < at), at):
        # The cards' facts have come, but a button that is down keeps them from being judged.
        told = [one for one in evening.facts if before <= known_ns(one) < moment]
        referee.take(told, min(evening.told_by(moment), at - 150 * MS), moment)
        before = moment
    left = copied(path, tmp_path / "left.jsonl")
    referee.journal.close()
    pending = read_facts(facts_path(left))[0].pending_facts
    assert pending
    assert set(pending) <= {one for one in evening.facts if at - 300 * MS < one.t_ns < at}
    assert holding(evening.went_on(left, at + 2_000 * MS), "confidence") == whole


def test_a_dial_shows_after_the_cut_what_it_showed_and_quiet_calls_nothing(tmp_path: Path) -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 3)
    cut = int((table.at + 600) * MS)
    evening = Evening(table.referee.game, table.angles, table.facts)
    referee = evening.referee(tmp_path / "game.jsonl")
    referee.start(0)
    referee.take(evening.facts, cut, cut)
    left = copied(tmp_path / "game.jsonl", tmp_path / "left.jsonl")
    referee.journal.close()
    again = evening.referee(left)
    again.resume(cut)
    dial = again.view(cut).dial
    assert dial is not None
    assert (dial.seat, dial.shown, dial.calls_at_ns) == ("South", "5H", None)
    later = cut + 60_000 * MS
    again.take((), later, later)
    assert not any(line["event"] in ("bid", "pass") for line in again.journal.lines)
    again.take([Call(later, later + 100 * MS, "South", Gesture.RAP)], END_NS, later + 200 * MS)
    assert [line["bid"] for line in again.journal.lines if line["event"] == "bid"] == ["5H"]
    again.journal.close()


class PowerCutError(Exception):
    """The power goes while a line is being written."""


class CutJournal(Journal):
    """A journal of which only ``count`` lines are written before the power goes."""

    def __init__(self, path: Path, count: int) -> None:
        super().__init__(path)
        self.count = count

    def append_at_once(self, said: Iterable[tuple[int, Announcement]], decided_ns: int) -> list[int]:
        lines = list(said)
        left = self.count - len(self.lines)
        if left < len(lines):
            super().append_at_once(lines[:left], decided_ns)
            raise PowerCutError
        return super().append_at_once(lines, decided_ns)


@pytest.mark.thorough
def test_what_was_observed_but_not_yet_said_is_said_after_the_cut(tmp_path: Path) -> None:
    evening = a_missed_card()
    evening.snapshots(tmp_path)
    whole = resume_lines(tmp_path / "whole.jsonl")
    for count in range(4, len(whole)):
        path = tmp_path / f"cut-{count}.jsonl"
        referee = Referee(evening.game, evening.angles, CutJournal(path, count))
        at = 0
        with pytest.raises(PowerCutError):  # noqa: PT012
            referee.start(0)
            for at in (*evening.moments(), evening.end_ns):
                tell(referee, [one for one in evening.facts if at_last(at, one, evening)], at)
        referee.journal.close()
        assert holding(evening.went_on(path, at)) == holding(whole), count


def at_last(at: int, fact: Any, evening: Evening) -> bool:
    """Whether ``at`` is the first moment by which a fact is known."""
    return next(moment for moment in (*evening.moments(), evening.end_ns) if known_ns(fact) < moment) == at


# --- what is kept ---------------------------------------------------------------------------------------------------

LANDED = CardLanded(
    5, 7, (Reading("9H", 0.875), Reading("6H", 0.1)), (1.5, -2.25), 12.5, None, 0.1, 3, (1, 2), (2,)
)
TOLD = (make_notice(3, "ruling", "took_back", "Zoë", seat="Zoë", card="9♥"),)
OBSERVATIONS: list[Observation] = [
    CardsLanded(1, 5, (LANDED, replace(LANDED, id=8, arm_deg=359.9, readings=()))),
    CardsLeft(2, 6, (CardGone(6, 7, 0.1 + 0.2, True), CardGone(6, 8, None, False))),
    PickUpOver(3, 2**62),
    CallMade(4, 7, Dealt("Ada")),
    CallMade(5, 7, Bid("Ben", "double nil"), {"spread_ns": 3, "seats": ("Ada", "Ben"), "by": None}, TOLD),
    CallMade(6, 7, Played("Ben", UnseenCard(won=True)), certain=True),
    CallMade(7, 7, BidsTied(("Ada", "Ben"))),
    CallMade(8, 7, BidsRevealed((("Ada", 0), ("Ben", 3)))),
    CallMade(9, 7, LeadsTied(None, (Play("Ada", card("JOKER")), Play("Ben", card("12H"))))),
    CallMade(10, 7, LeadsTied(Play("Ada", card("9H")), ())),
    CallMade(11, 7, CardsPassed()),
    CallMade(12, 7, ThrownIn("misdeal")),
    Remark(
        13,
        8,
        Announcement("bid_refused", {"seat": "Ben", "bid": 3, "why": "7 ≠ 3", "deep": {"a": [1, [2]]}}),
        TOLD,
    ),
    Restarted(14, 9),
    HandMayBeOver(18, 9),
    DialTurned(15, 9, "Ben", 3),
    DialTurned(16, 9, "Ben", 0),
    DialCleared(16, 9, "Ben"),
    SecretBid(17, 9, "Ada", "double nil"),
]
PINS = Pins(
    {7: card("9H"), 8: card("JOKER")},
    {7: "Ada"},
    {(1, 2, "Ben"): UnseenCard(won=True)},
    {
        (1, 0, None, "Ben"): Bid("Ben", 3),
        (2, 0, None, "Ada"): Bid("Ada", "double nil"),
        (1, 0, 0, "Ben"): Passed("Ben"),
        (1, 0, 5, "Ben"): Bid("Ben", Contract(6, "NT")),
        (3, 2, None, "Ada"): SuitNamed("Ada", "H"),
    },
    {(1, 3): "Cleo"},
    {4: TurnedUp(card("2C")), 5: Bid("Ben", 2)},
    frozenset((12, 3)),
)


@pytest.mark.parametrize("observation", OBSERVATIONS, ids=lambda one: f"{type(one).__name__}-{one.number}")
def test_an_observation_comes_back_exactly(observation: Observation) -> None:
    row = json.loads(json.dumps(to_plain(observation, Observation)))
    assert from_plain(row, Observation) == observation


def test_what_people_have_said_comes_back_exactly() -> None:
    assert from_plain(json.loads(json.dumps(to_plain(PINS, Pins))), Pins) == PINS
    assert to_plain(Pins(), Pins) == {}


def test_numbers_of_an_array_library_are_kept_as_plain_ones() -> None:
    numbers: Any = {"id": np.int64(7), "angle_deg": np.float32(12.5), "arm_deg": np.float64(0.1)}
    row = json.loads(json.dumps(to_plain(CardsLanded(1, 5, (replace(LANDED, **numbers),)), Observation)))
    assert from_plain(row, Observation) == CardsLanded(1, 5, (replace(LANDED, arm_deg=0.1),))


@pytest.mark.parametrize(
    "row",
    [
        *(
            None,
            3,
            {},
            {"is": "Nothing"},
            {"is": "PickUpOver"},
            {"is": "PickUpOver", "number": 1, "t_ns": "2"},
            {"is": []},
        ),
        *({"is": kind, "number": 1, "t_ns": 2, "cards": []} for kind in ("CardsLanded", "CardsLeft")),
    ],
)
def test_a_row_that_is_no_observation_is_refused(row: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        from_plain(row, Observation)


def after_the_bids() -> TableTop:
    """A hand of three cards in which Ben is to lead, at 12 s."""
    table = TableTop(hands=[3])
    table.rap("Ada", 1_000)
    table.bid("Ben", 0, 4_000)
    table.bid("Cleo", 1, 8_000)
    table.bid("Ada", 1, 12_000)
    return table


def corrected_and_reread(path: Path) -> tuple[Evening, Referee, int]:
    """Ben's 9 of hearts was read better, said to be the 6, and Cleo's card undone."""
    table = after_the_bids()
    table.lay("9H", 16_000, "Ben", confidence=0.5, others=[("6H", 0.4)])
    table.reread("9H", "9H", 18_000, 0.8)
    table.lay("8H", 20_000, "Cleo")
    table.lay("2H", 24_000, "Ada")
    evening = as_evening(table)
    referee = evening.referee(path)
    referee.start(0)
    tell(referee, evening.facts[:-1], 22_000 * MS)
    led = find_last(referee, lambda entry: isinstance(entry.cause, Played) and entry.cause.seat == "Ben")
    assert led is not None
    assert correct(referee, led, Played("Ben", card("6H")), 22_000 * MS, "Ada")
    assert undo(referee, 22_000 * MS, "Cleo")
    return evening, referee, 22_000 * MS


def test_what_people_have_said_and_what_was_read_better_holds_after_the_cut(tmp_path: Path) -> None:
    evening, before, at = corrected_and_reread(tmp_path / "a.jsonl")
    copied(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    stood = read_facts(facts_path(tmp_path / "b.jsonl"))[0]
    before.journal.close()
    after = evening.referee(tmp_path / "b.jsonl")
    after.resume(at)
    kept = read_facts(facts_path(tmp_path / "b.jsonl"))[0]
    assert kept.pins == stood.pins != Pins()
    *log, restarted = kept.log
    assert log == [*stood.log]
    assert restarted == Restarted(log[-1].number + 1, at)
    assert after.state == before.state
    told = [(one.observation_number, one.card_id, one.t_ns, one.cause) for one in entries_of(after)]
    assert told == [(one.observation_number, one.card_id, one.t_ns, one.cause) for one in entries_of(before)]
    assert [
        line["card"] for line in effective_lines(after.journal.lines) if line["event"] == "card_played"
    ] == ["6H"]
    # The correction itself can be put right yet, which the journal alone could not do card by card.
    assert correct(after, len(told) - 1, Played("Ben", card("9H")), at, "Ben")
    assert read_facts(facts_path(tmp_path / "b.jsonl"))[0].pins.cards[1] == card("9H")
    after.journal.close()


def test_facts_count_after_the_cut_though_a_card_was_read_more_surely_than_its_line_says(
    tmp_path: Path,
) -> None:
    table = after_the_bids()
    table.lay("9H", 16_000, "Ben", confidence=0.6, others=[("6H", 0.3)])
    evening = as_evening(table)
    before = evening.referee(tmp_path / "a.jsonl")
    before.start(0)
    tell(before, evening.facts, 20_000 * MS)
    before.take([CardReread(20_000 * MS, 1, (Reading("9H", 0.95),))], 21_000 * MS, 21_000 * MS)
    before.journal.close()
    (line,) = [line for line in before.journal.lines if line["event"] == "card_played"]
    assert line["confidence"] == 0.6
    log = read_facts(facts_path(tmp_path / "a.jsonl"))[0].log
    after = evening.referee(tmp_path / "a.jsonl")
    after.resume(22_000 * MS)
    assert read_facts(facts_path(tmp_path / "a.jsonl"))[0].log[: len(log)] == log
    after.journal.close()


def test_what_was_undone_and_put_right_before_the_cut_can_be_taken_back_after_it(tmp_path: Path) -> None:
    _, before, at = corrected_and_reread(tmp_path / "a.jsonl")
    for name in ("b", "c"):
        copied(tmp_path / "a.jsonl", tmp_path / f"{name}.jsonl")
    evening, told = as_evening(TableTop(hands=[3])), []
    for path, cuts in ((tmp_path / "b.jsonl", 1), (tmp_path / "c.jsonl", 2)):
        for _ in range(cuts):
            after = evening.referee(path)
            after.resume(at)
            after.journal.close()
        assert [redo(after, at, "Ben") for _ in range(3)] == [True, True, False]
        told.append([(play.seat, str(play.card)) for play in after.state.trick.plays])
    assert [redo(before, at, "Ben") for _ in range(3)] == [True, True, False]
    before.journal.close()
    plays = [(play.seat, str(play.card)) for play in before.state.trick.plays]
    assert told == [plays, plays] == [[("Ben", "9H"), ("Cleo", "8H")]] * 2


def test_an_undo_that_lets_a_refused_deal_count_can_be_taken_back_also_after_a_cut(tmp_path: Path) -> None:
    table = TableTop(hands=[1, 1, 1])
    for start, (eldest, second, dealer) in ((0, ("Ben", "Cleo", "Ada")), (40_000, ("Cleo", "Ada", "Ben"))):
        table.rap(dealer, start + 1_000)
        for place, (seat, name) in enumerate(((eldest, "9H"), (second, "8H"), (dealer, "2H"))):
            table.bid(seat, 0, start + 4_000 * (place + 1))
            table.lay(name, start + 12_000 + 4_000 * (place + 1), seat)
        table.clear("9H", "8H", "2H", at=start + 28_000, arm=eldest)
    evening = as_evening(table)
    path = tmp_path / "a.jsonl"
    referee = evening.referee(path)
    referee.start(0)
    tell(referee, evening.facts, 70_000 * MS)
    referee.shared.apply_entered_event(Left("Cleo"), 71_000 * MS, "Ada")
    tell(referee, [Call(72_000 * MS, 72_100 * MS, "Cleo", Gesture.RAP)], 73_000 * MS)
    left = referee.state
    assert left.players == ("Ada", "Ben")
    assert undo(referee, 74_000 * MS, "Ada")
    assert (referee.state.hand, referee.state.phase) == (3, Phase.BID)
    referee.journal.close()
    again = evening.referee(copied(path, tmp_path / "b.jsonl"))
    again.resume(75_000 * MS)
    for table_of in (referee, again):
        assert [redo(table_of, 76_000 * MS, "Ada") for _ in range(2)] == [True, False]
        assert table_of.state == left
    again.journal.close()


def test_a_card_that_was_put_right_and_is_misread_again_after_the_cut_stays_right(tmp_path: Path) -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1_000)
    for place, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, 0, 4_000 + 4_000 * place)
    table.lay("9H", 16_000, "Ben")  # it is the six
    table.lay("8H", 20_000, "Cleo")
    table.lay("2H", 26_000, "Ada")
    table.clear("9H", "8H", "2H", at=30_000, arm="Cleo")
    evening = as_evening(table)
    at = 24_000 * MS
    before = evening.referee(tmp_path / "a.jsonl")
    before.start(0)
    tell(before, [fact for fact in evening.facts if fact.t_ns < at], at)
    led = find_last(before, lambda entry: isinstance(entry.cause, Played) and entry.cause.seat == "Ben")
    assert led is not None
    assert correct(before, led, Played("Ben", card("6H")), at, "Ben")
    before.journal.close()
    lines = evening.went_on(tmp_path / "a.jsonl", at)
    won = [line for line in effective_lines(lines) if line["event"] == "trick_won"]
    assert [[play["card"] for play in line["cards"]] for line in won] == [["6H", "8H", "2H"]]
    assert not [line for line in lines if line["event"] in ("out_of_turn", "card_taken_back")]


def test_a_closed_hand_put_right_before_the_cut_stays_right(tmp_path: Path) -> None:
    evening = everything_that_happens()
    at = min(evening.snapshots(tmp_path), key=middle(103_000))
    path = tmp_path / "corrected.jsonl"
    referee = evening.referee(path)
    referee.start(0)
    tell(referee, [one for one in evening.facts if known_ns(one) < at], at)
    entries = entries_of(referee)
    bid = next(n for n, one in enumerate(entries) if one.is_event and one.cause == Bid("Ada", 0))
    assert correct(referee, bid, Bid("Ada", 2), at, "Cleo")
    again = copied(path, tmp_path / "again.jsonl")
    log = read_facts(facts_path(again))[0].log
    tell(referee, [one for one in evening.facts if known_ns(one) >= at], evening.end_ns)
    referee.journal.close()
    whole = referee.journal.lines
    assert [line["bids"]["Ada"] for line in effective_lines(whole) if line["event"] == "hand_scored"] == [
        2,
        0,
    ]
    after = evening.referee(again)
    after.resume(at)
    assert read_facts(facts_path(again))[0].log[:-1] == log
    after.journal.close()
    assert holding(evening.went_on(again, at)) == holding(whole)


@first_quick("evening", [everything_that_happens, a_turned_up_card])
def test_what_can_be_put_right_is_after_any_cut_what_it_was_before(
    evening: Callable[[], Evening], tmp_path: Path
) -> None:
    played = evening()
    whole = played.referee(tmp_path / "again.jsonl")
    whole.start(0)
    before = 0
    for at, path in played.snapshots(tmp_path).items():
        whole.take([one for one in played.facts if before <= known_ns(one) < at], played.told_by(at), at)
        before = at
        if whole.state.phase is Phase.OVER:
            break
        after = played.referee(path)
        after.resume(at)
        lines = list(after.journal.lines)
        told = [(one.observation_number, one.card_id, one.t_ns, one.cause) for one in entries_of(after)]
        assert told == [
            (one.observation_number, one.card_id, one.t_ns, one.cause) for one in entries_of(whole)
        ]
        assert after.journal.lines == lines
        after.journal.close()
    whole.journal.close()


@pytest.mark.parametrize("cut_ms", [83_000, 103_000])
def test_a_scored_hand_can_be_put_right_after_the_cut(tmp_path: Path, cut_ms: int) -> None:
    evening = everything_that_happens()
    at, path = snapshot(evening, tmp_path, cut_ms)
    referee = evening.referee(path)
    referee.resume(at)
    last = find_last(referee, lambda entry: entry.cause == Played("Ben", card("2C")))
    assert last is not None
    assert entries_of(referee)[last].card_id is not None
    bid = find_last(referee, lambda entry: entry.cause == Bid("Ada", 0) and entry.state_before.hand == 1)
    assert bid is not None
    assert correct(referee, bid, Bid("Ada", 2), at, "Cleo")
    scored = [line for line in effective_lines(referee.journal.lines) if line["event"] == "hand_scored"]
    assert [line["bids"]["Ada"] for line in scored] == [2]
    assert redo(referee, at, "Cleo")
    scored = [line for line in effective_lines(referee.journal.lines) if line["event"] == "hand_scored"]
    assert [line["bids"]["Ada"] for line in scored] == [0]
    referee.journal.close()


def test_the_file_begins_with_the_hand_and_ends_with_the_game(tmp_path: Path) -> None:
    evening = everything_that_happens()
    found = evening.snapshots(tmp_path)
    stands = []
    for at, path in found.items():
        kept = read_facts(facts_path(path))
        lines = resume_lines(path)
        if not kept:
            assert effective_lines(lines)[-1]["event"] == "game_over", at
            continue
        assert kept[0].hand_start.matches(lines)
        happened = [one.t_ns for one in kept[0].log if isinstance(one, CallMade)]
        dealt = [line["t_ns"] for line in effective_lines(lines) if line["event"] == "dealt"]
        assert not dealt or dealt[-1] in happened
        stands.append(sum(t_ns in happened for t_ns in dealt))
    assert max(stands) == 2, "the hand in play, with the one before"
    assert not facts_path(tmp_path / "whole.jsonl").exists()


def test_a_game_that_needs_not_survive_keeps_no_facts(tmp_path: Path) -> None:
    table = TableTop()
    with Journal(tmp_path / "a.jsonl", durable=False) as journal:
        Referee(table.referee.game, table.angles, journal).start(0)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


# --- a file that is damaged, missing or of something else -----------------------------------------------------------


def resumed(evening: Evening, path: Path, at: int) -> tuple[list[dict[str, Any]], Any, bool]:
    """What the journal says, where the game stands, and whether the facts were taken up."""
    referee = evening.referee(path)
    referee.resume(at)
    referee.journal.close()
    kept = read_facts(facts_path(path))
    by_facts = bool(kept) and not isinstance(kept[0].log[0], JournalEvent | Restarted)
    return holding(referee.journal.lines), referee.state, by_facts


def test_facts_torn_at_any_byte_change_nothing_of_what_was_said(tmp_path: Path) -> None:
    evening = a_missed_card()
    at, path = snapshot(evening, tmp_path, 18_000)
    facts = facts_path(path).read_bytes()
    rows = facts.splitlines(keepends=True)
    again = tmp_path / "again.jsonl"
    said, state, by_facts = resumed(evening, copied(path, again), at)
    assert by_facts
    assert said == holding(resume_lines(path))
    used = []
    for length in (0, *range(len(facts) - len(rows[-1]), len(facts) + 1)):
        copied(path, again)
        facts_path(again).write_bytes(facts[:length])
        *same, by_facts = resumed(evening, again, at)
        assert same == [said, state], length
        used.append(by_facts)
        assert read_facts(facts_path(again))[0].hand_start.matches(resume_lines(again)), "it is begun anew"
    assert used == [False] * (len(rows[-1])) + [True, True]


def test_a_journal_torn_at_any_byte_is_said_again_from_the_facts(tmp_path: Path) -> None:
    evening = a_missed_card()
    at, path = snapshot(evening, tmp_path, 18_000)
    whole = path.read_bytes()
    first = len(b"".join(whole.splitlines(keepends=True)[:4]))
    said, state, _ = resumed(evening, copied(path, tmp_path / "again.jsonl"), at)
    for length in range(first, len(whole) + 1, 7):
        again = copied(path, tmp_path / "again.jsonl")
        again.write_bytes(whole[:length])
        assert resumed(evening, again, at) == (said, state, True), length


def test_facts_of_another_game_or_hand_are_passed_over(tmp_path: Path) -> None:
    evening, other = everything_that_happens(), replace(a_missed_card(), angles={})
    found = evening.snapshots(tmp_path)
    at = min(found, key=middle(103_000))
    alone = copied(found[at], tmp_path / "alone.jsonl")
    facts_path(alone).unlink()
    expected = resumed(evening, alone, at)
    assert not expected[2]
    (tmp_path / "other").mkdir()
    strangers = [found[min(found, key=middle(60_000))], snapshot(other, tmp_path / "other", 30_000)[1]]
    for number, stranger in enumerate(strangers):
        again = tmp_path / f"again-{number}.jsonl"
        again.write_bytes(found[at].read_bytes())
        facts_path(again).write_bytes(facts_path(stranger).read_bytes())
        assert resumed(evening, again, at) == expected
    for number, junk in enumerate((b"", b"\0" * 300, b"{}\n", b'{"seq": 1, "event": "root"}\n')):
        again = tmp_path / f"junk-{number}.jsonl"
        again.write_bytes(found[at].read_bytes())
        facts_path(again).write_bytes(junk)
        assert resumed(evening, again, at) == expected
    folder = tmp_path / "folder.jsonl"
    folder.write_bytes(found[at].read_bytes())
    facts_path(folder).mkdir()
    assert resumed(evening, folder, at) == expected


def test_facts_that_go_on_otherwise_than_the_journal_are_passed_over(tmp_path: Path) -> None:
    evening = a_missed_card()
    at, path = snapshot(evening, tmp_path, 18_000)
    card_read = evening.facts[4]
    assert isinstance(card_read, CardLanded)
    otherwise = replace(
        evening, facts=[*evening.facts[:4], replace(card_read, readings=(Reading("10H", 0.99),))]
    )
    (tmp_path / "other").mkdir()
    found = otherwise.snapshots(tmp_path / "other")
    stranger = found[max(found)]
    lines = [json.loads(row) for row in facts_path(stranger).read_text().splitlines()]
    assert lines[-1]["what"]["cards"][0]["readings"][0]["card"] == "10H"
    facts_path(path).write_bytes(facts_path(stranger).read_bytes())
    before = holding(resume_lines(path))
    assert resumed(evening, path, at)[0] == before
    assert before[-1]["card"] == "9H"


def seen_in(path: Path) -> set[int]:
    """When that happened which the facts beside a journal tell of."""
    return {one.t_ns for one in read_facts(facts_path(path))[0].log}


def test_a_disk_that_fails_stops_no_game_and_is_tried_again(tmp_path: Path) -> None:
    evening = a_missed_card()
    path = tmp_path / "a.jsonl"
    facts_path(path).mkdir()
    referee = evening.referee(path)
    referee.start(0)
    tell(referee, evening.facts[:5], 18_000 * MS)
    assert not read_facts(facts_path(path))
    facts_path(path).rmdir()
    tell(referee, evening.facts[5:6], 22_000 * MS)
    assert {fact.t_ns for fact in evening.facts[:6]} <= seen_in(path)
    facts_path(path).unlink()
    tell(referee, evening.facts[6:8], 26_000 * MS)
    assert {fact.t_ns for fact in evening.facts[:8]} <= seen_in(path)
    facts_path(path).write_text("somebody else's\n")
    referee.take([CardReread(27_000 * MS, 1, ())], END_NS, END_NS)
    tell(referee, evening.facts[8:9], 30_000 * MS)
    assert {fact.t_ns for fact in evening.facts[:9]} <= seen_in(path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.jsonl", "a.jsonl.facts"]
    referee.journal.close()
