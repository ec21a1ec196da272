"""Corrections by people: undo and redo, another card, player or bid, as evidence for the search.

A correction is tried on a copy of the search before it counts: so it is known what would be lost, and the search from
before is stored for going back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from table.cards import PASS, BidValue
from table.events.event_registry import event_brief, event_line, spec_of
from table.events.game_events import (
    Bid,
    BidsRevealed,
    Event,
    Passed,
    Played,
    Rescored,
    SuitNamed,
    TrickTaken,
)
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal, State
from table.phrase import Phrase, make_phrase
from table.referee.beam_search import BeamSearch
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.observations import JournalEvent
from table.referee.model.search_context import Pins, UndoRecord, call_key
from table.referee.records.journal_of_hypothesis import make_entry_line, make_entry_phrase
from table.referee.records.state_shared_by_judges import SharedState

MAX_UNDO_RECORDS = 20
"""The number of corrections that can be undone."""
MAX_NAMED_CHANGES = 3
"""The number of other bids and cards that would change which a confirmation names."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change that people may make, as it has been tried: it is not in force yet."""

    lost: Phrase | None
    """What will be lost by it; None for nothing."""
    put_in_force: Callable[[int], object]
    """Makes the change; it is given the stamp of the call that chooses it."""


def try_undo(shared: SharedState, entry: StoryEntry, by: str) -> Change:
    """Try to undo an entry and all entries after it; of the last event only its observation is struck."""
    number = entry.observation_number
    assert number is not None
    items = {number}
    if entry is not shared.find_last_event():
        since = takewhile(lambda later: later is not entry.previous, shared.searched_hypothesis().entries())
        numbers = (later.observation_number for later in since)
        items |= {later for later in numbers if later is not None and later > number}
    pins = shared.search.context.pins
    search = shared.search.with_pins(replace(pins, undone=pins.undone | items))
    what, line = make_entry_phrase(entry) or Phrase("word.nothing"), make_entry_line(entry)
    fields = {"what": "undo", "from": line, "to": None, "by": by}
    record = UndoRecord(what, line, was_undo=True, pins=pins)
    lost = find_losses(shared.state, search.best.state)
    return Change(lost, lambda _: put_in_force(shared, search, fields, record, "undone", what=what))


def last_correction(shared: SharedState) -> UndoRecord | None:
    """Return the latest correction, if it may be taken back; else None."""
    history = shared.search.context.history
    return history[-1] if history else None


def try_redo(shared: SharedState, by: str) -> Change | None:
    """Try to take the latest correction back: to redo an undo, or to withdraw a correction; None without one."""
    kept = last_correction(shared)
    if kept is None:
        return None
    search, value = shared.search.with_pins(kept.pins), kept.journal_value
    search.context = replace(search.context, history=search.context.history[:-1])
    lost = find_losses(shared.state, search.best.state)
    what, code, was, now = ("undo", "unsaid", value, None)
    if kept.was_undo:
        # What took the place of something undone has to go when that is done again.
        lost = lost or _name_changes(_changed_events(shared, shared.state.deal, search.best))
        what, code, was, now = ("redo", "redone", None, value)
    fields = {"what": what, "from": was, "to": now, "by": by}
    return Change(lost, lambda _: put_in_force(shared, search, fields, None, code, what=kept.description))


def try_correction(shared: SharedState, entry: StoryEntry, event: Event, by: str) -> Change | None:
    """Try to replace an entry by ``event``, with everything after it searched again; None where that is impossible.

    It is where no hypothesis agrees, and where more than the score of a closed hand would change.
    """
    pins, state, before = shared.search.context.pins, shared.state, entry.state_before
    search = shared.search.with_pins(_pins_with(shared.search, entry, event))
    best = search.best
    if not any(other.cause == event for other in best.entries_of_deal(before.deal)):
        return None
    corrected = Counter([(len(before.tricks), entry.cause)])
    besides = _changed_events(shared, before.deal, best) - corrected  # type: ignore[operator]
    if before.hand < state.hand and (besides or not _only_scores_differ(best.state, state)):
        return None
    lost = find_losses(state, best.state) or _name_changes(besides)
    fields = _correction_fields(entry, event, by)
    was, now = make_entry_phrase(entry), event_brief(event)
    what = make_phrase("brief.corrected", now=now, was=was)
    record = UndoRecord(what, event_line(event), was_undo=False, pins=pins)
    return Change(lost, lambda _: put_in_force(shared, search, fields, record, "corrected", was=was, now=now))


def _changed_events(shared: SharedState, deal: int, best: Hypothesis) -> Counter[tuple[int, Event]]:
    """Return the bids and cards of a deal that would change in another hypothesis."""
    mine = Counter(_events_of_deal(deal, shared.hypothesis))
    return mine - Counter(_events_of_deal(deal, best))


def put_in_force(
    shared: SharedState,
    search: BeamSearch,
    fields: Mapping[str, object],
    record: UndoRecord | None,
    code: str = "",
    **said: object,
) -> None:
    """Put a tried search in force, which may commit a hand.

    ``fields``: of the journal line; ``record``: how to go back, None where that can't be done; ``code`` and ``said``:
    of the notice, where one says so.
    """
    if record is not None:
        history = (*search.context.history, record)[-MAX_UNDO_RECORDS:]
        search.context = replace(search.context, history=history)
    shared.search = search
    shared.sync_journal(fields)
    if record is not None and not search.context.history:
        # It has committed a hand, and all records have gone with the hand before: this one still holds.
        search.context = replace(search.context, history=(record,))
        shared.fact_log.write_search(search)
    if code:
        by = str(fields["by"])
        shared.notify(shared.now_ns, "ruling", code, by, by=by, **said)


def make_score_correction(shared: SharedState, entry: StoryEntry, event: Event) -> Rescored | None:
    """Return the correction of a closed hand's score, where the rules refuse a corrected bid itself.

    They do where the bids made after it don't allow for it. Those were made, and the hand was played: so nothing
    but the score changes. None where the score stays the same or the bid is impossible.
    """
    before, bid = entry.state_before, bids_of_event(event)
    last = shared.find_last(
        lambda entry: isinstance(entry.cause, TrickTaken) and entry.state_before.deal == before.deal
    )
    result = next((result for result in shared.state.results if result.hand == before.hand), None)
    if last is None or result is None or not bid or before.phase is Phase.AUCTION:
        return None
    points = _points(shared, last, bid)
    changed = tuple((seat, score) for seat, score in points.items() if score != result.points[seat])
    return Rescored(result.hand, changed) if changed else None


def _points(shared: SharedState, taken: StoryEntry, bids: Mapping[str, BidValue]) -> Mapping[str, int]:
    """Return the points of a hand whose last trick was ``taken``, with some bids changed; empty where that is
    impossible.
    """
    right = replace(taken.state_before, bids=tuple({**taken.state_before.bids_by_seat, **bids}.items()))
    step = shared.game.apply(right, taken.cause)  # type: ignore[arg-type]
    if isinstance(step, Refusal) or len(step.state.results) <= len(right.results):
        return {}
    return step.state.results[-1].points


def _only_scores_differ(state: State, other: State) -> bool:
    """Return whether two states are the same but for the scores."""
    return evolve(state, results=other.results, totals=other.totals) == other


def _correction_fields(entry: StoryEntry, event: Event, by: str) -> dict[str, object]:
    """Return the fields of the journal line ``corrected``."""
    was: object = make_entry_line(entry)
    now: object = event_line(event)
    what = entry.announcements[0].event if entry.announcements else spec_of(event).name
    if isinstance(event, Played) and isinstance(entry.cause, Played):
        other_card = event.card != entry.cause.card
        was = str(entry.cause.card) if other_card else entry.cause.seat
        now = str(event.card) if other_card else event.seat
    return {"what": what, "from": was, "to": now, "by": by}


def _events_of_deal(deal: int, hypothesis: Hypothesis) -> list[tuple[int, Event]]:
    """Return the bids and cards of a deal in a hypothesis, each with the number of tricks taken before."""
    return [
        (len(entry.state_before.tricks), entry.cause)
        for entry in hypothesis.entries_of_deal(deal)
        if isinstance(entry.cause, Bid | Passed | BidsRevealed | Played)
    ]


def _pins_with(search: BeamSearch, entry: StoryEntry, event: Event) -> Pins:
    """Return the pins with a correction added."""
    assert entry.observation_number is not None
    pins, before = search.context.pins, entry.state_before
    if any(told.number == entry.observation_number for told in search.log if isinstance(told, JournalEvent)):
        return pins.including(events={entry.observation_number: event})
    if isinstance(event, Played):
        if entry.card_id is not None:
            return pins.including(cards={entry.card_id: event.card}, seats={entry.card_id: event.seat})
        return pins.including(plays={(before.deal, len(before.tricks) + 1, event.seat): event.card})
    if isinstance(event, Bid | Passed | SuitNamed):
        key = call_key(before, event.seat)
        if entry.is_assumed_call or key in pins.calls:
            return pins.including(calls={key: event})
    return pins.including(events={entry.observation_number: event})


def bids_of_event(cause: object) -> dict[str, BidValue]:
    """Return the bids that an event makes, by seat; empty for other events."""
    match cause:
        case Bid(seat, bid):
            return {seat: bid}
        case BidsRevealed(bids):
            return dict(bids)
    return {}


# --- what is lost by a correction ----------------------------------------------------------------------------------


def find_losses(before: State, after: State) -> Phrase | None:
    """Return what a change of state loses, such as ``2 tricks and 5 bids of hand 3``; None where it loses nothing."""
    scored = {result.hand for result in before.results} - {result.hand for result in after.results}
    parts = [make_phrase("lost.score", hand=hand) for hand in sorted(scored)]
    if before.phase is not Phase.OVER and before.hand not in scored and after.hand <= before.hand:
        stays = after.hand == before.hand and after.phase is not Phase.OVER
        lost = _counts(before) - (_counts(after) if stays else Counter())
        counted = tuple(make_phrase(code, n=number) for code, number in lost.items())
        parts += [make_phrase("lost.of_hand", parts=counted, hand=before.hand)] if counted else []
    return _join_phrases(parts)


def _counts(state: State) -> Counter[str]:
    """Return the numbers of complete tricks, of cards of the open one, and of bids, by the codes of their loss."""
    complete = state.trick.winner is not None
    cards = 0 if complete else len(state.trick.plays)
    bids = len(state.bids) or sum(call != PASS for _, call in state.calls)
    return Counter({"lost.trick": len(state.tricks) + complete, "lost.card": cards, "lost.bid": bids})


def _name_changes(changes: Iterable[tuple[int, Event]]) -> Phrase | None:
    """Return a phrase for the first few of the bids and cards that would change; None where none would."""
    return _join_phrases([event_brief(change) for _, change in islice(changes, MAX_NAMED_CHANGES)])


def _join_phrases(parts: list[Phrase]) -> Phrase | None:
    """Join phrases to one list phrase; None where there are none."""
    return make_phrase("word.list", items=tuple(parts)) if parts else None
