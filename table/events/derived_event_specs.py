"""Specs of the journal lines that follow from other events: a trick won, a hand scored, the end of the bidding."""

from __future__ import annotations

from table.events.event_spec import (
    EventSpec,
    LineFields,
    added_field,
    is_bid_value,
    is_bounded,
    is_card_or_unseen,
    is_play,
    is_short_text,
    is_whole_number,
    list_of,
    mapping_of,
    null_or,
    without_header,
)
from table.events.game_events import score_phrases
from table.phrase import Phrase, make_phrase


def _bidding_over_sentence(line: LineFields) -> Phrase:
    over = line["over"]
    code = (
        "line.bidding_over.over"
        if over > 0
        else "line.bidding_over.under"
        if over < 0
        else "line.bidding_over"
    )
    return make_phrase(code, bids=line["bids"], by=abs(over))


GAME_STARTED = EventSpec(
    "game_started",
    (
        added_field("game", is_short_text),
        added_field("seats", list_of(is_short_text)),
        added_field("options", mapping_of(is_bounded)),
    ),
)
HAND_STARTED = EventSpec(
    "hand_started",
    (
        added_field("hand", is_whole_number),
        added_field("cards", is_whole_number),
        added_field("dealer", is_short_text),
        added_field("players", list_of(is_short_text), optional=True),
        added_field("level", list_of(is_short_text), optional=True),
    ),
    make_sentence=lambda line: Phrase(
        "line.hand_started.level" if line.get("level") else "line.hand_started", without_header(line)
    ),
)
BIDDING_OVER = EventSpec(
    "bidding_over",
    (added_field("bids", mapping_of(null_or(is_bid_value))), added_field("over", is_whole_number)),
    make_sentence=_bidding_over_sentence,
)
TRICK_WON = EventSpec(
    "trick_won",
    (
        added_field("trick", is_whole_number),
        added_field("seat", is_short_text),
        added_field("cards", list_of(is_play)),
    ),
    compared=True,
    sound="trick",
)
REVOKE = EventSpec(
    "revoke",
    (
        added_field("seat", is_short_text),
        added_field("card", is_card_or_unseen),
        added_field("trick", is_whole_number),
        added_field("proved_by", is_card_or_unseen),
    ),
    compared=True,
    sound="revoke",
)
HAND_SCORED = EventSpec(
    "hand_scored",
    (
        added_field("hand", is_whole_number),
        added_field("bids", mapping_of(null_or(is_bid_value))),
        added_field("tricks", mapping_of(is_whole_number)),
        added_field("points", mapping_of(is_whole_number)),
        added_field("totals", mapping_of(is_whole_number)),
        added_field("faults", mapping_of(is_whole_number), optional=True),
    ),
    compared=True,
    make_sentence=lambda line: make_phrase("line.hand_scored", hand=line["hand"], scores=score_phrases(line)),
)
LIVES = EventSpec(
    "lives",
    (added_field("lives", mapping_of(is_whole_number)), added_field("out", list_of(is_short_text))),
    make_sentence=lambda line: Phrase(
        "line.lives.out" if line["out"] else "line.lives", without_header(line)
    ),
)
PLAY_OFF = EventSpec(
    "play_off", (added_field("seats", list_of(is_short_text)), added_field("cards", is_whole_number))
)
