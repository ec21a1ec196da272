"""The wording of corrections: what was and what is, for the journal, and with the reason for the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from table.cards import PASS, BidValue
from table.events.event_registry import event_line, line_brief
from table.events.game_events import Bid, BidsRevealed
from table.games.engine.game_state import Phase, State
from table.phrase import Phrase, make_phrase
from table.referee.model.hypothesis import StoryEntry
from table.referee.model.notices import Notice, make_notice

Correction: TypeAlias = Mapping[str, Any]
"""The fields ``what``, ``from``, ``to`` and ``by`` of a line ``corrected``."""


def make_entry_line(entry: StoryEntry | None) -> dict[str, Any] | None:
    """Return the journal line of an entry's event, without number and times; None for no entry or no event."""
    cause = entry.cause if entry is not None else None
    return event_line(cause) if cause is not None else None


def make_entry_phrase(entry: StoryEntry | None) -> Phrase | None:
    """Return a short phrase for an entry's event; None for no entry or no event."""
    line = make_entry_line(entry)
    return line_brief(line) if line is not None else None


def bids_of_event(cause: object) -> dict[str, BidValue]:
    """Return the bids that an event makes, by seat; empty for other events."""
    match cause:
        case Bid(seat, bid):
            return {seat: bid}
        case BidsRevealed(bids):
            return dict(bids)
    return {}


def find_losses(before: State, after: State) -> Phrase | None:
    """Return what a change of state loses, such as ``2 tricks and 5 bids of hand 3``; None where it loses nothing."""
    scored = {result.hand for result in before.results} - {result.hand for result in after.results}
    parts = [make_phrase("lost.score", hand=hand) for hand in sorted(scored)]
    open_hand = before.phase is not Phase.OVER and before.hand not in scored
    counted = _lost_of_hand(before, after) if open_hand and after.hand <= before.hand else ()
    if counted:
        parts.append(make_phrase("lost.of_hand", parts=counted, hand=before.hand))
    return join_phrases(parts)


def _lost_of_hand(before: State, after: State) -> tuple[Phrase, ...]:
    """Return what is lost of the hand in play."""
    stays = after.hand == before.hand and after.phase is not Phase.OVER
    had, has = _counts(before), _counts(after) if stays else (0, 0, 0)
    gone = [max(0, count - two) for count, two in zip(had, has, strict=True)]
    return tuple(
        make_phrase(code, n=number) for number, code in zip(gone, _LOSS_CODES, strict=True) if number
    )


_LOSS_CODES = ("lost.trick", "lost.card", "lost.bid")


def join_phrases(parts: list[Phrase]) -> Phrase | None:
    """Join phrases to one list phrase; None where there are none."""
    return make_phrase("word.list", items=tuple(parts)) if parts else None


def _counts(state: State) -> tuple[int, int, int]:
    """Return the numbers of complete tricks, of cards of the open one, and of bids."""
    complete = state.trick.winner is not None
    cards = 0 if complete else len(state.trick.plays)
    bids = len(state.bids) or sum(call != PASS for _, call in state.calls)
    return len(state.tricks) + complete, cards, bids


def make_table_correction(was: StoryEntry | None, now: StoryEntry | None) -> Correction:
    """Return the fields of the journal line ``corrected`` for a correction by the table itself."""
    what = "card_played"
    for entry in (now, was):
        if entry is not None and entry.announcements:
            what = entry.announcements[0].event
            break
    return {"what": what, "from": make_entry_line(was), "to": make_entry_line(now), "by": "table"}


def make_change_notice(t_ns: int, was: StoryEntry | None, now: StoryEntry | None) -> Notice:
    """Return the notice of a correction by the table itself: what was believed before, and what is now."""
    before, after = make_entry_phrase(was), make_entry_phrase(now)
    if after is None:
        return make_notice(t_ns, "ruling", "found_none", was=before)
    if before is None:
        return make_notice(t_ns, "ruling", "found_out", now=after)
    return make_notice(t_ns, "ruling", "changed_mind", now=after, was=before)
