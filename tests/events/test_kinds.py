"""Each event is described once, and by that description its line comes and goes."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from table.cards import Contract, UnseenCard, card
from table.events.event_registry import (
    COMPARED_EVENTS,
    EVENT_SPECS,
    QUESTION_EVENTS,
    UNCOMPARED_FIELDS,
    event_from_line,
    event_line,
    line_brief,
    spec_of,
)
from table.events.event_spec import Play
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
    Reseated,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import renderer_for
from tests.wrong import wrong

ADAS = Play("Ada", card("9H"))
BENS = Play("Ben", card("JOKER"))

EVENTS: list[Event] = [
    Dealt("Ada"),
    TurnedUp(card("10H")),
    CardsPassed(),
    ThrownIn("misdeal"),
    Rapped("Ada"),
    Bid("Ada", 3),
    Bid("Ada", Contract(6, "C")),
    Bid("Ada", Contract(10, "NT")),
    Passed("Ada"),
    BidsTied(("Ada", "Ben")),
    BidsRevealed((("Ada", 1), ("Ben", "double nil"))),
    LeadsTied(ADAS, (BENS,)),
    LeadsTied(None, (ADAS, BENS)),
    Played("Ada", card("9H")),
    Played("Ada", UnseenCard(won=True, suit="H")),
    Played("Ada", UnseenCard(won=False)),
    TakenBack("Ada", card("9H")),
    TakenBack("Ada", UnseenCard(won=True)),
    SuitNamed("Ada", "S"),
    TrickTaken("Ada"),
    Left("Ada"),
    Came("Ada"),
    Reseated(("Ben", "Ada")),
    Ended(),
    Rescored(2, (("Ada", 11), ("Ben", -3))),
]
MARKS = {"card_taken_back": {"played": True}, "game_over": {"ended": True}}
"""What the rules add to an event's own line, where others have a line of that kind too."""


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_is_read_back_from_its_own_line(event: Event) -> None:
    line = {**event_line(event), **MARKS.get(spec_of(event).name, {})}
    assert event_from_line(json.loads(json.dumps(line))) == event
    assert event_from_line({**line, "derived": True}) is None


KINGS = Play("Cleo", card("KS"))
ALMOST: list[tuple[Event, Event]] = [
    (Played("Ada", UnseenCard(won=True)), Played("Ada", UnseenCard(won=False))),
    (Played("Ada", UnseenCard(won=True, suit="H")), Played("Ada", UnseenCard(won=False, suit="H"))),
    (Played("Ada", UnseenCard(won=True, suit="H")), Played("Ada", UnseenCard(won=True, suit="S"))),
    (Played("Ada", UnseenCard(won=False, suit="H")), Played("Ada", UnseenCard(won=False))),
    (LeadsTied(ADAS, (BENS,)), LeadsTied(BENS, (ADAS,))),
    (LeadsTied(ADAS, (BENS,)), LeadsTied(None, (ADAS, BENS))),
    (LeadsTied(ADAS, (BENS, KINGS)), LeadsTied(ADAS, (BENS,))),
    (LeadsTied(ADAS, (BENS,)), LeadsTied(Play("Ada", card("9D")), (BENS,))),
    (BidsTied(("Ada", "Ben")), BidsTied(("Ada", "Cleo"))),
    (Bid("Ada", 3), Bid("Ada", 4)),
]
"""What the table may take for one another, and tell of in a correction."""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("was", "now"), ALMOST, ids=lambda event: type(event).__name__)
def test_what_a_correction_was_and_is_reads_differently(was: Event, now: Event, language: str) -> None:
    words = renderer_for(language)
    assert words(line_brief(event_line(was))) != words(line_brief(event_line(now)))


def test_every_class_of_events_has_one_kind_and_is_tried() -> None:
    described = [kind.event_class for kind in EVENT_SPECS.values() if kind.event_class is not None]
    assert sorted(map(repr, described)) == sorted(map(repr, get_args(Event)))
    assert {type(event) for event in EVENTS} == set(get_args(Event))


@pytest.mark.parametrize(
    "line",
    [
        {"event": "trump", "suit": "S", "card": None},
        {"event": "card_taken_back", "seat": "Ada", "card": "9H"},
        {"event": "game_over", "totals": {}, "ranking": [], "winners": []},
        {"event": "trick_won", "trick": 1, "seat": "Ada", "cards": []},
        {"event": "bid_refused", "seat": "Ada", "bid": 1, "why": "not_your_turn"},
        {"event": "of a later version"},
    ],
    ids=lambda line: line["event"],
)
def test_what_follows_or_is_remarked_is_no_event(line: dict[str, object]) -> None:
    assert event_from_line(line) is None


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"event": "bid", "seat": "Ada"}, "bid"),
        *(({"event": "bid", "seat": "Ada", "bid": bid}, "bid") for bid in ("5X", "C5", "NT", "", None, True)),
        ({"event": "card_played", "seat": "Ada", "card": None}, "card_played"),
        ({"event": "leads_tied", "kept": 3, "taken_back": []}, "leads_tied"),
        ({"event": "bids_revealed", "bids": [1, 2]}, "bids_revealed"),
        ({"event": "trump", "suit": "S"}, "card"),
    ],
)
def test_a_garbled_line_is_said_to_be_one(line: dict[str, object], field: str) -> None:
    with wrong("row.event_garbled", event=line["event"]) as caught:
        event_from_line(line)
    assert field in str(caught.value)


def test_the_truth_s_events_are_those_that_are_compared() -> None:
    # INTERFACES: what a truth.jsonl needs, and the fields that no comparison looks at.
    assert {
        "bid", "pass", "bids_tied", "trump", "card_played", "leads_tied", "card_taken_back", "trick_won",
        "revoke", "hand_scored", "game_over",
    } == COMPARED_EVENTS  # fmt: skip
    assert {"t_ns", "confidence", "by", "seq", "decided_ns"} == UNCOMPARED_FIELDS
    assert {"asked", "answered"} == QUESTION_EVENTS
