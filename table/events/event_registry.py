"""The specs of all lines of the journal, and functions that look them up for a line or an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from table.cards import NO_TRUMP, BidValue, PlayedCard, bid_to_json
from table.events import event_spec as spec
from table.events import game_events as events
from table.events.event_spec import Announcement, EventSpec, LineFields, Play, Stamp, without_header
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

_Counts: TypeAlias = dict[str, int]
_Bids: TypeAlias = dict[str, BidValue | None]
_UNSEEN_CARD = {"won?": bool, "suit?": str | None}
"""What is known of a card ``?``."""

_SPECS = (
    # The deal.
    EventSpec("dealt", events.Dealt, seat_name="dealer"),
    EventSpec(
        "trump",
        events.TurnedUp,
        {"suit": str, "card": PlayedCard | None},
        tolerance_ns=spec.CARD_TOLERANCE_NS,
        # Trumps that the rules or a declarer fix have no card: their line follows from another.
        is_own=lambda line: spec.is_not_derived(line) and bool(line["card"]),
        sentence_code=_trump_code,
    ),
    EventSpec("cards_passed", events.CardsPassed, {"cards": int, "to": str}),
    EventSpec("thrown_in", events.ThrownIn, is_ruling=True),
    # Calls.
    EventSpec("rap", events.Rapped),
    EventSpec("bid", events.Bid, tolerance_ns=spec.CALL_TOLERANCE_NS, sound="bid"),
    EventSpec("pass", events.Passed, tolerance_ns=spec.CALL_TOLERANCE_NS, sound="bid"),
    EventSpec(
        "bids_tied",
        events.BidsTied,
        {"spread_ns?": Stamp, "presses_ns?": list[Stamp], "next": str | None},
        tolerance_ns=spec.CALL_TOLERANCE_NS,
        sound="tie",
        is_ruling=True,
        sentence_code=lambda line: "line.bids_tied.spread" if "spread_ns" in line else "line.bids_tied",
    ),
    EventSpec("bids_revealed", events.BidsRevealed),
    # Cards.
    EventSpec(
        "leads_tied",
        events.LeadsTied,
        {"next": str | None},
        tolerance_ns=spec.CARD_TOLERANCE_NS,
        sound="tie",
        is_ruling=True,
        sentence_code=lambda line: "line.leads_tied.kept" if line["kept"] else "line.leads_tied",
        brief_code=lambda line: "brief.leads_tied.kept" if line["kept"] else "brief.leads_tied",
    ),
    EventSpec(
        "card_played",
        events.Played,
        {**_UNSEEN_CARD, "confidence?": float | None, "by?": str},
        uncompared_fields=("confidence", "by"),
        tolerance_ns=spec.CARD_TOLERANCE_NS,
        sentence_code=_played_code,
        brief_code=_played_brief_code,
    ),
    EventSpec(
        "card_taken_back",
        events.TakenBack,
        {**_UNSEEN_CARD, "played?": bool},
        compared=True,
        # Without `played` it was never a card of the trick (a tied or out-of-turn one).
        is_own=lambda line: spec.is_not_derived(line) and bool(line.get("played")),
    ),
    EventSpec("joker_named", events.SuitNamed),
    EventSpec("trick_taken", events.TrickTaken),
    # Who plays, and the score.
    EventSpec("player_left", events.Left),
    EventSpec("player_came", events.Came),
    EventSpec("reseated", events.Reseated),
    EventSpec(
        "game_over",
        events.Ended,
        {"totals": _Counts, "ranking": list[list[str]], "winners": list[str], "ended?": bool},
        compared=True,
        is_own=lambda line: spec.is_not_derived(line) and bool(line.get("ended")),
        make_sentence=_game_over_sentence,
    ),
    EventSpec(
        "hand_rescored",
        events.Rescored,
        {"totals": _Counts},
        is_ruling=True,
        make_sentence=lambda line: _score_sentence("line.hand_rescored", line),
    ),
    # Lines that follow from other events.
    EventSpec("game_started", fields={"game": str, "seats": list[str], "options": dict[str, Any]}),
    EventSpec(
        "hand_started",
        fields={"hand": int, "cards": int, "dealer": str, "players?": list[str], "level?": list[str]},
        sentence_code=lambda line: "line.hand_started.level" if line.get("level") else "line.hand_started",
    ),
    EventSpec("bidding_over", fields={"bids": _Bids, "over": int}, make_sentence=_bidding_over_sentence),
    EventSpec(
        "trick_won", fields={"trick": int, "seat": str, "cards": list[Play]}, compared=True, sound="trick"
    ),
    EventSpec(
        "revoke",
        fields={"seat": str, "card": PlayedCard, "trick": int, "proved_by": PlayedCard},
        compared=True,
        sound="revoke",
        is_ruling=True,
    ),
    EventSpec(
        "hand_scored",
        fields={
            "hand": int,
            "bids": _Bids,
            "tricks": _Counts,
            "points": _Counts,
            "totals": _Counts,
            "faults?": _Counts,
        },
        compared=True,
        make_sentence=lambda line: _score_sentence("line.hand_scored", line),
    ),
    EventSpec(
        "lives",
        fields={"lives": _Counts, "out": list[str]},
        sentence_code=lambda line: "line.lives.out" if line["out"] else "line.lives",
    ),
    EventSpec("play_off", fields={"seats": list[str], "cards": int}, is_ruling=True),
    # The referee's remarks.
    EventSpec(
        "bid_refused",
        fields={"seat": str, "bid": BidValue, "why": Any, "because?": Any},
        origin="referee",
        sound="refused",
        is_ruling=True,
        make_sentence=_refused_sentence,
    ),
    EventSpec(
        "out_of_turn",
        fields={"seat": str, "card": PlayedCard},
        origin="referee",
        sound="refused",
        is_ruling=True,
    ),
    EventSpec(
        "asked",
        fields={
            "question": int,
            "about": str,
            "hand": int,
            "trick": int | None,
            "seat": str | None,
            "choices": list[str],
            "card?": PlayedCard | None,
            "place?": Any,
        },
        origin="questions",
        sound="question",
        sentence_code=lambda line: f"line.asked.{line['about']}",
    ),
    EventSpec(
        "answered",
        fields={"question": int, "by": str, "choice": str | None},
        origin="questions",
        sentence_code=lambda line: "line.answered" if line["choice"] else "line.answered.without",
    ),
    EventSpec(
        "corrected",
        fields={"what": str, "from": Any, "to": Any, "by": str, "since": int, "until?": int},
        origin="referee",
        is_ruling=True,
        make_sentence=_corrected_sentence,
    ),
)
EVENT_SPECS = {kind.name: kind for kind in _SPECS}

_UNKNOWN = EventSpec("line")

_BY_CLASS = {kind.event_class: kind for kind in _SPECS if kind.event_class is not None}

COMPARED_EVENTS = frozenset(kind.name for kind in _SPECS if kind.compared or kind.tolerance_ns is not None)
"""The names of the events that ``replay --check`` compares."""

UNCOMPARED_FIELDS = frozenset(("t_ns", "seq", "decided_ns")).union(
    *(kind.uncompared_fields for kind in _SPECS)
)
"""The fields that ``replay --check`` does not compare."""

QUESTION_EVENTS = frozenset(kind.name for kind in _SPECS if kind.origin == "questions")
"""The names of the lines about the referee's questions, which belong to no hypothesis."""

RULINGS = frozenset(kind.name for kind in _SPECS if kind.is_ruling)
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


def event_brief(event: events.Event) -> Phrase:
    """Return an event in a few words that are used within a sentence."""
    return line_brief(event_line(event))


def bid_refusal_line(bid: events.Bid, code: str, why: Phrase) -> Announcement:
    """Return the line of a bid that does not count; ``code``: the reason for programs."""
    because = phrase_to_json(why)
    fields = {"seat": bid.seat, "bid": bid_to_json(bid.bid), "why": code, "because": because}
    return Announcement("bid_refused", fields)
