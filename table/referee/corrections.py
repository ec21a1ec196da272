"""What a correction says: in the journal what was and what is, on the screen a sentence with the reason."""

from __future__ import annotations

from table.games.base import (
    Bid,
    BidsRevealed,
    BidsTied,
    Came,
    CardsPassed,
    Dealt,
    Ended,
    LeadsTied,
    Left,
    Passed,
    Played,
    Rapped,
    Said,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.referee.book import Correction
from table.referee.explanation import Entry
from table.referee.sentences import Notice, listed, notice


def told(entry: Entry | None) -> str | None:
    """What happened, in a few words; None for nothing."""
    match entry.cause if entry is not None else None:
        case None:
            return None
        case Played(seat, card) | TakenBack(seat, card) if card.is_unseen:
            return f"{seat}'s card that was not seen"
        case Played(seat, card):
            return f"{seat}'s {card.sign}"
        case TakenBack(seat, card):
            return f"{seat}'s {card.sign} taken back"
        case Bid(seat, bid):
            return f"{seat}'s bid of {bid}"
        case Rapped(seat):
            return f"{seat}'s rap"
        case Passed(seat):
            return f"{seat}'s pass"
        case Dealt(seat):
            return f"{seat}'s deal"
        case TurnedUp(card):
            return f"the {card.sign} turned up"
        case BidsTied(seats):
            return f"the tied bids of {listed(seats)}"
        case BidsRevealed():
            return "the bids made at once"
        case LeadsTied(kept, back):
            plays = (*((kept,) if kept else ()), *back)
            return f"the tied leads of {listed(play.seat for play in plays)}"
        case SuitNamed(seat, suit):
            return f"{seat}'s joker standing for {suit}"
        case TrickTaken(seat):
            return f"the trick taken by {seat}"
        case CardsPassed():
            return "the cards passed on"
        case ThrownIn(why):
            return f"the hand thrown in ({why})"
        case Left(seat):
            return f"{seat} leaving"
        case Came(seat):
            return f"{seat} coming"
        case Ended():
            return "the end of the game"
        case Said(event, fields):
            return _remark(event, dict(fields))


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
