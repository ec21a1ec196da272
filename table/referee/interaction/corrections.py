"""Corrections by people: undo and redo, another card, player or bid, as evidence for the search.

A correction is tried on a copy of the search before it counts: so it is known what would be lost, and the search from
before is stored for going back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

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
from table.referee.model.hypothesis_differences import entries_of_deal
from table.referee.model.notices import Tone
from table.referee.model.observations import JournalEvent
from table.referee.model.search_context import Pins, UndoRecord, call_key
from table.referee.records.journal_of_hypothesis import make_entry_line, make_entry_phrase
from table.referee.records.state_shared_by_judges import SharedState

MAX_UNDO_RECORDS = 20
"""The number of corrections that can be undone."""
MAX_NAMED_CHANGES = 3
"""The number of other bids and cards that would change which a confirmation names."""


class Corrections:
    """Applies corrections, and undoes them."""

    def __init__(self, shared: SharedState) -> None:
        self.shared = shared

    # --- undo and redo ------------------------------------------------------------------------------------------

    def undo(self, entry: StoryEntry, by: str) -> None:
        """Undo an entry and all entries after it."""
        undone, line = make_entry_phrase(entry) or Phrase("word.nothing"), make_entry_line(entry)
        fields = {"what": "undo", "from": line, "to": None, "by": by}
        self._adopt(self._search_before(entry), fields, undone, line, undid=True)
        self.notify("undone", by, what=undone)

    def lost_by_undo(self, entry: StoryEntry) -> Phrase | None:
        """Return a phrase for what is lost when an entry and all after it are undone; None for nothing."""
        return find_losses(self.shared.state, self._search_before(entry).best.state)

    def _search_before(self, entry: StoryEntry) -> BeamSearch:
        """Return a search without an entry and all after it; of the last event only its observation is struck."""
        number = entry.observation_number
        assert number is not None
        items = {number}
        if entry is not self.shared.find_last_event():
            numbers = (later.observation_number for later in self.shared.searched_entries()[entry.index :])
            items |= {later for later in numbers if later is not None and later > number}
        pins = self.shared.search.context.pins
        return self._search_with_pins(replace(pins, undone=pins.undone | items))

    def _search_with_pins(self, pins: Pins) -> BeamSearch:
        """Return a search of the same observations under other pins."""
        search = self.shared.search.copy()
        search.set_pins(pins)
        return search

    @property
    def last_correction(self) -> UndoRecord | None:
        """The latest correction, if it may be taken back: an undo is done again, a correction is withdrawn."""
        history = self.shared.search.context.history
        return history[-1] if history else None

    def redo(self, by: str) -> None:
        """Take the latest correction back: redo an undo, or withdraw a correction."""
        kept = self.last_correction
        if kept is None:
            return
        search = self._search_with_pins(kept.pins)
        value = kept.journal_value
        what, code, was, now = ("undo", "unsaid", value, None)
        if kept.was_undo:
            what, code, was, now = ("redo", "redone", None, value)
        self._put_in_force(
            search, self.shared.search.context.history[:-1], {"what": what, "from": was, "to": now, "by": by}
        )
        self.notify(code, by, what=kept.description)

    def lost_by_redo(self) -> Phrase | None:
        """Return a phrase for what is lost when the latest correction is taken back; None for nothing."""
        kept = self.last_correction
        if kept is None:
            return None
        best = self._search_with_pins(kept.pins).best
        gone = find_losses(self.shared.state, best.state)
        # What took the place of something undone has to go when that is done again.
        replaced = self._changed_events(self.shared.state.deal, best) if kept.was_undo else Counter()
        return gone or _name_changes(replaced)

    # --- corrections --------------------------------------------------------------------------------------------

    def correct(self, entry: StoryEntry, event: Event, by: str) -> bool:
        """Replace an entry by ``event``, and search everything after it again.

        Returns whether that is possible: if not, nothing has changed.
        """
        search = self._search_with(entry, event)
        if search is None:
            return False
        was, now = make_entry_phrase(entry), event_brief(event)
        what = make_phrase("brief.corrected", now=now, was=was)
        self._adopt(search, _correction_fields(entry, event, by), what, event_line(event), undid=False)
        self.notify("corrected", by, was=was, now=now)
        return True

    def lost_by_correction(self, entry: StoryEntry, event: Event) -> Phrase | None:
        """Return what is lost when an entry is replaced by ``event``; None for nothing or an impossible event."""
        search = self._search_with(entry, event)
        if search is None:
            return None
        gone = find_losses(self.shared.state, search.best.state)
        return gone or _name_changes(self._changes_besides(entry, search.best))

    def _changes_besides(self, entry: StoryEntry, best: Hypothesis) -> Counter[tuple[int, Event]]:
        """Return the bids and cards besides ``entry`` that would change in another hypothesis."""
        before = entry.state_before
        corrected = Counter([(len(before.tricks), entry.cause)])
        return self._changed_events(before.deal, best) - corrected  # type: ignore[operator]

    def _changed_events(self, deal: int, best: Hypothesis) -> Counter[tuple[int, Event]]:
        """Return the bids and cards of a deal that would change in another hypothesis."""
        mine = Counter(_events_of_deal(deal, self.shared.hypothesis))
        return mine - Counter(_events_of_deal(deal, best))

    def make_score_correction(self, entry: StoryEntry, event: Event) -> Rescored | None:
        """Return the correction of a closed hand's score, where the rules refuse a corrected bid itself.

        They do where the bids made after it don't allow for it. Those were made, and the hand was played: so nothing
        but the score changes. None where the score stays the same or the bid is impossible.
        """
        before, bid = entry.state_before, bids_of_event(event)
        last = self.shared.find_last(
            lambda entry: isinstance(entry.cause, TrickTaken) and entry.state_before.deal == before.deal
        )
        result = next((result for result in self.shared.state.results if result.hand == before.hand), None)
        if last is None or result is None or not bid or before.phase is Phase.AUCTION:
            return None
        points = self._points(last, bid)
        changed = tuple((seat, score) for seat, score in points.items() if score != result.points[seat])
        return Rescored(result.hand, changed) if changed else None

    def _points(self, taken: StoryEntry, bids: Mapping[str, BidValue]) -> Mapping[str, int]:
        """Return the points of a hand whose last trick was ``taken``, with some bids changed; empty where that is
        impossible.
        """
        right = replace(taken.state_before, bids=tuple({**taken.state_before.bids_by_seat, **bids}.items()))
        step = self.shared.game.apply(right, taken.cause)  # type: ignore[arg-type]
        if isinstance(step, Refusal) or len(step.state.results) <= len(right.results):
            return {}
        return step.state.results[-1].points

    def record_answer(self, what: Phrase, answer: str) -> None:
        """Record that an answer is about to be given to the search, so that it can be taken back."""
        context, record = self.shared.search.context, self._record(what, answer, undid=False)
        self.shared.search.context = replace(context, history=record)

    def _search_with(self, entry: StoryEntry, event: Event) -> BeamSearch | None:
        """Return a search with ``event`` in the place of an entry; None where that is impossible."""
        search = self._search_with_pins(_pins_with(self.shared.search, entry, event))
        before, best = entry.state_before, search.best
        if not any(
            other.cause == event and other.state_before.deal == before.deal for other in best.entries()
        ):
            return None
        state, closed = self.shared.state, before.hand < self.shared.state.hand
        if closed and (not _only_scores_differ(best.state, state) or self._changes_besides(entry, best)):
            return None
        return search

    # --- what undo and corrections share ------------------------------------------------------------------------

    def notify(self, code: str, by: str, *, kind: Tone = "ruling", **fields: object) -> None:
        """Show a notice of a correction, with the player who made it."""
        self.shared.notify(self.shared.now_ns, kind, code, by, by=by, **fields)

    def _adopt(
        self,
        search: BeamSearch,
        fields: Mapping[str, object],
        what: Phrase,
        line: dict[str, Any] | None,
        *,
        undid: bool,
    ) -> None:
        """Put a tried search in force, and record how to go back to the one before."""
        history = self._record(what, line, undid=undid)
        self._put_in_force(search, history, fields)
        if not search.context.history:
            # It has committed a hand, and all records have gone with the hand before: this one still holds.
            search.context = replace(search.context, history=history[-1:])
            self.shared.fact_log.write_search(search)

    def _put_in_force(
        self, search: BeamSearch, history: tuple[UndoRecord, ...], fields: Mapping[str, object]
    ) -> None:
        """Put a tried search in force, which may commit a hand."""
        search.context = replace(search.context, history=history)
        self.shared.search = search
        self.shared.sync_journal(fields)

    def _record(
        self, what: Phrase, line: dict[str, Any] | str | None, *, undid: bool
    ) -> tuple[UndoRecord, ...]:
        """Return the history with a correction, an undo or an answer that is about to be made."""
        context = self.shared.search.context
        return (*context.history, UndoRecord(what, line, undid, context.pins))[-MAX_UNDO_RECORDS:]


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
        for entry in entries_of_deal(hypothesis, deal)
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
