"""A table whose power goes: all that is told up to a moment and, by a camera that starts anew, after it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from table.games.game import Game
from table.observed_facts import END_NS, MS, Call, CardGone, CardLanded, CardReread, Fact
from table.referee.model.search_context import DEFAULT_TIMES
from table.referee.records.journal import Journal, JournalLine, effective_lines, resume_lines
from table.referee.records.stored_facts import ResumeFacts, facts_path, scan_facts
from table.referee.referee import Referee

AFTER_NS = 10_000 * MS
"""So long it is waited after the last fact."""


def read_facts(path: Path) -> list[ResumeFacts]:
    """The facts of a file, however damaged it is."""
    return scan_facts(path)[0]


def known_ns(fact: Fact) -> int:
    """When a fact is told."""
    return fact.end_ns if isinstance(fact, Call) else fact.t_ns


@dataclass(frozen=True)
class Evening:
    """A game at a table, and all that was told of it, in the order of telling."""

    game: Game
    angles: Mapping[str, float]
    facts: Sequence[Fact]

    @property
    def end_ns(self) -> int:
        """When all is over."""
        return max((known_ns(fact) for fact in self.facts), default=0) + AFTER_NS

    def referee(self, path: Path) -> Referee:
        """A referee whose journal is kept at ``path``; it goes on with what is kept there."""
        lines = resume_lines(path) if path.exists() else []
        return Referee(self.game, self.angles, Journal(path, earlier=lines))

    def moments(self) -> list[int]:
        """Between any two facts that are told apart, a moment."""
        times = sorted({time for fact in self.facts for time in (fact.t_ns, known_ns(fact))})
        return [(one + other) // 2 for one, other in pairwise(times)]

    def told_by(self, at: int) -> int:
        """Up to when all is told at ``at``: a burst that goes on is told of when it is over."""
        return min([at, *(fact.t_ns for fact in self.facts if fact.t_ns < at <= known_ns(fact))])

    def is_judged(self, at: int) -> bool:
        """Whether all that began before ``at`` is told and judged: nothing can be tied with it any more."""
        windows = {Call: DEFAULT_TIMES.bid_tie_ns, CardLanded: DEFAULT_TIMES.lead_tie_ns}
        ends = [
            max(known_ns(fact), fact.t_ns + windows.get(type(fact), 0))
            for fact in self.facts
            if fact.t_ns < at
        ]
        return all(end < at for end in ends)

    def snapshots(self, folder: Path) -> dict[int, Path]:
        """What lies on the disk if the power goes at a moment at which nothing waits to be judged."""
        path = folder / "whole.jsonl"
        found: dict[int, Path] = {}
        referee = self.referee(path)
        referee.start(0)
        before = 0
        for at in (*self.moments(), self.end_ns):
            fresh = [one for one in self.facts if before <= known_ns(one) < at]
            referee.take(fresh, self.told_by(at), at)
            before = at
            if self.is_judged(at):
                found[at] = copied(path, folder / f"{at}.jsonl")
        referee.journal.close()
        return found

    def went_on(self, path: Path, at: int) -> list[JournalLine]:
        """The journal in the end, after the table came up again at ``at`` with what is kept at ``path``."""
        referee = self.referee(path)
        referee.resume(at)
        self.rest(referee, at)
        referee.journal.close()
        return referee.journal.lines

    def rest(self, referee: Referee, at: int) -> None:
        """What is told after ``at`` by a camera that sees all that lies there anew, numbered from 1."""
        told = [*self.seen_anew(at), *(one for one in self.facts if one.t_ns >= at)]
        numbers: dict[int, int] = {}
        facts = [_renumbered(one, numbers) for one in told]
        seen = replace(self, facts=facts)
        for time in sorted({known_ns(one) for one in facts}):
            fresh = [one for one in facts if known_ns(one) == time]
            referee.take(fresh, seen.told_by(time + 1), time + 1)
        end_ns = max(self.end_ns, at + AFTER_NS)  # it may have come up when all was over
        referee.take((), end_ns, end_ns)

    def seen_anew(self, at: int) -> list[CardLanded]:
        """The cards that lie on the mark at ``at``, as they are read by then, brought by no arm."""
        lying: dict[int, CardLanded] = {}
        for fact in self.facts:
            if fact.t_ns >= at:
                continue
            if isinstance(fact, CardLanded):
                lying[fact.id] = fact
            elif isinstance(fact, CardReread):
                lying[fact.id] = replace(lying[fact.id], readings=fact.readings)
            elif isinstance(fact, CardGone):
                lying.pop(fact.id, None)
        return [
            replace(
                fact,
                t_ns=at,
                arm_deg=None,
                arm_sure=0.0,
                unseen_ns=END_NS,
                upon=tuple(number for number in fact.upon if number in lying),
                overlaps=tuple(number for number in fact.overlaps if number in lying),
            )
            for fact in lying.values()
        ]


def tell(referee: Referee, facts: Iterable[Fact], until_ns: int) -> None:
    """Tell a referee facts, and that there are no others before ``until_ns``."""
    referee.take(facts, until_ns, until_ns)


def copied(path: Path, to: Path) -> Path:
    """A journal with its facts, elsewhere."""
    for one, other in ((path, to), (facts_path(path), facts_path(to))):
        if one.exists():
            shutil.copyfile(one, other)
    return to


def _renumbered(fact: Fact, numbers: dict[int, int]) -> Fact:
    if isinstance(fact, Call):
        return fact
    number = numbers.setdefault(fact.id, len(numbers) + 1)
    if not isinstance(fact, CardLanded):
        return replace(fact, id=number)
    new = {old: numbers.setdefault(old, len(numbers) + 1) for old in (*fact.upon, *fact.overlaps)}
    return replace(
        fact,
        id=number,
        upon=tuple(new[old] for old in fact.upon),
        overlaps=tuple(new[old] for old in fact.overlaps),
    )


def holding(lines: Iterable[JournalLine], *but: str) -> list[dict[str, Any]]:
    """What holds in the end: the effective lines without their numbers, their times of decision and those fields.

    Without questions, too, and the times of cards that nobody saw: some time before something else was seen.
    """
    left_out = {"seq", "decided_ns", *but}
    return [
        {
            name: value
            for name, value in line.items()
            if name not in (left_out | {"t_ns"} if line.get("card") == "?" else left_out)
        }
        for line in effective_lines(lines)
        if line["event"] not in ("asked", "answered")
    ]
