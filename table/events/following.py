"""What a game says besides: the lines that follow from what happens."""

from __future__ import annotations

from table.events.happenings import scores
from table.events.kind import Kind, LineFields, bare, more
from table.phrase import Phrase, say


def _tell_bidding_over(line: LineFields) -> Phrase:
    over = line["over"]
    code = (
        "line.bidding_over.over"
        if over > 0
        else "line.bidding_over.under"
        if over < 0
        else "line.bidding_over"
    )
    return say(code, bids=line["bids"], by=abs(over))


GAME_STARTED = Kind("game_started", (more("game"), more("seats"), more("options")))
HAND_STARTED = Kind(
    "hand_started", (more("hand"), more("cards"), more("dealer"), more("players", optional=True))
)
BIDDING_OVER = Kind("bidding_over", (more("bids"), more("over")), tells=_tell_bidding_over)
TRICK_WON = Kind("trick_won", (more("trick"), more("seat"), more("cards")), compared=True, sound="trick")
REVOKE = Kind(
    "revoke", (more("seat"), more("card"), more("trick"), more("proved_by")), compared=True, sound="revoke"
)
HAND_SCORED = Kind(
    "hand_scored",
    (
        more("hand"),
        more("bids"),
        more("tricks"),
        more("points"),
        more("totals"),
        more("faults", optional=True),
    ),
    compared=True,
    tells=lambda line: say("line.hand_scored", hand=line["hand"], scores=scores(line)),
)
LIVES = Kind(
    "lives",
    (more("lives"), more("out")),
    tells=lambda line: Phrase("line.lives.out" if line["out"] else "line.lives", bare(line)),
)
PLAY_OFF = Kind("play_off", (more("seats"), more("cards")))
