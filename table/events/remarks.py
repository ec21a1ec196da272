"""What the referee says besides the game: what it refuses, what lies out of turn, what it asks."""

from __future__ import annotations

from table.events.happenings import Bid
from table.events.kind import Kind, LineFields, Said, bare, more
from table.phrase import Phrase, of_json, say, to_json


def _tell_refused(line: LineFields) -> Phrase:
    why = of_json(line.get("because", line["why"]))
    return say("line.bid_refused", seat=line["seat"], bid=line["bid"], why=why)


BID_REFUSED = Kind(
    "bid_refused",
    (more("seat"), more("bid"), more("why"), more("because", optional=True)),
    said_by="referee",
    sound="refused",
    tells=_tell_refused,
)


def refused(bid: Bid, code: str, why: Phrase) -> Said:
    """The line of a bid that does not count; ``code``: why, in one word for programs."""
    return Said("bid_refused", {"seat": bid.seat, "bid": bid.bid, "why": code, "because": to_json(why)})


OUT_OF_TURN = Kind("out_of_turn", (more("seat"), more("card")), said_by="referee", sound="refused")
ASKED = Kind(
    "asked",
    (
        more("question"),
        more("about"),
        more("hand"),
        more("trick"),
        more("seat"),
        more("choices"),
        more("card", optional=True),
    ),
    said_by="questions",
    sound="question",
    tells=lambda line: Phrase(f"line.asked.{line['about']}", bare(line)),
)
ANSWERED = Kind(
    "answered",
    (more("question"), more("by"), more("choice")),
    said_by="questions",
    tells=lambda line: Phrase("line.answered" if line["choice"] else "line.answered.without", bare(line)),
)
