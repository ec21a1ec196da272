"""Time at the table: what happens when, and what the referee is told of it in the order of stamps."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from typing import Any

from table.observed_facts import MS, Fact
from table.referee.records.journal import JournalLine
from table.referee.referee import Referee
from table.system.memory_tuning import suspend_collection

ANSWER_NS = 3_000 * MS
"""Whoever is asked answers so long after the question."""

Answerer = Callable[[JournalLine], tuple[str | None, str]]
"""For a line ``asked``: the true answer, and who gives it."""


class World:
    """The clock, what is to happen, and the referee, who is told all that has happened up to now."""

    def __init__(self, referee: Referee, answerer: Answerer | None = None) -> None:
        """``answerer``: who answers the referee's questions; None: nobody does."""
        self.referee = referee
        self.now_ns = 0
        self.facts: list[Fact] = []
        """All that the referee has been told."""
        self.longest_take_s = 0.0
        """The most processor time that the referee took at once to judge what it was told."""
        self.on_asked: Callable[[JournalLine], None] = lambda line: None
        self._answerer = answerer
        self._due: list[tuple[int, int, Callable[[int], None]]] = []
        self._told: list[Fact] = []
        self._count = 0
        self._read = 0
        self._asked: dict[int, tuple[int, JournalLine]] = {}
        self._known: set[int] = set()
        referee.start(0)

    def at(self, t_ns: int, happen: Callable[[int], None]) -> None:
        """``happen(t_ns)`` is called when its time has come; never before now."""
        assert t_ns >= self.now_ns, "nothing happens in what the referee takes for finished"
        self._count += 1
        heapq.heappush(self._due, (t_ns, self._count, happen))

    def tell(self, fact: Fact) -> None:
        """A fact for the referee, stamped now or, for a call, a moment ago."""
        self._told.append(fact)

    def advance(self, to_ns: int) -> None:
        """All that happens before ``to_ns`` happens, and the referee is told of it."""
        while self.now_ns < to_ns:
            stop = min([to_ns, *(max(due, self.now_ns + 1) for due, _ in self._asked.values())])
            while self._due and self._due[0][0] < stop:
                t_ns, _, happen = heapq.heappop(self._due)
                happen(t_ns)
            told, self._told = self._told, []
            self.facts += told
            self.now_ns = stop
            began_s = time.thread_time()
            with suspend_collection():  # as in the pipeline
                self.referee.take(told, stop, stop)
            self.longest_take_s = max(self.longest_take_s, time.thread_time() - began_s)
            self._listen()
            for question in [q for q, (due, _) in self._asked.items() if due <= stop]:
                if question in self._asked:  # an answer may settle another question
                    self._answer(question)

    def hear_answers(self) -> None:
        """Wait until everything that has been asked is answered, where anybody answers."""
        while self._asked:
            self.advance(max(due for due, _ in self._asked.values()))

    def _listen(self) -> None:
        """Take note of what is asked and what has settled itself."""
        lines = self.referee.journal.lines
        for line in lines[self._read :]:
            if line["event"] == "asked" and line["question"] not in self._known:
                self._known.add(line["question"])
                self.on_asked(line)
                if self._answerer is not None:
                    self._asked[line["question"]] = (self.now_ns + ANSWER_NS, line)
            elif line["event"] == "answered":
                self._asked.pop(line["question"], None)
        self._read = len(lines)

    def _answer(self, question: int) -> None:
        assert self._answerer is not None
        _, line = self._asked.pop(question)
        answer: Any = getattr(self.referee, "answer", None)
        if answer is not None:
            choice, by = self._answerer(line)
            answer(question, choice, self.now_ns, by)
            self._listen()
