"""The referee's blackboard, which its judges share: the search, the book, the inbox and what the screen is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table.events.event_spec import Announcement
from table.events.game_events import Event
from table.facts import Call, Fact
from table.games.engine.state import Expected, Phase, Refusal, State
from table.games.game import Game
from table.referee.model.evidence import Pins, RefereeTimes, SearchContext
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.notice_expiry import ActiveNotice, activate, active_notices
from table.referee.model.notices import Notice, Tone, make_notice
from table.referee.model.observations import CallMade, Observation, Remark
from table.referee.records.correction_wording import make_change_notice, make_table_correction
from table.referee.records.fact_log import FactLog, facts_path
from table.referee.records.fact_queue import FactQueue
from table.referee.records.journal_sync import Correction, JournalSync
from table.referee.search.beam_search import BeamSearch

MAX_NOTICES = 6
"""So many sentences are kept for the screen."""


class SharedState:
    """The state of a game at a table, and how to change it."""

    def __init__(self, book: JournalSync, angles: Mapping[str, float], times: RefereeTimes) -> None:
        self.journal_sync = book
        self.angles = dict(angles)
        self.times = times
        self.fact_queue = FactQueue(book.game.seats)
        self.now_ns = 0
        self.view_since_ns: int | None = 0
        """Since when the camera looks, after it began anew."""
        self.search = BeamSearch(SearchContext(book.game, self.angles, times, {}, Pins()), book.hypothesis)
        kept_at = book.journal.durable_path
        self.fact_log = FactLog(facts_path(kept_at) if kept_at is not None else None)
        self._own: list[ActiveNotice] = []
        self._count = 0
        self._expected: tuple[Game, State, Expected] | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.journal_sync.game

    @property
    def state(self) -> State:
        """The state of the game, by the hypothesis that the journal tells."""
        return self.journal_sync.hypothesis.state

    @property
    def expected(self) -> Expected:
        """What may happen next: asked with every frame, worked out once for each state."""
        game, state = self.game, self.state
        if self._expected is None or self._expected[0] is not game or self._expected[1] is not state:
            self._expected = (game, state, game.expected(state))
        return self._expected[2]

    @property
    def cards_on_mark(self) -> tuple[TableCard, ...]:
        """What lies on the mark and what it counts for, by the explanation in force."""
        return tuple(piece for piece in self.journal_sync.hypothesis.table_cards if piece.id is not None)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What the screen may say, the latest first: what is still true."""
        return active_notices(self.journal_sync.hypothesis, self._own, self.game, MAX_NOTICES)

    def next_number(self) -> int:
        """The next observation's number."""
        self._count += 1
        return self._count

    def receive_facts(self, facts: Sequence[Fact]) -> None:
        """Facts came: those of cards are on the disk before anything is made of them."""
        self.fact_log.write_facts([fact for fact in facts if not isinstance(fact, Call)])
        self.fact_queue.put(facts)

    # --- what is observed ---------------------------------------------------------------------------------------

    def add_observation(self, observation: Observation) -> None:
        """Account for it, and say what follows."""
        self.search.add_observation(observation)
        self.sync_journal()

    def apply_event(
        self,
        event: Event,
        t_ns: int,
        *notices: Notice,
        certain: bool = False,
        blind: bool = False,
        **extra: object,
    ) -> bool:
        """An event of the game by somebody's word; ``extra`` fields go into its journal line.

        ``certain``, ``blind``: as an observation (``CallMade``) has them.
        Whether it is believed: false where the game refuses it, which is said.
        """
        before = self.journal_sync.hypothesis
        self.add_observation(CallMade(self.next_number(), t_ns, event, extra, notices, certain, blind))
        after = self.journal_sync.hypothesis.last_entry
        last = after if after is not before.last_entry else None
        return last is not None and last.is_event

    def write_remark(self, said: Announcement, t_ns: int, *notices: Notice) -> None:
        """Say a journal line that changes no state."""
        self.add_observation(Remark(self.next_number(), t_ns, said, notices))

    def is_allowed(self, event: Event) -> bool:
        """Whether the game allows an event now."""
        return not isinstance(self.game.apply(self.state, event), Refusal)

    def sync_journal(self, correction: Correction | None = None) -> bool:
        """Bring the journal in step with the best explanation; whether something said before no longer holds."""
        self.fact_log.write_search(self.search)
        changed = self.journal_sync.sync_to(
            self.search.best,
            self.now_ns,
            lambda was, now: correction or make_table_correction(was, now),
            by_people=correction is not None,
        )
        if changed is not None and correction is None:
            self._say(make_change_notice(self.now_ns, *changed))
        self.search.drop_settled_hand()
        self.store_facts()
        return changed is not None

    def adopt_search(self, search: BeamSearch, correction: Correction | None) -> None:
        """People have said something: what has been tried counts."""
        self.search = search
        if correction is not None:
            self.sync_journal(correction)

    def start_from(self, root: Hypothesis) -> None:
        """Start anew from what is settled."""
        self.journal_sync.hypothesis = root
        self.search.start_from(root)
        self.store_facts()

    def take_over(self, book: JournalSync, search: BeamSearch, number: int, highest: int) -> None:
        """Go on from a book and a search that know of so many observations and of no card above ``highest``."""
        self.journal_sync, self.search, self._count = book, search, number
        self.fact_log.highest_card_id = highest

    def store_facts(self) -> None:
        """See to it that the facts of the hand in play are kept, and no others."""
        if self.state.phase is Phase.OVER:
            self.fact_log.delete()
        else:
            self.fact_log.begin_hand(self.search, self.journal_sync, self._count, self.fact_queue.card_facts)

    def pin(self, pins: Pins, correction: Correction) -> bool:
        """People have said something of this hand; whether something said before no longer holds."""
        self.search.set_pins(pins)
        return self.sync_journal(correction)

    # --- what the screen is told --------------------------------------------------------------------------------

    def notify(self, t_ns: int, kind: Tone, code: str, *seats: str | None, **fields: object) -> None:
        """Put something on the screen."""
        self._say(make_notice(t_ns, kind, code, *seats, **fields))

    def _say(self, sentence: Notice) -> None:
        self._own.insert(0, activate(sentence, self.game, self.state))
        del self._own[MAX_NOTICES:]
