"""The referee: takes calls and card facts in the order of their stamps, judges them, and writes the journal.

It never reads a clock. ``until_ns`` is the watermark of all sources, and a tie is judged only once its window lies
before the watermark. So neither the order nor the speed of delivery changes a ruling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from table.events.game_events import Reseated
from table.games.engine.game_state import Expected, State
from table.games.game import Game
from table.observed_facts import END_NS, Call, CardLanded, Fact
from table.referee.call_judge import CallJudge
from table.referee.interaction.option_levels import PanelContext, TableRequests
from table.referee.interaction.panel import PanelJudge
from table.referee.interaction.questions import Question, Questions
from table.referee.model.observations import Restarted
from table.referee.model.search_context import DEFAULT_TIMES, RefereeTimes
from table.referee.model.view import View, find_game_over_ns, make_cards_on_mark
from table.referee.observations_from_card_facts import (
    card_complete_by_ns,
    card_deadlines,
    is_looking_again,
    judge_card,
)
from table.referee.records.journal import Journal, JournalLine
from table.referee.records.journal_of_hypothesis import JournalSync
from table.referee.records.state_shared_by_judges import SharedState
from table.referee.records.stored_facts import StoredGame, read_stored_game
from table.referee.resume import make_progress_phrase, renumber_cards, resume_game


class Referee:
    """One game at one table."""

    def __init__(
        self,
        game: Game,
        angles: Mapping[str, float],
        journal: Journal | None = None,
        times: RefereeTimes = DEFAULT_TIMES,
    ) -> None:
        """``angles``: where the players sit, degrees clockwise from the picture's top, seen from the mark."""
        self.shared = SharedState(JournalSync(game, journal or Journal()), angles, times)
        self._questions = Questions(self.shared)
        self.requests = TableRequests()
        """The requests to the table that the panel offers, and the one that was made last."""
        self._calls = CallJudge(self.shared)
        self._panel = PanelJudge(PanelContext(self.shared, self._questions, self._calls, self.requests))
        self.answerer: Callable[[Question, int], str | None] | None = None
        """Answers an open question at a moment in the place of people; it returns None while there is no answer yet."""
        self._above = 0
        """Added to the tracker's card numbers, which begin at 1 again whenever tracking restarts."""
        self._returned = len(self.journal.lines)
        """The number of journal lines that callers of ``take`` have been given, or that are of an earlier run."""

    # --- what others ask ----------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.shared.game

    @property
    def state(self) -> State:
        """The state of the game, by the hypothesis in force."""
        return self.shared.state

    @property
    def journal(self) -> Journal:
        """The journal: everything decided so far."""
        return self.shared.journal

    @property
    def expected(self) -> Expected:
        """What may happen next, by the rules."""
        return self.shared.expected

    def view(self, now_ns: int, tapping: Mapping[str, int] = MappingProxyType({})) -> View:
        """Make the view: all that the screen may show now.

        ``tapping``: the seats with a call under way, and their taps in it so far. These move the highlight of a
        panel and the dial at once, as do those of calls that are not judged yet.
        """
        taps = Counter(tapping) + self.shared.fact_queue.waiting_taps
        panel, question = self._panel.visible_panel(taps), self._panel.visible_question(taps)
        for choosing in (panel, question):
            if choosing is not None and choosing.seat is not None:
                del taps[choosing.seat]  # they turn no dial
        return View(
            game=self.game,
            state=self.state,
            expected=self.expected,
            seat_angles=self.shared.angles,
            cards_on_mark=make_cards_on_mark(
                self.game, self.shared.hypothesis, self.shared.search.context.landed
            ),
            notices=self.shared.notices,
            calling_seats=frozenset(tapping),
            now_ns=now_ns,
            dealt_ns=self._dealt_ns(),
            game_over_ns=find_game_over_ns(self.state, self.journal.lines),
            dial=self._calls.visible_dial(taps),
            countdown_ends_ns=self._calls.countdown_ends_ns,
            panel=panel,
            question=question,
            provisional_hands=self._questions.provisional_hands(now_ns),
        )

    def _dealt_ns(self) -> int | None:
        """When this hand's dealer rapped; None before that."""
        for line in reversed(self.journal.lines):
            if line["event"] in ("dealt", "hand_started", "game_started"):
                return int(line["t_ns"]) if line["event"] == "dealt" else None
        return None

    # --- the flow of facts --------------------------------------------------------------------------------

    def start(self, now_ns: int) -> None:
        """Start the game: write the journal's first lines."""
        self.shared.now_ns = now_ns
        self.shared.journal_sync.write_missing(now_ns)
        self.shared.store_facts()

    def resume(self, now_ns: int, stored: StoredGame | None = None) -> None:
        """Resume the game where the journal's lines leave it; ``TableError`` names a line that this game can't have.

        ``stored``: the game, where it has been read back already.
        """
        self.shared.now_ns = now_ns
        stored = stored or read_stored_game(self.game, self.journal, self.shared.fact_log.path)
        stored.journal_sync.journal, self.shared.journal_sync = self.journal, stored.journal_sync
        resume_game(self.shared, stored)
        self._questions.resume()
        self._calls.follow_game(now_ns)
        self._look_from(now_ns)
        self.shared.search.until_s = None
        self._above = self.shared.highest_card_id
        self.shared.notify(now_ns, "ruling", "resumed", place=make_progress_phrase(self.state))

    def restart_tracking(self, now_ns: int) -> None:
        """Expect all cards on the mark to be reported again, numbered from 1: tracking has restarted."""
        self.shared.now_ns = now_ns
        self._look_from(now_ns)
        self._above = self.shared.highest_card_id

    def note_view_since(self, since_ns: int | None) -> None:
        """Note since when the camera has shown the table without a break; None while it does not."""
        self.shared.view_since_ns = since_ns

    def _look_from(self, now_ns: int) -> None:
        """Judge the cards that still waited when tracking stopped, as if nothing had followed; then begin anew.

        Cards that were reported after an earlier restart and not accounted for yet are reported again.
        """
        if is_looking_again(self.shared):
            self.shared.fact_queue.drop_card_facts()
        waiting = self.shared.fact_queue.card_facts
        if waiting:
            self.take((), waiting[-1].t_ns + self.shared.times.lead_tie_ns, now_ns)
        self.shared.view_since_ns = now_ns
        numbers = tuple(one.id for one in waiting if isinstance(one, CardLanded))
        self.shared.add_observation(Restarted(self.shared.next_number(), now_ns, numbers))

    def reseat_players(self, seats: tuple[str, ...], now_ns: int) -> None:
        """Reseat the players before the first hand: they sit in this order already."""
        self.shared.now_ns = now_ns
        self.shared.apply_event(Reseated(seats), now_ns, certain=True)

    def update_seat_angles(self, angles: Mapping[str, float]) -> None:
        """Update where players sit: degrees clockwise from the picture's top, seen from the mark."""
        self.shared.angles.update(angles)

    def take(self, facts: Iterable[Fact], until_ns: int, now_ns: int) -> Sequence[JournalLine]:
        """Take facts in any order, judge all that can be judged, and return what was decided.

        That is every journal line written since the last call; of a resumed game none that it was resumed from.
        ``until_ns``: no fact stamped before it will come any more. ``now_ns``: the clock, for ``decided_ns``.
        """
        self.shared.now_ns = now_ns
        self.shared.receive_facts(renumber_cards(facts, self._above))
        while (stamp := self._judge_next(until_ns)) is not None:
            self._questions.review(stamp)
            self._hear(stamp)
            self._calls.follow_game(stamp)
            if self._panel.is_open:
                self._calls.stop_dial_countdown()
            self._panel.refresh()
        if until_ns >= END_NS:
            self._hear(END_NS)
        return self.decided()

    def decided(self) -> Sequence[JournalLine]:
        """Return the journal lines written since the last call of this method or of ``take``."""
        first, self._returned = self._returned, len(self.journal.lines)
        return self.journal.lines[first:]

    def _judge_next(self, until_ns: int) -> int | None:
        """Judge what comes next, a fact or something that time closes; return its stamp, None if it isn't known yet."""
        fact = self.shared.fact_queue.peek(until_ns)
        deadlines = [*self._calls.deadlines(), *card_deadlines(self.shared), *self._panel.deadlines()]
        due_ns, act = min(deadlines, key=lambda deadline: deadline[0], default=(END_NS, None))
        if act is not None and due_ns <= until_ns and (fact is None or fact.t_ns >= due_ns):
            self._hear(due_ns)
            act()
            return due_ns
        return self._judge_fact(fact, until_ns) if fact is not None else None

    def _judge_fact(self, fact: Fact, until_ns: int) -> int | None:
        """Judge a fact if all that may belong to it is known; return its stamp, None if not."""
        if isinstance(fact, Call):
            known_by, judge = self._calls.complete_by_ns(fact), partial(self._judge_call, fact)
        else:
            known_by, judge = card_complete_by_ns(self.shared, fact), partial(judge_card, self.shared, fact)
        if known_by > until_ns:
            return None
        self.shared.fact_queue.pop()
        self._hear(fact.t_ns)
        judge()
        return fact.t_ns

    def _judge_call(self, call: Call) -> None:
        """Judge a call: for a question that was taken up, the own dial, the panel, an open question, or the game."""
        if self._panel.handle_claimant_call(call) or self._calls.clear_dial(call):
            return
        if not self._panel.handle_call(call) and not self._panel.claim_by_tap(call):
            self._calls.judge(call)

    # --- questions ----------------------------------------------------------------------------------------

    @property
    def questions(self) -> tuple[Question, ...]:
        """The open questions, the oldest first."""
        return self._questions.open

    def answer(self, question: int, choice: str | None, now_ns: int, by: str) -> bool:
        """Answer a question by its number; ``choice`` None closes it unanswered. Return whether it was open."""
        self.shared.now_ns = now_ns
        answered = self._questions.answer(question, choice, now_ns, by)
        self._panel.refresh()
        return answered

    def _hear(self, t_ns: int) -> None:
        """Let the answerer answer the questions open at ``t_ns``; an answer may bring up the next question."""
        asked: set[int] = set()
        while self.answerer is not None:
            question = next((question for question in self.questions if question.number not in asked), None)
            if question is None:
                return
            asked.add(question.number)
            choice = self.answerer(question, t_ns)
            if choice is not None:
                by = question.seat or self.game.seats[0]
                self._questions.answer(question.number, choice, min(t_ns, self.shared.now_ns), by)
