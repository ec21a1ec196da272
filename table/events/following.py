"""What a game says besides: the lines that follow from what happens."""

from __future__ import annotations

from table.events.happenings import scores
from table.events.kind import (
    Kind,
    LineFields,
    anything,
    bare,
    bid_value,
    by_name,
    card_name,
    list_of,
    more,
    or_none,
    play,
    text,
    whole,
)
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


GAME_STARTED = Kind(
    "game_started", (more("game", text), more("seats", list_of(text)), more("options", by_name(anything)))
)
HAND_STARTED = Kind(
    "hand_started",
    (
        more("hand", whole),
        more("cards", whole),
        more("dealer", text),
        more("players", list_of(text), optional=True),
        more("level", list_of(text), optional=True),
    ),
    tells=lambda line: Phrase(
        "line.hand_started.level" if line.get("level") else "line.hand_started", bare(line)
    ),
)
BIDDING_OVER = Kind(
    "bidding_over", (more("bids", by_name(or_none(bid_value))), more("over", whole)), tells=_tell_bidding_over
)
TRICK_WON = Kind(
    "trick_won",
    (more("trick", whole), more("seat", text), more("cards", list_of(play))),
    compared=True,
    sound="trick",
)
REVOKE = Kind(
    "revoke",
    (more("seat", text), more("card", card_name), more("trick", whole), more("proved_by", card_name)),
    compared=True,
    sound="revoke",
)
HAND_SCORED = Kind(
    "hand_scored",
    (
        more("hand", whole),
        more("bids", by_name(or_none(bid_value))),
        more("tricks", by_name(whole)),
        more("points", by_name(whole)),
        more("totals", by_name(whole)),
        more("faults", by_name(whole), optional=True),
    ),
    compared=True,
    tells=lambda line: say("line.hand_scored", hand=line["hand"], scores=scores(line)),
)
LIVES = Kind(
    "lives",
    (more("lives", by_name(whole)), more("out", list_of(text))),
    tells=lambda line: Phrase("line.lives.out" if line["out"] else "line.lives", bare(line)),
)
PLAY_OFF = Kind("play_off", (more("seats", list_of(text)), more("cards", whole)))
