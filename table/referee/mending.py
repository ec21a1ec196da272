"""People's corrections: undo and redo, another card, player or bid. All of them are said to the search.

What people say is tried before it counts, on a copy of the search: so it is known what would be lost, and what stood
before is kept as it was, to go back to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidValue,
    Event,
    Passed,
    Played,
    Rescored,
    SuitNamed,
    TrickTaken,
)
from table.events.known import brief, kind_of, line_of
from table.games.base import PASS, Phase, Refusal, State
from table.games.copies import but
from table.phrase import Phrase, say
from table.referee.blackboard import Blackboard
from table.referee.corrections import all_of, bids_in, happened, line_of_entry, lost
from table.referee.explanation import Entry, Explanation, Piece
from table.referee.keeping import KeptWord
from table.referee.notices import Tone
from table.referee.search import Search
from table.referee.setting import Pins

MOST_WORDS = 20
"""So many corrections can be taken back."""
MOST_NAMED = 3
"""So many bids and cards that would not be what they are, are named."""


@dataclass(frozen=True, slots=True)
class Word:
    """Something that somebody has said of what was decided, and how all stood before it."""

    kept: KeptWord
    search: Search | None
    """How all stood; None where it was said before a power cut: it is worked out again from what had been said."""
    root: Entry | None
    """What was settled once it had been said: when more is settled, it stands."""


class Mending:
    """Puts right what was decided."""

    def __init__(self, blackboard: Blackboard) -> None:
        self.blackboard = blackboard
        self._words: list[Word] = []
        """The latest last."""

    def resume(self, words: Iterable[KeptWord]) -> None:
        """After a power cut: what could be taken back can be still."""
        self._words = [Word(word, None, self.blackboard.search.root.last) for word in words]

    # --- undo and redo ------------------------------------------------------------------------------------------

    def undo(self, at: int, by: str) -> Phrase:
        """Take entry ``at`` of the book and all after it back; what was undone."""
        entry = self.blackboard.book.entries[at]
        undone, line = happened(entry) or Phrase("word.nothing"), line_of_entry(entry)
        fields = {"what": "undo", "from": line, "to": None, "by": by}
        self._go_on_from(self._before(at), fields, undone, line, undid=True)
        self.tell("undone", by, what=undone)
        return undone

    def lost_by_undo(self, at: int) -> Phrase | None:
        """What is lost when entry ``at`` and all after it are taken back."""
        return lost(self.blackboard.state, self._before(at).best.state)

    def _before(self, at: int) -> Search:
        """Without entry ``at`` and all after it; of the last one alone its observation counts for nothing."""
        entries = self.blackboard.book.entries
        entry = entries[at]
        search = self.blackboard.search.copy()
        if entry.item is None or not self._in_log(entry):
            search.begin(self._until(entry))
            return search
        items = {entry.item}
        if at != self.blackboard.book.last(lambda one: one.changes):
            items |= {one.item for one in entries[at:] if one.item is not None and one.item > entry.item}
        pins = search.setting.pins
        search.pin(pins.striking(pins.struck | items))
        return search

    @property
    def redoable(self) -> Word | None:
        """What was said last, and may be taken back: an undo is done again, a correction is not."""
        if self._words and self._words[-1].root is not self.blackboard.search.root.last:
            self._words.clear()
        return self._words[-1] if self._words else None

    def redo(self, by: str) -> None:
        """Take back what was said last."""
        word = self.redoable
        if word is None:
            return
        search, kept = self._again(word), word.kept
        self._words.pop()
        what, code = ("redo", "redone") if kept.undid else ("undo", "unsaid")
        fields = {"what": what, "from": None, "to": kept.line, "by": by}
        if not kept.undid:
            fields = {"what": what, "from": kept.line, "to": None, "by": by}
        self.blackboard.adopt(search, fields)
        self._keep()
        self.tell(code, by, what=kept.what)

    def lost_by_redo(self) -> Phrase | None:
        """What is lost when what was said last is taken back."""
        word = self.redoable
        return lost(self.blackboard.state, self._again(word).best.state) if word is not None else None

    def _again(self, word: Word) -> Search:
        """As if it had not been said, with what has been observed since."""
        now = self.blackboard.search
        if word.search is None:
            search = now.copy()
            search.pin(word.kept.pins)
            return search
        search = word.search.copy()
        for observation in now.log:
            if observation.number > word.kept.number:
                search.take(observation)
        search.read_as(now)
        return search

    # --- corrections --------------------------------------------------------------------------------------------

    def correct(self, at: int, event: Event, by: str) -> bool:
        """Put ``event`` in the place of entry ``at``, and work everything after it out again.

        Whether it could have been: if not, nothing has changed.
        """
        entry = self.blackboard.book.entries[at]
        search = self._with(at, event)
        if search is None:
            return False
        instead = replace(entry, cause=event)
        was, now = happened(entry), happened(instead)
        what = say("brief.corrected", now=now, was=was)
        self._go_on_from(search, _said(entry, event, by), what, line_of_entry(instead), undid=False)
        self.tell("corrected", by, was=was, now=now)
        return True

    def lost_by_correction(self, at: int, event: Event) -> Phrase | None:
        """What is lost when ``event`` is put in the place of entry ``at``; None for nothing, or where it can't be."""
        search = self._with(at, event)
        if search is None:
            return None
        gone = lost(self.blackboard.state, search.best.state)
        others = self._no_longer(self.blackboard.book.entries[at], search.best)
        return gone or all_of([brief(line_of(one)) for one in others[:MOST_NAMED]])

    def _no_longer(self, entry: Entry, best: Explanation) -> list[Event]:
        """The bids and cards besides ``entry`` that would not be what they are, by another explanation."""
        deal = entry.before.deal
        gone = Counter(_said_in(deal, self.blackboard.book.said)) - Counter(_said_in(deal, best))
        gone.subtract([(len(entry.before.tricks), entry.cause)])  # type: ignore[list-item]
        return [one for (_, one), number in gone.items() if number > 0]

    def rescoring(self, at: int, event: Event) -> Rescored | None:
        """What a closed hand counts with another bid, where the bids made after it don't allow for that one.

        They were made, and the hand was played: so nothing but the score is otherwise.
        """
        before, bid = self.blackboard.book.entries[at].before, bids_in(event)
        last = self.blackboard.book.last(
            lambda one: isinstance(one.cause, TrickTaken) and one.before.deal == before.deal
        )
        result = next((one for one in self.blackboard.state.results if one.hand == before.hand), None)
        if last is None or result is None or not bid or before.phase is Phase.AUCTION:
            return None
        points = self._points(self.blackboard.book.entries[last], bid)
        changed = tuple((seat, one) for seat, one in points.items() if one != result.points[seat])
        return Rescored(result.hand, changed) if changed else None

    def _points(self, taken: Entry, bids: Mapping[str, BidValue]) -> Mapping[str, int]:
        """What a hand counts whose last trick was ``taken``, with some bids otherwise; nothing where it can't be."""
        right = replace(taken.before, bids=tuple({**taken.before.bid_of, **bids}.items()))
        step = self.blackboard.game.apply(right, taken.cause)  # type: ignore[arg-type]
        if isinstance(step, Refusal) or len(step.state.results) <= len(right.results):
            return {}
        return step.state.results[-1].points

    def noting(self, what: Phrase, answer: str) -> None:
        """An answer is about to be said to the search: it can be taken back."""
        self._go_on_from(self.blackboard.search.copy(), None, what, answer, undid=False)

    def _with(self, at: int, event: Event) -> Search | None:
        """With ``event`` in the place of entry ``at``; None where it can't have been."""
        entry = self.blackboard.book.entries[at]
        search = self.blackboard.search.copy()
        if self._in_log(entry):
            search.pin(_pinned(search, entry, event))
        else:
            root = self._instead(at, event)
            if root is None:
                return None
            search.settled_otherwise(root)
        before, best = entry.before, search.best
        if not any(one.cause == event and one.before.deal == before.deal for one in best.entries()):
            return None
        closed = before.hand < self.blackboard.state.hand
        if closed and (
            not _only_scores_differ(best.state, self.blackboard.state) or self._no_longer(entry, best)
        ):
            return None
        return search

    # --- what both need -----------------------------------------------------------------------------------------

    def tell(self, code: str, by: str, *, kind: Tone = "ruling", **fields: object) -> None:
        """Say on the screen who did what."""
        self.blackboard.tell(self.blackboard.now_ns, kind, code, by, by=by, **fields)

    def _go_on_from(
        self,
        search: Search,
        fields: Mapping[str, object] | None,
        what: Phrase,
        line: dict[str, Any] | str | None,
        *,
        undid: bool,
    ) -> None:
        """What has been tried counts; what stood before can be gone back to."""
        before = self.blackboard.search
        self.blackboard.adopt(search, fields)
        kept = KeptWord(what, line, undid, self.blackboard.number(), before.setting.pins)
        self._words = [*self._words, Word(kept, before, search.root.last)][-MOST_WORDS:]
        self._keep()

    def _keep(self) -> None:
        """See to it that what can be taken back can be after a power cut too.

        Not so what has changed what is settled, nor anything before it: pins do not tell how that stood.
        """
        search = self.blackboard.search
        pinned = takewhile(
            lambda word: (
                word.root is search.root.last and (word.search is None or word.search.root is search.root)
            ),
            reversed(self._words),
        )
        self.blackboard.keeper.note(search, [word.kept for word in pinned][::-1])

    def _in_log(self, entry: Entry) -> bool:
        """Whether it came from something observed in the hand in play, and not before a power cut."""
        return any(one.number == entry.item for one in self.blackboard.search.log)

    def _until(self, entry: Entry) -> Explanation:
        """The game as it stood before an entry that the log doesn't reach."""
        pieces = _pieces(entry.before, self.blackboard.mark)
        return but(self.blackboard.search.root.before(entry), pieces=pieces, leaving=None)

    def _instead(self, at: int, event: Event) -> Explanation | None:
        """What is settled, with another event in the place of entry ``at``.

        Of the hand in play what no longer fits is left out. A closed hand changes results and totals and nothing
        else: None where it would.
        """
        entries = self.blackboard.book.entries
        root = self.blackboard.search.root
        closed = entries[at].before.hand < root.state.hand
        one = root.before(entries[at])
        for entry in entries[at : root.length]:
            after = self._replayed(one, entry, event if entry is entries[at] else None)
            if isinstance(after, Refusal):
                if closed or entry is entries[at]:
                    return None
                continue
            one = after
        if not closed:
            return but(one, pieces=_pieces(one.state, root.pieces), leaving=None)
        if not _only_scores_differ(one.state, root.state):
            return None
        return but(one, pieces=root.pieces, leaving=root.leaving)

    def _replayed(self, one: Explanation, entry: Entry, event: Event | None) -> Explanation | Refusal:
        """After an entry of the book, or after ``event`` in its place."""
        if event is not None:
            return one.applied(
                self.blackboard.game, event, entry.t_ns, extra={"by": "corrected"}, notices=entry.notices
            )
        if not entry.changes:
            return one.remarked(entry.said[0] if entry.said else None, entry.t_ns, notices=entry.notices)
        cause: Event = entry.cause  # type: ignore[assignment]
        step = self.blackboard.game.apply(one.state, cause)
        if isinstance(step, Refusal):
            return step
        # What the referee had added to the line; the rest may be otherwise now.
        extra = {key: value for key, value in entry.said[0].fields.items() if key not in step.said[0].fields}
        return one.applied(self.blackboard.game, cause, entry.t_ns, extra=extra, notices=entry.notices)


def _pieces(state: State, lying: Iterable[Piece]) -> tuple[Piece, ...]:
    """What lies on the mark, by where the game stands: of the trick, or to be taken back."""
    lie = list(lying)
    due = [Piece(None, play.card, play.seat, "played") for play in state.trick.plays]
    if state.turned is not None and not state.tricks and not due:
        due = [Piece(None, state.turned, None, "turned up")]
    pieces: list[Piece] = []
    for piece in due:
        known = next((one for one in lie if (one.seat, one.card) == (piece.seat, piece.card)), None)
        if known is not None:
            lie.remove(known)
            piece = replace(piece, id=known.id, confidence=known.confidence, looks=known.looks)
        pieces.append(piece)
    rest = (replace(one, kind="back", waits="no") if one.card is not None else one for one in lie)
    return (*pieces, *rest)


def _only_scores_differ(one: State, other: State) -> bool:
    """Whether two states are the same but for what has been scored."""
    return but(one, results=other.results, totals=other.totals) == other


def _said(entry: Entry, event: Event, by: str) -> dict[str, object]:
    """The fields of the line ``corrected``."""
    was: object = line_of_entry(entry)
    now: object = line_of(event)
    what = entry.said[0].event if entry.said else kind_of(event).name
    if isinstance(event, Played) and isinstance(entry.cause, Played):
        other_card = event.card != entry.cause.card
        was = str(entry.cause.card) if other_card else entry.cause.seat
        now = str(event.card) if other_card else event.seat
    return {"what": what, "from": was, "to": now, "by": by}


def _said_in(deal: int, explanation: Explanation) -> list[tuple[int, Event]]:
    """The bids and cards of a deal, each with how many tricks had been taken, by an explanation."""
    found: list[tuple[int, Event]] = []
    for entry in explanation.entries():
        if entry.before.deal < deal:
            break
        if entry.before.deal == deal and isinstance(entry.cause, Bid | Passed | BidsRevealed | Played):
            found.append((len(entry.before.tricks), entry.cause))
    return found


def _pinned(search: Search, entry: Entry, event: Event) -> Pins:
    """What a correction says to the search."""
    assert entry.item is not None
    pins, before = search.setting.pins, entry.before
    if isinstance(event, Played):
        if entry.piece is not None:
            return pins.with_card(entry.piece, event.card).with_seat(entry.piece, event.seat)
        return pins.with_unseen(before.deal, len(before.tricks) + 1, event.seat, event.card)
    said = _call_pinned(pins, entry, event)
    return said if said is not None else pins.with_event(entry.item, event)


def _call_pinned(pins: Pins, entry: Entry, event: Event) -> Pins | None:
    """The same of a call that nobody heard; None of any other event."""
    before = entry.before
    place = (before.deal, len(before.calls))
    unheard = any(said.fields.get("heard") is False for said in entry.said)
    if before.phase is Phase.AUCTION and (unheard or place in pins.calls) and isinstance(event, Bid | Passed):
        return pins.with_call(*place, event.bid if isinstance(event, Bid) else PASS)
    if isinstance(event, Bid) and (unheard or (before.deal, event.seat) in pins.bids):
        return pins.with_bid(before.deal, event.seat, event.bid)
    led = (before.deal, len(before.tricks) + 1)
    if isinstance(event, SuitNamed) and (unheard or led in pins.suits):
        return pins.with_suit(*led, event.suit)
    return None
