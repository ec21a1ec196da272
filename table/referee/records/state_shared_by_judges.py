"""The state that the referee's judges share: the search, the journal sync, the fact queue, the fact log and notices."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from table.events.event_registry import event_brief, line_brief
from table.events.game_events import Event
from table.games.engine.game_state import Expected, Phase, Refusal, State
from table.games.game import Game
from table.observed_facts import Call, CardFact, Fact, Gesture, fact_sort_key
from table.phrase import make_phrase
from table.referee.beam_search import BeamSearch
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.moments import PictureOf
from table.referee.model.notice_expiry import active_notices
from table.referee.model.notices import Notice, Tone, make_notice
from table.referee.model.observations import CallMade, Observation
from table.referee.model.search_context import Pins, RefereeTimes, SearchContext
from table.referee.records.journal import Journal
from table.referee.records.journal_of_hypothesis import Correction, JournalSync, make_entry_phrase
from table.referee.records.stored_facts import FactLog, facts_path

MAX_NOTICES = 6
"""The most notices that are stored for the screen."""

_Kind = TypeVar("_Kind", bound=Fact)


class FactQueue:
    """Holds facts until no earlier one can come, then gives them in the order of their stamps.

    Equal stamps: calls before cards, then seat order. So the order of delivery never shows in a ruling.
    """

    def __init__(self, seats: tuple[str, ...]) -> None:
        self._seats = seats
        self._facts: list[Fact] = []

    def put(self, facts: Iterable[Fact]) -> None:
        """Add facts, in any order."""
        for fact in facts:
            bisect.insort(self._facts, fact, key=self._key)

    def peek(self, until_ns: int) -> Fact | None:
        """Return the earliest fact, if it is stamped before ``until_ns``; else None."""
        if self._facts and self._facts[0].t_ns < until_ns:
            return self._facts[0]
        return None

    @property
    def card_facts(self) -> tuple[CardFact, ...]:
        """The waiting card facts, the earliest first."""
        return tuple(fact for fact in self._facts if not isinstance(fact, Call))

    @property
    def waiting_taps(self) -> Counter[str]:
        """The taps of the waiting calls, by seat."""
        calls = (fact for fact in self._facts if isinstance(fact, Call) and fact.gesture is Gesture.TAPS)
        return Counter(call.seat for call in calls for _ in range(call.count))

    def pop(self) -> Fact:
        """Remove and return the earliest fact."""
        return self._facts.pop(0)

    def extract(
        self, kind: type[_Kind], before_ns: int, wanted: Callable[[_Kind], bool] = lambda _: True
    ) -> list[_Kind]:
        """Remove and return the facts of a kind, stamped before ``before_ns``, that are ``wanted``, in order."""
        taken: list[_Kind] = [
            fact for fact in self._facts if isinstance(fact, kind) and fact.t_ns < before_ns and wanted(fact)
        ]
        self._facts = [fact for fact in self._facts if fact not in taken]
        return taken

    def drop_card_facts(self) -> None:
        """Remove all card facts."""
        self._facts = [fact for fact in self._facts if isinstance(fact, Call)]

    def _key(self, fact: Fact) -> tuple[int, int, int]:
        return fact_sort_key(fact, self._seats)


class SharedState:
    """The state of one game at one table, with the operations that change it."""

    def __init__(self, journal_sync: JournalSync, angles: Mapping[str, float], times: RefereeTimes) -> None:
        self.journal_sync = journal_sync
        self.angles = dict(angles)
        self.times = times
        self.fact_queue = FactQueue(journal_sync.game.seats)
        self.now_ns = 0
        self.view_since_ns: int | None = 0
        """Since when the camera has shown the table without a break; None while it does not."""
        self.search = BeamSearch(
            SearchContext(journal_sync.game, self.angles, times, {}, Pins()), journal_sync.hypothesis
        )
        kept_at = journal_sync.journal.durable_path
        self.fact_log = FactLog(facts_path(kept_at) if kept_at is not None else None)
        self.picture_of: PictureOf = lambda seq: None
        """Finds the photo finishes of this game."""
        self.highest_card_id = 0
        """No card has had a higher id, also before the table came up again."""
        self._own: list[tuple[Notice, State]] = []
        """The notices that belong to no entry of the story, the latest first, each with the state at that time."""
        self._count = 0

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.journal_sync.game

    @property
    def journal(self) -> Journal:
        """The journal: everything decided so far."""
        return self.journal_sync.journal

    @property
    def hypothesis(self) -> Hypothesis:
        """The hypothesis that the journal tells."""
        return self.journal_sync.hypothesis

    @property
    def state(self) -> State:
        """The state of the game, by that hypothesis."""
        return self.hypothesis.state

    @property
    def expected(self) -> Expected:
        """What may happen next, by the rules."""
        return self.game.expected(self.state)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices that are still valid, the latest first."""
        return active_notices(self.hypothesis, self._own, self.game, MAX_NOTICES)

    def next_number(self) -> int:
        """Return the next observation's number."""
        self._count += 1
        return self._count

    def receive_facts(self, facts: Sequence[Fact]) -> None:
        """Store new card facts on the disk, then queue all new facts to be judged."""
        cards = [fact for fact in facts if not isinstance(fact, Call)]
        self.highest_card_id = max(self.highest_card_id, *(fact.id for fact in cards), 0)
        self.fact_log.write_facts(cards)
        self.fact_queue.put(facts)

    # --- the story --------------------------------------------------------------------------------------------

    def searched_hypothesis(self) -> Hypothesis:
        """Return the hypothesis that the journal tells, to somebody who may correct the hand before.

        So that is searched now, where resuming has left it out.
        """
        if self.search.lacks_closed_hand:
            self.search.search_again()
            self.sync_journal()
        return self.hypothesis

    def find_last_event(self) -> StoryEntry | None:
        """Return the last entry that is an event of the game; None before the first."""
        return self.find_last(lambda entry: entry.is_event)

    def find_last(self, wanted: Callable[[StoryEntry], bool]) -> StoryEntry | None:
        """Return the last entry that is ``wanted``; None where there is none."""
        return next((entry for entry in self.searched_hypothesis().entries() if wanted(entry)), None)

    # --- observations ---------------------------------------------------------------------------------------

    def add_observation(self, observation: Observation) -> None:
        """Add an observation to the search, and write what follows from it to the journal."""
        self.search.add_observation(observation)
        self.sync_journal()

    def apply_event(
        self,
        event: Event,
        t_ns: int,
        *notices: Notice,
        certain: bool = False,
        **extra: object,
    ) -> bool:
        """Apply an event that a player has called or said. Return whether it holds; a refusal is written.

        ``extra``: further fields of its journal line. ``certain``: as in ``CallMade``.
        """
        before = self.hypothesis
        self.add_observation(CallMade(self.next_number(), t_ns, event, extra, notices, certain))
        after = self.hypothesis.last_entry
        last = after if after is not before.last_entry else None
        return last is not None and last.is_event

    def apply_entered_event(self, event: Event, t_ns: int, by: str) -> bool:
        """Apply an event that player ``by`` enters in the panel, with a notice of it and of what it brings about by the
        rules. Return whether it holds.
        """
        step = self.game.apply(self.state, event)
        announced = () if isinstance(step, Refusal) else step.announcements
        derived = [said for said in announced if said.fields.get("derived")]
        follows = [line_brief({"event": said.event, **said.fields}) for said in derived]
        what = make_phrase("word.list", items=(event_brief(event), *follows))
        said_so = make_notice(t_ns, "ruling", "said_so", by, by=by, what=what)
        return self.apply_event(event, t_ns, said_so, certain=True)

    def is_allowed(self, event: Event, state: State | None = None) -> bool:
        """Return whether the rules allow an event now, or in another ``state``."""
        return not isinstance(self.game.apply(state or self.state, event), Refusal)

    def sync_journal(self, correction: Correction | None = None) -> None:
        """Write the journal up to the best hypothesis; ``correction``: the line's fields where people corrected it."""
        self.fact_log.write_search(self.search)
        changed = self.journal_sync.sync_to(self.search.best, self.now_ns, correction)
        if changed is not None and correction is None:
            self._add_notice(_change_notice(self.now_ns, *changed))
        self.search.drop_settled_hand()
        self.store_facts()

    def take_over(self, search: BeamSearch, number: int, highest: int) -> None:
        """Replace the search on resuming; ``number``: the last observation, ``highest``: the last card id."""
        self.search, self._count = search, number
        self.highest_card_id = highest

    def store_facts(self) -> None:
        """Store the facts of the hand in play in the fact log; delete it once the game is over."""
        if self.state.phase is Phase.OVER:
            self.fact_log.delete()
        else:
            self.fact_log.begin_hand(
                self.search,
                self.journal_sync,
                self._count,
                self.highest_card_id,
                self.fact_queue.card_facts,
            )

    # --- notices --------------------------------------------------------------------------------

    def notify(self, t_ns: int, kind: Tone, code: str, *seats: str | None, **fields: object) -> None:
        """Show a notice on the screen."""
        self._add_notice(make_notice(t_ns, kind, code, *seats, **fields))

    def _add_notice(self, sentence: Notice) -> None:
        self._own.insert(0, (sentence, self.state))
        del self._own[MAX_NOTICES:]


def _change_notice(t_ns: int, was: StoryEntry, now: StoryEntry | None) -> Notice:
    """Return the notice of a correction by the table itself: what was believed before, and what is now."""
    before, after = make_entry_phrase(was), make_entry_phrase(now)
    if after is None:
        return make_notice(t_ns, "ruling", "found_none", was=before)
    return make_notice(t_ns, "ruling", "changed_mind", now=after, was=before)
