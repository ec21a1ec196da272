"""What every game must keep, whatever its rules: shown by random play."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, cast

import pytest
from hypothesis import settings

from table.cards import Contract, card, pack
from table.events import event_registry
from table.events.event_registry import event_from_line
from table.events.event_spec import Announcement, Play
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    Came,
    CardsPassed,
    Dealt,
    Ended,
    Event,
    LeadsTied,
    Left,
    Passed,
    Played,
    Rapped,
    Rescored,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.games.engine.dealing_and_scoring import ranking
from table.games.engine.game_state import Phase, Refusal, State
from table.games.engine.option_checks import option_place
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.i18n.phrase_rendering import MISSING
from table.i18n.rules_page import rules_page
from table.i18n.terminal_output import phrase_text
from table.phrase import WrongValueError
from tests.games.catalogue import KINDS, Kind, game_of, label
from tests.games.driver import Driver, Manners, named
from tests.wrong import wrong

every_kind = pytest.mark.parametrize("kind", KINDS, ids=label)


def played(kind: Kind, seed: int, manners: Manners | None = None) -> Driver:
    driver = Driver(game_of(kind), random.Random(seed), manners or Manners(), max_hands=10)
    driver.play()
    return driver


@every_kind
def test_random_play_always_finds_a_legal_move_and_ends(kind: Kind) -> None:
    for seed in range(6):
        driver = played(kind, seed)
        assert driver.state.phase is Phase.OVER
        assert named(driver.said, "game_over")
        assert driver.game.expected(driver.state).seats == ()


@every_kind
def test_every_trick_has_one_card_of_each_player_and_tricks_add_up(kind: Kind) -> None:
    for seed in range(4):
        driver = played(kind, seed, Manners(revoke=0.1, take_back=0.1))
        for result in driver.state.results:
            assert sum(result.tricks.values()) == result.cards
        for won in named(driver.said, "trick_won"):
            seats = [one["seat"] for one in won["cards"]]
            assert len(set(seats)) == len(seats)
            assert won["seat"] in seats


@every_kind
def test_players_may_leave_and_come_between_and_within_hands(kind: Kind) -> None:
    for seed in range(4):
        driver = played(kind, 100 + seed, Manners(come_and_go=0.05, take_back=0.05))
        assert driver.state.phase is Phase.OVER
        left = [one["seat"] for one in named(driver.said, "player_left")]
        assert not (kind[0] == "israeli-whist" and left), "it is for four"
        for result in driver.state.results:
            assert len(result.bids) >= 2
            assert sum(result.tricks.values()) == result.cards
        places = ranking(driver.game.rules, driver.state)
        assert sorted(seat for place in places for seat in place) == sorted(driver.game.seats)


@every_kind
def test_totals_are_the_sum_of_the_points_of_the_counting_hands(kind: Kind) -> None:
    driver = played(kind, 3)
    totals = dict(driver.game.start().state.totals)
    for result in driver.state.results:
        if not result.play_off:
            for seat, points in result.points.items():
                totals[seat] += points
        assert dict(result.totals) == totals
    assert dict(driver.state.totals) == totals
    over = named(driver.said, "game_over")[-1]
    assert over["totals"] == totals
    assert sorted(seat for place in over["ranking"] for seat in place) == sorted(driver.game.seats)


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if game_of(kind).rules.possible_scores is not None], ids=label
)
def test_no_hand_scores_points_that_the_game_does_not_list_as_possible(kind: Kind) -> None:
    for seed in range(4):
        driver = played(kind, seed)
        scored = {points for result in driver.state.results for points in result.points.values()}
        assert scored <= set(driver.game.rules.possible_scores or ())


@every_kind
def test_each_hand_has_exactly_one_trump(kind: Kind) -> None:
    driver = played(kind, 5)
    for hand in hands_of(driver.said):
        kinds = [said.event for said in hand]
        if "hand_scored" in kinds:
            assert kinds.count("trump") == 1
            assert kinds.index("trump") < kinds.index("bidding_over")


def hands_of(said: list[Announcement]) -> list[list[Announcement]]:
    """The lines hand by hand."""
    starts = [at for at, one in enumerate(said) if one.event == "hand_started"]
    return [said[start:end] for start, end in zip(starts, [*starts[1:], len(said)], strict=True)]


def primary(said: list[Announcement]) -> Iterator[Event]:
    """The events that made these lines, by way of JSON as in the journal's file."""
    for one in said:
        line = json.loads(json.dumps({"event": one.event, **one.fields}))
        event = event_from_line(line)
        if event is not None:
            yield event


@every_kind
def test_the_journal_read_back_gives_the_same_lines_and_the_same_state(kind: Kind) -> None:
    driver = played(kind, 7, Manners(revoke=0.1, take_back=0.1, throw_in=0.01, come_and_go=0.03))
    game = make_game(driver.game.name, driver.game.seats, json.loads(json.dumps(driver.game.options)))
    step = game.start()
    state, said = step.state, list(step.announcements)
    for event in primary(driver.said):
        after = game.apply(state, event)
        assert not isinstance(after, Refusal), (event, after)
        state = after.state
        said += after.announcements
    assert said == driver.said
    assert state == driver.state


@every_kind
def test_every_line_has_the_fields_that_its_description_names(kind: Kind) -> None:
    for said in played(kind, 7, Manners(revoke=0.1, take_back=0.1, throw_in=0.01, come_and_go=0.03)).said:
        described = event_registry.EVENT_SPECS[said.event]
        assert described.required <= set(said.fields) <= set(described.forms) - {"event"}, said


@every_kind
def test_undoing_is_as_if_it_had_never_happened(kind: Kind) -> None:
    """States are values: what came later leaves an earlier one, and what follows from it, as it was."""
    driver = played(kind, 11)
    rng = random.Random(1)
    first, second = driver.game.start(), driver.game.start()
    assert first == second
    state = first.state
    for before, event in driver.history:
        assert state == before
        strays = [driver.history[rng.randrange(len(driver.history))][1] for _ in range(2)]
        for stray in strays:
            driver.game.apply(state, stray)
        after = driver.game.apply(state, event)
        assert not isinstance(after, Refusal)
        state = after.state
    assert state == driver.state


@every_kind
def test_the_event_s_own_line_comes_first(kind: Kind) -> None:
    driver = played(kind, 13, Manners(revoke=0.2, take_back=0.1))
    for before, event in driver.history:
        step = driver.game.apply(before, event)
        assert not isinstance(step, Refusal)
        assert next(primary([step.announcements[0]])) == event
        assert list(primary(list(step.announcements[1:]))) == []


def strange(game: Game, rng: random.Random) -> Event:
    """Any event at all, possible or not, with junk among its values."""
    seats = [*game.seats, "Nobody", ""]
    cards = [*pack(63), *game.pack()]
    seat, other = rng.choice(seats), rng.choice(seats)
    one, two = rng.choice(cards), rng.choice(cards)
    good = [*range(4), 7, 13, 99, -1, Contract(6, "C"), Contract(9, "NT"), "double nil"]
    bid: Any = rng.choice([*good, "6C", "5Z", "", None, 1.5, True, [1], ()])
    bids: Any = tuple((each, rng.choice([0, 1, 2, "x", None])) for each in game.seats)
    junk: Any = rng.choice(
        [None, 3, "AS", [1], (), (seat,), ([seat], 1), (1, 2), ((seat, 1),), tuple(game.seats)]
    )
    made: list[Any] = [
        Dealt(seat),
        TurnedUp(one),
        TurnedUp(junk),
        Rapped(seat),
        Rapped(junk),
        Bid(seat, bid),
        Passed(seat),
        BidsTied((seat, other)),
        BidsTied(junk),
        BidsRevealed(bids),
        BidsRevealed(junk),
        BidsRevealed(bids[:-1]),
        LeadsTied(rng.choice([None, Play(seat, one)]), (Play(other, two),)),
        LeadsTied(None, (Play(seat, one), Play(other, two))),
        LeadsTied(None, junk),
        LeadsTied(junk, (Play(other, two),)),
        Played(seat, one),
        Played(seat, junk),
        TakenBack(seat, one),
        TakenBack(seat, junk),
        SuitNamed(seat, rng.choice(["S", "NT", junk])),
        TrickTaken(seat),
        CardsPassed(),
        ThrownIn("why not"),
        Left(seat),
        Came(seat),
        Left(junk),
        Ended(),
        Rescored(rng.choice([0, 1, 2, junk]), rng.choice([(), ((seat, 3),), ((seat, junk),), junk])),
        object(),
        None,
    ]
    return cast(Event, rng.choice(made))


@every_kind
def test_random_events_are_done_or_refused_and_never_raise(kind: Kind) -> None:
    """Half of the time a legal move is made as well, so that every phase is reached."""
    game = game_of(kind)
    rng = random.Random(17)
    driver = Driver(game, rng, Manners(revoke=0.1, take_back=0.1, tie=0.2), max_hands=10**9)
    for _ in range(40 * settings().max_examples):
        event = strange(game, rng)
        step = game.apply(driver.state, event)
        if isinstance(step, Refusal):
            assert step.code
            assert step.why.code.startswith("refused.")
            assert "\n" not in phrase_text(step.why)
            assert MISSING not in phrase_text(step.why)
            assert phrase_text(step.why) != step.why.code
        elif not isinstance(event, Ended | ThrownIn) and rng.random() < 0.3:
            after = step.state
            assert game.expected(after).seats or after.phase is Phase.OVER
            game.legal_bids(after, "Nobody")
            game.legal_plays(after, rng.choice(game.seats), pack()[:5])
        if driver.state.phase is Phase.OVER:
            driver = Driver(game, rng, driver.manners, max_hands=10**9)
        elif rng.random() < 0.5:
            driver.one()


@every_kind
def test_a_card_is_played_once_in_a_hand(kind: Kind) -> None:
    driver = played(kind, 19)
    game = driver.game
    tried = 0
    for before, _ in driver.history:
        if before.phase in (Phase.LEAD, Phase.FOLLOW) and before.cards_played():
            seen = before.cards_played()[0]
            if before.cards_played().count(seen) == game.pack().count(seen):
                step = game.apply(before, Played(game.expected(before).seats[0], seen))
                assert isinstance(step, Refusal)
                assert step.code == "card_twice"
                tried += 1
    assert tried or all(result.cards == 1 and len(game.seats) == 1 for result in driver.state.results)


@every_kind
def test_impossible_histories_are_refused_with_a_reason(kind: Kind) -> None:
    driver = played(kind, 23)
    game = driver.game
    codes = set()
    for before, _ in driver.history:
        seat = before.players[0]
        if before.phase in (Phase.DEAL, Phase.TURN_UP):
            codes.add(refused(game, before, Bid(seat, 0)))
            codes.add(refused(game, before, Played(seat, card("AS"))))
        if before.phase in (Phase.LEAD, Phase.FOLLOW):
            assert refused(game, before, Bid(seat, 0)) == "wrong_phase"
            assert refused(game, before, TrickTaken(seat)) == "wrong_phase"
            assert refused(game, before, Dealt(before.dealer)) == "wrong_phase"
        if before.phase is Phase.PICK_UP:
            last = len(before.tricks) == before.cards - 1
            unseen = next(
                (one for one in game.pack() if one not in (*before.cards_played(), before.turned)), card("AS")
            )
            assert refused(game, before, Played(seat, unseen)) == (
                "too_many_cards" if last else "not_picked_up"
            )
    assert codes == {"not_dealt"}
    assert refused(game, driver.state, Dealt(driver.state.dealer)) == "game_over"


def refused(game: Game, state: State, event: Event) -> str:
    step = game.apply(state, event)
    assert isinstance(step, Refusal), step
    return step.code


@pytest.mark.parametrize("name", GAMES)
def test_every_game_says_what_options_it_has_and_refuses_others_in_a_line(name: str) -> None:
    kind = next(kind for kind in KINDS if kind[0] == name)
    low, high = GAMES[name].seat_range
    base = game_of(kind)
    known = [one.name for one in base.spec.option_specs]
    assert known[:2] == ["hands", "first_dealer"]
    with wrong("option.unknown", at=(name, option_place("colour")), known=known):
        make_game(name, base.seats, {**kind[2], "colour": "red"})
    with wrong("option.nobody", at=(name, option_place("first_dealer")), name="Zed", seats=base.seats):
        make_game(name, base.seats, {**kind[2], "first_dealer": "Zed"})
    for hands in ("7", 7, [], [0], [1.5], [True], ["2"], [99], {"a": 1}):
        with pytest.raises(WrongValueError) as caught:
            make_game(name, base.seats, {"hands": hands})
        assert caught.value.where == (name, option_place("hands"))
    for one in base.spec.option_specs:
        for words in (one.about, one.check.kind):
            assert phrase_text(words) not in ("", words.code)
        with pytest.raises(WrongValueError) as caught:
            make_game(name, base.seats, {**kind[2], one.name: object()})
        assert caught.value.where == (name, option_place(one.name))
    for count in (low - 1, high + 1):
        with wrong("option.players", at=name, n=count):
            make_game(name, [f"P{n}" for n in range(count)], kind[2])
    with wrong("option.same_name", at=name):
        make_game(name, ["A"] * low, kind[2])


@every_kind
def test_the_rules_as_played_are_a_page_of_plain_text(kind: Kind) -> None:
    game = game_of(kind)
    rows = rules_page(game.name, game.rules_page_values()).splitlines()
    assert 10 <= len(rows) <= 60
    assert max(map(len, rows)) <= 130


def test_an_unknown_game_is_refused_in_a_line() -> None:
    with wrong("wrong.no_game", at="bridge", games=tuple(GAMES)):
        make_game("bridge", ["A", "B"])


@every_kind
def test_whoever_is_alone_in_acting_must_act(kind: Kind) -> None:
    driver = played(kind, 29, Manners(take_back=0.1))
    alone = (Phase.DEAL, Phase.TURN_UP, Phase.AUCTION, Phase.NAME_SUIT, Phase.FOLLOW, Phase.PICK_UP)
    together = (Phase.PASS_CARDS, Phase.SECRET_BID)
    for before, _ in driver.history:
        expected = driver.game.expected(before)
        assert expected.phase is before.phase
        assert not expected.anyone_may_act or len(expected.seats) > 1
        if before.phase in alone:
            assert expected.seats == (expected.default_seat,)
            assert expected.must_act
        elif before.phase in together:
            assert expected.default_seat is None
            assert not expected.must_act
