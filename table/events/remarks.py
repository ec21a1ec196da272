"""What the referee says besides the game: what it refuses, what lies out of turn, what it asks."""

from __future__ import annotations

from table.events.happenings import Bid
from table.events.kind import (
    Kind,
    LineFields,
    Said,
    anything,
    bare,
    bid_value,
    card_name,
    list_of,
    more,
    or_none,
    text,
    whole,
)
from table.phrase import Phrase, of_json, say, to_json


def _tell_refused(line: LineFields) -> Phrase:
    why = of_json(line.get("because", line["why"]))
    return say("line.bid_refused", seat=line["seat"], bid=line["bid"], why=why)


BID_REFUSED = Kind(
    "bid_refused",
    (
        more("seat", text),
        more("bid", bid_value),
        more("why", anything),
        more("because", anything, optional=True),
    ),
    said_by="referee",
    sound="refused",
    tells=_tell_refused,
)


def refused(bid: Bid, code: str, why: Phrase) -> Said:
    """The line of a bid that does not count; ``code``: why, in one word for programs."""
    return Said("bid_refused", {"seat": bid.seat, "bid": bid.bid, "why": code, "because": to_json(why)})


OUT_OF_TURN = Kind(
    "out_of_turn", (more("seat", text), more("card", card_name)), said_by="referee", sound="refused"
)
ASKED = Kind(
    "asked",
    (
        more("question", whole),
        more("about", text),
        more("hand", whole),
        more("trick", or_none(whole)),
        more("seat", or_none(text)),
        more("choices", list_of(text)),
        more("card", or_none(card_name), optional=True),
        more("place", anything, optional=True),
    ),
    said_by="questions",
    sound="question",
    tells=lambda line: Phrase(f"line.asked.{line['about']}", bare(line)),
)
ANSWERED = Kind(
    "answered",
    (more("question", whole), more("by", text), more("choice", or_none(text))),
    said_by="questions",
    tells=lambda line: Phrase("line.answered" if line["choice"] else "line.answered.without", bare(line)),
)
