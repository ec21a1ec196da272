"""What a correction says: in the journal what was and what is, on the screen the same with the reason."""

from __future__ import annotations

from typing import Any

from table.events.happenings import Bid, BidsRevealed, BidValue
from table.events.known import brief, line_of
from table.games.base import PASS, Phase, State
from table.phrase import Phrase, say
from table.referee.book import Correction
from table.referee.explanation import Entry
from table.referee.notices import Notice, notice


def line_of_entry(entry: Entry | None) -> dict[str, Any] | None:
    """What happened, as the journal says it (without number and times); None for nothing."""
    cause = entry.cause if entry is not None else None
    return line_of(cause) if cause is not None else None


def happened(entry: Entry | None) -> Phrase | None:
    """What happened, in a few words; None for nothing."""
    line = line_of_entry(entry)
    return brief(line) if line is not None else None


def bids_in(cause: object) -> dict[str, BidValue]:
    """The bids that an event makes."""
    match cause:
        case Bid(seat, bid):
            return {seat: bid}
        case BidsRevealed(bids):
            return dict(bids)
    return {}


def lost(before: State, after: State) -> Phrase | None:
    """What a change throws away, such as ``2 tricks and 5 bids of hand 3``; None where it is nothing."""
    scored = {result.hand for result in before.results} - {result.hand for result in after.results}
    parts = [say("lost.score", hand=hand) for hand in sorted(scored)]
    open_hand = before.phase is not Phase.OVER and before.hand not in scored
    counted = _lost_of_hand(before, after) if open_hand and after.hand <= before.hand else ()
    if counted:
        parts.append(say("lost.of_hand", parts=counted, hand=before.hand))
    return all_of(parts)


def _lost_of_hand(before: State, after: State) -> tuple[Phrase, ...]:
    """What is thrown away of the hand in play."""
    stays = after.hand == before.hand and after.phase is not Phase.OVER
    had, has = _counts(before), _counts(after) if stays else (0, 0, 0)
    gone = [max(0, one - two) for one, two in zip(had, has, strict=True)]
    return tuple(say(code, n=number) for number, code in zip(gone, _COUNTED, strict=True) if number)


_COUNTED = ("lost.trick", "lost.card", "lost.bid")


def all_of(parts: list[Phrase]) -> Phrase | None:
    """Several phrases as one; None where there are none."""
    return say("word.list", items=tuple(parts)) if parts else None


def _counts(state: State) -> tuple[int, int, int]:
    """The complete tricks, the cards of the open one, the bids."""
    complete = state.trick.winner is not None
    cards = 0 if complete else len(state.trick.plays)
    bids = len(state.bids) or sum(call != PASS for _, call in state.calls)
    return len(state.tricks) + complete, cards, bids


def change_of_mind(was: Entry | None, now: Entry | None) -> Correction:
    """The fields of the line ``corrected`` where a later fact speaks for another explanation."""
    what = "card_played"
    for entry in (now, was):
        if entry is not None and entry.said:
            what = entry.said[0].event
            break
    return {"what": what, "from": line_of_entry(was), "to": line_of_entry(now), "by": "table"}


def change_notice(t_ns: int, was: Entry | None, now: Entry | None) -> Notice:
    """What the screen says of it."""
    before, after = happened(was), happened(now)
    if after is None:
        return notice(t_ns, "ruling", "found_none", was=before)
    if before is None:
        return notice(t_ns, "ruling", "found_out", now=after)
    return notice(t_ns, "ruling", "changed_mind", now=after, was=before)
