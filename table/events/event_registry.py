"""The specs of all lines of the journal, and functions that look them up for a line or an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from table.cards import NO_TRUMP, bid_to_json
from table.events import event_spec as spec
from table.events import game_events as events
from table.events.event_spec import Announcement, EventSpec, LineFields, without_header
from table.phrase import Phrase, WrongValueError, make_phrase, phrase_from_json, phrase_to_json

# --- sentences ----------------------------------------------------------------------------------------------------


def _trump_code(line: LineFields) -> str:
    if line["suit"] == NO_TRUMP:
        return "line.trump.none_turned" if line.get("card") else "line.trump.none"
    return "line.trump.turned" if line.get("card") else "line.trump"


def _played_code(line: LineFields) -> str:
    if line["card"] == "?":
        return "line.card_played.unseen"
    return "line.card_played.corrected" if line.get("by") == "corrected" else "line.card_played"


def _played_brief_code(line: LineFields) -> str:
    if line["card"] != "?":
        return "brief.card_played"
    if line.get("suit"):
        return "brief.card_played.unseen_suit_won" if line.get("won") else "brief.card_played.unseen_suit"
    return "brief.card_played.unseen_won" if line.get("won") else "brief.card_played.unseen"


def _bidding_over_sentence(line: LineFields) -> Phrase:
    over = line["over"]
    code = "line.bidding_over.over" if over > 0 else "line.bidding_over.under"
    return make_phrase(code if over else "line.bidding_over", bids=line["bids"], by=abs(over))


def _score_sentence(code: str, line: LineFields) -> Phrase:
    scores = tuple(
        make_phrase("word.score", seat=seat, points=points, total=line["totals"][seat])
        for seat, points in line["points"].items()
    )
    return make_phrase(code, hand=line["hand"], scores=scores)


def _game_over_sentence(line: LineFields) -> Phrase:
    """Return the sentence with the totals in the order of the ranking, if the ranking has all players."""
    totals = dict(sorted(line["totals"].items(), key=lambda item: -item[1]))
    ranked = [seat for group in line.get("ranking", ()) for seat in group]
    if set(ranked) == set(totals):
        totals = {seat: totals[seat] for seat in ranked}
    return make_phrase("line.game_over", winners=line["winners"], totals=totals)


def _refused_sentence(line: LineFields) -> Phrase:
    why = phrase_from_json(line.get("because", line["why"]))
    return make_phrase("line.bid_refused", seat=line["seat"], bid=line["bid"], why=why)


def _corrected_sentence(line: LineFields) -> Phrase:
    old, new = (_corrected_value(line[name]) for name in ("from", "to"))
    if line["what"] in ("undo", "redo"):
        return make_phrase(f"line.corrected.{line['what']}", by=line["by"], what=old if new is None else new)
    code = "line.corrected.gone" if new is None else "line.corrected.new" if old is None else "line.corrected"
    return make_phrase(code, by=line["by"], what=line["what"], was=old, now=new)


def _corrected_value(value: Any) -> Any:
    """Return the old or new value of a correction: a card, a seat, or the phrase of an event's line."""
    return line_brief(value) if isinstance(value, Mapping) and "event" in value else value


# --- the specs ----------------------------------------------------------------------------------------------------

# The checks of fields that the rules or the referee add.
_TEXT = spec.is_short_text
_NUMBER = spec.is_whole_number
_ANYTHING = spec.is_bounded
_TEXTS = spec.list_of(_TEXT)
_COUNTS = spec.mapping_of(_NUMBER)
_BIDS = spec.mapping_of(spec.null_or(spec.is_bid_value))
_TEXT_OR_NULL = spec.null_or(_TEXT)
_CARD = spec.is_card_or_unseen
_UNSEEN_CARD = {"won?": spec.is_flag, "suit?": _TEXT_OR_NULL}
"""What is known of a card ``?``."""
_DERIVED = {"derived?": spec.is_flag}
"""True where the line follows from another event, in lines that can also be an event's own."""

_SPECS = (
    # The deal.
    EventSpec("dealt", {"dealer": spec.DEALER}, events.Dealt),
    EventSpec(
        "trump",
        {"suit": _TEXT, "card": spec.CARD_OR_NULL, **_DERIVED},
        events.TurnedUp,
        tolerance_ns=spec.CARD_TOLERANCE_NS,
        # Trumps that the rules or a declarer fix have no card: their line follows from another.
        is_own=lambda line: spec.is_not_derived(line) and bool(line["card"]),
        sentence_code=_trump_code,
    ),
    EventSpec("cards_passed", {"cards": _NUMBER, "to": _TEXT, **_DERIVED}, events.CardsPassed),
    EventSpec("thrown_in", {"why": spec.TEXT, **_DERIVED}, events.ThrownIn),
    # Calls.
    EventSpec("rap", {"seat": spec.TEXT}, events.Rapped),
    EventSpec(
        "bid",
        {"seat": spec.TEXT, "bid": spec.BID, **_DERIVED},
        events.Bid,
        tolerance_ns=spec.CALL_TOLERANCE_NS,
        sound="bid",
    ),
    EventSpec("pass", {"seat": spec.TEXT}, events.Passed, tolerance_ns=spec.CALL_TOLERANCE_NS, sound="bid"),
    EventSpec(
        "bids_tied",
        {
            "seats": spec.SEATS,
            "spread_ns?": spec.is_stamp,
            "presses_ns?": spec.list_of(spec.is_stamp),
            "next": _TEXT_OR_NULL,
        },
        events.BidsTied,
        tolerance_ns=spec.CALL_TOLERANCE_NS,
        sound="tie",
        sentence_code=lambda line: "line.bids_tied.spread" if "spread_ns" in line else "line.bids_tied",
    ),
    EventSpec("bids_revealed", {"bids": spec.BIDS}, events.BidsRevealed),
    # Cards.
    EventSpec(
        "leads_tied",
        {"kept": spec.LEAD, "taken_back": spec.LEADS, "next": _TEXT_OR_NULL},
        events.LeadsTied,
        tolerance_ns=spec.CARD_TOLERANCE_NS,
        sound="tie",
        sentence_code=lambda line: "line.leads_tied.kept" if line["kept"] else "line.leads_tied",
        brief_code=lambda line: "brief.leads_tied.kept" if line["kept"] else "brief.leads_tied",
    ),
    EventSpec(
        "card_played",
        {
            "seat": spec.TEXT,
            "card": spec.CARD,
            **_UNSEEN_CARD,
            "confidence?": spec.null_or(spec.is_number),
            "by?": _TEXT,
        },
        events.Played,
        uncompared_fields=("confidence", "by"),
        tolerance_ns=spec.CARD_TOLERANCE_NS,
        sentence_code=_played_code,
        brief_code=_played_brief_code,
    ),
    EventSpec(
        "card_taken_back",
        {"seat": spec.TEXT, "card": spec.CARD, **_UNSEEN_CARD, "played?": spec.is_flag},
        events.TakenBack,
        compared=True,
        # Without `played` it was never a card of the trick (a tied or out-of-turn one).
        is_own=lambda line: spec.is_not_derived(line) and bool(line.get("played")),
    ),
    EventSpec("joker_named", {"seat": spec.TEXT, "suit": spec.TEXT}, events.SuitNamed),
    EventSpec("trick_taken", {"seat": spec.TEXT}, events.TrickTaken),
    # Who plays, and the score.
    EventSpec("player_left", {"seat": spec.TEXT}, events.Left),
    EventSpec("player_came", {"seat": spec.TEXT}, events.Came),
    EventSpec("reseated", {"seats": spec.SEATS}, events.Reseated),
    EventSpec(
        "game_over",
        {"totals": _COUNTS, "ranking": spec.list_of(_TEXTS), "winners": _TEXTS, "ended?": spec.is_flag},
        events.Ended,
        compared=True,
        is_own=lambda line: spec.is_not_derived(line) and bool(line.get("ended")),
        make_sentence=_game_over_sentence,
    ),
    EventSpec(
        "hand_rescored",
        {"hand": spec.WHOLE_NUMBER, "points": spec.POINTS, "totals": _COUNTS},
        events.Rescored,
        make_sentence=lambda line: _score_sentence("line.hand_rescored", line),
    ),
    # Lines that follow from other events.
    EventSpec("game_started", {"game": _TEXT, "seats": _TEXTS, "options": spec.mapping_of(_ANYTHING)}),
    EventSpec(
        "hand_started",
        {"hand": _NUMBER, "cards": _NUMBER, "dealer": _TEXT, "players?": _TEXTS, "level?": _TEXTS},
        sentence_code=lambda line: "line.hand_started.level" if line.get("level") else "line.hand_started",
    ),
    EventSpec("bidding_over", {"bids": _BIDS, "over": _NUMBER}, make_sentence=_bidding_over_sentence),
    EventSpec(
        "trick_won",
        {"trick": _NUMBER, "seat": _TEXT, "cards": spec.list_of(spec.is_play)},
        compared=True,
        sound="trick",
    ),
    EventSpec(
        "revoke",
        {"seat": _TEXT, "card": _CARD, "trick": _NUMBER, "proved_by": _CARD},
        compared=True,
        sound="revoke",
    ),
    EventSpec(
        "hand_scored",
        {
            "hand": _NUMBER,
            "bids": _BIDS,
            "tricks": _COUNTS,
            "points": _COUNTS,
            "totals": _COUNTS,
            "faults?": _COUNTS,
        },
        compared=True,
        make_sentence=lambda line: _score_sentence("line.hand_scored", line),
    ),
    EventSpec(
        "lives",
        {"lives": _COUNTS, "out": _TEXTS},
        sentence_code=lambda line: "line.lives.out" if line["out"] else "line.lives",
    ),
    EventSpec("play_off", {"seats": _TEXTS, "cards": _NUMBER}),
    # The referee's remarks.
    EventSpec(
        "bid_refused",
        {"seat": _TEXT, "bid": spec.is_bid_value, "why": _ANYTHING, "because?": _ANYTHING},
        origin="referee",
        sound="refused",
        make_sentence=_refused_sentence,
    ),
    EventSpec("out_of_turn", {"seat": _TEXT, "card": _CARD}, origin="referee", sound="refused"),
    EventSpec(
        "asked",
        {
            "question": _NUMBER,
            "about": _TEXT,
            "hand": _NUMBER,
            "trick": spec.null_or(_NUMBER),
            "seat": _TEXT_OR_NULL,
            "choices": _TEXTS,
            "card?": spec.null_or(_CARD),
            "place?": _ANYTHING,
        },
        origin="questions",
        sound="question",
        sentence_code=lambda line: f"line.asked.{line['about']}",
    ),
    EventSpec(
        "answered",
        {"question": _NUMBER, "by": _TEXT, "choice": _TEXT_OR_NULL},
        origin="questions",
        sentence_code=lambda line: "line.answered" if line["choice"] else "line.answered.without",
    ),
    EventSpec(
        "corrected",
        {"what": _TEXT, "from": _ANYTHING, "to": _ANYTHING, "by": _TEXT, "since": _NUMBER, "until?": _NUMBER},
        origin="referee",
        make_sentence=_corrected_sentence,
    ),
)
EVENT_SPECS = {kind.name: kind for kind in _SPECS}

_UNKNOWN = EventSpec("line", {})

_BY_CLASS = {kind.event_class: kind for kind in _SPECS if kind.event_class is not None}

COMPARED_EVENTS = frozenset(kind.name for kind in _SPECS if kind.compared or kind.tolerance_ns is not None)
"""The names of the events that ``replay --check`` compares."""

UNCOMPARED_FIELDS = frozenset(("t_ns", "seq", "decided_ns")).union(
    *(kind.uncompared_fields for kind in _SPECS)
)
"""The fields that ``replay --check`` does not compare."""

QUESTION_EVENTS = frozenset(kind.name for kind in _SPECS if kind.origin == "questions")
"""The names of the lines about the referee's questions, which belong to no hypothesis."""

RULINGS = frozenset(
    [
        "bid_refused",
        "bids_tied",
        "leads_tied",
        "out_of_turn",
        "revoke",
        "thrown_in",
        "play_off",
        "corrected",
        "hand_rescored",
    ]
)
"""The events by which the referee decides about players, or people about the referee."""


# --- lookup -------------------------------------------------------------------------------------------------------


def comparable_fields(event: str, fields: LineFields) -> tuple[str, dict[str, Any]]:
    """Return a line's event name and its fields without number, times, confidence and origin."""
    return event, {name: value for name, value in fields.items() if name not in UNCOMPARED_FIELDS}


def spec_of(event: events.Event) -> EventSpec:
    """Return the spec of an event, by its class."""
    return _BY_CLASS[type(event)]


def announcement_of(event: events.Event, **added: Any) -> Announcement:
    """Return the journal line of an event; ``added``: the fields that the rules add."""
    return spec_of(event).announcement(event, **added)


def event_line(cause: events.Event | Announcement) -> dict[str, Any]:
    """Return an event or announcement as a line without number and times; of an event its own fields alone."""
    announcement = cause if isinstance(cause, Announcement) else announcement_of(cause)
    return {"event": announcement.event, **announcement.fields}


def _spec_of_line(line: LineFields) -> EventSpec:
    return EVENT_SPECS.get(str(line.get("event", "")), _UNKNOWN)


def check_line(line: LineFields) -> WrongValueError | None:
    """Return a read line's first invalid field as an error, or None; an unknown event may have any bounded fields."""
    return _spec_of_line(line).check_line(line)


def event_from_line(line: LineFields) -> events.Event | None:
    """Return the event whose own line this is, None for a line that follows; ``ValueError`` for impossible fields."""
    return cast("events.Event | None", _spec_of_line(line).event_from_line(line))


def line_sentence(line: LineFields) -> Phrase:
    """Return a line of the journal as a sentence; one of an unknown or odd kind as its bare fields."""
    kind = EVENT_SPECS.get(str(line.get("event", "")))
    if kind is not None:
        try:
            if kind.required <= line.keys():
                return kind.sentence(line)
        except (KeyError, TypeError, AttributeError, ValueError):
            # A line of a later version or a damaged journal must not stop the table: show its fields.
            pass
    event, fields = str(line.get("event") or "line"), without_header(line)
    return make_phrase("line.unknown" if fields else "line.unknown_bare", event=event, fields=fields)


def line_brief(line: LineFields) -> Phrase:
    """Return an event's line in a few words that are used within a sentence."""
    return EVENT_SPECS[line["event"]].brief(line)


def bid_refusal_line(bid: events.Bid, code: str, why: Phrase) -> Announcement:
    """Return the line of a bid that does not count; ``code``: the reason for programs."""
    because = phrase_to_json(why)
    fields = {"seat": bid.seat, "bid": bid_to_json(bid.bid), "why": code, "because": because}
    return Announcement("bid_refused", fields)
