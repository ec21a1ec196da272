"""Undoing and correcting what was decided: the one way, for the panel, for the camera's better look, for programs."""

from __future__ import annotations

from dataclasses import replace

from table.games.base import Bid, Event, Played, Refusal
from table.referee.book import Entry
from table.referee.desk import Desk

_WORDS = {
    "Dealt": "the deal",
    "TurnedUp": "the turned-up card",
    "Rapped": "a rap",
    "Passed": "a pass",
    "BidsTied": "tied bids",
    "BidsRevealed": "the bids",
    "LeadsTied": "tied leads",
    "TakenBack": "a card taken back",
    "SuitNamed": "the joker's suit",
    "TrickTaken": "the trick picked up",
    "ThrownIn": "the hand thrown in",
    "Left": "a player leaving",
    "Came": "a player coming",
    "Ended": "the end of the game",
}


def told(entry: Entry) -> str:
    """What happened, in a few words."""
    cause = entry.cause
    if isinstance(cause, Played):
        return f"{cause.seat}'s {cause.card.sign}"
    if isinstance(cause, Bid):
        return f"{cause.seat}'s bid of {cause.bid}"
    return _WORDS.get(type(cause).__name__, "the last step")


def undo(desk: Desk, at: int, by: str) -> str:
    """Take entry ``at`` of the book and all after it back; what was undone, in words."""
    undone = told(desk.book.entries[at])
    correction = {"what": "undo", "from": undone, "to": None, "by": by}
    desk.book.rewrite(at, [], desk.now_ns, correction, keep_rest=False)
    held = {play.card for play in desk.state.trick.plays}
    for lying in desk.mark:
        if lying.status == "played" and lying.card not in held:
            # It lies there still, but was never played: whoever laid it takes it back, or lays it anew.
            lying.status = "go back"
    return undone


def correct(desk: Desk, at: int, event: Event, by: str, *, confidence: float | None = None) -> list[Refusal]:
    """Put ``event`` in the place of entry ``at``, and work everything after it out again.

    ``confidence``: of the camera's better reading; None when a person says so. Returns what no longer fits after it.
    """
    old = desk.book.entries[at]
    extra = dict(old.extra)
    what, was, to = type(event).__name__, told(old), told(replace(old, cause=event))
    if isinstance(event, Played):
        extra["by"] = "corrected" if confidence is None else "camera"
        if confidence is not None:
            extra["confidence"] = round(confidence, 4)
    if isinstance(event, Played) and isinstance(old.cause, Played):
        what = "card_played"
        other_card = event.card != old.cause.card
        was = str(old.cause.card) if other_card else old.cause.seat
        to = str(event.card) if other_card else event.seat
        for lying in desk.mark:
            if (lying.status, lying.seat, lying.card) == ("played", old.cause.seat, old.cause.card):
                lying.card, lying.seat = event.card, event.seat
    correction = {"what": what, "from": was, "to": to, "by": by}
    return desk.book.rewrite(at, [replace(old, cause=event, extra=extra)], desk.now_ns, correction)
