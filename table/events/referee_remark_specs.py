"""Specs of the referee's remarks: refused bids, cards out of turn, questions and answers."""

from __future__ import annotations

from table.events.event_spec import (
    Announcement,
    EventSpec,
    LineFields,
    added_field,
    is_bid_value,
    is_bounded,
    is_card_or_unseen,
    is_short_text,
    is_whole_number,
    list_of,
    null_or,
    without_header,
)
from table.events.game_events import Bid
from table.phrase import Phrase, make_phrase, phrase_from_json, phrase_to_json


def _refused_sentence(line: LineFields) -> Phrase:
    why = phrase_from_json(line.get("because", line["why"]))
    return make_phrase("line.bid_refused", seat=line["seat"], bid=line["bid"], why=why)


BID_REFUSED = EventSpec(
    "bid_refused",
    (
        added_field("seat", is_short_text),
        added_field("bid", is_bid_value),
        added_field("why", is_bounded),
        added_field("because", is_bounded, optional=True),
    ),
    origin="referee",
    sound="refused",
    make_sentence=_refused_sentence,
)


def bid_refusal_line(bid: Bid, code: str, why: Phrase) -> Announcement:
    """Return the line of a bid that does not count; ``code``: the reason for programs."""
    return Announcement(
        "bid_refused", {"seat": bid.seat, "bid": bid.bid, "why": code, "because": phrase_to_json(why)}
    )


OUT_OF_TURN = EventSpec(
    "out_of_turn",
    (added_field("seat", is_short_text), added_field("card", is_card_or_unseen)),
    origin="referee",
    sound="refused",
)
ASKED = EventSpec(
    "asked",
    (
        added_field("question", is_whole_number),
        added_field("about", is_short_text),
        added_field("hand", is_whole_number),
        added_field("trick", null_or(is_whole_number)),
        added_field("seat", null_or(is_short_text)),
        added_field("choices", list_of(is_short_text)),
        added_field("card", null_or(is_card_or_unseen), optional=True),
        added_field("place", is_bounded, optional=True),
    ),
    origin="questions",
    sound="question",
    make_sentence=lambda line: Phrase(f"line.asked.{line['about']}", without_header(line)),
)
ANSWERED = EventSpec(
    "answered",
    (
        added_field("question", is_whole_number),
        added_field("by", is_short_text),
        added_field("choice", null_or(is_short_text)),
    ),
    origin="questions",
    make_sentence=lambda line: Phrase(
        "line.answered" if line["choice"] else "line.answered.without", without_header(line)
    ),
)
