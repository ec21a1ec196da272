"""Every line of the journal as a sentence, and small words."""

from __future__ import annotations

from typing import Any

import pytest

from table.cards import parse_bid, tricks_of_bid
from table.display.table_view.header_and_footer import bid_sum_phrase
from table.events.event_registry import EVENT_SPECS, line_sentence
from table.i18n.phrase_rendering import capitalize_first, renderer_for
from table.i18n.terminal_output import phrase_text
from table.phrase import make_phrase

PLAYS = [{"seat": "Ben", "card": "9C"}, {"seat": "Cleo", "card": "10H"}]

LINES: list[tuple[dict[str, Any], str]] = [
    (
        {"event": "game_started", "game": "oh-hell", "seats": ["Ada", "Ben"], "options": {}},
        "A game of Oh Hell: Ada and Ben.",
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
    ({"event": "reseated", "seats": ["Cleo", "Ben", "Ada"]}, "Around the table sit now: Cleo, Ben, Ada."),
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
        {
            "event": "asked",
            "question": 1,
            "about": "card",
            "hand": 1,
            "trick": 2,
            "seat": "Ada",
            "choices": ["QD"],
        },
        "It is asked which card Ada played to trick 2.",
    ),
    ({"event": "answered", "question": 1, "by": "Ben", "choice": "QD"}, "Question 1 is answered by Ben: Q♦."),
    (
        {"event": "answered", "question": 1, "by": "table", "choice": None},
        "Question 1 is closed without an answer.",
    ),
    (
        {"event": "card_played", "seat": "Ada", "card": "?", "won": False, "suit": None},
        "Ada plays a card that was not seen.",
    ),
    (
        {
            "event": "bid_refused",
            "seat": "Ada",
            "bid": 2,
            "why": "late",
            "because": {"code": "refused.bidding_not_over"},
        },
        "Ada's bid of 2 is refused: the bidding is not over.",
    ),
    ({"event": "thrown_in", "why": "all passed"}, "The hand is thrown in: all passed."),
    (
        {
            "event": "corrected",
            "what": "bid",
            "from": {"event": "bid", "seat": "Ada", "bid": 2},
            "to": None,
            "by": "table",
            "since": 3,
        },
        "The table corrects bid: there was no Ada's bid of 2.",
    ),
    (
        {"event": "corrected", "what": "undo", "from": "QD", "to": None, "by": "Ada", "since": 3},
        "Ada takes back: Q♦.",
    ),
    (
        {"event": "corrected", "what": "redo", "from": None, "to": "QD", "by": "Ada", "since": 3},
        "Ada does it again: Q♦.",
    ),
    (
        {"event": "hand_rescored", "hand": 2, "points": {"Ada": 11}, "totals": {"Ada": 21, "Ben": 3}},
        "The score of hand 2 is put right: Ada +11 (21).",
    ),
    (
        {"event": "corrected", "what": "card_played", "from": "QD", "to": "QH", "by": "Ada", "since": 3},
        "Ada corrects card: Q♥ instead of Q♦.",
    ),
]


@pytest.mark.parametrize(
    ("line", "expected"), LINES, ids=lambda value: value["event"] if isinstance(value, dict) else ""
)
def test_a_line_of_the_journal_is_told_as_a_sentence(line: dict[str, Any], expected: str) -> None:
    assert phrase_text(line_sentence({"seq": 1, "t_ns": 5, "decided_ns": 6, **line})) == expected


def test_every_event_has_its_sentence_tried() -> None:
    assert {line["event"] for line, _ in LINES} == set(EVENT_SPECS)


@pytest.mark.parametrize(
    "line", [{}, {"event": "bid"}, {"event": "new thing", "seat": "Ada"}, {"event": "bids_tied", "seats": 3}]
)
def test_a_line_of_another_version_is_told_as_it_stands(line: dict[str, Any]) -> None:
    told = phrase_text(line_sentence(line))
    assert told.endswith(".")
    assert str(line.get("event", "line")) in told


@pytest.mark.parametrize(
    ("bid", "sign", "wanted"),
    [(3, "3", 3), ("6C", "6♣", 6), ("10NT", "10 NT", 10), ("double nil", "double nil", 0)],
)
def test_bids_are_written_as_people_write_them(bid: int | str, sign: str, wanted: int) -> None:
    assert renderer_for().render_bid(bid) == sign
    assert tricks_of_bid(parse_bid(bid)) == wanted


def test_small_words() -> None:
    words = renderer_for()
    assert words.join_list([]) == "nobody"
    assert words.join_list(["Ada"]) == "Ada"
    assert words.join_list(["Ada", "Ben", "Cleo"]) == "Ada, Ben and Cleo"
    assert words.join_list(["0", "3"], "or") == "0 or 3"
    assert phrase_text(make_phrase("count.card", n=1)) == "1 card"
    assert phrase_text(make_phrase("count.card", n=0)) == "0 cards"
    assert [phrase_text(bid_sum_phrase(over)) for over in (2, 0, -1)] == ["2 over", "even", "1 under"]
    assert capitalize_first("it is Ben's turn") == "It is Ben's turn"
