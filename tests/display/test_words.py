"""Plain sentences for every line of the journal and for what the table waits for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.cards import card
from table.display.prompts import forbidden_bids, prompt
from table.display.words import (
    EVENTS,
    bid_sign,
    capital,
    counted,
    difference,
    listed,
    made,
    sentence,
    target,
)
from table.games.base import Expected, Phase, State
from table.games.registry import make_game
from table.games.whysteria import Whysteria
from tests.display.views import NAMES, moments, odd_moments

PLAYS = [{"seat": "Ben", "card": "9C"}, {"seat": "Cleo", "card": "10H"}]

LINES: list[tuple[dict[str, Any], str]] = [
    (
        {"event": "game_started", "game": "oh-hell", "seats": ["Ada", "Ben"], "options": {}},
        "A game of Oh hell: Ada and Ben.",
    ),
    ({"event": "hand_started", "hand": 2, "cards": 1, "dealer": "Ben"}, "Hand 2: Ben deals 1 card each."),
    ({"event": "dealt", "dealer": "Ben"}, "Ben has dealt."),
    ({"event": "trump", "suit": "S", "card": None}, "Trumps are spades ♠."),
    ({"event": "trump", "suit": "H", "card": "10H"}, "Trumps are hearts ♥ (10♥ was turned up)."),
    ({"event": "trump", "suit": "NT", "card": "JOKER"}, "No trumps (Joker was turned up)."),
    ({"event": "bid", "seat": "Ada", "bid": 0}, "Ada bids 0."),
    ({"event": "bid", "seat": "Ada", "bid": "9NT"}, "Ada bids 9 NT."),
    ({"event": "bid", "seat": "Ada", "bid": "double nil"}, "Ada bids double nil."),
    ({"event": "pass", "seat": "Ada"}, "Ada passes."),
    ({"event": "rap", "seat": "Ada"}, "Ada raps."),
    (
        {"event": "bids_tied", "seats": ["Ada", "Ben"], "spread_ns": 4_887_707, "next": "Ben"},
        "Ada and Ben bid at the same time (4.9 ms apart): neither counts, Ben must bid.",
    ),
    (
        {"event": "bids_tied", "seats": ["Ada", "Ben", "Cleo"], "spread_ns": 0, "next": "Ben"},
        "Ada, Ben and Cleo bid at the same time (0.0 ms apart): none of them counts, Ben must bid.",
    ),
    (
        {"event": "bid_refused", "seat": "Ada", "bid": 1, "why": "the bids would add up to 7"},
        "Ada's bid of 1 is refused: the bids would add up to 7.",
    ),
    (
        {"event": "bidding_over", "bids": {"Ada": 1, "Ben": "7C"}, "over": -2},
        "The bids are Ada 1, Ben 7♣: 2 under the number of tricks.",
    ),
    (
        {"event": "bidding_over", "bids": {"Ada": 1}, "over": 0},
        "The bids are Ada 1: as many as there are tricks.",
    ),
    (
        {"event": "card_played", "seat": "Ada", "card": "QD", "confidence": 0.9, "by": "camera"},
        "Ada plays Q♦.",
    ),
    (
        {"event": "card_played", "seat": "Ada", "card": "QD", "confidence": 1, "by": "corrected"},
        "Ada plays Q♦ (corrected).",
    ),
    (
        {"event": "leads_tied", "kept": PLAYS[0], "taken_back": PLAYS[1:], "next": "Cleo"},
        "Leads at the same time: Ben's 9♣ was first and stays, Cleo's 10♥ goes back. Cleo is next.",
    ),
    (
        {"event": "leads_tied", "kept": None, "taken_back": PLAYS, "next": "Ada"},
        "Leads at the same time: Ben's 9♣ and Cleo's 10♥ go back. Ada must lead.",
    ),
    ({"event": "card_taken_back", "seat": "Ada", "card": "8D"}, "Ada takes 8♦ back."),
    (
        {"event": "out_of_turn", "seat": "Ada", "card": "8D"},
        "Ada's 8♦ is out of turn and is to be taken back.",
    ),
    ({"event": "trick_won", "trick": 2, "seat": "Cleo", "cards": PLAYS}, "Cleo wins trick 2 (9♣ 10♥)."),
    ({"event": "trick_taken", "seat": "Cleo"}, "Cleo picks up the trick."),
    (
        {"event": "revoke", "seat": "Ada", "card": "8D", "trick": 3, "proved_by": "2C"},
        "Ada revoked: did not follow suit with 8♦ in trick 3, as 2♣ proves.",
    ),
    (
        {
            "event": "hand_scored",
            "hand": 1,
            "bids": {"Ada": 1, "Ben": 0},
            "tricks": {"Ada": 1, "Ben": 1},
            "points": {"Ada": 19, "Ben": -50},
            "totals": {"Ada": 30, "Ben": -20},
        },
        "Hand 1 is scored: Ada +19 (30), Ben -50 (-20).",
    ),
    (
        {
            "event": "game_over",
            "totals": {"Ada": 0, "Ben": 1, "Cleo": 1},
            "ranking": [["Ben", "Cleo"], ["Ada"]],
            "winners": ["Ben", "Cleo"],
        },
        "The game is over: Ben and Cleo share the win (Ben 1, Cleo 1, Ada 0).",
    ),
    (
        {"event": "game_over", "totals": {"Ada": 2}, "ranking": [["Ada"]], "winners": ["Ada"]},
        "The game is over: Ada wins (Ada 2).",
    ),
    ({"event": "player_left", "seat": "Ada"}, "Ada leaves the table."),
    ({"event": "player_came", "seat": "Ada"}, "Ada comes to the table."),
    ({"event": "thrown_in", "why": "nobody bid"}, "The hand is thrown in: nobody bid."),
    ({"event": "cards_passed", "cards": 3, "to": "left"}, "Everybody has passed 3 cards to the left."),
    ({"event": "joker_named", "seat": "Ada", "suit": "H"}, "Ada's joker stands for hearts."),
    ({"event": "bids_revealed", "bids": {"Ada": 0, "Ben": 2}}, "The bids are shown: Ada 0, Ben 2."),
    ({"event": "lives", "lives": {"Ada": 2, "Ben": 0}, "out": ["Ben"]}, "Lives: Ada 2, Ben 0. Ben is out."),
    ({"event": "lives", "lives": {"Ada": 2}, "out": []}, "Lives: Ada 2."),
    (
        {"event": "play_off", "seats": ["Ada", "Ben"], "cards": 3},
        "Ada and Ben are level: the next hand of 3 cards decides.",
    ),
    (
        {"event": "corrected", "what": "undo", "from": "QD", "to": None, "by": "Ada"},
        "Ada takes back: QD.",
    ),
    (
        {"event": "corrected", "what": "redo", "from": None, "to": "QD", "by": "Ada"},
        "Ada does it again: QD.",
    ),
    (
        {"event": "hand_rescored", "hand": 2, "points": {"Ada": 11}, "totals": {"Ada": 21, "Ben": 3}},
        "The score of hand 2 is put right: Ada +11 (21).",
    ),
    (
        {"event": "corrected", "what": "card", "from": "QD", "to": "QH", "by": "Ada"},
        "Ada corrects card: QH instead of QD.",
    ),
]


@pytest.mark.parametrize(
    ("line", "expected"), LINES, ids=lambda value: value["event"] if isinstance(value, dict) else ""
)
def test_a_line_of_the_journal_is_told_as_a_sentence(line: dict[str, Any], expected: str) -> None:
    assert sentence({"seq": 1, "t_ns": 5, "decided_ns": 6, **line}) == expected


def test_every_event_has_its_sentence_tried() -> None:
    assert {line["event"] for line, _ in LINES} == set(EVENTS)


def test_every_line_that_whysteria_says_has_a_sentence() -> None:
    game = Whysteria(NAMES[:3], {"hands": [1]})
    for said in game.start().said:
        assert said.event in EVENTS
        assert sentence({"event": said.event, **said.fields}).endswith(".")


@pytest.mark.parametrize(
    "line", [{}, {"event": "bid"}, {"event": "new thing", "seat": "Ada"}, {"event": "bids_tied", "seats": 3}]
)
def test_a_line_of_another_version_is_told_as_it_stands(line: dict[str, Any]) -> None:
    told = sentence(line)
    assert told.endswith(".")
    assert str(line.get("event", "line")) in told


@pytest.mark.parametrize(
    ("bid", "sign", "wanted"),
    [(3, "3", 3), ("6C", "6♣", 6), ("10NT", "10 NT", 10), ("double nil", "double nil", 0)],
)
def test_bids_are_written_as_people_write_them(bid: int | str, sign: str, wanted: int) -> None:
    assert bid_sign(bid) == sign
    assert target(bid) == wanted
    assert made(bid, wanted)
    assert not made(bid, wanted + 1)


def test_small_words() -> None:
    assert listed([]) == "nobody"
    assert listed(["Ada"]) == "Ada"
    assert listed(["Ada", "Ben", "Cleo"]) == "Ada, Ben and Cleo"
    assert counted(1, "card") == "1 card"
    assert counted(0, "card") == "0 cards"
    assert [difference(over) for over in (2, 0, -1)] == ["2 over", "even", "1 under"]
    assert capital("it is Ben's turn") == "It is Ben's turn"


# --- prompts ----------------------------------------------------------------------------------------------


def waits(phase: Phase, **state: Any) -> tuple[Whysteria, State]:
    game = Whysteria(NAMES[:3])
    return game, replace(game.start().state, phase=phase, **state)


@pytest.mark.parametrize(
    ("expected", "headline"),
    [
        (Expected(Phase.BID, ("Ben", "Cleo"), "Ben", free=True), "Anyone may bid; otherwise Ben"),
        (Expected(Phase.BID, ("Ben",), "Ben", free=True, must=True), "Ben must bid"),
        (Expected(Phase.BID, ("Ben",), "Ben"), "Ben bids"),
        (Expected(Phase.LEAD, ("Ben", "Cleo"), "Ben", free=True), "Anyone may lead; otherwise Ben"),
        (Expected(Phase.LEAD, ("Ben",), "Ben", free=True, must=True), "Ben must lead"),
        (Expected(Phase.LEAD, ("Ben",), "Ben"), "Ben leads"),
        (Expected(Phase.FOLLOW, ("Ben",), "Ben"), "Ben plays"),
        (Expected(Phase.AUCTION, ("Ben",), "Ben"), "Ben bids or passes"),
        (Expected(Phase.NAME_SUIT, ("Ben",), "Ben"), "Ben names the joker's suit"),
        (Expected(Phase.DEAL, ("Ada",), "Ada"), "Ada deals 7 cards each"),
        (Expected(Phase.TURN_UP, ("Ada",), "Ada"), "Ada turns a card up"),
        (Expected(Phase.SECRET_BID, NAMES[:3], None), "All bid at once"),
        (Expected(Phase.PASS_CARDS, NAMES[:3], None), "Pass cards to the left"),
    ],
)
def test_the_headline_says_who_may_act_and_who_must(expected: Expected, headline: str) -> None:
    game, state = waits(expected.phase)
    assert prompt(game, state, expected).text == headline


def test_the_dealer_is_told_of_the_turned_card_where_there_is_one() -> None:
    game = make_game("oh-hell", NAMES[:3], {})
    state = game.start().state
    deal = Expected(Phase.DEAL, (state.dealer,), state.dealer)
    assert "turned card" in prompt(game, state, deal).help
    assert "turned card" not in prompt(game, replace(state, turned=card("2H")), deal).help
    assert "turned card" not in prompt(*waits(Phase.DEAL), deal).help


def test_the_winners_are_named_at_the_end() -> None:
    over = Expected(Phase.OVER, (), None)
    game, state = waits(Phase.OVER, winners=("Ada",))
    assert prompt(game, state, over).text == "Ada wins!"
    assert prompt(game, replace(state, winners=("Ada", "Ben")), over).text == "Ada and Ben share the win!"
    assert prompt(game, replace(state, winners=()), over).text == "The game is over"


def test_the_one_card_hand_is_counted_onto_the_forehead() -> None:
    game, state = waits(Phase.BID, cards=1)
    help_line = prompt(game, state, Expected(Phase.BID, NAMES[:3], "Ben", free=True)).help
    assert "forehead" in help_line


def test_the_forbidden_number_is_the_one_that_makes_the_sum_even() -> None:
    # RULES.md: seven cards, bids 2 and 4, the last of three may bid 0 or 2 to 7.
    game, state = waits(Phase.BID, bids=(("Ben", 2), ("Cleo", 4)))
    assert forbidden_bids(game, state) == ("Ada", (1,))
    assert forbidden_bids(game, replace(state, bids=(("Ben", 2),))) is None
    assert forbidden_bids(game, replace(state, phase=Phase.LEAD)) is None


def test_every_moment_has_a_headline() -> None:
    for name, view in (*moments(NAMES[:4]), *odd_moments(NAMES[:4])):
        assert prompt(view.game, view.state, view.expected).text, name
