"""What a correction says: in the journal what was and what is, on the screen a sentence with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidsTied,
    BidValue,
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
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.events.kind import Said
from table.games.base import Phase, State
from table.referee.book import Correction
from table.referee.explanation import Entry
from table.referee.sentences import Notice, counted, listed, notice


def told(entry: Entry | None) -> str | None:
    """What happened, in a few words; None for nothing."""
    cause = entry.cause if entry is not None else None
    return named(cause) if cause is not None else None


def named(cause: Event | Said) -> str:
    """An event, or what the referee said on its own, in a few words."""
    return _WORDS[type(cause)](cause)


def bids_in(cause: object) -> dict[str, BidValue]:
    """The bids that an event makes."""
    match cause:
        case Bid(seat, bid):
            return {seat: bid}
        case BidsRevealed(bids):
            return dict(bids)
    return {}


def _of_card(event: Played | TakenBack) -> str:
    if event.card.is_unseen:
        return f"{event.seat}'s card that was not seen"
    back = " taken back" if isinstance(event, TakenBack) else ""
    return f"{event.seat}'s {event.card.sign}{back}"


def _of_tied_leads(event: LeadsTied) -> str:
    plays = (*((event.kept,) if event.kept else ()), *event.taken_back)
    return f"the tied leads of {listed(play.seat for play in plays)}"


def _of_score(event: Rescored) -> str:
    points = listed(f"{points} for {seat}" for seat, points in event.points)
    return f"the score of hand {event.hand}: {points}"


_WORDS: dict[type, Callable[[Any], str]] = {
    Played: _of_card,
    TakenBack: _of_card,
    Bid: lambda event: f"{event.seat}'s bid of {event.bid}",
    Rapped: lambda event: f"{event.seat}'s rap",
    Passed: lambda event: f"{event.seat}'s pass",
    Dealt: lambda event: f"{event.seat}'s deal",
    TurnedUp: lambda event: f"the {event.card.sign} turned up",
    BidsTied: lambda event: f"the tied bids of {listed(event.seats)}",
    BidsRevealed: lambda event: f"the bids of {listed(f'{seat} ({bid})' for seat, bid in event.bids)}",
    LeadsTied: _of_tied_leads,
    SuitNamed: lambda event: f"{event.seat}'s joker standing for {event.suit}",
    TrickTaken: lambda event: f"the trick taken by {event.seat}",
    CardsPassed: lambda event: "the cards passed on",
    ThrownIn: lambda event: f"the hand thrown in ({event.why})",
    Left: lambda event: f"{event.seat} leaving",
    Came: lambda event: f"{event.seat} coming",
    Ended: lambda event: "the end of the game",
    Rescored: _of_score,
    Said: lambda said: _remark(said.event, dict(said.fields)),
}


def lost(before: State, after: State) -> str:
    """What a change throws away, in words such as ``2 tricks and 5 bids of hand 3``; nothing where it is nothing."""
    scored = {result.hand for result in before.results} - {result.hand for result in after.results}
    parts = [f"the score of hand {hand}" for hand in sorted(scored)]
    open_hand = before.phase is not Phase.OVER and before.hand not in scored
    if open_hand and after.hand <= before.hand:
        stays = after.hand == before.hand and after.phase is not Phase.OVER
        had, has = _counts(before), _counts(after) if stays else (0, 0, 0)
        gone = [max(0, one - two) for one, two in zip(had, has, strict=True)]
        words = [counted(number, name) for number, name in zip(gone, _COUNTED, strict=True) if number]
        if words:
            parts.append(f"{listed(words)} of hand {before.hand}")
    return listed(parts)


_COUNTED = ("trick", "card", "bid")


def _counts(state: State) -> tuple[int, int, int]:
    """The complete tricks, the cards of the open one, the bids."""
    complete = state.trick.winner is not None
    cards = 0 if complete else len(state.trick.plays)
    bids = len(state.bids) or sum(call != "pass" for _, call in state.calls)
    return len(state.tricks) + complete, cards, bids


def _remark(event: str, fields: dict[str, object]) -> str:
    sentences = {
        "out_of_turn": "{seat}'s {card} out of turn",
        "card_taken_back": "{seat}'s {card} taken back",
        "bid_refused": "{seat}'s bid of {bid} refused",
    }
    return sentences.get(event, event.replace("_", " ")).format(**fields)


def change_of_mind(was: Entry | None, now: Entry | None) -> Correction:
    """The fields of the line ``corrected`` where a later fact speaks for another explanation."""
    what = "card_played"
    for entry in (now, was):
        if entry is not None and entry.said:
            what = entry.said[0].event
            break
    return {"what": what, "from": told(was), "to": told(now), "by": "table"}


def told_change(t_ns: int, was: Entry | None, now: Entry | None) -> Notice:
    """What the screen says of it."""
    before, after = told(was), told(now)
    if after is None:
        return notice(t_ns, "ruling", "found_out", now=f"No {before}")
    if before is None:
        return notice(t_ns, "ruling", "found_out", now=after)
    return notice(t_ns, "ruling", "changed_mind", now=after, was=before)
