"""The referee: takes calls and card facts in the order of their stamps, judges, and keeps the book.

It never looks at a clock: ``until_ns`` says how far all the sources have told everything, and a tie is judged
only when its window lies before that. So the order and the speed of delivery never change a ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from table.events.happenings import Event, Reseated
from table.facts import END_NS, Call, CardLanded, Fact
from table.games.base import Expected, State
from table.games.game import Game
from table.referee.answering import AnswerJudge
from table.referee.blackboard import Blackboard
from table.referee.book import Book
from table.referee.calls import CallJudge
from table.referee.cards import CardJudge
from table.referee.entered import EnteredCalls
from table.referee.journal import Journal
from table.referee.mending import Mending
from table.referee.menus import Menus
from table.referee.observations import Restarted
from table.referee.panel import PanelJudge
from table.referee.questions import Question, Questions
from table.referee.resumed import come_back, progress_phrase, renumbered
from table.referee.setting import DEFAULT_TIMES, RefereeTimes
from table.referee.settled import Settled
from table.referee.view import View, lying, over_ns
from table.referee.wishes import Wishes


class Closing(Protocol):
    """Who has something open that time alone closes."""

    @property
    def closes_ns(self) -> int | None:
        """When it closes; None while nothing is open."""

    def close(self) -> None:
        """That moment has come."""


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
        self.blackboard = Blackboard(Book(game, journal or Journal()), angles, times)
        self._mending = Mending(self.blackboard)
        self._questions = Questions(self.blackboard)
        self._cards = CardJudge(self.blackboard)
        self._menus = Menus(self.blackboard, self._mending)
        self._panel = PanelJudge(self.blackboard, self._menus)
        self._answers = AnswerJudge(self.blackboard, self._questions, self._mending)
        self._menus.asked = self._answers.first
        self._calls = CallJudge(self.blackboard, self._panel, self._answers)
        self._menus.entered = EnteredCalls(self.blackboard, self._calls).choices
        self.answerer: Callable[[Question, int], str | None] | None = None
        """Who answers in the place of people: what to a question that is open at a moment; None: not yet."""
        self._above = 0
        """The camera's numbers are counted from here: it begins at 1 when the table comes up again."""
        self._highest = 0
        """No card has had a higher number."""

    @property
    def wishes(self) -> Wishes:
        """What people can wish by the panel besides what the game knows, and what they have wished."""
        return self._menus.wishes

    # --- what others ask ----------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.blackboard.game

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.blackboard.state

    @property
    def journal(self) -> Journal:
        """Everything decided so far."""
        return self.blackboard.book.journal

    @property
    def expected(self) -> Expected:
        """What may happen next."""
        return self.blackboard.expected

    def view(self, now_ns: int, tapping: frozenset[str] = frozenset()) -> View:
        """What the screen may show."""
        return View(
            game=self.game,
            state=self.state,
            expected=self.expected,
            angles=self.blackboard.angles,
            lying=lying(self.blackboard.mark, self.blackboard.search.setting.landed),
            notices=self.blackboard.notices,
            tapping=tapping,
            now_ns=now_ns,
            dealt_ns=self._dealt_ns(),
            over_ns=over_ns(self.state, self.journal.lines),
            dial=self._calls.dial,
            pump_ends_ns=self._calls.pump_ends_ns,
            panel=self._panel.shown,
            question=self._answers.shown,
            hanging=self._questions.hanging(now_ns),
        )

    def _dealt_ns(self) -> int | None:
        """When this hand's dealer rapped; None before."""
        for line in reversed(self.journal.lines):
            if line["event"] in ("dealt", "hand_started", "game_started"):
                return int(line["t_ns"]) if line["event"] == "dealt" else None
        return None

    # --- the flow of facts --------------------------------------------------------------------------------

    def start(self, now_ns: int) -> None:
        """Open the game: its first lines are said."""
        self.blackboard.now_ns = now_ns
        self.blackboard.book.open(now_ns, now_ns)
        self.blackboard.keep()

    def resume(self, now_ns: int, settled: Settled | None = None) -> None:
        """Go on where the journal's lines leave the game; ``TableError`` names a line that can't be of this game.

        ``settled``: how the game is known to have stood at one of them, where nothing beside the journal says so.
        """
        self.blackboard.now_ns = now_ns
        kept = come_back(self.blackboard, settled)
        self._mending.resume(kept.words if kept is not None else ())
        self._questions.resume()
        self._calls.resume()
        self._look_from(now_ns)
        self._above = self.blackboard.keeper.highest
        self.blackboard.tell(now_ns, "ruling", "resumed", place=progress_phrase(self.state))

    def look_anew(self, now_ns: int) -> None:
        """The camera has begun again: it will tell of every card that lies there, counted from 1 on."""
        self.blackboard.now_ns = now_ns
        self._look_from(now_ns)
        self._above = max(self._highest, self.blackboard.keeper.highest)

    def looking(self, since_ns: int | None) -> None:
        """Since when the camera shows the table without a break, if not since it began anew; None: it does not."""
        self.blackboard.looking_ns = since_ns

    def _look_from(self, now_ns: int) -> None:
        """Judge cards that waited when the eyes were closed, as if nothing had come after them; and open the eyes."""
        waiting = self.blackboard.inbox.cards
        if waiting:
            self.take((), waiting[-1].t_ns + self.blackboard.times.lead_tie_ns, now_ns)
        self.blackboard.looking_ns = now_ns
        numbers = tuple(one.id for one in waiting if isinstance(one, CardLanded))
        self.blackboard.observe(Restarted(self.blackboard.number(), now_ns, numbers))

    def change_chairs(self, seats: tuple[str, ...], now_ns: int) -> None:
        """Everybody sits in this order already, as the game begins."""
        self.blackboard.now_ns = now_ns
        self.blackboard.happen(Reseated(seats), now_ns, certain=True)

    def seat(self, angles: Mapping[str, float]) -> None:
        """The players sit there from now on: degrees clockwise from the picture's top, seen from the mark."""
        self.blackboard.angles.update(angles)

    def take(self, facts: Iterable[Fact], until_ns: int, now_ns: int) -> None:
        """Take facts in any order; judge all that can be judged.

        ``until_ns``: no fact stamped before it will come any more. ``now_ns``: the clock, for ``decided_ns``.
        """
        self.blackboard.now_ns = now_ns
        found = renumbered(facts, self._above)
        self._highest = max([self._highest, *(one.id for one in found if not isinstance(one, Call))])
        self.blackboard.receive(found)
        while (stamp := self._judge_next(until_ns)) is not None:
            self._questions.review(stamp)
            self._hear(stamp)
            self._panel.refresh()
        if until_ns >= END_NS:
            self._hear(END_NS)

    def _judge_next(self, until_ns: int) -> int | None:
        """Judge what comes next, a fact or what time alone closes: its stamp; None where that isn't known yet."""
        fact = self.blackboard.inbox.peek(until_ns)
        judges: tuple[Closing, ...] = (self._calls, self._cards, self._panel, self._answers)
        closing = [(closes_ns, judge) for judge in judges if (closes_ns := judge.closes_ns) is not None]
        if closing:
            closes_ns, judge = min(closing, key=lambda one: one[0])
            if closes_ns <= until_ns and (fact is None or fact.t_ns >= closes_ns):
                self._hear(closes_ns)
                judge.close()
                return closes_ns
        return self._judge_fact(fact, until_ns) if fact is not None else None

    def _judge_fact(self, fact: Fact, until_ns: int) -> int | None:
        """Judge a fact, if all that may belong to it is known: its stamp."""
        known_by = self._calls.known_by(fact) if isinstance(fact, Call) else self._cards.known_by(fact)
        if known_by > until_ns:
            return None
        self.blackboard.inbox.pop()
        self._hear(fact.t_ns)
        if isinstance(fact, Call):
            self._calls.judge(fact)
        else:
            self._cards.judge(fact)
        return fact.t_ns

    # --- questions ----------------------------------------------------------------------------------------

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is asked now, the oldest first."""
        return self._questions.open

    def answer(self, question: int, choice: str | None, now_ns: int, by: str) -> bool:
        """Somebody answers a question by its number; ``choice`` None leaves it. Whether it was open."""
        self.blackboard.now_ns = now_ns
        answered = self._questions.answer(question, choice, now_ns, by)
        self._panel.refresh()
        return answered

    def _hear(self, t_ns: int) -> None:
        """Let the answerer answer what is open at ``t_ns``; an answer may bring up the next question."""
        heard: set[int] = set()
        while self.answerer is not None:
            question = next((one for one in self.questions if one.number not in heard), None)
            if question is None:
                return
            heard.add(question.number)
            choice = self.answerer(question, t_ns)
            if choice is not None:
                by = question.seat or self.game.seats[0]
                self._questions.answer(question.number, choice, min(t_ns, self.blackboard.now_ns), by)

    # --- corrections, for programs; people have the panel --------------------------------------------------

    def undo(self, now_ns: int, by: str, at: int | None = None) -> bool:
        """Take back the last thing that the game decided, or entry ``at`` of the book and all after it.

        False when there is nothing to take back.
        """
        self.blackboard.now_ns = now_ns
        at = self.blackboard.book.last(lambda entry: entry.changes) if at is None else at
        if at is None:
            return False
        self._mending.undo(at, by)
        self._panel.refresh()
        return True

    def redo(self, now_ns: int, by: str) -> bool:
        """Take back the last undo or correction; false when there is none."""
        self.blackboard.now_ns = now_ns
        if self._mending.redoable is None:
            return False
        self._mending.redo(by)
        self._panel.refresh()
        return True

    def correct(self, at: int, event: Event, now_ns: int, by: str) -> bool:
        """Put ``event`` in the place of entry ``at`` of the book; whether that is believed now."""
        self.blackboard.now_ns = now_ns
        believed = self._mending.correct(at, event, by)
        self._panel.refresh()
        return believed
